//! Patterns of groups that something is known about.

use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// A set of patterns. Short ones are one number, so that most cost no room of their own.
#[derive(Debug)]
pub struct PatternSet {
    pairs: HashSet<u64, FixedState>,
    triples: HashSet<u64, FixedState>,
    short: HashSet<u128, FixedState>,
    long: HashSet<Vec<u32>, FixedState>,
    expected: Option<Bits>,
}

/// Patterns of up to so many groups fit one number.
const SHORT: usize = 4;

/// Three groups whose numbers have so many bits fit half of one.
const TRIPLE: u32 = 21;

impl PatternSet {
    /// No pattern.
    pub fn new() -> Self {
        let hasher = || FixedState::with_seed(0);
        PatternSet {
            pairs: HashSet::with_hasher(hasher()),
            triples: HashSet::with_hasher(hasher()),
            short: HashSet::with_hasher(hasher()),
            long: HashSet::with_hasher(hasher()),
            expected: None,
        }
    }

    /// From now on mostly patterns of `size` of these groups are put in: one bit each is kept for them where that takes little room.
    /// Those of this size that are in the set may be forgotten.
    pub fn expect(&mut self, size: usize, groups: impl Iterator<Item = u32>) {
        self.expected = Bits::of(size, groups.collect());
    }

    /// Whether a pattern is in it. Only patterns of groups below `u32::MAX`.
    pub fn contains(&self, pattern: &[u32]) -> bool {
        if let Some(bits) = &self.expected
            && let Some((word, bit)) = bits.place(pattern)
        {
            return bits.words[word] & bit != 0;
        }
        match pattern {
            [_] | [_, _] => self.pairs.contains(&(packed(pattern) as u64)),
            [a, b, c] if (a | b | c) >> TRIPLE == 0 => self.triples.contains(&tripled([*a, *b, *c])),
            _ if pattern.len() <= SHORT => self.short.contains(&packed(pattern)),
            _ => self.long.contains(pattern),
        }
    }

    /// Puts a pattern in.
    pub fn insert(&mut self, pattern: &[u32]) {
        if let Some(bits) = &mut self.expected
            && let Some((word, bit)) = bits.place(pattern)
        {
            bits.words[word] |= bit;
            return;
        }
        match pattern {
            [_] | [_, _] => self.pairs.insert(packed(pattern) as u64),
            [a, b, c] if (a | b | c) >> TRIPLE == 0 => self.triples.insert(tripled([*a, *b, *c])),
            _ if pattern.len() <= SHORT => self.short.insert(packed(pattern)),
            _ => self.long.insert(pattern.to_vec()),
        };
    }
}

/// Bits take no more room than this: 8 MiB.
const ROOM: usize = 1 << 26;

/// One bit for each pattern of one size.
#[derive(Debug)]
struct Bits {
    size: usize,
    /// The number of each group among those there were, or `ABSENT`.
    rank_of: Vec<u32>,
    groups: usize,
    words: Vec<u64>,
}

const ABSENT: u32 = u32::MAX;

impl Bits {
    /// `None` where there are too many patterns.
    fn of(size: usize, groups: Vec<u32>) -> Option<Self> {
        let patterns = groups.len().checked_pow(size as u32).filter(|patterns| *patterns <= ROOM)?;
        let mut rank_of = vec![ABSENT; groups.iter().max().map_or(0, |most| *most as usize + 1)];
        for (rank, group) in (0..).zip(&groups) {
            rank_of[*group as usize] = rank;
        }
        Some(Bits { size, rank_of, groups: groups.len(), words: vec![0; patterns.div_ceil(64)] })
    }

    /// The word and the bit of a pattern that has one.
    fn place(&self, pattern: &[u32]) -> Option<(usize, u64)> {
        if pattern.len() != self.size {
            return None;
        }
        let mut number = 0;
        for group in pattern {
            let rank = *self.rank_of.get(*group as usize)?;
            if rank == ABSENT {
                return None;
            }
            number = number * self.groups + rank as usize;
        }
        Some((number / 64, 1 << (number % 64)))
    }
}

/// The groups one after the other, each one higher than it is called: shorter patterns have other numbers than longer ones.
fn packed(pattern: &[u32]) -> u128 {
    pattern.iter().fold(0, |packed, group| (packed << u32::BITS) | u128::from(group.wrapping_add(1)))
}

fn tripled(pattern: [u32; 3]) -> u64 {
    pattern.into_iter().fold(0, |tripled, group| (tripled << TRIPLE) | u64::from(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_all_lengths_are_told_apart() {
        let mut set = PatternSet::new();
        let patterns: [&[u32]; 10] = [
            &[],
            &[0],
            &[0, 0],
            &[0, 0, 0],
            &[0; 4],
            &[0; 5],
            &[1, 2, 3],
            &[9, 8, 7, 6, 5, 4],
            &[0, 1, 1 << TRIPLE],
            &[0, 2, 0],
        ];
        for (at, pattern) in patterns.iter().enumerate() {
            assert!(!set.contains(pattern), "{pattern:?}");
            set.insert(pattern);
            assert!(patterns[..=at].iter().all(|pattern| set.contains(pattern)));
        }
    }

    #[test]
    fn expected_patterns_are_told_apart_from_all_others() {
        let mut set = PatternSet::new();
        set.insert(&[4, 2]);
        set.expect(3, [2, 4, 9].into_iter());
        let known: [&[u32]; 5] = [&[4, 2, 4], &[9, 9, 9], &[2, 2, 3], &[2, 2, 70], &[2, 9]];
        known.iter().for_each(|pattern| set.insert(pattern));
        assert!(set.contains(&[4, 2]) && known.iter().all(|pattern| set.contains(pattern)));
        let others: [&[u32]; 5] = [&[4, 4, 2], &[9, 9, 2], &[2, 3, 2], &[9, 2], &[2, 9, 9, 9]];
        assert!(!others.iter().any(|pattern| set.contains(pattern)));
        set.expect(9, 0..100);
        assert!(set.expected.is_none() && set.contains(&[2, 9]));
    }
}
