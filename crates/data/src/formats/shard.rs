//! The records of some of the people of a file: of all of them, or of one shard.

use std::fmt::Write;

use rayon::join;

use super::columns::{Bucket, Run};
use super::record_names::RecordNames;
use crate::{Dictionary, EventKind, ItemId};

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

/// The events so far.
#[derive(Debug)]
pub(super) struct Shard {
    keying: Keying,
    subjects: Dictionary,
    ids: Vec<ItemId>,
    times: Option<Vec<i64>>,
    /// Ends of runs in `ids`, after a leading zero.
    run_ends: Vec<u64>,
    /// The record of each run; `None` while run `i` is record `i`.
    run_records: Option<Vec<u32>>,
    /// The subject of each record; empty while record `i` is subject `i`.
    record_subjects: Vec<u32>,
    /// Only for [`Keying::SubjectAndRecord`].
    record_names: RecordNames,
    /// The number of a record as text; only for [`Keying::Anonymous`].
    number: String,
    records: u32,
    last: Option<u32>,
}

/// Records of a subject side by side, events of a record side by side and in order; subjects and the records of each by
/// first appearance.
#[derive(Debug)]
pub(super) struct Grouped {
    pub subjects: Dictionary,
    pub subject_records: Vec<u32>,
    pub record_events: Vec<u64>,
    pub ids: Vec<ItemId>,
    pub times: Option<Vec<i64>>,
}

impl Shard {
    pub fn new(keying: Keying, timed: bool) -> Self {
        Shard {
            keying,
            subjects: Dictionary::new(),
            ids: Vec::new(),
            times: timed.then(Vec::new),
            run_ends: vec![0],
            run_records: None,
            record_subjects: Vec::new(),
            record_names: RecordNames::default(),
            number: String::new(),
            records: 0,
            last: None,
        }
    }

    /// Number of records so far.
    pub fn records(&self) -> u32 {
        self.records
    }

    /// Adds the next events; `image` has the number in the file of each item of the block, and `met` is told the numbers of the
    /// runs in which a subject appears for the first time.
    pub fn append(&mut self, bucket: &Bucket, image: &[ItemId], mut met: impl FnMut(u32)) {
        self.ids.extend(bucket.ids.iter().map(|id| image[*id as usize]));
        if let Some(times) = &mut self.times {
            times.extend_from_slice(&bucket.times);
        }
        for (run, subject, record, _) in bucket.named_runs() {
            let known = self.subjects.len();
            self.append_run(run, subject, record);
            if self.subjects.len() > known {
                met(run.number);
            }
        }
    }

    fn append_run(&mut self, run: Run, subject: &str, record: &str) {
        let end = self.run_ends.last().copied().unwrap_or_default() + u64::from(run.events);
        let record = match self.keying {
            Keying::Subject => self.subjects.intern_hashed(subject, run.hash),
            Keying::SubjectAndRecord => {
                let subject = self.subjects.intern_hashed(subject, run.hash);
                let record = self.record_names.intern(subject, record, run.record_hash);
                if record == self.records {
                    self.record_subjects.push(subject);
                }
                record
            }
            Keying::Run => {
                let subject = self.subjects.intern_hashed(subject, run.hash);
                self.record_subjects.push(subject);
                self.records
            }
            Keying::Anonymous => {
                self.number.clear();
                // Writing to a `String` cannot fail.
                let _ = write!(self.number, "{}", self.records + 1);
                self.subjects.intern(&self.number)
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

    /// The times so far, to be set right.
    pub fn times_mut(&mut self) -> impl Iterator<Item = &mut i64> {
        self.times.iter_mut().flatten()
    }

    /// Lays the events of each record together, and sorts them by time if they have one.
    pub fn finish(mut self, kind: EventKind) -> Grouped {
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
        if kind == EventKind::Set {
            self.sort_sets();
        }
        Grouped {
            subjects: self.subjects,
            subject_records,
            record_events: self.run_ends,
            ids: self.ids,
            times: self.times,
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
