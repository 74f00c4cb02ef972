//! The graph as the search walks it.
//!
//! Nodes are numbered anew by label, so that the candidates for a labelled node of a pattern are one range of numbers, and a set of
//! them is a bitmap over that range. A node with several labels has one number, here called a *facet*, for each; facets of one node
//! are never used together. Neighbours of a facet lie sorted by edge label and number: those with a given label on edge and node are
//! one slice. A graph costs 16 bytes an edge here, and more only where nodes have several labels.

use std::ops::Range;

use throng_data::Graph;

/// A neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Neighbour {
    /// The edge's kind: twice its label, and one more where it is walked against its direction.
    pub kind: u32,
    pub facet: u32,
}

/// Facets by label, with sorted neighbours.
#[derive(Debug)]
pub(super) struct Index {
    /// The facets of label `l` are `starts[l]..starts[l + 1]`.
    starts: Vec<u32>,
    /// The node of each facet.
    node_of: Vec<u32>,
    offsets: Vec<u64>,
    neighbours: Vec<Neighbour>,
    /// Whether every node has one label.
    pub one_label_each: bool,
    /// Whether two nodes may be joined by more than one edge.
    pub parallel: bool,
}

/// The kind of an edge with this label.
pub(super) fn kind_of(label: u32, reversed: bool) -> u32 {
    label * 2 + u32::from(reversed)
}

/// The kind of the same edge, seen from its other end.
pub(super) fn turned(kind: u32, directed: bool) -> u32 {
    if directed { kind ^ 1 } else { kind }
}

impl Index {
    pub fn of(graph: &Graph) -> Index {
        let nodes = graph.nodes.len() as u32;
        let mut starts = vec![0_u32; graph.node_labels.len() + 1];
        for node in 0..nodes {
            for label in graph.labels_of(node) {
                starts[*label as usize + 1] += 1;
            }
        }
        for label in 0..graph.node_labels.len() {
            starts[label + 1] += starts[label];
        }
        let mut next = starts.clone();
        let mut node_of = vec![0_u32; starts.last().copied().unwrap_or_default() as usize];
        // The facets of each node, in the order of its labels.
        let mut facets_of: Vec<u32> = Vec::with_capacity(node_of.len());
        let mut first = vec![0_u32];
        for node in 0..nodes {
            for label in graph.labels_of(node) {
                let facet = &mut next[*label as usize];
                node_of[*facet as usize] = node;
                facets_of.push(*facet);
                *facet += 1;
            }
            first.push(facets_of.len() as u32);
        }
        let facets = |node: u32| &facets_of[first[node as usize] as usize..first[node as usize + 1] as usize];

        let mut offsets = vec![0_u64; node_of.len() + 1];
        for edge in graph.edges() {
            for (a, b) in [(edge.from, edge.to), (edge.to, edge.from)] {
                for facet in facets(a) {
                    offsets[*facet as usize + 1] += facets(b).len() as u64;
                }
            }
        }
        for facet in 0..node_of.len() {
            offsets[facet + 1] += offsets[facet];
        }
        let mut next = offsets.clone();
        let total = offsets.last().copied().unwrap_or_default() as usize;
        let mut neighbours = vec![Neighbour { kind: 0, facet: 0 }; total];
        for edge in graph.edges() {
            let back = graph.directed;
            for (a, b, reversed) in [(edge.from, edge.to, false), (edge.to, edge.from, back)] {
                let kind = kind_of(edge.label, reversed);
                for facet in facets(a) {
                    for other in facets(b) {
                        let at = &mut next[*facet as usize];
                        neighbours[*at as usize] = Neighbour { kind, facet: *other };
                        *at += 1;
                    }
                }
            }
        }
        let mut rest = &mut neighbours[..];
        for bounds in offsets.windows(2) {
            let (row, tail) = rest.split_at_mut((bounds[1] - bounds[0]) as usize);
            row.sort_unstable();
            rest = tail;
        }
        let pair = |edge: &throng_data::Edge| (edge.from.min(edge.to), edge.from.max(edge.to));
        let mut pairs: Vec<(u32, u32)> = match graph.directed || graph.edge_labels.len() > 1 {
            true => graph.edges().iter().map(pair).collect(),
            false => Vec::new(),
        };
        pairs.sort_unstable();
        let parallel = pairs.windows(2).any(|pair| pair[0] == pair[1]);
        Index { starts, node_of, offsets, neighbours, one_label_each: graph.one_label_each(), parallel }
    }

    /// Number of labels.
    pub fn labels(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The facets with a label.
    pub fn range(&self, label: u32) -> Range<u32> {
        self.starts[label as usize]..self.starts[label as usize + 1]
    }

    /// The label of a facet.
    pub fn label_of(&self, facet: u32) -> u32 {
        self.starts.partition_point(|start| *start <= facet) as u32 - 1
    }

    /// The node of a facet.
    pub fn node(&self, facet: u32) -> u32 {
        self.node_of[facet as usize]
    }

    /// All neighbours of a facet.
    pub fn all_neighbours(&self, facet: u32) -> &[Neighbour] {
        let facet = facet as usize;
        &self.neighbours[self.offsets[facet] as usize..self.offsets[facet + 1] as usize]
    }

    /// The neighbours of a facet by an edge of a kind, with numbers in a range.
    pub fn neighbours(&self, facet: u32, kind: u32, range: &Range<u32>) -> &[Neighbour] {
        let all = self.all_neighbours(facet);
        let from = all.partition_point(|other| (other.kind, other.facet) < (kind, range.start));
        let to = from + all[from..].partition_point(|other| (other.kind, other.facet) < (kind, range.end));
        &all[from..to]
    }

    /// Whether two facets are joined by an edge of a kind.
    pub fn joined(&self, facet: u32, kind: u32, other: u32) -> bool {
        self.all_neighbours(facet).binary_search(&Neighbour { kind, facet: other }).is_ok()
    }
}
