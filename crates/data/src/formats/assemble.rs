//! Puts the blocks of a file together, in file order, into one dataset.
//!
//! Numbers of subjects and items follow first appearance in the file, whatever the blocks were. When the rows of
//! each record lie together, as in most files, the columns are used as they came; otherwise one counting pass
//! moves every run to its place.

use std::fmt::Write;
use std::sync::Arc;

use rayon::join;

use super::columns::Columns;
use crate::{Dataset, Dictionary, EventKind, Events, ItemId};

/// What makes a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keying {
    /// All events of a subject.
    Subject,
    /// All events with the same subject and record name.
    SubjectAndRecord,
    /// Every run, of the subject it names.
    Run,
    /// Every run, each of a subject of its own, named by its number.
    Anonymous,
}

/// The events of a file so far.
#[derive(Debug)]
pub(super) struct Assembly {
    keying: Keying,
    kind: EventKind,
    subjects: Dictionary,
    items: Dictionary,
    ids: Vec<ItemId>,
    times: Option<Vec<i64>>,
    /// Ends of runs in `ids`, after a leading zero.
    run_ends: Vec<u64>,
    /// The record of each run; `None` while run `i` is record `i`.
    run_records: Option<Vec<u32>>,
    /// The subject of each record; empty while record `i` is subject `i`.
    record_subjects: Vec<u32>,
    /// Names `subject number, blank, record name`; only for [`Keying::SubjectAndRecord`].
    keys: Dictionary,
    key: String,
    records: u32,
    last: Option<u32>,
}

impl Assembly {
    pub fn new(keying: Keying, kind: EventKind, timed: bool) -> Self {
        Assembly {
            keying,
            kind,
            subjects: Dictionary::new(),
            items: Dictionary::new(),
            ids: Vec::new(),
            times: timed.then(Vec::new),
            run_ends: vec![0],
            run_records: None,
            record_subjects: Vec::new(),
            keys: Dictionary::new(),
            key: String::new(),
            records: 0,
            last: None,
        }
    }

    /// Number of records so far.
    pub fn records(&self) -> u32 {
        self.records
    }

    /// Adds the next block of the file.
    pub fn append(&mut self, columns: &Columns) {
        let image: Vec<ItemId> = columns.items.names().map(|name| self.items.intern(name)).collect();
        self.ids.extend(columns.ids.iter().map(|id| image[*id as usize]));
        if let Some(times) = &mut self.times {
            times.extend_from_slice(&columns.times);
        }
        let mut rest = columns.names.as_str();
        for run in &columns.runs {
            let (subject, tail) = rest.split_at(run.subject as usize);
            let (record, tail) = tail.split_at(run.record as usize);
            rest = tail;
            self.append_run(subject, run.hash, record, u64::from(run.events));
        }
    }

    fn append_run(&mut self, subject: &str, hash: u32, record: &str, events: u64) {
        let end = self.run_ends.last().copied().unwrap_or_default() + events;
        let record = match self.keying {
            Keying::Subject => self.subjects.intern_hashed(subject, hash),
            Keying::SubjectAndRecord => {
                let subject = self.subjects.intern_hashed(subject, hash);
                self.key.clear();
                // Writing to a `String` cannot fail.
                let _ = write!(self.key, "{subject} {record}");
                let key = self.keys.intern(&self.key);
                if key == self.records {
                    self.record_subjects.push(subject);
                }
                key
            }
            Keying::Run => {
                let subject = self.subjects.intern_hashed(subject, hash);
                self.record_subjects.push(subject);
                self.records
            }
            Keying::Anonymous => {
                self.key.clear();
                let _ = write!(self.key, "{}", self.records + 1);
                self.subjects.intern(&self.key)
            }
        };
        if self.last == Some(record) {
            if let Some(last) = self.run_ends.last_mut() {
                *last = end;
            }
            return;
        }
        self.last = Some(record);
        if record == self.records {
            self.records += 1;
        } else if self.run_records.is_none() {
            self.run_records = Some((0..self.records).collect());
        }
        if let Some(records) = &mut self.run_records {
            records.push(record);
        }
        self.run_ends.push(end);
    }

    /// The dataset: records of a subject side by side, events of a record side by side and in order.
    pub fn finish(mut self) -> Dataset {
        let records = self.records as usize;
        let subjects = self.subjects.len();
        let (subject_records, place) = if self.record_subjects.is_empty() {
            ((0..=self.records).collect(), None)
        } else {
            place_by_subject(&self.record_subjects, subjects)
        };
        if place.is_some() || self.run_records.is_some() {
            self.regroup(records, place.as_deref());
        }
        let (ids, run_ends) = (&mut self.ids[..], &self.run_ends[..]);
        if let Some(times) = &mut self.times {
            sort_by_time(ids, times, run_ends);
        }
        if self.kind == EventKind::Set {
            self.sort_sets();
        }
        self.subjects.shrink_to_fit();
        let events = Events::from_parts(self.kind, subject_records, self.run_ends, self.ids, self.times);
        Dataset {
            subjects: self.subjects,
            items: Arc::new(self.items),
            events,
            places: None,
            attributes: None,
        }
    }

    /// Moves every run behind the earlier runs of its record, and records to their places.
    fn regroup(&mut self, records: usize, place: Option<&[u32]>) {
        let runs = self.run_ends.len() - 1;
        let home = |run: usize| {
            let record = self.run_records.as_ref().map_or(run as u32, |records| records[run]);
            place.map_or(record, |place| place[record as usize]) as usize
        };
        let mut ends = vec![0_u64; records + 1];
        for run in 0..runs {
            ends[home(run) + 1] += self.run_ends[run + 1] - self.run_ends[run];
        }
        for record in 0..records {
            ends[record + 1] += ends[record];
        }
        // One column after the other, so that one is doubled at a time.
        self.ids = scatter(&self.ids, &self.run_ends, &ends, home);
        let times = self.times.as_ref().map(|times| scatter(times, &self.run_ends, &ends, home));
        self.times = times;
        self.run_records = None;
        self.run_ends = ends;
    }

    /// Puts the items of each record in ascending order, once each.
    fn sort_sets(&mut self) {
        let (mut kept, mut from) = (0, 0);
        for end in &mut self.run_ends[1..] {
            let to = *end as usize;
            self.ids[from..to].sort_unstable();
            let first = kept;
            for at in from..to {
                if kept == first || self.ids[at] != self.ids[kept - 1] {
                    self.ids[kept] = self.ids[at];
                    kept += 1;
                }
            }
            from = to;
            *end = kept as u64;
        }
        self.ids.truncate(kept);
    }
}

/// Offsets of subjects into records, and where each record goes unless all stay where they are.
fn place_by_subject(record_subjects: &[u32], subjects: usize) -> (Vec<u32>, Option<Vec<u32>>) {
    let mut offsets = vec![0_u32; subjects + 1];
    for subject in record_subjects {
        offsets[*subject as usize + 1] += 1;
    }
    for subject in 0..subjects {
        offsets[subject + 1] += offsets[subject];
    }
    if record_subjects.is_sorted() {
        return (offsets, None);
    }
    let mut cursor = offsets[..subjects].to_vec();
    let place = record_subjects.iter().map(|subject| {
        let at = &mut cursor[*subject as usize];
        *at += 1;
        *at - 1
    });
    let place = place.collect();
    (offsets, Some(place))
}

/// The values of every run, behind those of the earlier runs of its record.
fn scatter<T: Copy + Default>(
    values: &[T],
    run_ends: &[u64],
    record_ends: &[u64],
    record_of: impl Fn(usize) -> usize,
) -> Vec<T> {
    let mut moved = vec![T::default(); values.len()];
    let mut cursor = record_ends[..record_ends.len() - 1].to_vec();
    for (run, bounds) in run_ends.windows(2).enumerate() {
        let values = &values[bounds[0] as usize..bounds[1] as usize];
        let at = &mut cursor[record_of(run)];
        let start = *at as usize;
        // Most runs of a file in time order are single events.
        if let [value] = values {
            moved[start] = *value;
        } else {
            moved[start..start + values.len()].copy_from_slice(values);
        }
        *at += values.len() as u64;
    }
    moved
}

/// Records this small are sorted without looking for a second thread.
const SORT_ALONE: usize = 1 << 16;

/// Sorts the events of each record by time; events of the same time keep their order.
fn sort_by_time(ids: &mut [ItemId], times: &mut [i64], ends: &[u64]) {
    let records = ends.len() - 1;
    if records > 1 && ids.len() > SORT_ALONE {
        let middle = records / 2;
        let cut = (ends[middle] - ends[0]) as usize;
        let (left_ids, right_ids) = ids.split_at_mut(cut);
        let (left_times, right_times) = times.split_at_mut(cut);
        join(
            || sort_by_time(left_ids, left_times, &ends[..=middle]),
            || sort_by_time(right_ids, right_times, &ends[middle..]),
        );
        return;
    }
    let mut pairs: Vec<(i64, ItemId)> = Vec::new();
    for bounds in ends.windows(2) {
        let span = (bounds[0] - ends[0]) as usize..(bounds[1] - ends[0]) as usize;
        let (ids, times) = (&mut ids[span.clone()], &mut times[span]);
        if times.is_sorted() {
            continue;
        }
        pairs.clear();
        pairs.extend(times.iter().copied().zip(ids.iter().copied()));
        pairs.sort_by_key(|(time, _)| *time);
        for (at, (time, id)) in pairs.iter().enumerate() {
            (times[at], ids[at]) = (*time, *id);
        }
    }
}
