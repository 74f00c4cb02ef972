//! How many people have a pattern: in the data for sure, in a release as far as it can tell.
//!
//! A released event of a sequence stands for one of its members, each equally likely and independent of all others. A person
//! has a pattern when one of their records holds its items in order, gaps allowed. A released item of a set stands for
//! any non-empty part of its members ([`SetModel`] says how likely which), and a person has a pattern when one of their sets
//! holds all its items. People may count in part: those of whom a query asks something else besides.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5, where the
//! estimate itself is not spelled out.
//! # Guarantees
//! Exact: the expected number of people over all ways to fill in the release. Reading a record from left to right, only
//! the length of the prefix matched so far matters, so that its probabilities can be carried along. In a set, the chances
//! of its items multiply; where several of them may be the same original item, what is missing is counted in and out. Only
//! patterns of more than [`MAX_OVERLAPPING`] items that overlap so are approximated.
//! # Cost
//! Patterns whose items the same released items cover have the same answer and are counted once. Only the records that hold
//! the rarest item of a pattern are looked at. Patterns are counted in parallel, each by one thread from the first record
//! to the last: sums do not depend on the number of threads.

mod index;
mod meaning;

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{EventKind, Events, ItemId};

use self::index::Index;
pub use self::meaning::{Meaning, SetModel};
use crate::cover::Cover;

/// How many people have a pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct People {
    /// People who may have it: those who have its generalised counterpart.
    pub possible: u64,
    /// People who have it on average, over all ways to fill in what was generalised.
    pub expected: f64,
}

impl People {
    fn add(&mut self, may: bool, likely: f64) {
        self.possible += u64::from(may);
        self.expected += likely;
    }
}

/// Patterns of more items are not counted in and out where released items overlap.
pub const MAX_OVERLAPPING: usize = 10;

/// Says for a pattern, by number, how much each person counts.
pub type Weights<'a> = dyn Fn(usize) -> Vec<f64> + Sync + 'a;

/// Counts the people who have each pattern of original items, in the order of the patterns. An item that the
/// meaning does not know has support 0; everyone has the empty pattern.
pub fn count(
    events: &Events,
    meaning: &Meaning,
    patterns: &[Vec<ItemId>],
    progress: &Progress,
) -> Result<Vec<People>, Cancelled> {
    count_weighted(events, meaning, patterns, None, progress)
}

/// The same with people who count in part: everybody who may have a pattern and counts at all is `possible`.
pub fn count_weighted(
    events: &Events,
    meaning: &Meaning,
    patterns: &[Vec<ItemId>],
    weights: Option<&Weights<'_>>,
    progress: &Progress,
) -> Result<Vec<People>, Cancelled> {
    let sets = events.kind() == EventKind::Set;
    let (distinct, place_of) = Distinct::of(&meaning.cover, patterns, sets, weights.is_some());
    let mut occurrences = vec![0_u64; meaning.chances.len()];
    events.items().iter().for_each(|item| occurrences[*item as usize] += 1);
    let pivots: Vec<usize> = distinct.iter().map(|pattern| pattern.pivot(&occurrences)).collect();
    let mut needed = vec![false; meaning.chances.len()];
    let mut asked = vec![0_usize; meaning.chances.len()];
    for (pattern, pivot) in distinct.iter().zip(&pivots) {
        for (position, covers) in pattern.symbols.iter().enumerate() {
            for released in *covers {
                needed[*released as usize] |= position == *pivot;
                asked[*released as usize] += usize::from(position != *pivot);
            }
        }
    }
    let records = Records { events, meaning, index: &Index::of(events, &occurrences, &needed, &asked) };
    let phase = progress.phase("count patterns", Some(distinct.len() as u64));
    let counted: Vec<People> = distinct
        .par_iter()
        .zip(&pivots)
        .map_init(Scratch::default, |scratch, (pattern, pivot)| {
            phase.advance(1)?;
            // Made when they are used: the weights of all patterns at once would be many.
            let weights = weights.map(|weights| weights(pattern.number));
            Ok(scratch.people(pattern, weights.as_deref(), *pivot, records))
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(place_of.into_iter().map(|place| counted[place]).collect())
}

/// The records in which patterns are counted.
#[derive(Clone, Copy)]
struct Records<'a> {
    events: &'a Events,
    /// What their items stand for.
    meaning: &'a Meaning,
    /// Which of them hold an item.
    index: &'a Index,
}

/// A pattern as the released items that may stand for each of its items.
struct Distinct<'a> {
    symbols: Vec<&'a [ItemId]>,
    /// Number of the first pattern that is this one.
    number: usize,
}

impl<'a> Distinct<'a> {
    /// The different patterns, and which of them each given one is; with weights all differ. A set has no order and no
    /// repeats.
    fn of(cover: &'a Cover, patterns: &[Vec<ItemId>], sets: bool, weighted: bool) -> (Vec<Self>, Vec<usize>) {
        let mut known: BTreeMap<Vec<&'a [ItemId]>, usize> = BTreeMap::new();
        let mut distinct: Vec<Self> = Vec::new();
        let mut place_of = Vec::with_capacity(patterns.len());
        for (number, pattern) in patterns.iter().enumerate() {
            let mut pattern = pattern.clone();
            if sets {
                pattern.sort_unstable();
                pattern.dedup();
            }
            let mut symbols: Vec<&[ItemId]> = pattern.iter().map(|item| cover.of_any(*item)).collect();
            if sets {
                symbols.sort_unstable();
            }
            let next = distinct.len();
            let place = if weighted { next } else { *known.entry(symbols.clone()).or_insert(next) };
            if place == next {
                distinct.push(Distinct { symbols, number });
            }
            place_of.push(place);
        }
        (distinct, place_of)
    }

    /// The position of the symbol that occurs least.
    fn pivot(&self, occurrences: &[u64]) -> usize {
        let total = |covers: &[ItemId]| covers.iter().map(|item| occurrences[*item as usize]).sum::<u64>();
        let rarest = self.symbols.iter().enumerate().min_by_key(|(_, covers)| total(covers));
        rarest.map_or(0, |(position, _)| position)
    }
}

/// Memory that one thread uses for pattern after pattern.
#[derive(Default)]
struct Scratch {
    /// By position in the pattern and released item: how likely the one is the other.
    chances: Vec<f64>,
    /// By length of prefix: how likely just so much was matched.
    matched: Vec<f64>,
    candidates: Vec<u32>,
    bits: Vec<u64>,
}

impl Scratch {
    fn people(
        &mut self,
        pattern: &Distinct<'_>,
        weights: Option<&[f64]>,
        pivot: usize,
        records: Records<'_>,
    ) -> People {
        let Records { events, meaning, index } = records;
        let Some(covers) = pattern.symbols.get(pivot) else {
            return match weights {
                Some(weights) => People {
                    possible: weights.iter().filter(|weight| **weight > 0.0).count() as u64,
                    expected: weights.iter().sum(),
                },
                None => People { possible: events.subjects() as u64, expected: events.subjects() as f64 },
            };
        };
        let weight = |person: u32| weights.map_or(1.0, |weights| weights[person as usize]);
        let (chances, sets) = (&meaning.chances, events.kind() == EventKind::Set);
        let alphabet = chances.len();
        self.chances.resize(self.chances.len().max(pattern.symbols.len() * alphabet), 0.0);
        for (position, covers) in pattern.symbols.iter().enumerate() {
            for item in *covers {
                self.chances[position * alphabet + *item as usize] = chances[*item as usize];
            }
        }
        let candidates = match covers {
            [one] => index.holders(*one),
            several => {
                self.unite(several, index, events.records());
                &self.candidates
            }
        };
        let others = pattern.symbols.iter().enumerate().filter(|(position, _)| *position != pivot);
        let marks: Vec<_> = others.filter_map(|(_, covers)| index.marks(covers)).collect();
        // Where every released item is what it is called, a record holds a pattern or does not.
        let sure =
            !sets && pattern.symbols.iter().copied().flatten().all(|item| chances[*item as usize] == 1.0);
        let mut people = People::default();
        // Of the person whose records are being looked at: whether they may have it, and how likely they do.
        let (mut person, mut may, mut likely) = (u32::MAX, false, 0.0);
        for record in candidates {
            // People who lack one of the items add nothing.
            if !marks.iter().all(|marks| marks.has(*record)) {
                continue;
            }
            if index.subject_of(*record) != person {
                people.add(may, likely);
                (person, may, likely) = (index.subject_of(*record), false, 0.0);
            }
            let weight = weight(person);
            if weight == 0.0 {
                continue;
            }
            let items = events.record(*record as usize);
            let length = pattern.symbols.len();
            let (all, chance) = match (sets, sure) {
                (true, _) => holding(items, length, &self.chances, alphabet, meaning),
                (false, true) => in_order(items, length, &self.chances, alphabet),
                (false, false) => matching(items, length, &self.chances, alphabet, &mut self.matched),
            };
            may |= all;
            // What the records leave open of the person, weighed: records are independent, the weight is the person's.
            likely += (weight - likely) * chance;
        }
        people.add(may, likely);
        for (position, covers) in pattern.symbols.iter().enumerate() {
            covers.iter().for_each(|item| self.chances[position * alphabet + *item as usize] = 0.0);
        }
        people
    }

    /// The records that hold any of the items, ascending: by sorting when they are few, by marking when they are many.
    fn unite(&mut self, items: &[ItemId], index: &Index, records: usize) {
        self.candidates.clear();
        let total: usize = items.iter().map(|item| index.holders(*item).len()).sum();
        if total < records / 64 {
            items.iter().for_each(|item| self.candidates.extend_from_slice(index.holders(*item)));
            self.candidates.sort_unstable();
            self.candidates.dedup();
            return;
        }
        self.bits.resize(records.div_ceil(64), 0);
        for record in items.iter().flat_map(|item| index.holders(*item)) {
            self.bits[*record as usize / 64] |= 1 << (record % 64);
        }
        for (word, bits) in self.bits.iter_mut().enumerate() {
            while *bits != 0 {
                self.candidates.push(word as u32 * 64 + bits.trailing_zeros());
                *bits &= *bits - 1;
            }
        }
    }
}

/// The same as [`matching`] where every released item stands for one item only.
fn in_order(record: &[ItemId], length: usize, chances: &[f64], alphabet: usize) -> (bool, f64) {
    let mut reached = 0;
    for item in record {
        if chances[reached * alphabet + *item as usize] > 0.0 {
            reached += 1;
            if reached == length {
                return (true, 1.0);
            }
        }
    }
    (false, 0.0)
}

/// Whether a record may hold a pattern of `length` items, and how likely it does.
fn matching(
    record: &[ItemId],
    length: usize,
    chances: &[f64],
    alphabet: usize,
    matched: &mut Vec<f64>,
) -> (bool, f64) {
    matched.clear();
    matched.resize(length + 1, 0.0);
    matched[0] = 1.0;
    let mut reached = 0;
    for item in record {
        // From the longest prefix down: an event extends what was matched before it, not what it matched itself.
        for prefix in (0..length.min(reached + 1)).rev() {
            let chance = chances[prefix * alphabet + *item as usize];
            if chance > 0.0 {
                let extended = matched[prefix] * chance;
                matched[prefix + 1] += extended;
                matched[prefix] -= extended;
                reached = reached.max(prefix + 1);
            }
        }
        if matched[length] == 1.0 {
            break;
        }
    }
    // Rounding may leave a sum a little above certainty.
    (reached == length, matched[length].min(1.0))
}

/// Whether a set may hold all items of a pattern, and how likely it does.
fn holding(
    record: &[ItemId],
    length: usize,
    chances: &[f64],
    alphabet: usize,
    meaning: &Meaning,
) -> (bool, f64) {
    // Released items that may be some of what is wanted: how many members, and which places of the pattern.
    let mut helping: Vec<(u32, Vec<usize>)> = Vec::new();
    let mut times = vec![0_u32; length];
    for item in record {
        let places: Vec<usize> =
            (0..length).filter(|place| chances[place * alphabet + *item as usize] > 0.0).collect();
        if !places.is_empty() {
            places.iter().for_each(|place| times[*place] += 1);
            helping.push((meaning.sizes[*item as usize], places));
        }
    }
    if times.contains(&0) {
        return (false, 0.0);
    }
    let size = |size: u32| f64::from(size);
    // The chance that an item is all of `held` of its members, or none of `missed`.
    let all = |members: u32, held: usize| match meaning.sets {
        SetModel::Share => size(members).powi(-(held as i32)),
        SetModel::Subset => (-(held as f64)).exp2() / (1.0 - (-size(members)).exp2()),
    };
    let none = |members: u32, missed: usize| match meaning.sets {
        SetModel::Share => (1.0 - 1.0 / size(members)).powi(missed as i32),
        SetModel::Subset => {
            let least = (-size(members)).exp2();
            ((-(missed as f64)).exp2() - least) / (1.0 - least)
        }
    };
    if times.iter().all(|times| *times == 1) {
        return (true, helping.iter().map(|(members, places)| all(*members, places.len())).product());
    }
    if length > MAX_OVERLAPPING {
        let missing = |place: usize| -> f64 {
            let of = helping.iter().filter(|(_, places)| places.contains(&place));
            of.map(|(members, _)| none(*members, 1)).product()
        };
        return (true, (0..length).map(|place| 1.0 - missing(place)).product());
    }
    let mut chance = 0.0;
    for missed in 0..1_usize << length {
        let without = helping.iter().map(|(members, places)| {
            none(*members, places.iter().filter(|place| missed & (1 << **place) != 0).count())
        });
        let sign = if missed.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
        chance += sign * without.product::<f64>();
    }
    (true, chance.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests;
