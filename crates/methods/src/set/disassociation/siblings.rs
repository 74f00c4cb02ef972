//! Clusters that are too small, or in which too many people share a sensitive item, join a neighbour.
//!
//! Neighbours in the order of HORPART were divided late, and have most of their terms in common. Among the nearest the one with
//! the most similar terms is taken, so that the work does not grow with the number of clusters.

use std::collections::BTreeMap;

use throng_data::ItemId;

use super::people::People;

/// How many clusters to either side are looked at.
const NEAR: usize = 8;

/// What a cluster must be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand {
    /// So many people at least.
    pub k: usize,
    /// Of its people, one in so many has a sensitive item at most; 1 asks for nothing.
    pub l: u64,
    /// Joined clusters should be no larger.
    pub most: usize,
}

/// A cluster and what is asked about it.
struct Group {
    people: Vec<u32>,
    /// Its terms, ascending; empty until they are asked for.
    terms: Vec<u32>,
    secrets: BTreeMap<ItemId, u64>,
}

impl Group {
    fn new(people: &People, own: Vec<u32>, l: u64) -> Self {
        let mut secrets = BTreeMap::new();
        if l > 1 {
            own.iter()
                .flat_map(|person| people.secrets(*person))
                .for_each(|item| *secrets.entry(*item).or_default() += 1);
        }
        Group { people: own, terms: Vec::new(), secrets }
    }

    fn learn_terms(&mut self, people: &People) {
        if self.terms.is_empty() {
            self.terms = self.people.iter().flat_map(|person| people.terms(*person)).copied().collect();
            self.terms.sort_unstable();
            self.terms.dedup();
        }
    }

    fn is_diverse(&self, l: u64) -> bool {
        self.secrets.values().all(|count| count.saturating_mul(l) <= self.people.len() as u64)
    }

    /// Whether the two together would be diverse.
    fn are_diverse(&self, other: &Group, l: u64) -> bool {
        let size = (self.people.len() + other.people.len()) as u64;
        let count =
            |item: &ItemId| self.secrets.get(item).unwrap_or(&0) + other.secrets.get(item).unwrap_or(&0);
        self.secrets.keys().chain(other.secrets.keys()).all(|item| count(item).saturating_mul(l) <= size)
    }

    /// Terms in common, and terms in all.
    fn likeness(&self, other: &Group) -> (u64, u64) {
        let (mut i, mut j, mut both) = (0, 0, 0_u64);
        while i < self.terms.len() && j < other.terms.len() {
            match self.terms[i].cmp(&other.terms[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => (i, j, both) = (i + 1, j + 1, both + 1),
            }
        }
        (both, (self.terms.len() + other.terms.len()) as u64 - both)
    }

    fn absorb(&mut self, other: Group) {
        self.people.extend(other.people);
        self.people.sort_unstable();
        self.terms.extend(other.terms);
        self.terms.sort_unstable();
        self.terms.dedup();
        for (item, count) in other.secrets {
            *self.secrets.entry(item).or_default() += count;
        }
    }
}

/// The clusters after joining, and how many were joined to another. One cluster alone is left as it is.
pub(super) fn join_small(people: &People, clusters: Vec<Vec<u32>>, demand: Demand) -> (Vec<Vec<u32>>, usize) {
    let mut groups: Vec<Option<Group>> =
        clusters.into_iter().map(|own| Some(Group::new(people, own, demand.l))).collect();
    let count = groups.len();
    // Who stands next to whom, among those that are left; `count` is beyond either end.
    let mut next: Vec<usize> = (1..=count).collect();
    let mut previous: Vec<usize> = (0..count).map(|at| if at == 0 { count } else { at - 1 }).collect();
    let mut joined = 0;
    for turn in 0..count {
        let mut at = turn;
        while let Some(group) = &groups[at] {
            if group.people.len() >= demand.k && group.is_diverse(demand.l) {
                break;
            }
            let mut near = Vec::with_capacity(2 * NEAR);
            let (mut left, mut right) = (previous[at], next[at]);
            for _ in 0..NEAR {
                if left < count {
                    near.push(left);
                    left = previous[left];
                }
                if right < count {
                    near.push(right);
                    right = next[right];
                }
            }
            for other in near.iter().chain([&at]) {
                if let Some(group) = &mut groups[*other] {
                    group.learn_terms(people);
                }
            }
            let Some(own) = groups[at].take() else { break };
            let mut best: Option<(bool, bool, (u64, u64), usize)> = None;
            for other in near {
                let Some(group) = &groups[other] else { continue };
                let diverse = own.are_diverse(group, demand.l);
                let fits = own.people.len() + group.people.len() <= demand.most.max(2 * demand.k);
                let likeness = own.likeness(group);
                let better = best.is_none_or(|(was_diverse, did_fit, (both, all), _)| {
                    (diverse, fits)
                        .cmp(&(was_diverse, did_fit))
                        .then((likeness.0 * all.max(1)).cmp(&(both * likeness.1.max(1))))
                        == std::cmp::Ordering::Greater
                });
                if better {
                    best = Some((diverse, fits, likeness, other));
                }
            }
            let Some((.., other)) = best else {
                groups[at] = Some(own);
                break;
            };
            if let Some(group) = &mut groups[other] {
                group.absorb(own);
            }
            joined += 1;
            let (left, right) = (previous[at], next[at]);
            if left < count {
                next[left] = right;
            }
            if right < count {
                previous[right] = left;
            }
            // Those further on have their turn anyway.
            if other > turn {
                break;
            }
            at = other;
        }
    }
    (groups.into_iter().flatten().map(|group| group.people).collect(), joined)
}
