//! Select: what a trajectory looks like from afar, as a string of bits.

use throng_data::{Events, ItemId};

/// A key for each subject: one bit for each selected pattern, the most significant first, in whole words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    words: usize,
    bits: Vec<u64>,
}

impl Keys {
    fn zero(subjects: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64).max(1);
        Keys { words, bits: vec![0; subjects * words] }
    }

    fn set(&mut self, subject: usize, column: usize) {
        self.bits[subject * self.words + column / 64] |= 1 << (63 - column % 64);
    }

    /// The key of a subject.
    pub fn of(&self, subject: usize) -> &[u64] {
        &self.bits[subject * self.words..(subject + 1) * self.words]
    }

    /// Keys that say which of the items each subject has; `columns[0]` is the most significant bit.
    pub fn of_items(events: &Events, columns: &[ItemId], items: usize) -> Self {
        let mut column_of = vec![None; items];
        for (column, item) in columns.iter().enumerate() {
            column_of[*item as usize] = Some(column);
        }
        let mut keys = Keys::zero(events.subjects(), columns.len());
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                for column in events.record(record).iter().filter_map(|item| column_of[*item as usize]) {
                    keys.set(subject, column);
                }
            }
        }
        keys
    }

    /// Keys that say which of the patterns each subject has; `columns[0]` is the most significant bit.
    pub fn of_patterns(events: &Events, columns: &[Vec<ItemId>]) -> Self {
        let mut keys = Keys::zero(events.subjects(), columns.len());
        for subject in 0..events.subjects() {
            for (column, pattern) in columns.iter().enumerate() {
                if events.records_of(subject).any(|record| contains(events.record(record), pattern)) {
                    keys.set(subject, column);
                }
            }
        }
        keys
    }
}

fn contains(record: &[ItemId], pattern: &[ItemId]) -> bool {
    let mut events = record.iter();
    pattern.iter().all(|wanted| events.any(|item| item == wanted))
}
