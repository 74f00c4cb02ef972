//! Records as rows of item ranks, and the rows that are left of them while a set grows.
//!
//! Items are ranked by how many people have them, the most frequent first. A row holds the items that can still be
//! added (*open*) and, where closed or maximal sets are wanted, those that were passed over (*closed off*): an item
//! that is closed off and in every row shows that the set at hand was found elsewhere.

use std::cmp::Reverse;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_data::{Events, ItemId};

/// The data as the miner reads them: frequent items only.
pub(super) struct Baskets {
    /// The item of each rank.
    pub items: Vec<ItemId>,
    /// All records.
    pub rows: Rows,
    /// Whether nobody has two records that hold frequent items.
    pub one_each: bool,
}

impl Baskets {
    /// Leaves out items with fewer than `min_support` people: no frequent set can hold them.
    pub fn of(events: &Events, min_support: u64) -> Self {
        let supports = supports(events);
        let mut items: Vec<ItemId> =
            (0..supports.len() as ItemId).filter(|item| supports[*item as usize] >= min_support).collect();
        items.sort_unstable_by_key(|item| (Reverse(supports[*item as usize]), *item));
        let mut rank = vec![u32::MAX; supports.len()];
        for (at, item) in items.iter().enumerate() {
            rank[*item as usize] = at as u32;
        }
        let ranks = |record: usize, row: &mut Vec<u32>| {
            row.clear();
            let known = events.record(record).iter().map(|item| rank[*item as usize]);
            row.extend(known.filter(|rank| *rank != u32::MAX));
            row.sort_unstable();
            row.dedup();
        };
        let holds =
            |record: &usize| events.record(*record).iter().any(|item| rank[*item as usize] != u32::MAX);
        let one_each =
            (0..events.subjects()).all(|subject| events.records_of(subject).filter(holds).count() < 2);

        let mut rows = RowsBuilder::new(one_each);
        let mut row = Vec::new();
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                ranks(record, &mut row);
                if !row.is_empty() {
                    rows.push(subject as u32, 1, &row, &[]);
                }
            }
        }
        Baskets { items, rows: rows.finish(), one_each }
    }
}

/// Rows, those of one person next to each other.
#[derive(Debug, Default)]
pub(super) struct Rows {
    ends: Vec<(u64, u64)>,
    open: Vec<u32>,
    closed_off: Vec<u32>,
    person: Vec<u32>,
    people: Vec<u32>,
}

impl Rows {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Items that can still be added, the most frequent first.
    pub fn open(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1].0 };
        &self.open[start as usize..self.ends[row].0 as usize]
    }

    /// Items that were passed over.
    pub fn closed_off(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1].1 };
        &self.closed_off[start as usize..self.ends[row].1 as usize]
    }

    /// Somebody who has the row; rows of different numbers are different people's.
    pub fn person(&self, row: usize) -> u32 {
        self.person[row]
    }

    /// Takes open items out.
    pub fn retain_open(&mut self, keep: impl Fn(u32) -> bool) {
        let mut ends = self.ends.iter_mut().map(|end| &mut end.0);
        retain(&mut self.open, &mut ends, keep);
    }

    /// Takes out items that were passed over.
    pub fn retain_closed_off(&mut self, keep: impl Fn(u32) -> bool) {
        let mut ends = self.ends.iter_mut().map(|end| &mut end.1);
        retain(&mut self.closed_off, &mut ends, keep);
    }

    /// How many people have the row.
    pub fn people(&self, row: usize) -> u32 {
        self.people[row]
    }
}

fn retain(items: &mut Vec<u32>, ends: &mut dyn Iterator<Item = &mut u64>, keep: impl Fn(u32) -> bool) {
    let (mut start, mut kept) = (0, 0);
    for end in ends {
        for at in start..*end as usize {
            if keep(items[at]) {
                items[kept] = items[at];
                kept += 1;
            }
        }
        start = *end as usize;
        *end = kept as u64;
    }
    items.truncate(kept);
}

/// Rows in the making; where everybody has one row at most, equal rows become one.
pub(super) struct RowsBuilder {
    rows: Rows,
    same: Option<HashTable<u32>>,
    hasher: FixedState,
}

impl RowsBuilder {
    pub fn new(take_together: bool) -> Self {
        RowsBuilder {
            rows: Rows::default(),
            same: take_together.then(HashTable::new),
            hasher: FixedState::with_seed(0),
        }
    }

    /// Adds a row, or its people to the row that equals it.
    pub fn push(&mut self, person: u32, people: u32, open: &[u32], closed_off: &[&[u32]]) {
        let rows = &mut self.rows;
        let before = (rows.open.len(), rows.closed_off.len());
        rows.open.extend_from_slice(open);
        closed_off.iter().for_each(|part| rows.closed_off.extend_from_slice(part));
        rows.ends.push((rows.open.len() as u64, rows.closed_off.len() as u64));
        rows.person.push(person);
        rows.people.push(people);
        let Some(same) = &mut self.same else { return };
        let (last, rows) = (self.rows.len() - 1, &self.rows);
        let hash = |row: usize| hash(&self.hasher, rows.open(row), rows.closed_off(row));
        let equal = |row: &u32| {
            let row = *row as usize;
            rows.open(row) == rows.open(last) && rows.closed_off(row) == rows.closed_off(last)
        };
        match same.find(hash(last), equal).copied() {
            None => {
                same.insert_unique(hash(last), last as u32, |row| hash(*row as usize));
            }
            Some(known) => {
                let rows = &mut self.rows;
                rows.people[known as usize] += people;
                rows.open.truncate(before.0);
                rows.closed_off.truncate(before.1);
                rows.ends.pop();
                rows.person.pop();
                rows.people.pop();
            }
        }
    }

    pub fn finish(self) -> Rows {
        self.rows
    }
}

fn hash(hasher: &FixedState, open: &[u32], closed_off: &[u32]) -> u64 {
    let mut hash = hasher.build_hasher();
    open.iter().for_each(|item| hash.write_u32(*item));
    hash.write_u32(u32::MAX);
    closed_off.iter().for_each(|item| hash.write_u32(*item));
    hash.finish()
}

/// How many people have each item; as long as the largest item.
fn supports(events: &Events) -> Vec<u64> {
    let alphabet = events.items().iter().max().map_or(0, |item| *item as usize + 1);
    let mut supports = vec![0; alphabet];
    let mut last = vec![u32::MAX; alphabet];
    for subject in 0..events.subjects() {
        for item in events.records_of(subject).flat_map(|record| events.record(record)) {
            let item = *item as usize;
            if last[item] != subject as u32 {
                last[item] = subject as u32;
                supports[item] += 1;
            }
        }
    }
    supports
}
