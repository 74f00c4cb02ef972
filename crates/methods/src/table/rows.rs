//! Rows that are moved in memory so that the rows of a group lie next to each other.
//!
//! A row is one stretch of words: its quasi-identifying codes, its sensitive codes, its number. Walking a group then reads memory from
//! one end to the other, which is what makes a million rows cheap.

use super::demands::{Counter, Demands, Tally};
use super::quasi::Quasi;

/// How rows lie in memory.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// Quasi-identifiers of a row.
    pub quasi: usize,
    /// Words of a row.
    pub stride: usize,
}

impl Layout {
    /// All rows, in the order of people.
    pub fn rows(quasi: &[Quasi], demands: &Demands) -> (Layout, Vec<u32>) {
        let columns: Vec<&[u32]> = quasi
            .iter()
            .map(|quasi| quasi.codes.as_slice())
            .chain(demands.secrets.iter().map(|secret| secret.codes.as_slice()))
            .collect();
        let layout = Layout { quasi: quasi.len(), stride: columns.len() + 1 };
        let people = columns.first().map_or(0, |codes| codes.len());
        let mut words = vec![0; people * layout.stride];
        for (person, row) in words.chunks_exact_mut(layout.stride).enumerate() {
            for (cell, codes) in row.iter_mut().zip(&columns) {
                *cell = codes[person];
            }
            row[layout.stride - 1] = person as u32;
        }
        (layout, words)
    }

    /// The rows, one by one.
    pub fn iter<'a>(&self, words: &'a [u32]) -> std::slice::ChunksExact<'a, u32> {
        words.chunks_exact(self.stride)
    }

    /// Number of rows.
    pub fn count(&self, words: &[u32]) -> usize {
        words.len() / self.stride
    }

    /// The smallest and the largest code of every quasi-identifier.
    pub fn bounds(&self, words: &[u32]) -> Vec<(u32, u32)> {
        let mut bounds = vec![(u32::MAX, 0); self.quasi];
        for row in self.iter(words) {
            for (bound, code) in bounds.iter_mut().zip(row) {
                bound.0 = bound.0.min(*code);
                bound.1 = bound.1.max(*code);
            }
        }
        bounds
    }

    /// Whether the rows may be a group.
    pub fn meets(&self, words: &[u32], demands: &Demands, counter: &mut Counter) -> bool {
        let size = self.count(words) as u64;
        if size < u64::from(demands.k) {
            return false;
        }
        demands.secrets.iter().enumerate().all(|(number, secret)| {
            let values: &Tally = counter.tally(self.iter(words).map(|row| row[self.quasi + number]));
            demands.known_diverse(secret, values) && demands.close(secret, values, &secret.overall)
        })
    }

    /// Moves rows for which `first` holds before the others; how many they are.
    pub fn partition(&self, words: &mut [u32], mut first: impl FnMut(&[u32]) -> bool) -> usize {
        let stride = self.stride;
        let (mut low, mut high) = (0, self.count(words));
        loop {
            while low < high && first(&words[low * stride..(low + 1) * stride]) {
                low += 1;
            }
            while low < high && !first(&words[(high - 1) * stride..high * stride]) {
                high -= 1;
            }
            if low >= high {
                return low;
            }
            high -= 1;
            let (head, tail) = words.split_at_mut(high * stride);
            head[low * stride..(low + 1) * stride].swap_with_slice(&mut tail[..stride]);
            low += 1;
        }
    }

    /// Moves rows of the same part next to each other, parts in ascending order, and gives the number of rows in each part. Rows of a
    /// part keep their order.
    pub fn scatter(&self, words: &mut [u32], parts: usize, part: impl Fn(&[u32]) -> usize) -> Vec<usize> {
        let mut counts = vec![0; parts];
        for row in self.iter(words) {
            counts[part(row)] += 1;
        }
        if counts.iter().filter(|count| **count > 0).count() <= 1 {
            return counts;
        }
        let mut next = Vec::with_capacity(parts);
        let mut begin = 0;
        for count in &counts {
            next.push(begin);
            begin += count;
        }
        let before = words.to_vec();
        for row in self.iter(&before) {
            let at = &mut next[part(row)];
            words[*at * self.stride..(*at + 1) * self.stride].copy_from_slice(row);
            *at += 1;
        }
        counts
    }
}
