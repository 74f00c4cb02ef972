//! The hierarchy that the methods over cuts climb: a taxonomy without what the data does not need.
//!
//! Only items that occur and may be generalised are leaves, and a node with a single child is that child: climbing it would
//! change nothing but the name. Nodes are numbered in the order in which sets are looked at: those with more leaves first,
//! then by name. So a node comes before everything below it, and the root is 0.

use std::collections::BTreeMap;
use std::ops::Range;

use throng_data::{Dictionary, ItemId, NodeId, Taxonomy, TaxonomyError};

use super::baskets::NONE;

/// The root of every tree.
pub const ROOT: u32 = 0;

/// A hierarchy over the items that may be generalised.
#[derive(Debug)]
pub struct Tree {
    parents: Vec<u32>,
    children: Vec<Vec<u32>>,
    spans: Vec<Range<u32>>,
    /// The paper's number of leaves below a node, those that no person has included; 0 for a leaf, which loses nothing.
    sizes: Vec<u64>,
    labels: Vec<Option<String>>,
    /// The node of the taxonomy that each node is.
    sources: Vec<NodeId>,
    /// Items from left to right.
    items: Vec<ItemId>,
    leaf_of: Vec<u32>,
    domain: u64,
}

impl Tree {
    /// The part of a taxonomy over the items that are not `fixed`.
    pub fn new(taxonomy: &Taxonomy, items: &Dictionary, fixed: &[bool]) -> Result<Self, TaxonomyError> {
        let leaves = taxonomy.align(items)?;
        let mut item_at: Vec<Option<ItemId>> = vec![None; taxonomy.nodes()];
        let mut below = vec![0_u32; taxonomy.nodes()];
        let mut hides_fixed = vec![false; taxonomy.nodes()];
        for (item, leaf) in leaves.iter().enumerate() {
            item_at[*leaf as usize] = (!fixed[item]).then_some(item as ItemId);
            let mut node = Some(*leaf);
            while let Some(at) = node {
                below[at as usize] += u32::from(!fixed[item]);
                hides_fixed[at as usize] |= fixed[item];
                node = taxonomy.parent(at);
            }
        }
        let mut raw: Vec<Raw> = Vec::new();
        let mut order: Vec<ItemId> = Vec::new();
        let mut stack = vec![(taxonomy.root(), NONE)];
        while let Some((mut node, parent)) = stack.pop() {
            if below[node as usize] == 0 {
                continue;
            }
            let held =
                |node: NodeId| taxonomy.children(node).iter().filter(|child| below[**child as usize] > 0);
            while let (Some(only), 1) = (held(node).next(), held(node).count()) {
                node = *only;
            }
            let start = order.len() as u32;
            let own = raw.len() as u32;
            if let Some(item) = item_at[node as usize] {
                order.push(item);
            }
            stack.extend(held(node).rev().map(|child| (*child, own)));
            raw.push(Raw { node, parent, span: start..start + below[node as usize] });
        }
        let mut ranks: Vec<u32> = (0..raw.len() as u32).collect();
        ranks.sort_by_key(|own| {
            let Raw { node, span, .. } = &raw[*own as usize];
            (std::cmp::Reverse(span.len()), taxonomy.name(*node))
        });
        let mut number = vec![NONE; raw.len()];
        ranks.iter().enumerate().for_each(|(rank, own)| number[*own as usize] = rank as u32);
        let mut tree = Tree {
            parents: vec![NONE; raw.len()],
            children: vec![Vec::new(); raw.len()],
            spans: vec![0..0; raw.len()],
            sizes: vec![0; raw.len()],
            labels: vec![None; raw.len()],
            sources: vec![0; raw.len()],
            leaf_of: vec![NONE; items.len()],
            items: order,
            domain: u64::from(taxonomy.leaves()).max(1),
        };
        for (own, Raw { node, parent, span }) in raw.into_iter().enumerate() {
            let at = number[own] as usize;
            if parent != NONE {
                tree.parents[at] = number[parent as usize];
                tree.children[number[parent as usize] as usize].push(at as u32);
            }
            if span.len() == 1 {
                tree.leaf_of[tree.items[span.start as usize] as usize] = at as u32;
            } else {
                tree.sizes[at] = u64::from(taxonomy.leaf_count(node));
                // A name that covers a sensitive item in the taxonomy would say that it may be meant; it never is.
                tree.labels[at] = (!hides_fixed[node as usize]).then(|| taxonomy.name(node).to_owned());
            }
            tree.spans[at] = span;
            tree.sources[at] = node;
        }
        Ok(tree)
    }

    /// The hierarchy over no items.
    pub fn empty() -> Result<Self, TaxonomyError> {
        Ok(Tree {
            parents: Vec::new(),
            children: Vec::new(),
            spans: Vec::new(),
            sizes: Vec::new(),
            labels: Vec::new(),
            sources: Vec::new(),
            items: Vec::new(),
            leaf_of: Vec::new(),
            domain: 1,
        })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// The parent, `None` for the root.
    pub fn parent(&self, node: u32) -> Option<u32> {
        let parent = self.parents[node as usize];
        (parent != NONE).then_some(parent)
    }

    /// The children; none for a leaf.
    pub fn children(&self, node: u32) -> &[u32] {
        &self.children[node as usize]
    }

    /// Whether the node is an item.
    pub fn is_leaf(&self, node: u32) -> bool {
        self.children[node as usize].is_empty()
    }

    /// The items at or below a node, from left to right.
    pub fn members(&self, node: u32) -> &[ItemId] {
        let span = &self.spans[node as usize];
        &self.items[span.start as usize..span.end as usize]
    }

    /// Where the items of a node lie among all items from left to right.
    pub fn span(&self, node: u32) -> &Range<u32> {
        &self.spans[node as usize]
    }

    /// The leaf of every item; [`NONE`] for items that may not be generalised.
    pub fn leaf_of(&self) -> &[u32] {
        &self.leaf_of
    }

    /// What publishing the node instead of an item loses, in parts of [`Tree::domain`].
    pub fn loss(&self, node: u32) -> u64 {
        self.sizes[node as usize]
    }

    /// Leaves of the whole taxonomy, the papers' |H|.
    pub fn domain(&self) -> u64 {
        self.domain
    }

    /// The name of an inner node that may be published.
    pub fn label(&self, node: u32) -> Option<&str> {
        self.labels[node as usize].as_deref()
    }

    /// The node of the taxonomy that a node is.
    pub fn source(&self, node: u32) -> NodeId {
        self.sources[node as usize]
    }

    /// Whether one node is the other or below it.
    pub fn overlap(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.spans[a as usize], &self.spans[b as usize]);
        a.start < b.end && b.start < a.end
    }

    /// Whether `node` is `above` or below it.
    pub fn within(&self, node: u32, above: u32) -> bool {
        let (inner, outer) = (&self.spans[node as usize], &self.spans[above as usize]);
        outer.start <= inner.start && inner.end <= outer.end
    }

    /// Appends the node and everything above it below the root.
    pub fn climb(&self, node: u32, out: &mut Vec<u32>) {
        out.push(node);
        let mut at = self.parents[node as usize];
        while at != NONE && at != ROOT {
            out.push(at);
            at = self.parents[at as usize];
        }
    }
}

struct Raw {
    node: NodeId,
    parent: u32,
    span: Range<u32>,
}

/// A hierarchy for items that have none: in order of their names, `fan_out` neighbours at a time. Nodes are named after
/// their first and last item. It needs the names alone, so it gives nothing away.
pub fn by_name(items: &Dictionary, fixed: &[bool], fan_out: usize) -> Result<Taxonomy, TaxonomyError> {
    let mut names: Vec<&str> =
        items.names().zip(fixed).filter(|(_, fixed)| !**fixed).map(|(name, _)| name).collect();
    let numbers: BTreeMap<&str, u64> =
        names.iter().filter_map(|name| Some((*name, name.parse::<u64>().ok()?))).collect();
    names.sort_by_key(|name| (numbers.get(name).copied().unwrap_or(u64::MAX), *name));
    // More dots than any name has in a row, so that no item is called like a node.
    let mut between = "..".to_owned();
    while names.iter().any(|name| name.contains(&between)) {
        between.push('.');
    }
    let width = fan_out.max(2);
    let path = |place: usize| {
        let mut path = vec![names[place].to_owned()];
        let mut run = 1_usize;
        while run < names.len() {
            run = run.saturating_mul(width);
            let first = place / run * run;
            let last = (first + run).min(names.len()) - 1;
            path.push(match first == last {
                true => names[first].to_owned(),
                false => format!("{}{between}{}", names[first], names[last]),
            });
        }
        path
    };
    let fixed_names = items.names().zip(fixed).filter(|(_, fixed)| **fixed).map(|(name, _)| name);
    let paths: Vec<Vec<String>> = (0..names.len()).map(path).collect();
    // Items that are not generalised hang from the root, and change nothing.
    let root = paths.first().and_then(|path| path.last()).cloned().unwrap_or_else(|| between.clone());
    let root = if names.len() == 1 { between.clone() } else { root };
    let single = paths.iter().map(|path| {
        let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
        if names.len() == 1 {
            path.push(&root);
        }
        path
    });
    Taxonomy::from_paths(single.chain(fixed_names.map(|name| vec![name, root.as_str()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> Taxonomy {
        let paths = [
            "ale;drinks;all",
            "gin;drinks;all",
            "oats;grain;food;all",
            "rice;grain;food;all",
            "nuts;food;all",
        ];
        Taxonomy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap()
    }

    #[test]
    fn what_occurs_is_kept_and_single_children_stand_for_their_parents() {
        let items: Dictionary = ["rice", "ale", "oats"].into_iter().collect();
        let tree = Tree::new(&shop(), &items, &[false; 3]).unwrap();
        let names: Vec<Option<&str>> = (0..tree.nodes() as u32).map(|node| tree.label(node)).collect();
        assert_eq!(names, [Some("all"), Some("grain"), None, None, None]);
        assert_eq!((tree.members(1), tree.loss(1), tree.domain()), (&[2, 0][..], 2, 5));
        assert_eq!((tree.leaf_of(), tree.parent(2), tree.parent(3)), (&[4, 2, 3][..], Some(0), Some(1)));
        assert!(tree.within(4, 1) && !tree.within(1, 4) && tree.overlap(1, 3) && !tree.overlap(1, 2));
        assert!(Tree::new(&shop(), &["tea"].into_iter().collect(), &[false]).is_err());
    }

    #[test]
    fn sensitive_items_are_outside_and_names_that_hide_them_are_not_used() {
        let items: Dictionary = ["rice", "ale", "oats", "gin", "nuts"].into_iter().collect();
        let tree = Tree::new(&shop(), &items, &[false, false, false, true, false]).unwrap();
        assert_eq!(tree.leaf_of()[3], NONE);
        let labels: Vec<&str> = (0..tree.nodes() as u32).filter_map(|node| tree.label(node)).collect();
        assert_eq!(labels, ["food", "grain"], "`all` covers gin in the taxonomy");
    }

    #[test]
    fn a_hierarchy_by_name_groups_neighbours() {
        let items: Dictionary = ["10", "9", "x", "..", "1"].into_iter().collect();
        let taxonomy = by_name(&items, &[false, false, false, false, true], 2).unwrap();
        let root = taxonomy.root();
        assert_eq!(taxonomy.name(root), "9...x");
        assert!(taxonomy.find("9...10").is_some() && taxonomy.find("....x").is_none());
        let tree = Tree::new(&taxonomy, &items, &[false, false, false, false, true]).unwrap();
        assert_eq!(tree.members(ROOT).len(), 4);
        for names in [vec!["a"], vec!["a", "b"], vec!["s"]] {
            let items: Dictionary = names.iter().copied().collect();
            let fixed: Vec<bool> = names.iter().map(|name| *name == "s").collect();
            assert!(Tree::new(&by_name(&items, &fixed, 5).unwrap(), &items, &fixed).is_ok(), "{names:?}");
        }
    }
}
