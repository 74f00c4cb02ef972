//! Depth-first walk over every sequence of doublets that occurs, growing sequences to the right in time.
//!
//! A sequence is held as the list of records that contain it, each with the position after its last doublet; the
//! records' remaining doublets are its possible extensions. A broken sequence is not extended, and a doublet that
//! all records of the list share is not added: it would only describe the same records with more words.

use rayon::prelude::*;
use throng_contract::{Cancelled, Fraction, Progress};

use super::visits::{Sensitive, Visits};

/// What is promised.
pub(super) struct Bounds {
    /// Longest sequence an attacker may know.
    pub length: usize,
    /// People that must fit.
    pub people: u64,
    /// Largest share of a sensitive value among them.
    pub share: Fraction,
}

/// A broken sequence. The derived order is the order of listing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    length: usize,
    /// People that fit.
    pub support: u64,
    /// The sequence.
    pub doublets: Vec<u32>,
    /// The sensitive value that is too sure, if one is, and how many of the people hold it.
    pub learned: Option<(usize, u64)>,
}

/// What was found so far; keeps the first few broken sequences and counts the rest.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings {
    keep: usize,
    kept: Vec<Finding>,
    /// Sequences looked at.
    pub looked_at: u64,
    /// Sequences that break the promise.
    pub broken: u64,
}

impl Findings {
    /// Nothing found yet; keeps so many broken sequences.
    pub fn keeping(keep: usize) -> Self {
        Findings { keep, ..Findings::default() }
    }

    /// Judges one sequence by its people and the holders of each sensitive value among them.
    pub fn judge(&mut self, bounds: &Bounds, doublets: &[u32], support: u32, holders: &[u32]) -> bool {
        self.looked_at += 1;
        let support = u64::from(support);
        // The surest value is the evidence; the first one when several are equally sure.
        let surest = (0..holders.len()).rev().max_by_key(|value| holders[*value]);
        let learned = surest
            .map(|value| (value, u64::from(holders[value])))
            .filter(|(_, held)| bounds.share.is_exceeded_by(*held, support));
        if support >= bounds.people && learned.is_none() {
            return true;
        }
        self.broken += 1;
        if self.keep > 0 {
            self.kept.push(Finding { length: doublets.len(), support, doublets: doublets.to_vec(), learned });
            if self.kept.len() >= 2 * self.keep + 64 {
                self.trim();
            }
        }
        false
    }

    fn trim(&mut self) {
        self.kept.sort_unstable();
        self.kept.truncate(self.keep);
    }

    fn merge(mut self, other: Findings) -> Findings {
        self.looked_at += other.looked_at;
        self.broken += other.broken;
        self.kept.extend(other.kept);
        self.trim();
        self
    }

    /// The broken sequences kept, in order of listing.
    pub fn finish(mut self) -> Vec<Finding> {
        self.trim();
        self.kept
    }
}

/// A gathered record that contains the sequence at hand, and where its remaining doublets begin.
#[derive(Clone, Copy, Default)]
struct Place {
    row: u32,
    next: u32,
}

/// What follows one doublet in the records that hold it, copied side by side: the records themselves lie far apart.
#[derive(Default)]
struct Block<'a> {
    starts: Vec<u32>,
    visits: Vec<u32>,
    person: Vec<u32>,
    held: Vec<&'a [u32]>,
}

impl<'a> Block<'a> {
    fn gather(&mut self, visits: &Visits, sensitive: &'a Sensitive, doublet: u32, records: &[u32]) {
        self.starts.clear();
        self.visits.clear();
        self.person.clear();
        self.held.clear();
        self.starts.push(0);
        for record in records {
            let record = *record as usize;
            let all = &visits.visits[visits.starts[record] as usize..visits.starts[record + 1] as usize];
            self.visits.extend(all.iter().filter(|other| **other > doublet));
            self.starts.push(self.visits.len() as u32);
            let person = visits.person[record];
            self.person.push(person);
            self.held.push(sensitive.of(person as usize));
        }
    }

    fn rest(&self, place: &Place) -> &[u32] {
        &self.visits[place.next as usize..self.starts[place.row as usize + 1] as usize]
    }
}

/// Walks all sequences. Without a list to fill it stops after the first group of doublets with a broken one.
pub(super) fn explore(
    visits: &Visits,
    sensitive: &Sensitive,
    bounds: &Bounds,
    before: Findings,
    progress: &Progress,
) -> Result<Findings, Cancelled> {
    // Records by first doublet: a counting sort of all visits.
    let mut starts = vec![0_u32; visits.alphabet() + 1];
    for doublet in &visits.visits {
        starts[*doublet as usize + 1] += 1;
    }
    for doublet in 0..visits.alphabet() {
        starts[doublet + 1] += starts[doublet];
    }
    let mut records = vec![0_u32; visits.visits.len()];
    let mut free = starts.clone();
    for record in 0..visits.person.len() {
        for position in visits.starts[record]..visits.starts[record + 1] {
            let slot = &mut free[visits.visits[position as usize] as usize];
            records[*slot as usize] = record as u32;
            *slot += 1;
        }
    }

    let phase = progress.phase("check sequences", Some(visits.alphabet() as u64));
    // Fixed groups, so that what an early stop has looked at does not depend on the number of threads.
    const GROUP: usize = 4096;
    let mut findings = before;
    let keep = findings.keep;
    for first in (0..visits.alphabet()).step_by(GROUP) {
        let group = first..visits.alphabet().min(first + GROUP);
        let found = group
            .into_par_iter()
            .try_fold(
                || Walker::new(visits, sensitive, bounds, keep, progress),
                |mut walker, doublet| {
                    let records = &records[starts[doublet] as usize..starts[doublet + 1] as usize];
                    walker.begin(doublet as u32, records)?;
                    phase.advance(1)?;
                    Ok(walker)
                },
            )
            .map(|walker| walker.map(|walker| walker.findings))
            .try_reduce(|| Findings::keeping(keep), |left, right| Ok(left.merge(right)))?;
        findings = findings.merge(found);
        if keep == 0 && findings.broken > 0 {
            break;
        }
    }
    Ok(findings)
}

/// What is counted of one extension while a list of places is scanned.
#[derive(Clone, Copy)]
struct Tally {
    people: u32,
    records: u32,
    /// The person counted last; people come in ascending order.
    last: u32,
    /// Where the next place of this extension goes.
    slot: u32,
}

const NO_PERSON: u32 = u32::MAX;
const EMPTY: Tally = Tally { people: 0, records: 0, last: NO_PERSON, slot: 0 };

struct Walker<'a> {
    visits: &'a Visits,
    sensitive: &'a Sensitive,
    bounds: &'a Bounds,
    progress: &'a Progress,
    findings: Findings,
    block: Block<'a>,
    path: Vec<u32>,
    tallies: Vec<Tally>,
    /// Holders of each sensitive value, extension by extension.
    holders: Vec<u32>,
}

impl<'a> Walker<'a> {
    fn new(
        visits: &'a Visits,
        sensitive: &'a Sensitive,
        bounds: &'a Bounds,
        keep: usize,
        progress: &'a Progress,
    ) -> Self {
        Walker {
            visits,
            sensitive,
            bounds,
            progress,
            findings: Findings::keeping(keep),
            block: Block::default(),
            path: Vec::new(),
            tallies: vec![EMPTY; visits.alphabet()],
            holders: vec![0; visits.alphabet() * sensitive.names.len()],
        }
    }

    /// Judges the sequences that begin with a doublet, which all the records hold.
    fn begin(&mut self, doublet: u32, records: &[u32]) -> Result<(), Cancelled> {
        self.block.gather(self.visits, self.sensitive, doublet, records);
        let mut holders = vec![0_u32; self.sensitive.names.len()];
        let (mut people, mut last) = (0, NO_PERSON);
        for (person, held) in self.block.person.iter().zip(&self.block.held) {
            if *person != last {
                last = *person;
                people += 1;
                held.iter().for_each(|value| holders[*value as usize] += 1);
            }
        }
        self.path.push(doublet);
        if self.findings.judge(self.bounds, &self.path, people, &holders) && self.bounds.length > 1 {
            let starts = self.block.starts.iter().take(records.len()).enumerate();
            let places: Vec<Place> =
                starts.map(|(row, start)| Place { row: row as u32, next: *start }).collect();
            self.extend(&places)?;
        }
        self.path.pop();
        Ok(())
    }

    /// Judges every extension of the sequence at hand, then theirs.
    fn extend(&mut self, places: &[Place]) -> Result<(), Cancelled> {
        let mut extensions = self.count(places);
        let last_level = self.path.len() + 1 >= self.bounds.length;
        let values = self.sensitive.names.len();
        let mut slots = 0;
        extensions.retain(|doublet| {
            let at = *doublet as usize;
            let tally = &mut self.tallies[at];
            self.path.push(*doublet);
            let holders = &mut self.holders[at * values..(at + 1) * values];
            let fine = self.findings.judge(self.bounds, &self.path, tally.people, holders);
            self.path.pop();
            holders.fill(0);
            let grows = fine && !last_level && (tally.records as usize) < places.len();
            if grows {
                tally.slot = slots;
                slots += tally.records;
            } else {
                *tally = EMPTY;
            }
            grows
        });
        if extensions.is_empty() {
            return Ok(());
        }
        self.progress.check()?;

        let mut moved = vec![Place::default(); slots as usize];
        for place in places {
            for (next, doublet) in (place.next + 1..).zip(self.block.rest(place)) {
                let tally = &mut self.tallies[*doublet as usize];
                if tally.records > 0 {
                    moved[tally.slot as usize] = Place { row: place.row, next };
                    tally.slot += 1;
                }
            }
        }
        let ends: Vec<u32> = extensions
            .iter()
            .map(|doublet| std::mem::replace(&mut self.tallies[*doublet as usize], EMPTY).slot)
            .collect();
        let mut start = 0;
        for (doublet, end) in extensions.into_iter().zip(ends) {
            self.path.push(doublet);
            self.extend(&moved[start..end as usize])?;
            self.path.pop();
            start = end as usize;
        }
        Ok(())
    }

    /// Counts people and holders of every extension; returns the extensions, ascending.
    fn count(&mut self, places: &[Place]) -> Vec<u32> {
        let values = self.sensitive.names.len();
        let mut extensions = Vec::new();
        for place in places {
            let person = self.block.person[place.row as usize];
            let held = self.block.held[place.row as usize];
            for doublet in self.block.rest(place) {
                let tally = &mut self.tallies[*doublet as usize];
                if tally.records == 0 {
                    extensions.push(*doublet);
                }
                tally.records += 1;
                if tally.last != person {
                    tally.last = person;
                    tally.people += 1;
                    for value in held {
                        self.holders[*doublet as usize * values + *value as usize] += 1;
                    }
                }
            }
        }
        extensions.sort_unstable();
        extensions
    }
}
