//! Who is looked for, and what is known of them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_data::{Events, ItemId};

use super::{MOST_KNOWN, MOST_TARGETS};

/// What an attacker gets to know of one target, event after event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    /// The record the events are from.
    pub record: usize,
    /// Position in the record and item, in the order of being learned; at most [`MOST_KNOWN`].
    events: Vec<(usize, ItemId)>,
}

impl Known {
    /// How many events are known in the end.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// The first so many events learned, in the order in which they happened.
    pub fn first(&self, known: usize) -> Vec<ItemId> {
        let mut events = self.events[..known.min(self.events.len())].to_vec();
        events.sort_unstable();
        events.into_iter().map(|(_, item)| item).collect()
    }

    /// The items of all known events.
    pub fn items(&self) -> impl Iterator<Item = ItemId> {
        self.events.iter().map(|(_, item)| *item)
    }
}

/// The people with events.
pub(super) fn people(original: &Events) -> Vec<u32> {
    let has_events = |subject: &u32| {
        let records = original.records_of(*subject as usize);
        original.record_offsets()[records.start] < original.record_offsets()[records.end]
    };
    (0..original.subjects() as u32).filter(has_events).collect()
}

/// Draws the targets, all people or [`MOST_TARGETS`] of them, and what is known of each.
pub(super) fn draw(original: &Events, people: &[u32], seed: u64) -> Vec<Known> {
    let mut targets = people.to_vec();
    if targets.len() > MOST_TARGETS {
        // The beginning of a Fisher-Yates shuffle.
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        for place in 0..MOST_TARGETS {
            let other = generator.random_range(place as u64..targets.len() as u64);
            targets.swap(place, other as usize);
        }
        targets.truncate(MOST_TARGETS);
        targets.sort_unstable();
    }
    targets.into_iter().map(|subject| learn(original, subject, seed)).collect()
}

fn learn(original: &Events, subject: u32, seed: u64) -> Known {
    // A stream for each person: what is known of one does not depend on who else is a target.
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(u64::from(subject) + 1);
    let records: Vec<usize> =
        original.records_of(subject as usize).filter(|record| !original.record(*record).is_empty()).collect();
    let record = records[generator.random_range(0..records.len() as u64) as usize];
    let items = original.record(record);
    let mut events: Vec<(usize, ItemId)> = Vec::with_capacity(MOST_KNOWN);
    while events.len() < MOST_KNOWN.min(items.len()) {
        let position = generator.random_range(0..items.len() as u64) as usize;
        if events.iter().all(|(known, _)| *known != position) {
            events.push((position, items[position]));
        }
    }
    Known { record, events }
}
