//! A column with a hierarchy: nodes are its cells.

use throng_data::{Hierarchy, NodeId};

/// The values as leaves of a hierarchy, from left to right by code.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The hierarchy.
    pub hierarchy: Hierarchy,
    /// The leaf of each code.
    pub leaves: Vec<NodeId>,
    /// Ancestors of each code by depth, from the root down; below a leaf the leaf again.
    ancestors: Vec<NodeId>,
    depths: usize,
    /// The code of each node that is the leaf of one.
    codes: Vec<Option<u32>>,
    /// The place of each node among its siblings.
    ordinals: Vec<u32>,
    /// What a cell that says no more than this node costs, by node.
    pub losses: Vec<f64>,
    /// Whether nodes are blocks of values without a name.
    pub(super) unnamed: bool,
}

impl Tree {
    pub(super) fn new(hierarchy: Hierarchy, leaves: Vec<NodeId>) -> Tree {
        let tree = hierarchy.tree();
        let depths = 1 + leaves.iter().map(|leaf| tree.depth(*leaf) as usize).max().unwrap_or(0);
        let mut ancestors = vec![0; leaves.len() * depths];
        for (leaf, path) in leaves.iter().zip(ancestors.chunks_exact_mut(depths)) {
            path.fill(*leaf);
            let mut node = Some(*leaf);
            while let Some(at) = node {
                path[tree.depth(at) as usize] = at;
                node = tree.parent(at);
            }
        }
        let all = f64::from(tree.leaves());
        let loss =
            |node: NodeId| if tree.is_leaf(node) { 0.0 } else { f64::from(tree.leaf_count(node)) / all };
        let losses = (0..tree.nodes() as NodeId).map(loss).collect();
        let mut codes = vec![None; tree.nodes()];
        for (code, leaf) in (0..).zip(&leaves) {
            codes[*leaf as usize] = Some(code);
        }
        let mut ordinals = vec![0; tree.nodes()];
        for node in 0..tree.nodes() as NodeId {
            for (place, child) in (0..).zip(tree.children(node)) {
                ordinals[*child as usize] = place;
            }
        }
        Tree { hierarchy, leaves, ancestors, depths, codes, ordinals, losses, unnamed: false }
    }

    /// The lowest common ancestor of two values.
    pub fn node(&self, a: u32, b: u32) -> NodeId {
        let path = |code: u32| &self.ancestors[code as usize * self.depths..][..self.depths];
        let common = path(a).iter().zip(path(b)).take_while(|(a, b)| a == b).last();
        common.map_or(self.hierarchy.tree().root(), |(node, _)| *node)
    }

    /// The ancestor of a value at a depth, 0 being the root; the leaf itself below it.
    pub fn ancestor(&self, code: u32, depth: usize) -> NodeId {
        self.ancestors[code as usize * self.depths + depth.min(self.depths - 1)]
    }

    /// The place of a node among its siblings.
    pub fn ordinal(&self, node: NodeId) -> usize {
        self.ordinals[node as usize] as usize
    }

    /// The code whose leaf this is, if anybody has it.
    pub(super) fn code_of(&self, node: NodeId) -> Option<u32> {
        self.codes[node as usize]
    }
}
