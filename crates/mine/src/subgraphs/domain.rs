//! The facets that may still stand for a node of a pattern.

use std::ops::Range;

/// A set of facets of one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Domain {
    first: u32,
    bits: Vec<u64>,
    len: u32,
}

impl Domain {
    /// No facet of a range.
    pub fn none(range: &Range<u32>) -> Self {
        Domain { first: range.start, bits: vec![0; (range.len()).div_ceil(64)], len: 0 }
    }

    /// All facets of a range.
    pub fn all(range: &Range<u32>) -> Self {
        let mut domain = Domain::none(range);
        range.clone().for_each(|facet| {
            domain.insert(facet);
        });
        domain
    }

    pub fn len(&self) -> u64 {
        u64::from(self.len)
    }

    pub fn contains(&self, facet: u32) -> bool {
        let at = (facet - self.first) as usize;
        self.bits[at / 64] >> (at % 64) & 1 == 1
    }

    /// Adds a facet; whether it is new.
    pub fn insert(&mut self, facet: u32) -> bool {
        let at = (facet - self.first) as usize;
        let new = self.bits[at / 64] >> (at % 64) & 1 == 0;
        self.bits[at / 64] |= 1 << (at % 64);
        self.len += u32::from(new);
        new
    }

    pub fn remove(&mut self, facet: u32) {
        let at = (facet - self.first) as usize;
        let there = self.bits[at / 64] >> (at % 64) & 1;
        self.bits[at / 64] &= !(1 << (at % 64));
        self.len -= there as u32;
    }

    /// Keeps what another set of the same label has too.
    pub fn intersect(&mut self, other: &Domain) {
        for (bits, others) in self.bits.iter_mut().zip(&other.bits) {
            *bits &= others;
        }
        self.len = self.bits.iter().map(|bits| bits.count_ones()).sum();
    }

    /// Whether no facet is in both sets, of the same label.
    pub fn apart(&self, other: &Domain) -> bool {
        self.bits.iter().zip(&other.bits).all(|(bits, others)| bits & others == 0)
    }

    /// Keeps the facets that pass; whether any was taken out.
    pub fn retain(&mut self, mut keep: impl FnMut(u32) -> bool) -> bool {
        let before = self.len;
        for (word, bits) in self.bits.iter_mut().enumerate() {
            let mut rest = *bits;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                if !keep(self.first + (word * 64) as u32 + bit) {
                    *bits &= !(1 << bit);
                    self.len -= 1;
                }
            }
        }
        self.len < before
    }

    /// The facets, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let first = self.first;
        self.bits.iter().enumerate().flat_map(move |(word, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(first + (word * 64) as u32 + bit)
            })
        })
    }
}
