//! The records as what their events may be, and the secrets that each person may have.

use throng_data::{EventKind, Release};

use crate::cover::Cover;

/// Where the leftmost match of a pattern ends in a record.
#[derive(Clone, Copy)]
pub(super) struct Match {
    pub record: u32,
    pub end: u32,
}

/// Which sensitive items each person may have.
pub(super) struct Secrets {
    pub words: Cover,
    offsets: Vec<u32>,
    pub carried: Vec<u32>,
}

impl Secrets {
    pub fn of(release: &Release, sensitive: &[bool]) -> Self {
        let words = Cover::in_original_words(release, |item| !sensitive[item as usize]);
        let (mut offsets, mut carried) = (vec![0], Vec::new());
        for subject in 0..release.people() {
            let records = release.events().records_of(subject);
            let items = records.flat_map(|record| release.events().record(record));
            let mut own: Vec<u32> = items.flat_map(|item| words.of(*item)).copied().collect();
            own.sort_unstable();
            own.dedup();
            carried.extend(own);
            offsets.push(carried.len() as u32);
        }
        Secrets { words, offsets, carried }
    }

    pub fn of_person(&self, person: usize) -> &[u32] {
        &self.carried[self.offsets[person] as usize..self.offsets[person + 1] as usize]
    }
}

/// The records as what their events may be. A set is the classes its items may be, ascending: any of them, and all at once.
pub(super) struct Words {
    pub cover: Cover,
    /// The person of each record.
    pub person_of: Vec<u32>,
    /// `events[records[r]..records[r + 1]]` are the events of record `r`: released items of a sequence, classes of a set.
    pub records: Vec<usize>,
    pub events: Vec<u32>,
    pub ordered: bool,
}

impl Words {
    pub fn of(release: &Release, cover: Cover) -> Self {
        let ordered = release.event_kind() == EventKind::Sequence;
        let (mut person_of, mut records, mut events) = (Vec::new(), vec![0], Vec::new());
        for person in 0..release.people() {
            for record in release.events().records_of(person) {
                let items = release.events().record(record).iter();
                if ordered {
                    events.extend(items);
                } else {
                    let mut classes: Vec<u32> = items.flat_map(|item| cover.of(*item)).copied().collect();
                    classes.sort_unstable();
                    classes.dedup();
                    events.extend(classes);
                }
                person_of.push(person as u32);
                records.push(events.len());
            }
        }
        Words { cover, person_of, records, events, ordered }
    }

    /// Calls `found(class, where its match ends)` for whatever may follow a match; a class may be met again later.
    pub fn each_next(&self, from: Match, mut found: impl FnMut(u32, u32)) {
        let start = self.records[from.record as usize];
        let rest = &self.events[start + from.end as usize..self.records[from.record as usize + 1]];
        for (end, event) in (from.end + 1..).zip(rest) {
            if self.ordered {
                self.cover.of(*event).iter().for_each(|class| found(*class, end));
            } else {
                found(*event, end);
            }
        }
    }
}
