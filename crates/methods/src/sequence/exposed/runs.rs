//! Many numbers in ascending order, in little room.
//!
//! Numbers come in any order. Each time enough of them are there they are sorted and packed into a run: from one to the next only the
//! difference is kept, in as many bytes as it needs. Reading merges the runs. So no more than a few bytes a number are held at any time,
//! and no second copy to sort in.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// Numbers in a run; few in tests, so that there are several runs.
const RUN: usize = if cfg!(test) { 1 << 9 } else { 1 << 19 };

/// Different numbers, packed.
#[derive(Debug, Default)]
pub(super) struct Runs {
    /// Each run as differences, seven bits a byte, the lowest first; the highest bit says that more follows.
    runs: Vec<Vec<u8>>,
    /// What is not packed yet.
    loose: Vec<u64>,
    count: usize,
}

impl Runs {
    pub(super) fn push(&mut self, number: u64) {
        self.loose.push(number);
        self.count += 1;
        if self.loose.len() == RUN {
            self.pack();
        }
    }

    /// Takes the numbers of another.
    pub(super) fn join(mut self, mut other: Runs) -> Self {
        self.runs.append(&mut other.runs);
        self.count += other.count - other.loose.len();
        other.loose.into_iter().for_each(|number| self.push(number));
        self
    }

    /// Packs what is left; from then on everything can be read.
    pub(super) fn finish(mut self) -> Self {
        self.pack();
        self.loose = Vec::new();
        self
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    fn pack(&mut self) {
        if self.loose.is_empty() {
            return;
        }
        self.loose.sort_unstable();
        let mut run = Vec::new();
        let mut before = 0;
        for number in self.loose.drain(..) {
            let mut difference = number - before;
            before = number;
            while difference >> 7 > 0 {
                run.push(difference as u8 | 0x80);
                difference >>= 7;
            }
            run.push(difference as u8);
        }
        run.shrink_to_fit();
        self.runs.push(run);
    }

    /// All numbers of a finished one, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let mut rest: Vec<std::slice::Iter<'_, u8>> = self.runs.iter().map(|run| run.iter()).collect();
        let mut heads: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::with_capacity(rest.len());
        for (number, rest) in (0..).zip(&mut rest) {
            heads.extend(next_difference(rest).map(|first| Reverse((first, number))));
        }
        std::iter::from_fn(move || {
            let mut head = heads.peek_mut()?;
            let Reverse((number, run)) = *head;
            match next_difference(&mut rest[run as usize]) {
                Some(difference) => *head = Reverse((number + difference, run)),
                None => {
                    PeekMut::pop(head);
                }
            }
            Some(number)
        })
    }
}

fn next_difference(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u64> {
    let mut difference = 0;
    for (byte, shift) in bytes.zip((0..).step_by(7)) {
        difference |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(difference);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_order() {
        for count in [0, 1, 1_000, 3 * RUN + 5] {
            let numbers: Vec<u64> =
                (0..count as u64).map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
            let (mut one, mut other) = (Runs::default(), Runs::default());
            for (at, number) in numbers.iter().enumerate() {
                if at % 3 == 0 { one.push(*number) } else { other.push(*number) }
            }
            let runs = one.join(other).finish();
            let mut expected = numbers;
            expected.sort_unstable();
            assert_eq!(runs.len(), expected.len());
            assert!(runs.iter().eq(expected));
        }
    }
}
