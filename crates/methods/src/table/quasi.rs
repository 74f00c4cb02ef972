//! A quasi-identifier as the methods see it: values as codes, and what it costs to publish several as one.
//!
//! Codes are chosen so that the smallest cell over any set of values follows from its smallest and largest code: the range
//! between two numbers, or the lowest common ancestor of two leaves. Only sets (categories without a hierarchy) need the
//! whole set.

mod line;
mod tree;

use std::sync::Arc;

use throng_contract::{Input, help};
use throng_data::{ColumnKind, Cover, DeclaredRange, Domain, Hierarchy, NodeId, Role};

pub use self::line::Line;
use self::line::Public;
pub use self::tree::Tree;
use super::params::Bounds;
use super::public::blocks;
use crate::{MethodError, Task, Variant};

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

/// What the cells of a column may be where it has no hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sets {
    /// A value, or nothing.
    AllOrNothing,
    /// Several values.
    Some,
}

/// How quasi-identifiers are read.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// People of a group, at least.
    pub k: u64,
    /// Where ranges and sets may end; the letter of a paper has the smallest cells.
    pub bounds: Bounds,
    /// Whether hierarchies are left aside.
    pub along_order: bool,
    /// What cells may be where there is no hierarchy.
    pub sets: Sets,
}

impl Quasi {
    /// The quasi-identifiers of a table.
    pub fn read(task: &Task<'_>, wanted: Wanted) -> Result<Vec<Quasi>, MethodError> {
        let Wanted { k, bounds, along_order, sets } = wanted;
        let public = bounds == Bounds::Public && task.variant == Variant::Sound;
        let columns = task.data.attributes.iter().flat_map(|table| &table.columns);
        let quasi: Result<Vec<Quasi>, MethodError> = columns
            .enumerate()
            .filter(|(_, column)| column.role == Some(Role::QuasiIdentifying))
            .map(|(number, column)| {
                let hierarchy = task.inputs.hierarchies.get(&column.name).filter(|_| !along_order);
                let domain = Domain::of(column, hierarchy).map_err(|error| MethodError::BadData {
                    what: format!("column `{}`: {error}", column.name),
                    help: help!("see {$ $=FILE}", Input::Hierarchies.flag(), column.name),
                })?;
                let kind = domain.kind;
                let quasi = Quasi::new(domain, number);
                let declared = task.inputs.ranges.get(&column.name);
                Ok(if public { quasi.with_public_bounds(kind, declared, k, sets) } else { quasi })
            })
            .collect();
        let quasi = quasi?;
        if quasi.is_empty() {
            return Err(MethodError::Usage {
                what: "no column is quasi-identifying, so there is nothing to generalise".to_owned(),
                help: "name the columns that an attacker may know with {quasi COLUMN,COLUMN}".into(),
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

    /// The same with bounds that are known without the data (see [`super::public`]).
    #[must_use]
    fn with_public_bounds(
        mut self,
        kind: ColumnKind,
        declared: Option<&DeclaredRange>,
        k: u64,
        sets: Sets,
    ) -> Quasi {
        match &mut self.shape {
            Shape::Line(line) => {
                line.public = Some(Public::of(declared, &self.values, kind));
            }
            Shape::Flat if sets == Sets::Some => {
                let mut people = vec![0_u64; self.values.len()];
                self.codes.iter().for_each(|code| people[*code as usize] += 1);
                let common: Vec<bool> = people
                    .iter()
                    .zip(&self.values)
                    .map(|(people, value)| *people >= k && !value.is_empty())
                    .collect();
                if let Some(hierarchy) = blocks(&self.values, &common) {
                    let leaf = |value: &String| hierarchy.tree().find(&format!("v{value}"));
                    let leaves: Option<Vec<NodeId>> = self.values.iter().map(leaf).collect();
                    if let Some(leaves) = leaves {
                        return self.over_blocks(hierarchy, leaves);
                    }
                }
            }
            Shape::Flat | Shape::Tree(_) => {}
        }
        self
    }

    /// The column over a tree of blocks. Codes follow the leaves from left to right.
    fn over_blocks(self, hierarchy: Hierarchy, leaves: Vec<NodeId>) -> Quasi {
        let Quasi { name, column, codes, values, .. } = self;
        let kind = ColumnKind::Category;
        let domain =
            Domain { name, kind, values, positions: None, codes, hierarchy: Some(hierarchy), leaves };
        let mut quasi = Quasi::new(domain, column);
        if let Shape::Tree(tree) = &mut quasi.shape {
            tree.unnamed = true;
        }
        quasi
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no value, because there are no people.
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
            Shape::Line(Line { public: Some(public), .. }) => public.range(low, high),
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
        if tree.unnamed && node != names.root() {
            let below = names.leaves_under(node).into_iter().filter_map(|leaf| tree.code_of(leaf));
            return self.set(&below.collect::<Vec<u32>>());
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
        members.dedup();
        let name = names.name(node);
        // A node that is called like a value, or like another node, would be read as that one.
        let is_value = || names.leaves_under(names.root()).into_iter().any(|leaf| written(leaf) == name);
        let is_ambiguous = names.find(name) != Some(node) || is_value();
        let is_one = members.len() == 1;
        if is_one && (is_ambiguous || members[0] == name) {
            return Cover::Value(members.swap_remove(0));
        }
        if is_ambiguous {
            return Cover::Set(members);
        }
        Cover::Node { name: name.to_owned(), members: Arc::from(members) }
    }

    /// Refuses numbers and dates without a hierarchy: what they may become must not be cut from the data in secret.
    pub fn needs_hierarchy(&self, method: &str) -> Result<(), MethodError> {
        match self.shape {
            Shape::Line(_) => Err(MethodError::Usage {
                what: format!("`{method}` needs a hierarchy for column `{}`", self.name),
                help: help!(
                    "add {$ $=FILE}; {throng hierarchy} makes one",
                    Input::Hierarchies.flag(),
                    self.name
                ),
            }),
            _ => Ok(()),
        }
    }
}
