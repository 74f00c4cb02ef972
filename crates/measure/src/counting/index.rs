//! Which records hold which items.

use throng_data::{Events, ItemId};

/// Items in one record of so many are marked, record by record: as many bits as their list would take.
const COMMON: u64 = 32;

/// Marks are made for items that so many patterns ask for beside their rarest one.
const ASKED: usize = 4;

/// The records that hold each of the items that are needed, ascending, and whose they are.
pub(super) struct Index {
    starts: Vec<usize>,
    ends: Vec<usize>,
    records: Vec<u32>,
    subject_of: Vec<u32>,
    /// By item, one bit a record, where an item is common and asked for often.
    marked: Vec<Vec<u64>>,
}

impl Index {
    /// Lists for items that are `needed`; `asked` says how often it is asked whether a record holds an item.
    pub(super) fn of(events: &Events, occurrences: &[u64], needed: &[bool], asked: &[usize]) -> Self {
        let mut starts = Vec::with_capacity(needed.len());
        let mut total = 0;
        for (occurrences, needed) in occurrences.iter().zip(needed) {
            starts.push(total);
            total += if *needed { *occurrences as usize } else { 0 };
        }
        let words = events.records().div_ceil(64);
        let is_marked = |(times, asked): (&u64, &usize)| {
            *asked >= ASKED && times.saturating_mul(COMMON) >= events.records() as u64
        };
        let mut marked: Vec<Vec<u64>> = occurrences
            .iter()
            .zip(asked)
            .map(|item| if is_marked(item) { vec![0; words] } else { Vec::new() })
            .collect();
        let mut ends = starts.clone();
        let mut records = vec![0_u32; total];
        let mut subject_of = Vec::with_capacity(events.records());
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                subject_of.push(subject as u32);
                for item in events.record(record).iter().map(|item| *item as usize) {
                    if let Some(word) = marked[item].get_mut(record / 64) {
                        *word |= 1 << (record % 64);
                    }
                    let again = ends[item] > starts[item] && records[ends[item] - 1] == record as u32;
                    if needed[item] && !again {
                        records[ends[item]] = record as u32;
                        ends[item] += 1;
                    }
                }
            }
        }
        Index { starts, ends, records, subject_of, marked }
    }

    pub(super) fn holders(&self, item: ItemId) -> &[u32] {
        &self.records[self.starts[item as usize]..self.ends[item as usize]]
    }

    pub(super) fn subject_of(&self, record: u32) -> u32 {
        self.subject_of[record as usize]
    }

    /// Which records hold one of the items, where that is known without a look at them.
    pub(super) fn marks(&self, items: &[ItemId]) -> Option<Marks<'_>> {
        let marks: Vec<&[u64]> = items.iter().map(|item| self.marked[*item as usize].as_slice()).collect();
        (!marks.is_empty() && marks.iter().all(|marks| !marks.is_empty())).then_some(Marks(marks))
    }
}

/// Records that hold one of some items.
pub(super) struct Marks<'a>(Vec<&'a [u64]>);

impl Marks<'_> {
    pub(super) fn has(&self, record: u32) -> bool {
        self.0.iter().any(|marks| marks[record as usize / 64] >> (record % 64) & 1 == 1)
    }
}
