//! A pattern as the place where it is found first: one number, in the order in which patterns are treated.
//!
//! Support, record and positions lie next to each other in the number, so that smaller numbers come first. No two patterns are found at
//! the same place, and the groups of a pattern can be read there: nothing else has to be kept of it.

/// How many bits each part of a number takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    size: u32,
    position: u32,
    record: u32,
}

impl Layout {
    /// For patterns of `size` groups that at most so many people have, in so many records with no more than `longest` groups; `None` where
    /// that does not fit one number.
    pub(super) fn of(size: usize, support: u64, records: usize, longest: usize) -> Option<Self> {
        let bits = |most: u64| (u64::BITS - most.leading_zeros()).max(1);
        let (position, record) = (bits(longest as u64), bits(records as u64));
        let all = u64::from(position) * size as u64 + u64::from(record + bits(support));
        (all <= u64::from(u64::BITS)).then_some(Layout { size: size as u32, position, record })
    }

    /// The positions of a beginning, and one more.
    pub(super) fn further(self, positions: u64, position: usize) -> u64 {
        (positions << self.position) | position as u64
    }

    /// The last of positions.
    pub(super) fn last(self, positions: u64) -> usize {
        (positions & ((1 << self.position) - 1)) as usize
    }

    /// The place of all positions of a pattern in a record.
    pub(super) fn place(self, record: u32, positions: u64) -> u64 {
        (u64::from(record) << (self.position * self.size)) | positions
    }

    /// The number of a pattern that so many people have.
    pub(super) fn number(self, support: u32, place: u64) -> u64 {
        (u64::from(support) << (self.position * self.size + self.record)) | place
    }

    pub(super) fn support(self, number: u64) -> u64 {
        number >> (self.position * self.size + self.record)
    }

    pub(super) fn record(self, number: u64) -> u32 {
        ((number >> (self.position * self.size)) & ((1 << self.record) - 1)) as u32
    }

    /// The positions in order.
    pub(super) fn positions(self, number: u64) -> impl Iterator<Item = usize> {
        (0..self.size).rev().map(move |after| self.last(number >> (after * self.position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tell_what_went_in_and_come_in_order() {
        let layout = Layout::of(3, 4, 5_000, 50).unwrap();
        let mut numbers = Vec::new();
        for support in 1..=4 {
            for record in [0, 7, 4_999] {
                for positions in [[0, 1, 2], [0, 2, 3], [47, 48, 49]] {
                    let packed = positions.iter().fold(0, |packed, at| layout.further(packed, *at));
                    assert_eq!(layout.last(packed), positions[2]);
                    let number = layout.number(support, layout.place(record, packed));
                    assert_eq!((layout.support(number), layout.record(number)), (u64::from(support), record));
                    assert_eq!(layout.positions(number).collect::<Vec<_>>(), positions);
                    numbers.push(number);
                }
            }
        }
        assert!(numbers.is_sorted());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(Layout::of(3, 4, 1_000_000, 15_000).is_none());
        assert!(Layout::of(2, 4, 1_000_000, 15_000).is_some());
        assert!(Layout::of(10, 4, 5, 100).is_none());
    }
}
