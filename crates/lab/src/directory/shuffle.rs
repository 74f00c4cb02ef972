//! Which number each record gets.
//!
//! # Guarantees
//! The order depends on the seed *and* on the data itself. The seed stands in the manifest: an order made from the
//! seed alone could be undone by anyone, who would then know that record 17 was the third row of the input. The
//! data is what outsiders do not have, and its digest here is not the one the manifest shows.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use throng_data::Dataset;

/// A random order of records: the record numbered `n` (from 1) is `order[n - 1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shuffle {
    order: Vec<u32>,
}

impl Shuffle {
    /// The order of `records` records of a release of this dataset.
    pub fn new(data: &Dataset, records: usize, seed: u64) -> Self {
        let mut order: Vec<u32> = (0..records as u32).collect();
        order.shuffle(&mut ChaCha8Rng::from_seed(key(data, seed)));
        Shuffle { order }
    }

    /// Records in the order of their numbers.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Records with their numbers, in the order of the numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, usize)> {
        self.order.iter().enumerate().map(|(position, record)| (position + 1, *record as usize))
    }
}

fn key(data: &Dataset, seed: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"throng: order of records");
    hash.update(seed.to_le_bytes());
    for name in data.subjects.names() {
        hash.update(name.as_bytes());
        hash.update([0]);
    }
    let mut bytes = Vec::with_capacity(1 << 16);
    for items in data.events.items().chunks(1 << 14) {
        bytes.clear();
        bytes.extend(items.iter().flat_map(|item| item.to_le_bytes()));
        hash.update(&bytes);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_follows_from_seed_and_data_together() {
        let words = ["ab", "ba", "aab", "bba", "abab", "baba", "b", "a"];
        let data = Dataset::from_words(words);
        let mut other = words;
        other[7] = "b";
        let order = Shuffle::new(&data, 8, 1);
        assert_eq!(order, Shuffle::new(&data, 8, 1));
        assert_ne!(order, Shuffle::new(&data, 8, 2));
        assert_ne!(order, Shuffle::new(&Dataset::from_words(other), 8, 1));
        let mut sorted = order.order().to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..8).collect::<Vec<_>>());
    }
}
