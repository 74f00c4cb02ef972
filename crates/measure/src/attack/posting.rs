//! The records of an item, as a list when they are few and as bits when they are many.
//!
//! Intersections are walked lazily: a search that stops after twenty people touches only the beginning of its lists.

use std::ops::ControlFlow;

/// Bits pay from one record in so many on.
const DENSE: usize = 64;

/// A set of record numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Posting {
    len: usize,
    form: Form,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    List(Vec<u32>),
    Bits(Vec<u64>),
}

impl Posting {
    /// From ascending numbers below `records`.
    pub fn new(ascending: Vec<u32>, records: usize) -> Self {
        let len = ascending.len();
        if len <= records / DENSE {
            return Posting { len, form: Form::List(ascending) };
        }
        let mut bits = vec![0_u64; records.div_ceil(64)];
        for record in ascending {
            bits[record as usize / 64] |= 1 << (record % 64);
        }
        Posting { len, form: Form::Bits(bits) }
    }

    /// The numbers of any of the sets.
    pub fn union(sets: &[&Posting], records: usize) -> Self {
        let mut all = Vec::new();
        for set in sets {
            let _ = Posting::each_common(&[set], |record| {
                all.push(record);
                ControlFlow::Continue(())
            });
        }
        all.sort_unstable();
        all.dedup();
        Posting::new(all, records)
    }

    /// How many records.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the records are kept as bits.
    pub fn is_dense(&self) -> bool {
        matches!(self.form, Form::Bits(_))
    }

    /// How many records all sets share. The first set should be the smallest.
    pub fn count_common(sets: &[&Posting]) -> usize {
        let bits: Option<Vec<&[u64]>> = sets.iter().map(|set| set.bits()).collect();
        match (sets, bits.as_deref()) {
            ([], _) => 0,
            ([only], _) => only.len,
            (_, Some([first, others @ ..])) => (0..first.len())
                .map(|place| others.iter().fold(first[place], |word, other| word & other[place]))
                .map(|word| word.count_ones() as usize)
                .sum(),
            _ => {
                let mut count = 0;
                let _ = Posting::each_common(sets, |_| {
                    count += 1;
                    ControlFlow::Continue(())
                });
                count
            }
        }
    }

    fn bits(&self) -> Option<&[u64]> {
        match &self.form {
            Form::Bits(bits) => Some(bits),
            Form::List(_) => None,
        }
    }

    fn contains(&self, record: u32) -> bool {
        match &self.form {
            Form::List(list) => list.binary_search(&record).is_ok(),
            Form::Bits(bits) => bits[record as usize / 64] >> (record % 64) & 1 == 1,
        }
    }

    /// Visits the records that all sets share, in ascending order, until told to break. The first set should be the
    /// smallest. Without sets there is nothing to visit.
    pub fn each_common(sets: &[&Posting], mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some((first, others)) = sets.split_first() else { return ControlFlow::Continue(()) };
        match &first.form {
            Form::List(list) => {
                for record in list {
                    if others.iter().all(|other| other.contains(*record)) {
                        visit(*record)?;
                    }
                }
            }
            Form::Bits(bits) => {
                for (place, word) in bits.iter().enumerate() {
                    let mut word = others.iter().fold(*word, |word, other| match &other.form {
                        Form::Bits(bits) => word & bits[place],
                        Form::List(_) => word,
                    });
                    while word != 0 {
                        let record = place as u32 * 64 + word.trailing_zeros();
                        word &= word - 1;
                        let listed = |other: &&Posting| match &other.form {
                            Form::Bits(_) => true,
                            Form::List(_) => other.contains(record),
                        };
                        if others.iter().all(listed) {
                            visit(record)?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A posting whose length is known before its records are.
pub(super) struct PostingBuilder(Posting);

impl PostingBuilder {
    /// Will have `len` of the numbers below `records`.
    pub fn new(len: usize, records: usize) -> Self {
        let form = if len <= records / DENSE {
            Form::List(Vec::with_capacity(len))
        } else {
            Form::Bits(vec![0; records.div_ceil(64)])
        };
        PostingBuilder(Posting { len, form })
    }

    /// Adds the next numbers, ascending, less `first`.
    pub fn extend(&mut self, first: u32, numbers: &[u16]) {
        let records = numbers.iter().map(|number| first + u32::from(*number));
        match &mut self.0.form {
            Form::List(list) => list.extend(records),
            Form::Bits(bits) => records.for_each(|record| bits[record as usize / 64] |= 1 << (record % 64)),
        }
    }

    /// The posting.
    pub fn finish(self) -> Posting {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    fn members(sets: &[&Posting]) -> Vec<u32> {
        let mut members = Vec::new();
        let _ = Posting::each_common(sets, |record| {
            members.push(record);
            ControlFlow::Continue(())
        });
        members
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn lists_and_bits_intersect_and_unite_like_sets(
            sets in vec(prop_oneof![btree_set(0..1000_u32, 0..12), btree_set(0..1000_u32, 500..900)], 1..5),
        ) {
            let postings: Vec<Posting> =
                sets.iter().map(|set| Posting::new(set.iter().copied().collect(), 1000)).collect();
            let postings: Vec<&Posting> = postings.iter().collect();
            let (first, others) = sets.split_first().unwrap();
            let common: Vec<u32> =
                first.iter().copied().filter(|record| others.iter().all(|set| set.contains(record))).collect();
            prop_assert_eq!(Posting::count_common(&postings), common.len());
            prop_assert_eq!(members(&postings), common);
            let all: BTreeSet<u32> = sets.iter().flatten().copied().collect();
            let union = Posting::union(&postings, 1000);
            prop_assert_eq!(union.len(), all.len());
            prop_assert_eq!(members(&[&union]), all.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_visit_may_break() {
        let posting = Posting::new((0..100).collect(), 100);
        let mut visited = 0;
        let outcome = Posting::each_common(&[&posting], |_| {
            visited += 1;
            if visited == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((outcome, visited), (ControlFlow::Break(()), 3));
    }
}
