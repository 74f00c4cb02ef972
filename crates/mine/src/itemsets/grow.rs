//! Growing sets one item at a time, depth first, each on the rows that hold it.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use throng_contract::{Phase, Progress};
use throng_data::ItemId;

use super::rows::{Baskets, Rows, RowsBuilder};
use crate::best::Best;
use crate::budget::{Budget, MineError};
use crate::search::Stop;
use crate::{Keep, Patterns};

/// What bounds the search.
pub(super) struct Limits {
    pub keep: Keep,
    pub min_support: u64,
    pub lengths: RangeInclusive<usize>,
    /// Give at least the best so many; others may be left out.
    pub top: Option<usize>,
    /// Bytes for sets.
    pub memory: Option<usize>,
}

/// One search.
pub(super) struct Growth<'a> {
    /// The item of each rank.
    items: Vec<ItemId>,
    one_each: bool,
    keep: Keep,
    lengths: RangeInclusive<usize>,
    none: Patterns,
    best: Option<Best>,
    budget: Budget,
    stop: Stop<'a>,
    stopped: AtomicBool,
    progress: &'a Progress,
}

/// A set that is being extended.
struct Frame {
    /// Size of the set.
    size: usize,
    /// The records that hold it; open are only items that make a frequent set with it.
    rows: Rows,
    /// These items with their supports, the most frequent first, and where their rows end in `places`.
    tried: Vec<(u32, u64, usize)>,
    /// By item: row, and how many of its open items come before the item.
    places: Vec<(u32, u32)>,
    next: usize,
}

/// Finds all sets within the limits, in no particular order. In place of maximal sets it finds all of them and some that are part
/// of another one.
pub(super) fn grow(
    baskets: Baskets,
    limits: Limits,
    subjects: u64,
    stop: Stop<'_>,
    progress: &Progress,
) -> Result<Patterns, MineError> {
    let Baskets { items, rows, one_each } = baskets;
    let growth = Growth {
        items,
        one_each,
        keep: limits.keep,
        lengths: limits.lengths,
        none: Patterns::new(subjects, limits.min_support),
        best: limits.top.map(Best::new),
        budget: Budget::new(limits.memory),
        stop,
        stopped: AtomicBool::new(false),
        progress,
    };
    growth.run(rows)
}

impl Growth<'_> {
    fn run(&self, rows: Rows) -> Result<Patterns, MineError> {
        let mut found = self.none.clone();
        let mut first = Vec::new();
        let mut counter = Counter::new(self.items.len());
        let root = self.open(rows, self.none.subjects, &mut first, &mut counter, &mut found)?;
        let Some(root) = root else { return Ok(found) };
        let phase = self.progress.phase("growing sets", Some(root.tried.len() as u64));
        let branches: Vec<Patterns> = (0..root.tried.len())
            .into_par_iter()
            .with_max_len(1)
            .map_init(
                || Counter::new(self.items.len()),
                |counter, at| self.branch(&root, at, first.clone(), counter, &phase),
            )
            .collect::<Result<_, MineError>>()?;
        branches.iter().for_each(|branch| found.append(branch));
        Ok(found)
    }

    /// All sets that begin with `set` and the item tried at a position. Without recursion: a set may be as long as the
    /// longest record.
    fn branch(
        &self,
        root: &Frame,
        at: usize,
        mut set: Vec<u32>,
        counter: &mut Counter,
        phase: &Phase<'_>,
    ) -> Result<Patterns, MineError> {
        let mut found = self.none.clone();
        let mut frames = Vec::from_iter(self.follow(root, at, &mut set, counter, &mut found)?);
        while let Some(mut frame) = frames.pop() {
            set.truncate(frame.size);
            let deeper = self.follow(&frame, frame.next, &mut set, counter, &mut found)?;
            frame.next += 1;
            // A frame that is worked off gives its memory back before the search goes deeper.
            if frame.next < frame.tried.len() {
                frames.push(frame);
            }
            frames.extend(deeper);
        }
        phase.advance(1)?;
        Ok(found)
    }

    /// Adds the item tried at a position to the set.
    fn follow(
        &self,
        frame: &Frame,
        at: usize,
        set: &mut Vec<u32>,
        counter: &mut Counter,
        found: &mut Patterns,
    ) -> Result<Option<Frame>, MineError> {
        let (item, support, _) = frame.tried[at];
        // The threshold rises with `top`.
        if support < self.min_support() || !self.admits(support, set.len() + 1) {
            return Ok(None);
        }
        set.push(item);
        let longest = *self.lengths.end();
        if self.keep == Keep::Frequent {
            self.emit(set, support, found)?;
        }
        let grown = set.len() == longest || !self.admits(support, set.len() + 1);
        if set.len() > longest || (self.keep == Keep::Frequent && grown) {
            return Ok(None);
        }
        let rows = self.project(frame, at);
        self.open(rows, support, set, counter, found)
    }

    /// The rows of a frame that hold the item tried at a position.
    fn project(&self, frame: &Frame, at: usize) -> Rows {
        let start = if at == 0 { 0 } else { frame.tried[at - 1].2 };
        let mut rows = RowsBuilder::new(self.one_each);
        for (row, before) in &frame.places[start..frame.tried[at].2] {
            let (row, before) = (*row as usize, *before as usize);
            let (open, closed_off) = (frame.rows.open(row), frame.rows.closed_off(row));
            // What stands behind the item has its own turn; a closed set must not be found twice.
            let passed = if self.keep == Keep::Frequent { &[] } else { &open[before + 1..] };
            if before > 0 || self.keep != Keep::Frequent {
                let (person, people) = (frame.rows.person(row), frame.rows.people(row));
                rows.push(person, people, &open[..before], &[passed, closed_off]);
            }
        }
        rows.finish()
    }

    /// Finds out how a set can be extended, and takes note of it where it is closed or maximal. The set is given its
    /// closure: items that all of its people have.
    fn open(
        &self,
        mut rows: Rows,
        support: u64,
        set: &mut Vec<u32>,
        counter: &mut Counter,
        found: &mut Patterns,
    ) -> Result<Option<Frame>, MineError> {
        self.progress.check()?;
        if self.stopped() {
            found.complete = false;
            return Ok(None);
        }
        let min_support = self.min_support();
        if self.keep != Keep::Frequent {
            counter.count(&rows, Rows::closed_off);
            let found_before = counter.touched.iter().any(|item| counter.support(*item) == support);
            counter.clear();
            if found_before {
                return Ok(None);
            }
        }
        counter.count(&rows, Rows::open);
        let mut tried = Vec::new();
        for item in &counter.touched {
            match counter.support(*item) {
                of_all if of_all == support && self.keep != Keep::Frequent => set.push(*item),
                enough if enough >= min_support => tried.push((*item, enough, 0)),
                _ => {}
            }
        }
        tried.sort_unstable();
        let wanted = match self.keep {
            Keep::Frequent => false,
            Keep::Closed => !set.is_empty(),
            // An item that was passed over may still make a larger one: that is asked when all are there.
            Keep::Maximal => !set.is_empty() && tried.is_empty(),
        };
        if wanted {
            self.emit(set, support, found)?;
        }
        let frame = (!tried.is_empty()).then(|| {
            rows.retain_open(|item| {
                let held = counter.support(item);
                held >= min_support && (held < support || self.keep == Keep::Frequent)
            });
            let places = counter.places(&rows, &mut tried);
            Frame { size: set.len(), rows, tried, places, next: 0 }
        });
        counter.clear();
        Ok(frame)
    }

    fn emit(&self, set: &[u32], support: u64, found: &mut Patterns) -> Result<(), MineError> {
        if !self.lengths.contains(&set.len()) {
            return Ok(());
        }
        self.budget.take(set.len())?;
        let mut items: Vec<ItemId> = set.iter().map(|rank| self.items[*rank as usize]).collect();
        items.sort_unstable();
        found.push(&items, support);
        if let Some(best) = &self.best {
            best.offer(support, set.len());
        }
        Ok(())
    }

    /// Whether a set of so many items may be among the best. A closed set may be larger than what it was grown from.
    fn admits(&self, support: u64, size: usize) -> bool {
        self.best.as_ref().is_none_or(|best| best.admits(support, size))
    }

    /// People a set needs to be worth keeping.
    fn min_support(&self) -> u64 {
        self.best.as_ref().map_or(0, Best::threshold).max(self.none.min_support)
    }

    fn stopped(&self) -> bool {
        if !self.stopped.load(Ordering::Relaxed) && (self.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Counts the people behind each item of some rows; one for each thread, cleared after every use.
struct Counter {
    /// By item: people, and one more than the person counted last.
    cells: Vec<(u64, u32)>,
    /// Items that were counted.
    touched: Vec<u32>,
}

impl Counter {
    fn new(items: usize) -> Self {
        Counter { cells: vec![(0, 0); items], touched: Vec::new() }
    }

    fn count(&mut self, rows: &Rows, part: fn(&Rows, usize) -> &[u32]) {
        for row in 0..rows.len() {
            let (person, people) = (rows.person(row), u64::from(rows.people(row)));
            for item in part(rows, row) {
                let cell = &mut self.cells[*item as usize];
                if cell.1 == 0 {
                    self.touched.push(*item);
                }
                // Rows of one person follow each other.
                if cell.1 != person + 1 {
                    *cell = (cell.0 + people, person + 1);
                }
            }
        }
    }

    fn support(&self, item: u32) -> u64 {
        self.cells[item as usize].0
    }

    /// Sorts the open items of all rows by item. All of them are tried; where each one's places end is written beside it.
    fn places(&mut self, rows: &Rows, tried: &mut [(u32, u64, usize)]) -> Vec<(u32, u32)> {
        let mut counts = vec![0; tried.len()];
        for (at, (item, ..)) in tried.iter().enumerate() {
            self.cells[*item as usize].0 = at as u64;
        }
        let at = |item: &u32| self.cells[*item as usize].0 as usize;
        (0..rows.len()).for_each(|row| rows.open(row).iter().for_each(|item| counts[at(item)] += 1));
        let mut total = 0;
        for (count, entry) in counts.iter_mut().zip(tried) {
            let start = total;
            total += *count;
            entry.2 = total;
            *count = start;
        }
        let mut places = vec![(0, 0); total];
        for row in 0..rows.len() {
            for (before, item) in rows.open(row).iter().enumerate() {
                let free = &mut counts[at(item)];
                places[*free] = (row as u32, before as u32);
                *free += 1;
            }
        }
        places
    }

    fn clear(&mut self) {
        for item in self.touched.drain(..) {
            self.cells[item as usize] = (0, 0);
        }
    }
}
