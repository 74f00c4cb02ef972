//! Frequent sets of items: what people buy together, whatever the order.
//!
//! [`Search`] says what is wanted, [`Search::itemsets`] finds it.
//!
//! # Reference
//! Uno, Kiyomi, Arimura. LCM ver. 2: efficient mining algorithms for frequent/closed/maximal itemsets. FIMI 2004.
//! # Guarantees
//! Exact: every set within the size limits that enough people have *in one record*, with its support, unless the search
//! was stopped early, which [`Patterns::complete`] tells. The same input gives the same sets in the same order with any
//! number of threads; only what an early stop leaves out depends on the clock.
//! # Cost
//! A set is grown by items more frequent than its last, each time on the records that hold it and on the items that can
//! still be added; records that have become equal are taken together. Closed and maximal sets are found without the
//! others: a set whose closure has an item that was passed over earlier is not followed. Each step costs the size of
//! what it projects; nothing is compared with what was found before. Maximal sets are the closed
//! ones that are part of no other, which is looked up among those that share the item found in fewest of them.
//! # Departs from the paper
//! Support counts people. Where a person has several records, sets of equal support have no unique closure (records
//! `af`, `ag` of one person), so closed and maximal sets are then picked from all frequent ones.

mod grow;
mod largest;
mod rows;

use throng_contract::Progress;
use throng_data::Events;

use self::grow::{Limits, grow};
use self::rows::Baskets;
use crate::absorbed::absorbed;
use crate::search::Stop;
use crate::{Keep, MineError, Patterns, Search};

/// Finds the sets, in no particular order.
pub(crate) fn mine(
    search: &Search,
    events: &Events,
    stop: Stop<'_>,
    progress: &Progress,
) -> Result<Patterns, MineError> {
    let subjects = events.subjects() as u64;
    let min_support = search.people(subjects);
    if search.lengths.is_empty() || search.top == Some(0) {
        return Ok(Patterns::new(subjects, min_support));
    }
    progress.check()?;
    let baskets = Baskets::of(events, min_support);
    if search.keep == Keep::Frequent || baskets.one_each {
        // Whether a set is maximal depends on larger ones of any size, and on none that only the best ones would keep.
        let (lengths, top) = match search.keep {
            Keep::Maximal => (1..=usize::MAX, None),
            _ => (search.lengths.clone(), search.top),
        };
        let limits = Limits { keep: search.keep, min_support, lengths, top, memory: search.memory };
        let mut sets = grow(baskets, limits, subjects, stop, progress)?;
        if search.keep == Keep::Maximal {
            let parts = largest::parts(&sets, progress)?;
            sets.retain(|at, set| !parts[at] && search.lengths.contains(&set.items.len()));
        }
        return Ok(sets);
    }
    let longest = search.lengths.end().saturating_add(1);
    let limits =
        Limits { keep: Keep::Frequent, min_support, lengths: 1..=longest, top: None, memory: search.memory };
    let mut patterns = grow(baskets, limits, subjects, stop, progress)?;
    let absorbed = absorbed(&patterns, search.keep, progress)?;
    patterns.retain(|at, pattern| !absorbed[at] && search.lengths.contains(&pattern.items.len()));
    Ok(patterns)
}
