//! A generalisation hierarchy over the values of a column.
//!
//! Read from lines `leaf;parent;...;root`, as ARX and Amnesia write them. A line's n-th name is the value's n-th *level*, so a
//! name that is repeated to pad a line counts as a level; shorter lines are padded at their leaf. Full-domain methods walk
//! levels, all others the tree.
//!
//! Numbers and dates need not be listed one by one: where every leaf is an interval `[lo,hi]`, a value lies below the interval that
//! holds it ([`Hierarchy::over`]).

use std::collections::BTreeSet;

use thiserror::Error;

use crate::cover::range;
use crate::table::{ColumnKind, position};
use crate::{NodeId, Taxonomy, TaxonomyError};

/// A tree over the values of a column, with levels.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    tree: Taxonomy,
    /// Levels above the values.
    height: usize,
    /// `paths[rows[leaf] * (height + 1) + level]`.
    paths: Vec<NodeId>,
    /// The row of each leaf in `paths`; unused for other nodes.
    rows: Vec<u32>,
}

impl Hierarchy {
    /// Builds a hierarchy from paths `leaf, parent, ..., root`.
    pub fn from_paths<'a, P>(paths: P) -> Result<Self, TaxonomyError>
    where
        P: IntoIterator,
        P::Item: IntoIterator<Item = &'a str>,
    {
        let paths: Vec<Vec<&str>> = paths.into_iter().map(|path| path.into_iter().collect()).collect();
        let tree = Taxonomy::from_paths(paths.iter().map(|path| path.iter().copied()))?;
        let height = paths.iter().map(Vec::len).max().unwrap_or(1) - 1;
        let mut rows = vec![0; tree.nodes()];
        let mut nodes = Vec::with_capacity(paths.len() * (height + 1));
        for (row, path) in paths.iter().enumerate() {
            let ids: Vec<NodeId> = path.iter().filter_map(|name| tree.find(name)).collect();
            rows[ids[0] as usize] = row as u32;
            nodes.extend(std::iter::repeat_n(ids[0], height + 1 - ids.len()));
            nodes.extend(ids);
        }
        Ok(Hierarchy { tree, height, paths: nodes, rows })
    }

    /// The tree.
    pub fn tree(&self) -> &Taxonomy {
        &self.tree
    }

    /// Levels above the values: level 0 is a value itself, level `height()` the root.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The node that stands for a leaf at a level.
    pub fn at(&self, leaf: NodeId, level: usize) -> NodeId {
        self.paths[self.rows[leaf as usize] as usize * (self.height + 1) + level]
    }

    /// Whether every leaf is an interval: then values are not listed, but lie in one of them.
    pub fn is_of_intervals(&self) -> bool {
        let mut leaves = self.tree.leaves_under(self.tree.root()).into_iter();
        leaves.all(|leaf| range(self.tree.name(leaf)).is_some())
    }

    /// The leaf of every value. A hierarchy of intervals gets the values as leaves below them; a missing value lies below the root.
    pub fn over(
        self,
        values: &[String],
        kind: ColumnKind,
    ) -> Result<(Hierarchy, Vec<NodeId>), HierarchyError> {
        let whole = if self.is_of_intervals() && !values.is_empty() {
            self.below_intervals(values, kind)?
        } else if values.iter().any(String::is_empty) && self.tree.find("").is_none() {
            self.with_leaves(&[(String::new(), Vec::new())])
        } else {
            self
        };
        let leaves = whole.leaves_of(values, kind)?;
        Ok((whole, leaves))
    }

    fn leaves_of(&self, values: &[String], kind: ColumnKind) -> Result<Vec<NodeId>, HierarchyError> {
        let is_leaf = |node: &NodeId| self.tree.is_leaf(*node);
        // `1.50` in the file is the number 1.5 of the data.
        let mut by_position = Vec::new();
        if kind != ColumnKind::Category {
            let leaves = self.tree.leaves_under(self.tree.root());
            by_position.extend(
                leaves.iter().filter_map(|leaf| {
                    position(self.tree.name(*leaf), kind).map(|position| (position, *leaf))
                }),
            );
            by_position.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let by_position = |value: &str| {
            let wanted = position(value, kind)?;
            let at = by_position.binary_search_by(|(position, _)| position.total_cmp(&wanted)).ok()?;
            Some(by_position[at].1)
        };
        let found: Vec<Option<NodeId>> = values
            .iter()
            .map(|value| self.tree.find(value).filter(is_leaf).or_else(|| by_position(value)))
            .collect();
        match found.iter().position(Option::is_none) {
            Some(at) => {
                let others = found.iter().filter(|leaf| leaf.is_none()).count() - 1;
                Err(HierarchyError::MissingValue { value: values[at].clone(), others })
            }
            None => Ok(found.into_iter().flatten().collect()),
        }
    }

    /// The same with every value below its interval.
    fn below_intervals(&self, values: &[String], kind: ColumnKind) -> Result<Hierarchy, HierarchyError> {
        let mut intervals = Vec::new();
        for leaf in self.tree.leaves_under(self.tree.root()) {
            let name = self.tree.name(leaf);
            let ends = range(name)
                .and_then(|(low, high)| Some((position(low.trim(), kind)?, position(high.trim(), kind)?)));
            match ends {
                Some((low, high)) if low <= high => intervals.push((low, high, leaf)),
                _ => return Err(HierarchyError::NoInterval { name: name.to_owned() }),
            }
        }
        intervals.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for pair in intervals.windows(2) {
            if pair[1].0 <= pair[0].1 {
                let [first, second] = [pair[0].2, pair[1].2].map(|leaf| self.tree.name(leaf).to_owned());
                return Err(HierarchyError::Overlap { first, second });
            }
        }
        let mut added = Vec::new();
        let mut outside = BTreeSet::new();
        for value in values {
            if value.is_empty() {
                added.push((String::new(), Vec::new()));
                continue;
            }
            let interval = position(value, kind).and_then(|at| {
                let next = intervals.partition_point(|(low, ..)| *low <= at);
                intervals[..next].last().filter(|(_, high, _)| at <= *high)
            });
            match interval {
                Some((.., leaf)) => {
                    let path = (0..=self.height).map(|level| self.at(*leaf, level)).collect();
                    added.push((value.clone(), path));
                }
                None => {
                    outside.insert(value);
                }
            }
        }
        match outside.first() {
            Some(value) => {
                Err(HierarchyError::MissingValue { value: (*value).clone(), others: outside.len() - 1 })
            }
            None => Ok(self.with_leaves(&added)),
        }
    }

    /// The same tree with new leaves, each below a path of nodes or, with an empty path, below the root. Where all new leaves
    /// go below present ones, these are leaves no more.
    fn with_leaves(&self, added: &[(String, Vec<NodeId>)]) -> Hierarchy {
        let name = |node: &NodeId| self.tree.name(*node);
        let root = self.tree.root();
        let mut paths: Vec<Vec<&str>> = Vec::new();
        let covered: BTreeSet<NodeId> = added.iter().filter_map(|(_, path)| path.first().copied()).collect();
        for (value, path) in added {
            let mut names = vec![value.as_str()];
            names.extend(path.iter().map(name));
            if path.is_empty() {
                names.push(name(&root));
            }
            paths.push(names);
        }
        for leaf in self.tree.leaves_under(root) {
            if !covered.contains(&leaf) {
                paths.push((0..=self.height).map(|level| name(&self.at(leaf, level))).collect());
            }
        }
        Hierarchy::from_paths(paths).expect("leaves that are new below nodes that are there keep it a tree")
    }
}

/// Why a hierarchy does not fit a column.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum HierarchyError {
    #[error("value `{value}`{} not a leaf of the hierarchy", and_others(*others))]
    MissingValue { value: String, others: usize },
    #[error("`{name}` is not an interval `[low,high]` of such values")]
    NoInterval { name: String },
    #[error("the intervals `{first}` and `{second}` overlap")]
    Overlap { first: String, second: String },
}

fn and_others(others: usize) -> String {
    match others {
        0 => " of the data is".to_owned(),
        others => format!(" and {others} others of the data are"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hierarchy(lines: &[&str]) -> Hierarchy {
        Hierarchy::from_paths(lines.iter().map(|line| line.split(';'))).unwrap()
    }

    fn texts(values: &[&str]) -> Vec<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    #[test]
    fn levels_follow_the_positions_in_a_line() {
        let tree = hierarchy(&["a;x;all", "b;b;all", "c;all"]);
        let at = |name: &str| {
            let leaf = tree.tree().find(name).unwrap();
            (0..=tree.height()).map(|level| tree.tree().name(tree.at(leaf, level))).collect::<Vec<_>>()
        };
        assert_eq!(at("a"), ["a", "x", "all"]);
        assert_eq!(at("b"), ["b", "b", "all"]);
        assert_eq!(at("c"), ["c", "c", "all"]);
    }

    #[test]
    fn values_lie_below_the_interval_that_holds_them() {
        let intervals = hierarchy(&["[0,9];young;*", "[10,99];old;*"]);
        let (tree, leaves) = intervals.over(&texts(&["3", "9", "10.5", ""]), ColumnKind::Number).unwrap();
        let parent = |at: usize| tree.tree().name(tree.tree().parent(leaves[at]).unwrap());
        assert_eq!([parent(0), parent(1), parent(2), parent(3)], ["[0,9]", "[0,9]", "[10,99]", "*"]);
        assert_eq!(tree.height(), 3);
        assert_eq!(tree.tree().name(tree.at(leaves[3], 2)), "");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refusal = |lines: &[&str], values: &[&str]| {
            hierarchy(lines).over(&texts(values), ColumnKind::Number).unwrap_err().to_string()
        };
        assert_eq!(refusal(&["[0,9];*", "[9,20];*"], &["3"]), "the intervals `[0,9]` and `[9,20]` overlap");
        assert_eq!(
            refusal(&["[0,9];*"], &["3", "12", "10"]),
            "value `10` and 1 others of the data are not a leaf of the hierarchy"
        );
        assert_eq!(refusal(&["[0,x];*"], &["3"]), "`[0,x]` is not an interval `[low,high]` of such values");
        assert_eq!(refusal(&["1;*", "2;*"], &["3"]), "value `3` of the data is not a leaf of the hierarchy");
    }

    #[test]
    fn numbers_are_found_however_they_are_written() {
        let (tree, leaves) =
            hierarchy(&["1.50;*", "2;*"]).over(&texts(&["1.5"]), ColumnKind::Number).unwrap();
        assert_eq!(tree.tree().name(leaves[0]), "1.50");
    }
}
