//! Frequent sequences of single items: places visited, pages clicked, in order, gaps allowed.
//!
//! [`Search`] says what is wanted, [`Search::sequences`] finds it.
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
//! item not seen yet. Equal records are scanned once for all people who have them. Memory: one projection a pattern length, plus the patterns;
//! where these take more than [`Search::memory`], the search ends with an error that says so. With [`Search::top`], patterns that have no more people
//! and more items than the last of the best are not followed.

mod database;
mod prefixspan;

use throng_contract::Progress;
use throng_data::Events;

use crate::absorbed::absorbed;
use crate::search::Stop;
use crate::{Keep, MineError, Patterns, Search};

/// Finds the patterns, in no particular order.
pub(crate) fn mine(
    search: &Search,
    events: &Events,
    stop: Stop<'_>,
    progress: &Progress,
) -> Result<Patterns, MineError> {
    let min_support = search.people(events.subjects() as u64);
    let limits = match search.keep {
        Keep::Frequent => prefixspan::Limits {
            min_support,
            lengths: search.lengths.clone(),
            top: search.top,
            memory: search.memory,
        },
        // Anything may be part of a longer pattern: the filter needs all of them, and one length more.
        Keep::Closed | Keep::Maximal => {
            let longest = search.lengths.end().saturating_add(1);
            prefixspan::Limits { min_support, lengths: 1..=longest, top: None, memory: search.memory }
        }
    };
    let mut patterns = prefixspan::mine(events, &limits, stop, progress)?;
    if search.keep != Keep::Frequent {
        let absorbed = absorbed(&patterns, search.keep, progress)?;
        patterns.retain(|at, pattern| !absorbed[at] && search.lengths.contains(&pattern.items.len()));
    }
    Ok(patterns)
}
