//! What a pattern must have to be among the best so many, while the search goes on: more people, or as many and no more items.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Supports and lengths of the best patterns seen so far, from all threads. Patterns that tie with the last in both are all kept until
/// the end, so that which ones remain does not depend on who came first.
pub(crate) struct Best {
    wanted: usize,
    seen: Mutex<BinaryHeap<Reverse<Rank>>>,
    /// The support of the last of the best, and its length.
    support: AtomicU64,
    length: AtomicU64,
}

/// Better is greater: more people, then fewer items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    support: u64,
    shortness: Reverse<u64>,
}

impl Best {
    /// None seen yet.
    pub fn new(wanted: usize) -> Self {
        Best { wanted, seen: Mutex::default(), support: AtomicU64::new(0), length: AtomicU64::new(u64::MAX) }
    }

    /// Takes note of a pattern.
    pub fn offer(&self, support: u64, length: usize) {
        if !self.admits(support, length) {
            return;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push(Reverse(Rank { support, shortness: Reverse(length as u64) }));
        if seen.len() > self.wanted {
            seen.pop();
        }
        if seen.len() == self.wanted
            && let Some(Reverse(last)) = seen.peek()
        {
            // While the support rises, any length passes.
            if last.support != self.support.load(Ordering::Relaxed) {
                self.length.store(u64::MAX, Ordering::Release);
                self.support.store(last.support, Ordering::Release);
            }
            self.length.store(last.shortness.0, Ordering::Release);
        }
    }

    /// The support of the last of the best; zero while there are fewer than wanted.
    pub fn threshold(&self) -> u64 {
        self.support.load(Ordering::Acquire)
    }

    /// Whether a pattern may be among the best. Whatever it can be extended to has no more people and more items: that is asked with one item more.
    pub fn admits(&self, support: u64, length: usize) -> bool {
        // The support is read first: the length then belongs to it, or to a later state that leaves out all that has no more people.
        let needed = self.support.load(Ordering::Acquire);
        let longest = self.length.load(Ordering::Acquire);
        support > needed || (support == needed && length as u64 <= longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_patterns_with_as_many_people_the_shorter_ones_are_the_best() {
        let best = Best::new(2);
        assert!(best.admits(1, 100));
        for (support, length) in [(3, 9), (3, 8), (3, 2), (2, 1)] {
            best.offer(support, length);
        }
        assert_eq!(best.threshold(), 3);
        assert!(best.admits(3, 8) && !best.admits(3, 9) && !best.admits(2, 1) && best.admits(4, 100));
        best.offer(5, 50);
        assert!(best.admits(3, 2) && !best.admits(3, 3));
    }
}
