//! Who has a cluster beside which other clusters, for one cluster at a time.

use super::clusters::Clusters;
use crate::set::baskets::NONE;

/// The clusters that share records with one of them, and how many people have both in one.
///
/// What one cluster touches is forgotten before the next, so a line costs what its records hold and not what there is.
#[derive(Debug)]
pub(super) struct Line {
    people: Vec<u32>,
    last: Vec<u32>,
    touched: Vec<u32>,
}

impl Line {
    /// Clusters go by items, of which there are so many.
    pub fn new(items: usize) -> Self {
        Line { people: vec![0; items], last: vec![NONE; items], touched: Vec::new() }
    }

    /// Counts the line of a cluster: one look at every record that has it.
    pub fn fill(&mut self, clusters: &Clusters, cluster: u32) {
        for other in self.touched.drain(..) {
            self.people[other as usize] = 0;
            self.last[other as usize] = NONE;
        }
        for row in clusters.rows(cluster) {
            let (crowd, weight, items) = clusters.basket(*row);
            for item in items {
                let Some(other) = clusters.of(*item) else { continue };
                let last = std::mem::replace(&mut self.last[other as usize], crowd);
                if last != crowd {
                    self.people[other as usize] += weight;
                }
                if last == NONE {
                    self.touched.push(other);
                }
            }
        }
    }

    /// People who have the other cluster in a record with the one that was counted.
    #[inline]
    pub fn of(&self, other: u32) -> u64 {
        u64::from(self.people[other as usize])
    }

    /// The clusters that share a record with the one that was counted, itself included, in no order.
    pub fn touched(&self) -> &[u32] {
        &self.touched
    }
}
