//! Which path of the tree has most in common with a cut sequence, and how much of that path is needed.
//!
//! The paper compares a cut sequence with every root-to-leaf path by their longest common subsequence and, among equals,
//! takes the path with the smallest Levenshtein distance to it. That subsequence is part of the path, so the distance is
//! the number of items to delete: the shortest path wins. Further ties go to the path with more people, then to the one
//! that appears first in the input.
//!
//! All paths are compared in one walk over the tree. The row of the dynamic programme for the sequence and the path so
//! far is one bit per item of the sequence (Hyyrö 2004); paths that share a prefix share its rows; items that the
//! sequence lacks leave a row as it is, so only nodes whose items it has are visited, found by inverted lists. A subtree
//! is skipped when its height, or the items it has in common with the sequence, cannot beat the best path so far.

use throng_data::ItemId;

use super::tree::{ROOT, Tree};

/// The paths of a tree, ready to be compared with sequences.
pub(super) struct Paths<'a> {
    pub(super) tree: &'a Tree,
    /// For each node the rank of the best leaf at or below it: 0 is the leaf that wins every tie.
    pub(super) rank: Vec<u32>,
    /// For each node the length of the longest path below it.
    height: Vec<u32>,
    /// For each node the items below it, one bit an item modulo 128.
    below: Vec<u128>,
    /// `nodes[starts[i]..starts[i + 1]]` are the nodes of item `i`, ascending.
    starts: Vec<u32>,
    nodes: Vec<u32>,
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
        for (place, leaf) in leaves.iter().enumerate() {
            rank[*leaf as usize] = place as u32;
        }
        let mut height = vec![0; tree.len()];
        let mut below = vec![0; tree.len()];
        let mut starts = vec![0_u32; alphabet + 1];
        for (at, node) in tree.below_root().rev() {
            let parent = node.parent as usize;
            rank[parent] = rank[parent].min(rank[at as usize]);
            height[parent] = height[parent].max(height[at as usize] + 1);
            below[parent] |= below[at as usize] | bit(node.item);
            starts[node.item as usize + 1] += 1;
        }
        for item in 0..alphabet {
            starts[item + 1] += starts[item];
        }
        let mut next = starts.clone();
        let mut nodes = vec![0; tree.len() - 1];
        for (at, node) in tree.below_root() {
            nodes[next[node.item as usize] as usize] = at;
            next[node.item as usize] += 1;
        }
        Paths { tree, rank, height, below, starts, nodes }
    }

    /// The best place for a sequence, or `None` when no path has an item of it. `own` is the longest prefix of the
    /// sequence that the tree has.
    pub fn closest(&self, sequence: &[ItemId], own: u32, desk: &mut Desk) -> Option<Match> {
        desk.lay_out(self, sequence);
        let items = sequence.iter().fold(0, |bits, item| bits | bit(*item));
        let repeats = sequence.len() as u32 - items.count_ones();
        let mut best = Match { node: own, common: self.tree.node(own).depth };
        let mut best_rank = self.rank[own as usize];
        let mut at = 1;
        while let Some(node) = desk.next_relevant(at) {
            at = node + 1;
            let end = self.tree.node(node).end;
            let (common, grew) = desk.row_for(node, end, self.tree.node(node).item);
            let rank = self.rank[node as usize];
            // A row that did not grow adds nothing to its ancestor's, whose subtree includes this one.
            if grew && (common > best.common || (common == best.common && rank < best_rank)) {
                best = Match { node, common };
                best_rank = rank;
            }
            let matching = (items & self.below[node as usize]).count_ones() + repeats;
            let reachable = common + matching.min(self.height[node as usize]);
            if reachable < best.common || (reachable == best.common && rank >= best_rank) {
                at = end;
            }
        }
        desk.clear(self, sequence);
        (best.node != ROOT).then_some(best)
    }

    fn nodes_of(&self, item: ItemId) -> &[u32] {
        &self.nodes[self.starts[item as usize] as usize..self.starts[item as usize + 1] as usize]
    }
}

fn bit(item: ItemId) -> u128 {
    1 << (item % 128)
}

const ABSENT: u32 = u32::MAX;

/// Working memory of one thread.
pub(super) struct Desk {
    /// Where the bits of an item of the sequence lie in `bits`, in rows.
    slot: Vec<u32>,
    /// For each distinct item, one bit per position of the sequence that holds it.
    bits: Vec<u64>,
    /// Words a row takes.
    words: usize,
    /// One bit per node: whether the sequence has its item.
    relevant: Vec<u64>,
    /// The nodes on the way to the one at hand: where each one's descendants end, and its common length.
    way: Vec<(u32, u32)>,
    /// Their rows, below them the root's. A zero bit is a position where the common subsequence grows.
    rows: Vec<u64>,
}

impl Desk {
    pub fn new(paths: &Paths<'_>) -> Self {
        Desk {
            slot: vec![ABSENT; paths.starts.len() - 1],
            bits: Vec::new(),
            words: 0,
            relevant: vec![0; paths.tree.len().div_ceil(64)],
            way: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn lay_out(&mut self, paths: &Paths<'_>, sequence: &[ItemId]) {
        self.words = sequence.len().div_ceil(64);
        self.bits.clear();
        for (position, item) in sequence.iter().enumerate() {
            let slot = &mut self.slot[*item as usize];
            if *slot == ABSENT {
                *slot = (self.bits.len() / self.words) as u32;
                self.bits.resize(self.bits.len() + self.words, 0);
                for node in paths.nodes_of(*item) {
                    self.relevant[*node as usize / 64] |= 1 << (node % 64);
                }
            }
            self.bits[*slot as usize * self.words + position / 64] |= 1 << (position % 64);
        }
        self.way.clear();
        self.rows.clear();
        self.rows.resize(self.words, u64::MAX);
    }

    fn clear(&mut self, paths: &Paths<'_>, sequence: &[ItemId]) {
        for item in sequence {
            if self.slot[*item as usize] != ABSENT {
                self.slot[*item as usize] = ABSENT;
                for node in paths.nodes_of(*item) {
                    self.relevant[*node as usize / 64] = 0;
                }
            }
        }
    }

    /// The first relevant node from `at` on.
    fn next_relevant(&self, at: u32) -> Option<u32> {
        let mut word = at as usize / 64;
        let mut bits = self.relevant.get(word)? & (u64::MAX << (at % 64));
        while bits == 0 {
            word += 1;
            bits = *self.relevant.get(word)?;
        }
        Some(word as u32 * 64 + bits.trailing_zeros())
    }

    /// Steps to a node that follows all nodes stepped to before. Gives the common length of the sequence and the path
    /// to the node, and whether the node's item made it longer.
    fn row_for(&mut self, node: u32, end: u32, item: ItemId) -> (u32, bool) {
        while self.way.last().is_some_and(|(end, _)| *end <= node) {
            self.way.pop();
        }
        let before = self.way.last().map_or(0, |(_, common)| *common);
        let (above, here) = (self.way.len() * self.words, (self.way.len() + 1) * self.words);
        self.rows.resize(here + self.words, 0);
        let (rows, row) = self.rows.split_at_mut(here);
        let bits = &self.bits[self.slot[item as usize] as usize * self.words..][..self.words];
        let mut common = 0;
        let mut carry = false;
        for ((row, above), bits) in row.iter_mut().zip(&rows[above..]).zip(bits) {
            let hits = above & bits;
            let (sum, first) = above.overflowing_add(hits);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *row = sum | (above & !hits);
            common += row.count_zeros();
        }
        self.way.push((end, common));
        (common, common > before)
    }
}
