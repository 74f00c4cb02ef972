//! What is at hand while offers are tried: nothing of it is allocated for each.

use super::State;
use super::neighbourhood::Neighbourhoods;

/// Everything that serves one offer after the other.
pub(super) struct Desk {
    pub neighbourhoods: Neighbourhoods,
    pub marks: Marks,
}

impl Desk {
    pub fn new(state: &State<'_>) -> Self {
        let marks = Marks {
            touched: Bits::new(state.table.records()),
            met: Bits::new(state.table.len()),
            lost: vec![(0, 0); state.table.len()],
            spare: Vec::new(),
        };
        Desk { neighbourhoods: Neighbourhoods::new(state), marks }
    }
}

/// A set of numbers, one bit each.
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// None of the numbers below `bound`.
    pub fn new(bound: usize) -> Self {
        Bits(vec![0; bound.div_ceil(64)])
    }

    pub fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }

    pub fn set(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    pub fn unset(&mut self, number: u32) {
        self.0[number as usize / 64] &= !(1 << (number % 64));
    }
}

/// Records and doublets that are marked for a while.
pub(super) struct Marks {
    /// The records in which the doublet would be suppressed.
    pub touched: Bits,
    /// Doublets that were met.
    pub met: Bits,
    /// By doublet, how many touched records hold it, and how many of those are of people with a sensitive value.
    pub lost: Vec<(u32, u32)>,
    /// Sets of records that are empty.
    spare: Vec<Bits>,
}

impl Marks {
    /// A set of these records.
    pub fn take(&mut self, records: &[u32]) -> Bits {
        let mut bits = self.spare.pop().unwrap_or_else(|| Bits(vec![0; self.touched.0.len()]));
        records.iter().for_each(|record| bits.set(*record));
        bits
    }

    /// The set of these records is not needed any more.
    pub fn give_back(&mut self, mut bits: Bits, records: &[u32]) {
        records.iter().for_each(|record| bits.unset(*record));
        self.spare.push(bits);
    }
}
