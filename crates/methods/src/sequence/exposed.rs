//! The patterns of one length that say too much: too few people have them, or too many of those carry a secret.
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

/// What every pattern that occurs must meet.
#[derive(Debug, Clone, Copy)]
pub struct Requirement<'a> {
    /// So many people must have it.
    pub k: u64,
    /// So few of them may carry any one secret.
    pub diversity: Option<&'a Diversity>,
}

impl Requirement<'_> {
    /// Whether `people` people, of whom `carriers[s]` carry secret `s`, are too few or too alike.
    pub fn is_broken_by(&self, people: u64, carriers: &[u32]) -> bool {
        people < self.k || self.diversity.is_some_and(|diversity| diversity.is_broken_by(people, carriers))
    }
}

/// Which people carry which secrets, and how many of a pattern's people may.
#[derive(Debug, Clone)]
pub struct Diversity {
    /// `secrets[offsets[p]..offsets[p + 1]]` are the secrets of person `p`.
    pub offsets: Vec<u32>,
    /// Secrets, numbered `0..kinds`.
    pub secrets: Vec<u32>,
    /// How many secrets there are.
    pub kinds: usize,
    /// The parameter `l`.
    pub l: u64,
    /// How `l` is read.
    pub form: Form,
}

/// The two readings of `l`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// At most one in `l` people carries a given secret: what the paper claims.
    Ratio,
    /// At most `l` people carry a given secret: what the paper's definition says.
    Count,
}

impl Diversity {
    fn of(&self, person: u32) -> &[u32] {
        &self.secrets[self.offsets[person as usize] as usize..self.offsets[person as usize + 1] as usize]
    }

    fn is_broken_by(&self, people: u64, carriers: &[u32]) -> bool {
        carriers.iter().any(|count| match self.form {
            Form::Ratio => u64::from(*count) * self.l > people,
            Form::Count => u64::from(*count) > self.l,
        })
    }

    /// Adds a person's secrets to the tally.
    pub fn tally(&self, person: u32, carriers: &mut [u32]) {
        for secret in self.of(person) {
            carriers[*secret as usize] += 1;
        }
    }
}

/// A pattern that occurs and does not meet the requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExposedPattern {
    /// Its groups, in order.
    pub groups: Vec<u32>,
    /// Its people.
    pub support: u64,
}

/// Patterns of `size` groups that occur and break the requirement, lowest support first, then by first occurrence.
///
/// `phase` names the work to the observer.
pub fn exposed_patterns(
    events: &Events,
    groups: &Groups,
    size: usize,
    requirement: Requirement<'_>,
    progress: &Progress,
    phase: &str,
) -> Result<Vec<ExposedPattern>, Cancelled> {
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
            || Counter::new(firsts.len(), size, requirement),
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
                Ok(counter.drain(*first, &firsts))
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
    Ok(found
        .into_iter()
        .map(|found| ExposedPattern { groups: found.groups, support: found.support })
        .collect())
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
struct Counter<'a> {
    base: Tail,
    size: usize,
    requirement: Requirement<'a>,
    cells: Cells,
    /// The carriers of each secret, for each cell in turn.
    carriers: Vec<u32>,
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

impl<'a> Counter<'a> {
    fn new(groups: usize, size: usize, requirement: Requirement<'a>) -> Self {
        let base = groups as Tail;
        let kinds = requirement.diversity.map_or(0, |diversity| diversity.kinds);
        let mut carriers = Vec::new();
        let cells = match base.checked_pow(size as u32 - 1) {
            Some(count) if count <= DENSE_CELLS => {
                carriers.resize(count as usize * kinds, 0);
                Cells::Dense { cells: vec![Cell::default(); count as usize], touched: Vec::new() }
            }
            _ => {
                Cells::Sparse { cells: Vec::new(), index: HashTable::new(), hasher: FixedState::with_seed(0) }
            }
        };
        Counter {
            base,
            size,
            requirement,
            cells,
            carriers,
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
        let kinds = self.requirement.diversity.map_or(0, |diversity| diversity.kinds);
        let (at, cell) = match &mut self.cells {
            Cells::Dense { cells, touched } => {
                let cell = &mut cells[tail as usize];
                if cell.people == 0 {
                    touched.push(tail as u32);
                }
                (tail as usize, cell)
            }
            Cells::Sparse { cells, index, hasher } => {
                let hash = hasher.hash_one(tail);
                match index.find(hash, |at| cells[*at as usize].tail == tail) {
                    Some(at) => (*at as usize, &mut cells[*at as usize]),
                    None => {
                        let at = cells.len() as u32;
                        cells.push(Cell { tail, ..Cell::default() });
                        index.insert_unique(hash, at, |at| hasher.hash_one(cells[*at as usize].tail));
                        self.carriers.resize(cells.len() * kinds, 0);
                        (at as usize, &mut cells[at as usize])
                    }
                }
            }
        };
        if cell.people == 0 {
            *cell = Cell { tail, people: 1, last_person: person, first_record: record };
        } else if cell.last_person != person {
            cell.people += 1;
            cell.last_person = person;
        } else {
            return;
        }
        if let Some(diversity) = self.requirement.diversity {
            diversity.tally(person, &mut self.carriers[at * kinds..(at + 1) * kinds]);
        }
    }

    /// The patterns that break the requirement, and a counter as good as new.
    fn drain(&mut self, first: u32, groups: &[u32]) -> Vec<Found> {
        let kinds = self.requirement.diversity.map_or(0, |diversity| diversity.kinds);
        let (carriers, requirement, base, size) = (&self.carriers, self.requirement, self.base, self.size);
        let judge = |at: usize, cell: &Cell| {
            if !requirement.is_broken_by(u64::from(cell.people), &carriers[at * kinds..(at + 1) * kinds]) {
                return None;
            }
            let mut pattern = vec![first; size];
            let mut rest = cell.tail;
            for at in (1..size).rev() {
                pattern[at] = groups[(rest % base) as usize];
                rest /= base;
            }
            Some(Found {
                groups: pattern,
                support: u64::from(cell.people),
                first_record: cell.first_record,
                positions: Vec::new(),
            })
        };
        match &mut self.cells {
            Cells::Dense { cells, touched } => {
                let found =
                    touched.iter().filter_map(|at| judge(*at as usize, &cells[*at as usize])).collect();
                for at in touched.drain(..) {
                    cells[at as usize] = Cell::default();
                    self.carriers[at as usize * kinds..(at as usize + 1) * kinds].fill(0);
                }
                found
            }
            Cells::Sparse { cells, index, .. } => {
                let found = cells.iter().enumerate().filter_map(|(at, cell)| judge(at, cell)).collect();
                cells.clear();
                index.clear();
                self.carriers.clear();
                found
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_data::{Dataset, EventKind};

    fn exposed_words(data: &Dataset, size: usize, k: u64) -> Vec<(String, u64)> {
        let groups = Groups::singletons(&data.events, data.items.len());
        let requirement = Requirement { k, diversity: None };
        exposed_patterns(&data.events, &groups, size, requirement, &Progress::silent(), "count")
            .unwrap()
            .into_iter()
            .map(|found| (found.groups.iter().map(|group| data.items.name(*group)).collect(), found.support))
            .collect()
    }

    #[test]
    fn ties_come_in_order_of_first_occurrence() {
        let data = Dataset::from_words(["dace", "baec", "ade", "bdec", "dc", "de"]);
        let expected = ["da", "ce", "ba", "ad", "bd"].map(|word| (word.to_owned(), 1));
        assert_eq!(exposed_words(&data, 2, 2), expected);
        assert_eq!(exposed_words(&data, 1, 3), [("b".to_owned(), 2)]);
    }

    #[test]
    fn repeats_within_a_person_count_once() {
        let records = [("p", "abab"), ("p", "ab"), ("q", "ba")];
        let data = Dataset::from_records(
            EventKind::Sequence,
            records.map(|(subject, word)| (subject, word.split("").filter(|letter| !letter.is_empty()))),
        );
        assert_eq!(
            exposed_words(&data, 2, 9),
            [("ab", 1), ("aa", 1), ("bb", 1), ("ba", 2)].map(|(word, people)| (word.to_owned(), people))
        );
    }

    #[test]
    fn a_long_record_over_few_items_is_quick() {
        let long = "abc".repeat(5_000);
        let data = Dataset::from_words([long.as_str()]);
        assert_eq!(exposed_words(&data, 4, 2).len(), 81);
    }
}
