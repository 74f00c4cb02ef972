//! Where names end in the text of a dictionary, in half the memory of 64-bit offsets.

use std::ops::Range;

/// Ascending offsets. Only their low halves are stored one by one: text of more than four gigabytes is rare, and passes a
/// multiple of 2³² a few times at most.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    low: Vec<u32>,
    /// The number of the first end at or beyond each multiple of 2³².
    passed: Vec<u32>,
}

impl Ends {
    /// None yet, with room for `ends` of them.
    pub fn with_capacity(ends: usize) -> Self {
        Ends { low: Vec::with_capacity(ends), passed: Vec::new() }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Adds the next one, at least as large as the last.
    pub fn push(&mut self, end: usize) {
        let end = end as u64;
        while (self.passed.len() as u64) < end >> 32 {
            self.passed.push(self.low.len() as u32);
        }
        self.low.push(end as u32);
    }

    /// From the end before to the end with this number, which must exist.
    #[inline]
    pub fn span(&self, number: u32) -> Range<usize> {
        let from = if number == 0 { 0 } else { self.get(number - 1) };
        from..self.get(number)
    }

    #[inline]
    fn get(&self, number: u32) -> usize {
        let low = self.low[number as usize] as usize;
        if self.passed.is_empty() { low } else { (self.high(number) | low as u64) as usize }
    }

    #[cold]
    fn high(&self, number: u32) -> u64 {
        (self.passed.partition_point(|first| *first <= number) as u64) << 32
    }

    /// Forgets all and keeps the memory.
    pub fn clear(&mut self) {
        self.low.clear();
        self.passed.clear();
    }

    /// Gives back memory that growth left unused.
    pub fn shrink_to_fit(&mut self) {
        self.low.shrink_to_fit();
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn ends_beyond_four_gigabytes_come_back() {
        let all = [0, 7, (1 << 32) - 1, 1 << 32, (1 << 32) + 5, (3 << 32) + 1, (3 << 32) + 1, 4 << 32];
        let mut ends = Ends::default();
        all.iter().for_each(|end| ends.push(*end));
        let mut from = 0;
        for (number, end) in all.into_iter().enumerate() {
            assert_eq!(ends.span(number as u32), from..end);
            from = end;
        }
    }
}
