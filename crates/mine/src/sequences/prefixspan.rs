//! Growing patterns one item at a time, each on the records that hold it.
//!
//! A *projection* is where a pattern first ends in each record: counting the distinct items after these points gives
//! the supports of all one-item extensions, and the first occurrence of each gives their projections. No record is
//! ever copied.

use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use throng_contract::{Cancelled, Phase, Progress};
use throng_data::{Events, ItemId};

use super::database::Database;
use crate::best::Best;
use crate::budget::{Budget, MineError};
use crate::patterns::Patterns;

/// Projections with more points than this are worth handing to another thread.
const SHARED_WORK: usize = 8192;
/// Patterns of this length and longer are grown by one thread.
const SHARED_LENGTH: usize = 4;

/// What bounds the search.
pub(super) struct Limits {
    pub min_support: u64,
    pub lengths: RangeInclusive<usize>,
    /// Give at least the best so many; others may be left out.
    pub top: Option<usize>,
    /// Bytes for patterns.
    pub memory: Option<usize>,
}

/// Finds all patterns within the limits, in no particular order.
pub(super) fn mine(
    events: &Events,
    limits: &Limits,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &Progress,
) -> Result<Patterns, MineError> {
    let subjects = events.subjects() as u64;
    let none = Patterns::new(subjects, limits.min_support);
    if limits.lengths.is_empty() || limits.top == Some(0) {
        return Ok(none);
    }
    progress.check()?;
    let database = Database::new(events, limits.min_support);
    let miner = Miner {
        database: &database,
        lengths: limits.lengths.clone(),
        none,
        best: limits.top.map(Best::new),
        budget: Budget::new(limits.memory),
        stop,
        stopped: AtomicBool::new(false),
        progress,
        phase: progress.phase("growing patterns", Some(database.frequent.len() as u64)),
    };
    let everywhere: Vec<Point> =
        (0..database.records() as u32).map(|record| Point { record, position: 0 }).collect();
    miner.grow(&[], &everywhere, &mut Counter::new(database.frequent.len()))
}

/// Where a pattern first ends in a record: the next event of `record` is at `position`.
#[derive(Clone, Copy)]
struct Point {
    record: u32,
    position: u32,
}

/// An item that may follow the pattern at hand, and where its points lie among those of all extensions.
struct Extension {
    item: u32,
    support: u64,
    start: usize,
    end: usize,
}

struct Miner<'a> {
    database: &'a Database,
    lengths: RangeInclusive<usize>,
    none: Patterns,
    best: Option<Best>,
    budget: Budget,
    stop: &'a (dyn Fn() -> bool + Sync),
    stopped: AtomicBool,
    progress: &'a Progress,
    phase: Phase<'a>,
}

/// The extensions of one pattern, worked off from the first to the last.
struct Frame {
    /// Length of the pattern.
    depth: usize,
    extensions: Vec<Extension>,
    projected: Vec<Point>,
    next: usize,
}

impl Miner<'_> {
    /// All frequent patterns that begin with `prefix`, itself left out.
    fn grow(
        &self,
        prefix: &[ItemId],
        points: &[Point],
        counter: &mut Counter,
    ) -> Result<Patterns, MineError> {
        let mut found = self.none.clone();
        let Some(frame) = self.extend(prefix.len(), points, counter, &mut found)? else { return Ok(found) };
        if prefix.len() >= SHARED_LENGTH || frame.projected.len() <= SHARED_WORK {
            self.walk(prefix, frame, counter, &mut found)?;
            return Ok(found);
        }
        let branches = frame.extensions.par_iter().with_max_len(1).map_init(
            || Counter::new(self.database.frequent.len()),
            |counter, extension| {
                let mut found = self.none.clone();
                let pattern = [prefix, &[self.database.frequent[extension.item as usize]]].concat();
                if self.accept(&pattern, extension.support, &mut found)? {
                    let points = &frame.projected[extension.start..extension.end];
                    found.append(&self.grow(&pattern, points, counter)?);
                }
                Ok(found)
            },
        );
        let branches: Vec<Patterns> = branches.collect::<Result<_, MineError>>()?;
        branches.iter().for_each(|branch| found.append(branch));
        Ok(found)
    }

    /// Depth first without recursion: a pattern may be as long as the longest record.
    fn walk(
        &self,
        prefix: &[ItemId],
        frame: Frame,
        counter: &mut Counter,
        found: &mut Patterns,
    ) -> Result<(), MineError> {
        let mut pattern = prefix.to_vec();
        let mut frames = vec![frame];
        while let Some(mut frame) = frames.pop() {
            let Some(extension) = frame.extensions.get(frame.next) else { continue };
            pattern.truncate(frame.depth);
            pattern.push(self.database.frequent[extension.item as usize]);
            let mut deeper = None;
            if self.accept(&pattern, extension.support, found)? {
                let points = &frame.projected[extension.start..extension.end];
                deeper = self.extend(pattern.len(), points, counter, found)?;
            }
            frame.next += 1;
            // A frame that is worked off gives its memory back before the walk goes deeper.
            if frame.next < frame.extensions.len() {
                frames.push(frame);
            }
            frames.extend(deeper);
        }
        Ok(())
    }

    /// Takes note of a pattern; false when it, or whatever it can be extended to, is not among the best after all: the threshold rises with `top`.
    fn accept(&self, pattern: &[ItemId], support: u64, found: &mut Patterns) -> Result<bool, MineError> {
        if pattern.len() == 1 {
            self.phase.advance(1)?;
        }
        let admitted = |length| self.best.as_ref().is_none_or(|best| best.admits(support, length));
        if support < self.none.min_support || !admitted(pattern.len()) {
            return Ok(false);
        }
        if self.lengths.contains(&pattern.len()) {
            self.budget.take(pattern.len())?;
            found.push(pattern, support);
            if let Some(best) = &self.best {
                best.offer(support, pattern.len());
            }
        }
        Ok(admitted(pattern.len() + 1))
    }

    /// The frequent extensions of a pattern of length `depth`; `None` at the length limit or after an early stop.
    fn extend(
        &self,
        depth: usize,
        points: &[Point],
        counter: &mut Counter,
        found: &mut Patterns,
    ) -> Result<Option<Frame>, Cancelled> {
        if depth == *self.lengths.end() {
            return Ok(None);
        }
        self.progress.check()?;
        if self.stopped() {
            found.complete = false;
            return Ok(None);
        }
        let (extensions, projected) = counter.extend(self.database, points, self.min_support());
        Ok(Some(Frame { depth, extensions, projected, next: 0 }))
    }

    /// People a pattern needs to be worth keeping.
    fn min_support(&self) -> u64 {
        self.best.as_ref().map_or(0, Best::threshold).max(self.none.min_support)
    }

    fn stopped(&self) -> bool {
        if self.stopped.load(Ordering::Relaxed) {
            return true;
        }
        let stop = (self.stop)();
        if stop {
            self.stopped.store(true, Ordering::Relaxed);
        }
        stop
    }
}

/// What is known of an item while extensions are counted.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// The number of the point that saw the item last.
    seen: u64,
    support: u64,
    /// Points of the extension by this item.
    points: u32,
    /// The group counted last.
    group: u32,
    /// Where the extension's next point goes.
    next: usize,
}

/// Counts extensions; one per thread, reused from pattern to pattern.
struct Counter {
    cells: Vec<Cell>,
    /// Points looked at so far, by all patterns: never zero once a point was seen.
    clock: u64,
}

impl Counter {
    fn new(items: usize) -> Self {
        Counter { cells: vec![Cell::default(); items], clock: 0 }
    }

    /// The extensions with enough support, best supported first, and their projections one after another.
    fn extend(
        &mut self,
        database: &Database,
        points: &[Point],
        min_support: u64,
    ) -> (Vec<Extension>, Vec<Point>) {
        let mut touched = Vec::new();
        for point in points {
            self.clock += 1;
            let group = database.group(point.record);
            let (rest, mut unseen) = database.rest(point.record, point.position);
            for item in rest {
                let cell = &mut self.cells[*item as usize];
                if cell.seen == self.clock {
                    continue;
                }
                cell.seen = self.clock;
                if cell.points == 0 {
                    touched.push(*item);
                }
                // Points of one group follow each other.
                if cell.points == 0 || cell.group != group {
                    cell.group = group;
                    cell.support += database.people(group);
                }
                cell.points += 1;
                unseen -= 1;
                if unseen == 0 {
                    break;
                }
            }
        }

        let mut extensions = Vec::new();
        for item in touched {
            let cell = &mut self.cells[item as usize];
            if cell.support >= min_support {
                let points = cell.points as usize;
                extensions.push(Extension { item, support: cell.support, start: 0, end: points });
            }
            *cell = Cell { seen: cell.seen, ..Cell::default() };
        }
        // Best supported first: with `top`, the threshold rises soonest.
        extensions.sort_unstable_by_key(|extension| (Reverse(extension.support), extension.item));
        let mut total = 0;
        for extension in &mut extensions {
            let points = extension.end;
            (extension.start, extension.end) = (total, total + points);
            let cell = &mut self.cells[extension.item as usize];
            (cell.points, cell.next) = (1, total);
            total += points;
        }

        let mut projected = vec![Point { record: 0, position: 0 }; total];
        if total > 0 {
            for point in points {
                self.clock += 1;
                let (rest, mut unseen) = database.rest(point.record, point.position);
                for (offset, item) in rest.iter().enumerate() {
                    let cell = &mut self.cells[*item as usize];
                    if cell.seen == self.clock {
                        continue;
                    }
                    cell.seen = self.clock;
                    if cell.points > 0 {
                        let position = point.position + offset as u32 + 1;
                        projected[cell.next] = Point { record: point.record, position };
                        cell.next += 1;
                    }
                    unseen -= 1;
                    if unseen == 0 {
                        break;
                    }
                }
            }
        }
        for extension in &extensions {
            self.cells[extension.item as usize].points = 0;
        }
        (extensions, projected)
    }
}
