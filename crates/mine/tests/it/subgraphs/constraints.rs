//! What constraints leave of all patterns, against what each of them says of a pattern.

use proptest::prelude::*;
use throng_data::Graph;
use throng_mine::subgraphs::{Constraints, Subgraph};

use super::{MAX_EDGES, graph, limited, mine, small_graph};

/// Whether a pattern keeps a constraint, said anew.
type Keeps = fn(&Graph, &Subgraph) -> bool;

fn degree(pattern: &Subgraph, node: usize) -> usize {
    pattern.edges.iter().filter(|(from, to, _)| *from == node || *to == node).count()
}

fn has_label(graph: &Graph, pattern: &Subgraph, name: &str) -> bool {
    pattern.labels.iter().any(|label| graph.node_labels.name(*label) == name)
}

fn has_edge(graph: &Graph, pattern: &Subgraph, name: &str) -> bool {
    pattern.edges.iter().any(|(_, _, label)| graph.edge_labels.name(*label) == name)
}

/// A node L0 between two others of its label, by edges e0 that lead away from it.
fn fork(directed: bool) -> Graph {
    graph(directed, &[vec![0], vec![0], vec![0]], &[(0, 1, 0), (0, 2, 0)])
}

fn has_fork(graph: &Graph, pattern: &Subgraph) -> bool {
    let name = |node: usize| graph.node_labels.name(pattern.labels[node]);
    let leads = |node: usize, other: usize| {
        pattern.edges.iter().any(|(from, to, label)| {
            let there = (*from, *to) == (node, other) || !graph.directed && (*to, *from) == (node, other);
            there && graph.edge_labels.name(*label) == "e0"
        })
    };
    (0..pattern.labels.len()).any(|node| {
        let ends = (0..pattern.labels.len()).filter(|end| leads(node, *end) && name(*end) == "L0");
        name(node) == "L0" && ends.count() > 1
    })
}

/// Every constraint of Tables 1 and 2 and those that are looked at late, with what it asks of a pattern.
fn constraints(directed: bool) -> Vec<(Constraints, Keeps)> {
    let none = Constraints { max_edges: Some(MAX_EDGES), ..Constraints::default() };
    let words = |name: &str| vec![name.to_owned()];
    vec![
        (Constraints { max_nodes: Some(3), ..none.clone() }, |_, pattern| pattern.labels.len() <= 3),
        (Constraints { max_edges: Some(2), ..none.clone() }, |_, pattern| pattern.edges.len() <= 2),
        (Constraints { max_degree: Some(2), ..none.clone() }, |_, pattern| {
            (0..pattern.labels.len()).all(|node| degree(pattern, node) <= 2)
        }),
        (Constraints { only_labels: Some(words("L0")), ..none.clone() }, |graph, pattern| {
            !has_label(graph, pattern, "L1")
        }),
        (Constraints { without_labels: words("L0"), ..none.clone() }, |graph, pattern| {
            !has_label(graph, pattern, "L0")
        }),
        (Constraints { only_edges: Some(words("e1")), ..none.clone() }, |graph, pattern| {
            !has_edge(graph, pattern, "e0")
        }),
        (Constraints { without_edges: words("e1"), ..none.clone() }, |graph, pattern| {
            !has_edge(graph, pattern, "e1")
        }),
        (Constraints { without_parts: vec![fork(directed)], ..none.clone() }, |graph, pattern| {
            !has_fork(graph, pattern)
        }),
        (Constraints { max_same_label: Some(2), ..none.clone() }, |_, pattern| {
            let times = |label: &u32| pattern.labels.iter().filter(|other| *other == label).count();
            pattern.labels.iter().all(|label| times(label) <= 2)
        }),
        (Constraints { min_nodes: Some(3), ..none.clone() }, |_, pattern| pattern.labels.len() >= 3),
        (Constraints { min_edges: Some(3), ..none.clone() }, |_, pattern| pattern.edges.len() >= 3),
        (Constraints { with_labels: words("L1"), ..none }, |graph, pattern| has_label(graph, pattern, "L1")),
    ]
}

proptest! {
    #[test]
    fn constraints_leave_exactly_what_keeps_them(graph in small_graph(), min_support in 1..3_u64) {
        let mut search = limited(min_support);
        search.exact = true;
        let all = mine(&search, &graph).patterns;
        for (number, (constraints, keeps)) in constraints(graph.directed).into_iter().enumerate() {
            let kept: Vec<Subgraph> = all.iter().filter(|pattern| keeps(&graph, pattern)).cloned().collect();
            let mut search = search.clone();
            search.constraints = constraints;
            prop_assert_eq!(&mine(&search, &graph).patterns, &kept, "constraint {}", number);
            // The best are the best of those.
            search.top = Some(3);
            let best: Vec<u64> = mine(&search, &graph).patterns.iter().map(|pattern| pattern.support).collect();
            let mut supports: Vec<u64> = kept.iter().map(|pattern| pattern.support).collect();
            supports.sort_unstable_by_key(|support| std::cmp::Reverse(*support));
            supports.truncate(3);
            prop_assert_eq!(best, supports, "constraint {}", number);
        }
    }
}
