//! Node and arc consistency: takes out of the domains what cannot stand for a node of the pattern, looking at one node and its
//! neighbours at a time.
//!
//! # Departs from the paper
//! Arc consistency looks at one edge at a time, so that a path may go to and fro between two nodes of the graph. Here the neighbours of a
//! node must find different neighbours in the graph, by matching (local all-different; Solnon, AllDifferent-based filtering for subgraph
//! isomorphism, 2010). That rejects more without a search.

use super::code::Link;
use super::domain::Domain;
use super::index::{Index, turned};

/// A pattern with the places where its nodes may lie.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    pub index: &'a Index,
    pub directed: bool,
    pub labels: Vec<u32>,
    /// For each node its edges: the other node, and the kind seen from this one.
    pub touching: Vec<Vec<(u8, u32)>>,
    pub domains: Vec<Domain>,
    /// Whether two neighbours of a node have the same label, so that they might take the same node of the graph.
    rivalry: Vec<bool>,
    /// For each node, one bit for each of its edges: whether the domain at the other end changed since it was looked at.
    waiting: Vec<u64>,
}

impl<'a> Problem<'a> {
    pub fn new(
        index: &'a Index,
        directed: bool,
        labels: Vec<u32>,
        links: &[Link],
        domains: Vec<Domain>,
    ) -> Self {
        let mut touching = vec![Vec::new(); labels.len()];
        for (from, to, kind) in links {
            touching[*from as usize].push((*to, *kind));
            touching[*to as usize].push((*from, turned(*kind, directed)));
        }
        let rivalry = touching
            .iter()
            .map(|edges: &Vec<(u8, u32)>| {
                let mut near: Vec<u32> = edges.iter().map(|(other, _)| labels[*other as usize]).collect();
                near.sort_unstable();
                // With several labels a node the same one may be wanted for two of them.
                near.windows(2).any(|pair| pair[0] == pair[1]) || !index.one_label_each && near.len() > 1
            })
            .collect();
        let waiting = touching.iter().map(|edges: &Vec<_>| (1 << edges.len()) - 1).collect();
        Problem { index, directed, labels, touching, domains, rivalry, waiting }
    }

    /// Notes that something was taken out of a node's domain.
    pub fn changed(&mut self, node: usize) {
        for at in 0..self.touching[node].len() {
            let other = usize::from(self.touching[node][at].0);
            for (edge, (end, _)) in self.touching[other].iter().enumerate() {
                self.waiting[other] |= u64::from(usize::from(*end) == node) << edge;
            }
        }
    }

    /// The smallest domain.
    pub fn smallest(&self) -> u64 {
        self.domains.iter().map(Domain::len).min().unwrap_or_default()
    }

    /// Takes out facets with fewer neighbours of some sort than the pattern's node has. `false` as soon as a domain is smaller than
    /// `least`.
    pub fn node_consistency(&mut self, least: u64) -> bool {
        for node in 0..self.labels.len() {
            let mut sorts: Vec<(u32, u32)> = self.touching[node]
                .iter()
                .map(|(other, kind)| (*kind, self.labels[*other as usize]))
                .collect();
            sorts.sort_unstable();
            let needed: Vec<(u32, u32, usize)> = sorts
                .chunk_by(|a, b| a == b)
                .filter(|chunk| chunk.len() > 1)
                .map(|chunk| (chunk[0].0, chunk[0].1, chunk.len()))
                .collect();
            let index = self.index;
            for (kind, label, count) in needed {
                let range = index.range(label);
                self.domains[node].retain(|facet| index.neighbours(facet, kind, &range).len() >= count);
            }
            if self.domains[node].len() < least {
                return false;
            }
        }
        true
    }

    /// Takes out facets without a neighbour in the domain next to theirs, until none is left. `false` as soon as a domain is smaller
    /// than `least`.
    pub fn arc_consistency(&mut self, least: u64) -> bool {
        if self.smallest() < least {
            return false;
        }
        while let Some(node) = self.waiting.iter().position(|edges| *edges != 0) {
            let mut edges = std::mem::take(&mut self.waiting[node]);
            let mut changed = false;
            while edges != 0 {
                let (other, kind) = self.touching[node][edges.trailing_zeros() as usize];
                edges &= edges - 1;
                let range = self.index.range(self.labels[other as usize]);
                let mut domain = std::mem::replace(&mut self.domains[node], Domain::none(&(0..0)));
                let across = &self.domains[other as usize];
                let index = self.index;
                changed |= domain.retain(|facet| {
                    index.neighbours(facet, kind, &range).iter().any(|next| across.contains(*next))
                });
                self.domains[node] = domain;
                if self.domains[node].len() < least {
                    return false;
                }
            }
            if self.rivalry[node] {
                let mut domain = std::mem::replace(&mut self.domains[node], Domain::none(&(0..0)));
                changed |= domain.retain(|facet| self.neighbours_apart(node, facet));
                self.domains[node] = domain;
                if self.domains[node].len() < least {
                    return false;
                }
            }
            if changed {
                self.changed(node);
            }
        }
        true
    }

    /// Whether the neighbours of a node can lie on different neighbours of a facet.
    fn neighbours_apart(&self, node: usize, facet: u32) -> bool {
        let edges = &self.touching[node];
        let candidates = |at: usize| {
            let (other, kind) = edges[at];
            let range = self.index.range(self.labels[usize::from(other)]);
            let domain = &self.domains[usize::from(other)];
            let near = self.index.neighbours(facet, kind, &range).iter().copied();
            near.filter(|next| domain.contains(*next)).map(|next| self.index.node(next))
        };
        // The node of the graph taken, and the edge it is taken by.
        let mut taken: Vec<(u32, usize)> = Vec::with_capacity(edges.len());
        for at in 0..edges.len() {
            // A second edge to the same node goes where the first one goes.
            if edges[..at].iter().any(|(other, _)| *other == edges[at].0) {
                continue;
            }
            let mut tried = Vec::new();
            if !augment(at, &candidates, &mut taken, &mut tried) {
                return false;
            }
        }
        true
    }
}

/// Finds a place for an edge, moving others if need be.
fn augment<I: Iterator<Item = u32>>(
    at: usize,
    candidates: &impl Fn(usize) -> I,
    taken: &mut Vec<(u32, usize)>,
    tried: &mut Vec<u32>,
) -> bool {
    for node in candidates(at) {
        if !taken.iter().any(|(other, _)| *other == node) {
            taken.push((node, at));
            return true;
        }
    }
    for node in candidates(at) {
        if tried.contains(&node) {
            continue;
        }
        tried.push(node);
        let Some(slot) = taken.iter().position(|(other, _)| *other == node) else { continue };
        let holder = taken[slot].1;
        taken[slot].1 = at;
        if augment(holder, candidates, taken, tried) {
            return true;
        }
        taken[slot].1 = holder;
    }
    false
}
