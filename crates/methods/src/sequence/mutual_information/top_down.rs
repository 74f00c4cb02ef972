//! Starts with every symbol at the root and refines while that tells no more than allowed.

use throng_data::{NodeId, Taxonomy};

use super::{Goal, Step};

/// The image of every item, and the refinements made. The goal must be met with everything at the root.
///
/// Where it is enough to hide the symbols of the sensitive patterns, all others stay as they are.
///
/// # Departs from the paper
/// Symbols that have reached their leaf leave the work list, which the printed loop does not say. Symbols below the same
/// node ask for the same refinement, which is judged once.
pub(super) fn refine(goal: &Goal<'_>, leaves: &[NodeId]) -> (Vec<NodeId>, Vec<Step>) {
    let taxonomy = goal.costs.taxonomy;
    let mut image = start(goal, leaves);
    let mut open: Vec<bool> = goal.person.frequency.iter().map(|count| *count > 0).collect();
    let mut steps = Vec::new();
    loop {
        // Refinements that are possible now, most frequent symbol first, each once.
        let mut symbols: Vec<usize> = (0..leaves.len()).filter(|item| open[*item]).collect();
        symbols.sort_by_key(|item| (std::cmp::Reverse(goal.person.frequency[*item]), *item));
        let mut refinements: Vec<NodeId> = Vec::new();
        for item in symbols {
            match next_below(taxonomy, image[item], leaves[item]) {
                Some(node) if !refinements.contains(&node) => refinements.push(node),
                Some(_) => {}
                None => open[item] = false,
            }
        }
        let mut best: Option<(f64, Vec<NodeId>, NodeId)> = None;
        for node in refinements {
            let parent = taxonomy.parent(node).unwrap_or(node);
            let below = |item: usize| image[item] == parent && taxonomy.lca(leaves[item], node) == node;
            let refined: Vec<NodeId> =
                (0..leaves.len()).map(|item| if below(item) { node } else { image[item] }).collect();
            let loss = goal.loss(leaves, &refined);
            if best.as_ref().is_some_and(|(least, ..)| loss >= *least) {
                continue;
            }
            if goal.is_met(&refined) {
                best = Some((loss, refined, node));
            } else {
                // Whatever refines this further tells at least as much.
                for item in (0..leaves.len()).filter(|item| below(*item)) {
                    open[item] = false;
                }
            }
        }
        let Some((loss, refined, node)) = best else { return (image, steps) };
        steps.push(Step { action: "refine", node, loss });
        image = refined;
    }
}

/// The symbols of the sensitive patterns at the root, or all symbols where that is not enough.
fn start(goal: &Goal<'_>, leaves: &[NodeId]) -> Vec<NodeId> {
    let root = goal.costs.taxonomy.root();
    let mut image = leaves.to_vec();
    for (pattern, _) in &goal.person.patterns {
        for item in *pattern {
            image[*item as usize] = root;
        }
    }
    if goal.is_met(&image) { image } else { vec![root; leaves.len()] }
}

/// The child of `from` on the way down to `leaf`.
fn next_below(taxonomy: &Taxonomy, from: NodeId, leaf: NodeId) -> Option<NodeId> {
    if from == leaf {
        return None;
    }
    let mut node = leaf;
    while let Some(parent) = taxonomy.parent(node) {
        if parent == from {
            return Some(node);
        }
        node = parent;
    }
    None
}
