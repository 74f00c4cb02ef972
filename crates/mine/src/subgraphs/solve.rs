//! Looks for one place of a pattern in the graph that has a given node where it is wanted.
//!
//! Nodes of the pattern are placed one after the other. Where none fits, the search goes back to the last node that had a part in
//! that, past those that had none (conflict-directed backjumping): otherwise the same failure would be met again for every way to
//! place them. Leaves of the pattern that can be exchanged are placed in one order only.
//!
//! A search can be put aside after a number of steps and taken up again later: it is a stack of what is left to try. Steps are counted,
//! not seconds, so that what is put aside does not depend on the machine.

use super::consistency::Problem;
use super::domain::Domain;

/// The order in which nodes of a pattern are placed, beginning with one of them.
#[derive(Debug)]
pub(super) struct Plan {
    /// The nodes.
    order: Vec<u8>,
    /// For each place in the order: the edges to nodes placed before, as their place and the kind seen from there.
    anchors: Vec<Vec<(usize, u32)>>,
    /// For each place in the order: the place before it of a leaf that it can be exchanged with.
    twins: Vec<Option<usize>>,
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
        let twins = (0..order.len()).map(|at| twin(problem, &order, &anchors, among, at)).collect();
        Plan { order, anchors, twins }
    }
}

/// The last leaf before a leaf that hangs on the same node in the same way. The first node placed is given, so it is no twin.
fn twin(
    problem: &Problem<'_>,
    order: &[u8],
    anchors: &[Vec<(usize, u32)>],
    among: &[bool],
    at: usize,
) -> Option<usize> {
    let leaf = |at: usize| {
        let edges = problem.touching[usize::from(order[at])].iter();
        edges.filter(|(other, _)| among[usize::from(*other)]).count() == 1
    };
    let label = |at: usize| problem.labels[usize::from(order[at])];
    let alike = |other: &usize| leaf(*other) && label(*other) == label(at) && anchors[*other] == anchors[at];
    if at == 0 || !leaf(at) { None } else { (1..at).rev().find(alike) }
}

/// What came of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A place; see [`Search::place`].
    Yes,
    No,
    /// Put aside: the steps were used up.
    PutAside,
}

/// What is known to lie on places: for each node of the pattern, by the first node that is like it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'v> {
    pub valid: &'v [Domain],
    pub same: &'v [u8],
}

impl Seen<'_> {
    fn has(self, node: u8, facet: u32) -> bool {
        self.valid[usize::from(self.same[usize::from(node)])].contains(facet)
    }
}

/// So many candidates are looked over for one that is not known yet, so that a place that is found tells as much as it can.
const LOOKED_OVER: usize = 32;

/// A search under way.
#[derive(Debug)]
pub(super) struct Search<'p, 'a> {
    plan: &'p Plan,
    /// Facets placed so far.
    placed: Vec<u32>,
    /// What is left to try for each node after the first, and what after that.
    left: Vec<[&'a [u32]; 2]>,
    /// The edge that `left` comes from.
    anchor: Vec<usize>,
    /// For each node after the first, one bit for each place in the order that had a part in what did not fit.
    conflicts: Vec<u64>,
}

impl<'p, 'a> Search<'p, 'a> {
    pub fn new(plan: &'p Plan, facet: u32) -> Self {
        Search { plan, placed: vec![facet], left: Vec::new(), anchor: Vec::new(), conflicts: Vec::new() }
    }

    /// The node of the pattern that it began with.
    pub fn node(&self) -> u8 {
        self.plan.order[0]
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
    pub fn run(&mut self, problem: &Problem<'a>, seen: Seen<'_>, steps: &mut u64) -> Outcome {
        let size = self.plan.order.len();
        if self.placed.len() == size {
            return Outcome::Yes;
        }
        loop {
            if *steps == 0 {
                return Outcome::PutAside;
            }
            if self.left.len() < self.placed.len() {
                self.open(problem, seen);
            }
            let depth = self.left.len();
            let Some(next) = self.left.last_mut() else { return Outcome::No };
            if next[0].is_empty() {
                next[0] = std::mem::take(&mut next[1]);
            }
            let Some((candidate, rest)) = next[0].split_first() else {
                if !self.go_back() {
                    return Outcome::No;
                }
                continue;
            };
            next[0] = rest;
            *steps -= 1;
            match self.obstacle(problem, depth, *candidate) {
                Some(conflict) => self.conflicts[depth - 1] |= conflict,
                None => {
                    self.placed.push(*candidate);
                    if self.placed.len() == size {
                        return Outcome::Yes;
                    }
                }
            }
        }
    }

    /// Gives up the node at hand and all before it that had no part in its failure. `false` when nothing is left to change.
    fn go_back(&mut self) -> bool {
        let Some(conflict) = self.conflicts.pop() else { return false };
        // The first node is given: it cannot be changed.
        let target = match conflict & !1 {
            0 => return false,
            bits => 63 - bits.leading_zeros() as usize,
        };
        self.left.truncate(target);
        self.anchor.truncate(target);
        self.placed.truncate(target);
        self.conflicts.truncate(target);
        // Why it did not fit is a reason against whatever is tried for the node instead, too.
        if let Some(last) = self.conflicts.last_mut() {
            *last |= conflict & !(1 << target);
        }
        true
    }

    /// Begins with the candidates for the next node: those next to the placed node that has the fewest.
    fn open(&mut self, problem: &Problem<'a>, seen: Seen<'_>) {
        let depth = self.left.len() + 1;
        let slices = self.plan.anchors[depth].iter().enumerate();
        let fewest = slices
            .map(|(number, _)| (candidates(problem, self.plan, &self.placed, number, depth), number))
            .min_by_key(|(slice, _)| slice.len());
        let (slice, number) = fewest.unwrap_or((&[], 0));
        let node = self.plan.order[depth];
        let fresh =
            slice.iter().take(LOOKED_OVER).position(|facet| !seen.has(node, *facet)).unwrap_or_default();
        self.left.push([&slice[fresh..], &slice[..fresh]]);
        self.anchor.push(number);
        self.conflicts.push(self.plan.anchors[depth].get(number).map_or(0, |(at, _)| 1 << at));
    }

    /// What keeps a facet from being placed: the places in the order of the nodes that have a part in it, or none but itself.
    fn obstacle(&self, problem: &Problem<'_>, depth: usize, facet: u32) -> Option<u64> {
        let node = self.plan.order[depth];
        let index = problem.index;
        if !problem.domains[usize::from(node)].contains(facet) {
            return Some(0);
        }
        if let Some(twin) = self.plan.twins[depth]
            && self.placed[twin] > facet
        {
            return Some(1 << twin);
        }
        if let Some(at) = self.placed.iter().position(|placed| index.node(*placed) == index.node(facet)) {
            return Some(1 << at);
        }
        let anchors = self.plan.anchors[depth].iter().enumerate();
        let apart = |number: usize, at: usize, kind: u32| {
            number != self.anchor[depth - 1] && !index.joined(self.placed[at], kind, facet)
        };
        anchors.filter(|(number, (at, kind))| apart(*number, *at, *kind)).map(|(_, (at, _))| 1 << at).next()
    }
}

fn candidates<'a>(
    problem: &Problem<'a>,
    plan: &Plan,
    placed: &[u32],
    anchor: usize,
    depth: usize,
) -> &'a [u32] {
    let (at, kind) = plan.anchors[depth][anchor];
    let range = problem.index.range(problem.labels[plan.order[depth] as usize]);
    problem.index.neighbours(placed[at], kind, &range)
}
