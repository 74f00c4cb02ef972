//! What it costs to publish a symbol as one of its ancestors.

use throng_contract::choices;
use throng_data::{NodeId, SymbolCosts, Taxonomy};

choices! {
    /// The cost of generalising a leaf, as a share of generalising it to the root.
    pub enum CostFunction {
        /// Every level costs the same.
        Linear = "linear",
        /// Every level costs twice the one below it.
        Exponential = "exponential",
        /// The share of all leaves below the ancestor.
        InformationLoss = "iloss",
    }
}

/// Costs of a taxonomy's leaves, weighted by symbol.
#[derive(Debug, Clone, Copy)]
pub struct Costs<'a> {
    /// The taxonomy.
    pub taxonomy: &'a Taxonomy,
    /// Unweighted cost.
    pub function: CostFunction,
    /// What the user says of symbols and of pairs of a symbol and a node; the function counts where nothing is said.
    pub given: Option<&'a SymbolCosts>,
}

impl Costs<'_> {
    /// The cost of publishing `leaf` as its ancestor `node`; 0 for the leaf itself. The functions grow towards the root.
    pub fn of(&self, leaf: NodeId, node: NodeId) -> f64 {
        if leaf == node {
            return 0.0;
        }
        let Some(given) = self.given else { return self.share(leaf, node) };
        let name = |node: NodeId| self.taxonomy.name(node);
        let said = match given.replacing.is_empty() {
            true => None,
            false => given.replacing.get(&(name(leaf).to_owned(), name(node).to_owned())).copied(),
        };
        let weight = given.weights.get(name(leaf)).copied().unwrap_or(1.0);
        said.unwrap_or_else(|| self.share(leaf, node)) * weight
    }

    /// What the function says, with the root at 1.
    fn share(&self, leaf: NodeId, node: NodeId) -> f64 {
        let levels = f64::from(self.taxonomy.depth(leaf));
        let raised = f64::from(self.taxonomy.depth(leaf) - self.taxonomy.depth(node));
        match self.function {
            CostFunction::Linear => raised / levels,
            CostFunction::Exponential => (raised.exp2() - 1.0) / (levels.exp2() - 1.0),
            CostFunction::InformationLoss => {
                f64::from(self.taxonomy.leaf_count(node)) / f64::from(self.taxonomy.leaves())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn costs_grow_from_the_leaf_to_the_root() {
        let paths = ["wine;alcohol;drink;all", "milk;dairy;drink;all", "nuts;snack;food;all"];
        let tree = Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap();
        let weights = BTreeMap::from([("wine".to_owned(), 2.0)]);
        let replacing = BTreeMap::from([(("wine".to_owned(), "drink".to_owned()), 0.1)]);
        let given = SymbolCosts { weights, replacing };
        for function in [CostFunction::Linear, CostFunction::Exponential, CostFunction::InformationLoss] {
            let costs = Costs { taxonomy: &tree, function, given: None };
            let mut node = tree.find("wine").unwrap();
            let leaf = node;
            let mut last = costs.of(leaf, leaf);
            assert_eq!(last, 0.0);
            while let Some(parent) = tree.parent(node) {
                assert!(costs.of(leaf, parent) >= last);
                (node, last) = (parent, costs.of(leaf, parent));
            }
            assert_eq!(last, 1.0);
            let weighted = Costs { given: Some(&given), ..costs };
            assert_eq!(weighted.of(leaf, tree.root()), 2.0);
            assert_eq!(weighted.of(leaf, tree.find("drink").unwrap()), 0.2);
        }
    }
}
