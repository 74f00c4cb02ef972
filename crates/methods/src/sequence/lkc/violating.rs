//! Minimal violating sequences: the shortest pieces of knowledge that break the promise.
//!
//! Level by level, as in Algorithm 1 of the paper. Non-violating sequences form a tree: the children of a sequence are
//! its non-violating extensions. To find those of size `n`, what follows each first doublet in the records is gathered
//! in a small block and sent down the tree to the nodes of size `n - 1`, where followers that are also siblings are
//! counted, which is the paper's self-join.
//!
//! # Cost
//! A record of `l` events takes at most `l choose n` steps at level `n`, fewer where sequences are left out because a
//! part of them is in the same records. Memory holds the non-violating sequences, at most one for every `K` of those
//! steps.

mod scan;
mod suffixes;
mod tree;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_mine::doublets::DoubletTable;

use super::requirement::{Requirement, Sensitive};
use scan::{Found, Scan, Scratch};
use tree::Tree;

/// No number.
const NONE: u32 = u32::MAX;

/// Which candidates are ruled out by smaller violating sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Every part must be non-violating, and in more records: what is in the same records as one of its parts violates
    /// when the part does, so it is never minimal. Finds exactly the minimal violating sequences.
    AllParts,
    /// As printed: no part one smaller may have been *found* violating. Parts that were never candidates slip
    /// through, and from size four on some sequences are found that are not minimal.
    LastLevel,
}

/// Sequences of doublets that break the promise, smaller ones first, then in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViolatingSets {
    doublets: Vec<u32>,
    ends: Vec<usize>,
    people: Vec<u32>,
    most_holders: Vec<u32>,
}

impl ViolatingSets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The doublets of a sequence, ascending.
    pub fn get(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.doublets[start..self.ends[at]]
    }

    /// All sequences, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        (0..self.len()).map(|at| self.get(at))
    }

    /// How many people fit, and how many of them hold the sensitive value that most of them hold.
    pub fn evidence(&self, at: usize) -> (u32, u32) {
        (self.people[at], self.most_holders[at])
    }

    fn push(&mut self, doublets: &[u32], last: u32, people: u32, most_holders: u32) {
        self.doublets.extend_from_slice(doublets);
        self.doublets.push(last);
        self.ends.push(self.doublets.len());
        self.people.push(people);
        self.most_holders.push(most_holders);
    }

    fn append(&mut self, other: &ViolatingSets) {
        let shift = self.doublets.len();
        self.doublets.extend_from_slice(&other.doublets);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
        self.people.extend_from_slice(&other.people);
        self.most_holders.extend_from_slice(&other.most_holders);
    }

    /// Whether the ascending sequence is among those from position `from` on, which must all have its size.
    fn contains(&self, from: usize, wanted: &[u32]) -> bool {
        let (mut low, mut high) = (from, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).cmp(wanted) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }
}

/// The violating sequences of up to L doublets that contain no smaller one (with [`Pruning::AllParts`]).
pub fn minimal_violating(
    table: &DoubletTable,
    sensitive: &Sensitive,
    requirement: &Requirement,
    pruning: Pruning,
    progress: &Progress,
) -> Result<ViolatingSets, Cancelled> {
    let mut violating = ViolatingSets::default();
    let mut first = Vec::new();
    let counted: Vec<(u32, u32)> = (0..table.len() as u32)
        .into_par_iter()
        .map(|doublet| sensitive.count(table, table.holders(doublet).iter().copied()))
        .collect();
    for (doublet, (people, most_holders)) in counted.into_iter().enumerate() {
        if people == 0 {
            continue;
        }
        if requirement.is_violated(people, most_holders) {
            violating.push(&[], doublet as u32, people, most_holders);
        } else {
            first.push(doublet as u32);
        }
    }

    let mut tree = Tree::new(first, table);
    let longest = requirement.length.min(table.longest());
    let batches = if longest > 1 { suffixes::batches(table) } else { Vec::new() };
    let mut level_start = 0;
    for size in 2..=longest {
        if tree.level(size - 1).is_empty() {
            break;
        }
        let name = format!("find violating sequences of {size}");
        let phase = progress.phase(&name, Some(tree.first.len() as u64));
        let scan = Scan {
            table,
            sensitive,
            requirement,
            pruning,
            progress,
            tree: &tree,
            violating: &violating,
            level_start,
            size,
            keep: size < longest,
        };
        let found: Vec<Vec<Found>> = batches
            .par_iter()
            .map_init(
                || Scratch::new(table.len(), sensitive.values()),
                |scratch, batch| {
                    let found = scan.batch(scratch, batch)?;
                    phase.advance(found.len() as u64)?;
                    Ok(found)
                },
            )
            .collect::<Result<_, Cancelled>>()?;
        let found: Vec<Found> = found.into_iter().flatten().collect();
        level_start = violating.len();
        for part in &found {
            violating.append(&part.violating);
        }
        if size < longest {
            tree.grow(&found);
        }
    }
    Ok(violating)
}
