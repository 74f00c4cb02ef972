//! How much a search may hold before it stops: a file of a kilobyte can have more frequent patterns than there are bytes in the world.

use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing};
use throng_data::memory;

/// One part in so many of the memory is for patterns: they are gathered from threads, compared and sorted, each time as a copy.
const SHARE: u64 = 12;
/// What is taken for the memory where nobody knows.
const UNKNOWN: u64 = 8 << 30;

/// What is left of the memory for patterns; shared by all threads of a search.
#[derive(Debug)]
pub(crate) struct Budget {
    held: AtomicUsize,
    most: usize,
}

impl Budget {
    /// So many bytes, or a share of what the process may use.
    pub fn new(most: Option<usize>) -> Self {
        let usual = || usize::try_from(memory::of_process().unwrap_or(UNKNOWN) / SHARE).unwrap_or(usize::MAX);
        Budget { held: AtomicUsize::new(0), most: most.unwrap_or_else(usual) }
    }

    /// Takes what a pattern of so many items needs.
    pub fn take(&self, items: usize) -> Result<(), MineError> {
        let needed = items * size_of::<u32>() + 2 * size_of::<u64>();
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
    #[error("there are more frequent patterns than fit in {} MiB of memory", bytes >> 20)]
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

    fn help(&self) -> Option<String> {
        match self {
            MineError::Cancelled(cancelled) => cancelled.help(),
            MineError::TooMany { .. } => Some(
                "ask for more people a pattern (`--min-support`), or for shorter patterns (`--max-length`)"
                    .to_owned(),
            ),
        }
    }
}
