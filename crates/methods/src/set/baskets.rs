//! Sets as methods count them: people with the same records are one row of the books, with a weight.
//!
//! Support counts people: a person has a set of items if one of the person's records holds all of it. People whose
//! records hold the same sets are counted together, so a million small baskets become far fewer.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;
use throng_data::{Events, ItemId};

/// No symbol, or no crowd.
pub const NONE: u32 = u32::MAX;

/// Crowds of people with the same records. Symbols are items, or whatever items were mapped to.
#[derive(Debug, Clone)]
pub struct Baskets {
    /// `crowd_rows[c]..crowd_rows[c + 1]` are the rows of crowd `c`.
    crowd_rows: Vec<u32>,
    /// `row_symbols[r]..row_symbols[r + 1]` are the symbols of row `r`, ascending.
    row_symbols: Vec<u64>,
    symbols: Vec<u32>,
    /// `crowd_secrets[c]..crowd_secrets[c + 1]` are the secrets of crowd `c`.
    crowd_secrets: Vec<u64>,
    secrets: Vec<u32>,
    weights: Vec<u32>,
    crowd_of: Vec<u32>,
}

impl Baskets {
    /// The people of a dataset who have at least one counted item. `symbol_of` and `secret_of` say what an item counts
    /// as, [`NONE`] for neither; a person has a secret if it is in any record.
    pub fn of(events: &Events, symbol_of: &[u32], secret_of: &[u32]) -> Self {
        let mut builder = Builder::new(events.subjects());
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                for item in events.record(record) {
                    builder.symbol(symbol_of[*item as usize]);
                    builder.secret(secret_of.get(*item as usize).copied().unwrap_or(NONE));
                }
                builder.end_row();
            }
            builder.end_crowd(1);
        }
        builder.finish()
    }

    /// The same people with every row written anew by `rewrite`, which fills the second argument. `join` puts crowds
    /// together that have become alike; without it they keep their numbers, unless they have lost everything.
    pub fn map(&self, join: bool, rewrite: impl Fn(&[u32], &mut Vec<u32>) + Sync) -> Self {
        // Rewriting is the work, and putting together is not: the first runs in parallel, piece by piece.
        let pieces: Vec<(Vec<u32>, Vec<u32>)> = (0..self.rows())
            .collect::<Vec<_>>()
            .par_chunks(PIECE)
            .map(|rows| {
                let (mut symbols, mut lengths, mut row) =
                    (Vec::new(), Vec::with_capacity(rows.len()), Vec::new());
                for at in rows {
                    row.clear();
                    rewrite(self.row(*at), &mut row);
                    sort_and_dedup(&mut row, 0);
                    lengths.push(row.len() as u32);
                    symbols.extend_from_slice(&row);
                }
                (symbols, lengths)
            })
            .collect();
        let mut builder = Builder { join, ..Builder::new(self.crowds()) };
        let mut rows = pieces.iter().flat_map(|(symbols, lengths)| {
            let mut rest = symbols.as_slice();
            lengths.iter().map(move |length| {
                let (row, after) = rest.split_at(*length as usize);
                rest = after;
                row
            })
        });
        for crowd in 0..self.crowds() {
            for row in rows.by_ref().take(self.rows_of(crowd).len()) {
                row.iter().for_each(|symbol| builder.symbol(*symbol));
                builder.end_row();
            }
            self.secrets_of(crowd).iter().for_each(|secret| builder.secret(*secret));
            builder.end_crowd(self.weights[crowd]);
        }
        builder.finish()
    }

    /// The crowds of a list, in its order.
    pub fn only(&self, crowds: &[u32]) -> Self {
        let mut builder = Builder::new(crowds.len());
        for crowd in crowds.iter().map(|crowd| *crowd as usize) {
            for row in self.rows_of(crowd) {
                self.row(row).iter().for_each(|symbol| builder.symbol(*symbol));
                builder.end_row();
            }
            self.secrets_of(crowd).iter().for_each(|secret| builder.secret(*secret));
            builder.end_crowd(self.weights[crowd]);
        }
        builder.finish()
    }

    /// Number of crowds.
    pub fn crowds(&self) -> usize {
        self.weights.len()
    }

    /// Number of rows of all crowds.
    pub fn rows(&self) -> usize {
        self.row_symbols.len() - 1
    }

    /// The rows of a crowd.
    #[inline]
    pub fn rows_of(&self, crowd: usize) -> std::ops::Range<usize> {
        self.crowd_rows[crowd] as usize..self.crowd_rows[crowd + 1] as usize
    }

    /// The symbols of a row, ascending.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.symbols[self.row_symbols[row] as usize..self.row_symbols[row + 1] as usize]
    }

    /// How many people a crowd is.
    #[inline]
    pub fn weight(&self, crowd: usize) -> u32 {
        self.weights[crowd]
    }

    /// The secrets of a crowd, ascending.
    #[inline]
    pub fn secrets_of(&self, crowd: usize) -> &[u32] {
        &self.secrets[self.crowd_secrets[crowd] as usize..self.crowd_secrets[crowd + 1] as usize]
    }

    /// Whether every crowd has one row, so that a row is a crowd.
    pub fn is_simple(&self) -> bool {
        self.rows() == self.crowds()
    }

    /// The crowd of every row.
    pub fn crowd_of_rows(&self) -> Vec<u32> {
        let mut crowds = Vec::with_capacity(self.rows());
        for crowd in 0..self.crowds() {
            crowds.resize(self.crowd_rows[crowd + 1] as usize, crowd as u32);
        }
        crowds
    }

    /// The crowd of each subject (or of each crowd this was made from); [`NONE`] for people without a counted item.
    pub fn crowd_of(&self) -> &[u32] {
        &self.crowd_of
    }

    /// Number of people.
    pub fn people(&self) -> u64 {
        self.weights.iter().map(|weight| u64::from(*weight)).sum()
    }

    /// How many people have each of `secrets` secrets.
    pub fn people_by_secret(&self, secrets: usize) -> Vec<u64> {
        let mut people = vec![0; secrets];
        for crowd in 0..self.crowds() {
            for secret in self.secrets_of(crowd) {
                people[*secret as usize] += u64::from(self.weights[crowd]);
            }
        }
        people
    }
}

/// Rows rewritten by one thread at a time.
const PIECE: usize = 1 << 13;

/// Collects crowds and joins those that are alike.
struct Builder {
    baskets: Baskets,
    join: bool,
    index: HashTable<u32>,
    hashes: Vec<u64>,
    hasher: FixedState,
    /// Where the crowd under construction begins.
    first_symbol: usize,
    first_row: usize,
    first_secret: usize,
}

impl Builder {
    fn new(expected: usize) -> Self {
        let baskets = Baskets {
            crowd_rows: vec![0],
            row_symbols: vec![0],
            symbols: Vec::new(),
            crowd_secrets: vec![0],
            secrets: Vec::new(),
            weights: Vec::new(),
            crowd_of: Vec::with_capacity(expected),
        };
        Builder {
            baskets,
            join: true,
            index: HashTable::new(),
            hashes: Vec::new(),
            hasher: FixedState::with_seed(0),
            first_symbol: 0,
            first_row: 0,
            first_secret: 0,
        }
    }

    fn symbol(&mut self, symbol: u32) {
        if symbol != NONE {
            self.baskets.symbols.push(symbol);
        }
    }

    fn secret(&mut self, secret: u32) {
        if secret != NONE {
            self.baskets.secrets.push(secret);
        }
    }

    fn end_row(&mut self) {
        let begin = self.baskets.row_symbols.last().map_or(0, |end| *end as usize);
        sort_and_dedup(&mut self.baskets.symbols, begin);
        if self.baskets.symbols.len() > begin {
            self.baskets.row_symbols.push(self.baskets.symbols.len() as u64);
        }
    }

    fn end_crowd(&mut self, weight: u32) {
        sort_and_dedup(&mut self.baskets.secrets, self.first_secret);
        let rows = self.baskets.row_symbols.len() - 1 - self.first_row;
        if rows == 0 {
            self.forget();
            self.baskets.crowd_of.push(NONE);
            return;
        }
        if rows > 1 {
            self.order_rows();
        }
        let hash = if self.join { self.hash() } else { 0 };
        let baskets = &self.baskets;
        let symbols = &baskets.symbols[self.first_symbol..];
        let ends = &baskets.row_symbols[self.first_row..];
        let secrets = &baskets.secrets[self.first_secret..];
        let alike = |crowd: u32| {
            let rows = baskets.rows_of(crowd as usize);
            let own = &baskets.row_symbols[rows.start..=rows.end];
            self.hashes[crowd as usize] == hash
                && own.len() == ends.len()
                && own.iter().zip(ends).all(|(a, b)| a - own[0] == b - ends[0])
                && baskets.symbols[own[0] as usize..own[own.len() - 1] as usize] == *symbols
                && baskets.secrets_of(crowd as usize) == secrets
        };
        let known = if self.join { self.index.find(hash, |crowd| alike(*crowd)).copied() } else { None };
        match known {
            Some(crowd) => {
                self.forget();
                self.baskets.weights[crowd as usize] += weight;
                self.baskets.crowd_of.push(crowd);
            }
            None => {
                let crowd = self.baskets.weights.len() as u32;
                if self.join {
                    self.hashes.push(hash);
                    let hashes = &self.hashes;
                    self.index.insert_unique(hash, crowd, |crowd| hashes[*crowd as usize]);
                }
                self.baskets.weights.push(weight);
                self.baskets.crowd_of.push(crowd);
                self.baskets.crowd_rows.push(self.baskets.row_symbols.len() as u32 - 1);
                self.baskets.crowd_secrets.push(self.baskets.secrets.len() as u64);
                self.first_symbol = self.baskets.symbols.len();
                self.first_row = self.baskets.row_symbols.len() - 1;
                self.first_secret = self.baskets.secrets.len();
            }
        }
    }

    /// Takes the crowd under construction back.
    fn forget(&mut self) {
        self.baskets.symbols.truncate(self.first_symbol);
        self.baskets.row_symbols.truncate(self.first_row + 1);
        self.baskets.secrets.truncate(self.first_secret);
    }

    fn hash(&self) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        for symbol in &self.baskets.symbols[self.first_symbol..] {
            hasher.write_u32(*symbol);
        }
        hasher.finish()
    }

    /// Puts the rows of the crowd in order, each once: who has the same records in another order is the same.
    fn order_rows(&mut self) {
        let baskets = &mut self.baskets;
        let ends = &baskets.row_symbols[self.first_row..];
        let mut rows: Vec<Vec<u32>> = ends
            .windows(2)
            .map(|pair| baskets.symbols[pair[0] as usize..pair[1] as usize].to_vec())
            .collect();
        rows.sort_unstable();
        rows.dedup();
        baskets.symbols.truncate(self.first_symbol);
        baskets.row_symbols.truncate(self.first_row + 1);
        for row in rows {
            baskets.symbols.extend_from_slice(&row);
            baskets.row_symbols.push(baskets.symbols.len() as u64);
        }
    }

    fn finish(self) -> Baskets {
        self.baskets
    }
}

/// Puts the end of a list, from `begin` on, in order and leaves repeats out.
pub(super) fn sort_and_dedup(list: &mut Vec<u32>, begin: usize) {
    if list[begin..].is_sorted_by(|a, b| a < b) {
        return;
    }
    list[begin..].sort_unstable();
    let mut kept = begin;
    for at in begin..list.len() {
        if at == begin || list[at] != list[kept - 1] {
            list[kept] = list[at];
            kept += 1;
        }
    }
    list.truncate(kept);
}

/// Every item stands for itself.
pub fn plain(items: usize) -> Vec<u32> {
    (0..items as ItemId).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_data::{Dataset, EventKind};

    #[test]
    fn people_with_the_same_records_are_one_crowd() {
        let records =
            [("p", "ab"), ("q", "ba"), ("r", "a"), ("s", "ab"), ("s", "c"), ("t", "c"), ("t", "ab")];
        let split = records.map(|(who, word)| (who, word.split("").filter(|letter| !letter.is_empty())));
        let data = Dataset::from_records(EventKind::Set, split);
        let baskets = Baskets::of(&data.events, &plain(3), &[]);
        assert_eq!(baskets.crowd_of(), [0, 0, 1, 2, 2]);
        assert_eq!((baskets.weight(0), baskets.rows_of(2), baskets.people()), (2, 2..4, 5));
        let merged = baskets.map(true, |row, out| out.extend(row.iter().map(|symbol| symbol.min(&1))));
        assert_eq!(merged.crowd_of(), [0, 1, 2], "{merged:?}");
        let unseen = Baskets::of(&data.events, &[NONE, NONE, 0], &[]);
        assert_eq!(unseen.crowd_of(), [NONE, NONE, NONE, 0, 0]);
    }

    #[test]
    fn secrets_keep_people_apart() {
        let data =
            Dataset::from_records(EventKind::Set, [("p", ["a", "s"]), ("q", ["a", "a"]), ("r", ["s", "a"])]);
        let baskets = Baskets::of(&data.events, &[0, NONE], &[NONE, 0]);
        assert_eq!(baskets.crowd_of(), [0, 1, 0]);
        assert_eq!(baskets.people_by_secret(1), [2]);
    }
}
