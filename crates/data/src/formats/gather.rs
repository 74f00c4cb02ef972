//! Puts the shards of a file together again, people by first appearance in the file.
//!
//! Each shard has its people in that order already. So every shard is walked once from its first person to its last, however
//! they alternate, and memory is read in order.

use rayon::join;

use super::shard::Grouped;
use crate::Dictionary;

/// One group of all subjects; `order` has the shard of each.
pub(super) fn gather(shards: &[Grouped], order: &[u8]) -> Grouped {
    let columns = || {
        join(
            || gather_events(shards, order, |shard| Some(&shard.ids)).unwrap_or_default(),
            || gather_events(shards, order, |shard| shard.times.as_deref()),
        )
    };
    let ((subjects, (subject_records, record_events)), (ids, times)) =
        join(|| (gather_names(shards, order), gather_offsets(shards, order)), columns);
    Grouped { subjects, subject_records, record_events, ids, times }
}

/// The subjects in order: shard, and number in the shard.
fn walk<'a>(shards: &'a [Grouped], order: &'a [u8]) -> impl Iterator<Item = (&'a Grouped, usize)> {
    let mut next = vec![0; shards.len()];
    order.iter().map(move |shard| {
        let shard = usize::from(*shard);
        let subject = next[shard];
        next[shard] += 1;
        (&shards[shard], subject)
    })
}

fn gather_names(shards: &[Grouped], order: &[u8]) -> Dictionary {
    let bytes = shards.iter().map(|shard| shard.subjects.bytes()).sum();
    let names = walk(shards, order).map(|(shard, subject)| shard.subjects.name(subject as u32));
    Dictionary::of_distinct(names, order.len(), bytes)
}

/// Offsets of subjects into records, and of records into events.
fn gather_offsets(shards: &[Grouped], order: &[u8]) -> (Vec<u32>, Vec<u64>) {
    let records = shards.iter().map(|shard| shard.record_events.len() - 1).sum::<usize>();
    let mut subject_records = Vec::with_capacity(order.len() + 1);
    let mut record_events = Vec::with_capacity(records + 1);
    subject_records.push(0);
    record_events.push(0);
    let mut events = 0;
    for (shard, subject) in walk(shards, order) {
        let (from, to) = (shard.subject_records[subject], shard.subject_records[subject + 1]);
        for record in from as usize..to as usize {
            events += shard.record_events[record + 1] - shard.record_events[record];
            record_events.push(events);
        }
        subject_records.push((record_events.len() - 1) as u32);
    }
    (subject_records, record_events)
}

/// A column of all events; `None` where the shards have none.
fn gather_events<T: Copy>(
    shards: &[Grouped],
    order: &[u8],
    column: impl Fn(&Grouped) -> Option<&[T]>,
) -> Option<Vec<T>> {
    let events = shards.iter().map(|shard| shard.ids.len()).sum();
    let mut gathered = Vec::with_capacity(events);
    for (shard, subject) in walk(shards, order) {
        let records = [shard.subject_records[subject], shard.subject_records[subject + 1]];
        let [from, to] = records.map(|record| shard.record_events[record as usize] as usize);
        gathered.extend_from_slice(&column(shard)?[from..to]);
    }
    Some(gathered)
}
