//! Node and arc consistency: takes out of the domains what cannot stand for a node of the pattern, looking at one edge at a time.

use super::code::Link;
use super::domain::Domain;
use super::index::{Index, turned};

/// A pattern with the places where its nodes may lie.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    pub index: &'a Index,
    pub labels: Vec<u32>,
    /// For each node its edges: the other node, and the kind seen from this one.
    pub touching: Vec<Vec<(u8, u32)>>,
    pub domains: Vec<Domain>,
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
        Problem { index, labels, touching, domains }
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
        let mut waiting: Vec<bool> = vec![true; self.labels.len()];
        if self.smallest() < least {
            return false;
        }
        // A node waits while the domain of one of its neighbours has changed since it was looked at.
        while let Some(node) = waiting.iter().position(|waiting| *waiting) {
            waiting[node] = false;
            let mut changed = false;
            for at in 0..self.touching[node].len() {
                let (other, kind) = self.touching[node][at];
                let range = self.index.range(self.labels[other as usize]);
                let mut domain = std::mem::replace(&mut self.domains[node], Domain::none(&(0..0)));
                let across = &self.domains[other as usize];
                let index = self.index;
                changed |= domain.retain(|facet| {
                    index.neighbours(facet, kind, &range).iter().any(|next| across.contains(next.facet))
                });
                self.domains[node] = domain;
                if self.domains[node].len() < least {
                    return false;
                }
            }
            if changed {
                for (other, _) in &self.touching[node] {
                    waiting[*other as usize] = true;
                }
            }
        }
        true
    }
}
