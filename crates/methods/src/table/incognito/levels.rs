//! The levels of every quasi-identifier, and the lattice of all full-domain generalisations.

use hashbrown::HashMap;
use throng_data::Cover;

use super::super::quasi::{Quasi, Shape};
use crate::MethodError;

/// The most nodes a lattice may have.
const LARGEST: u64 = 4_000_000;

/// One level of one column: the groups of values that it publishes as one.
#[derive(Debug, Clone)]
pub struct Level {
    /// The group of each code.
    pub group: Vec<u32>,
    /// Number of groups.
    pub groups: u32,
    /// What each group costs, as a multiple of the column's unit.
    pub leaves: Vec<u32>,
    /// Cost of all rows at this level, in units.
    pub total: u64,
}

/// The levels of a column, from its values to its root.
#[derive(Debug, Clone)]
pub struct Column {
    /// From the values up.
    pub levels: Vec<Level>,
    /// What one unit of loss is in NCP: one over the number of leaves.
    pub unit: f64,
}

impl Column {
    /// The levels of a quasi-identifier. A category without a hierarchy is kept or suppressed.
    pub fn new(quasi: &Quasi) -> Result<Column, MethodError> {
        let mut people = vec![0_u64; quasi.len()];
        for code in &quasi.codes {
            people[*code as usize] += 1;
        }
        let codes = 0..quasi.len() as u32;
        let (height, unit) = match &quasi.shape {
            Shape::Tree(tree) => (tree.hierarchy.height(), 1.0 / f64::from(tree.hierarchy.tree().leaves())),
            _ => (1, 1.0),
        };
        let mut levels: Vec<Level> = Vec::with_capacity(height + 1);
        for level in 0..=height {
            let (mut group, mut leaves) = (Vec::new(), Vec::new());
            let hasher = foldhash::fast::FixedState::with_seed(0);
            let mut number_of = HashMap::with_hasher(hasher);
            for code in codes.clone() {
                let (node, cost) = match &quasi.shape {
                    Shape::Tree(tree) => {
                        let node = tree.hierarchy.at(tree.leaves[code as usize], level);
                        let names = tree.hierarchy.tree();
                        (node, if names.is_leaf(node) { 0 } else { names.leaf_count(node) })
                    }
                    _ if level == 0 => (code, 0),
                    _ => (0, 1),
                };
                group.push(*number_of.entry(node).or_insert_with(|| {
                    leaves.push(cost);
                    leaves.len() as u32 - 1
                }));
            }
            if let Some(below) = levels.last() {
                nested(quasi, level, below, &group)?;
            }
            let total = codes
                .clone()
                .map(|code| people[code as usize] * u64::from(leaves[group[code as usize] as usize]));
            let total = total.sum();
            levels.push(Level { groups: leaves.len() as u32, group, leaves, total });
        }
        Ok(Column { levels, unit })
    }

    /// What a value is published as on a level.
    pub fn cell(quasi: &Quasi, level: usize, code: u32) -> Cover {
        match &quasi.shape {
            Shape::Tree(tree) => quasi.node(tree, tree.hierarchy.at(tree.leaves[code as usize], level)),
            _ if level == 0 => Cover::Value(quasi.values[code as usize].clone()),
            _ => Cover::Suppressed,
        }
    }
}

/// A group must stay together on all higher levels, or more general would not mean less said.
fn nested(quasi: &Quasi, level: usize, below: &Level, group: &[u32]) -> Result<(), MethodError> {
    let mut image = vec![None; below.groups as usize];
    for (code, (under, over)) in below.group.iter().zip(group).enumerate() {
        if image[*under as usize].replace(*over).is_some_and(|other| other != *over) {
            return Err(MethodError::BadData {
                what: format!(
                    "in the hierarchy of column `{}`, `{}` and another value have one name on level {} and two names on level {level}",
                    quasi.name,
                    quasi.values[code],
                    level - 1
                ),
                help: "write every line with the same number of names, so that the n-th name of all lines is of one kind"
                    .into(),
            });
        }
    }
    Ok(())
}

/// Which level each column is published at.
pub type Node = usize;

/// All combinations of levels. A node is a number in mixed radix, the first column being the most significant digit.
///
/// A column at its root says nothing: the nodes in which all other columns are at their roots are the lattice of a subset of
/// the columns, so subsets need no lattices of their own.
#[derive(Debug, Clone)]
pub struct Lattice {
    sizes: Vec<usize>,
    strides: Vec<usize>,
    nodes: usize,
}

impl Lattice {
    /// The lattice over these columns.
    pub fn new(columns: &[Column]) -> Result<Lattice, MethodError> {
        let sizes: Vec<usize> = columns.iter().map(|column| column.levels.len()).collect();
        let nodes = sizes.iter().try_fold(1_u64, |nodes, size| nodes.checked_mul(*size as u64));
        let Some(nodes) = nodes.filter(|nodes| *nodes <= LARGEST) else {
            return Err(MethodError::Usage {
                what: format!(
                    "{} quasi-identifiers have more than {LARGEST} combinations of levels",
                    sizes.len()
                ),
                help: "use `mondrian`, `top-down` or `cluster`, or hierarchies with fewer levels".into(),
            });
        };
        let mut strides = vec![1; sizes.len()];
        for at in (1..sizes.len()).rev() {
            strides[at - 1] = strides[at] * sizes[at];
        }
        Ok(Lattice { sizes, strides, nodes: nodes as usize })
    }

    /// Number of nodes; nodes are `0..len()`, the last being the root of all columns.
    pub fn len(&self) -> usize {
        self.nodes
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.sizes.len()
    }

    /// The level of a column in a node.
    pub fn level(&self, node: Node, column: usize) -> usize {
        node / self.strides[column] % self.sizes[column]
    }

    /// The levels of all columns.
    pub fn levels(&self, node: Node) -> Vec<usize> {
        (0..self.columns()).map(|column| self.level(node, column)).collect()
    }

    /// Whether the column is at its root.
    pub fn is_root(&self, node: Node, column: usize) -> bool {
        self.level(node, column) + 1 == self.sizes[column]
    }

    /// Sum of levels.
    pub fn height(&self, node: Node) -> usize {
        (0..self.columns()).map(|column| self.level(node, column)).sum()
    }

    /// Nodes with one column one level higher.
    pub fn above(&self, node: Node) -> impl Iterator<Item = Node> {
        (0..self.columns())
            .filter(move |column| !self.is_root(node, *column))
            .map(move |column| node + self.strides[column])
    }

    /// Nodes with one column one level lower.
    pub fn below(&self, node: Node) -> impl Iterator<Item = Node> {
        (0..self.columns())
            .filter(move |column| self.level(node, *column) > 0)
            .map(move |column| node - self.strides[column])
    }

    /// Nodes in which a column that is at its root is on each of its lower levels instead.
    pub fn lowered(&self, node: Node, column: usize) -> impl Iterator<Item = Node> {
        (1..self.sizes[column]).map(move |levels| node - levels * self.strides[column])
    }

    /// Whether the node says no more than the other in any column.
    pub fn is_at_least(&self, node: Node, other: Node) -> bool {
        (0..self.columns()).all(|column| self.level(node, column) >= self.level(other, column))
    }
}
