//! Groups of rows at a node of the lattice, counted from the groups of a node below.
//!
//! Rows with equal values are counted once. A frequency set keeps one such row for each group: where the group goes at a higher
//! node follows from that row alone, so no node ever looks at the data again.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::BuildHasher;

use super::super::demands::{Demands, Tally};
use super::super::quasi::Quasi;
use super::levels::Column;

/// The distinct rows of a table.
#[derive(Debug, Clone)]
pub struct Tuples {
    /// Codes of the distinct rows, one after another.
    codes: Vec<u32>,
    width: usize,
    /// The distinct row of each person.
    pub of_person: Vec<u32>,
}

/// How many rows each group of a node has.
#[derive(Debug, Clone, Default)]
pub struct Frequency {
    /// A distinct row of each group.
    rows: Vec<u32>,
    /// The size of each group.
    pub sizes: Vec<u32>,
    /// For each sensitive column: group, value, people; ascending.
    tallies: Vec<Vec<(u32, u32, u32)>>,
}

impl Tuples {
    /// Collapses rows with equal quasi-identifiers.
    pub fn collapse(quasi: &[Quasi], demands: &Demands) -> (Tuples, Frequency) {
        let width = quasi.len();
        let people = quasi.first().map_or(0, |quasi| quasi.codes.len());
        let mut tuples = Tuples { codes: Vec::new(), width, of_person: Vec::with_capacity(people) };
        let hasher = foldhash::fast::FixedState::with_seed(0);
        let mut known: HashTable<u32> = HashTable::new();
        let mut row = vec![0; width];
        let mut sizes: Vec<u32> = Vec::new();
        for person in 0..people {
            for (cell, quasi) in row.iter_mut().zip(quasi) {
                *cell = quasi.codes[person];
            }
            let of = |tuple: u32| &tuples.codes[tuple as usize * width..][..width];
            let found = known.entry(
                hasher.hash_one(&row),
                |tuple| of(*tuple) == row,
                |tuple| hasher.hash_one(of(*tuple)),
            );
            let tuple = match found {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    let tuple = sizes.len() as u32;
                    entry.insert(tuple);
                    tuples.codes.extend_from_slice(&row);
                    sizes.push(0);
                    tuple
                }
            };
            sizes[tuple as usize] += 1;
            tuples.of_person.push(tuple);
        }
        let tallies = demands.secrets.iter().map(|secret| {
            let values = tuples.of_person.iter().zip(&secret.codes);
            merged(values.map(|(tuple, code)| (*tuple, *code, 1)).collect())
        });
        let frequency =
            Frequency { rows: (0..sizes.len() as u32).collect(), tallies: tallies.collect(), sizes };
        (tuples, frequency)
    }

    fn row(&self, tuple: u32) -> &[u32] {
        &self.codes[tuple as usize * self.width..][..self.width]
    }

    /// The code of a column in a distinct row.
    pub fn code(&self, tuple: u32, column: usize) -> u32 {
        self.codes[tuple as usize * self.width + column]
    }
}

/// Adds up entries for the same group and value.
fn merged(mut entries: Vec<(u32, u32, u32)>) -> Vec<(u32, u32, u32)> {
    entries.sort_unstable();
    entries.dedup_by(|next, kept| {
        let same = (kept.0, kept.1) == (next.0, next.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    entries
}

/// Reused between roll-ups.
#[derive(Debug, Default)]
pub struct Scratch {
    dense: Vec<u32>,
    keys: Vec<u128>,
    sparse: HashTable<(u128, u32)>,
}

impl Frequency {
    /// Number of groups.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The groups at a node above.
    pub fn roll_up(
        &self,
        tuples: &Tuples,
        columns: &[Column],
        levels: &[usize],
        scratch: &mut Scratch,
    ) -> Frequency {
        self.rolled_up(tuples, columns, levels, scratch).0
    }

    /// The groups at a node above, and which of them each present group is part of.
    pub fn rolled_up(
        &self,
        tuples: &Tuples,
        columns: &[Column],
        levels: &[usize],
        scratch: &mut Scratch,
    ) -> (Frequency, Vec<u32>) {
        // Columns at their root tell nothing apart.
        let told: Vec<(usize, &[u32], u128)> = {
            let mut stride = 1_u128;
            let mut told = Vec::with_capacity(levels.len());
            for (at, level) in levels.iter().enumerate() {
                let level = &columns[at].levels[*level];
                if level.groups > 1 {
                    told.push((at, level.group.as_slice(), stride));
                    stride = stride.saturating_mul(u128::from(level.groups));
                }
            }
            told.push((usize::MAX, &[], stride));
            told
        };
        let cells = told.last().map_or(1, |(_, _, cells)| *cells);
        let told = &told[..told.len() - 1];
        let mut image = Vec::with_capacity(self.len());
        let mut above = Frequency::default();
        if cells <= 4 * self.len() as u128 + 4_096 {
            scratch.dense.clear();
            scratch.dense.resize(cells as usize, u32::MAX);
            for (row, size) in self.rows.iter().zip(&self.sizes) {
                let codes = tuples.row(*row);
                let key: usize = told
                    .iter()
                    .map(|(at, group, stride)| group[codes[*at] as usize] as usize * *stride as usize)
                    .sum();
                let group = &mut scratch.dense[key];
                if *group == u32::MAX {
                    *group = above.begin(*row);
                }
                above.sizes[*group as usize] += size;
                image.push(*group);
            }
        } else {
            self.keys(tuples, told, cells, &mut scratch.keys);
            let hasher = foldhash::fast::FixedState::with_seed(0);
            scratch.sparse.clear();
            for ((row, size), key) in self.rows.iter().zip(&self.sizes).zip(&scratch.keys) {
                let hash = |key: u128| hasher.hash_one(key as u64 ^ (key >> 64) as u64);
                let entry = scratch.sparse.entry(hash(*key), |known| known.0 == *key, |known| hash(known.0));
                let group = match entry {
                    Entry::Occupied(entry) => entry.get().1,
                    Entry::Vacant(entry) => {
                        let group = above.begin(*row);
                        entry.insert((*key, group));
                        group
                    }
                };
                above.sizes[group as usize] += size;
                image.push(group);
            }
        }
        above.tallies = self
            .tallies
            .iter()
            .map(|entries| {
                merged(entries.iter().map(|(group, v, n)| (image[*group as usize], *v, *n)).collect())
            })
            .collect();
        (above, image)
    }

    /// One number for each group of the node above. Where a number cannot hold all columns, prefixes are numbered first.
    fn keys(&self, tuples: &Tuples, told: &[(usize, &[u32], u128)], cells: u128, keys: &mut Vec<u128>) {
        keys.clear();
        if cells < u128::MAX {
            keys.extend(self.rows.iter().map(|row| {
                let codes = tuples.row(*row);
                told.iter()
                    .map(|(at, group, stride)| u128::from(group[codes[*at] as usize]) * stride)
                    .sum::<u128>()
            }));
            return;
        }
        keys.resize(self.len(), 0);
        for (at, group, _) in told {
            let hasher = foldhash::fast::FixedState::with_seed(0);
            let mut numbers = hashbrown::HashMap::with_capacity_and_hasher(self.len(), hasher);
            for (row, key) in self.rows.iter().zip(keys.iter_mut()) {
                let wide = *key << 32 | u128::from(group[tuples.code(*row, *at) as usize]);
                let next = numbers.len() as u128;
                *key = *numbers.entry(wide).or_insert(next);
            }
        }
    }

    fn begin(&mut self, row: u32) -> u32 {
        self.rows.push(row);
        self.sizes.push(0);
        self.sizes.len() as u32 - 1
    }

    /// The code of a column in some row of the group.
    pub fn code(&self, tuples: &Tuples, group: usize, column: usize) -> u32 {
        tuples.code(self.rows[group], column)
    }

    /// The groups that fail. With suppression, t-closeness compares with the people who are left, so that leaving out a
    /// group may make another one fail.
    pub fn failing(&self, demands: &Demands, suppresses: bool) -> Vec<bool> {
        let mut fails: Vec<bool> = self.sizes.iter().map(|size| *size < demands.k).collect();
        if demands.only_size() {
            return fails;
        }
        for (secret, entries) in demands.secrets.iter().zip(&self.tallies) {
            fail_unless(entries, &mut fails, |values| demands.known_diverse(secret, values));
        }
        if demands.closeness.is_none() {
            return fails;
        }
        loop {
            let before = fails.clone();
            for (secret, entries) in demands.secrets.iter().zip(&self.tallies) {
                let mut overall = vec![0; secret.overall.len()];
                for (_, value, people) in
                    entries.iter().filter(|entry| !suppresses || !before[entry.0 as usize])
                {
                    overall[*value as usize] += people;
                }
                fail_unless(entries, &mut fails, |values| demands.close(secret, values, &overall));
            }
            if fails == before || !suppresses {
                return fails;
            }
        }
    }
}

/// Lets groups fail whose sensitive values are not good.
fn fail_unless(entries: &[(u32, u32, u32)], fails: &mut [bool], good: impl Fn(&Tally) -> bool) {
    let mut values: Vec<(u32, u32)> = Vec::new();
    for run in entries.chunk_by(|a, b| a.0 == b.0) {
        let group = run[0].0 as usize;
        if !fails[group] {
            values.clear();
            values.extend(run.iter().map(|(_, value, people)| (*value, *people)));
            fails[group] = !good(&values);
        }
    }
}
