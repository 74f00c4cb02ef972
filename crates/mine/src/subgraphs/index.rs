//! The graph as the search walks it.
//!
//! Nodes are numbered anew by label, so that the candidates for a labelled node of a pattern are one range of numbers, and a set of
//! them is a bitmap over that range. A node with several labels has one number, here called a *facet*, for each; facets of one node
//! are never used together. Neighbours of a facet lie sorted by edge label and number: those with a given label on edge and node are
//! one slice. A graph costs 8 bytes an edge here, 2 more where edges have labels or directions, 8 more where there are more than 128 labels, and
//! more where nodes have several labels.

use std::ops::Range;

use throng_data::Graph;

/// The kinds of all edges in the order of the neighbours: twice the label, and one more where an edge is walked against its direction.
#[derive(Debug)]
enum Kinds {
    /// There is but one, 0.
    One,
    Few(Vec<u8>),
    Many(Vec<u32>),
}

impl Kinds {
    /// Room for the kinds below a number.
    fn below(count: usize, edges: usize) -> Self {
        match count {
            0..=1 => Kinds::One,
            2..=256 => Kinds::Few(vec![0; edges]),
            _ => Kinds::Many(vec![0; edges]),
        }
    }

    fn at(&self, place: usize) -> u32 {
        match self {
            Kinds::One => 0,
            Kinds::Few(kinds) => u32::from(kinds[place]),
            Kinds::Many(kinds) => kinds[place],
        }
    }

    fn set(&mut self, place: usize, kind: u32) {
        match self {
            Kinds::One => {}
            // Kinds are below 256 here.
            Kinds::Few(kinds) => kinds[place] = kind as u8,
            Kinds::Many(kinds) => kinds[place] = kind,
        }
    }

    /// The part of a row, which is sorted by kind, that has a kind.
    fn run(&self, row: Range<usize>, kind: u32) -> Range<usize> {
        fn bounds<T: Copy + Into<u32>>(kinds: &[T], kind: u32) -> Range<usize> {
            let from = kinds.partition_point(|other| (*other).into() < kind);
            from..from + kinds[from..].partition_point(|other| (*other).into() == kind)
        }
        let within = match self {
            Kinds::One => return if kind == 0 { row } else { row.start..row.start },
            Kinds::Few(kinds) => bounds(&kinds[row.clone()], kind),
            Kinds::Many(kinds) => bounds(&kinds[row.clone()], kind),
        };
        row.start + within.start..row.start + within.end
    }
}

/// Facets by label, with sorted neighbours.
#[derive(Debug)]
pub(super) struct Index {
    /// The facets of label `l` are `starts[l]..starts[l + 1]`.
    starts: Vec<u32>,
    /// The node of each facet.
    node_of: Vec<u32>,
    offsets: Vec<u64>,
    /// Facets, those of one facet sorted by kind and number.
    neighbours: Vec<u32>,
    kinds: Kinds,
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
        let total = offsets.last().copied().unwrap_or_default() as usize;
        let mut neighbours = vec![0_u32; total];
        let labels = graph.edge_labels.len().max(1);
        let mut kinds = Kinds::below(if graph.directed || labels > 1 { 2 * labels } else { 1 }, total);
        for edge in graph.edges() {
            let back = graph.directed;
            for (a, b, reversed) in [(edge.from, edge.to, false), (edge.to, edge.from, back)] {
                let kind = kind_of(edge.label, reversed);
                for facet in facets(a) {
                    for other in facets(b) {
                        // Counted up to where the next row begins, and set right below.
                        let at = &mut offsets[*facet as usize];
                        neighbours[*at as usize] = *other;
                        kinds.set(*at as usize, kind);
                        *at += 1;
                    }
                }
            }
        }
        offsets.copy_within(..node_of.len(), 1);
        offsets[0] = 0;
        let parallel = sort_rows(&offsets, &mut neighbours, &mut kinds);
        Index {
            starts,
            node_of,
            offsets,
            neighbours,
            kinds,
            one_label_each: graph.one_label_each(),
            parallel,
        }
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

    fn row(&self, facet: u32) -> Range<usize> {
        let facet = facet as usize;
        self.offsets[facet] as usize..self.offsets[facet + 1] as usize
    }

    /// All neighbours of a facet with the kinds of the edges, sorted.
    pub fn all_neighbours(&self, facet: u32) -> impl Iterator<Item = (u32, u32)> {
        self.row(facet).map(|place| (self.kinds.at(place), self.neighbours[place]))
    }

    /// The neighbours of a facet by an edge of a kind, with numbers in a range; ascending.
    pub fn neighbours(&self, facet: u32, kind: u32, range: &Range<u32>) -> &[u32] {
        let all = &self.neighbours[self.kinds.run(self.row(facet), kind)];
        let from = all.partition_point(|other| *other < range.start);
        let to = from + all[from..].partition_point(|other| *other < range.end);
        &all[from..to]
    }

    /// Whether two facets are joined by an edge of a kind.
    pub fn joined(&self, facet: u32, kind: u32, other: u32) -> bool {
        self.neighbours[self.kinds.run(self.row(facet), kind)].binary_search(&other).is_ok()
    }
}

/// Sorts the neighbours of each facet by kind and number; whether two facets are joined by more than one edge.
fn sort_rows(offsets: &[u64], neighbours: &mut [u32], kinds: &mut Kinds) -> bool {
    let mut parallel = false;
    let mut row: Vec<(u32, u32)> = Vec::new();
    let mut others: Vec<u32> = Vec::new();
    for bounds in offsets.windows(2) {
        let places = bounds[0] as usize..bounds[1] as usize;
        if matches!(kinds, Kinds::One) {
            neighbours[places].sort_unstable();
            continue;
        }
        row.clear();
        row.extend(places.clone().map(|place| (kinds.at(place), neighbours[place])));
        row.sort_unstable();
        for (place, (kind, facet)) in places.zip(&row) {
            kinds.set(place, *kind);
            neighbours[place] = *facet;
        }
        others.clear();
        others.extend(row.iter().map(|(_, facet)| *facet));
        others.sort_unstable();
        parallel |= others.windows(2).any(|pair| pair[0] == pair[1]);
    }
    parallel
}
