//! Counts people by pattern.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_data::ItemId;

use super::{Found, Requirement};
use crate::sequence::groups::Groups;

/// The groups there are, numbered densely so that counters stay small.
pub(super) struct Ranks {
    rank_of: Vec<u32>,
    groups: Vec<u32>,
}

impl Ranks {
    pub(super) fn of(groups: &Groups) -> Self {
        let mut rank_of = vec![0_u32; groups.bound()];
        let all: Vec<u32> = groups.all().collect();
        for (rank, group) in all.iter().enumerate() {
            rank_of[*group as usize] = rank as u32;
        }
        Ranks { rank_of, groups: all }
    }

    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }
}

/// A pattern, or what follows its first element, as one number in base "number of groups".
type Tail = u128;

/// Counts the people of every pattern, or of every pattern that begins with one group.
pub(super) struct Counter<'a> {
    ranks: &'a Ranks,
    /// The group all patterns begin with, if there is one; it is not part of the tail then.
    first: Option<u32>,
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
    pub(super) fn new(
        ranks: &'a Ranks,
        first: Option<u32>,
        size: usize,
        requirement: Requirement<'a>,
    ) -> Self {
        let kinds = requirement.diversity.map_or(0, |diversity| diversity.kinds);
        let free = size - usize::from(first.is_some());
        let mut carriers = Vec::new();
        let cells = match (ranks.len() as Tail).checked_pow(free as u32) {
            Some(count) if count <= DENSE_CELLS => {
                carriers.resize(count as usize * kinds, 0);
                Cells::Dense { cells: vec![Cell::default(); count as usize], touched: Vec::new() }
            }
            _ => {
                Cells::Sparse { cells: Vec::new(), index: HashTable::new(), hasher: FixedState::with_seed(0) }
            }
        };
        Counter {
            ranks,
            first,
            size,
            requirement,
            cells,
            carriers,
            image: Vec::new(),
            seen: vec![vec![0; ranks.len()]; size],
            token: 0,
            person: 0,
            record: 0,
        }
    }

    /// Counts patterns that begin with this group from now on. Only for counters made with a first group.
    pub(super) fn begin_with(&mut self, first: u32) {
        self.first = Some(first);
    }

    pub(super) fn add_record(&mut self, groups: &Groups, items: &[ItemId], person: u32, record: u32) {
        let mut image = std::mem::take(&mut self.image);
        groups.image_of(items, &mut image);
        let from = match self.first {
            None => Some(0),
            Some(first) => image.iter().position(|group| *group == first).map(|at| at + 1),
        };
        if let Some(from) = from {
            for group in &mut image {
                *group = self.ranks.rank_of[*group as usize];
            }
            (self.person, self.record) = (person, record);
            self.extend(&image, from, usize::from(self.first.is_some()), 0);
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
            self.extend(image, at + 1, depth + 1, tail * self.ranks.len() as Tail + Tail::from(group));
            // In a long record over few groups nothing new comes after all groups were taken.
            if fresh == self.seen[depth].len() {
                break;
            }
        }
    }

    fn count(&mut self, tail: Tail) {
        let (person, record) = (self.person, self.record);
        let kinds = self.kinds();
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

    /// Adds what another counter found with other people.
    pub(super) fn add_counts(&mut self, other: &Counter<'_>) {
        let kinds = self.kinds();
        let (Cells::Dense { cells, touched }, Cells::Dense { cells: others, touched: reached }) =
            (&mut self.cells, &other.cells)
        else {
            return;
        };
        for at in reached {
            let at = *at as usize;
            let (cell, added) = (&mut cells[at], &others[at]);
            if cell.people == 0 {
                touched.push(at as u32);
                *cell = *added;
            } else {
                cell.people += added.people;
                cell.first_record = cell.first_record.min(added.first_record);
            }
            for kind in at * kinds..(at + 1) * kinds {
                self.carriers[kind] += other.carriers[kind];
            }
        }
    }

    /// The patterns that break the requirement, and a counter as good as new.
    pub(super) fn drain(&mut self) -> Vec<Found> {
        let kinds = self.kinds();
        let (carriers, requirement, size) = (&self.carriers, self.requirement, self.size);
        let (first, groups) = (self.first, &self.ranks.groups);
        let judge = |at: usize, cell: &Cell| {
            if !requirement.is_broken_by(u64::from(cell.people), &carriers[at * kinds..(at + 1) * kinds]) {
                return None;
            }
            let mut pattern = vec![first.unwrap_or(0); size];
            let mut rest = cell.tail;
            for at in (usize::from(first.is_some())..size).rev() {
                pattern[at] = groups[(rest % groups.len() as Tail) as usize];
                rest /= groups.len() as Tail;
            }
            Some(Found { groups: pattern, support: u64::from(cell.people), first_record: cell.first_record })
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

    fn kinds(&self) -> usize {
        self.requirement.diversity.map_or(0, |diversity| diversity.kinds)
    }
}
