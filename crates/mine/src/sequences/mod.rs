//! Frequent sequences of single items: places visited, pages clicked, in order, gaps allowed.
//!
//! [`Search`] says what is wanted, [`Search::run`] finds it, [`Patterns`] holds it, [`write()`] prints it.
//!
//! # Reference
//! Pei, Han, Mortazavi-Asl, Pinto, Chen, Dayal, Hsu. PrefixSpan: mining sequential patterns efficiently by
//! prefix-projected pattern growth. ICDE 2001.
//! # Guarantees
//! Exact: every pattern within the length limits that enough people have, with its support, unless the search was
//! stopped early, which [`Patterns::complete`] tells. The same input gives the same patterns in the same order with
//! any number of threads; only what an early stop leaves out depends on the clock.
//! # Cost
//! Each pattern scans, once to count and once to project, what is left of the records that hold it, up to the last
//! item not seen yet. Equal records are scanned once for all people who have them. Memory: one projection a pattern length, plus the patterns.

mod database;
mod maximal;
mod patterns;
mod prefixspan;
mod write;

use std::ops::RangeInclusive;

use serde::Serialize;
use throng_contract::{Cancelled, Progress, Threshold};
use throng_data::Events;

pub use patterns::{Pattern, Patterns};
pub use write::{Format, write};

/// Which of the frequent patterns are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Every frequent pattern.
    Frequent,
    /// Only patterns that are part of no longer pattern with the same support.
    Closed,
    /// Only patterns that are part of no longer frequent pattern.
    Maximal,
}

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// People a pattern needs, as a number or as a share of all subjects; at least one.
    pub min_support: Threshold,
    /// Lengths wanted. Whether a pattern is maximal or closed is judged by patterns one longer than the limit, too.
    pub lengths: RangeInclusive<usize>,
    /// Only so many, the best supported; ties go to the shorter pattern, then to items seen first in the input.
    pub top: Option<usize>,
    /// All frequent patterns, or only closed or maximal ones.
    pub keep: Keep,
}

impl Search {
    /// All frequent patterns of any length.
    pub fn new(min_support: Threshold) -> Self {
        Search { min_support, lengths: 1..=usize::MAX, top: None, keep: Keep::Frequent }
    }

    /// Finds the patterns. When `stop` answers true, what was found so far is given back, marked as incomplete:
    /// supports are right, patterns may be missing, and a pattern called maximal may be part of a missing one.
    pub fn run(
        &self,
        events: &Events,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &Progress,
    ) -> Result<Patterns, Cancelled> {
        let min_support = self.min_support.of(events.subjects() as u64).max(1);
        let (shortest, longest) = (*self.lengths.start(), *self.lengths.end());
        let limits = match self.keep {
            Keep::Frequent => prefixspan::Limits { min_support, lengths: shortest..=longest, top: self.top },
            // Anything may be part of a longer pattern: the filter needs all of them, and one length more.
            Keep::Closed | Keep::Maximal => {
                prefixspan::Limits { min_support, lengths: 1..=longest.saturating_add(1), top: None }
            }
        };
        let mut patterns = prefixspan::mine(events, &limits, stop, progress)?;
        if self.keep != Keep::Frequent {
            let absorbed = maximal::absorbed(&patterns, self.keep, progress)?;
            patterns.retain(|at, pattern| !absorbed[at] && self.lengths.contains(&pattern.items.len()));
        }
        patterns.sort();
        if let Some(top) = self.top {
            patterns.truncate(top);
        }
        Ok(patterns)
    }
}
