//! What it costs to publish a symbol as one of its ancestors.

use std::collections::BTreeMap;

use throng_data::{NodeId, Taxonomy};

/// The cost of generalising a leaf, as a share of generalising it to the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostFunction {
    /// Every level costs the same.
    Linear,
    /// Every level costs twice the one below it.
    Exponential,
    /// The share of all leaves below the ancestor.
    InformationLoss,
}

impl CostFunction {
    /// The words of the parameter `cost`.
    pub const WORDS: &'static [&'static str] = &["linear", "exponential", "iloss"];

    /// The function a word stands for.
    pub fn parse(word: &str) -> Self {
        match word {
            "exponential" => CostFunction::Exponential,
            "iloss" => CostFunction::InformationLoss,
            _ => CostFunction::Linear,
        }
    }
}

/// Costs of a taxonomy's leaves, weighted by symbol.
#[derive(Debug, Clone, Copy)]
pub struct Costs<'a> {
    /// The taxonomy.
    pub taxonomy: &'a Taxonomy,
    /// Unweighted cost.
    pub function: CostFunction,
    /// How much a symbol matters, by name; 1 where nothing is said.
    pub weights: Option<&'a BTreeMap<String, f64>>,
}

impl Costs<'_> {
    /// The cost of publishing `leaf` as its ancestor `node`; 0 for the leaf itself, growing towards the root.
    pub fn of(&self, leaf: NodeId, node: NodeId) -> f64 {
        if leaf == node {
            return 0.0;
        }
        let levels = f64::from(self.taxonomy.depth(leaf));
        let raised = f64::from(self.taxonomy.depth(leaf) - self.taxonomy.depth(node));
        let share = match self.function {
            CostFunction::Linear => raised / levels,
            CostFunction::Exponential => (raised.exp2() - 1.0) / (levels.exp2() - 1.0),
            CostFunction::InformationLoss => {
                f64::from(self.taxonomy.leaf_count(node)) / f64::from(self.taxonomy.leaves())
            }
        };
        share * self.weights.and_then(|weights| weights.get(self.taxonomy.name(leaf))).copied().unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_grow_from_the_leaf_to_the_root() {
        let paths = ["wine;alcohol;drink;all", "milk;dairy;drink;all", "nuts;snack;food;all"];
        let tree = Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap();
        let weights = BTreeMap::from([("wine".to_owned(), 2.0)]);
        for function in [CostFunction::Linear, CostFunction::Exponential, CostFunction::InformationLoss] {
            let costs = Costs { taxonomy: &tree, function, weights: None };
            let mut node = tree.find("wine").unwrap();
            let leaf = node;
            let mut last = costs.of(leaf, leaf);
            assert_eq!(last, 0.0);
            while let Some(parent) = tree.parent(node) {
                assert!(costs.of(leaf, parent) >= last);
                (node, last) = (parent, costs.of(leaf, parent));
            }
            assert_eq!(last, 1.0);
            assert_eq!(Costs { weights: Some(&weights), ..costs }.of(leaf, tree.root()), 2.0);
        }
    }
}
