//! Records as ascending doublets, and doublets as ascending records.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use thiserror::Error;
use throng_contract::{Class, Failing, Help, choices};
use throng_data::{EventKind, Events, ItemId};

/// An item and when it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Doublet {
    /// When.
    pub time: i64,
    /// What.
    pub item: ItemId,
}

choices! {
    /// What to do with two events of one record at the same time.
    pub enum Ties {
        /// A person cannot be in two places at once: refuse the data.
        Refuse = "error",
        /// Keep the event that comes first in the input.
        KeepFirst = "first",
    }
}

/// All records of all people as sets of doublets. Doublets are numbered by time, then by item.
#[derive(Debug, Clone)]
pub struct DoubletTable {
    doublets: Vec<Doublet>,
    people: usize,
    subject_records: Vec<u32>,
    /// `starts[r]..starts[r + 1]` are the positions of record `r` in `visits`.
    starts: Vec<u32>,
    visits: Vec<u32>,
    /// The person of each record; ascending.
    person: Vec<u32>,
    /// `holder_starts[d]..holder_starts[d + 1]` are the positions of doublet `d` in `holders`.
    holder_starts: Vec<u32>,
    holders: Vec<u32>,
    one_record_each: bool,
}

impl DoubletTable {
    /// Reads timed events.
    pub fn new(events: &Events, ties: Ties) -> Result<Self, DoubletError> {
        let times = events.times().ok_or(DoubletError::NoTimes)?;
        if u32::try_from(events.len()).is_err() {
            return Err(DoubletError::TooLarge { events: events.len() });
        }
        let (doublets, codes) = number(times, events.items());

        let mut visits = Vec::with_capacity(codes.len());
        let mut starts = Vec::with_capacity(events.records() + 1);
        let mut person = Vec::with_capacity(events.records());
        let mut order: Vec<usize> = Vec::new();
        starts.push(0);
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                let span = events.span(record);
                if times[span.clone()].is_sorted_by(|earlier, later| earlier < later) {
                    visits.extend_from_slice(&codes[span]);
                } else {
                    order.clear();
                    order.extend(span);
                    order.sort_by_key(|at| times[*at]);
                    let tie = order.windows(2).find(|pair| times[pair[0]] == times[pair[1]]);
                    if let (Some(pair), Ties::Refuse) = (tie, ties) {
                        return Err(DoubletError::Tie { record: record + 1, time: times[pair[0]] });
                    }
                    order.dedup_by_key(|at| times[*at]);
                    visits.extend(order.iter().map(|at| codes[*at]));
                }
                starts.push(visits.len() as u32);
                person.push(subject as u32);
            }
        }
        let one_record_each = person.is_sorted_by(|earlier, later| earlier < later);
        let mut table = DoubletTable {
            doublets,
            people: events.subjects(),
            subject_records: events.subject_offsets().to_vec(),
            starts,
            visits,
            person,
            holder_starts: Vec::new(),
            holders: Vec::new(),
            one_record_each,
        };
        table.list_holders();
        Ok(table)
    }

    fn list_holders(&mut self) {
        let mut starts = vec![0_u32; self.doublets.len() + 1];
        for doublet in &self.visits {
            starts[*doublet as usize + 1] += 1;
        }
        for doublet in 0..self.doublets.len() {
            starts[doublet + 1] += starts[doublet];
        }
        let mut free = starts.clone();
        let mut holders = vec![0_u32; self.visits.len()];
        for record in 0..self.records() {
            for doublet in &self.visits[self.starts[record] as usize..self.starts[record + 1] as usize] {
                let slot = &mut free[*doublet as usize];
                holders[*slot as usize] = record as u32;
                *slot += 1;
            }
        }
        (self.holder_starts, self.holders) = (starts, holders);
    }

    /// How many distinct doublets the events had, dropped ones included.
    pub fn len(&self) -> usize {
        self.doublets.len()
    }

    /// Whether there is no doublet.
    pub fn is_empty(&self) -> bool {
        self.doublets.is_empty()
    }

    /// The doublet of a number.
    pub fn doublet(&self, doublet: u32) -> Doublet {
        self.doublets[doublet as usize]
    }

    /// Number of people, with or without events.
    pub fn people(&self) -> usize {
        self.people
    }

    /// Number of records, empty ones included.
    pub fn records(&self) -> usize {
        self.person.len()
    }

    /// Number of events, dropped ones not included.
    pub fn events(&self) -> usize {
        self.visits.len()
    }

    /// The doublets of a record, ascending.
    pub fn record(&self, record: u32) -> &[u32] {
        let record = record as usize;
        &self.visits[self.starts[record] as usize..self.starts[record + 1] as usize]
    }

    /// The person of a record.
    pub fn person(&self, record: u32) -> u32 {
        self.person[record as usize]
    }

    /// Whether each person has at most one record, so that counting records is counting people.
    pub fn one_record_each(&self) -> bool {
        self.one_record_each
    }

    /// The records that contain a doublet, ascending.
    pub fn holders(&self, doublet: u32) -> &[u32] {
        let doublet = doublet as usize;
        &self.holders[self.holder_starts[doublet] as usize..self.holder_starts[doublet + 1] as usize]
    }

    /// How many people have the records, which must ascend.
    pub fn people_of(&self, records: &[u32]) -> u64 {
        if self.one_record_each {
            return records.len() as u64;
        }
        records.chunk_by(|earlier, later| self.person(*earlier) == self.person(*later)).count() as u64
    }

    /// The length of the longest record.
    pub fn longest(&self) -> usize {
        self.starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
    }

    /// The same records as timed events, with only those doublets for which `keep(record, doublet)` holds.
    pub fn to_events(&self, mut keep: impl FnMut(u32, u32) -> bool) -> Events {
        let mut items = Vec::with_capacity(self.visits.len());
        let mut times = Vec::with_capacity(self.visits.len());
        let mut record_events = Vec::with_capacity(self.starts.len());
        record_events.push(0);
        for record in 0..self.records() as u32 {
            for doublet in self.record(record) {
                if keep(record, *doublet) {
                    let Doublet { time, item } = self.doublets[*doublet as usize];
                    items.push(item);
                    times.push(time);
                }
            }
            record_events.push(items.len() as u64);
        }
        Events::from_parts(
            EventKind::Sequence,
            self.subject_records.clone(),
            record_events,
            items,
            Some(times),
        )
    }
}

/// The distinct doublets, ascending, and the number of each event's doublet.
fn number(times: &[i64], items: &[ItemId]) -> (Vec<Doublet>, Vec<u32>) {
    let hasher = FixedState::with_seed(0);
    let mut seen: HashTable<u32> = HashTable::new();
    let mut found: Vec<Doublet> = Vec::new();
    let mut codes: Vec<u32> = Vec::with_capacity(items.len());
    for (time, item) in times.iter().zip(items) {
        let doublet = Doublet { time: *time, item: *item };
        let hash = hasher.hash_one(doublet);
        let code = match seen.find(hash, |code| found[*code as usize] == doublet) {
            Some(code) => *code,
            None => {
                let code = found.len() as u32;
                found.push(doublet);
                seen.insert_unique(hash, code, |code| hasher.hash_one(found[*code as usize]));
                code
            }
        };
        codes.push(code);
    }
    let mut order: Vec<u32> = (0..found.len() as u32).collect();
    order.sort_unstable_by_key(|code| found[*code as usize]);
    let mut rank = vec![0_u32; found.len()];
    for (number, code) in order.iter().enumerate() {
        rank[*code as usize] = number as u32;
    }
    for code in &mut codes {
        *code = rank[*code as usize];
    }
    (order.iter().map(|code| found[*code as usize]).collect(), codes)
}

/// Why events are not doublets.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DoubletError {
    /// Events have no times.
    #[error("the events have no times")]
    NoTimes,
    /// Two events of one record at the same time.
    #[error("record {record} has two events at time {time}")]
    Tie {
        /// Number of the record, from 1, records of one subject together.
        record: usize,
        /// When.
        time: i64,
    },
    /// Positions would not fit.
    #[error("{events} events are more than the {} that fit", u32::MAX)]
    TooLarge {
        /// How many there are.
        events: usize,
    },
}

impl Failing for DoubletError {
    fn class(&self) -> Class {
        Class::BadInput
    }

    fn help(&self) -> Option<Help> {
        Some(match self {
            DoubletError::NoTimes => "name the column that holds them with {time COLUMN}".into(),
            DoubletError::Tie { .. } => {
                "give finer times, or keep the first of the events with {resolve-ties first}".into()
            }
            DoubletError::TooLarge { .. } => "publish the data in parts".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use throng_data::EventsBuilder;

    use super::*;

    fn timed(records: &[(u32, &[u32], &[i64])]) -> Events {
        let mut builder = EventsBuilder::new(EventKind::Sequence, true);
        for (subject, items, times) in records {
            builder.push(*subject, items, times);
        }
        builder.finish(records.iter().map(|record| record.0 as usize + 1).max().unwrap_or(0))
    }

    #[test]
    fn doublets_are_numbered_by_time_then_item() {
        let events = timed(&[(0, &[5, 1], &[2, 7]), (1, &[1, 1], &[2, 9]), (0, &[5], &[2])]);
        let table = DoubletTable::new(&events, Ties::Refuse).unwrap();
        let doublets: Vec<(i64, u32)> =
            (0..table.len() as u32).map(|at| (table.doublet(at).time, table.doublet(at).item)).collect();
        assert_eq!(doublets, [(2, 1), (2, 5), (7, 1), (9, 1)]);
        assert_eq!(table.holders(1), [0, 1]);
        assert_eq!((table.people_of(table.holders(1)), table.one_record_each()), (1, false));
        assert_eq!(table.to_events(|_, _| true), events);
    }

    #[test]
    fn two_events_at_one_time_are_refused_or_the_first_is_kept() {
        let events = timed(&[(0, &[3], &[1]), (1, &[4, 5, 6], &[8, 2, 8])]);
        let refused = DoubletTable::new(&events, Ties::Refuse).unwrap_err();
        assert_eq!(refused, DoubletError::Tie { record: 2, time: 8 });
        assert_eq!(refused.class(), Class::BadInput);
        let table = DoubletTable::new(&events, Ties::KeepFirst).unwrap();
        let kept = table.to_events(|_, _| true);
        assert_eq!((kept.record(1), kept.times_of(1)), (&[5, 4][..], Some(&[2, 8][..])));
        assert_eq!(
            DoubletTable::new(&events.without_times(), Ties::Refuse).unwrap_err(),
            DoubletError::NoTimes
        );
    }
}
