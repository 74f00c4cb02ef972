//! Groups of places by where they are, so that the nearest one is found without looking at all.
//!
//! A k-d tree over positions in space. A group that moves goes to the leaf nearest to where it is now, and the boxes above grow to hold it;
//! when half of the groups are gone the tree is built again.

/// Groups in a leaf of a new tree.
const LEAF: usize = 8;
/// The leaf of groups that are gone.
const NOWHERE: u32 = u32::MAX;

/// Positions of groups, straight distances between which are never longer than the distances that are asked for.
#[derive(Debug)]
pub(super) struct Neighbours {
    positions: Vec<[f64; 3]>,
    nodes: Vec<Node>,
    /// The leaf of each group, a node.
    leaf_of: Vec<u32>,
    groups: usize,
    groups_when_built: usize,
    /// What rounding may add to a distance.
    slack: f64,
}

#[derive(Debug)]
struct Node {
    low: [f64; 3],
    high: [f64; 3],
    children: Option<[u32; 2]>,
    /// The groups of a leaf.
    groups: Vec<u32>,
}

impl Neighbours {
    /// Every position is a group's.
    pub fn new(positions: Vec<[f64; 3]>) -> Self {
        let largest = positions.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        let all = (0..positions.len() as u32).collect();
        let mut neighbours = Neighbours {
            leaf_of: vec![NOWHERE; positions.len()],
            positions,
            nodes: Vec::new(),
            groups: 0,
            groups_when_built: 0,
            slack: largest * 1e-12,
        };
        neighbours.build(all);
        neighbours
    }

    /// Whether so many groups are gone that [`Neighbours::build`] is due.
    pub fn is_worn(&self) -> bool {
        self.groups * 2 < self.groups_when_built
    }

    /// Builds the tree of these groups.
    pub fn build(&mut self, mut groups: Vec<u32>) {
        self.nodes.clear();
        (self.groups, self.groups_when_built) = (groups.len(), groups.len());
        if !groups.is_empty() {
            self.divide(&mut groups);
        }
    }

    fn divide(&mut self, groups: &mut [u32]) -> u32 {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for group in groups.iter() {
            for (axis, value) in self.positions[*group as usize].iter().enumerate() {
                low[axis] = low[axis].min(*value);
                high[axis] = high[axis].max(*value);
            }
        }
        let number = self.nodes.len();
        self.nodes.push(Node { low, high, children: None, groups: Vec::new() });
        if groups.len() > LEAF {
            let widest = (0..3).max_by(|a, b| (high[*a] - low[*a]).total_cmp(&(high[*b] - low[*b])));
            let axis = widest.unwrap_or_default();
            let middle = groups.len() / 2;
            let key = |group: &u32| self.positions[*group as usize][axis];
            groups.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
            let (first, second) = groups.split_at_mut(middle);
            self.nodes[number].children = Some([self.divide(first), self.divide(second)]);
        } else {
            groups.iter().for_each(|group| self.leaf_of[*group as usize] = number as u32);
            self.nodes[number].groups = groups.to_vec();
        }
        number as u32
    }

    /// Where a group is now.
    pub fn place(&mut self, group: u32, position: [f64; 3]) {
        self.forget(group);
        self.positions[group as usize] = position;
        let mut number = 0;
        while let Some(node) = self.nodes.get_mut(number as usize) {
            for (axis, value) in position.iter().enumerate() {
                node.low[axis] = node.low[axis].min(*value);
                node.high[axis] = node.high[axis].max(*value);
            }
            match node.children {
                Some([one, other]) => {
                    let [first, second] =
                        [one, other].map(|child| self.nodes[child as usize].apart_from(position));
                    number = if second < first { other } else { one };
                }
                None => {
                    node.groups.push(group);
                    self.leaf_of[group as usize] = number;
                    self.groups += 1;
                    return;
                }
            }
        }
    }

    /// A group became part of another one.
    pub fn forget(&mut self, group: u32) {
        let leaf = std::mem::replace(&mut self.leaf_of[group as usize], NOWHERE);
        if let Some(node) = self.nodes.get_mut(leaf as usize) {
            node.groups.retain(|other| *other != group);
            self.groups -= 1;
        }
    }

    /// Shows `look` every group that may be as near to `group` as the distance it last gave back; near ones tend to come
    /// first. `group` itself is among them.
    pub fn near(&self, group: u32, look: &mut impl FnMut(u32) -> f64) {
        let mut limit = f64::INFINITY;
        if !self.nodes.is_empty() {
            self.walk(0, self.positions[group as usize], &mut limit, look);
        }
    }

    fn walk(&self, number: u32, from: [f64; 3], limit: &mut f64, look: &mut impl FnMut(u32) -> f64) {
        let node = &self.nodes[number as usize];
        let Some([one, other]) = node.children else {
            for group in &node.groups {
                if !self.is_beyond(apart(self.positions[*group as usize], from), *limit) {
                    *limit = look(*group);
                }
            }
            return;
        };
        let [first, second] = [one, other].map(|child| (self.nodes[child as usize].apart_from(from), child));
        let ways = if second.0 < first.0 { [second, first] } else { [first, second] };
        for (distance, child) in ways {
            if !self.is_beyond(distance, *limit) {
                self.walk(child, from, limit, look);
            }
        }
    }

    /// Distances that are equal but for rounding are not beyond each other.
    pub fn is_beyond(&self, distance: f64, limit: f64) -> bool {
        distance * (1.0 - 1e-6) - self.slack > limit
    }
}

impl Node {
    fn apart_from(&self, from: [f64; 3]) -> f64 {
        let nearest = [0, 1, 2].map(|axis| from[axis].clamp(self.low[axis], self.high[axis]));
        apart(nearest, from)
    }
}

pub(super) fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
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
