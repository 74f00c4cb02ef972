//! Finds the groups that are most alike in a taxonomy, without looking at all of them.
//!
//! Nodes are numbered so that everything below a node has numbers next to each other. Two groups are the more alike, the fewer leaves
//! are below the lowest node that spans both: so the nodes above a group are gone through, the lowest first, until something is below one.

use std::collections::BTreeSet;

use throng_data::{NodeId, Taxonomy};

/// Groups by where they are in a taxonomy.
#[derive(Debug)]
pub struct Kin {
    /// The number of each node, and the highest number below it.
    spans: Vec<(u32, u32)>,
    /// The number of each group's node, and the group.
    groups: BTreeSet<(u32, u32)>,
}

impl Kin {
    /// One group for each node of the list.
    pub fn new(taxonomy: &Taxonomy, nodes: &[NodeId]) -> Self {
        let mut spans = vec![(0, 0); taxonomy.nodes()];
        let mut next = 0;
        // Each node is met twice: before what is below it, and after.
        let mut stack = vec![(taxonomy.root(), false)];
        while let Some((node, done)) = stack.pop() {
            if done {
                spans[node as usize].1 = next - 1;
                continue;
            }
            spans[node as usize].0 = next;
            next += 1;
            stack.push((node, true));
            stack.extend(taxonomy.children(node).iter().map(|child| (*child, false)));
        }
        let groups = (0..).zip(nodes).map(|(group, node)| (spans[*node as usize].0, group)).collect();
        Kin { spans, groups }
    }

    /// Shows groups to `look`, which says whether one was found, the most alike first: all that are equally alike before it ends.
    pub fn near(&self, taxonomy: &Taxonomy, from: NodeId, look: &mut dyn FnMut(u32) -> bool) {
        let (mut at, mut found) = (from, false);
        loop {
            let (first, last) = self.spans[at as usize];
            for (_, group) in self.groups.range((first, 0)..=(last, u32::MAX)) {
                found |= look(*group);
            }
            let Some(above) = taxonomy.parent(at) else { return };
            // A node with one child spans no more than the child does.
            if found && taxonomy.leaf_count(above) > taxonomy.leaf_count(at) {
                return;
            }
            at = above;
        }
    }

    /// A group goes to another node.
    pub fn place(&mut self, group: u32, from: NodeId, to: NodeId) {
        self.forget(group, from);
        self.groups.insert((self.spans[to as usize].0, group));
    }

    /// A group is no more.
    pub fn forget(&mut self, group: u32, from: NodeId) {
        self.groups.remove(&(self.spans[from as usize].0, group));
    }
}
