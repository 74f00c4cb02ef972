//! Where everything stands: clusters as a forest, items by the clusters that have them in a chunk.

use std::ops::{Deref, Range};

use super::{ChunkKind, Chunks};
use crate::ItemId;
use rayon::prelude::*;

/// A forest of clusters. Simple clusters are in an order in which those of every joint cluster stand side by side.
#[derive(Debug)]
pub struct Forest<'a> {
    /// What is laid out.
    pub chunks: &'a Chunks,
    /// Simple clusters, in that order.
    pub simple: Vec<u32>,
    /// The places in `simple` of the simple clusters below each cluster, itself included.
    pub span: Vec<Range<usize>>,
    /// Sums of sizes along `simple`.
    sizes: Vec<u64>,
    /// The chunks of each cluster.
    pub of_cluster: Vec<Vec<u32>>,
}

/// The same with the items of each chunk.
#[derive(Debug)]
pub struct Layout<'a> {
    forest: Forest<'a>,
    /// The items of each chunk, ascending.
    domains: Vec<Vec<ItemId>>,
    /// The clusters that have an item in a chunk of their own, and its kind, in the order of `simple`.
    places: Vec<Vec<(u32, ChunkKind)>>,
}

impl<'a> Forest<'a> {
    /// Lays clusters out. Parents must be clusters, and no cluster may be above itself.
    pub fn of(chunks: &'a Chunks) -> Self {
        let count = chunks.clusters().len();
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for (number, cluster) in chunks.clusters().iter().enumerate() {
            match cluster.parent {
                Some(parent) => children[parent as usize].push(number as u32),
                None => roots.push(number as u32),
            }
        }
        let mut forest = Forest {
            chunks,
            simple: Vec::with_capacity(count),
            span: vec![0..0; count],
            sizes: vec![0],
            of_cluster: chunks.by_cluster(),
        };
        // Depth first without recursion: a cluster is met twice, before and after those below it.
        let mut open: Vec<(u32, bool)> = roots.into_iter().rev().map(|root| (root, false)).collect();
        while let Some((cluster, seen)) = open.pop() {
            let at = cluster as usize;
            if seen {
                forest.span[at].end = forest.simple.len();
                continue;
            }
            forest.span[at].start = forest.simple.len();
            open.push((cluster, true));
            if children[at].is_empty() {
                forest.simple.push(cluster);
                let total = forest.sizes[forest.sizes.len() - 1].saturating_add(chunks.clusters()[at].size);
                forest.sizes.push(total);
            }
            open.extend(children[at].iter().rev().map(|child| (*child, false)));
        }
        forest
    }

    /// How many people a cluster says it has.
    pub fn size(&self, cluster: u32) -> u64 {
        self.chunks.clusters()[cluster as usize].size
    }

    /// How many people are in some simple clusters that stand side by side.
    pub fn people(&self, places: &Range<usize>) -> u64 {
        self.sizes[places.end] - self.sizes[places.start]
    }
}

impl<'a> Deref for Layout<'a> {
    type Target = Forest<'a>;

    fn deref(&self) -> &Forest<'a> {
        &self.forest
    }
}

impl<'a> Layout<'a> {
    /// Lays clusters out, and says where items stand.
    pub fn of(chunks: &'a Chunks) -> Self {
        let mut layout = Layout {
            forest: Forest::of(chunks),
            domains: (0..chunks.len()).into_par_iter().map(|chunk| domain(chunks, chunk)).collect(),
            places: Vec::new(),
        };
        let items = chunks.items().iter().max().map_or(0, |item| *item as usize + 1);
        layout.places.resize(items, Vec::new());
        for (chunk, domain) in layout.domains.iter().enumerate() {
            for item in domain {
                layout.places[*item as usize].push((chunks.cluster(chunk), chunks.kind(chunk)));
            }
        }
        for places in &mut layout.places {
            places
                .sort_unstable_by_key(|(cluster, _)| (layout.forest.span[*cluster as usize].start, *cluster));
        }
        layout
    }

    /// The items of a chunk, ascending.
    pub fn domain(&self, chunk: usize) -> &[ItemId] {
        &self.domains[chunk]
    }

    /// The clusters properly below a cluster that have the item in a chunk, in the order of `simple`.
    pub fn below(&self, cluster: u32, item: ItemId) -> Vec<(u32, ChunkKind)> {
        let own = &self.span[cluster as usize];
        let all = self.places.get(item as usize).map_or(&[][..], Vec::as_slice);
        let start = |(other, _): &(u32, ChunkKind)| self.span[*other as usize].start;
        let from = all.partition_point(|place| start(place) < own.start);
        let until = all.partition_point(|place| start(place) < own.end);
        // A cluster above begins where its first one below does, and ends later.
        let below =
            |(other, _): &&(u32, ChunkKind)| *other != cluster && self.span[*other as usize].end <= own.end;
        let inside = all[from..until].iter().filter(below);
        let is_above = |other: u32| self.span[other as usize] == *own && self.is_above(other, cluster);
        inside.filter(|(other, _)| !is_above(*other)).copied().collect()
    }

    /// Whether one cluster is above another with the same people.
    fn is_above(&self, upper: u32, lower: u32) -> bool {
        let parent = |cluster: u32| self.chunks.clusters()[cluster as usize].parent;
        std::iter::successors(parent(lower), |cluster| parent(*cluster)).any(|cluster| cluster == upper)
    }

    /// The places of simple clusters below a joint one to which a part with the item cannot belong: the item stands nearer by.
    pub fn closed(&self, cluster: u32, item: ItemId) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = self
            .below(cluster, item)
            .into_iter()
            .map(|(other, _)| self.span[other as usize].clone())
            .collect();
        spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        // Spans of a forest lie inside each other or apart.
        let mut outer: Vec<Range<usize>> = Vec::with_capacity(spans.len());
        for span in spans {
            if outer.last().is_none_or(|last| last.end <= span.start) {
                outer.push(span);
            }
        }
        outer
    }

    /// The places of simple clusters below a joint one to which a part with these items may belong, side by side, ascending.
    pub fn open(&self, cluster: u32, items: &[ItemId]) -> Vec<Range<usize>> {
        let mut closed: Vec<Range<usize>> =
            items.iter().flat_map(|item| self.closed(cluster, *item)).collect();
        closed.sort_unstable_by_key(|span| span.start);
        let own = self.span[cluster as usize].clone();
        let mut open = Vec::new();
        let mut from = own.start;
        for span in closed {
            if span.start > from {
                open.push(from..span.start);
            }
            from = from.max(span.end);
        }
        if own.end > from {
            open.push(from..own.end);
        }
        open
    }
}

fn domain(chunks: &Chunks, chunk: usize) -> Vec<ItemId> {
    let mut items: Vec<ItemId> = chunks.parts(chunk).flat_map(|part| chunks.part(part)).copied().collect();
    items.sort_unstable();
    items.dedup();
    items
}
