//! Totals of a check, and the broken patterns worth showing.

use std::collections::BinaryHeap;

/// A pattern with too few people. Compares as violations are listed: size, support, names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Broken {
    size: usize,
    pub support: u32,
    pub pattern: Box<[u32]>,
}

/// How many patterns were seen and broken; keeps the first `limit` broken ones.
#[derive(Debug)]
pub(super) struct Tally {
    pub checked: u64,
    pub broken: u64,
    limit: usize,
    /// The last of those kept is on top.
    kept: BinaryHeap<Broken>,
}

impl Tally {
    pub fn new(limit: usize) -> Self {
        Tally { checked: 0, broken: 0, limit, kept: BinaryHeap::new() }
    }

    /// Whether a pattern of this size and support that begins with `prefix` may still be kept.
    pub fn may_keep(&self, size: usize, support: u32, prefix: &[u32]) -> bool {
        if self.kept.len() < self.limit {
            return true;
        }
        self.kept.peek().is_some_and(|last| {
            let begins = &last.pattern[..prefix.len().min(last.pattern.len())];
            (size, support, prefix) <= (last.size, last.support, begins)
        })
    }

    /// Keeps the pattern `prefix` + `symbol` if it is among the first.
    pub fn offer(&mut self, prefix: &[u32], symbol: u32, support: u32) {
        let size = prefix.len() + 1;
        if !self.may_keep(size, support, prefix) {
            return;
        }
        let pattern = prefix.iter().copied().chain([symbol]).collect();
        self.keep(Broken { size, support, pattern });
    }

    fn keep(&mut self, broken: Broken) {
        self.kept.push(broken);
        if self.kept.len() > self.limit {
            self.kept.pop();
        }
    }

    /// Adds what another worker found.
    pub fn merge(&mut self, other: Tally) {
        self.checked = self.checked.saturating_add(other.checked);
        self.broken = self.broken.saturating_add(other.broken);
        for broken in other.kept {
            self.keep(broken);
        }
    }

    /// The patterns kept, in order.
    pub fn into_listed(self) -> Vec<Broken> {
        self.kept.into_sorted_vec()
    }
}
