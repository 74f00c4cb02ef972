//! Which rows hold a symbol, and how many people have symbols together.

use super::baskets::{Baskets, NONE};

/// Baskets with the rows of every symbol.
#[derive(Debug)]
pub struct Index {
    baskets: Baskets,
    /// The crowd of each row; empty where a row is a crowd.
    crowds: Vec<u32>,
    /// `offsets[s]..offsets[s + 1]` are the rows that hold symbol `s`, ascending.
    offsets: Vec<u64>,
    rows: Vec<u32>,
    secrets: usize,
}

/// For every symbol how many people have it (together with what was asked about), and how many of them have the
/// commonest secret among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// People.
    pub people: Vec<u32>,
    /// People with the commonest secret; empty when there are no secrets.
    pub worst: Vec<u32>,
}

impl Tally {
    /// People who have the symbol, and how many of them share a secret.
    #[inline]
    pub fn of(&self, symbol: u32) -> (u64, u64) {
        let worst = self.worst.get(symbol as usize).copied().unwrap_or(0);
        (u64::from(self.people[symbol as usize]), u64::from(worst))
    }
}

/// Counters for symbols and secrets at a time; secrets are counted in batches that fit.
const COUNTERS: usize = 1 << 20;

impl Index {
    /// Symbols are below `symbols`, secrets below `secrets`.
    pub fn new(baskets: Baskets, symbols: usize, secrets: usize) -> Self {
        let mut offsets = vec![0_u64; symbols + 1];
        for row in 0..baskets.rows() {
            for symbol in baskets.row(row) {
                offsets[*symbol as usize + 1] += 1;
            }
        }
        for symbol in 0..symbols {
            offsets[symbol + 1] += offsets[symbol];
        }
        let mut next = offsets.clone();
        let mut rows = vec![0_u32; offsets[symbols] as usize];
        for row in 0..baskets.rows() {
            for symbol in baskets.row(row) {
                let at = &mut next[*symbol as usize];
                rows[*at as usize] = row as u32;
                *at += 1;
            }
        }
        let crowds = if baskets.is_simple() { Vec::new() } else { baskets.crowd_of_rows() };
        Index { baskets, crowds, offsets, rows, secrets }
    }

    /// What was counted.
    pub fn baskets(&self) -> &Baskets {
        &self.baskets
    }

    /// Number of symbols.
    pub fn symbols(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The rows that hold a symbol, ascending.
    pub fn rows_with(&self, symbol: u32) -> &[u32] {
        &self.rows[self.offsets[symbol as usize] as usize..self.offsets[symbol as usize + 1] as usize]
    }

    /// The crowd of a row.
    #[inline]
    pub fn crowd(&self, row: u32) -> usize {
        if self.crowds.is_empty() { row as usize } else { self.crowds[row as usize] as usize }
    }

    /// How many people have each symbol.
    pub fn alone(&self) -> Tally {
        let all: Vec<u32> = (0..self.baskets.rows() as u32).collect();
        self.beside(&all, None)
    }

    /// How many of the people behind these rows have each symbol above `after` in one of the rows.
    pub fn beside(&self, rows: &[u32], after: Option<u32>) -> Tally {
        let begin = after.map_or(0, |after| after + 1);
        let mut people = vec![0_u32; self.symbols()];
        if self.crowds.is_empty() {
            for row in rows {
                let weight = self.baskets.weight(*row as usize);
                for symbol in
                    self.baskets.row(*row as usize).iter().rev().take_while(|symbol| **symbol >= begin)
                {
                    people[*symbol as usize] += weight;
                }
            }
        } else {
            self.each(rows, begin, |symbol, crowd| people[symbol] += self.baskets.weight(crowd));
        }
        let worst = if self.secrets == 0 { Vec::new() } else { self.worst(rows, begin) };
        Tally { people, worst }
    }

    /// The symbols above `after` that the rows hold, ascending, with the people who have each. Where few of many symbols
    /// are found, those alone are looked at.
    pub fn found_beside(&self, rows: &[u32], after: Option<u32>) -> Vec<(u32, u64)> {
        let begin = after.map_or(0, |after| after + 1);
        let held: usize = rows.iter().map(|row| self.baskets.row(*row as usize).len()).sum();
        if held > self.symbols() {
            let tally = self.beside(rows, after);
            let found = (begin..self.symbols() as u32).map(|symbol| (symbol, tally.of(symbol).0));
            return found.filter(|(_, people)| *people > 0).collect();
        }
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(held);
        for row in rows {
            let crowd = self.crowd(*row) as u32;
            let symbols = self.baskets.row(*row as usize).iter().rev();
            pairs.extend(symbols.take_while(|symbol| **symbol >= begin).map(|symbol| (*symbol, crowd)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let same = |a: &(u32, u32), b: &(u32, u32)| a.0 == b.0;
        let weight = |(_, crowd): &(u32, u32)| u64::from(self.baskets.weight(*crowd as usize));
        pairs.chunk_by(same).map(|of_one| (of_one[0].0, of_one.iter().map(weight).sum())).collect()
    }

    /// Shows every symbol of the rows once for each crowd.
    fn each(&self, rows: &[u32], begin: u32, mut show: impl FnMut(usize, usize)) {
        let mut last = vec![NONE; self.symbols()];
        for row in rows {
            let crowd = self.crowd(*row);
            for symbol in self.baskets.row(*row as usize).iter().rev().take_while(|symbol| **symbol >= begin)
            {
                if last[*symbol as usize] != crowd as u32 {
                    last[*symbol as usize] = crowd as u32;
                    show(*symbol as usize, crowd);
                }
            }
        }
    }

    fn worst(&self, rows: &[u32], begin: u32) -> Vec<u32> {
        let mut worst = vec![0_u32; self.symbols()];
        let width = (COUNTERS / self.symbols().max(1)).clamp(1, self.secrets);
        for first in (0..self.secrets).step_by(width) {
            let mut counts = vec![0_u32; self.symbols() * width];
            self.each(rows, begin, |symbol, crowd| {
                let weight = self.baskets.weight(crowd);
                let own = self.baskets.secrets_of(crowd).iter().map(|secret| *secret as usize);
                for secret in own.filter(|secret| (first..first + width).contains(secret)) {
                    counts[symbol * width + secret - first] += weight;
                }
            });
            for (worst, counts) in worst.iter_mut().zip(counts.chunks_exact(width)) {
                *worst = counts.iter().copied().max().unwrap_or(0).max(*worst);
            }
        }
        worst
    }

    /// Those of the rows that hold the symbol.
    pub fn having(&self, rows: &[u32], symbol: u32) -> Vec<u32> {
        let holds = |row: &&u32| self.baskets.row(**row as usize).binary_search(&symbol).is_ok();
        rows.iter().filter(holds).copied().collect()
    }

    /// The rows that hold all the symbols, of which there is at least one.
    pub fn rows_with_all(&self, symbols: &[u32]) -> Vec<u32> {
        let mut lists: Vec<u32> = symbols.to_vec();
        lists.sort_by_key(|symbol| self.rows_with(*symbol).len());
        let Some((rarest, others)) = lists.split_first() else { return Vec::new() };
        others.iter().fold(self.rows_with(*rarest).to_vec(), |rows, symbol| self.having(&rows, *symbol))
    }

    /// How many people are behind the rows, and how many of them share a secret.
    pub fn people_of(&self, rows: &[u32]) -> (u64, u64) {
        let mut people = 0;
        let mut carriers = vec![0_u64; self.secrets];
        let mut last = usize::MAX;
        for row in rows {
            let crowd = self.crowd(*row);
            if std::mem::replace(&mut last, crowd) == crowd {
                continue;
            }
            let weight = u64::from(self.baskets.weight(crowd));
            people += weight;
            for secret in self.baskets.secrets_of(crowd) {
                carriers[*secret as usize] += weight;
            }
        }
        (people, carriers.into_iter().max().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::baskets::plain;
    use throng_data::{Dataset, EventKind};

    #[test]
    fn people_are_counted_once_however_many_of_their_records_fit() {
        let records = [("p", ["a", "b"]), ("p", ["a", "c"]), ("q", ["a", "b"]), ("p", ["b", "a"])];
        let data = Dataset::from_records(EventKind::Set, records);
        let index = Index::new(Baskets::of(&data.events, &plain(3), &[]), 3, 0);
        assert_eq!(index.alone().people, [2, 2, 1]);
        assert_eq!(index.beside(index.rows_with(0), Some(0)).people, [0, 2, 1]);
        assert_eq!(index.found_beside(index.rows_with(0), Some(0)), [(1, 2), (2, 1)]);
        let wide = Index::new(Baskets::of(&data.events, &plain(3), &[]), 9, 0);
        assert_eq!(wide.found_beside(wide.rows_with(0), Some(0)), [(1, 2), (2, 1)]);
        assert_eq!(
            index.people_of(&index.rows_with_all(&[1, 2])),
            (0, 0),
            "b and c are in different records"
        );
    }

    #[test]
    fn the_commonest_secret_counts() {
        let records =
            [("p", vec!["a", "s"]), ("q", vec!["a", "t", "s"]), ("r", vec!["a"]), ("x", vec!["a", "t"])];
        let data = Dataset::from_records(EventKind::Set, records);
        let baskets = Baskets::of(&data.events, &[0, NONE, NONE], &[NONE, 0, 1]);
        let index = Index::new(baskets, 1, 2);
        assert_eq!(index.alone().of(0), (4, 2));
        assert_eq!(index.people_of(index.rows_with(0)), (4, 2));
    }
}
