//! What to look for: the same question for sequences and for sets.

use std::ops::RangeInclusive;

use serde::Serialize;
use throng_contract::{Progress, Threshold, choices};
use throng_data::Events;

use crate::{MineError, Patterns, itemsets, sequences};

choices! {
    /// Which of the frequent patterns are wanted.
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Keep {
        /// Every frequent pattern.
        Frequent = "frequent",
        /// Only patterns that are part of no longer pattern with the same support.
        Closed = "closed",
        /// Only patterns that are part of no longer frequent pattern.
        Maximal = "maximal",
    }
}

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// People a pattern needs, as a number or as a share of all subjects; at least one.
    pub min_support: Threshold,
    /// Lengths wanted. A pattern is maximal or closed among patterns of all lengths.
    pub lengths: RangeInclusive<usize>,
    /// Only so many, the best supported; ties go to the shorter pattern, then to items seen first in the input.
    pub top: Option<usize>,
    /// All frequent patterns, or only closed or maximal ones.
    pub keep: Keep,
    /// How many bytes patterns may take; a share of what the process may use, unless said.
    pub memory: Option<usize>,
}

/// Asked now and then whether the search should end early.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

impl Search {
    /// All frequent patterns of any length.
    pub fn new(min_support: Threshold) -> Self {
        Search { min_support, lengths: 1..=usize::MAX, top: None, keep: Keep::Frequent, memory: None }
    }

    /// Finds sequences. When `stop` answers true, what was found so far is given back, marked as incomplete:
    /// supports are right, patterns may be missing, and a pattern called maximal may be part of a missing one.
    pub fn sequences(
        &self,
        events: &Events,
        stop: Stop<'_>,
        progress: &Progress,
    ) -> Result<Patterns, MineError> {
        Ok(self.finish(sequences::mine(self, events, stop, progress)?))
    }

    /// Finds sets of items, whatever the order of events. When `stop` answers true, what was found so far is given back,
    /// marked as incomplete: supports are right, and a set called maximal may be part of a missing one.
    pub fn itemsets(
        &self,
        events: &Events,
        stop: Stop<'_>,
        progress: &Progress,
    ) -> Result<Patterns, MineError> {
        Ok(self.finish(itemsets::mine(self, events, stop, progress)?))
    }

    /// People a pattern needs, of so many.
    pub(crate) fn people(&self, subjects: u64) -> u64 {
        self.min_support.of(subjects).max(1)
    }

    fn finish(&self, mut patterns: Patterns) -> Patterns {
        patterns.sort();
        if let Some(top) = self.top {
            patterns.truncate(top);
        }
        patterns
    }
}
