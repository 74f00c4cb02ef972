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
    /// An event that may be one of several symbols continues a subsequence in as many ways.
    pub fn count<'a>(
        &mut self,
        record: impl Iterator<Item = &'a [u32]> + Clone,
        longest: usize,
        alphabet: usize,
    ) -> u64 {
        self.latest.resize(alphabet, 0);
        self.before.clear();
        let width = longest + 1;
        let mut counts = vec![0_u64; width];
        counts[0] = 1;
        for (position, symbols) in record.clone().enumerate() {
            self.before.extend_from_slice(&counts);
            for symbol in symbols {
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
        }
        for symbol in record.flatten() {
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
        let mut count = |record: &[u32], longest| {
            continuations.count(record.iter().map(std::slice::from_ref), longest, 2)
        };
        // a b a: a, b; aa, ab, ba; aba.
        assert_eq!(count(&[0, 1, 0], 1), 2);
        assert_eq!(count(&[0, 1, 0], 2), 5);
        assert_eq!(count(&[0, 1, 0], 5), 6);
        assert_eq!(count(&[0; 40], 7), 7);
        assert_eq!(count(&[], 3), 0);
    }

    #[test]
    fn an_event_that_may_be_either_counts_as_both() {
        // {a|b} a: a, b; aa, ba.
        let record: [&[u32]; 2] = [&[0, 1], &[0]];
        assert_eq!(Continuations::default().count(record.into_iter(), 2, 2), 4);
    }

    #[test]
    fn counts_past_sixty_four_bits_stick_at_the_largest_number() {
        let record: Vec<u32> = (0..20_000).map(|position| position % 5_000).collect();
        assert_eq!(
            Continuations::default().count(record.iter().map(std::slice::from_ref), 10, 5_000),
            u64::MAX
        );
    }
}
