//! The patterns of one length that too few people have.
//!
//! Each record yields every distinct subsequence of its image once, by way of its leftmost embedding. Work is split by
//! the first element of the pattern: the counters of one first element are small enough for the cache, need no
//! locks, and give the same answer with any number of threads.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::Events;

use super::groups::Groups;

/// A pattern that occurs but has fewer people than needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RarePattern {
    /// Its groups, in order.
    pub groups: Vec<u32>,
    /// Its people.
    pub support: u64,
}

/// Patterns of `size` groups that between 1 and `k - 1` people have, lowest support first, then by first occurrence.
///
/// `phase` names the work to the observer.
pub fn rare_patterns(
    events: &Events,
    groups: &Groups,
    size: usize,
    k: u64,
    progress: &Progress,
    phase: &str,
) -> Result<Vec<RarePattern>, Cancelled> {
    let firsts: Vec<u32> = groups.all().collect();
    let total = firsts.iter().map(|group| groups.support(*group)).sum();
    let phase = progress.phase(phase, Some(total));
    // Dense numbers for the groups that are left keep the counters small.
    let mut rank = vec![0_u32; groups.bound()];
    for (position, group) in firsts.iter().enumerate() {
        rank[*group as usize] = position as u32;
    }
    let found: Result<Vec<Vec<Found>>, Cancelled> = firsts
        .par_iter()
        .map_init(
            || Counter::new(firsts.len(), size),
            |counter, first| {
                let mut since = 0;
                for person in groups.people(*first) {
                    for record in events.records_of(*person as usize) {
                        counter.add_record(
                            groups,
                            &rank,
                            events.record(record),
                            *first,
                            *person,
                            record as u32,
                        );
                    }
                    since += 1;
                    if since == 1 << 12 {
                        phase.advance(since)?;
                        since = 0;
                    }
                }
                phase.advance(since)?;
                Ok(counter.drain(*first, &firsts, k))
            },
        )
        .collect();
    let mut found: Vec<Found> = found?.into_iter().flatten().collect();
    let mut image = Vec::new();
    for pattern in &mut found {
        groups.image_of(events.record(pattern.first_record as usize), &mut image);
        pattern.positions = leftmost(&image, &pattern.groups);
    }
    found.sort_unstable_by(|a, b| {
        (a.support, a.first_record, &a.positions).cmp(&(b.support, b.first_record, &b.positions))
    });
    Ok(found.into_iter().map(|found| RarePattern { groups: found.groups, support: found.support }).collect())
}

struct Found {
    groups: Vec<u32>,
    support: u64,
    first_record: u32,
    positions: Vec<u32>,
}

/// The positions of a pattern's leftmost embedding in an image that contains it.
fn leftmost(image: &[u32], pattern: &[u32]) -> Vec<u32> {
    let mut positions = Vec::with_capacity(pattern.len());
    let mut at = 0;
    for group in pattern {
        while at < image.len() && image[at] != *group {
            at += 1;
        }
        positions.push(at as u32);
        at += 1;
    }
    positions
}

/// The tail of a pattern after its first element, as one number in base "number of groups".
type Tail = u128;

/// Counts the people of every tail after one first element.
struct Counter {
    base: Tail,
    size: usize,
    cells: Cells,
    image: Vec<u32>,
    /// `seen[depth][group] == token` while the group was already taken at this depth of the current walk.
    seen: Vec<Vec<u64>>,
    token: u64,
    person: u32,
    record: u32,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    tail: Tail,
    people: u32,
    last_person: u32,
    first_record: u32,
}

/// Cells by tail: a plain array while it is small, a hash table when it would not be.
enum Cells {
    Dense { cells: Vec<Cell>, touched: Vec<u32> },
    Sparse { cells: Vec<Cell>, index: HashTable<u32>, hasher: FixedState },
}

/// Above this many cells an array no longer stays in the cache.
const DENSE_CELLS: Tail = 1 << 16;

impl Counter {
    fn new(groups: usize, size: usize) -> Self {
        let base = groups as Tail;
        let cells = match base.checked_pow(size as u32 - 1) {
            Some(count) if count <= DENSE_CELLS => {
                Cells::Dense { cells: vec![Cell::default(); count as usize], touched: Vec::new() }
            }
            _ => {
                Cells::Sparse { cells: Vec::new(), index: HashTable::new(), hasher: FixedState::with_seed(0) }
            }
        };
        Counter {
            base,
            size,
            cells,
            image: Vec::new(),
            seen: vec![vec![0; groups]; size],
            token: 0,
            person: 0,
            record: 0,
        }
    }

    fn add_record(
        &mut self,
        groups: &Groups,
        rank: &[u32],
        items: &[u32],
        first: u32,
        person: u32,
        record: u32,
    ) {
        let mut image = std::mem::take(&mut self.image);
        groups.image_of(items, &mut image);
        if let Some(at) = image.iter().position(|group| *group == first) {
            for group in &mut image {
                *group = rank[*group as usize];
            }
            (self.person, self.record) = (person, record);
            self.extend(&image, at + 1, 1, 0);
        }
        self.image = image;
    }

    /// Counts every tail that continues after position `from`; `depth` elements are fixed and coded in `tail`.
    fn extend(&mut self, image: &[u32], from: usize, depth: usize, tail: Tail) {
        if depth == self.size {
            self.count(tail);
            return;
        }
        self.token += 1;
        let token = self.token;
        let room = self.size - depth;
        let mut fresh = 0;
        for at in from..(image.len() + 1).saturating_sub(room).max(from) {
            let group = image[at];
            if std::mem::replace(&mut self.seen[depth][group as usize], token) == token {
                continue;
            }
            fresh += 1;
            self.extend(image, at + 1, depth + 1, tail * self.base + Tail::from(group));
            // In a long record over few groups nothing new comes after all groups were taken.
            if fresh == self.seen[depth].len() {
                break;
            }
        }
    }

    fn count(&mut self, tail: Tail) {
        let (person, record) = (self.person, self.record);
        let cell = match &mut self.cells {
            Cells::Dense { cells, touched } => {
                let cell = &mut cells[tail as usize];
                if cell.people == 0 {
                    touched.push(tail as u32);
                }
                cell
            }
            Cells::Sparse { cells, index, hasher } => {
                let hash = hasher.hash_one(tail);
                match index.find(hash, |at| cells[*at as usize].tail == tail) {
                    Some(at) => &mut cells[*at as usize],
                    None => {
                        let at = cells.len() as u32;
                        cells.push(Cell { tail, ..Cell::default() });
                        index.insert_unique(hash, at, |at| hasher.hash_one(cells[*at as usize].tail));
                        &mut cells[at as usize]
                    }
                }
            }
        };
        if cell.people == 0 {
            *cell = Cell { tail, people: 1, last_person: person, first_record: record };
        } else if cell.last_person != person {
            cell.people += 1;
            cell.last_person = person;
        }
    }

    /// The patterns below `k`, and a counter as good as new.
    fn drain(&mut self, first: u32, groups: &[u32], k: u64) -> Vec<Found> {
        let base = self.base;
        let decode = |cell: &Cell| {
            let mut pattern = vec![first; self.size];
            let mut rest = cell.tail;
            for at in (1..pattern.len()).rev() {
                pattern[at] = groups[(rest % base) as usize];
                rest /= base;
            }
            Found {
                groups: pattern,
                support: u64::from(cell.people),
                first_record: cell.first_record,
                positions: Vec::new(),
            }
        };
        let rare = |cell: &&Cell| u64::from(cell.people) < k;
        match &mut self.cells {
            Cells::Dense { cells, touched } => {
                let found = touched.iter().map(|at| &cells[*at as usize]).filter(rare).map(decode).collect();
                for at in touched.drain(..) {
                    cells[at as usize] = Cell::default();
                }
                found
            }
            Cells::Sparse { cells, index, .. } => {
                let found = cells.iter().filter(rare).map(decode).collect();
                cells.clear();
                index.clear();
                found
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_data::{Dataset, EventKind};

    fn rare_words(data: &Dataset, size: usize, k: u64) -> Vec<(String, u64)> {
        let groups = Groups::singletons(&data.events, data.items.len());
        rare_patterns(&data.events, &groups, size, k, &Progress::silent(), "count")
            .unwrap()
            .into_iter()
            .map(|rare| (rare.groups.iter().map(|group| data.items.name(*group)).collect(), rare.support))
            .collect()
    }

    #[test]
    fn ties_come_in_order_of_first_occurrence() {
        let data = Dataset::from_words(["dace", "baec", "ade", "bdec", "dc", "de"]);
        let expected = ["da", "ce", "ba", "ad", "bd"].map(|word| (word.to_owned(), 1));
        assert_eq!(rare_words(&data, 2, 2), expected);
        assert_eq!(rare_words(&data, 1, 3), [("b".to_owned(), 2)]);
    }

    #[test]
    fn repeats_within_a_person_count_once() {
        let records = [("p", "abab"), ("p", "ab"), ("q", "ba")];
        let data = Dataset::from_records(
            EventKind::Sequence,
            records.map(|(subject, word)| (subject, word.split("").filter(|letter| !letter.is_empty()))),
        );
        assert_eq!(
            rare_words(&data, 2, 9),
            [("ab", 1), ("aa", 1), ("bb", 1), ("ba", 2)].map(|(word, people)| (word.to_owned(), people))
        );
    }

    #[test]
    fn a_long_record_over_few_items_is_quick() {
        let long = "abc".repeat(5_000);
        let data = Dataset::from_words([long.as_str()]);
        assert_eq!(rare_words(&data, 4, 2).len(), 81);
    }
}
