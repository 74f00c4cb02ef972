//! EASK14: Elseidy, Abdelhamid, Skiadopoulos, Kalnis. GraMi: frequent subgraph and pattern mining in a single large graph. PVLDB 2014.
//!
//! The graph of Figure 1 with the labels that its text gives, and the two that it leaves open (`grami-fig1`).

use std::collections::BTreeSet;

use throng_contract::Progress;
use throng_data::{Graph, GraphBuilder};
use throng_mine::subgraphs::{Distance, Measure, Subgraph, SubgraphSearch, near};

const LABELS: [&str; 10] = ["IR", "DB", "DM", "IR", "IR", "DB", "DB", "DM", "IR", "IR"];
const EDGES: [(u32, u32, &str); 10] = [
    (0, 1, "4"),
    (1, 3, "4"),
    (1, 2, "5"),
    (2, 3, "20"),
    (3, 4, "10"),
    (4, 5, "4"),
    (5, 6, "2"),
    (6, 8, "4"),
    (7, 8, "20"),
    (8, 9, "10"),
];

fn graph_of(labels: &[&str], edges: &[(u32, u32, &str)]) -> Graph {
    let mut builder = GraphBuilder::new(false);
    for (node, label) in labels.iter().enumerate() {
        builder.node(&format!("u{node}"), [*label]).expect("a node of its own");
    }
    for (from, to, label) in edges {
        builder.edge(*from, *to, label, label.parse().ok());
    }
    builder.finish()
}

fn figure_1() -> Graph {
    graph_of(&LABELS, &EDGES)
}

fn mined(graph: &Graph, min_support: u64, measure: Measure) -> Vec<Subgraph> {
    let mut search = SubgraphSearch::new(min_support);
    search.exact = true;
    search.measure = measure;
    search.constraints.max_edges = Some(3);
    search.mine(graph, &|| false, &Progress::silent()).expect("not cancelled").patterns
}

/// The support of the pattern with these labels on nodes and edges, whatever the numbers of its nodes; 0 if it was not found.
fn support(graph: &Graph, found: &[Subgraph], nodes: &[&str], edges: &[(&str, &str, &str)]) -> u64 {
    let sorted = |mut words: Vec<String>| {
        words.sort_unstable();
        words
    };
    let wanted_nodes = sorted(nodes.iter().map(|label| (*label).to_owned()).collect());
    let written = |a: &str, b: &str, label: &str| {
        let ends = sorted(vec![a.to_owned(), b.to_owned()]);
        format!("{}-{label}-{}", ends[0], ends[1])
    };
    let wanted_edges = sorted(edges.iter().map(|(a, b, label)| written(a, b, label)).collect());
    let name = |pattern: &Subgraph, node: usize| graph.node_labels.name(pattern.labels[node]).to_owned();
    let fits = |pattern: &&Subgraph| {
        let nodes = sorted((0..pattern.labels.len()).map(|node| name(pattern, node)).collect());
        let edges = pattern.edges.iter().map(|(from, to, label)| {
            written(&name(pattern, *from), &name(pattern, *to), graph.edge_labels.name(*label))
        });
        nodes == wanted_nodes && sorted(edges.collect()) == wanted_edges
    };
    found.iter().find(fits).map_or(0, |pattern| pattern.support)
}

/// Example 1 and Definition 2: S1 = DB -4- IR -10- IR has support 3, and 2 by independent sets; S2 has one place.
#[test]
fn supports_of_figure_1() {
    let graph = figure_1();
    let s1 = [("DB", "IR", "4"), ("IR", "IR", "10")];
    let s2 = [("DB", "IR", "4"), ("IR", "DM", "20"), ("DB", "DM", "5")];
    let found = mined(&graph, 1, Measure::Mni);
    assert_eq!(support(&graph, &found, &["DB", "IR", "IR"], &s1), 3);
    assert_eq!(support(&graph, &found, &["DB", "IR", "DM"], &s2), 1);
    // Four places of DB -4- IR, on the domains of Example 2: three nodes and four.
    assert_eq!(support(&graph, &found, &["DB", "IR"], &[("DB", "IR", "4")]), 3);
    let apart = mined(&graph, 1, Measure::Mis);
    assert_eq!(support(&graph, &apart, &["DB", "IR", "IR"], &s1), 2);
    assert_eq!(support(&graph, &apart, &["DB", "IR"], &[("DB", "IR", "4")]), 4);
    // By the threshold alone S1 is frequent at 3 and not at 4.
    assert_eq!(support(&graph, &mined(&graph, 3, Measure::Mni), &["DB", "IR", "IR"], &s1), 3);
    assert_eq!(support(&graph, &mined(&graph, 4, Measure::Mni), &["DB", "IR", "IR"], &s1), 0);
}

/// All ways to put a pattern's nodes on different nodes of the graph: labels fit, and so do the edges that the pattern has.
fn places(graph: &Graph, labels: &[&str], edges: &[(usize, usize, &str)]) -> Vec<Vec<u32>> {
    let fits = |place: &Vec<u32>| {
        edges.iter().all(|(a, b, label)| {
            let ends = [place[*a], place[*b]];
            graph.edges().iter().any(|edge| {
                let joined = [edge.from, edge.to] == ends || [edge.to, edge.from] == ends;
                joined && graph.edge_labels.name(edge.label) == *label
            })
        })
    };
    let mut found: Vec<Vec<u32>> = vec![Vec::new()];
    for label in labels {
        let nodes = LABELS.iter().zip(0_u32..).filter(|(known, _)| *known == label).map(|(_, node)| node);
        let longer = |place: &Vec<u32>| {
            let free = nodes.clone().filter(|node| !place.contains(node));
            free.map(|node| [place.as_slice(), &[node]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found.retain(fits);
    found
}

/// `grami-fig1`: where S1, S2 and DB -4- IR are, and so the nodes on which the support is counted.
#[test]
fn places_of_figure_1() {
    let graph = figure_1();
    let s1 = places(&graph, &["DB", "IR", "IR"], &[(0, 1, "4"), (1, 2, "10")]);
    assert_eq!(s1, [[1, 3, 4], [5, 4, 3], [6, 8, 9]]);
    let s2 = places(&graph, &["DB", "IR", "DM"], &[(0, 1, "4"), (1, 2, "20"), (0, 2, "5")]);
    assert_eq!(s2.len(), 1);
    assert_eq!(LABELS.iter().filter(|label| **label == "DB").count(), 3);
    let pair = places(&graph, &["DB", "IR"], &[(0, 1, "4")]);
    assert_eq!(pair.len(), 4);
    let domain = |at: usize| pair.iter().map(|place| place[at]).collect::<BTreeSet<u32>>();
    assert_eq!([domain(0), domain(1)], [BTreeSet::from([1, 5, 6]), BTreeSet::from([0, 3, 4, 8])]);
    // By distance: P1, DM - IR - DB with all three near each other.
    let near = near(&graph, Distance::Weights, 0.3, &Progress::silent()).expect("not cancelled");
    let p1 = places(&near, &["DM", "IR", "DB"], &[(0, 1, ""), (1, 2, ""), (0, 2, "")]);
    assert_eq!(p1, [[2, 3, 1], [7, 8, 6]]);
}

/// Example 3: with one over the number of papers as distance, and at most 0.3 of it, the triangle P1 has support 2. Two nodes two hops
/// apart are joined at two hops and not at one; u6 and u7 are 0.3 apart, and not less.
#[test]
fn patterns_by_distance() {
    let graph = figure_1();
    let joined = |distance: Distance, bound: f64, a: u32, b: u32| {
        let near = near(&graph, distance, bound, &Progress::silent()).expect("not cancelled");
        near.edges().iter().any(|edge| (edge.from, edge.to) == (a, b))
    };
    assert!(joined(Distance::Hops, 2.0, 0, 3) && !joined(Distance::Hops, 1.0, 0, 3));
    assert!(joined(Distance::Weights, 0.3, 6, 7) && !joined(Distance::Weights, 0.29, 6, 7));
    let near = near(&graph, Distance::Weights, 0.3, &Progress::silent()).expect("not cancelled");
    let triangle = [("DM", "IR", ""), ("IR", "DB", ""), ("DM", "DB", "")];
    assert_eq!(support(&near, &mined(&near, 1, Measure::Mni), &["DM", "IR", "DB"], &triangle), 2);
}

/// Proposition 3 does not hold on cycles (`grami-unique-label-cycle`): consistency leaves two nodes for each label of the triangle,
/// which has no place in the ring of six.
#[test]
fn a_triangle_is_not_in_a_ring_of_six() {
    let graph = graph_of(
        &["A", "B", "C", "A", "B", "C"],
        &[(0, 1, "1"), (1, 2, "1"), (2, 3, "1"), (3, 4, "1"), (4, 5, "1"), (0, 5, "1")],
    );
    let found = mined(&graph, 1, Measure::Mni);
    let triangle = [("A", "B", "1"), ("B", "C", "1"), ("A", "C", "1")];
    assert_eq!(support(&graph, &found, &["A", "B", "C"], &triangle[..2]), 2);
    assert_eq!(support(&graph, &found, &["A", "B", "C"], &triangle), 0);
}
