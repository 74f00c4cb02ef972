//! Groups of places by where they are, so that the nearest one is found without looking at all.
//!
//! A k-d tree over positions in space. Groups that moved since it was built are kept apart and looked at one by one; when there
//! are too many of them the tree is built again.

/// Groups in a leaf of the tree.
const LEAF: usize = 8;
/// Groups that moved, at most, before the tree is built again.
const MOVED: usize = 512;

/// Positions of groups, straight distances between which are never longer than the distances that are asked for.
#[derive(Debug)]
pub(super) struct Neighbours {
    positions: Vec<[f64; 3]>,
    nodes: Vec<Node>,
    order: Vec<u32>,
    in_tree: Vec<bool>,
    moved: Vec<u32>,
    /// What rounding may add to a distance.
    slack: f64,
}

#[derive(Debug)]
struct Node {
    low: [f64; 3],
    high: [f64; 3],
    begin: usize,
    end: usize,
    children: Option<[usize; 2]>,
}

impl Neighbours {
    /// Every position is a group's.
    pub fn new(positions: Vec<[f64; 3]>) -> Self {
        let largest = positions.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        let all = (0..positions.len() as u32).collect();
        let mut neighbours = Neighbours {
            in_tree: vec![false; positions.len()],
            positions,
            nodes: Vec::new(),
            order: Vec::new(),
            moved: Vec::new(),
            slack: largest * 1e-12,
        };
        neighbours.build(all);
        neighbours
    }

    /// Whether so many groups moved that [`Neighbours::build`] is due.
    pub fn is_worn(&self) -> bool {
        self.moved.len() > MOVED
    }

    /// Builds the tree of these groups.
    pub fn build(&mut self, groups: Vec<u32>) {
        self.in_tree.fill(false);
        groups.iter().for_each(|group| self.in_tree[*group as usize] = true);
        self.moved.clear();
        self.nodes.clear();
        self.order = groups;
        if !self.order.is_empty() {
            self.divide(0, self.order.len());
        }
    }

    fn divide(&mut self, begin: usize, end: usize) -> usize {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for group in &self.order[begin..end] {
            for (axis, value) in self.positions[*group as usize].iter().enumerate() {
                low[axis] = low[axis].min(*value);
                high[axis] = high[axis].max(*value);
            }
        }
        let number = self.nodes.len();
        self.nodes.push(Node { low, high, begin, end, children: None });
        if end - begin > LEAF {
            let widest = (0..3).max_by(|a, b| (high[*a] - low[*a]).total_cmp(&(high[*b] - low[*b])));
            let axis = widest.unwrap_or_default();
            let middle = (end - begin) / 2;
            let key = |group: &u32| self.positions[*group as usize][axis];
            let by_key = |a: &u32, b: &u32| key(a).total_cmp(&key(b)).then(a.cmp(b));
            self.order[begin..end].select_nth_unstable_by(middle, by_key);
            let children = [self.divide(begin, begin + middle), self.divide(begin + middle, end)];
            self.nodes[number].children = Some(children);
        }
        number
    }

    /// Where a group is now.
    pub fn place(&mut self, group: u32, position: [f64; 3]) {
        self.positions[group as usize] = position;
        if std::mem::replace(&mut self.in_tree[group as usize], false) || !self.moved.contains(&group) {
            self.moved.push(group);
        }
    }

    /// A group became part of another one.
    pub fn forget(&mut self, group: u32) {
        if !std::mem::replace(&mut self.in_tree[group as usize], false) {
            self.moved.retain(|other| *other != group);
        }
    }

    /// Shows `look` every group that may be as near to `group` as the distance it last gave back; near ones tend to come
    /// first. `group` itself is among them.
    pub fn near(&self, group: u32, look: &mut impl FnMut(u32) -> f64) {
        let from = self.positions[group as usize];
        let mut limit = f64::INFINITY;
        if !self.nodes.is_empty() {
            self.walk(0, from, &mut limit, look);
        }
        for other in &self.moved {
            if !self.is_beyond(apart(self.positions[*other as usize], from), limit) {
                limit = look(*other);
            }
        }
    }

    fn walk(&self, number: usize, from: [f64; 3], limit: &mut f64, look: &mut impl FnMut(u32) -> f64) {
        let node = &self.nodes[number];
        let Some(children) = node.children else {
            for group in &self.order[node.begin..node.end] {
                let there = self.in_tree[*group as usize];
                if there && !self.is_beyond(apart(self.positions[*group as usize], from), *limit) {
                    *limit = look(*group);
                }
            }
            return;
        };
        let mut ways = children.map(|child| (self.nodes[child].apart_from(from), child));
        ways.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (distance, child) in ways {
            if !self.is_beyond(distance, *limit) {
                self.walk(child, from, limit, look);
            }
        }
    }

    /// Distances that are equal but for rounding are not beyond each other.
    fn is_beyond(&self, distance: f64, limit: f64) -> bool {
        distance * (1.0 - 1e-6) - self.slack > limit
    }
}

impl Node {
    fn apart_from(&self, from: [f64; 3]) -> f64 {
        let nearest = [0, 1, 2].map(|axis| from[axis].clamp(self.low[axis], self.high[axis]));
        apart(nearest, from)
    }
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis]));
    (x + y + z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_among_what_is_shown_after_any_moves() {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) % 1000) as f64
        };
        let mut positions: Vec<[f64; 3]> = (0..900).map(|_| [draw(), draw(), 0.0]).collect();
        let mut neighbours = Neighbours::new(positions.clone());
        let mut gone = vec![false; positions.len()];
        for step in 0..899_usize {
            let group =
                (0..900).find(|group| !gone[(group + step * 7) % 900]).map(|group| (group + step * 7) % 900);
            let group = group.unwrap();
            let distance = |other: usize| apart(positions[group], positions[other]);
            let others = (0..900).filter(|other| !gone[*other] && *other != group);
            let expected = others.map(distance).min_by(f64::total_cmp).unwrap();
            let mut best = (f64::INFINITY, group);
            let mut looked = 0;
            neighbours.near(group as u32, &mut |other| {
                looked += 1;
                assert!(!gone[other as usize]);
                if other as usize != group && distance(other as usize) < best.0 {
                    best = (distance(other as usize), other as usize);
                }
                best.0
            });
            assert_eq!(best.0, expected, "{step}");
            assert!(step > 0 || looked < 100);
            // The two become one in between.
            let (kept, lost) = (group.min(best.1), group.max(best.1));
            let middle = [0, 1, 2].map(|axis| (positions[kept][axis] + positions[lost][axis]) / 2.0);
            positions[kept] = middle;
            gone[lost] = true;
            neighbours.place(kept as u32, middle);
            neighbours.forget(lost as u32);
            if neighbours.is_worn() {
                neighbours.build((0..900).filter(|group| !gone[*group as usize]).collect());
            }
        }
    }
}
