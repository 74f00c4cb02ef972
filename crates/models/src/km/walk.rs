//! Depth first over patterns, by projection.
//!
//! A pattern is known by its *projection*: for each record that contains it, the place after its leftmost match.
//! What may follow the pattern in a record is every symbol from there on, and its first occurrence there ends the
//! leftmost match of the longer pattern. So one scan of a projection gives the support of all patterns that are longer
//! by one symbol, and a second scan their projections.

use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use throng_contract::Progress;

use super::continuations::Continuations;
use super::records::{Entry, Records};
use super::tally::Tally;

/// Cancellation is looked at after so many matches.
const CHECK_EVERY: usize = 4096;

/// Why a walk ended before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// The user stopped it.
    Cancelled,
    /// A broken pattern was found, and one is enough.
    Found,
}

/// A pattern that is one symbol longer than the one at hand.
#[derive(Debug)]
pub(super) struct Child {
    symbol: u32,
    support: u32,
    /// Its projection, as a part of the level's entries; empty on the last level.
    pub entries: Range<usize>,
}

/// The patterns one symbol longer than some pattern, by ascending symbol, with their projections.
#[derive(Debug, Default)]
pub(super) struct Level {
    pub children: Vec<Child>,
    pub entries: Vec<Entry>,
}

/// What is known of a symbol while a projection is scanned. All zero between scans.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    support: u32,
    entries: u32,
    /// 1 + the subject that was counted last.
    subject: u32,
    /// 1 + the position in the projection of the match that was counted last.
    entry: u32,
}

/// One check of a release: what is asked, and what its workers share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a> {
    pub records: &'a Records,
    /// How many people every pattern needs.
    pub k: u32,
    /// Symbols of the longest pattern.
    pub m: usize,
    /// How many broken patterns are listed; with 0 the first one ends the check.
    pub list: usize,
    pub progress: &'a Progress,
    /// Whether a worker has found the broken pattern that ends the check.
    pub found: &'a AtomicBool,
}

/// One worker's walk over patterns.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    records: &'a Records,
    k: u32,
    m: usize,
    stop_at_first: bool,
    progress: &'a Progress,
    found: &'a AtomicBool,
    cells: Vec<Cell>,
    /// Symbols whose cell is in use.
    touched: Vec<u32>,
    /// Buffers by pattern size, reused along the walk.
    levels: Vec<Level>,
    prefix: Vec<u32>,
    continuations: Continuations,
    tally: Tally,
}

impl<'a> Walk<'a> {
    /// Nothing walked yet.
    pub fn new(search: Search<'a>) -> Self {
        let Search { records, k, m, list, progress, found } = search;
        Walk {
            records,
            k,
            m,
            stop_at_first: list == 0,
            progress,
            found,
            cells: vec![Cell::default(); records.alphabet()],
            touched: Vec::new(),
            levels: (0..=m).map(|_| Level::default()).collect(),
            prefix: Vec::with_capacity(m),
            continuations: Continuations::default(),
            tally: Tally::new(list),
        }
    }

    /// What was found.
    pub fn into_tally(self) -> Tally {
        self.tally
    }

    /// Counts the patterns of one symbol, and projects them unless they are all there is to count.
    pub fn first_items(&mut self) -> Result<Level, Halt> {
        let mut level = Level::default();
        let (starts, alphabet) = (self.records.starts(), self.records.alphabet());
        self.expand(starts, alphabet, &mut level)?;
        self.report(&level, true)?;
        Ok(level)
    }

    /// Counts the patterns that begin with a first item.
    pub fn below(&mut self, child: &Child, first: &Level) -> Result<(), Halt> {
        self.descend(child, first, true)
    }

    fn descend(&mut self, child: &Child, level: &Level, count: bool) -> Result<(), Halt> {
        // A pattern that occurs after `prefix child` occurs after `prefix` too: only siblings can follow.
        let candidates = if self.records.ordered() {
            level.children.len()
        } else {
            level.children.iter().rev().take_while(|sibling| sibling.symbol > child.symbol).count()
        };
        self.prefix.push(child.symbol);
        let outcome = self.visit(&level.entries[child.entries.clone()], child.support, candidates, count);
        self.prefix.pop();
        outcome
    }

    /// Counts (if asked) and lists the patterns that extend `prefix`, which `support` people have.
    fn visit(
        &mut self,
        projection: &[Entry],
        support: u32,
        candidates: usize,
        mut count: bool,
    ) -> Result<(), Halt> {
        let depth = self.prefix.len();
        if count && self.m - depth >= 2 && self.continues_alike(projection) {
            let rest = self.records.rest(projection[0]);
            let patterns = self.continuations.count(rest, self.m - depth, self.records.alphabet());
            self.tally.checked = self.tally.checked.saturating_add(patterns);
            if support < self.k {
                self.tally.broken = self.tally.broken.saturating_add(patterns);
            }
            count = false;
        }
        // Already counted, and all of them have this support: walked further only as long as some would be listed.
        if !count && (support >= self.k || !self.tally.may_keep(depth + 1, support, &self.prefix)) {
            return Ok(());
        }
        let mut level = mem::take(&mut self.levels[depth]);
        let outcome = self.walk_level(projection, candidates, count, &mut level);
        self.levels[depth] = level;
        outcome
    }

    fn walk_level(
        &mut self,
        projection: &[Entry],
        candidates: usize,
        count: bool,
        level: &mut Level,
    ) -> Result<(), Halt> {
        self.expand(projection, candidates, level)?;
        self.report(level, count)?;
        if self.prefix.len() + 1 < self.m {
            for child in &level.children {
                self.descend(child, level, count)?;
            }
        }
        Ok(())
    }

    /// Whether every match goes on with the same symbols, so that all longer patterns have the same support.
    fn continues_alike(&self, projection: &[Entry]) -> bool {
        match projection.split_first() {
            Some((first, others)) => others.iter().all(|other| self.records.continue_alike(*first, *other)),
            None => false,
        }
    }

    /// Counts and offers the patterns of a level.
    fn report(&mut self, level: &Level, count: bool) -> Result<(), Halt> {
        if count {
            self.tally.checked = self.tally.checked.saturating_add(level.children.len() as u64);
        }
        for child in level.children.iter().filter(|child| child.support < self.k) {
            if count {
                self.tally.broken = self.tally.broken.saturating_add(1);
            }
            if self.stop_at_first {
                self.found.store(true, Ordering::Relaxed);
                return Err(Halt::Found);
            }
            self.tally.offer(&self.prefix, child.symbol, child.support);
        }
        Ok(())
    }

    /// Fills `level` with the patterns one symbol longer. `candidates` bounds how many there can be.
    fn expand(&mut self, projection: &[Entry], candidates: usize, level: &mut Level) -> Result<(), Halt> {
        level.children.clear();
        level.entries.clear();
        let last = self.prefix.len() + 1 == self.m;
        let counted =
            if last { self.count_people(projection, candidates) } else { self.count_matches(projection) };
        self.touched.sort_unstable();
        let mut from = 0;
        for symbol in &self.touched {
            let cell = &mut self.cells[*symbol as usize];
            let to = from + cell.entries as usize;
            level.children.push(Child { symbol: *symbol, support: cell.support, entries: from..to });
            from = to;
            cell.entry = 0;
        }
        let outcome = counted.and_then(|()| if last { Ok(()) } else { self.project(projection, level) });
        for symbol in self.touched.drain(..) {
            self.cells[symbol as usize] = Cell::default();
        }
        outcome
    }

    /// Supports only, until every candidate has `k` people.
    fn count_people(&mut self, projection: &[Entry], candidates: usize) -> Result<(), Halt> {
        let mut settled = 0;
        for chunk in projection.chunks(CHECK_EVERY) {
            self.keep_going()?;
            for entry in chunk {
                self.records.each_next(*entry, |symbol, _| {
                    let cell = &mut self.cells[symbol as usize];
                    if cell.subject != entry.subject + 1 {
                        cell.subject = entry.subject + 1;
                        cell.support += 1;
                        if cell.support == 1 {
                            self.touched.push(symbol);
                        }
                        if cell.support == self.k {
                            settled += 1;
                        }
                    }
                });
                if settled == candidates {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Supports, and how many records hold each pattern.
    fn count_matches(&mut self, projection: &[Entry]) -> Result<(), Halt> {
        let mut serial = 0;
        for chunk in projection.chunks(CHECK_EVERY) {
            self.keep_going()?;
            for entry in chunk {
                serial += 1;
                self.records.each_next(*entry, |symbol, _| {
                    let cell = &mut self.cells[symbol as usize];
                    if cell.entry == serial {
                        return;
                    }
                    cell.entry = serial;
                    cell.entries += 1;
                    if cell.entries == 1 {
                        self.touched.push(symbol);
                    }
                    if cell.subject != entry.subject + 1 {
                        cell.subject = entry.subject + 1;
                        cell.support += 1;
                    }
                });
            }
        }
        Ok(())
    }

    /// The projections of the children, laid out one after the other in the order of the children.
    fn project(&mut self, projection: &[Entry], level: &mut Level) -> Result<(), Halt> {
        let total = level.children.last().map_or(0, |child| child.entries.end);
        level.entries.resize(total, Entry { subject: 0, at: 0 });
        for child in &level.children {
            // From here on the cell holds the place of the next entry instead of how many there are.
            self.cells[child.symbol as usize].entries = child.entries.start as u32;
        }
        let mut serial = 0;
        for chunk in projection.chunks(CHECK_EVERY) {
            self.keep_going()?;
            for entry in chunk {
                serial += 1;
                self.records.each_next(*entry, |symbol, after| {
                    let cell = &mut self.cells[symbol as usize];
                    if cell.entry != serial {
                        cell.entry = serial;
                        level.entries[cell.entries as usize] = Entry { subject: entry.subject, at: after };
                        cell.entries += 1;
                    }
                });
            }
        }
        Ok(())
    }

    fn keep_going(&self) -> Result<(), Halt> {
        if self.progress.is_cancelled() {
            return Err(Halt::Cancelled);
        }
        if self.stop_at_first && self.found.load(Ordering::Relaxed) {
            return Err(Halt::Found);
        }
        Ok(())
    }
}
