//! Which patterns people lose with events that are taken away.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use super::left::Left;
use super::patterns::{Key, Safe};

/// A record and the places that it loses, ascending.
#[derive(Debug)]
pub(super) struct Taken {
    pub record: u32,
    pub places: Vec<u32>,
}

/// So many events are looked at in the time in which a pattern is noted and struck out.
const LOOKS: u64 = 32;
/// So many patterns are counted anew in the time in which one is noted and struck out.
const PATTERNS: u64 = 16;

/// Whether striking out what is lost takes less than counting all patterns of the size again.
pub(super) fn are_few(left: &Left<'_>, taken: &[Taken], size: usize) -> bool {
    let ways = |record: usize, size: usize| (left.record(record).len() as u64).saturating_pow(size as u32);
    let add = |sum: u64, more: u64| sum.saturating_add(more);
    let struck = taken.iter().map(|taken| {
        let record = taken.record as usize;
        let own: usize =
            left.records_of(left.person_of(record)).map(|record| left.record(record).len()).sum();
        let patterns = (taken.places.len() as u64).saturating_mul(ways(record, size - 1));
        patterns.saturating_mul(1 + own as u64 / LOOKS)
    });
    let counted = (0..left.records()).map(|record| ways(record, size)).fold(0, add);
    struck.fold(0, add) <= counted / PATTERNS
}

/// The patterns that people have and will not have: each as often as there are such people.
pub(super) fn lost(
    left: &Left<'_>,
    taken: &[Taken],
    size: usize,
    safe: &Safe,
    progress: &Progress,
) -> Result<Vec<Key>, Cancelled> {
    let person = |taken: &Taken| left.person_of(taken.record as usize);
    let parts: Result<Vec<Vec<Key>>, Cancelled> = taken
        .par_chunk_by(|a, b| person(a) == person(b))
        .map(|of_person| {
            progress.check()?;
            Ok(of_one(left, of_person, size, safe))
        })
        .collect();
    Ok(parts?.concat())
}

fn of_one(left: &Left<'_>, taken: &[Taken], size: usize, safe: &Safe) -> Vec<Key> {
    let mut keys = Vec::new();
    for Taken { record, places } in taken {
        let mut through =
            Through { record: left.record(*record as usize), places, size, safe, keys: &mut keys };
        through.below(0, (0, Safe::NOTHING), false);
    }
    keys.sort_unstable();
    keys.dedup();
    let person = left.person_of(taken[0].record as usize);
    let mut changes = taken.iter().peekable();
    let after: Vec<Vec<ItemId>> = left
        .records_of(person)
        .map(|record| {
            let items = left.record(record);
            match changes.next_if(|taken| taken.record as usize == record) {
                None => items.to_vec(),
                Some(Taken { places, .. }) => {
                    let stay = |at: &usize| places.binary_search(&(*at as u32)).is_err();
                    (0..items.len()).filter(stay).map(|at| items[at]).collect()
                }
            }
        })
        .collect();
    let mut pattern = vec![0; size];
    keys.retain(|key| {
        safe.spell(*key, &mut pattern);
        !after.iter().any(|record| holds(record, &pattern))
    });
    keys
}

fn holds(record: &[ItemId], pattern: &[ItemId]) -> bool {
    let mut rest = record.iter();
    pattern.iter().all(|item| rest.any(|other| other == item))
}

/// Walks over the patterns of a record that go through some of its places.
struct Through<'a> {
    record: &'a [ItemId],
    places: &'a [u32],
    size: usize,
    safe: &'a Safe,
    keys: &'a mut Vec<Key>,
}

impl Through<'_> {
    fn below(&mut self, from: usize, (length, key): (usize, Key), passed: bool) {
        let ahead = &self.places[self.places.partition_point(|place| (*place as usize) < from)..];
        let longer = |at: usize| self.safe.longer(key, self.record[at]);
        if length + 1 == self.size {
            if passed {
                self.keys.extend((from..self.record.len()).map(longer));
            } else {
                self.keys.extend(ahead.iter().map(|place| longer(*place as usize)));
            }
            return;
        }
        // What has passed none of the places by the last one never will.
        let end = if passed { self.record.len() } else { ahead.last().map_or(0, |last| *last as usize + 1) };
        for at in from..end {
            let passes = passed || ahead.binary_search(&(at as u32)).is_ok();
            self.below(at + 1, (length + 1, self.safe.longer(key, self.record[at])), passes);
        }
    }
}
