//! Progress of long work: named phases, counters, cancellation.
//!
//! A method receives a [`Progress`], opens a [`Phase`] for each of its steps, advances it, and returns early
//! with [`Cancelled`] when [`Phase::advance`] or [`Progress::check`] says so. What is drawn, and where, is up
//! to the [`Observer`]: the command line draws bars, the server streams events, tests observe nothing.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use thiserror::Error;

use crate::failure::{Class, Failing};

/// Watches phases begin, advance and end. Called from worker threads.
pub trait Observer: Send + Sync {
    /// A phase began; `total` is `None` when the amount of work is not known.
    fn began(&self, phase: &str, total: Option<u64>);
    /// The current phase has done so much in all.
    fn advanced(&self, done: u64);
    /// What the current phase is busy with, in a few words.
    fn now(&self, _words: &str) {}
    /// A message for the user before the work goes on, in one line.
    fn said(&self, _words: &str) {}
    /// The current phase ended.
    fn ended(&self);
}

/// The work was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Cancelled;

impl Failing for Cancelled {
    fn class(&self) -> Class {
        Class::Interrupted
    }
}

/// A handle on long work; clones share the cancel flag and the observer.
#[derive(Clone, Default)]
pub struct Progress {
    cancelled: Arc<AtomicBool>,
    observer: Option<Arc<dyn Observer>>,
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}

impl Progress {
    /// Without an observer, and never cancelled.
    pub fn silent() -> Self {
        Progress::default()
    }

    /// Tells the user something before the work goes on, in one line.
    pub fn say(&self, words: &str) {
        if let Some(observer) = &self.observer {
            observer.said(words);
        }
    }

    /// Reports to `observer`.
    pub fn observed(observer: Arc<dyn Observer>) -> Self {
        Progress { cancelled: Arc::default(), observer: Some(observer) }
    }

    /// The same cancel flag without an observer: for inner work whose phases would only distract.
    #[must_use]
    pub fn muted(&self) -> Self {
        Progress { cancelled: Arc::clone(&self.cancelled), observer: None }
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for a signal handler.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Whether the work was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// `Err` when the work was asked to stop. Cheap enough for inner loops.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Begins a phase. One phase is open at a time; it ends when the guard is dropped.
    pub fn phase(&self, name: &str, total: Option<u64>) -> Phase<'_> {
        if let Some(observer) = &self.observer {
            observer.began(name, total);
        }
        Phase { progress: self, done: AtomicU64::new(0) }
    }
}

/// An open phase.
#[derive(Debug)]
pub struct Phase<'a> {
    progress: &'a Progress,
    done: AtomicU64,
}

impl Phase<'_> {
    /// So much more was done; `Err` when the work was asked to stop. Callable from several threads.
    pub fn advance(&self, amount: u64) -> Result<(), Cancelled> {
        let done = self.done.fetch_add(amount, Ordering::Relaxed) + amount;
        if let Some(observer) = &self.progress.observer {
            observer.advanced(done);
        }
        self.progress.check()
    }

    /// Says what the phase is busy with.
    pub fn now(&self, words: &str) {
        if let Some(observer) = &self.progress.observer {
            observer.now(words);
        }
    }
}

impl Drop for Phase<'_> {
    fn drop(&mut self) {
        if let Some(observer) = &self.progress.observer {
            observer.ended();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_a_clone_stops_the_phase() {
        let progress = Progress::silent();
        let phase = progress.phase("count", Some(10));
        assert_eq!(phase.advance(1), Ok(()));
        progress.clone().cancel();
        assert_eq!(phase.advance(1), Err(Cancelled));
    }
}
