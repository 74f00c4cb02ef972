//! Who holds a sequence: the distinct records of a dataset, their people, and inverted lists by item.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_contract::{Cancelled, Phase};
use throng_data::{Events, ItemId};

/// The distinct, non-empty records of some events, in order of first appearance.
pub(super) struct Holders {
    sequences: Vec<Sequence>,
    items: Vec<ItemId>,
    /// People by sequence, ascending and each once.
    people: Vec<Vec<u32>>,
    /// Sequences by item, ascending.
    with: Vec<Vec<u32>>,
    /// No person has two distinct sequences, so that people of different sequences can be added up.
    apart: bool,
}

struct Sequence {
    start: usize,
    end: usize,
    /// One bit an item, modulo 64: a sequence that lacks a pattern's bit lacks one of its items.
    signature: u64,
}

impl Holders {
    pub fn collect(events: &Events, alphabet: usize) -> Self {
        let mut holders = Holders {
            sequences: Vec::new(),
            items: Vec::new(),
            people: Vec::new(),
            with: vec![Vec::new(); alphabet],
            apart: true,
        };
        let hasher = FixedState::with_seed(0);
        let mut index: HashTable<u32> = HashTable::new();
        for subject in 0..events.subjects() {
            let mut theirs = None;
            for record in events.records_of(subject) {
                let record = events.record(record);
                if record.is_empty() {
                    continue;
                }
                let found =
                    index.find(hasher.hash_one(record), |at| holders.sequence(*at as usize) == record);
                let at = match found {
                    Some(at) => *at,
                    None => {
                        let at = holders.add(record);
                        index.insert_unique(hasher.hash_one(record), at, |at| {
                            hasher.hash_one(holders.sequence(*at as usize))
                        });
                        at
                    }
                };
                let people = &mut holders.people[at as usize];
                if people.last() != Some(&(subject as u32)) {
                    people.push(subject as u32);
                }
                holders.apart &= theirs.is_none_or(|other| other == at);
                theirs = Some(at);
            }
        }
        holders
    }

    fn add(&mut self, record: &[ItemId]) -> u32 {
        let at = self.sequences.len() as u32;
        let start = self.items.len();
        self.items.extend_from_slice(record);
        self.people.push(Vec::new());
        let mut signature = 0;
        for item in record {
            signature |= bit(*item);
            let with = &mut self.with[*item as usize];
            if with.last() != Some(&at) {
                with.push(at);
            }
        }
        self.sequences.push(Sequence { start, end: self.items.len(), signature });
        at
    }

    /// How many distinct sequences there are.
    pub fn len(&self) -> usize {
        self.sequences.len()
    }

    pub fn sequence(&self, at: usize) -> &[ItemId] {
        &self.items[self.sequences[at].start..self.sequences[at].end]
    }

    /// The people with a record that equals the sequence.
    pub fn people(&self, at: usize) -> &[u32] {
        &self.people[at]
    }

    /// How many people hold the pattern, each of whose elements may be any one of some items. Stops at `enough`; below
    /// it the count is exact.
    pub fn count(&self, pattern: &[&[ItemId]], enough: u64, phase: &Phase<'_>) -> Result<u64, Cancelled> {
        let records_with = |element: &&&[ItemId]| -> usize {
            element.iter().map(|item| self.with[*item as usize].len()).sum()
        };
        let Some(rarest) = pattern.iter().min_by_key(records_with) else { return Ok(enough) };
        let merged: Vec<u32>;
        let candidates = match rarest {
            [item] => &self.with[*item as usize],
            items => {
                let mut all: Vec<u32> =
                    items.iter().flat_map(|item| &self.with[*item as usize]).copied().collect();
                all.sort_unstable();
                all.dedup();
                merged = all;
                &merged
            }
        };
        let signature = pattern.iter().fold(0, |bits, element| match element {
            [item] => bits | bit(*item),
            _ => bits,
        });

        let enough = usize::try_from(enough).unwrap_or(usize::MAX);
        let mut count = 0;
        let mut people: Vec<u32> = Vec::new();
        for (walked, at) in candidates.iter().enumerate() {
            if walked % 65_536 == 65_535 {
                phase.advance(0)?;
            }
            let at = *at as usize;
            if signature & !self.sequences[at].signature != 0 || !holds(self.sequence(at), pattern) {
                continue;
            }
            if self.apart {
                count += self.people[at].len();
            } else {
                people.extend_from_slice(&self.people[at]);
                // Sorting only when the list has doubled keeps the whole within a few sorts of its final size.
                if people.len() >= enough.saturating_mul(2) {
                    people.sort_unstable();
                    people.dedup();
                    count = people.len();
                }
            }
            if count >= enough {
                return Ok(enough as u64);
            }
        }
        if !self.apart {
            people.sort_unstable();
            people.dedup();
            count = people.len();
        }
        Ok(count.min(enough) as u64)
    }
}

fn bit(item: ItemId) -> u64 {
    1 << (item % 64)
}

/// Whether the elements occur in the sequence, in order.
fn holds(sequence: &[ItemId], pattern: &[&[ItemId]]) -> bool {
    let mut rest = sequence.iter();
    sequence.len() >= pattern.len()
        && pattern.iter().all(|element| match element {
            [item] => rest.any(|other| other == item),
            items => rest.any(|other| items.binary_search(other).is_ok()),
        })
}
