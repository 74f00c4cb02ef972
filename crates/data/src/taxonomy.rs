//! A tree over names: the leaves are items (or a column's values), inner nodes are more general words.

use thiserror::Error;

use crate::Dictionary;

/// A node of a taxonomy.
pub type NodeId = u32;

/// A rooted tree whose leaves are the values of a domain.
#[derive(Debug, Clone)]
pub struct Taxonomy {
    names: Dictionary,
    parents: Vec<Option<NodeId>>,
    children: Vec<Vec<NodeId>>,
    depths: Vec<u32>,
    leaf_counts: Vec<u32>,
    root: NodeId,
}

impl Taxonomy {
    /// Builds a tree from paths `leaf, parent, ..., root`; `paths[i]` is reported as path `i` in errors.
    pub fn from_paths<'a>(
        paths: impl IntoIterator<Item = impl IntoIterator<Item = &'a str>>,
    ) -> Result<Self, TaxonomyError> {
        let mut names = Dictionary::new();
        let mut parents: Vec<Option<NodeId>> = Vec::new();
        let mut leaves: Vec<bool> = Vec::new();
        let mut root: Option<NodeId> = None;
        for (path, nodes) in paths.into_iter().enumerate() {
            let mut below: Option<NodeId> = None;
            let mut seen: Vec<NodeId> = Vec::new();
            for name in nodes {
                let node = names.intern(name);
                if node as usize == parents.len() {
                    parents.push(None);
                    leaves.push(false);
                }
                // A value that is repeated up its path is one node, as in files padded to equal depth.
                if below == Some(node) {
                    continue;
                }
                if seen.contains(&node) {
                    return Err(TaxonomyError::Cycle { path, name: name.to_owned() });
                }
                match below {
                    None if leaves[node as usize] => {
                        return Err(TaxonomyError::DuplicateLeaf { path, name: name.to_owned() });
                    }
                    None => leaves[node as usize] = true,
                    Some(child) => match parents[child as usize] {
                        Some(parent) if parent != node => {
                            return Err(TaxonomyError::TwoParents {
                                path,
                                name: names.name(child).to_owned(),
                                first: names.name(parent).to_owned(),
                                second: name.to_owned(),
                            });
                        }
                        _ => parents[child as usize] = Some(node),
                    },
                }
                seen.push(node);
                below = Some(node);
            }
            let Some(top) = below else { return Err(TaxonomyError::EmptyPath { path }) };
            match root {
                Some(known) if known != top => {
                    return Err(TaxonomyError::TwoRoots {
                        path,
                        first: names.name(known).to_owned(),
                        second: names.name(top).to_owned(),
                    });
                }
                _ => root = Some(top),
            }
        }
        let root = root.ok_or(TaxonomyError::Empty)?;
        Taxonomy::finish(names, parents, &leaves, root)
    }

    fn finish(
        names: Dictionary,
        parents: Vec<Option<NodeId>>,
        leaves: &[bool],
        root: NodeId,
    ) -> Result<Self, TaxonomyError> {
        let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); parents.len()];
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent as usize].push(node as NodeId);
            }
        }
        // A path `a;b;root` and another `b;a;root` each look fine alone; together they loop.
        let mut depths = vec![u32::MAX; parents.len()];
        let mut order = vec![root];
        depths[root as usize] = 0;
        let mut next = 0;
        while next < order.len() {
            let node = order[next];
            next += 1;
            for child in &children[node as usize] {
                if depths[*child as usize] != u32::MAX {
                    return Err(TaxonomyError::Loop { name: names.name(*child).to_owned() });
                }
                depths[*child as usize] = depths[node as usize] + 1;
                order.push(*child);
            }
        }
        if let Some(node) = depths.iter().position(|depth| *depth == u32::MAX) {
            return Err(TaxonomyError::Loop { name: names.name(node as NodeId).to_owned() });
        }
        if let Some(node) = (0..parents.len()).find(|node| leaves[*node] && !children[*node].is_empty()) {
            return Err(TaxonomyError::LeafWithChildren { name: names.name(node as NodeId).to_owned() });
        }
        let mut leaf_counts = vec![0_u32; parents.len()];
        for node in order.iter().rev() {
            if children[*node as usize].is_empty() {
                leaf_counts[*node as usize] = 1;
            }
            if let Some(parent) = parents[*node as usize] {
                leaf_counts[parent as usize] += leaf_counts[*node as usize];
            }
        }
        Ok(Taxonomy { names, parents, children, depths, leaf_counts, root })
    }

    /// The node of that name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.names.find(name)
    }

    /// The name of a node.
    pub fn name(&self, node: NodeId) -> &str {
        self.names.name(node)
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Number of nodes; nodes are `0..nodes()`.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// The parent, `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents[node as usize]
    }

    /// The children, in file order; none for a leaf.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.children[node as usize]
    }

    /// Whether the node is a leaf.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.children[node as usize].is_empty()
    }

    /// Edges between the node and the root.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.depths[node as usize]
    }

    /// Number of leaves at or below the node.
    pub fn leaf_count(&self, node: NodeId) -> u32 {
        self.leaf_counts[node as usize]
    }

    /// Number of leaves of the whole tree, the papers' |H|.
    pub fn leaves(&self) -> u32 {
        self.leaf_counts[self.root as usize]
    }

    /// The leaves at or below the node, in file order.
    pub fn leaves_under(&self, node: NodeId) -> Vec<NodeId> {
        let mut leaves = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if self.is_leaf(node) {
                leaves.push(node);
            }
            stack.extend(self.children(node).iter().rev());
        }
        leaves
    }

    /// The lowest common ancestor of two nodes.
    pub fn lca(&self, mut a: NodeId, mut b: NodeId) -> NodeId {
        while a != b {
            let (depth_a, depth_b) = (self.depth(a), self.depth(b));
            if depth_a >= depth_b {
                a = self.parent(a).unwrap_or(self.root);
            }
            if depth_b >= depth_a {
                b = self.parent(b).unwrap_or(self.root);
            }
        }
        a
    }

    /// The leaf of every name of a dictionary, or the first name that is not a leaf of this tree.
    pub fn align(&self, items: &Dictionary) -> Result<Vec<NodeId>, TaxonomyError> {
        items
            .names()
            .map(|name| {
                self.find(name)
                    .filter(|node| self.is_leaf(*node))
                    .ok_or_else(|| TaxonomyError::MissingItem { name: name.to_owned() })
            })
            .collect()
    }
}

/// Why paths do not make a tree. Paths are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum TaxonomyError {
    #[error("no path at all")]
    Empty,
    #[error("an empty path")]
    EmptyPath { path: usize },
    #[error("`{name}` is its own ancestor")]
    Cycle { path: usize, name: String },
    #[error("`{name}` is its own ancestor, by way of several lines")]
    Loop { name: String },
    #[error("leaf `{name}` was already given")]
    DuplicateLeaf { path: usize, name: String },
    #[error("`{name}` is a leaf on one line and a parent on another")]
    LeafWithChildren { name: String },
    #[error("`{name}` is below both `{first}` and `{second}`")]
    TwoParents { path: usize, name: String, first: String, second: String },
    #[error("two roots, `{first}` and `{second}`")]
    TwoRoots { path: usize, first: String, second: String },
    #[error("item `{name}` of the data is not a leaf of the taxonomy")]
    MissingItem { name: String },
}

impl TaxonomyError {
    /// The path (counted from 0) at fault, where one path alone is.
    pub fn path(&self) -> Option<usize> {
        match self {
            TaxonomyError::EmptyPath { path }
            | TaxonomyError::Cycle { path, .. }
            | TaxonomyError::DuplicateLeaf { path, .. }
            | TaxonomyError::TwoParents { path, .. }
            | TaxonomyError::TwoRoots { path, .. } => Some(*path),
            TaxonomyError::Empty
            | TaxonomyError::Loop { .. }
            | TaxonomyError::LeafWithChildren { .. }
            | TaxonomyError::MissingItem { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> Result<Taxonomy, TaxonomyError> {
        Taxonomy::from_paths(paths.iter().map(|path| path.split(';')))
    }

    #[test]
    fn leaves_are_counted_below_every_node() {
        let tree = tree(&["a;food;all", "b;food;all", "c;c;all"]).unwrap();
        let food = tree.find("food").unwrap();
        assert_eq!((tree.leaves(), tree.leaf_count(food)), (3, 2));
        let [a, b, c] = ["a", "b", "c"].map(|name| tree.find(name).unwrap());
        assert_eq!((tree.lca(a, b), tree.lca(a, c), tree.lca(food, a)), (food, tree.root(), food));
        assert_eq!(tree.leaves_under(food), [a, b]);
    }

    #[test]
    fn what_is_not_a_tree_is_refused() {
        let refusal = |paths: &[&str]| tree(paths).unwrap_err().to_string();
        assert_eq!(refusal(&["a;x;a"]), "`a` is its own ancestor");
        assert_eq!(refusal(&["a;b;r", "c;a;b;r"]), "`a` is a leaf on one line and a parent on another");
        assert_eq!(refusal(&["a;r", "a;r"]), "leaf `a` was already given");
        assert_eq!(refusal(&["a;x;r", "b;y;r", "c;x;y;r"]), "`x` is below both `r` and `y`");
        assert_eq!(refusal(&["a;r", "b;s"]), "two roots, `r` and `s`");
        assert_eq!(refusal(&["a;x;r", "b;r;x;r"]), "`r` is its own ancestor");
        assert_eq!(refusal(&[]), "no path at all");
    }
}
