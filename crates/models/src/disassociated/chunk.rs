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
