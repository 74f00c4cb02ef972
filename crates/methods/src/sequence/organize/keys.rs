//! Select: what a trajectory looks like from afar, as a string of bits.

use throng_data::{Events, ItemId};

/// A key for each subject: one bit for each selected pattern. Few bits of many are set, so the columns of those that are set are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    offsets: Vec<u64>,
    columns: Vec<u32>,
}

impl Keys {
    fn new(subjects: usize) -> Self {
        let mut offsets = Vec::with_capacity(subjects + 1);
        offsets.push(0);
        Keys { offsets, columns: Vec::new() }
    }

    /// Ends a subject whose columns were added since the last one.
    fn end(&mut self) {
        self.offsets.push(self.columns.len() as u64);
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
        let mut keys = Keys::new(events.subjects());
        let mut set = Vec::new();
        for subject in 0..events.subjects() {
            set.clear();
            for record in events.records_of(subject) {
                set.extend(events.record(record).iter().filter_map(|item| column_of[*item as usize]));
            }
            set.sort_unstable();
            set.dedup();
            keys.columns.extend_from_slice(&set);
            keys.end();
        }
        keys
    }

    /// Keys that say which of the patterns each subject has; `columns[0]` is the most significant bit.
    pub fn of_patterns(events: &Events, columns: &[Vec<ItemId>]) -> Self {
        let mut keys = Keys::new(events.subjects());
        // Few patterns have few items: most events need not be looked at again for each of them.
        let most = columns.iter().flatten().max().map_or(0, |item| *item as usize + 1);
        let mut asked = vec![false; most];
        columns.iter().flatten().for_each(|item| asked[*item as usize] = true);
        let (mut left, mut ends) = (Vec::new(), Vec::new());
        for subject in 0..events.subjects() {
            left.clear();
            ends.clear();
            for record in events.records_of(subject) {
                let items = events.record(record).iter().copied();
                left.extend(items.filter(|item| asked.get(*item as usize).is_some_and(|asked| *asked)));
                ends.push(left.len());
            }
            for (column, pattern) in columns.iter().enumerate() {
                let mut start = 0;
                let has = ends
                    .iter()
                    .any(|end| contains(&left[std::mem::replace(&mut start, *end)..*end], pattern));
                if has {
                    keys.columns.push(column as u32);
                }
            }
            keys.end();
        }
        keys
    }
}

fn contains(record: &[ItemId], pattern: &[ItemId]) -> bool {
    let mut events = record.iter();
    pattern.iter().all(|wanted| events.any(|item| item == wanted))
}
