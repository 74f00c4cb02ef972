//! Some records before and after, side by side: for the publisher, who can then see what was made of them.
//!
//! Original records are raw data: they are shown on the internal report and in the workbench, and never published.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use throng_data::{Dataset, EventKind, Nature, Release};

/// Records that are shown.
const MAX_RECORDS: usize = 20;
/// Events that are shown of a record.
const EVENTS: usize = 40;

/// Records before and after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Samples {
    /// The columns of a table, or nothing: then a record is a list of items.
    pub columns: Vec<String>,
    /// The records, in the order of the data.
    pub rows: Vec<Sample>,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Items or cells as they were, the first of many.
    pub before: Vec<String>,
    /// How many there were.
    pub before_total: u64,
    /// As they are released; nothing where all of the record was suppressed.
    pub after: Vec<String>,
    /// How many there are.
    pub after_total: u64,
}

/// Draws some records. There are none where no person stands behind the released ones, or where records were taken apart.
pub fn samples(data: &Dataset, release: &Release, seed: u64) -> Samples {
    let records = data.events.records();
    if release.nature == Nature::Synthetic || release.records() != records || !release.body.has_rows() {
        return Samples::default();
    }
    match (&data.attributes, release.table()) {
        (Some(table), Some(released)) if data.events.kind() == EventKind::Absent => {
            let row = |person: usize| Sample {
                before: released
                    .columns
                    .iter()
                    .map(|column| table.column(&column.name).map_or_else(String::new, |own| own.text(person)))
                    .collect(),
                before_total: released.columns.len() as u64,
                after: released.columns.iter().map(|column| column.cover(person).render()).collect(),
                after_total: released.columns.len() as u64,
            };
            let columns = released.columns.iter().map(|column| column.name.clone()).collect();
            Samples { columns, rows: drawn(records, seed).into_iter().map(row).collect() }
        }
        _ => {
            let row = |record: usize| {
                let (before, after) = (data.events.record(record), release.events().record(record));
                let own = |item: &u32| data.items.name(*item).to_owned();
                Sample {
                    before: before.iter().take(EVENTS).map(own).collect(),
                    before_total: before.len() as u64,
                    after: after.iter().take(EVENTS).map(|item| release.described(*item)).collect(),
                    after_total: after.len() as u64,
                }
            };
            Samples { columns: Vec::new(), rows: drawn(records, seed).into_iter().map(row).collect() }
        }
    }
}

/// Some numbers below `all`, each as likely as any other, ascending.
fn drawn(all: usize, seed: u64) -> Vec<usize> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers: Vec<usize> = Vec::new();
    // Floyd's way: needs no list of all.
    for last in all.saturating_sub(MAX_RECORDS)..all {
        let number = generator.random_range(0..=last as u64) as usize;
        numbers.push(if numbers.contains(&number) { last } else { number });
    }
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_drawn_once_and_shown_with_what_became_of_them() {
        let data = Dataset::from_words(["ab", "bc"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let events = release.events().retain(|_, _, item| item != 2);
        release.body = release.body.with_events(|_| events);
        let shown = samples(&data, &release, 0);
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(shown.rows[1].before, words(&["b", "c"]));
        assert_eq!((&shown.rows[1].after, shown.rows[1].after_total), (&words(&["b"]), 1));
        for all in [0, 1, 5, 20, 21, 1000] {
            let mut numbers = drawn(all, 7);
            assert_eq!(numbers.len(), all.min(MAX_RECORDS));
            numbers.dedup();
            assert!(numbers.len() == all.min(MAX_RECORDS) && numbers.iter().all(|number| *number < all));
        }
    }

    #[test]
    fn no_person_is_behind_synthetic_records() {
        let data = Dataset::from_words(["ab"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        release.nature = Nature::Synthetic;
        assert_eq!(samples(&data, &release, 0), Samples::default());
    }
}
