//! Finds the cluster whose cells are nearest to those of another.
//!
//! A tree of boxes over the clusters: each box knows how far its clusters reach at least, so that whatever is in it costs at least
//! as much as reaching that far. A cluster that was merged stays in the leaf of one of its parts, and the boxes above are
//! measured again.
//!
//! # Cost
//! A search looks into the boxes that are near; a merge measures the boxes above two leaves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::clusters::Clusters;

/// Clusters of a leaf, at most, when the tree is built.
const LEAF: usize = 8;

/// The tree of boxes.
#[derive(Debug)]
pub(super) struct Index {
    nodes: Vec<Node>,
    leaf_of: Vec<u32>,
}

#[derive(Debug)]
struct Node {
    parent: Option<u32>,
    children: Option<[u32; 2]>,
    /// Clusters of a leaf.
    clusters: Vec<u32>,
    /// For each column the largest begin and the smallest end of any cluster; `None` for an empty box.
    reach: Option<Vec<(u32, u32)>>,
}

impl Index {
    /// The tree over all clusters.
    pub fn new(clusters: &Clusters<'_>) -> Self {
        let mut all: Vec<u32> = clusters.alive().collect();
        let mut index = Index { nodes: Vec::new(), leaf_of: vec![0; clusters.places()] };
        index.build(clusters, &mut all, None);
        index
    }

    fn build(&mut self, clusters: &Clusters<'_>, own: &mut [u32], parent: Option<u32>) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parent, children: None, clusters: Vec::new(), reach: None });
        // Twice the middle of a cluster in a column.
        let middle = |cluster: u32, column: usize| {
            let (low, high) = clusters.bounds(cluster)[column];
            u64::from(low) + u64::from(high)
        };
        let spread = |column: &usize| {
            let values = own.iter().map(|cluster| middle(*cluster, *column));
            let (low, high) = values.fold((u64::MAX, 0), |(low, high), at| (low.min(at), high.max(at)));
            (high.saturating_sub(low)) as f64 / clusters.width(*column)
        };
        let widest = (0..clusters.columns()).map(|column| (spread(&column), column));
        let widest = widest.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        match widest {
            Some((spread, column)) if own.len() > LEAF && spread > 0.0 => {
                own.sort_unstable_by_key(|cluster| (middle(*cluster, column), *cluster));
                let (left, right) = own.split_at_mut(own.len() / 2);
                let children =
                    [self.build(clusters, left, Some(node)), self.build(clusters, right, Some(node))];
                self.nodes[node as usize].children = Some(children);
            }
            _ => {
                own.iter().for_each(|cluster| self.leaf_of[*cluster as usize] = node);
                self.nodes[node as usize].clusters = own.to_vec();
            }
        }
        self.measure(clusters, node);
        node
    }

    /// After `gone` was merged into `kept`.
    pub fn merged(&mut self, clusters: &Clusters<'_>, kept: u32, gone: u32) {
        let leaf = self.leaf_of[gone as usize];
        self.nodes[leaf as usize].clusters.retain(|cluster| *cluster != gone);
        for from in [leaf, self.leaf_of[kept as usize]] {
            let mut at = Some(from);
            while let Some(node) = at {
                self.measure(clusters, node);
                at = self.nodes[node as usize].parent;
            }
        }
    }

    fn measure(&mut self, clusters: &Clusters<'_>, node: u32) {
        let Node { children, clusters: own, .. } = &self.nodes[node as usize];
        let mut reach: Option<Vec<(u32, u32)>> = None;
        let mut take = |bounds: &[(u32, u32)]| match &mut reach {
            None => reach = Some(bounds.to_vec()),
            Some(reach) => {
                for (reach, (low, high)) in reach.iter_mut().zip(bounds) {
                    *reach = (reach.0.max(*low), reach.1.min(*high));
                }
            }
        };
        own.iter().for_each(|cluster| take(clusters.bounds(*cluster)));
        for child in children.iter().flatten() {
            self.nodes[*child as usize].reach.iter().for_each(|reach| take(reach));
        }
        self.nodes[node as usize].reach = reach;
    }

    /// The other clusters by what one loses together with each: what and which, ascending; equal ones by number.
    pub fn nearest<'a>(&'a self, clusters: &'a Clusters<'_>, of: u32) -> Nearest<'a> {
        let mut search = Nearest { index: self, clusters, of, heap: BinaryHeap::new() };
        search.enter(0);
        search
    }

    /// The other clusters that `of` may be merged with, by number. Boxes in which none can be are not entered.
    pub fn mergeable(&self, clusters: &Clusters<'_>, of: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut stack = vec![0_u32];
        while let Some(node) = stack.pop() {
            let Node { children, clusters: own, reach, .. } = &self.nodes[node as usize];
            let Some(reach) = reach else { continue };
            if !clusters.might_fit(of, clusters.at_least(of, reach)) {
                continue;
            }
            stack.extend(children.iter().flatten());
            found.extend(own.iter().filter(|other| **other != of && clusters.fits(of, **other)));
        }
        found.sort_unstable();
        found
    }
}

/// A search that goes on for as long as it is asked.
pub(super) struct Nearest<'a> {
    index: &'a Index,
    clusters: &'a Clusters<'a>,
    of: u32,
    /// By loss, boxes before clusters, then by number. Losses are not negative, so their bits are in their order.
    heap: BinaryHeap<Reverse<(u64, bool, u32)>>,
}

impl Nearest<'_> {
    fn enter(&mut self, node: u32) {
        if let Some(reach) = &self.index.nodes[node as usize].reach {
            self.heap.push(Reverse((self.clusters.at_least(self.of, reach).to_bits(), false, node)));
        }
    }
}

impl Iterator for Nearest<'_> {
    type Item = (f64, u32);

    fn next(&mut self) -> Option<(f64, u32)> {
        loop {
            let Reverse((loss, is_cluster, number)) = self.heap.pop()?;
            if is_cluster {
                return Some((f64::from_bits(loss), number));
            }
            let Node { children, clusters: own, .. } = &self.index.nodes[number as usize];
            children.iter().flatten().for_each(|child| self.enter(*child));
            for cluster in own.iter().filter(|cluster| **cluster != self.of) {
                let loss = self.clusters.loss_joined(self.of, *cluster);
                self.heap.push(Reverse((loss.to_bits(), true, *cluster)));
            }
        }
    }
}
