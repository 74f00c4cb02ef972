//! Select: what a trajectory looks like from afar, as a string of bits.

use rayon::prelude::*;
use throng_data::{Events, ItemId};

/// Keys of so many subjects are made at a time.
const STRETCH: usize = 4_096;

/// A key for each subject: one bit for each selected pattern. Few bits of many are set, so the columns of those that are set are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    offsets: Vec<u64>,
    columns: Vec<u32>,
}

impl Keys {
    /// The keys of all subjects. `push` adds the columns of one, most significant first, and may keep something from one to the next.
    fn collect<S: Default>(subjects: usize, push: impl Fn(&mut S, usize, &mut Vec<u32>) + Sync) -> Self {
        let starts: Vec<usize> = (0..subjects).step_by(STRETCH).collect();
        let stretch = |start: &usize| {
            let (mut lengths, mut columns, mut kept) =
                (Vec::with_capacity(STRETCH), Vec::new(), S::default());
            for subject in *start..subjects.min(start + STRETCH) {
                let before = columns.len();
                push(&mut kept, subject, &mut columns);
                lengths.push(columns.len() - before);
            }
            (lengths, columns)
        };
        let parts: Vec<(Vec<usize>, Vec<u32>)> = starts.par_iter().map(stretch).collect();
        let mut keys = Keys { offsets: Vec::with_capacity(subjects + 1), columns: Vec::new() };
        let mut end = 0;
        keys.offsets.push(end);
        for (lengths, columns) in parts {
            for length in lengths {
                end += length as u64;
                keys.offsets.push(end);
            }
            keys.columns.extend(columns);
        }
        keys
    }

    /// The columns whose bit is set in the key of a subject, the most significant first.
    pub fn of(&self, subject: usize) -> &[u32] {
        &self.columns[self.offsets[subject] as usize..self.offsets[subject + 1] as usize]
    }

    /// Keys that say which of the items each subject has; `columns[0]` is the most significant bit.
    pub fn of_items(events: &Events, columns: &[ItemId], items: usize) -> Self {
        let mut column_of = vec![None; items];
        for (column, item) in columns.iter().enumerate() {
            column_of[*item as usize] = Some(column as u32);
        }
        Keys::collect(events.subjects(), |set: &mut Vec<u32>, subject, columns| {
            set.clear();
            for record in events.records_of(subject) {
                set.extend(events.record(record).iter().filter_map(|item| column_of[*item as usize]));
            }
            set.sort_unstable();
            set.dedup();
            columns.extend_from_slice(set);
        })
    }

    /// Keys that say which of the patterns each subject has; `columns[0]` is the most significant bit.
    pub fn of_patterns(events: &Events, columns: &[Vec<ItemId>]) -> Self {
        // Few patterns have few items: most events need not be looked at again for each of them.
        let most = columns.iter().flatten().max().map_or(0, |item| *item as usize + 1);
        let mut asked = vec![false; most];
        columns.iter().flatten().for_each(|item| asked[*item as usize] = true);
        let is_asked = |item: &ItemId| asked.get(*item as usize).is_some_and(|asked| *asked);
        Keys::collect(events.subjects(), |records: &mut Vec<Vec<ItemId>>, subject, found| {
            let all = events.records_of(subject);
            records.resize_with(all.len().max(records.len()), Vec::new);
            let records = &mut records[..all.len()];
            for (left, record) in records.iter_mut().zip(all) {
                left.clear();
                left.extend(events.record(record).iter().copied().filter(is_asked));
            }
            let has = |pattern: &[ItemId]| records.iter().any(|record| contains(record, pattern));
            found
                .extend((0_u32..).zip(columns).filter(|(_, pattern)| has(pattern)).map(|(column, _)| column));
        })
    }
}

fn contains(record: &[ItemId], pattern: &[ItemId]) -> bool {
    let mut events = record.iter();
    pattern.len() <= record.len() && pattern.iter().all(|wanted| events.any(|item| item == wanted))
}
