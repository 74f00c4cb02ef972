//! Every sequence of original doublets that released records may contain, where released items overlap.
//!
//! A known doublet is an original item at a time; a released event of that time that covers the item may be it, and one
//! event is one doublet. Of several known doublets of the same time each needs an event of its own, so a record fits when
//! they can be matched with different events. Original items that are covered alike are counted as one class; a sequence
//! may hold as many doublets of a class as it has items.
//!
//! # Cost
//! Every occurrence of every sequence of up to `L` classes, without the shortcuts of the walk over released doublets.
//! It is taken only when that walk does not settle the answer.

use throng_contract::{Cancelled, Progress};
use throng_data::Release;

use super::visits::Sensitive;
use super::walk::{Bounds, Findings};
use crate::cover::Cover;

/// The records of a release as what they may be.
pub(super) struct Possible {
    cover: Cover,
    /// Time and class of each doublet that may occur, ascending.
    doublets: Vec<(i64, u32)>,
    records: Vec<Record>,
}

struct Record {
    person: u32,
    /// Doublets that the record may hold, ascending.
    doublets: Vec<u32>,
    /// Its events by time: the time, and the doublets that the event may be.
    events: Vec<(i64, Vec<u32>)>,
}

impl Possible {
    /// Reads a release with times.
    pub fn collect(release: &Release, cover: Cover) -> Self {
        let events = release.events();
        let times = events.times().unwrap_or_default();
        let pairs = || times.iter().copied().zip(events.items());
        let mut doublets: Vec<(i64, u32)> = pairs()
            .flat_map(|(time, item)| cover.of(*item).iter().map(move |class| (time, *class)))
            .collect();
        doublets.sort_unstable();
        doublets.dedup();
        let code = |time, class| doublets.binary_search(&(time, class)).unwrap_or_default() as u32;
        let mut records = Vec::new();
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                let mut visits: Vec<(i64, Vec<u32>)> = events
                    .span(record)
                    .map(|at| {
                        let time = times[at];
                        let classes = cover.of(events.items()[at]);
                        (time, classes.iter().map(|class| code(time, *class)).collect())
                    })
                    .collect();
                visits.sort_unstable();
                let mut own: Vec<u32> = visits.iter().flat_map(|(_, doublets)| doublets).copied().collect();
                own.sort_unstable();
                own.dedup();
                records.push(Record { person: subject as u32, doublets: own, events: visits });
            }
        }
        Possible { cover, doublets, records }
    }

    /// A doublet as people read it: `item@time`.
    pub fn written(&self, doublet: u32) -> String {
        let (time, class) = self.doublets[doublet as usize];
        format!("{}@{time}", self.cover.name(class))
    }

    /// Judges every sequence of 1 to `L` doublets. A broken one is not extended.
    pub fn explore(
        &self,
        sensitive: &Sensitive,
        bounds: &Bounds,
        findings: &mut Findings,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let everyone: Vec<u32> = (0..self.records.len() as u32).collect();
        let mut walk = Walk { possible: self, sensitive, bounds, findings, progress };
        walk.extend(&mut Vec::new(), &everyone)
    }

    /// Whether the doublets of one time, the last of the sequence, can be matched with different events of a record.
    fn fits(&self, record: &Record, sequence: &[u32]) -> bool {
        let time = |doublet: u32| self.doublets[doublet as usize].0;
        let Some(last) = sequence.last() else { return true };
        let known = &sequence[sequence.partition_point(|doublet| time(*doublet) < time(*last))..];
        if known.len() == 1 {
            return true;
        }
        let from = record.events.partition_point(|(at, _)| *at < time(*last));
        let to = record.events.partition_point(|(at, _)| *at <= time(*last));
        let events = &record.events[from..to];
        let mut taken: Vec<Option<usize>> = vec![None; events.len()];
        (0..known.len()).all(|at| place(at, known, events, &mut taken, &mut vec![false; events.len()]))
    }
}

/// Finds an event for the known doublet, moving others to other events where that is needed.
fn place(
    at: usize,
    known: &[u32],
    events: &[(i64, Vec<u32>)],
    taken: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for event in 0..events.len() {
        if tried[event] || events[event].1.binary_search(&known[at]).is_err() {
            continue;
        }
        tried[event] = true;
        if taken[event].is_none_or(|other| place(other, known, events, taken, tried)) {
            taken[event] = Some(at);
            return true;
        }
    }
    false
}

struct Walk<'a> {
    possible: &'a Possible,
    sensitive: &'a Sensitive,
    bounds: &'a Bounds,
    findings: &'a mut Findings,
    progress: &'a Progress,
}

impl Walk<'_> {
    fn extend(&mut self, sequence: &mut Vec<u32>, records: &[u32]) -> Result<(), Cancelled> {
        self.progress.check()?;
        let mut longer: Vec<(u32, u32)> = Vec::new();
        for number in records {
            let record = &self.possible.records[*number as usize];
            let from = record.doublets.partition_point(|doublet| Some(doublet) < sequence.last());
            for doublet in &record.doublets[from..] {
                let known = sequence.iter().rev().take_while(|other| *other == doublet).count();
                let class = self.possible.doublets[*doublet as usize].1;
                if known == self.possible.cover.size(class) as usize {
                    continue;
                }
                sequence.push(*doublet);
                if self.possible.fits(record, sequence) {
                    longer.push((*doublet, *number));
                }
                sequence.pop();
            }
        }
        longer.sort_unstable();
        for group in longer.chunk_by(|a, b| a.0 == b.0) {
            let records: Vec<u32> = group.iter().map(|(_, record)| *record).collect();
            sequence.push(group[0].0);
            if self.judge(sequence, &records) && sequence.len() < self.bounds.length {
                self.extend(sequence, &records)?;
            }
            sequence.pop();
        }
        Ok(())
    }

    fn judge(&mut self, sequence: &[u32], records: &[u32]) -> bool {
        let mut holders = vec![0_u32; self.sensitive.names.len()];
        let (mut people, mut last) = (0, None);
        // Records are in the order of people.
        for person in records.iter().map(|record| self.possible.records[*record as usize].person) {
            if last.replace(person) != Some(person) {
                people += 1;
                self.sensitive.of(person as usize).iter().for_each(|value| holders[*value as usize] += 1);
            }
        }
        self.findings.judge(self.bounds, sequence, people, &holders)
    }
}

/// Whether a record shows a released item that may stand for several original ones twice at one time.
pub(super) fn repeats_ambiguous_events(release: &Release) -> bool {
    let events = release.events();
    let times = events.times().unwrap_or_default();
    let ambiguous = |item: u32| release.alphabet[item as usize].members.len() > 1;
    (0..events.records()).any(|record| {
        let span = events.span(record);
        let mut own: Vec<(i64, u32)> =
            span.map(|at| (times[at], events.items()[at])).filter(|(_, item)| ambiguous(*item)).collect();
        own.sort_unstable();
        own.windows(2).any(|pair| pair[0] == pair[1])
    })
}
