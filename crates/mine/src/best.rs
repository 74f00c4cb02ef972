//! The support that a pattern must have to be among the best so many, while the search goes on.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Supports of the best patterns seen so far, from all threads. Patterns that tie with the last are all kept until
/// the end, so that which ones remain does not depend on who came first.
pub(crate) struct Best {
    wanted: usize,
    supports: Mutex<BinaryHeap<Reverse<u64>>>,
    threshold: AtomicU64,
}

impl Best {
    /// None seen yet.
    pub fn new(wanted: usize) -> Self {
        Best { wanted, supports: Mutex::default(), threshold: AtomicU64::new(0) }
    }

    /// Takes note of a pattern.
    pub fn offer(&self, support: u64) {
        if support <= self.threshold() {
            return;
        }
        let mut supports = self.supports.lock().unwrap_or_else(PoisonError::into_inner);
        supports.push(Reverse(support));
        if supports.len() > self.wanted {
            supports.pop();
        }
        if supports.len() == self.wanted
            && let Some(Reverse(lowest)) = supports.peek()
        {
            self.threshold.store(*lowest, Ordering::Relaxed);
        }
    }

    /// The support of the last of the best; zero while there are fewer than wanted.
    pub fn threshold(&self) -> u64 {
        self.threshold.load(Ordering::Relaxed)
    }
}
