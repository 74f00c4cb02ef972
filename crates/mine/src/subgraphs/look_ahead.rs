//! A search that looks ahead: whenever a node of the pattern is placed, what cannot be placed beside it any more is taken out at once
//! (maintaining arc consistency), and the node with the fewest candidates left comes next.
//!
//! A step costs more than one of [`super::solve`], so it is for the few searches that are long there: cycles through a given node, which plain
//! search finds out about only when they should close, and dead ends behind a node that is taken.
//!
//! # Reference
//! Sabin, Freuder. Contradicting conventional wisdom in constraint satisfaction. ECAI 1994.

use super::consistency::Problem;

/// The candidates that are left for each node of the pattern, ascending.
type Left = Vec<Vec<u32>>;

/// Looks for a place that has `facet` at a node; the facets of all nodes, or `None` if there is none. `breathe` is asked now and then whether to
/// go on.
pub(super) fn look_ahead<E>(
    problem: &Problem<'_>,
    node: u8,
    facet: u32,
    mut breathe: impl FnMut() -> Result<(), E>,
) -> Result<Option<Vec<u32>>, E> {
    let Some(left) = around(problem, usize::from(node), facet) else { return Ok(None) };
    let mut search = LookAhead { problem, checks: 0 };
    search.place(left, &mut breathe)
}

/// Candidates that can be reached from a facet, beginning with the nodes next to its own.
fn around(problem: &Problem<'_>, node: usize, facet: u32) -> Option<Left> {
    let index = problem.index;
    let taken = index.node(facet);
    let mut left: Left = vec![Vec::new(); problem.labels.len()];
    left[node].push(facet);
    let mut reached = vec![false; left.len()];
    reached[node] = true;
    let mut waiting = vec![node];
    let mut at = 0;
    while let Some(from) = waiting.get(at).copied() {
        at += 1;
        for (other, kind) in &problem.touching[from] {
            let other = usize::from(*other);
            if std::mem::replace(&mut reached[other], true) {
                continue;
            }
            let (range, domain) = (index.range(problem.labels[other]), &problem.domains[other]);
            let mut near: Vec<u32> = left[from]
                .iter()
                .flat_map(|facet| index.neighbours(*facet, *kind, &range).iter().copied())
                .filter(|next| domain.contains(*next) && index.node(*next) != taken)
                .collect();
            near.sort_unstable();
            near.dedup();
            if near.is_empty() {
                return None;
            }
            left[other] = near;
            waiting.push(other);
        }
    }
    Some(left)
}

/// Checks between two looks at whether the search is still wanted.
const BREATH: u64 = 1 << 16;

struct LookAhead<'p, 'a> {
    problem: &'p Problem<'a>,
    /// Facets that were looked at since the last breath.
    checks: u64,
}

impl LookAhead<'_, '_> {
    fn place<E>(
        &mut self,
        mut left: Left,
        breathe: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<u32>>, E> {
        if self.checks > BREATH {
            self.checks = 0;
            breathe()?;
        }
        if !self.settle(&mut left) {
            return Ok(None);
        }
        let open = (0..left.len()).filter(|node| left[*node].len() > 1);
        let Some(node) = open.min_by_key(|node| (left[*node].len(), *node)) else {
            return Ok(Some(left.into_iter().flatten().collect()));
        };
        for facet in &left[node] {
            let mut next = left.clone();
            next[node] = vec![*facet];
            if let Some(place) = self.place(next, breathe)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Takes out what does not fit with what is left elsewhere, until nothing changes. `false` as soon as nothing is left for a node.
    fn settle(&mut self, left: &mut Left) -> bool {
        let index = self.problem.index;
        // Nodes whose candidates changed since their neighbours were looked at.
        let mut changed: u64 = (1 << left.len()) - 1;
        while changed != 0 {
            let node = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            if let [facet] = left[node][..] {
                let taken = index.node(facet);
                for other in (0..left.len()).filter(|other| *other != node) {
                    let before = left[other].len();
                    left[other].retain(|facet| index.node(*facet) != taken);
                    if left[other].is_empty() {
                        return false;
                    }
                    if left[other].len() < before {
                        changed |= 1 << other;
                    }
                }
            }
            for at in 0..self.problem.touching[node].len() {
                let (other, kind) = self.problem.touching[node][at];
                let other = usize::from(other);
                // The edge as seen from the other node.
                let kind = super::index::turned(kind, self.problem.directed);
                let mut kept = std::mem::take(&mut left[other]);
                let before = kept.len();
                self.checks += before as u64;
                kept.retain(|facet| self.joined_to_any(*facet, kind, node, &left[node]));
                left[other] = kept;
                if left[other].is_empty() {
                    return false;
                }
                if left[other].len() < before {
                    changed |= 1 << other;
                }
            }
        }
        true
    }

    fn joined_to_any(&self, facet: u32, kind: u32, node: usize, candidates: &[u32]) -> bool {
        let index = self.problem.index;
        let near = index.neighbours(facet, kind, &index.range(self.problem.labels[node]));
        match candidates.len() < near.len() {
            true => candidates.iter().any(|other| near.binary_search(other).is_ok()),
            false => near.iter().any(|next| candidates.binary_search(next).is_ok()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use throng_data::GraphBuilder;

    use super::super::code::Link;
    use super::super::domain::Domain;
    use super::super::index::Index;
    use super::super::solve::{Outcome, Plan, Search, Seen};
    use super::*;

    /// Labels of a graph's nodes, its edges, and the same of a connected pattern.
    type Case = (bool, Vec<u32>, Vec<(u32, u32)>, Vec<u32>, Vec<Link>);

    fn cases() -> impl Strategy<Value = Case> {
        let graph =
            (prop::collection::vec(0..2_u32, 4..12), prop::collection::vec((0..12_u32, 0..12_u32), 4..30));
        let pattern = (
            prop::collection::vec((0..2_u32, 0..6_u8), 2..7),
            prop::collection::vec((0..7_u8, 0..7_u8), 0..3),
        );
        (any::<bool>(), graph, pattern).prop_map(|(directed, (labels, edges), (nodes, more))| {
            let count = labels.len() as u32;
            let edges = edges.into_iter().map(|(from, to)| (from % count, to % count)).collect();
            let size = nodes.len() as u8;
            let tree = (1..size).map(|node| (nodes[usize::from(node)].1 % node, node, 0));
            let mut links: Vec<Link> = tree.collect();
            for (from, to) in more.into_iter().map(|(from, to)| (from % size, to % size)) {
                if from != to
                    && !links.iter().any(|link| [(from, to), (to, from)].contains(&(link.0, link.1)))
                {
                    links.push((from, to, 0));
                }
            }
            (directed, labels, edges, nodes.into_iter().map(|(label, _)| label).collect(), links)
        })
    }

    proptest! {
        #[test]
        fn both_searches_find_the_same((directed, labels, edges, wanted, links) in cases()) {
            let mut builder = GraphBuilder::new(directed);
            // Both labels occur, so that their numbers are known.
            let all = [0, 1].into_iter().chain(labels.iter().copied());
            for (node, label) in all.enumerate() {
                builder.node(&node.to_string(), [["A", "B"][label as usize]]).unwrap();
            }
            for (from, to) in edges {
                builder.edge(from + 2, to + 2, "", None);
            }
            let graph = builder.finish();
            let index = Index::of(&graph);
            let domains = wanted.iter().map(|label| Domain::all(&index.range(*label))).collect();
            let problem = Problem::new(&index, directed, wanted.clone(), &links, domains);
            let valid: Vec<Domain> = wanted.iter().map(|label| Domain::none(&index.range(*label))).collect();
            let same: Vec<u8> = (0..wanted.len() as u8).collect();
            for node in 0..wanted.len() as u8 {
                let plan = Plan::new(&problem, node, &vec![true; wanted.len()]);
                for facet in index.range(wanted[usize::from(node)]) {
                    let seen = Seen { valid: &valid, same: &same };
                    let plain = Search::new(&plan, facet).run(&problem, seen, &mut u64::MAX.clone());
                    let ahead = look_ahead(&problem, node, facet, || Ok::<_, ()>(())).unwrap();
                    prop_assert_eq!(plain == Outcome::Yes, ahead.is_some());
                    let Some(place) = ahead else { continue };
                    prop_assert_eq!(place[usize::from(node)], facet);
                    for (from, to, kind) in &links {
                        prop_assert!(index.joined(place[usize::from(*from)], *kind, place[usize::from(*to)]));
                    }
                    let mut apart = place.clone();
                    apart.sort_unstable();
                    apart.dedup();
                    prop_assert_eq!(apart.len(), place.len());
                }
            }
        }
    }
}
