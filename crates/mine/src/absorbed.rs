//! Which frequent patterns, sequences or sets, are part of a longer one.
//!
//! If a longer frequent pattern holds `P`, then so does one that is exactly one item longer: drop the superfluous
//! items one by one, and support can only grow. So it is enough to take each pattern and strike out one item, at
//! every position, not only the last. The same holds for "with the same support", since supports on the way down
//! lie between those of both ends.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use crate::Keep;
use crate::patterns::Patterns;

/// For each pattern, whether another one makes it superfluous. `patterns` holds all frequent patterns up to a length.
pub(crate) fn absorbed(patterns: &Patterns, keep: Keep, progress: &Progress) -> Result<Vec<bool>, Cancelled> {
    let phase = progress.phase("comparing patterns", Some(patterns.len() as u64));
    let hasher = FixedState::with_seed(0);
    let mut index: HashTable<usize> = HashTable::with_capacity(patterns.len());
    for (at, pattern) in patterns.iter().enumerate() {
        index
            .insert_unique(hasher.hash_one(pattern.items), at, |at| hasher.hash_one(patterns.get(*at).items));
    }
    let mut absorbed = vec![false; patterns.len()];
    let mut shorter: Vec<ItemId> = Vec::new();
    for (at, pattern) in patterns.iter().enumerate() {
        if at % 4096 == 0 {
            phase.advance(if at == 0 { 0 } else { 4096 })?;
        }
        for struck in 0..pattern.items.len() {
            // Striking out either of two equal neighbours leaves the same.
            if struck > 0 && pattern.items[struck] == pattern.items[struck - 1] {
                continue;
            }
            shorter.clear();
            shorter.extend_from_slice(&pattern.items[..struck]);
            shorter.extend_from_slice(&pattern.items[struck + 1..]);
            let part =
                index.find(hasher.hash_one(shorter.as_slice()), |at| patterns.get(*at).items == shorter);
            if let Some(part) = part {
                absorbed[*part] |= keep == Keep::Maximal || patterns.get(*part).support == pattern.support;
            }
        }
    }
    Ok(absorbed)
}
