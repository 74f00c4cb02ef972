//! The released records as one stream of symbols.
//!
//! Symbols are numbered by how items are written, in ascending order: two released items that are written alike are
//! one symbol to whoever reads the release, and patterns compare by name when their numbers compare. A record ends
//! with [`END`], so that a place in the stream says where a record goes on without a look at any offset.

use throng_data::{EventKind, Release};

use super::long_record::LongRecord;

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
    names: Vec<String>,
    ordered: bool,
    /// Subjects with a long record come last, from this place on; all their records are indexed.
    long_from: usize,
    long: Vec<LongRecord>,
    starts: Vec<Entry>,
}

impl Records {
    /// Reads a release; `Err` with the number of events when places in the stream would not fit 32 bits.
    pub fn of(release: &Release) -> Result<Self, usize> {
        let events = &release.events;
        if events.len().saturating_add(events.records()) > u32::MAX as usize {
            return Err(events.len());
        }
        let (names, symbols) = symbols_by_name(release.names());
        let ordered = events.kind() == EventKind::Sequence;
        let has_long = |subject: &u32| {
            events.records_of(*subject as usize).any(|record| events.span(record).len() > LONG)
        };
        let (long_subjects, short_subjects): (Vec<u32>, Vec<u32>) =
            (0..events.subjects() as u32).partition(has_long);

        let mut stream = Vec::with_capacity(events.len() + events.records());
        let mut starts = Vec::with_capacity(events.records());
        let mut push = |subject: u32, stream: &mut Vec<u32>| {
            for record in events.records_of(subject as usize) {
                let start = stream.len();
                stream.extend(events.record(record).iter().map(|item| symbols[*item as usize]));
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
        let long = starts
            .iter()
            .skip_while(|entry| (entry.at as usize) < long_from)
            .map(|entry| LongRecord::index(entry.at, rest(&stream, entry.at)))
            .collect();
        Ok(Records { stream, names, ordered, long_from, long, starts })
    }

    /// Number of symbols.
    pub fn alphabet(&self) -> usize {
        self.names.len()
    }

    /// How a symbol is written.
    pub fn name(&self, symbol: u32) -> &str {
        &self.names[symbol as usize]
    }

    /// Whether order means something.
    pub fn ordered(&self) -> bool {
        self.ordered
    }

    /// The beginnings of all records that have events.
    pub fn starts(&self) -> &[Entry] {
        &self.starts
    }

    /// What follows a match.
    pub fn rest(&self, entry: Entry) -> &[u32] {
        rest(&self.stream, entry.at)
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
                let symbol = self.stream[at as usize];
                if symbol == END {
                    break;
                }
                at += 1;
                found(symbol, at);
            }
        } else {
            let record = self.long.partition_point(|record| record.start <= entry.at) - 1;
            self.long[record].each_next(entry.at, found);
        }
    }
}

/// The symbols from a place to the end of its record.
fn rest(stream: &[u32], at: u32) -> &[u32] {
    let from = &stream[at as usize..];
    let length = from.iter().position(|symbol| *symbol == END).unwrap_or(from.len());
    &from[..length]
}

/// Sorts the names; returns the distinct ones and the symbol of each item.
fn symbols_by_name(names: Vec<String>) -> (Vec<String>, Vec<u32>) {
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    order.sort_by(|a, b| names[*a as usize].cmp(&names[*b as usize]));
    let mut names: Vec<Option<String>> = names.into_iter().map(Some).collect();
    let mut distinct: Vec<String> = Vec::with_capacity(names.len());
    let mut symbols = vec![0; names.len()];
    for item in order {
        let name = names[item as usize].take().unwrap_or_default();
        if distinct.last() != Some(&name) {
            distinct.push(name);
        }
        symbols[item as usize] = distinct.len() as u32 - 1;
    }
    (distinct, symbols)
}

/// Sorts the set that begins at `start` and drops repeats: items may coincide once they are written.
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
