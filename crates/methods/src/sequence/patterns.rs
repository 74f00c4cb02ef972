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
        }
    }

    /// Whether a pattern is in it. Only patterns of groups below `u32::MAX`.
    pub fn contains(&self, pattern: &[u32]) -> bool {
        match pattern {
            [_] | [_, _] => self.pairs.contains(&(packed(pattern) as u64)),
            [a, b, c] if (a | b | c) >> TRIPLE == 0 => self.triples.contains(&tripled([*a, *b, *c])),
            _ if pattern.len() <= SHORT => self.short.contains(&packed(pattern)),
            _ => self.long.contains(pattern),
        }
    }

    /// Puts a pattern in.
    pub fn insert(&mut self, pattern: &[u32]) {
        match pattern {
            [_] | [_, _] => self.pairs.insert(packed(pattern) as u64),
            [a, b, c] if (a | b | c) >> TRIPLE == 0 => self.triples.insert(tripled([*a, *b, *c])),
            _ if pattern.len() <= SHORT => self.short.insert(packed(pattern)),
            _ => self.long.insert(pattern.to_vec()),
        };
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
}
