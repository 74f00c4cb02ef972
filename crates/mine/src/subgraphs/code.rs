//! Patterns and their canonical form.
//!
//! A pattern is written as the steps of a depth-first walk over its edges. Of all such walks one is the least, and two patterns are the
//! same exactly if their least walks are. Patterns grow by steps at the end of their least walk (*rightmost extension*): every pattern is
//! reached once, over patterns that are part of it.
//!
//! # Reference
//! Yan, Han. gSpan: graph-based substructure pattern mining. ICDM 2002.
//! # Departs from the paper
//! Edges may have directions, and two nodes several edges: a step says which way it goes, and a second edge to the node it came from is a
//! step back. Walks that agree in what can follow are followed once, so that a star with ten equal leaves has 2^10 walks and not 10!.

use std::cmp::Ordering;

use super::index::turned;

/// A step of a walk: to a new node, or back to one on the way from the first node to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub from: u8,
    pub to: u8,
    pub from_label: u32,
    /// Twice the label, and one more where the edge is walked against its direction.
    pub kind: u32,
    pub to_label: u32,
}

impl Step {
    fn forward(&self) -> bool {
        self.from < self.to
    }

    fn labels(&self) -> (u32, u32, u32) {
        (self.from_label, self.kind, self.to_label)
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of steps that may follow the same walk: back before on, back to earlier nodes first, on from later nodes first.
impl Ord for Step {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = match (self.forward(), other.forward()) {
            (false, true) => Ordering::Less,
            (true, false) => Ordering::Greater,
            (false, false) => (self.from, self.to).cmp(&(other.from, other.to)),
            (true, true) => self.to.cmp(&other.to).then(other.from.cmp(&self.from)),
        };
        place.then_with(|| self.labels().cmp(&other.labels()))
    }
}

/// A connected graph with few nodes. Nodes are numbered in the order of the walk.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Code {
    pub steps: Vec<Step>,
}

/// An edge of a pattern: from, to, kind.
pub(super) type Link = (u8, u8, u32);

impl Code {
    /// Labels of the nodes.
    pub fn labels(&self) -> Vec<u32> {
        let mut labels = vec![self.steps[0].from_label];
        labels.extend(self.steps.iter().filter(|step| step.forward()).map(|step| step.to_label));
        labels
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        1 + self.steps.iter().filter(|step| step.forward()).count()
    }

    /// The edges.
    pub fn links(&self) -> Vec<Link> {
        self.steps.iter().map(|step| (step.from, step.to, step.kind)).collect()
    }

    /// The nodes from the first to the last one found, last first.
    pub fn rightmost_path(&self) -> Vec<u8> {
        let mut at = self.nodes() as u8 - 1;
        let mut path = vec![at];
        for step in self.steps.iter().rev().filter(|step| step.forward()) {
            if step.to == at {
                at = step.from;
                path.push(at);
            }
        }
        path
    }

    /// Whether this is the least walk of its pattern.
    pub fn is_least(&self, directed: bool) -> bool {
        least_walk(&self.labels(), &self.links(), directed, Some(&self.steps)).is_some()
    }
}

/// The least walk over a connected pattern, and the number in it of each node.
pub(super) fn canonical(labels: &[u32], links: &[Link], directed: bool) -> (Code, Vec<u8>) {
    let (steps, number) =
        least_walk(labels, links, directed, None).expect("a connected pattern with an edge has a walk");
    (Code { steps }, number)
}

/// A walk that is under way. Its numbers of nodes are positions in `found`.
#[derive(Clone)]
struct Walk {
    found: Vec<u8>,
    number: Vec<Option<u8>>,
    /// Edges that were walked, one bit each.
    walked: u64,
    /// Numbers of the nodes from the last found to the first.
    path: Vec<u8>,
}

/// Follows all walks that are least so far, step by step. With `given`, stops with `None` as soon as some walk is less.
fn least_walk(
    labels: &[u32],
    links: &[Link],
    directed: bool,
    given: Option<&[Step]>,
) -> Option<(Vec<Step>, Vec<u8>)> {
    let mut touching: Vec<Vec<(u8, u32, u8)>> = vec![Vec::new(); labels.len()];
    for (edge, (from, to, kind)) in links.iter().enumerate() {
        touching[*from as usize].push((*to, *kind, edge as u8));
        touching[*to as usize].push((*from, turned(*kind, directed), edge as u8));
    }
    let begin = |node: u8| {
        let mut number = vec![None; labels.len()];
        number[node as usize] = Some(0);
        Walk { found: vec![node], number, walked: 0, path: vec![0] }
    };
    let mut walks: Vec<Walk> = (0..labels.len() as u8).map(begin).collect();
    let mut steps: Vec<Step> = Vec::with_capacity(links.len());
    for at in 0..links.len() {
        let mut least: Option<Step> = None;
        let mut next: Vec<(usize, u8, u8)> = Vec::new();
        for (number, walk) in walks.iter().enumerate() {
            walk.steps(labels, &touching, |step, edge, node| {
                match least.map_or(Ordering::Less, |least| step.cmp(&least)) {
                    Ordering::Greater => return,
                    Ordering::Less => {
                        least = Some(step);
                        next.clear();
                    }
                    Ordering::Equal => {}
                }
                next.push((number, edge, node));
            });
        }
        let step = least?;
        if given.is_some_and(|given| step < given[at]) {
            return None;
        }
        let mut followed: Vec<Walk> =
            next.iter().map(|(walk, edge, node)| walks[*walk].taken(&step, *edge, *node)).collect();
        // What can follow depends on the edges that are left and on the nodes of the path only.
        followed.sort_by_cached_key(Walk::future);
        followed.dedup_by_key(|walk| walk.future());
        walks = followed;
        steps.push(step);
    }
    let number = walks.first()?.number.iter().map(|number| number.unwrap_or_default()).collect();
    Some((steps, number))
}

impl Walk {
    /// Tells every step that may follow, the edge it walks and the node it goes to.
    fn steps(&self, labels: &[u32], touching: &[Vec<(u8, u32, u8)>], mut tell: impl FnMut(Step, u8, u8)) {
        let last = self.path[0];
        let last_node = self.found[last as usize];
        let mut back = false;
        for (node, kind, edge) in &touching[last_node as usize] {
            let Some(number) = self.number[*node as usize] else { continue };
            if self.walked >> edge & 1 == 0 {
                back = true;
                let (from_label, to_label) = (labels[last_node as usize], labels[*node as usize]);
                tell(Step { from: last, to: number, from_label, kind: *kind, to_label }, *edge, *node);
            }
        }
        // A step back is less than any step on.
        if back {
            return;
        }
        for from in &self.path {
            let from_node = self.found[*from as usize];
            let mut on = false;
            for (node, kind, edge) in &touching[from_node as usize] {
                if self.number[*node as usize].is_none() {
                    on = true;
                    let (from_label, to_label) = (labels[from_node as usize], labels[*node as usize]);
                    let to = self.found.len() as u8;
                    tell(Step { from: *from, to, from_label, kind: *kind, to_label }, *edge, *node);
                }
            }
            // A step on from a later node is less than one from an earlier node.
            if on {
                return;
            }
        }
    }

    fn taken(&self, step: &Step, edge: u8, node: u8) -> Walk {
        let mut walk = self.clone();
        walk.walked |= 1 << edge;
        if step.forward() {
            walk.number[node as usize] = Some(step.to);
            walk.found.push(node);
            let kept = walk.path.iter().position(|number| *number == step.from).unwrap_or_default();
            walk.path.drain(..kept);
            walk.path.insert(0, step.to);
        }
        walk
    }

    /// What decides which steps can follow: the edges that were walked, and the nodes of the path.
    fn future(&self) -> (u64, Vec<u8>) {
        (self.walked, self.path.iter().map(|number| self.found[*number as usize]).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A connected pattern and the same one with its nodes numbered otherwise.
    fn renumbered() -> impl Strategy<Value = (Vec<u32>, Vec<Link>, Vec<u8>, bool)> {
        let nodes = prop::collection::vec(0..2_u32, 2..6);
        (nodes, prop::collection::vec((0..6_u8, 0..6_u8, 0..2_u32), 0..5), any::<bool>(), any::<u64>())
            .prop_flat_map(|(labels, extra, directed, seed)| {
                let count = labels.len() as u8;
                let mut links: Vec<Link> = (1..count)
                    .map(|node| ((seed >> node) as u8 % node, node, 2 * (seed >> 20 >> node & 1) as u32))
                    .collect();
                links.extend(
                    extra
                        .iter()
                        .map(|(a, b, kind)| (a % count, b % count, kind * 2))
                        .filter(|(a, b, _)| a < b),
                );
                links.sort_unstable();
                links.dedup();
                let order: Vec<u8> = (0..count).collect();
                (Just(labels), Just(links), Just(order).prop_shuffle(), Just(directed))
            })
    }

    proptest! {
        #[test]
        fn the_canonical_form_does_not_depend_on_numbers((labels, links, order, directed) in renumbered()) {
            let (code, number) = canonical(&labels, &links, directed);
            let mut moved = labels.clone();
            for (node, to) in order.iter().enumerate() {
                moved[*to as usize] = labels[node];
            }
            let moved_links: Vec<Link> =
                links.iter().map(|(a, b, kind)| (order[*a as usize], order[*b as usize], *kind)).collect();
            prop_assert_eq!(&canonical(&moved, &moved_links, directed).0, &code);
            prop_assert!(code.is_least(directed));
            // The numbers are those of the walk.
            let walked = code.labels();
            for (node, at) in number.iter().enumerate() {
                prop_assert_eq!(walked[*at as usize], labels[node]);
            }
            let plain = |links: &[Link]| {
                let mut links: Vec<Link> = links
                    .iter()
                    .map(|(a, b, kind)| if a < b { (*a, *b, *kind) } else { (*b, *a, turned(*kind, directed)) })
                    .collect();
                links.sort_unstable();
                links
            };
            let renamed: Vec<Link> =
                links.iter().map(|(a, b, kind)| (number[*a as usize], number[*b as usize], *kind)).collect();
            prop_assert_eq!(plain(&code.links()), plain(&renamed));
        }
    }
}
