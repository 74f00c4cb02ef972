//! All sequences that some path of the tree has as a part, each with the best path that has it.
//!
//! Where paths are short there are few of them, and many cut sequences are compared with the same paths: then it is quicker to look up which
//! parts of a sequence some path has than to walk over the tree for each.
//!
//! # Cost
//! A path of `d` items has up to `2^d` parts. Where there would be too many the index is not made, and the tree is walked.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use super::closest::{Match, Paths};
use super::tree::ROOT;

/// Sequences longer than this have too many parts to try.
pub(super) const LONGEST: usize = 12;

/// Looking at a part of a path takes about as long as comparing so small a share of a sequence by a walk.
const WORTH: usize = 16;

/// The empty part.
const EMPTY: u32 = 0;

/// A part of some path.
struct Part {
    /// The part without its last item, and that item.
    before: u32,
    item: ItemId,
    /// The best leaf whose path has it, and the end of the shortest beginning of that path that has it.
    rank: u32,
    node: u32,
    /// While the index is made: whether the path at hand has it.
    held: bool,
}

/// The parts of all paths of a tree.
pub(super) struct Parts {
    parts: Vec<Part>,
    index: HashTable<u32>,
    hasher: FixedState,
}

impl Parts {
    /// The parts of all paths, unless they are more than `most` or not worth it for so many sequences.
    pub fn of(
        paths: &Paths<'_>,
        sequences: usize,
        most: usize,
        progress: &Progress,
    ) -> Result<Option<Self>, Cancelled> {
        let visits = paths
            .tree
            .below_root()
            .map(|(_, node)| 1_usize.checked_shl(node.depth - 1).unwrap_or(usize::MAX));
        let visits = visits.fold(0_usize, usize::saturating_add);
        if visits > sequences.saturating_mul(WORTH) {
            return Ok(None);
        }
        let empty = Part { before: EMPTY, item: 0, rank: u32::MAX, node: ROOT, held: true };
        let mut parts =
            Parts { parts: vec![empty], index: HashTable::new(), hasher: FixedState::with_seed(0) };
        // The parts of the path to the node at hand, and how many of them its beginnings have.
        let mut held: Vec<u32> = vec![EMPTY];
        let mut counts: Vec<usize> = vec![1];
        for (at, node) in paths.tree.below_root() {
            if at.is_multiple_of(1 << 10) {
                progress.check()?;
            }
            counts.truncate(node.depth as usize);
            let before = counts.last().copied().unwrap_or(1);
            for gone in held.drain(before..) {
                parts.parts[gone as usize].held = false;
            }
            for place in 0..before {
                let number = parts.extend(held[place], node.item);
                let part = &mut parts.parts[number as usize];
                let own = (paths.rank[at as usize], at);
                if own < (part.rank, part.node) {
                    (part.rank, part.node) = own;
                }
                // A part may end here and earlier.
                if !std::mem::replace(&mut part.held, true) {
                    held.push(number);
                }
            }
            counts.push(held.len());
            if parts.parts.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(parts))
    }

    fn hash(&self, before: u32, item: ItemId) -> u64 {
        self.hasher.hash_one((before, item))
    }

    fn find(&self, before: u32, item: ItemId) -> Option<u32> {
        let same = |part: &u32| {
            let part = &self.parts[*part as usize];
            (part.before, part.item) == (before, item)
        };
        self.index.find(self.hash(before, item), same).copied()
    }

    /// A part and one item more.
    fn extend(&mut self, before: u32, item: ItemId) -> u32 {
        if let Some(part) = self.find(before, item) {
            return part;
        }
        let part = self.parts.len() as u32;
        self.parts.push(Part { before, item, rank: u32::MAX, node: u32::MAX, held: false });
        let (parts, hasher) = (&self.parts, &self.hasher);
        let of = |part: &u32| {
            let part = &parts[*part as usize];
            hasher.hash_one((part.before, part.item))
        };
        self.index.insert_unique(of(&part), part, of);
        part
    }

    /// What [`Paths::closest`] finds.
    pub fn closest(&self, paths: &Paths<'_>, sequence: &[ItemId], own: u32) -> Option<Match> {
        let best = Match { node: own, common: paths.tree.node(own).depth };
        let mut search = Search { parts: self, sequence, best, rank: paths.rank[own as usize] };
        search.grow(EMPTY, 0, 0);
        (search.best.node != ROOT).then_some(search.best)
    }
}

/// The best path so far for one sequence.
struct Search<'a> {
    parts: &'a Parts,
    sequence: &'a [ItemId],
    best: Match,
    rank: u32,
}

impl Search<'_> {
    /// Tries everything that begins with a part of `length` items that ends before position `from` of the sequence.
    fn grow(&mut self, part: u32, length: u32, from: usize) {
        for at in from..self.sequence.len() {
            // With every item that is left, longer than the best, or as long and on a better path?
            let reachable = length + (self.sequence.len() - at) as u32;
            let known = &self.parts.parts[part as usize];
            let hopeless = part != EMPTY && known.rank > self.rank;
            if reachable < self.best.common || (reachable == self.best.common && hopeless) {
                return;
            }
            let item = self.sequence[at];
            if self.sequence[from..at].contains(&item) {
                continue;
            }
            let Some(longer) = self.parts.find(part, item) else { continue };
            let Part { rank, node, .. } = self.parts.parts[longer as usize];
            let common = length + 1;
            let better = (rank, node) < (self.rank, self.best.node);
            if common > self.best.common || (common == self.best.common && better) {
                self.best = Match { node, common };
                self.rank = rank;
            }
            self.grow(longer, common, at + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::super::closest::Desk;
    use super::super::tree::Tree;
    use super::*;

    #[test]
    fn parts_tell_the_same_path_as_a_walk() {
        let words: Vec<String> = (0_u64..600)
            .map(|person| {
                let mut state = person;
                let mut draw = || {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 33) as usize
                };
                (0..1 + draw() % 8).map(|_| b"aabbcde"[draw() % 7] as char).collect()
            })
            .collect();
        let data = Dataset::from_words(words.iter().map(String::as_str));
        let progress = Progress::silent();
        for k in [2, 5, 20] {
            let phase = progress.phase("grow", None);
            let (tree, own) = Tree::grow(&data.events, k, data.items.len(), &phase).unwrap();
            let places: Vec<Option<u32>> = own.iter().copied().map(Some).collect();
            let paths = Paths::new(&tree, &tree.supports(&data.events, &places), data.items.len());
            let parts = Parts::of(&paths, usize::MAX, usize::MAX, &progress).unwrap().unwrap();
            let mut desk = Desk::new(&paths);
            for (record, own) in own.iter().enumerate() {
                let sequence = data.events.record(record);
                let walked = paths.closest(sequence, *own, &mut desk);
                assert_eq!(parts.closest(&paths, sequence, *own), walked, "k {k}: {}", words[record]);
            }
            assert!(Parts::of(&paths, usize::MAX, 3, &progress).unwrap().is_none());
            assert!(Parts::of(&paths, 0, usize::MAX, &progress).unwrap().is_none());
        }
    }
}
