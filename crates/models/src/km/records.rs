//! The released records as one stream of symbols.
//!
//! Symbols are what a [`Cover`] counts, numbered by how they are written, in ascending order, so that patterns compare by
//! name when their numbers compare. Where every event is one symbol the stream holds symbols. Where an event may be one
//! of several, it holds released items, and [`Records::each_next`] looks up what they may be; in sets an item may be several
//! symbols at once, so that a set is the union of them. A record ends with [`END`], so that a place in the stream says
//! where a record goes on without a look at any offset.

use throng_data::{EventKind, Release};

use super::long_record::LongRecord;
use crate::cover::Cover;

/// Follows the last symbol of every record.
const END: u32 = u32::MAX;

/// Records longer than this are indexed by symbol instead of being scanned.
const LONG: usize = 64;

/// Where a match of a pattern ends in a record, and whose record it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub subject: u32,
    /// Place in the stream of the symbol after the match.
    pub at: u32,
}

/// All records, those of one subject next to each other.
#[derive(Debug)]
pub(super) struct Records {
    stream: Vec<u32>,
    cover: Cover,
    /// An event may be one of several symbols: the stream holds released items.
    ambiguous: bool,
    ordered: bool,
    /// Subjects with a long record come last, from this place on; all their records are indexed.
    long_from: usize,
    long: Vec<LongRecord>,
    starts: Vec<Entry>,
}

impl Records {
    /// Reads a release; `Err` with the number of events when places in the stream would not fit 32 bits.
    pub fn of(release: &Release, cover: Cover) -> Result<Self, usize> {
        let events = release.events();
        let ordered = events.kind() == EventKind::Sequence;
        let ambiguous = ordered && !cover.is_partition();
        let length = match ordered {
            true => events.len(),
            false => events.items().iter().map(|item| cover.of(*item).len()).sum(),
        };
        if length.saturating_add(events.records()) > u32::MAX as usize {
            return Err(length);
        }
        let has_long = |subject: &u32| {
            events.records_of(*subject as usize).any(|record| events.span(record).len() > LONG)
        };
        let (long_subjects, short_subjects): (Vec<u32>, Vec<u32>) =
            (0..events.subjects() as u32).partition(has_long);

        let mut stream = Vec::with_capacity(length + events.records());
        let mut starts = Vec::with_capacity(events.records());
        let mut push = |subject: u32, stream: &mut Vec<u32>| {
            for record in events.records_of(subject as usize) {
                let start = stream.len();
                let items = events.record(record).iter();
                match ambiguous {
                    true => stream.extend(items),
                    false => stream.extend(items.flat_map(|item| cover.of(*item))),
                }
                if !ordered {
                    normalise_set(stream, start);
                }
                if stream.len() > start {
                    starts.push(Entry { subject, at: start as u32 });
                    stream.push(END);
                }
            }
        };
        for subject in short_subjects {
            push(subject, &mut stream);
        }
        let long_from = stream.len();
        for subject in long_subjects {
            push(subject, &mut stream);
        }
        let mut records =
            Records { stream, cover, ambiguous, ordered, long_from, long: Vec::new(), starts: Vec::new() };
        records.long = starts
            .iter()
            .skip_while(|entry| (entry.at as usize) < long_from)
            .map(|entry| LongRecord::index(entry.at, records.rest(*entry)))
            .collect();
        records.starts = starts;
        Ok(records)
    }

    /// Number of symbols.
    pub fn alphabet(&self) -> usize {
        self.cover.len()
    }

    /// How a symbol is written.
    pub fn name(&self, symbol: u32) -> &str {
        self.cover.name(symbol)
    }

    /// Whether order means something.
    pub fn ordered(&self) -> bool {
        self.ordered
    }

    /// The beginnings of all records that have events.
    pub fn starts(&self) -> &[Entry] {
        &self.starts
    }

    /// What follows a match: for each event the symbols that it may be.
    pub fn rest(&self, entry: Entry) -> impl Iterator<Item = &[u32]> + Clone {
        let events = self.stream[entry.at as usize..].iter().take_while(|event| **event != END);
        events.map(|event| self.symbols(event))
    }

    #[inline]
    fn symbols<'a>(&'a self, event: &'a u32) -> &'a [u32] {
        if self.ambiguous { self.cover.of(*event) } else { std::slice::from_ref(event) }
    }

    /// Whether two matches go on alike.
    pub fn continue_alike(&self, a: Entry, b: Entry) -> bool {
        let (a, b) = (&self.stream[a.at as usize..], &self.stream[b.at as usize..]);
        for (x, y) in a.iter().zip(b) {
            if x != y {
                return false;
            }
            if *x == END {
                return true;
            }
        }
        true
    }

    /// Calls `found(symbol, place after it)` for the first occurrence of every symbol that follows a match. In a short
    /// record later occurrences may be reported too, after the first.
    #[inline]
    pub fn each_next(&self, entry: Entry, mut found: impl FnMut(u32, u32)) {
        if (entry.at as usize) < self.long_from {
            let mut at = entry.at;
            loop {
                let event = self.stream[at as usize];
                if event == END {
                    break;
                }
                at += 1;
                match self.ambiguous {
                    true => self.cover.of(event).iter().for_each(|symbol| found(*symbol, at)),
                    false => found(event, at),
                }
            }
        } else {
            let record = self.long.partition_point(|record| record.start <= entry.at) - 1;
            self.long[record].each_next(entry.at, found);
        }
    }
}

/// Sorts the set that begins at `start` and drops repeats: several items may be the same symbol.
fn normalise_set(stream: &mut Vec<u32>, start: usize) {
    stream[start..].sort_unstable();
    let mut kept = start;
    for at in start..stream.len() {
        if at == start || stream[at] != stream[kept - 1] {
            stream[kept] = stream[at];
            kept += 1;
        }
    }
    stream.truncate(kept);
}
