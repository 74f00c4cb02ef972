//! In which order the partners of a cluster are tried.
//!
//! * `r`: the cluster with the nearest cells, and no other.
//! * `t`: by the largest distance among the items of both, then by that of the partner alone. Partners are at hand by their own
//!   distance, which is the least that the two can have together: the rest is left unseen as soon as it cannot be better.
//! * `rt`: by the sum of the places in both orders. Both are walked side by side, until no cluster further down can have a smaller sum.
//! * `t-loss`, `rt-loss`: the same with what items lose once both clusters are one, which is found by generalising them: the baselines of the
//!   paper's Section 6, and slow.
//!
//! # Cost
//! Where a bound lets few partners in, the index finds them, or that there is none, without a walk over all clusters.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use throng_contract::choices;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::clusters::Clusters;
use super::index::Index;
use crate::MethodError;

/// Partners that may be refused before the index is asked whether any fits.
const PATIENCE: usize = 32;

choices! {
    /// Which partners are good.
    pub(super) enum Merge {
        /// Those with similar columns.
        Columns = "r",
        /// Those with similar items.
        Items = "t",
        /// Both.
        Both = "rt",
        /// Those with which items lose least.
        Loss = "t-loss",
        /// These, and similar columns.
        BothByLoss = "rt-loss",
    }
}

/// Looks for partners.
#[derive(Debug)]
pub(super) struct Partners {
    index: Index,
    /// Clusters by their own distance, then by number.
    by_spread: BTreeSet<(u64, u32)>,
}

impl Partners {
    /// Looks among these clusters.
    pub fn new(clusters: &Clusters<'_>) -> Self {
        let by_spread = clusters.alive().map(|cluster| (clusters.spread(cluster).to_bits(), cluster));
        Partners { index: Index::new(clusters), by_spread: by_spread.collect() }
    }

    /// The nearest other cluster.
    pub fn nearest(&self, clusters: &Clusters<'_>, of: u32) -> Option<u32> {
        self.index.nearest(clusters, of).next().map(|(_, cluster)| cluster)
    }

    /// The first partner that keeps the bound. `printed` follows the letter of the paper, which merges what is nearest in columns where
    /// it has just looked for what is near in both. `lost` is what the items of some people lose on average, generalised together.
    pub fn partner(
        &self,
        clusters: &Clusters<'_>,
        of: u32,
        merge: Merge,
        printed: bool,
        lost: impl Fn(&[u32]) -> Result<f64, MethodError> + Sync,
    ) -> Result<Option<u32>, MethodError> {
        Ok(match merge {
            Merge::Columns => self.nearest(clusters, of).filter(|partner| clusters.fits(of, *partner)),
            Merge::Both if printed => {
                let mut nearest = self.index.nearest(clusters, of).map(|(_, cluster)| cluster);
                nearest.find(|partner| clusters.fits(of, *partner))
            }
            Merge::Items => {
                let walk = Similar::new(clusters, &self.by_spread, of);
                self.first_that_fits(clusters, of, walk, |fitting| {
                    let score = |other: &u32| {
                        let joined = clusters.spread_joined(of, *other);
                        (joined.to_bits(), clusters.spread(*other).to_bits(), *other)
                    };
                    fitting.into_iter().min_by_key(score)
                })
            }
            Merge::Both => {
                let walk = BothOrders::new(
                    self.index.nearest(clusters, of).map(|(_, cluster)| cluster),
                    Similar::new(clusters, &self.by_spread, of),
                );
                // What fits may be anywhere in both orders: places are known only by walking them.
                self.first_that_fits(clusters, of, walk, |fitting| {
                    let mut walk = BothOrders::new(
                        self.index.nearest(clusters, of).map(|(_, cluster)| cluster),
                        Similar::new(clusters, &self.by_spread, of),
                    );
                    if fitting.is_empty() {
                        None
                    } else {
                        walk.find(|other| fitting.binary_search(other).is_ok())
                    }
                })
            }
            Merge::Loss => {
                by_loss(clusters, of, lost)?.into_iter().find(|partner| clusters.fits(of, *partner))
            }
            Merge::BothByLoss => {
                let nearest = self.index.nearest(clusters, of).map(|(_, cluster)| cluster);
                let mut walk = BothOrders::new(nearest, by_loss(clusters, of, lost)?.into_iter());
                walk.find(|partner| clusters.fits(of, *partner))
            }
        })
    }

    fn first_that_fits(
        &self,
        clusters: &Clusters<'_>,
        of: u32,
        walk: impl Iterator<Item = u32>,
        among: impl Fn(Vec<u32>) -> Option<u32>,
    ) -> Option<u32> {
        for (tried, partner) in walk.enumerate() {
            if clusters.fits(of, partner) {
                return Some(partner);
            }
            if tried == PATIENCE {
                return among(self.index.mergeable(clusters, of));
            }
        }
        None
    }

    /// Forgets two clusters that are about to become one.
    pub fn before(&mut self, clusters: &Clusters<'_>, pair: [u32; 2]) {
        for cluster in pair {
            self.by_spread.remove(&(clusters.spread(cluster).to_bits(), cluster));
        }
    }

    /// Knows them as one.
    pub fn after(&mut self, clusters: &Clusters<'_>, kept: u32, gone: u32) {
        self.by_spread.insert((clusters.spread(kept).to_bits(), kept));
        self.index.merged(clusters, kept, gone);
    }
}

/// All other clusters by what items lose once they and this one are one, then by number.
fn by_loss(
    clusters: &Clusters<'_>,
    of: u32,
    lost: impl Fn(&[u32]) -> Result<f64, MethodError> + Sync,
) -> Result<Vec<u32>, MethodError> {
    let others: Vec<u32> = clusters.alive().filter(|other| *other != of).collect();
    let joined = |other: &u32| -> Result<(u64, u32), MethodError> {
        let people = [clusters.people(of), clusters.people(*other)].concat();
        let lost = match lost(&people) {
            // A cluster with which no safe release exists comes last.
            Err(MethodError::Infeasible { .. }) => f64::INFINITY,
            lost => lost?,
        };
        Ok((lost.to_bits(), *other))
    };
    let mut order: Vec<(u64, u32)> = others.par_iter().map(joined).collect::<Result<_, MethodError>>()?;
    order.sort_unstable();
    Ok(order.into_iter().map(|(_, other)| other).collect())
}

/// Partners by the distance of items.
struct Similar<'a, 'c> {
    clusters: &'a Clusters<'c>,
    of: u32,
    own: f64,
    rest: std::iter::Peekable<std::collections::btree_set::Iter<'a, (u64, u32)>>,
    /// Measured, by the distance of both, that of the partner, and its number.
    measured: BinaryHeap<Reverse<(u64, u64, u32)>>,
}

impl<'a, 'c> Similar<'a, 'c> {
    fn new(clusters: &'a Clusters<'c>, by_spread: &'a BTreeSet<(u64, u32)>, of: u32) -> Self {
        let own = clusters.spread(of);
        Similar { clusters, of, own, rest: by_spread.iter().peekable(), measured: BinaryHeap::new() }
    }
}

impl Iterator for Similar<'_, '_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let next = self.rest.peek().map(|(spread, _)| f64::from_bits(*spread).max(self.own).to_bits());
            let first = self.measured.peek().map(|Reverse((joined, _, _))| *joined);
            match (first, next) {
                // What comes later in the list comes later among equals, too.
                (Some(first), Some(next)) if first <= next => break,
                (Some(_), None) => break,
                (None, None) => return None,
                _ => {}
            }
            let (spread, other) = *self.rest.next()?;
            if other != self.of {
                let joined = self.clusters.spread_joined(self.of, other).to_bits();
                self.measured.push(Reverse((joined, spread, other)));
            }
        }
        self.measured.pop().map(|Reverse((_, _, other))| other)
    }
}

/// Partners by the sum of their places in two orders; equal ones by the first order.
struct BothOrders<A, B> {
    orders: (A, B),
    /// How far both were walked.
    depth: u32,
    ended: bool,
    /// The place in one of the orders, of those that were seen in one.
    seen: HashMap<u32, (Option<u32>, Option<u32>), foldhash::fast::FixedState>,
    /// Those seen in both: sum, place in the first, number.
    placed: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

impl<A: Iterator<Item = u32>, B: Iterator<Item = u32>> BothOrders<A, B> {
    fn new(first: A, second: B) -> Self {
        BothOrders {
            orders: (first, second),
            depth: 0,
            ended: false,
            seen: HashMap::default(),
            placed: BinaryHeap::new(),
        }
    }

    fn step(&mut self) {
        self.depth += 1;
        let (first, second) = (self.orders.0.next(), self.orders.1.next());
        self.ended = first.is_none() && second.is_none();
        for (other, is_first) in [(first, true), (second, false)] {
            let Some(other) = other else { continue };
            let places = self.seen.entry(other).or_default();
            *(if is_first { &mut places.0 } else { &mut places.1 }) = Some(self.depth);
            if let (Some(u), Some(v)) = *places {
                self.placed.push(Reverse((u + v, u, other)));
            }
        }
    }
}

impl<A: Iterator<Item = u32>, B: Iterator<Item = u32>> Iterator for BothOrders<A, B> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            // A cluster that was not seen in both orders is below this depth in one of them, and first at best in the other.
            let least = self.depth + 2;
            if let Some(Reverse((sum, _, _))) = self.placed.peek()
                && (*sum < least || self.ended)
            {
                return self.placed.pop().map(|Reverse((_, _, other))| other);
            }
            if self.ended {
                return None;
            }
            self.step();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_places_are_in_order() {
        // Sums: a 1+5, b 2+2, c 3+3, d 4+1, e 5+4; d comes after b, and before c, which is equal to a but later.
        let order = BothOrders::new([0, 1, 2, 3, 4].into_iter(), [3, 1, 2, 4, 0].into_iter());
        assert_eq!(order.collect::<Vec<u32>>(), [1, 3, 0, 2, 4]);
    }
}
