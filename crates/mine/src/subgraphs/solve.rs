//! Looks for one place of a pattern in the graph that has a given node where it is wanted.
//!
//! A search can be put aside after a number of steps and taken up again later: it is a stack of what is left to try. Steps are counted,
//! not seconds, so that what is put aside does not depend on the machine.

use super::consistency::Problem;
use super::index::Neighbour;

/// The order in which nodes of a pattern are placed, beginning with one of them.
#[derive(Debug)]
pub(super) struct Plan {
    /// The nodes.
    order: Vec<u8>,
    /// For each place in the order: the edges to nodes placed before, as their place and the kind seen from there.
    anchors: Vec<Vec<(usize, u32)>>,
}

impl Plan {
    /// Nodes with most edges to those placed come first, then those with few candidates.
    pub fn new(problem: &Problem<'_>, root: u8, among: &[bool]) -> Plan {
        let mut order = vec![root];
        let mut anchors = vec![Vec::new()];
        loop {
            let place = |node: u8| order.iter().position(|placed| *placed == node);
            let edges = |node: u8| {
                problem.touching[node as usize].iter().filter(|(other, _)| place(*other).is_some()).count()
            };
            let next = (0..problem.labels.len() as u8)
                .filter(|node| among[*node as usize] && place(*node).is_none() && edges(*node) > 0)
                .min_by_key(|node| {
                    (std::cmp::Reverse(edges(*node)), problem.domains[*node as usize].len(), *node)
                });
            let Some(next) = next else { break };
            // The kind as seen from the node that is placed already.
            let from_there = order.iter().enumerate().flat_map(|(at, placed)| {
                problem.touching[*placed as usize]
                    .iter()
                    .filter(|(other, _)| *other == next)
                    .map(move |(_, kind)| (at, *kind))
            });
            let from_there: Vec<(usize, u32)> = from_there.collect();
            order.push(next);
            anchors.push(from_there);
        }
        Plan { order, anchors }
    }
}

/// What came of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A place; see [`Search::place`].
    Yes,
    No,
    /// Put aside: the steps were used up.
    PutAside,
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Search<'p, 'a> {
    plan: &'p Plan,
    /// Facets placed so far.
    placed: Vec<u32>,
    /// What is left to try for each node after the first.
    left: Vec<&'a [Neighbour]>,
    /// The edge that `left` comes from.
    anchor: Vec<usize>,
}

impl<'p, 'a> Search<'p, 'a> {
    pub fn new(plan: &'p Plan, facet: u32) -> Self {
        Search { plan, placed: vec![facet], left: Vec::new(), anchor: Vec::new() }
    }

    /// The facet that it began with.
    pub fn root(&self) -> u32 {
        self.placed[0]
    }

    /// The pattern's nodes and the facets they lie on.
    pub fn place(&self) -> impl Iterator<Item = (u8, u32)> {
        self.plan.order.iter().copied().zip(self.placed.iter().copied())
    }

    /// Goes on for at most so many steps.
    pub fn run(&mut self, problem: &Problem<'a>, steps: &mut u64) -> Found {
        let size = self.plan.order.len();
        if self.placed.len() == size {
            return Found::Yes;
        }
        loop {
            if *steps == 0 {
                return Found::PutAside;
            }
            if self.left.len() < self.placed.len() {
                self.open(problem);
            }
            let depth = self.left.len();
            let Some(next) = self.left.last_mut() else { return Found::No };
            let Some((candidate, rest)) = next.split_first() else {
                // Nothing fits here: another place for the node before.
                self.left.pop();
                self.anchor.pop();
                if self.left.is_empty() {
                    return Found::No;
                }
                self.placed.pop();
                continue;
            };
            *next = rest;
            *steps -= 1;
            if self.fits(problem, depth, candidate.facet) {
                self.placed.push(candidate.facet);
                if self.placed.len() == size {
                    return Found::Yes;
                }
            }
        }
    }

    /// Begins with the candidates for the next node: those next to the placed node that has the fewest.
    fn open(&mut self, problem: &Problem<'a>) {
        let depth = self.left.len() + 1;
        let slices = self.plan.anchors[depth].iter().enumerate();
        let fewest = slices
            .map(|(number, _)| (candidates(problem, self.plan, &self.placed, number, depth), number))
            .min_by_key(|(slice, _)| slice.len());
        let (slice, number) = fewest.unwrap_or((&[], 0));
        self.left.push(slice);
        self.anchor.push(number);
    }

    fn fits(&self, problem: &Problem<'_>, depth: usize, facet: u32) -> bool {
        let node = self.plan.order[depth];
        let index = problem.index;
        problem.domains[node as usize].contains(facet)
            && self.placed.iter().all(|placed| index.node(*placed) != index.node(facet))
            && self.plan.anchors[depth].iter().enumerate().all(|(number, (at, kind))| {
                number == self.anchor[depth - 1] || index.joined(self.placed[*at], *kind, facet)
            })
    }
}

fn candidates<'a>(
    problem: &Problem<'a>,
    plan: &Plan,
    placed: &[u32],
    anchor: usize,
    depth: usize,
) -> &'a [Neighbour] {
    let (at, kind) = plan.anchors[depth][anchor];
    let range = problem.index.range(problem.labels[plan.order[depth] as usize]);
    problem.index.neighbours(placed[at], kind, &range)
}
