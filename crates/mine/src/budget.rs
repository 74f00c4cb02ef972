//! How much a search may hold before it stops: a file of a kilobyte can have more frequent patterns than there are bytes in the world.

use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing, Help, help};
use throng_data::limits::Limit;

/// Bytes that a pattern takes beside its items: a list of them, its support, and what the allocator adds.
const PATTERN: usize = 64;

/// What is left of the memory for patterns; shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct Budget {
    held: AtomicUsize,
    most: usize,
}

impl Budget {
    /// So many bytes, or [`Limit::Patterns`].
    pub fn new(most: Option<usize>) -> Self {
        let usual = || usize::try_from(Limit::Patterns.now()).unwrap_or(usize::MAX);
        Budget { held: AtomicUsize::new(0), most: most.unwrap_or_else(usual) }
    }

    /// Takes what a pattern of so many items needs.
    pub fn take(&self, items: usize) -> Result<(), MineError> {
        let needed = items * size_of::<u32>() + PATTERN;
        match self.held.fetch_add(needed, Ordering::Relaxed) + needed > self.most {
            true => Err(MineError::TooMany { bytes: self.most }),
            false => Ok(()),
        }
    }
}

/// Why a search has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MineError {
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// More patterns are frequent than fit.
    #[error("there are more frequent patterns than fit in {} MB of memory", bytes / 1_000_000)]
    TooMany {
        /// What they may take.
        bytes: usize,
    },
}

impl Failing for MineError {
    fn class(&self) -> Class {
        match self {
            MineError::Cancelled(cancelled) => cancelled.class(),
            MineError::TooMany { .. } => Class::Infeasible,
        }
    }

    fn help(&self) -> Option<Help> {
        match self {
            MineError::Cancelled(cancelled) => cancelled.help(),
            MineError::TooMany { .. } => Some(help!(
                "ask for more people a pattern ({min-support}) or for shorter patterns ({max-length}), or $",
                Limit::Patterns.way_out()
            )),
        }
    }
}
