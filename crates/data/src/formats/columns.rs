//! The events of one block, dictionary-coded on their own, on their way to the dataset.
//!
//! A block deals its runs to one bucket or to [`SHARDS`] of them, by the hash of the person's name. One is enough while the
//! rows of a person lie together. In a log in time order they do not: every row then asks for another person, and what is
//! known of a million people is far larger than a cache. With buckets, one shard of the people is looked at at a time.

use super::belongings::Kept;
use crate::{Dictionary, ItemId};

/// How many shards people are dealt to where their rows are scattered: a shard of a million people then fits into a
/// core's cache, and a block still has some hundred rows for each.
pub(super) const SHARDS: usize = 64;

/// Consecutive events of one record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Bytes of the subject's name in [`Bucket::names`].
    pub subject: u32,
    /// Bytes of the record's name after it.
    pub record: u32,
    /// Hash of the subject's name: computed here, where several threads share the work.
    pub hash: u32,
    /// Hash of the record's name.
    pub record_hash: u32,
    /// Number of events.
    pub events: u32,
    /// Number of the run in its block.
    pub number: u32,
}

/// Events of a block whose people belong to one shard, in file order, as runs.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    pub ids: Vec<ItemId>,
    pub times: Vec<i64>,
    /// Subject and record names of all runs, one after the other.
    pub names: String,
    pub runs: Vec<Run>,
    /// Where the names of the last run begin.
    last: usize,
}

impl Bucket {
    fn clear(&mut self) {
        self.ids.clear();
        self.times.clear();
        self.names.clear();
        self.runs.clear();
        self.last = 0;
    }

    /// Whether the last run has these names.
    fn continues(&self, subject: &str, record: &str) -> bool {
        self.runs.last().is_some_and(|run| {
            let names = &self.names.as_bytes()[self.last..];
            let (old_subject, old_record) = names.split_at(run.subject as usize);
            old_subject == subject.as_bytes() && old_record == record.as_bytes()
        })
    }

    /// The runs with the names of their subject and record, and where their events begin.
    pub fn named_runs(&self) -> impl Iterator<Item = (Run, &str, &str, usize)> {
        let (mut rest, mut first) = (self.names.as_str(), 0);
        self.runs.iter().map(move |run| {
            let (subject, tail) = rest.split_at(run.subject as usize);
            let (record, tail) = tail.split_at(run.record as usize);
            rest = tail;
            let from = first;
            first += run.events as usize;
            (*run, subject, record, from)
        })
    }
}

/// The events of a block. Items have numbers of the block's own.
#[derive(Debug)]
pub(super) struct Columns {
    pub items: Dictionary,
    pub buckets: Vec<Bucket>,
    /// Columns that belong to people or items.
    pub kept: Vec<Kept>,
    /// The bucket of the last run.
    open: usize,
    runs: u32,
}

impl Columns {
    /// No events yet, for `shards` of people: one, or [`SHARDS`].
    pub fn new(shards: usize) -> Self {
        let buckets = (0..shards).map(|_| Bucket::default()).collect();
        Columns { items: Dictionary::new(), buckets, kept: Vec::new(), open: 0, runs: 0 }
    }

    /// Forgets the events and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.buckets.iter_mut().for_each(Bucket::clear);
        self.kept.iter_mut().for_each(Kept::clear);
        (self.open, self.runs) = (0, 0);
    }

    /// Number of runs.
    pub fn runs(&self) -> usize {
        self.runs as usize
    }

    /// Number of events.
    pub fn events(&self) -> usize {
        self.buckets.iter().map(|bucket| bucket.ids.len()).sum()
    }

    /// Opens a run unless the last one has the same names already.
    pub fn continue_run(&mut self, subject: &str, record: &str) {
        if !self.buckets[self.open].continues(subject, record) {
            self.open_run(subject, record);
        }
    }

    /// Opens a run whatever the last one was.
    pub fn open_run(&mut self, subject: &str, record: &str) {
        let hash = self.items.hash(subject);
        self.open = shard_of(hash, self.buckets.len());
        let bucket = &mut self.buckets[self.open];
        bucket.last = bucket.names.len();
        bucket.names.push_str(subject);
        bucket.names.push_str(record);
        bucket.runs.push(Run {
            subject: subject.len() as u32,
            record: record.len() as u32,
            hash,
            record_hash: if record.is_empty() { 0 } else { self.items.hash(record) },
            events: 0,
            number: self.runs,
        });
        self.runs += 1;
    }

    /// Adds an event to the open run.
    pub fn push(&mut self, item: &str) {
        let item = self.items.intern(item);
        self.push_known(item, None);
    }

    /// Adds an event to the open run, perhaps with a time; the item is one of the block's own.
    pub fn push_known(&mut self, item: ItemId, time: Option<i64>) {
        let bucket = &mut self.buckets[self.open];
        bucket.ids.push(item);
        bucket.times.extend(time);
        if let Some(run) = bucket.runs.last_mut() {
            run.events += 1;
        }
    }

    /// Adds an event with a time to the open run.
    pub fn push_at(&mut self, item: &str, time: i64) {
        let item = self.items.intern(item);
        self.push_known(item, Some(time));
    }

    /// Keeps the value of a person or an item in a column that belongs to them.
    pub fn keep(&mut self, number: usize, owner: &str, value: &str) {
        if number >= self.kept.len() {
            self.kept.resize_with(number + 1, Kept::default);
        }
        self.kept[number].keep(owner, value);
    }

    /// The same events, dealt to [`SHARDS`] buckets.
    pub fn dealt(self) -> Columns {
        if self.buckets.len() == SHARDS {
            return self;
        }
        let mut dealt = Columns::new(SHARDS);
        for bucket in &self.buckets {
            for (run, subject, record, from) in bucket.named_runs() {
                dealt.open_run(subject, record);
                let to = from + run.events as usize;
                let target = &mut dealt.buckets[dealt.open];
                target.ids.extend_from_slice(&bucket.ids[from..to]);
                target.times.extend_from_slice(bucket.times.get(from..to).unwrap_or_default());
                if let Some(last) = target.runs.last_mut() {
                    last.events = run.events;
                }
            }
        }
        dealt.items = self.items;
        dealt.kept = self.kept;
        dealt
    }
}

/// The shard of a person, by the high bits of the hash: the index of a shard's dictionary works with the low ones.
fn shard_of(hash: u32, shards: usize) -> usize {
    ((u64::from(hash) * shards as u64) >> 32) as usize
}
