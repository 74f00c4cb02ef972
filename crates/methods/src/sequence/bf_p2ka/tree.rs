//! The prefix tree, grown only where enough people go.
//!
//! A node stands for the sequence of items on its way from the root. The paper builds the whole tree and prunes it;
//! growing stops where pruning would cut, which gives the same tree without its many rare branches.

use throng_contract::{Cancelled, Phase};
use throng_data::{Events, ItemId};

/// The root: the empty sequence.
pub(super) const ROOT: u32 = 0;

/// Nodes in depth-first order, children by item: the nodes below `n` are `n + 1..end`.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The last item of the sequence; meaningless for the root.
    pub item: ItemId,
    pub parent: u32,
    /// Length of the sequence.
    pub depth: u32,
    /// One past the last node below.
    pub end: u32,
    /// The first record of the input that begins with the sequence.
    pub first: u32,
}

/// What is known of an item while the branches of a node are counted.
#[derive(Clone, Copy, Default)]
struct Branch {
    records: u32,
    people: u32,
    /// One more than the person counted last.
    last: u32,
    next: usize,
}

/// A node whose branches are still to be looked at.
struct Pending {
    node: Node,
    /// Its records, as a range of the working order.
    start: usize,
    end: usize,
}

impl Tree {
    /// All sequences that the records of at least `k` people begin with, and for each record the longest of them
    /// that it begins with itself.
    pub fn grow(
        events: &Events,
        k: u64,
        alphabet: usize,
        phase: &Phase<'_>,
    ) -> Result<(Tree, Vec<u32>), Cancelled> {
        let owner = owners(events);
        let mut order: Vec<u32> = (0..events.records() as u32).collect();
        let mut home = vec![ROOT; order.len()];
        let mut branches = vec![Branch::default(); alphabet];
        let mut scratch: Vec<u32> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        let root = Node { item: 0, parent: ROOT, depth: 0, end: 0, first: 0 };
        let mut pending = vec![Pending { node: root, start: 0, end: order.len() }];
        while let Some(Pending { node, start, end }) = pending.pop() {
            let at = nodes.len() as u32;
            nodes.push(node);
            phase.advance((end - start) as u64)?;
            let mut items: Vec<ItemId> = Vec::new();
            for record in &order[start..end] {
                home[*record as usize] = at;
                let Some(item) = events.record(*record as usize).get(node.depth as usize) else { continue };
                let branch = &mut branches[*item as usize];
                if branch.records == 0 {
                    items.push(*item);
                }
                branch.records += 1;
                // Records of one person follow each other.
                if branch.last != owner[*record as usize] + 1 {
                    branch.last = owner[*record as usize] + 1;
                    branch.people += 1;
                }
            }
            items.sort_unstable();

            // Lay the records of each kept branch next to each other, in input order.
            let mut next = start;
            let first_pending = pending.len();
            for item in &items {
                let branch = &mut branches[*item as usize];
                if u64::from(branch.people) < k {
                    *branch = Branch::default();
                    continue;
                }
                branch.next = next;
                let child = Node { item: *item, parent: at, depth: node.depth + 1, end: 0, first: 0 };
                pending.push(Pending { node: child, start: next, end: next + branch.records as usize });
                next += branch.records as usize;
            }
            scratch.clear();
            scratch.extend_from_slice(&order[start..end]);
            for record in &scratch {
                let Some(item) = events.record(*record as usize).get(node.depth as usize) else { continue };
                let branch = &mut branches[*item as usize];
                if branch.records > 0 {
                    order[branch.next] = *record;
                    branch.next += 1;
                }
            }
            for child in &mut pending[first_pending..] {
                child.node.first = order[child.start];
                branches[child.node.item as usize] = Branch::default();
            }
            // The last pushed is the first visited.
            pending[first_pending..].reverse();
        }
        let mut tree = Tree { nodes };
        tree.close();
        Ok((tree, home))
    }

    /// Sets where each node's descendants end.
    fn close(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[at];
            node.end = node.end.max(at as u32 + 1);
            let Node { end, parent, .. } = *node;
            let parent = &mut self.nodes[parent as usize];
            parent.end = parent.end.max(end);
        }
    }

    /// Number of nodes, the root among them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    /// All nodes but the root, each before the nodes below it.
    pub fn below_root(&self) -> impl DoubleEndedIterator<Item = (u32, &Node)> + Clone {
        self.nodes.iter().enumerate().skip(1).map(|(at, node)| (at as u32, node))
    }

    pub fn is_leaf(&self, at: u32) -> bool {
        self.node(at).end == at + 1
    }

    /// The items on the way from the root, appended to `path`.
    pub fn push_path(&self, at: u32, path: &mut Vec<ItemId>) {
        let start = path.len();
        let mut node = self.node(at);
        while node.depth > 0 {
            path.push(node.item);
            node = self.node(node.parent);
        }
        path[start..].reverse();
    }

    /// How many people have a record at or below each node. `place` is the node of each record, if it has one.
    pub fn supports(&self, events: &Events, place: &[Option<u32>]) -> Vec<u64> {
        let mut supports = vec![0; self.len()];
        let mut last = vec![u32::MAX; self.len()];
        for subject in 0..events.subjects() {
            for record in events.records_of(subject) {
                let Some(mut at) = place[record] else { continue };
                // Above a node that counts this person already, every node does.
                while at != ROOT && last[at as usize] != subject as u32 {
                    last[at as usize] = subject as u32;
                    supports[at as usize] += 1;
                    at = self.node(at).parent;
                }
            }
        }
        supports
    }

    /// The tree without the nodes that `keep` refuses, which must refuse all nodes below them too; and for each old
    /// node the new one of its nearest kept ancestor, itself included.
    pub fn prune(&self, keep: impl Fn(u32) -> bool) -> (Tree, Vec<u32>) {
        let mut nodes = vec![Node { end: 0, ..self.nodes[ROOT as usize] }];
        let mut kept_as = vec![ROOT; self.len()];
        for (at, node) in self.below_root() {
            let parent = kept_as[node.parent as usize];
            if keep(at) {
                kept_as[at as usize] = nodes.len() as u32;
                nodes.push(Node { parent, end: 0, ..*node });
            } else {
                kept_as[at as usize] = parent;
            }
        }
        let mut tree = Tree { nodes };
        tree.close();
        (tree, kept_as)
    }
}

/// The person of each record.
fn owners(events: &Events) -> Vec<u32> {
    let mut owners = vec![0; events.records()];
    for subject in 0..events.subjects() {
        owners[events.records_of(subject)].fill(subject as u32);
    }
    owners
}
