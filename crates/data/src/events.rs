//! Who did what, in which order.
//!
//! Compressed rows at two levels: subject → its records, record → its events. Records of one subject lie
//! next to each other, so that counting people means walking subjects, never looking a person up. Record order
//! within a subject, and subject order, are those of first appearance in the input.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::ItemId;

/// Whether the order of events inside a record means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// Ordered, items may repeat.
    Sequence,
    /// Unordered; stored in ascending item order without repeats.
    Set,
    /// No events: the data are a table. Every subject has one empty record.
    #[serde(rename = "table")]
    Absent,
}

/// The events of all records of all subjects. Subjects are numbered `0..subjects()`, records `0..records()`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
    kind: EventKind,
    /// `subject_records[s]..subject_records[s + 1]` are the records of subject `s`.
    subject_records: Vec<u32>,
    /// `record_events[r]..record_events[r + 1]` are the events of record `r`.
    record_events: Vec<u64>,
    items: Vec<ItemId>,
    times: Option<Vec<i64>>,
}

impl Events {
    /// Puts together columns that already have this layout.
    ///
    /// # Panics
    /// When the offsets do not fit together; readers and methods construct them, users cannot.
    pub fn from_parts(
        kind: EventKind,
        subject_records: Vec<u32>,
        record_events: Vec<u64>,
        items: Vec<ItemId>,
        times: Option<Vec<i64>>,
    ) -> Self {
        assert_eq!(subject_records.first(), Some(&0));
        assert_eq!(record_events.first(), Some(&0));
        assert_eq!(subject_records.last().map(|last| *last as usize), Some(record_events.len() - 1));
        assert_eq!(record_events.last().map(|last| *last as usize), Some(items.len()));
        assert!(times.as_ref().is_none_or(|times| times.len() == items.len()));
        debug_assert!(subject_records.is_sorted() && record_events.is_sorted());
        Events { kind, subject_records, record_events, items, times }
    }

    /// Sequence or set.
    #[inline]
    pub fn kind(&self) -> EventKind {
        self.kind
    }

    /// Number of subjects, with or without events.
    #[inline]
    pub fn subjects(&self) -> usize {
        self.subject_records.len() - 1
    }

    /// Number of records, empty ones included.
    #[inline]
    pub fn records(&self) -> usize {
        self.record_events.len() - 1
    }

    /// Number of events.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The records of a subject.
    #[inline]
    pub fn records_of(&self, subject: usize) -> Range<usize> {
        self.subject_records[subject] as usize..self.subject_records[subject + 1] as usize
    }

    /// The subject of a record.
    pub fn subject_of(&self, record: usize) -> usize {
        self.subject_records.partition_point(|first| *first as usize <= record) - 1
    }

    /// The positions of a record's events in [`Events::items`].
    #[inline]
    pub fn span(&self, record: usize) -> Range<usize> {
        self.record_events[record] as usize..self.record_events[record + 1] as usize
    }

    /// The items of a record, in order.
    #[inline]
    pub fn record(&self, record: usize) -> &[ItemId] {
        &self.items[self.span(record)]
    }

    /// The times of a record's events, if events have times.
    #[inline]
    pub fn times_of(&self, record: usize) -> Option<&[i64]> {
        self.times.as_ref().map(|times| &times[self.span(record)])
    }

    /// The items of all events, record after record.
    #[inline]
    pub fn items(&self) -> &[ItemId] {
        &self.items
    }

    /// The times of all events, record after record.
    #[inline]
    pub fn times(&self) -> Option<&[i64]> {
        self.times.as_deref()
    }

    /// Offsets of subjects into records; one more than there are subjects.
    pub fn subject_offsets(&self) -> &[u32] {
        &self.subject_records
    }

    /// Offsets of records into events; one more than there are records.
    pub fn record_offsets(&self) -> &[u64] {
        &self.record_events
    }

    /// How many people have each of `size` items.
    pub fn people_by_item(&self, size: usize) -> Vec<u64> {
        let (mut people, mut last) = (vec![0; size], vec![0_usize; size]);
        for subject in 0..self.subjects() {
            for item in self.records_of(subject).flat_map(|record| self.record(record)) {
                let item = *item as usize;
                if last[item] != subject + 1 {
                    last[item] = subject + 1;
                    people[item] += 1;
                }
            }
        }
        people
    }

    /// The same events with every item replaced, keeping times only if asked.
    #[must_use]
    pub fn recode(&self, image: impl Fn(ItemId) -> ItemId, keep_times: bool) -> Events {
        Events {
            kind: self.kind,
            subject_records: self.subject_records.clone(),
            record_events: self.record_events.clone(),
            items: self.items.iter().map(|item| image(*item)).collect(),
            times: if keep_times { self.times.clone() } else { None },
        }
    }

    /// The same records with only those events for which `keep(record, position in record, item)` holds.
    #[must_use]
    pub fn retain(&self, mut keep: impl FnMut(usize, usize, ItemId) -> bool) -> Events {
        let mut items = Vec::with_capacity(self.items.len());
        let mut times = self.times.as_ref().map(|times| Vec::with_capacity(times.len()));
        let mut record_events = Vec::with_capacity(self.record_events.len());
        record_events.push(0);
        for record in 0..self.records() {
            for (position, at) in self.span(record).enumerate() {
                if keep(record, position, self.items[at]) {
                    items.push(self.items[at]);
                    if let (Some(times), Some(all)) = (&mut times, &self.times) {
                        times.push(all[at]);
                    }
                }
            }
            record_events.push(items.len() as u64);
        }
        Events { kind: self.kind, subject_records: self.subject_records.clone(), record_events, items, times }
    }

    /// The same records, each its own subject: for algorithms whose letter counts records rather than people.
    #[must_use]
    pub fn one_subject_per_record(mut self) -> Events {
        self.subject_records = (0..=self.records() as u32).collect();
        self
    }

    /// The same records with the subjects of `other`, which must have as many records.
    #[must_use]
    pub fn with_subjects_of(mut self, other: &Events) -> Events {
        assert_eq!(self.records(), other.records());
        self.subject_records.clone_from(&other.subject_records);
        self
    }

    /// The same records without order, repeats and times.
    #[must_use]
    pub fn as_sets(&self) -> Events {
        let mut sets = EventsBuilder::new(EventKind::Set, false);
        for subject in 0..self.subjects() {
            for record in self.records_of(subject) {
                sets.push(subject as u32, self.record(record), &[]);
            }
        }
        sets.finish(self.subjects())
    }

    /// The same events without times.
    #[must_use]
    pub fn without_times(mut self) -> Events {
        self.times = None;
        self
    }
}

/// Collects records in any subject order.
#[derive(Debug)]
pub struct EventsBuilder {
    kind: EventKind,
    subjects: Vec<u32>,
    record_events: Vec<u64>,
    items: Vec<ItemId>,
    times: Option<Vec<i64>>,
}

impl EventsBuilder {
    /// Starts with no record.
    pub fn new(kind: EventKind, timed: bool) -> Self {
        EventsBuilder {
            kind,
            subjects: Vec::new(),
            record_events: vec![0],
            items: Vec::new(),
            // Sets lose order and repeats, so a time would belong to no item.
            times: (timed && kind != EventKind::Set).then(Vec::new),
        }
    }

    /// No events: one empty record for each of `subjects`, as a table has them.
    pub fn absent(subjects: usize) -> Events {
        Events {
            kind: EventKind::Absent,
            subject_records: (0..=subjects as u32).collect(),
            record_events: vec![0; subjects + 1],
            items: Vec::new(),
            times: None,
        }
    }

    /// Adds a record of a subject. Subjects are numbered densely from 0 by first appearance; `times` is used
    /// only if the builder is timed, and must then be as long as `items`.
    pub fn push(&mut self, subject: u32, items: &[ItemId], times: &[i64]) {
        let start = self.items.len();
        self.items.extend_from_slice(items);
        if self.kind == EventKind::Set {
            self.items[start..].sort_unstable();
            let mut kept = start;
            for at in start..self.items.len() {
                if at == start || self.items[at] != self.items[kept - 1] {
                    self.items[kept] = self.items[at];
                    kept += 1;
                }
            }
            self.items.truncate(kept);
        }
        if let Some(all) = &mut self.times {
            all.extend_from_slice(times);
        }
        self.subjects.push(subject);
        self.record_events.push(self.items.len() as u64);
    }

    /// Lays records of one subject next to each other. `subjects` is their number, at least the largest seen + 1.
    pub fn finish(self, subjects: usize) -> Events {
        let mut subject_records = vec![0_u32; subjects + 1];
        for subject in &self.subjects {
            subject_records[*subject as usize + 1] += 1;
        }
        for subject in 0..subjects {
            subject_records[subject + 1] += subject_records[subject];
        }
        if self.subjects.is_sorted() {
            return Events {
                kind: self.kind,
                subject_records,
                record_events: self.record_events,
                items: self.items,
                times: self.times,
            };
        }
        let mut order: Vec<u32> = (0..self.subjects.len() as u32).collect();
        order.sort_by_key(|record| self.subjects[*record as usize]);
        let mut items = Vec::with_capacity(self.items.len());
        let mut times = self.times.as_ref().map(|times| Vec::with_capacity(times.len()));
        let mut record_events = Vec::with_capacity(self.record_events.len());
        record_events.push(0);
        for record in order {
            let record = record as usize;
            let span = self.record_events[record] as usize..self.record_events[record + 1] as usize;
            items.extend_from_slice(&self.items[span.clone()]);
            if let (Some(times), Some(all)) = (&mut times, &self.times) {
                times.extend_from_slice(&all[span]);
            }
            record_events.push(items.len() as u64);
        }
        Events { kind: self.kind, subject_records, record_events, items, times }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_one_subject_lie_together_in_input_order() {
        let mut builder = EventsBuilder::new(EventKind::Sequence, true);
        builder.push(0, &[5, 6], &[1, 2]);
        builder.push(1, &[7], &[3]);
        builder.push(0, &[8], &[4]);
        let events = builder.finish(2);
        assert_eq!(events.records_of(0), 0..2);
        assert_eq!(events.record(1), [8]);
        assert_eq!(events.times_of(2), Some(&[3][..]));
        assert_eq!((0..3).map(|record| events.subject_of(record)).collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn sets_are_sorted_and_free_of_repeats() {
        let mut builder = EventsBuilder::new(EventKind::Set, false);
        builder.push(0, &[3, 1, 3], &[]);
        builder.push(1, &[], &[]);
        let events = builder.finish(2);
        assert_eq!(events.record(0), [1, 3]);
        assert!(events.record(1).is_empty());
    }

    #[test]
    fn order_and_repeats_are_dropped_for_sets() {
        let mut builder = EventsBuilder::new(EventKind::Sequence, true);
        builder.push(0, &[2, 1, 2], &[1, 2, 3]);
        builder.push(1, &[1], &[4]);
        let sets = builder.finish(2).as_sets();
        assert_eq!((sets.kind(), sets.times()), (EventKind::Set, None));
        assert_eq!((sets.record(0), sets.record(1)), (&[1, 2][..], &[1][..]));
    }

    #[test]
    fn retaining_keeps_records_that_lose_everything() {
        let mut builder = EventsBuilder::new(EventKind::Sequence, false);
        builder.push(0, &[1, 2], &[]);
        builder.push(1, &[2], &[]);
        let events = builder.finish(2).retain(|_, _, item| item != 2);
        assert_eq!((events.records(), events.record(0), events.record(1).len()), (2, &[1][..], 0));
    }
}
