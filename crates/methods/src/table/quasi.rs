//! A quasi-identifier as the methods see it: values as codes, and what it costs to publish several as one.
//!
//! Codes are chosen so that the smallest cell over any set of values follows from its smallest and largest code: the range
//! between two numbers, or the lowest common ancestor of two leaves. Only sets (categories without a hierarchy) need the
//! whole set.

use std::sync::Arc;

use throng_contract::Input;
use throng_data::{Cover, Domain, Hierarchy, NodeId, Role};

use crate::{MethodError, Task};

/// A quasi-identifying column.
#[derive(Debug, Clone)]
pub struct Quasi {
    /// Its name.
    pub name: String,
    /// Where it stands among the columns of the table.
    pub column: usize,
    /// The code of each person's value.
    pub codes: Vec<u32>,
    /// The distinct values, as written, by code.
    pub values: Vec<String>,
    /// What cells may be.
    pub shape: Shape,
}

/// What the cells of a column may be.
#[derive(Debug, Clone)]
pub enum Shape {
    /// Ranges of numbers or dates.
    Line(Line),
    /// Nodes of a hierarchy.
    Tree(Box<Tree>),
    /// Sets of categories.
    Flat,
}

/// Numbers or dates, ascending by code.
#[derive(Debug, Clone)]
pub struct Line {
    /// Where each value lies; a missing value, which is the last, is `NaN`.
    pub positions: Vec<f64>,
    width: f64,
}

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
}

impl Quasi {
    /// The quasi-identifiers of a table. With `along_order`, hierarchies are left aside.
    pub fn read(task: &Task<'_>, along_order: bool) -> Result<Vec<Quasi>, MethodError> {
        let columns = task.data.attributes.iter().flat_map(|table| &table.columns);
        let quasi: Result<Vec<Quasi>, MethodError> = columns
            .enumerate()
            .filter(|(_, column)| column.role == Some(Role::QuasiIdentifying))
            .map(|(number, column)| {
                let hierarchy = task.inputs.hierarchies.get(&column.name).filter(|_| !along_order);
                let domain = Domain::of(column, hierarchy).map_err(|error| MethodError::BadData {
                    what: format!("column `{}`: {error}", column.name),
                    help: format!("see `--{} {}=FILE`", Input::Hierarchies.flag(), column.name),
                })?;
                Ok(Quasi::new(domain, number))
            })
            .collect();
        let quasi = quasi?;
        if quasi.is_empty() {
            return Err(MethodError::Usage {
                what: "no column is quasi-identifying, so there is nothing to generalise".to_owned(),
                help: "name the columns that an attacker may know with `--quasi COLUMN,COLUMN`".to_owned(),
            });
        }
        Ok(quasi)
    }

    /// The column of a domain.
    pub fn new(domain: Domain, column: usize) -> Quasi {
        let Domain { name, values, positions, mut codes, hierarchy, leaves, .. } = domain;
        match (hierarchy, positions) {
            (Some(hierarchy), _) => {
                let mut rank = vec![0_u32; hierarchy.tree().nodes()];
                for (place, leaf) in (0..).zip(hierarchy.tree().leaves_under(hierarchy.tree().root())) {
                    rank[leaf as usize] = place;
                }
                let mut order: Vec<u32> = (0..values.len() as u32).collect();
                order.sort_by_key(|code| rank[leaves[*code as usize] as usize]);
                let mut code_of = vec![0; order.len()];
                for (new, old) in (0..).zip(&order) {
                    code_of[*old as usize] = new;
                }
                codes.iter_mut().for_each(|code| *code = code_of[*code as usize]);
                let values = order.iter().map(|old| values[*old as usize].clone()).collect();
                let leaves = order.iter().map(|old| leaves[*old as usize]).collect();
                Quasi {
                    name,
                    column,
                    codes,
                    values,
                    shape: Shape::Tree(Box::new(Tree::new(hierarchy, leaves))),
                }
            }
            (None, Some(positions)) => {
                Quasi { name, column, codes, values, shape: Shape::Line(Line::new(positions)) }
            }
            (None, None) => Quasi { name, column, codes, values, shape: Shape::Flat },
        }
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nobody has a value, because there is nobody.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// NCP of the smallest cell that covers these two values and what lies between them; for sets, of just the two.
    pub fn loss(&self, low: u32, high: u32) -> f64 {
        if low == high {
            return 0.0;
        }
        match &self.shape {
            Shape::Line(line) => line.loss(low, high),
            Shape::Tree(tree) => tree.losses[tree.node(low, high) as usize],
            Shape::Flat => self.loss_of_set(2),
        }
    }

    /// NCP of a set of so many values.
    pub fn loss_of_set(&self, size: usize) -> f64 {
        if size > 1 { size as f64 / self.len() as f64 } else { 0.0 }
    }

    /// How wide the values of a group spread, from 0 to 1: what decides where to split.
    pub fn spread(&self, low: u32, high: u32) -> f64 {
        match &self.shape {
            Shape::Flat => f64::from(high - low) / (self.len().max(2) - 1) as f64,
            _ => self.loss(low, high),
        }
    }

    /// The smallest cell over all values from `low` to `high`; sets need [`Quasi::set`].
    pub fn cover(&self, low: u32, high: u32) -> Cover {
        let value = |code: u32| self.values[code as usize].clone();
        if low == high {
            return Cover::Value(value(low));
        }
        match &self.shape {
            Shape::Line(line) if line.is_missing(high) => Cover::Suppressed,
            Shape::Line(_) => Cover::Range { low: value(low), high: value(high) },
            Shape::Tree(tree) => self.node(tree, tree.node(low, high)),
            Shape::Flat => self.set(&(low..=high).collect::<Vec<u32>>()),
        }
    }

    /// The cell that stands for one of these values, which are in ascending order.
    pub fn set(&self, codes: &[u32]) -> Cover {
        let mut names: Vec<String> = codes.iter().map(|code| self.values[*code as usize].clone()).collect();
        names.sort_unstable();
        match names.pop() {
            Some(only) if names.is_empty() => Cover::Value(only),
            last => {
                names.extend(last);
                Cover::Set(names)
            }
        }
    }

    /// The cell that says no more than a node. A root by the name of `*` says nothing.
    pub fn node(&self, tree: &Tree, node: NodeId) -> Cover {
        let names = tree.hierarchy.tree();
        if let Some(code) = tree.code_of(node) {
            return Cover::Value(self.values[code as usize].clone());
        }
        if node == names.root() && names.name(node) == "*" {
            return Cover::Suppressed;
        }
        let written = |leaf: NodeId| match tree.code_of(leaf) {
            Some(code) => self.values[code as usize].clone(),
            None => names.name(leaf).to_owned(),
        };
        let mut members: Vec<String> = names.leaves_under(node).into_iter().map(written).collect();
        members.sort_unstable();
        Cover::Node { name: names.name(node).to_owned(), members: Arc::from(members) }
    }

    /// Refuses numbers and dates without a hierarchy: what they may become must not be cut from the data in secret.
    pub fn needs_hierarchy(&self, method: &str) -> Result<(), MethodError> {
        match self.shape {
            Shape::Line(_) => Err(MethodError::Usage {
                what: format!("`{method}` needs a hierarchy for column `{}`", self.name),
                help: format!(
                    "add `--{} {}=FILE`; `throng hierarchy` makes one",
                    Input::Hierarchies.flag(),
                    self.name
                ),
            }),
            _ => Ok(()),
        }
    }
}

impl Line {
    fn new(positions: Vec<f64>) -> Line {
        let mut known = positions.iter().copied().filter(|at| !at.is_nan());
        let low = known.next().unwrap_or(0.0);
        let width = known.next_back().unwrap_or(low) - low;
        Line { positions, width }
    }

    /// Whether the code stands for a missing value.
    pub fn is_missing(&self, code: u32) -> bool {
        self.positions[code as usize].is_nan()
    }

    fn loss(&self, low: u32, high: u32) -> f64 {
        let wide = self.positions[high as usize] - self.positions[low as usize];
        // A cell that covers numbers and a missing value says nothing.
        if wide.is_nan() { 1.0 } else { wide / self.width }
    }
}

impl Tree {
    fn new(hierarchy: Hierarchy, leaves: Vec<NodeId>) -> Tree {
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
        Tree { hierarchy, leaves, ancestors, depths, codes, ordinals, losses }
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
    fn code_of(&self, node: NodeId) -> Option<u32> {
        self.codes[node as usize]
    }
}
