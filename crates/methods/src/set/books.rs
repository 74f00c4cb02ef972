//! How many people have a set of nodes, for all nodes of the hierarchy that are not below the cut.
//!
//! Every row is written with all that its items could be published as, so the number of people behind a node, or a
//! pair of nodes, is counted once and holds whatever the cut becomes. That is the papers' count-tree, kept as one line of
//! counters for each node: the line of `x` says how many people have `x` together with each node after it. Lines are
//! made when they are asked for, many at a time.

use rayon::prelude::*;

use super::baskets::Baskets;
use super::cut::{Cut, Side};
use super::index::{Index, Tally};
use super::tree::{ROOT, Tree};

/// Supports of sets of nodes.
#[derive(Debug)]
pub struct Books<'a> {
    tree: &'a Tree,
    index: Index,
    secrets: usize,
    alone: Tally,
    /// Lines of inner nodes; those of items are needed only once.
    lines: Vec<Option<Tally>>,
    occurrences: Vec<u64>,
}

/// Lines made at a time.
const BATCH: usize = 64;

impl<'a> Books<'a> {
    /// Opens books about baskets of leaves.
    pub fn new(tree: &'a Tree, leaves: &Baskets, secrets: usize) -> Self {
        let mut occurrences = vec![0; tree.nodes()];
        for crowd in 0..leaves.crowds() {
            let weight = u64::from(leaves.weight(crowd));
            for leaf in leaves.rows_of(crowd).flat_map(|row| leaves.row(row)) {
                occurrences[*leaf as usize] += weight;
            }
        }
        let climbed = leaves.map(false, |row, out| row.iter().for_each(|leaf| tree.climb(*leaf, out)));
        Books::over(tree, climbed, secrets, occurrences)
    }

    fn over(tree: &'a Tree, climbed: Baskets, secrets: usize, occurrences: Vec<u64>) -> Self {
        let index = Index::new(climbed, tree.nodes(), secrets);
        let mut alone = index.alone();
        if tree.nodes() > 1 {
            let everyone: Vec<u32> = (0..index.baskets().rows() as u32).collect();
            let (people, worst) = index.people_of(&everyone);
            alone.people[ROOT as usize] = people as u32;
            if let Some(root) = alone.worst.get_mut(ROOT as usize) {
                *root = worst as u32;
            }
        }
        let lines = (0..tree.nodes()).map(|_| None).collect();
        Books { tree, index, secrets, alone, lines, occurrences }
    }

    /// Leaves out what has gone below the cut, and joins the people whom nothing else told apart.
    pub fn forget_below(&mut self, cut: &Cut) {
        let kept = |node: &&u32| cut.side(**node) != Side::Below;
        let rows = self.index.baskets().map(true, |row, out| out.extend(row.iter().filter(kept)));
        *self = Books::over(self.tree, rows, self.secrets, std::mem::take(&mut self.occurrences));
    }

    /// The hierarchy.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// How often each leaf occurs in records.
    pub fn occurrences(&self) -> &[u64] {
        &self.occurrences
    }

    /// People who have a node, and how many of them share a secret.
    pub fn alone(&self, node: u32) -> (u64, u64) {
        self.alone.of(node)
    }

    /// The rows of a node.
    pub fn rows_with(&self, node: u32) -> &[u32] {
        self.index.rows_with(node)
    }

    /// Those of the rows that have the node too.
    pub fn having(&self, rows: &[u32], node: u32) -> Vec<u32> {
        self.index.having(rows, node)
    }

    /// How many of the people behind the rows have each node after `last`.
    pub fn beside(&self, rows: &[u32], last: u32) -> Tally {
        self.index.beside(rows, Some(last))
    }

    /// The line of a node, made now unless it is kept.
    pub fn line(&mut self, node: u32) -> &Tally {
        let Books { index, lines, .. } = self;
        lines[node as usize].get_or_insert_with(|| index.beside(index.rows_with(node), Some(node)))
    }

    /// Makes the lines of the nodes from `first` on that are asked for, a batch of them; returns where the next begins.
    pub fn prepare(&mut self, first: u32, wanted: impl Fn(u32) -> bool) -> u32 {
        let mut batch = Vec::new();
        let mut next = first;
        while (next as usize) < self.lines.len() && batch.len() < BATCH {
            if self.lines[next as usize].is_none() && wanted(next) {
                batch.push(next);
            }
            next += 1;
        }
        let index = &self.index;
        let lines: Vec<Tally> =
            batch.par_iter().map(|node| index.beside(index.rows_with(*node), Some(*node))).collect();
        for (node, line) in batch.into_iter().zip(lines) {
            self.lines[node as usize] = Some(line);
        }
        next
    }

    /// Drops the line of an item, which no other set asks for.
    pub fn drop_line(&mut self, node: u32) {
        if self.tree.is_leaf(node) {
            self.lines[node as usize] = None;
        }
    }

    /// People who have all of a set of nodes of which none is above another, ascending; and how many share a secret.
    pub fn support(&mut self, set: &[u32]) -> (u64, u64) {
        match set {
            [node] => self.alone(*node),
            [first, second] => self.line(*first).of(*second),
            _ => self.index.people_of(&self.index.rows_with_all(set)),
        }
    }
}
