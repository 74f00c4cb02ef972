//! The events of one block, dictionary-coded on their own, on their way to the dataset.

use crate::{Dictionary, ItemId};

/// Consecutive events of one record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Bytes of the subject's name in [`Columns::names`].
    pub subject: u32,
    /// Bytes of the record's name after it.
    pub record: u32,
    /// Hash of the subject's name: computed here, where several threads share the work.
    pub hash: u32,
    /// Number of events.
    pub events: u32,
}

/// The events of a block in file order, as runs. Items have numbers of the block's own.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub items: Dictionary,
    pub ids: Vec<ItemId>,
    pub times: Vec<i64>,
    /// Subject and record names of all runs, one after the other.
    pub names: String,
    pub runs: Vec<Run>,
    /// Where the names of the last run begin.
    last: usize,
}

impl Columns {
    /// Forgets the events and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.ids.clear();
        self.times.clear();
        self.names.clear();
        self.runs.clear();
        self.last = 0;
    }

    /// Opens a run unless the last one has the same names already.
    pub fn continue_run(&mut self, subject: &str, record: &str) {
        if let Some(run) = self.runs.last() {
            let names = &self.names.as_bytes()[self.last..];
            let (old_subject, old_record) = names.split_at(run.subject as usize);
            if old_subject == subject.as_bytes() && old_record == record.as_bytes() {
                return;
            }
        }
        self.open_run(subject, record);
    }

    /// Opens a run whatever the last one was.
    pub fn open_run(&mut self, subject: &str, record: &str) {
        self.last = self.names.len();
        self.names.push_str(subject);
        self.names.push_str(record);
        self.runs.push(Run {
            subject: subject.len() as u32,
            record: record.len() as u32,
            hash: self.items.hash(subject),
            events: 0,
        });
    }

    /// Adds an event to the open run.
    pub fn push(&mut self, item: &str) {
        self.ids.push(self.items.intern(item));
        if let Some(run) = self.runs.last_mut() {
            run.events += 1;
        }
    }

    /// Adds an event with a time to the open run.
    pub fn push_at(&mut self, item: &str, time: i64) {
        self.push(item);
        self.times.push(time);
    }
}
