//! A cut through the hierarchy: every item is published as the one node of the cut above it.

use super::tree::{ROOT, Tree};

/// Where a node lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Below the cut: generalised away.
    Below,
    /// On it: published.
    On,
    /// Above it: might be published.
    Above,
}

/// A cut, and what it costs.
#[derive(Debug, Clone)]
pub struct Cut {
    sides: Vec<Side>,
    /// What the items below each node lose now, in occurrences times leaves.
    spent: Vec<u64>,
    /// Occurrences of the items below each node.
    occurrences: Vec<u64>,
}

impl Cut {
    /// Every item as it is. `occurrences` are those of the leaves.
    pub fn leaves(tree: &Tree, leaf_occurrences: &[u64]) -> Self {
        let mut occurrences = vec![0; tree.nodes()];
        // Children have higher numbers than their parents.
        for node in (0..tree.nodes() as u32).rev() {
            if tree.is_leaf(node) {
                occurrences[node as usize] = leaf_occurrences[node as usize];
            }
            if let Some(parent) = tree.parent(node) {
                occurrences[parent as usize] += occurrences[node as usize];
            }
        }
        let side = |node| if tree.is_leaf(node) { Side::On } else { Side::Above };
        let sides = (0..tree.nodes() as u32).map(side).collect();
        Cut { sides, spent: vec![0; tree.nodes()], occurrences }
    }

    /// Where a node lies.
    #[inline]
    pub fn side(&self, node: u32) -> Side {
        self.sides[node as usize]
    }

    /// What it costs more to publish `node`, which is above the cut.
    pub fn price(&self, tree: &Tree, node: u32) -> u64 {
        self.occurrences[node as usize] * tree.loss(node) - self.spent[node as usize]
    }

    /// Publishes `node`, which is above the cut, instead of everything below it.
    pub fn raise(&mut self, tree: &Tree, node: u32) {
        let price = self.price(tree, node);
        let mut above = Some(node);
        while let Some(at) = above {
            self.spent[at as usize] += price;
            above = tree.parent(at);
        }
        self.sides[node as usize] = Side::On;
        let mut stack: Vec<u32> = tree.children(node).to_vec();
        while let Some(at) = stack.pop() {
            if self.sides[at as usize] != Side::Below {
                self.sides[at as usize] = Side::Below;
                stack.extend_from_slice(tree.children(at));
            }
        }
    }

    /// The nodes of the cut, ascending.
    pub fn nodes(&self) -> Vec<u32> {
        (0..self.sides.len() as u32).filter(|node| self.sides[*node as usize] == Side::On).collect()
    }

    /// What all items lose together, in occurrences times leaves; divided by both it is the NCP.
    pub fn cost(&self) -> u64 {
        self.spent.get(ROOT as usize).copied().unwrap_or(0)
    }

    /// How often items occur.
    pub fn occurrences(&self) -> u64 {
        self.occurrences.get(ROOT as usize).copied().unwrap_or(0)
    }

    /// The node of the cut that each item of the tree is published as, by item.
    pub fn images(&self, tree: &Tree, images: &mut [u32]) {
        for node in self.nodes() {
            for item in tree.members(node) {
                images[*item as usize] = node;
            }
        }
    }
}
