//! Who is looked for in both releases, and what is known of them in each.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_data::{Dataset, ItemId};

use super::{MAX_TARGETS, Side};

/// A person in both releases.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// Their number in each.
    pub subjects: [u32; 2],
    /// What is known of them in the data of each.
    pub known: [Known; 2],
}

/// Events of one record, in the order of being learned: position and item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known(Vec<(usize, ItemId)>);

impl Known {
    /// The first so many events learned, in the order in which they happened.
    pub fn first(&self, known: usize) -> Vec<ItemId> {
        let mut events = self.0[..known.min(self.0.len())].to_vec();
        events.sort_unstable();
        events.into_iter().map(|(_, item)| item).collect()
    }
}

/// Draws the targets and what is known of each.
pub(super) fn draw(
    first: &Side<'_>,
    second: &Side<'_>,
    people: &[[u32; 2]],
    most_known: usize,
    seed: u64,
) -> Vec<Target> {
    let mut targets = people.to_vec();
    if targets.len() > MAX_TARGETS {
        // The beginning of a Fisher-Yates shuffle.
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        for place in 0..MAX_TARGETS {
            let other = generator.random_range(place as u64..targets.len() as u64);
            targets.swap(place, other as usize);
        }
        targets.truncate(MAX_TARGETS);
        targets.sort_unstable();
    }
    targets.into_iter().map(|subjects| learn(first, second, subjects, most_known, seed)).collect()
}

fn learn(first: &Side<'_>, second: &Side<'_>, subjects: [u32; 2], most_known: usize, seed: u64) -> Target {
    // A stream for each person: what is known of one does not depend on who else is a target.
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(u64::from(subjects[0]) + 1);
    let Some((record, in_first)) = learn_in(first.original, subjects[0], most_known, &mut generator) else {
        let in_second = learn_in(second.original, subjects[1], most_known, &mut generator);
        return Target {
            subjects,
            known: [Known(Vec::new()), in_second.map_or(Known(Vec::new()), |(_, known)| known)],
        };
    };
    let in_second = match same_record(first.original, second.original, subjects, record) {
        Some(same) => {
            let items = second.original.events.record(same);
            Known(in_first.0.iter().map(|(position, _)| (*position, items[*position])).collect())
        }
        None => learn_in(second.original, subjects[1], most_known, &mut generator)
            .map_or(Known(Vec::new()), |(_, known)| known),
    };
    Target { subjects, known: [in_first, in_second] }
}

/// What is known of a person; `None` where there is no event to know.
fn learn_in(
    data: &Dataset,
    subject: u32,
    most_known: usize,
    generator: &mut ChaCha8Rng,
) -> Option<(usize, Known)> {
    let filled = |record: &usize| !data.events.record(*record).is_empty();
    let records: Vec<usize> = data.events.records_of(subject as usize).filter(filled).collect();
    if records.is_empty() {
        return None;
    }
    let record = records[generator.random_range(0..records.len() as u64) as usize];
    let items = data.events.record(record);
    let mut events: Vec<(usize, ItemId)> = Vec::with_capacity(most_known);
    while events.len() < most_known.min(items.len()) {
        let position = generator.random_range(0..items.len() as u64) as usize;
        if events.iter().all(|(known, _)| *known != position) {
            events.push((position, items[position]));
        }
    }
    Some((record, Known(events)))
}

/// The record of the second data that is the same as one of the first: at the same place among the person's, with the
/// same events.
pub(super) fn same_record(
    first: &Dataset,
    second: &Dataset,
    subjects: [u32; 2],
    record: usize,
) -> Option<usize> {
    let place = record - first.events.records_of(subjects[0] as usize).start;
    let records = second.events.records_of(subjects[1] as usize);
    let other = Some(records.start + place).filter(|other| records.contains(other))?;
    let (here, there) = (first.events.record(record), second.events.record(other));
    let same = here.len() == there.len()
        && here.iter().zip(there).all(|(a, b)| first.items.name(*a) == second.items.name(*b));
    same.then_some(other)
}
