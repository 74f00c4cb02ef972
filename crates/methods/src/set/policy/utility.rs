//! What may be generalised together, read off a taxonomy; and whether a policy divides the items.

use throng_contract::Fraction;
use throng_data::{Dataset, Dictionary, ItemId, NodeId, Taxonomy};

use crate::MethodError;

/// One set for each node that is `level` steps below the root; a leaf that is nearer to the root is alone.
pub fn by_level(
    items: &Dictionary,
    taxonomy: &Taxonomy,
    level: u32,
) -> Result<Vec<Vec<ItemId>>, MethodError> {
    divide(items, taxonomy, |node| taxonomy.depth(node) <= level)
}

/// One set for each largest subtree with at most this share of all leaves.
///
/// Joining items one pair at a time while their lowest common ancestor has at most this share ends with just these sets:
/// a method that joins two children of a node joins all of them sooner or later.
pub fn by_similarity(
    items: &Dictionary,
    taxonomy: &Taxonomy,
    share: Fraction,
) -> Result<Vec<Vec<ItemId>>, MethodError> {
    let all = u64::from(taxonomy.leaves());
    let too_large = |node: NodeId| share.is_exceeded_by(u64::from(taxonomy.leaf_count(node)), all);
    divide(items, taxonomy, |node| {
        taxonomy.parent(node).is_some_and(too_large) || taxonomy.parent(node).is_none()
    })
}

/// The `keep` items with most people are alone, ties by name; the others are divided by level.
pub fn by_top_frequency(
    data: &Dataset,
    taxonomy: &Taxonomy,
    keep: usize,
    level: u32,
) -> Result<Vec<Vec<ItemId>>, MethodError> {
    let people = data.events.people_by_item(data.items.len());
    let mut order: Vec<ItemId> = (0..data.items.len() as ItemId).collect();
    order.sort_by_key(|item| (std::cmp::Reverse(people[*item as usize]), data.items.name(*item)));
    let top = &order[..keep.min(order.len())];
    let mut sets: Vec<Vec<ItemId>> = top.iter().map(|item| vec![*item]).collect();
    for set in by_level(&data.items, taxonomy, level)? {
        sets.push(set.into_iter().filter(|item| !top.contains(item)).collect());
    }
    Ok(sets)
}

/// Groups items by the first node on the way from the item up to the root that `stops`; the root always does.
fn divide(
    items: &Dictionary,
    taxonomy: &Taxonomy,
    stops: impl Fn(NodeId) -> bool,
) -> Result<Vec<Vec<ItemId>>, MethodError> {
    let leaves = taxonomy.align(items).map_err(|error| MethodError::BadData {
        what: error.to_string(),
        help: "add a line for it to the taxonomy file".into(),
    })?;
    let mut sets = vec![Vec::new(); taxonomy.nodes()];
    for (item, leaf) in leaves.into_iter().enumerate() {
        let mut node = leaf;
        while let Some(parent) = taxonomy.parent(node).filter(|_| !stops(node)) {
            node = parent;
        }
        sets[node as usize].push(item as ItemId);
    }
    sets.retain(|set| !set.is_empty());
    Ok(sets)
}

/// The set of every item, or the first item that is in two sets or in none. Names that do not occur are left out.
pub fn partition(items: &Dictionary, sets: &[Vec<String>]) -> Result<Vec<u32>, MethodError> {
    let mut set_of: Vec<Option<u32>> = vec![None; items.len()];
    for (number, set) in sets.iter().enumerate() {
        for name in set {
            let Some(item) = items.find(name) else { continue };
            match set_of[item as usize].replace(number as u32) {
                Some(other) if other != number as u32 => {
                    return Err(MethodError::BadData {
                        what: format!(
                            "item `{name}` is in two utility constraints, number {} and number {}",
                            other + 1,
                            number + 1
                        ),
                        help: "list every item in exactly one constraint".into(),
                    });
                }
                _ => {}
            }
        }
    }
    let missing = |item: usize| MethodError::BadData {
        what: format!("item `{}` is in no utility constraint", items.name(item as ItemId)),
        help: "list every item in exactly one constraint; an item alone on its line is never generalised"
            .into(),
    };
    set_of.into_iter().enumerate().map(|(item, set)| set.ok_or_else(|| missing(item))).collect()
}
