//! Which number each record gets.
//!
//! # Guarantees
//! The order follows from a key that is derived from the run's secret [`Salt`](crate::Salt) with the method, its
//! parameters, variant and seed, and from nothing in the data. An attacker who has the data and everything that was published still
//! cannot tell which record is whose, and two releases of one file number their records independently.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;

/// A random order of records: the record numbered `n` (from 1) is `order[n - 1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shuffle {
    order: Vec<u32>,
}

impl Shuffle {
    /// The order of `records` records under a key.
    pub fn new(key: [u8; 32], records: usize) -> Self {
        let mut order: Vec<u32> = (0..records as u32).collect();
        order.shuffle(&mut ChaCha20Rng::from_seed(key));
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

/// The order that version 0.1.0 gave to records, by which its releases are still recognised.
///
/// It follows from the data and the published seed: an attacker who knows everybody else confirms the victim's place.
pub mod version_0_1_0 {
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_chacha::ChaCha8Rng;
    use sha2::{Digest, Sha256};
    use throng_data::Dataset;

    use super::Shuffle;

    /// The order of `records` records of a release of this dataset.
    pub fn shuffle(data: &Dataset, records: usize, seed: u64) -> Shuffle {
        let mut order: Vec<u32> = (0..records as u32).collect();
        order.shuffle(&mut ChaCha8Rng::from_seed(key(data, seed)));
        Shuffle { order }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_follows_from_the_key_alone_and_holds_every_record_once() {
        let order = Shuffle::new([1; 32], 200);
        assert_eq!(order, Shuffle::new([1; 32], 200));
        assert_ne!(order, Shuffle::new([2; 32], 200));
        let mut sorted = order.order().to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..200).collect::<Vec<_>>());
    }
}
