//! Which path of the tree has most in common with a cut sequence, and how much of that path is needed.
//!
//! The paper compares a cut sequence with every root-to-leaf path by their longest common subsequence and, among equals,
//! takes the path with the smallest Levenshtein distance to it. That subsequence is part of the path, so the distance is
//! the number of items to delete: the shortest path wins. Further ties go to the path with more people, then to the one
//! that appears first in the input.
//!
//! Paths are looked at in the order in which they win ties: a later one must have more in common than the best so far. The
//! beginning of the sequence that the tree has is known from the start, so few paths have enough of its items at all; which
//! ones is told for hundreds of paths at a time ([`Marks`]). Only those are compared in order, by a dynamic programme
//! whose rows are one bit per item of the sequence (Hyyrö 2004).

use throng_data::ItemId;

use super::marks::{Marks, Row, STRETCH};
use super::tree::Tree;

/// The paths of a tree, ready to be compared with sequences.
pub(super) struct Paths<'a> {
    tree: &'a Tree,
    /// The leaves, the one that wins every tie first: no path is shorter than the one before.
    leaves: Vec<u32>,
    /// For each node the place in `leaves` of the first leaf at or below it.
    rank: Vec<u32>,
    /// The items of the paths to all leaves, one path after the other.
    items: Vec<ItemId>,
    /// Where each path begins, and where the last one ends.
    starts: Vec<usize>,
    marks: Marks,
}

/// Where a sequence fits best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    /// The end of the shortest prefix of the best path that holds a longest common subsequence.
    pub node: u32,
    /// Length of that subsequence.
    pub common: u32,
}

impl<'a> Paths<'a> {
    /// `supports` counts the people of each node; `alphabet` is one more than the largest item.
    pub fn new(tree: &'a Tree, supports: &[u64], alphabet: usize) -> Self {
        let mut leaves: Vec<u32> =
            tree.below_root().map(|(at, _)| at).filter(|at| tree.is_leaf(*at)).collect();
        leaves.sort_unstable_by_key(|at| {
            let node = tree.node(*at);
            (node.depth, std::cmp::Reverse(supports[*at as usize]), node.first)
        });
        let mut rank = vec![u32::MAX; tree.len()];
        let mut items = Vec::new();
        let mut starts = vec![0];
        for (place, leaf) in leaves.iter().enumerate() {
            rank[*leaf as usize] = place as u32;
            tree.push_path(*leaf, &mut items);
            starts.push(items.len());
        }
        for (at, node) in tree.below_root().rev() {
            let parent = node.parent as usize;
            rank[parent] = rank[parent].min(rank[at as usize]);
        }
        let marks = Marks::of(&items, &starts, alphabet);
        Paths { tree, leaves, rank, items, starts, marks }
    }

    /// The best place for a sequence, or `None` when no path has an item of it. `own` is the longest prefix of the
    /// sequence that the tree has.
    pub fn closest(&self, sequence: &[ItemId], own: u32, desk: &mut Desk) -> Option<Match> {
        desk.lay_out(self, sequence);
        let common = self.tree.node(own).depth;
        let mut best = Best { common, path: self.rank[own as usize], length: common };
        let whole = sequence.len() as u32;
        let long_enough = self.leaves.partition_point(|leaf| self.tree.node(*leaf).depth < common);
        for stretch in long_enough / STRETCH..self.leaves.len().div_ceil(STRETCH) {
            let first = (stretch * STRETCH) as u32;
            if best.least(first) > whole {
                break;
            }
            let hopeful = self.marks.with_at_least(best.least(first), &desk.marks, stretch, &mut desk.sums);
            for (place, word) in (first..).step_by(64).zip(hopeful) {
                let mut word = word;
                while word != 0 {
                    let path = place + word.trailing_zeros();
                    word &= word - 1;
                    if let Some((common, length)) = desk.compare(self.path(path), best.least(path)) {
                        best = Best { common, path, length };
                    }
                }
            }
        }
        desk.clear(sequence);
        // Without anything in common there may be no path at all.
        (best.common > 0).then(|| Match { node: self.beginning(best.path, best.length), common: best.common })
    }

    fn path(&self, path: u32) -> &[ItemId] {
        &self.items[self.starts[path as usize]..self.starts[path as usize + 1]]
    }

    /// The node where the first so many items of a path end.
    fn beginning(&self, path: u32, length: u32) -> u32 {
        let mut at = self.leaves[path as usize];
        while self.tree.node(at).depth > length {
            at = self.tree.node(at).parent;
        }
        at
    }
}

/// The best path so far.
struct Best {
    common: u32,
    path: u32,
    /// How much of the path is needed.
    length: u32,
}

impl Best {
    /// What another path must have in common to be better.
    fn least(&self, path: u32) -> u32 {
        self.common + u32::from(path >= self.path)
    }
}

/// Working memory of one thread.
pub(super) struct Desk {
    /// For each item, where its bits lie in `bits`, in rows; or `ABSENT`.
    slot: Vec<u32>,
    /// For each distinct item, one bit per position of the sequence that holds it.
    bits: Vec<u64>,
    /// The row of the dynamic programme. A zero bit is a position where the common subsequence grows.
    row: Vec<u64>,
    /// The marks of the sequence, and room to count them.
    marks: Vec<u32>,
    sums: Vec<Row>,
    /// Zero for each item.
    times: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Desk {
    /// For sequences of items below `alphabet`.
    pub fn new(alphabet: usize) -> Self {
        Desk {
            slot: vec![ABSENT; alphabet],
            bits: Vec::new(),
            row: Vec::new(),
            marks: Vec::new(),
            sums: Vec::new(),
            times: vec![0; alphabet],
        }
    }

    fn lay_out(&mut self, paths: &Paths<'_>, sequence: &[ItemId]) {
        paths.marks.list(sequence, &mut self.times, &mut self.marks);
        let words = sequence.len().div_ceil(64);
        self.row.resize(words, 0);
        self.bits.clear();
        for (position, item) in sequence.iter().enumerate() {
            let slot = &mut self.slot[*item as usize];
            if *slot == ABSENT {
                *slot = (self.bits.len() / words) as u32;
                self.bits.resize(self.bits.len() + words, 0);
            }
            self.bits[*slot as usize * words + position / 64] |= 1 << (position % 64);
        }
    }

    fn clear(&mut self, sequence: &[ItemId]) {
        sequence.iter().for_each(|item| self.slot[*item as usize] = ABSENT);
    }

    /// What the sequence and a path have in common, and how much of the path that takes; `None` when it is less than `least`.
    fn compare(&mut self, path: &[ItemId], least: u32) -> Option<(u32, u32)> {
        self.row.fill(u64::MAX);
        let (mut common, mut length) = (0, 0);
        for (before, item) in path.iter().enumerate() {
            if common + ((path.len() - before) as u32) < least {
                return None;
            }
            let slot = self.slot[*item as usize];
            if slot != ABSENT && self.step(slot) {
                (common, length) = (common + 1, before as u32 + 1);
            }
        }
        (common >= least).then_some((common, length))
    }

    /// The next row, for one item more of the path; whether there is one more in common.
    fn step(&mut self, slot: u32) -> bool {
        let words = self.row.len();
        let bits = &self.bits[slot as usize * words..][..words];
        let mut carry = false;
        for (row, bits) in self.row.iter_mut().zip(bits) {
            let hits = *row & bits;
            let (sum, first) = row.overflowing_add(hits);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *row = sum | (*row & !hits);
        }
        // What is carried out of the last word left a zero behind.
        carry
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::Dataset;

    use super::*;

    /// The longest common subsequence, cell by cell, and the shortest prefix of the path that holds it.
    fn by_cells(path: &[ItemId], sequence: &[ItemId]) -> (u32, u32) {
        let mut row = vec![0; sequence.len() + 1];
        let mut best = (0, 0);
        for (before, item) in path.iter().enumerate() {
            let above = row.clone();
            for at in 1..row.len() {
                row[at] =
                    if sequence[at - 1] == *item { above[at - 1] + 1 } else { above[at].max(row[at - 1]) };
            }
            if row[sequence.len()] > best.0 {
                best = (row[sequence.len()], before as u32 + 1);
            }
        }
        best
    }

    /// People with so many events at most, more often of the first items than of the last; every third as the one before.
    fn drawn(people: u64, length: usize, alphabet: usize) -> Dataset {
        let words: Vec<String> = (0..people)
            .map(|person| {
                let mut state = person * 2 / 3;
                let mut draw = || {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 33) as usize
                };
                let mut item = || char::from_u32((0x4E00 + draw() % (1 + draw() % alphabet)) as u32);
                let length = 1 + (person * 2 / 3) as usize % length;
                (0..length).filter_map(|_| item()).collect()
            })
            .collect();
        Dataset::from_words(words.iter().map(String::as_str))
    }

    #[test]
    fn the_best_path_is_that_of_a_comparison_with_all() {
        // Short routes; long ones over few items, with many repeats; so many items that marks share rows.
        for (people, length, alphabet, k) in
            [(600, 8, 7, 2), (600, 8, 7, 5), (600, 8, 7, 20), (90, 150, 2, 2), (1_200, 9, 3_000, 2)]
        {
            let data = drawn(people, length, alphabet);
            let phase = Progress::silent();
            let phase = phase.phase("grow", None);
            let (tree, own) = Tree::grow(&data.events, k, data.items.len(), &phase).unwrap();
            let places: Vec<Option<u32>> = own.iter().copied().map(Some).collect();
            let paths = Paths::new(&tree, &tree.supports(&data.events, &places), data.items.len());
            assert_eq!(paths.marks.share_rows(), alphabet == 3_000);
            let mut desk = Desk::new(data.items.len());
            for (record, own) in own.iter().enumerate() {
                let sequence = data.events.record(record);
                let all =
                    (0..paths.leaves.len() as u32).map(|path| (by_cells(paths.path(path), sequence), path));
                let best = all.max_by_key(|((common, _), path)| (*common, std::cmp::Reverse(*path)));
                let expected = best
                    .filter(|((common, _), _)| *common > 0)
                    .map(|((common, length), path)| Match { node: paths.beginning(path, length), common });
                assert_eq!(paths.closest(sequence, *own, &mut desk), expected, "k {k}, record {record}");
            }
        }
    }

    #[test]
    fn a_tree_without_paths_has_nothing_to_offer() {
        let data = Dataset::from_words(["ab", "cd"]);
        let progress = Progress::silent();
        let (tree, own) = Tree::grow(&data.events, 2, 4, &progress.phase("grow", None)).unwrap();
        let paths = Paths::new(&tree, &[0], 4);
        assert_eq!(paths.closest(data.events.record(0), own[0], &mut Desk::new(4)), None);
    }
}
