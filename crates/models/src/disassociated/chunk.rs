//! What a chunk has to be on its own: k^m-anonymous, or k-anonymous.

use std::collections::BTreeMap;

use throng_data::{Chunks, ItemId};

/// Sets of items of a chunk that occur together in too few parts.
#[derive(Debug, Default)]
pub(super) struct Rare {
    /// How many different sets were counted.
    pub counted: u64,
    /// Those that are too rare, with how many parts have them.
    pub sets: Vec<(Vec<ItemId>, u64)>,
}

/// Counts all sets of up to `m` items that occur together in a chunk, depth first: each set with the parts that have it. `domain` are the items of
/// the chunk, ascending.
pub(super) fn rare_sets(chunks: &Chunks, chunk: usize, domain: &[ItemId], k: u64, m: usize) -> Rare {
    let place = |item: &ItemId| domain.partition_point(|other| other < item);
    let parts = chunks.parts(chunk).map(|part| chunks.part(part).iter().map(place).collect()).collect();
    let mut walk = Walk { parts, domain, k, m, set: Vec::new(), rare: Rare::default() };
    let all: Vec<(usize, usize)> = (0..walk.parts.len()).map(|part| (part, 0)).collect();
    walk.extend(&all);
    walk.rare
}

/// The way to a set.
struct Walk<'a> {
    /// The items of each part, as places in the domain, ascending.
    parts: Vec<Vec<usize>>,
    domain: &'a [ItemId],
    k: u64,
    m: usize,
    set: Vec<ItemId>,
    rare: Rare,
}

impl Walk<'_> {
    /// `having` are the parts that have the set, each with the place after its last item of it.
    fn extend(&mut self, having: &[(usize, usize)]) {
        let mut counts = vec![0_u64; self.domain.len()];
        for (part, from) in having {
            self.parts[*part][*from..].iter().for_each(|item| counts[*item] += 1);
        }
        for item in (0..counts.len()).filter(|item| counts[*item] > 0) {
            self.rare.counted += 1;
            self.set.push(self.domain[item]);
            if counts[item] < self.k {
                // What is longer is rarer still: a set that is too rare stands for those with it.
                self.rare.sets.push((self.set.clone(), counts[item]));
            } else if self.set.len() < self.m {
                let longer: Vec<(usize, usize)> = having
                    .iter()
                    .filter_map(|(part, from)| {
                        let at = self.parts[*part][*from..].binary_search(&item).ok()?;
                        Some((*part, from + at + 1))
                    })
                    .collect();
                self.extend(&longer);
            }
            self.set.pop();
        }
    }
}

/// The different parts of a chunk, and how often each is there.
pub(super) fn alike(chunks: &Chunks, chunk: usize) -> BTreeMap<&[ItemId], u64> {
    let mut alike = BTreeMap::new();
    for part in chunks.parts(chunk) {
        *alike.entry(chunks.part(part)).or_default() += 1;
    }
    alike
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use throng_data::{ChunkKind, Cluster};

    use super::*;

    fn one_chunk(parts: &[Vec<ItemId>]) -> (Chunks, Vec<ItemId>) {
        let mut chunks = Chunks::new();
        let cluster = chunks.push_cluster(Cluster { parent: None, size: parts.len() as u64 });
        chunks.push_chunk(cluster, ChunkKind::Record);
        parts.iter().for_each(|part| chunks.push_part(part.iter().copied()));
        let mut domain: Vec<ItemId> = parts.concat();
        domain.sort_unstable();
        domain.dedup();
        (chunks, domain)
    }

    #[test]
    fn a_rare_item_and_a_rare_pair_are_found_with_their_counts() {
        let parts = [vec![1, 2], vec![1, 2], vec![1, 4], vec![4], vec![4, 9]];
        let (chunks, domain) = one_chunk(&parts);
        let rare = rare_sets(&chunks, 0, &domain, 2, 2);
        assert_eq!(rare.sets, [(vec![1, 4], 1), (vec![4, 9], 1), (vec![9], 1)]);
        // Four items, and the pairs that occur.
        assert_eq!(rare.counted, 7);
        assert_eq!(rare_sets(&chunks, 0, &domain, 2, 1).sets, [(vec![9], 1)]);
        assert_eq!(alike(&chunks, 0).values().sum::<u64>(), 5);
        assert_eq!(alike(&chunks, 0)[[1, 2].as_slice()], 2);
    }

    proptest! {
        #[test]
        fn sets_are_rare_by_the_plainest_count(
            parts in prop::collection::vec(prop::collection::btree_set(0..6_u32, 1..5), 1..9),
            k in 1..5_u64,
        ) {
            let parts: Vec<Vec<ItemId>> = parts.into_iter().map(|part| part.into_iter().collect()).collect();
            let (chunks, domain) = one_chunk(&parts);
            let people = |set: &[ItemId]| {
                parts.iter().filter(|part| set.iter().all(|item| part.contains(item))).count() as u64
            };
            let found = rare_sets(&chunks, 0, &domain, k, 2).sets;
            let safe = found.is_empty();
            prop_assert!(found.iter().all(|(set, support)| *support == people(set) && *support < k));
            let pairs = (0..6).flat_map(|a| (a..6).map(move |b| people(&[a, b])));
            prop_assert_eq!(safe, pairs.into_iter().all(|support| support == 0 || support >= k));
        }
    }
}
