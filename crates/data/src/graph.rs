//! One labelled graph.
//!
//! Nodes have one or several labels, edges one each; two nodes may be joined by several edges with different labels, which is how
//! an edge has several labels. Loops say nothing of two nodes and repeats say nothing new: both are left out and counted.

use crate::Dictionary;

/// An edge. In a graph without directions `from` is the smaller number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The node it leaves.
    pub from: u32,
    /// The node it enters.
    pub to: u32,
    /// Its label, in [`Graph::edge_labels`].
    pub label: u32,
}

/// Nodes and edges with labels.
#[derive(Debug, Clone)]
pub struct Graph {
    /// Whether edges have a direction.
    pub directed: bool,
    /// The names of the nodes.
    pub nodes: Dictionary,
    /// The names of node labels.
    pub node_labels: Dictionary,
    /// The names of edge labels.
    pub edge_labels: Dictionary,
    /// `labels[offsets[n]..offsets[n + 1]]` are the labels of node `n`, ascending.
    label_offsets: Vec<u32>,
    labels: Vec<u32>,
    edges: Vec<Edge>,
    weights: Option<Vec<f64>>,
    left_out: LeftOut,
}

/// What was given and is not in the graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Edges from a node to itself.
    pub loops: u64,
    /// Edges given again, with the same label.
    pub repeats: u64,
}

impl Graph {
    /// The labels of a node, ascending.
    pub fn labels_of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.labels[self.label_offsets[node] as usize..self.label_offsets[node + 1] as usize]
    }

    /// The edges, ascending and each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// A weight for each edge, if edges were given with weights.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Whether every node has exactly one label.
    pub fn one_label_each(&self) -> bool {
        self.labels.len() == self.nodes.len()
    }

    /// What was given and is not in the graph.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// The same graph with one label, the empty one, on all edges.
    #[must_use]
    pub fn without_edge_labels(self) -> Graph {
        let mut builder = GraphBuilder { edge_labels: Dictionary::new(), ..GraphBuilder::emptied(&self) };
        for edge in &self.edges {
            builder.edge(edge.from, edge.to, "", None);
        }
        let mut graph = builder.finish();
        graph.left_out.loops = self.left_out.loops;
        graph.left_out.repeats += self.left_out.repeats;
        graph
    }

    /// The same nodes with other edges, all with the empty label.
    #[must_use]
    pub fn with_edges(&self, edges: impl IntoIterator<Item = (u32, u32)>) -> Graph {
        let mut builder = GraphBuilder { edge_labels: Dictionary::new(), ..GraphBuilder::emptied(self) };
        for (from, to) in edges {
            builder.edge(from, to, "", None);
        }
        builder.finish()
    }
}

/// Collects nodes and edges.
#[derive(Debug)]
pub struct GraphBuilder {
    directed: bool,
    nodes: Dictionary,
    node_labels: Dictionary,
    edge_labels: Dictionary,
    /// Node and label.
    labels: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    /// One for each edge, or none at all.
    weights: Vec<f64>,
    loops: u64,
}

impl GraphBuilder {
    /// No nodes yet.
    pub fn new(directed: bool) -> Self {
        GraphBuilder {
            directed,
            nodes: Dictionary::new(),
            node_labels: Dictionary::new(),
            edge_labels: Dictionary::new(),
            labels: Vec::new(),
            edges: Vec::new(),
            weights: Vec::new(),
            loops: 0,
        }
    }

    /// The nodes of a graph, without its edges.
    fn emptied(graph: &Graph) -> Self {
        let labels = (0..graph.nodes.len() as u32)
            .flat_map(|node| graph.labels_of(node).iter().map(move |label| (node, *label)))
            .collect();
        GraphBuilder {
            nodes: graph.nodes.clone(),
            node_labels: graph.node_labels.clone(),
            labels,
            ..GraphBuilder::new(graph.directed)
        }
    }

    /// Numbers a label of nodes, whether or not a node has it: graphs with the same labels in the same order number them alike.
    pub fn label(&mut self, name: &str) {
        self.node_labels.intern(name);
    }

    /// Adds a node; `None` if there is one of this name.
    pub fn node<'a>(&mut self, name: &str, labels: impl IntoIterator<Item = &'a str>) -> Option<u32> {
        let known = self.nodes.len();
        let node = self.nodes.intern(name);
        if self.nodes.len() == known {
            return None;
        }
        for label in labels {
            let label = self.node_labels.intern(label);
            self.labels.push((node, label));
        }
        Some(node)
    }

    /// The number of a node, if there is one of this name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.nodes.find(name)
    }

    /// Adds an edge between nodes; with weights, each has one.
    pub fn edge(&mut self, from: u32, to: u32, label: &str, weight: Option<f64>) {
        if from == to {
            self.loops += 1;
            return;
        }
        let (from, to) = if self.directed || from < to { (from, to) } else { (to, from) };
        let label = self.edge_labels.intern(label);
        self.weights.extend(weight);
        self.edges.push(Edge { from, to, label });
    }

    /// The weights of the distinct edges in ascending order.
    fn sort_weighted(&mut self) -> Vec<f64> {
        let weight_of = |at: usize| self.weights.get(at).copied().unwrap_or(1.0);
        let mut pairs: Vec<(Edge, f64)> =
            self.edges.iter().enumerate().map(|(at, edge)| (*edge, weight_of(at))).collect();
        pairs.sort_by(|(a, light), (b, heavy)| a.cmp(b).then(light.total_cmp(heavy)));
        pairs.dedup_by_key(|(edge, _)| *edge);
        pairs.into_iter().map(|(_, weight)| weight).collect()
    }

    /// The graph. Of edges given again the lightest counts.
    pub fn finish(mut self) -> Graph {
        let given = self.edges.len();
        let weights = (!self.weights.is_empty()).then(|| self.sort_weighted());
        self.edges.sort_unstable();
        self.edges.dedup();
        self.edges.shrink_to_fit();
        let repeats = (given - self.edges.len()) as u64;
        self.labels.sort_unstable();
        self.labels.dedup();
        let mut label_offsets = vec![0; self.nodes.len() + 1];
        for (node, _) in &self.labels {
            label_offsets[*node as usize + 1] += 1;
        }
        for node in 0..self.nodes.len() {
            label_offsets[node + 1] += label_offsets[node];
        }
        self.nodes.settle();
        Graph {
            directed: self.directed,
            nodes: self.nodes,
            node_labels: self.node_labels,
            edge_labels: self.edge_labels,
            label_offsets,
            labels: self.labels.iter().map(|(_, label)| *label).collect(),
            edges: self.edges,
            weights,
            left_out: LeftOut { loops: self.loops, repeats },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_repeats_are_left_out_and_counted() {
        let mut builder = GraphBuilder::new(false);
        let a = builder.node("a", ["X"]).unwrap();
        let b = builder.node("b", ["X", "Y", "X"]).unwrap();
        assert_eq!(builder.node("a", ["Z"]), None);
        builder.edge(b, a, "1", None);
        builder.edge(a, b, "1", None);
        builder.edge(a, b, "2", None);
        builder.edge(a, a, "1", None);
        let graph = builder.finish();
        assert_eq!(graph.edges().len(), 2);
        assert_eq!(graph.left_out(), LeftOut { loops: 1, repeats: 1 });
        assert_eq!((graph.labels_of(a), graph.labels_of(b)), (&[0][..], &[0, 1][..]));
        assert_eq!(graph.without_edge_labels().edges(), [Edge { from: 0, to: 1, label: 0 }]);
    }
}
