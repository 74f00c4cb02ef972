//! Maximal frequent sets of doublets: the longest timed itineraries that enough people share.
//!
//! # Reference
//! Burdick, Calimlim, Gehrke. MAFIA: a maximal frequent itemset algorithm for transactional databases. ICDE 2001.
//! # Guarantees
//! Exact: a set is returned if and only if at least `min_support` people contain it and no larger set has so many.
//! # Cost
//! One depth-first search for each frequent doublet, over bitmaps that hold only the records of that doublet: for a
//! million records at 1 % support a bitmap is a few hundred words. Searches are independent and run in parallel.
//! # Departs from the paper
//! Bitmaps are projected on the first doublet, so memory does not grow with records times doublets. Supports count
//! people; a doublet is absorbed into the head only if it is in every *record* of the head, because people with
//! several records may hold two doublets in different ones.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};

use super::DoubletTable;

/// A set of doublets and how many people contain it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrequentSet {
    /// Numbers of the doublets, ascending.
    pub doublets: Vec<u32>,
    /// How many people.
    pub support: u64,
}

/// The maximal sets that at least `min_support` people contain (at least one), in ascending order of doublets.
pub fn maximal(
    table: &DoubletTable,
    min_support: u64,
    progress: &Progress,
) -> Result<Vec<FrequentSet>, Cancelled> {
    let min_support = min_support.max(1);
    let support: Vec<u64> = (0..table.len() as u32)
        .into_par_iter()
        .map(|doublet| table.people_of(table.holders(doublet)))
        .collect();
    let phase = progress.phase("find maximal frequent sets", Some(table.len() as u64));
    let found: Vec<Vec<FrequentSet>> = (0..table.len() as u32)
        .into_par_iter()
        .map(|first| {
            phase.advance(1)?;
            if support[first as usize] < min_support {
                return Ok(Vec::new());
            }
            Search::from(table, first, min_support, &support, progress).run()
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut found = found.concat();
    found.sort_unstable();
    let absorbed = absorbed(&found, table.len());
    let mut at = 0;
    found.retain(|_| {
        at += 1;
        !absorbed[at - 1]
    });
    Ok(found)
}

/// Which sets are part of a set that begins earlier. Those that begin alike were compared when they were found.
fn absorbed(found: &[FrequentSet], alphabet: usize) -> Vec<bool> {
    let mut containing: Vec<Vec<u32>> = vec![Vec::new(); alphabet];
    for (number, set) in found.iter().enumerate() {
        for doublet in &set.doublets {
            containing[*doublet as usize].push(number as u32);
        }
    }
    found
        .par_iter()
        .map(|set| {
            let rarest = set
                .doublets
                .iter()
                .map(|doublet| &containing[*doublet as usize])
                .min_by_key(|list| list.len());
            rarest.into_iter().flatten().any(|other| {
                let other = &found[*other as usize].doublets;
                other[0] < set.doublets[0] && is_part(&set.doublets, other)
            })
        })
        .collect()
}

/// Whether every element of the ascending `part` is in the ascending `whole`.
fn is_part(part: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    part.len() <= whole.len() && part.iter().all(|element| rest.any(|other| other == element))
}

/// The search among the records of one doublet. Later doublets are numbered anew, by position in `tail`.
struct Search<'a> {
    table: &'a DoubletTable,
    min_support: u64,
    progress: &'a Progress,
    first: u32,
    records: &'a [u32],
    /// Later doublets that enough people of `first` have.
    tail: Vec<u32>,
    /// One bitmap over `records` for each of `tail`.
    bitmaps: Vec<Vec<u64>>,
    /// Maximal sets found so far, as ascending positions in `tail`, with their supports.
    known: Vec<(Vec<u32>, u64)>,
}

/// A doublet that may extend the head: position in the tail, bitmap of the extended head, people in it.
struct Extension {
    position: u32,
    rows: Vec<u64>,
    people: u64,
}

impl<'a> Search<'a> {
    fn from(
        table: &'a DoubletTable,
        first: u32,
        min_support: u64,
        support: &[u64],
        progress: &'a Progress,
    ) -> Self {
        let records = table.holders(first);
        // Records first, as a bound on people: building bitmaps of rare followers would cost more than it saves.
        let mut followers: Vec<u32> = Vec::new();
        for record in records {
            let visits = table.record(*record);
            let after = visits.partition_point(|doublet| *doublet <= first);
            followers
                .extend(visits[after..].iter().filter(|doublet| support[**doublet as usize] >= min_support));
        }
        followers.sort_unstable();
        let tail: Vec<u32> = followers
            .chunk_by(|a, b| a == b)
            .filter(|same| same.len() as u64 >= min_support)
            .map(|same| same[0])
            .collect();
        let words = records.len().div_ceil(64);
        let mut bitmaps = vec![vec![0_u64; words]; tail.len()];
        if !tail.is_empty() {
            for (row, record) in records.iter().enumerate() {
                for doublet in table.record(*record) {
                    if let Ok(position) = tail.binary_search(doublet) {
                        bitmaps[position][row / 64] |= 1 << (row % 64);
                    }
                }
            }
        }
        Search { table, min_support, progress, first, records, tail, bitmaps, known: Vec::new() }
    }

    fn run(mut self) -> Result<Vec<FrequentSet>, Cancelled> {
        let mut rows = vec![u64::MAX; self.records.len().div_ceil(64)];
        if !self.records.len().is_multiple_of(64)
            && let Some(last) = rows.last_mut()
        {
            *last = (1 << (self.records.len() % 64)) - 1;
        }
        let tail: Vec<u32> = (0..self.tail.len() as u32).collect();
        let people = self.table.people_of(self.records);
        self.grow(&mut Vec::new(), &rows, people, &tail, &mut Vec::new())?;
        let name = |set: Vec<u32>| {
            let rest = set.into_iter().map(|position| self.tail[position as usize]);
            std::iter::once(self.first).chain(rest).collect()
        };
        Ok(self
            .known
            .into_iter()
            .map(|(set, support)| FrequentSet { doublets: name(set), support })
            .collect())
    }

    /// Extends the head in every way; `relevant` are the known sets that contain the head. Returns whether the head
    /// and the whole tail together are frequent.
    fn grow(
        &mut self,
        head: &mut Vec<u32>,
        rows: &[u64],
        people: u64,
        tail: &[u32],
        relevant: &mut Vec<u32>,
    ) -> Result<bool, Cancelled> {
        self.progress.check()?;
        let depth = head.len();
        let height: u32 = rows.iter().map(|word| word.count_ones()).sum();
        let mut extensions: Vec<Extension> = Vec::with_capacity(tail.len());
        let mut all_frequent = true;
        for position in tail {
            let extended: Vec<u64> =
                rows.iter().zip(&self.bitmaps[*position as usize]).map(|(a, b)| a & b).collect();
            let records: u32 = extended.iter().map(|word| word.count_ones()).sum();
            if records == height {
                // Parent equivalence: every record of the head has it.
                head.push(*position);
                relevant.retain(|set| self.known[*set as usize].0.binary_search(position).is_ok());
                continue;
            }
            let people =
                if u64::from(records) < self.min_support { 0 } else { self.people_in(&extended, records) };
            if people >= self.min_support {
                extensions.push(Extension { position: *position, rows: extended, people });
            } else {
                all_frequent = false;
            }
        }
        // Rarest first: small bitmaps are searched widely, large ones narrowly.
        extensions.sort_by_key(|extension| (extension.people, extension.position));

        if extensions.is_empty() {
            if relevant.is_empty() {
                let mut set = head.clone();
                set.sort_unstable();
                self.known.push((set, people));
            }
        } else {
            let rest: Vec<u32> = extensions.iter().map(|extension| extension.position).collect();
            for (number, extension) in extensions.iter().enumerate() {
                let covers = |set: &u32| {
                    let known = &self.known[*set as usize].0;
                    rest[number..].iter().all(|position| known.binary_search(position).is_ok())
                };
                if relevant.iter().any(covers) {
                    // Head and tail lie inside a known maximal set: nothing new below.
                    break;
                }
                let mut inner: Vec<u32> = relevant
                    .iter()
                    .copied()
                    .filter(|set| self.known[*set as usize].0.binary_search(&extension.position).is_ok())
                    .collect();
                let known_before = self.known.len() as u32;
                head.push(extension.position);
                let whole =
                    self.grow(head, &extension.rows, extension.people, &rest[number + 1..], &mut inner)?;
                head.pop();
                relevant.extend(known_before..self.known.len() as u32);
                if number == 0 && whole {
                    // The leftmost path was frequent to its end: it contains every other path.
                    break;
                }
                if number == 0 {
                    all_frequent = false;
                }
            }
        }
        head.truncate(depth);
        Ok(all_frequent)
    }

    fn people_in(&self, rows: &[u64], records: u32) -> u64 {
        if self.table.one_record_each() {
            return u64::from(records);
        }
        let (mut people, mut last) = (0, None);
        for (number, word) in rows.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                let row = number * 64 + word.trailing_zeros() as usize;
                let person = Some(self.table.person(self.records[row]));
                people += u64::from(person != last);
                last = person;
                word &= word - 1;
            }
        }
        people
    }
}
