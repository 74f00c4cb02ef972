//! How many distinct subsequences a record has, by length, without walking them.

/// Counts distinct subsequences; keeps its tables between calls.
#[derive(Debug, Default)]
pub(super) struct Continuations {
    /// Per symbol: 1 + position of its latest occurrence, 0 for none. All zero between calls.
    latest: Vec<u32>,
    /// `before[i * (longest + 1) + n]`: distinct subsequences of length `n` before position `i`.
    before: Vec<u64>,
}

impl Continuations {
    /// The number of distinct subsequences of 1 to `longest` symbols, or `u64::MAX` when there are more.
    ///
    /// A subsequence of length `n` that ends in the symbol at hand is one of length `n - 1` before it; those that
    /// already ended in an earlier occurrence of the same symbol are counted once. `u64::MAX` stands for "at least
    /// that many" and sticks: what is subtracted from a count was added to it before.
    pub fn count(&mut self, record: &[u32], longest: usize, alphabet: usize) -> u64 {
        self.latest.resize(alphabet, 0);
        self.before.clear();
        let width = longest + 1;
        let mut counts = vec![0_u64; width];
        counts[0] = 1;
        for (position, symbol) in record.iter().enumerate() {
            self.before.extend_from_slice(&counts);
            let earlier = match self.latest[*symbol as usize] {
                0 => None,
                latest => Some((latest as usize - 1) * width),
            };
            for (length_before, count) in counts[1..].iter_mut().enumerate() {
                let shorter = self.before[position * width + length_before];
                let known = earlier.map_or(0, |row| self.before[row + length_before]);
                *count = match (*count, shorter) {
                    (u64::MAX, _) | (_, u64::MAX) => u64::MAX,
                    (count, shorter) => count.saturating_add(shorter - known),
                };
            }
            self.latest[*symbol as usize] = position as u32 + 1;
        }
        for symbol in record {
            self.latest[*symbol as usize] = 0;
        }
        counts[1..].iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_symbols_are_not_counted_twice() {
        let mut continuations = Continuations::default();
        // a b a: a, b; aa, ab, ba; aba.
        assert_eq!(continuations.count(&[0, 1, 0], 1, 2), 2);
        assert_eq!(continuations.count(&[0, 1, 0], 2, 2), 5);
        assert_eq!(continuations.count(&[0, 1, 0], 5, 2), 6);
        assert_eq!(continuations.count(&[0; 40], 7, 2), 7);
        assert_eq!(continuations.count(&[], 3, 2), 0);
    }

    #[test]
    fn counts_past_sixty_four_bits_stick_at_the_largest_number() {
        let record: Vec<u32> = (0..20_000).map(|position| position % 5_000).collect();
        assert_eq!(Continuations::default().count(&record, 10, 5_000), u64::MAX);
    }
}
