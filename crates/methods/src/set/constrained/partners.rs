//! Which clusters may be joined with which, and which of them loses least.
//!
//! What is lost by a step grows with the items and with the people of what it makes. Where two clusters share no record, the
//! people add up; so of all clusters of one size that share none, the one with the fewest people is the best. Only
//! those that do share records have to be looked at one by one, and they are few where there are many items.

use std::collections::{BTreeMap, BTreeSet};

use super::clusters::Clusters;
use super::line::Line;
use super::loss::Loss;

/// The clusters of every utility constraint by size, those with the fewest people first.
#[derive(Debug)]
pub(super) struct Partners {
    constraint_of: Vec<u32>,
    shelves: BTreeMap<(u32, usize), BTreeSet<(u64, u32)>>,
}

impl Partners {
    /// Items of one constraint may be joined.
    pub fn new(clusters: &Clusters, constraint_of: Vec<u32>) -> Self {
        let mut partners = Partners { constraint_of, shelves: BTreeMap::new() };
        clusters.all().for_each(|cluster| partners.put(clusters, cluster));
        partners
    }

    /// Adds a cluster.
    pub fn put(&mut self, clusters: &Clusters, cluster: u32) {
        let shelf = (self.constraint_of[cluster as usize], clusters.members(cluster).len());
        self.shelves.entry(shelf).or_default().insert((clusters.people(cluster), cluster));
    }

    /// Takes a cluster out, which is still what it was when it was added.
    pub fn take(&mut self, clusters: &Clusters, cluster: u32) {
        let shelf = (self.constraint_of[cluster as usize], clusters.members(cluster).len());
        if let Some(on_shelf) = self.shelves.get_mut(&shelf) {
            on_shelf.remove(&(clusters.people(cluster), cluster));
            if on_shelf.is_empty() {
                self.shelves.remove(&shelf);
            }
        }
    }

    /// The partner that loses least, then the one that came first in the data. `line` is that of the cluster. In the loss,
    /// a person who has the two in different records counts twice.
    pub fn best(&self, clusters: &Clusters, cluster: u32, line: &Line) -> Option<(Loss, u32)> {
        let constraint = self.constraint_of[cluster as usize];
        let shelves = self.shelves.range((constraint, 0)..=(constraint, usize::MAX));
        let apart = shelves.filter_map(|(_, shelf)| {
            shelf.iter().map(|(_, other)| *other).find(|other| *other != cluster && line.of(*other) == 0)
        });
        let allowed = |other: &u32| *other != cluster && self.constraint_of[*other as usize] == constraint;
        let beside = line.touched().iter().copied().filter(allowed);
        let size = clusters.members(cluster).len();
        let offer = |other: u32| {
            let people = clusters.people(cluster) + clusters.people(other) - line.of(other);
            (Loss { items: size + clusters.members(other).len(), people }, other)
        };
        apart.chain(beside).map(offer).min()
    }

    /// No partner loses less.
    pub fn at_least(clusters: &Clusters, cluster: u32) -> Loss {
        Loss { items: clusters.members(cluster).len() + 1, people: clusters.people(cluster) }
    }
}
