//! What supports say across chunks: the condition of `safe`.

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_data::{ChunkKind, ItemId};

use super::{Broken, Judge, reach};

impl Judge<'_> {
    /// What supports say across chunks: of `n` people `x` have one thing and `y` another, so at least `x + y - n` have both. Inside a simple
    /// cluster record chunks are compared with each other; a shared chunk with those beside it, and with how often an item stands in
    /// all chunks below.
    pub(super) fn safety(&mut self, one_in: u64) {
        let (chunks, layout) = (self.layout.chunks, &self.layout);
        let mut found = Vec::new();
        let supports: Vec<Vec<(ItemId, u64)>> = (0..chunks.len())
            .into_par_iter()
            .map(|chunk| {
                let mut items: Vec<ItemId> =
                    chunks.parts(chunk).flat_map(|part| chunks.part(part)).copied().collect();
                items.sort_unstable();
                items.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect()
            })
            .collect();
        let linked = |x: u64, y: u64, people: u64| {
            x > 0 && (x + y).saturating_sub(people).saturating_mul(one_in) > x.min(y)
        };
        for (cluster, own) in (0_u32..).zip(&layout.of_cluster) {
            let open: Vec<usize> = own
                .iter()
                .map(|chunk| *chunk as usize)
                .filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term)
                .collect();
            let shared = open.iter().any(|chunk| chunks.kind(*chunk) == ChunkKind::Shared);
            let below = if shared { self.most_below(cluster, &supports) } else { 0 };
            for chunk in &open {
                let beside = open.iter().filter(|other| *other != chunk).flat_map(|other| &supports[*other]);
                let most = beside.map(|(_, count)| *count).max().unwrap_or(0);
                for (item, count) in &supports[*chunk] {
                    let people = match shared {
                        true => reach::reach(layout, cluster, *item),
                        false => layout.size(cluster),
                    };
                    for x in [most, below] {
                        if linked(x, *count, people) {
                            let why = "safe: an item of another chunk follows from it too surely";
                            found.push(Broken {
                                items: vec![*item],
                                support: x + count - people,
                                needed: x.min(*count) / one_in,
                                cluster,
                                why,
                            });
                        }
                    }
                }
            }
        }
        self.found.extend(found);
    }

    /// How often the most frequent item stands in record and shared chunks properly below a cluster.
    fn most_below(&self, cluster: u32, supports: &[Vec<(ItemId, u64)>]) -> u64 {
        let (chunks, layout) = (self.layout.chunks, &self.layout);
        let mut counts: BTreeMap<ItemId, u64> = BTreeMap::new();
        let mut open: Vec<u32> = vec![cluster];
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for place in layout.span[cluster as usize].clone() {
            let mut at = layout.simple[place];
            while at != cluster {
                let Some(parent) = chunks.clusters()[at as usize].parent else { break };
                let siblings = children.entry(parent).or_default();
                if siblings.contains(&at) {
                    break;
                }
                siblings.push(at);
                at = parent;
            }
        }
        while let Some(at) = open.pop() {
            for child in children.get(&at).into_iter().flatten() {
                open.push(*child);
                let own = layout.of_cluster[*child as usize].iter().map(|chunk| *chunk as usize);
                for (item, count) in own
                    .filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term)
                    .flat_map(|chunk| &supports[chunk])
                {
                    *counts.entry(*item).or_default() += count;
                }
            }
        }
        counts.values().copied().max().unwrap_or(0)
    }
}
