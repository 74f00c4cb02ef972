//! Records taken apart: clusters of people, and chunks of their records that nothing links.
//!
//! A *simple* cluster is a group of people. Each of its *record chunks* holds, in no order, what its people have of some items; people
//! who have none of them are not in it. Its *term chunk* names further items that occur, not how often, with what, or with
//! whom. A *joint* cluster is made of clusters, simple or joint, and its *shared chunks* are record chunks of all
//! people below it.
//!
//! # What a reader may conclude
//! An item of a simple cluster is in one place: in a chunk of its own, or in the nearest joint cluster above it of which a shared chunk holds the
//! item. So a part of a shared chunk belongs to no person of a cluster that has one of its items in a chunk nearer by. A
//! *possible world* gives every part to a person of its cluster, at most one of a chunk to each, every item of a term chunk to at least one person of its cluster,
//! and gives every person at least one item.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::ItemId;

/// What a chunk holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkKind {
    /// Parts of the records of one simple cluster.
    Record,
    /// Parts of the records of a joint cluster.
    Shared,
    /// Items that occur in a simple cluster.
    Term,
}

impl ChunkKind {
    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            ChunkKind::Record => "record",
            ChunkKind::Shared => "shared",
            ChunkKind::Term => "term",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<ChunkKind> {
        [ChunkKind::Record, ChunkKind::Shared, ChunkKind::Term].into_iter().find(|kind| kind.name() == name)
    }
}

/// A group of people, or a group of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster {
    /// The joint cluster it is part of.
    pub parent: Option<u32>,
    /// How many people are in it.
    pub size: u64,
}

/// Clusters and their chunks. Parts of chunks lie one after another, four bytes an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunks {
    clusters: Vec<Cluster>,
    /// The cluster and the kind of each chunk.
    chunks: Vec<(u32, ChunkKind)>,
    /// `chunk_parts[c]..chunk_parts[c + 1]` are the parts of chunk `c`.
    chunk_parts: Vec<u64>,
    /// `part_items[p]..part_items[p + 1]` are the items of part `p`, ascending.
    part_items: Vec<u64>,
    items: Vec<ItemId>,
    /// The simple cluster of each person, while the release is made; files do not say it. `u32::MAX` for people without items.
    pub cluster_of: Option<Vec<u32>>,
}

impl Default for Chunks {
    fn default() -> Self {
        Chunks {
            clusters: Vec::new(),
            chunks: Vec::new(),
            chunk_parts: vec![0],
            part_items: vec![0],
            items: Vec::new(),
            cluster_of: None,
        }
    }
}

impl Chunks {
    /// No cluster.
    pub fn new() -> Self {
        Chunks::default()
    }

    /// Adds a cluster and returns its number.
    pub fn push_cluster(&mut self, cluster: Cluster) -> u32 {
        self.clusters.push(cluster);
        self.clusters.len() as u32 - 1
    }

    /// Puts a cluster into a joint one.
    pub fn set_parent(&mut self, cluster: u32, parent: Option<u32>) {
        self.clusters[cluster as usize].parent = parent;
    }

    /// Adds a chunk of a cluster; parts follow with [`Chunks::push_part`].
    pub fn push_chunk(&mut self, cluster: u32, kind: ChunkKind) {
        self.chunks.push((cluster, kind));
        self.chunk_parts.push(self.part_items.len() as u64 - 1);
    }

    /// Adds a part to the chunk that was added last. An item of a term chunk is a part of its own.
    pub fn push_part(&mut self, items: impl IntoIterator<Item = ItemId>) {
        let begin = self.items.len();
        self.items.extend(items);
        self.items[begin..].sort_unstable();
        self.part_items.push(self.items.len() as u64);
        if let Some(end) = self.chunk_parts.last_mut() {
            *end += 1;
        }
    }

    /// All clusters, by number.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether there is no chunk.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The cluster a chunk belongs to.
    pub fn cluster(&self, chunk: usize) -> u32 {
        self.chunks[chunk].0
    }

    /// What a chunk holds.
    pub fn kind(&self, chunk: usize) -> ChunkKind {
        self.chunks[chunk].1
    }

    /// The numbers of the parts of a chunk.
    pub fn parts(&self, chunk: usize) -> Range<usize> {
        self.chunk_parts[chunk] as usize..self.chunk_parts[chunk + 1] as usize
    }

    /// The items of a part.
    pub fn part(&self, part: usize) -> &[ItemId] {
        &self.items[self.part_items[part] as usize..self.part_items[part + 1] as usize]
    }

    /// The items of all parts.
    pub fn items(&self) -> &[ItemId] {
        &self.items
    }

    /// Which clusters are made of others.
    pub fn is_joint(&self) -> Vec<bool> {
        let mut joint = vec![false; self.clusters.len()];
        for parent in self.clusters.iter().filter_map(|cluster| cluster.parent) {
            joint[parent as usize] = true;
        }
        joint
    }

    /// The chunks of each cluster, in their order.
    pub fn by_cluster(&self) -> Vec<Vec<u32>> {
        let mut chunks = vec![Vec::new(); self.clusters.len()];
        for (chunk, (cluster, _)) in self.chunks.iter().enumerate() {
            chunks[*cluster as usize].push(chunk as u32);
        }
        chunks
    }

    /// People in all.
    pub fn people(&self) -> u64 {
        self.clusters.iter().filter(|cluster| cluster.parent.is_none()).map(|cluster| cluster.size).sum()
    }

    /// The same with items numbered otherwise.
    #[must_use]
    pub fn recode(mut self, image: impl Fn(ItemId) -> ItemId) -> Self {
        self.items.iter_mut().for_each(|item| *item = image(*item));
        for part in 0..self.part_items.len() - 1 {
            let span = self.part_items[part] as usize..self.part_items[part + 1] as usize;
            self.items[span].sort_unstable();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_kept_by_cluster_and_part() {
        let mut chunks = Chunks::new();
        let joint = chunks.push_cluster(Cluster { parent: None, size: 6 });
        let simple = chunks.push_cluster(Cluster { parent: Some(joint), size: 6 });
        chunks.push_chunk(simple, ChunkKind::Record);
        chunks.push_part([2, 1]);
        chunks.push_part([1]);
        chunks.push_chunk(simple, ChunkKind::Term);
        chunks.push_part([5]);
        assert_eq!(chunks.people(), 6);
        assert_eq!(chunks.is_joint(), [true, false]);
        assert_eq!(chunks.by_cluster(), [vec![], vec![0, 1]]);
        assert_eq!((chunks.parts(0), chunks.parts(1)), (0..2, 2..3));
        assert_eq!(chunks.part(0), [1, 2]);
        let turned = chunks.recode(|item| 9 - item);
        assert_eq!(turned.part(0), [7, 8]);
    }
}
