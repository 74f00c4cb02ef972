//! Records as rows of item ranks, and the rows that are left of them while a set grows.
//!
//! Items are ranked by how many people have them, the most frequent first. A row holds the items that can still be
//! added (*open*) and, where closed or maximal sets are wanted, those that were passed over (*closed off*): an item
//! that is closed off and in every row shows that the set at hand was found elsewhere. Whether it is in every row is all that is
//! asked, so rows whose open items are equal become one, with what is closed off in all of them.

use std::cmp::Reverse;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_data::{Events, ItemId};

/// The data as the miner reads them: frequent items only.
pub(super) struct Baskets {
    /// The item of each rank.
    pub items: Vec<ItemId>,
    /// All records.
    pub rows: Rows,
    /// Whether each person has at most one record that holds frequent items.
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
    open: Vec<u32>,
    /// Where the open items of each row end.
    ends: Vec<u64>,
    closed_off: Vec<u32>,
    /// Where what is closed off begins and ends, for each row.
    closed: Vec<(u64, u64)>,
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
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.open[start as usize..self.ends[row] as usize]
    }

    /// Items that were passed over, the most frequent first.
    pub fn closed_off(&self, row: usize) -> &[u32] {
        let (start, end) = self.closed[row];
        &self.closed_off[start as usize..end as usize]
    }

    /// A person who has the row; rows of different numbers are different people's.
    pub fn person(&self, row: usize) -> u32 {
        self.person[row]
    }

    /// How many people have the row.
    pub fn people(&self, row: usize) -> u32 {
        self.people[row]
    }

    /// Takes open items out.
    pub fn retain_open(&mut self, keep: impl Fn(u32) -> bool) {
        let (mut start, mut kept) = (0, 0);
        for end in &mut self.ends {
            for at in start..*end as usize {
                if keep(self.open[at]) {
                    self.open[kept] = self.open[at];
                    kept += 1;
                }
            }
            start = *end as usize;
            *end = kept as u64;
        }
        self.open.truncate(kept);
    }

    /// Leaves closed off in one row only what is closed off in another, too.
    fn close_off_both(&mut self, row: usize, other: usize) {
        let (start, end) = self.closed[row];
        let (mut next, other_end) = self.closed[other];
        let mut kept = start;
        for at in start..end {
            let item = self.closed_off[at as usize];
            while next < other_end && self.closed_off[next as usize] < item {
                next += 1;
            }
            if next < other_end && self.closed_off[next as usize] == item {
                self.closed_off[kept as usize] = item;
                kept += 1;
            }
        }
        self.closed[row].1 = kept;
    }
}

/// Rows in the making; where everybody has one row at most, rows with equal open items become one.
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

    /// Adds a row, or its people to the row that equals it. The parts that are closed off are given in order of rank.
    pub fn push(&mut self, person: u32, people: u32, open: &[u32], closed_off: &[&[u32]]) {
        let rows = &mut self.rows;
        let before = (rows.open.len(), rows.closed_off.len());
        rows.open.extend_from_slice(open);
        closed_off.iter().for_each(|part| rows.closed_off.extend_from_slice(part));
        rows.ends.push(rows.open.len() as u64);
        rows.closed.push((before.1 as u64, rows.closed_off.len() as u64));
        rows.person.push(person);
        rows.people.push(people);
        let Some(same) = &mut self.same else { return };
        let (last, rows) = (self.rows.len() - 1, &self.rows);
        let hash = |row: usize| self.hasher.hash_one(rows.open(row));
        match same.find(hash(last), |row| rows.open(*row as usize) == rows.open(last)).copied() {
            None => {
                same.insert_unique(hash(last), last as u32, |row| hash(*row as usize));
            }
            Some(known) => {
                let rows = &mut self.rows;
                rows.people[known as usize] += people;
                rows.close_off_both(known as usize, last);
                rows.open.truncate(before.0);
                rows.closed_off.truncate(before.1);
                rows.ends.pop();
                rows.closed.pop();
                rows.person.pop();
                rows.people.pop();
            }
        }
    }

    pub fn finish(self) -> Rows {
        self.rows
    }
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
