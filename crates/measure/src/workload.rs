//! COUNT queries: "how many people have these items, in this order?"
//!
//! Queries are drawn from the data, so that their answers are not all 0: a random record, and a random part of it.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5 draws 100 queries
//! of one or two locations.
//! # Guarantees
//! The same data, settings and seed give the same queries. A frequent pattern may be drawn several times.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_contract::{Param, ParamKind, Settings};
use throng_data::{Dictionary, EventKind, Events, ItemId, Query};

use crate::{Comparison, MeasureError};

/// How many queries are drawn where no workload is given.
pub const DRAWN: Param = Param {
    name: "drawn",
    kind: ParamKind::Integer { min: 1, max: 1_000_000 },
    default: Some("1000"),
    help: "how many queries to draw from the data, without `--queries`",
};

/// The longest query drawn where no workload is given.
pub const LONGEST: Param = Param {
    name: "longest",
    kind: ParamKind::Integer { min: 1, max: 100 },
    default: Some("2"),
    help: "draw queries of one item to so many, without `--queries`",
};

/// Draws queries of so many items from the records that have as many; none if there is no such record.
pub fn draw(events: &Events, queries: usize, sizes: RangeInclusive<usize>, seed: u64) -> Vec<Vec<ItemId>> {
    let shortest = (*sizes.start()).max(1);
    let long_enough = |record: &u32| events.span(*record as usize).len() >= shortest;
    let records: Vec<u32> = (0..events.records() as u32).filter(long_enough).collect();
    if records.is_empty() || shortest > *sizes.end() {
        return Vec::new();
    }
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |end: usize| generator.random_range(0..end as u64) as usize;
    (0..queries)
        .map(|_| {
            let record = events.record(records[below(records.len())] as usize);
            let longest = record.len().min(*sizes.end());
            let size = shortest + below(longest - shortest + 1);
            // The beginning of a Fisher-Yates shuffle of the positions.
            let mut positions: Vec<usize> = (0..record.len()).collect();
            for place in 0..size {
                let other = place + below(record.len() - place);
                positions.swap(place, other);
            }
            positions.truncate(size);
            positions.sort_unstable();
            positions.into_iter().map(|position| record[position]).collect()
        })
        .collect()
}

/// The queries a measure asks: those that were given, or drawn ones.
pub(crate) fn asked(
    on: &Comparison<'_>,
    settings: &Settings,
    measure: &'static str,
) -> Result<Vec<Vec<ItemId>>, MeasureError> {
    sequences_only(on, measure)?;
    let queries = match &on.inputs.queries {
        Some(queries) => numbered(queries, &on.release.base),
        None => {
            let (drawn, longest) = (settings.integer(DRAWN.name), settings.integer(LONGEST.name));
            draw(&on.original.events, drawn as usize, 1..=longest as usize, on.seed)
        }
    };
    if queries.is_empty() {
        let reason = "there is no query to answer: the data have no events";
        return Err(MeasureError::NotApplicable { measure, reason });
    }
    Ok(queries)
}

/// Queries by number. An item that the release's base does not have gets a number of its own, which occurs nowhere.
fn numbered(queries: &[Query], base: &Dictionary) -> Vec<Vec<ItemId>> {
    let mut beyond = Dictionary::new();
    let mut number =
        |name: &String| base.find(name).unwrap_or_else(|| base.len() as ItemId + beyond.intern(name));
    queries.iter().map(|query| query.items.iter().map(&mut number).collect()).collect()
}

/// A measure of ordered patterns says nothing about sets.
pub(crate) fn sequences_only(on: &Comparison<'_>, measure: &'static str) -> Result<(), MeasureError> {
    let sequences = [&on.original.events, &on.release.events];
    if sequences.iter().all(|events| events.kind() == EventKind::Sequence) {
        return Ok(());
    }
    Err(MeasureError::NotApplicable {
        measure,
        reason: "it is about the order of events, and sets have none",
    })
}

#[cfg(test)]
mod tests {
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn queries_are_parts_of_records_and_of_the_sizes_asked_for() {
        let data = Dataset::from_words(["abc", "ca", "b", ""]);
        let queries = draw(&data.events, 500, 2..=3, 7);
        assert_eq!(queries, draw(&data.events, 500, 2..=3, 7));
        assert_ne!(queries, draw(&data.events, 500, 2..=3, 8));
        let mut words: Vec<String> = queries
            .iter()
            .map(|query| query.iter().map(|item| data.items.name(*item)).collect::<String>())
            .collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words, ["ab", "abc", "ac", "bc", "ca"]);
        assert!(draw(&data.events, 5, 4..=9, 7).is_empty());
    }
}
