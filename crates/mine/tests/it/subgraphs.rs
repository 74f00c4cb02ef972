//! Frequent subgraphs against a search over all patterns and all their places, written for the test.

#![allow(clippy::unwrap_used)]

mod constraints;
mod exhaustive;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng_contract::Progress;
use throng_data::{Graph, GraphBuilder};
use throng_mine::Keep;
use throng_mine::subgraphs::{Measure, Pruning, Subgraph, SubgraphSearch, Subgraphs};

use exhaustive::{Shape, all_patterns, harmful_overlap, mis, mni, places, written};

fn graph(directed: bool, labels: &[Vec<u32>], edges: &[(usize, usize, u32)]) -> Graph {
    let mut builder = GraphBuilder::new(directed);
    for (node, labels) in labels.iter().enumerate() {
        let names: Vec<String> = labels.iter().map(|label| format!("L{label}")).collect();
        builder.node(&node.to_string(), names.iter().map(String::as_str)).unwrap();
    }
    for (from, to, label) in edges {
        builder.edge(*from as u32, *to as u32, &format!("e{label}"), None);
    }
    builder.finish()
}

fn mine(search: &SubgraphSearch, graph: &Graph) -> Subgraphs {
    search.mine(graph, &|| false, &Progress::silent()).unwrap()
}

fn shape_of(graph: &Graph, found: &Subgraph) -> Shape {
    written(graph.directed, &(found.labels.clone(), found.edges.iter().copied().collect()))
}

/// Patterns by their shape; each must be told once.
fn told(graph: &Graph, found: &Subgraphs) -> BTreeMap<Shape, (u64, bool)> {
    let mut told = BTreeMap::new();
    for pattern in &found.patterns {
        let before = told.insert(shape_of(graph, pattern), (pattern.support, pattern.exact));
        assert!(before.is_none(), "told twice: {pattern:?}");
    }
    told
}

const MAX_EDGES: usize = 4;

fn limited(min_support: u64) -> SubgraphSearch {
    let mut search = SubgraphSearch::new(min_support);
    search.constraints.max_edges = Some(MAX_EDGES);
    search
}

/// Small graphs with few labels, so that patterns repeat; parallel edges, several labels, several components.
fn small_graph() -> impl Strategy<Value = Graph> {
    let nodes = prop::collection::vec(prop::collection::vec(0..2_u32, 1..3), 2..8);
    let edges = prop::collection::vec((0..8_usize, 0..8_usize, 0..2_u32), 1..11);
    (nodes, edges, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(nodes, edges, directed, single, plain)| {
            let count = nodes.len();
            let nodes: Vec<Vec<u32>> =
                nodes.into_iter().map(|labels| if single { labels[..1].to_vec() } else { labels }).collect();
            let edges: Vec<(usize, usize, u32)> = edges
                .into_iter()
                .map(|(from, to, label)| (from % count, to % count, if plain { 0 } else { label }))
                .collect();
            graph(directed, &nodes, &edges)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_frequent_patterns_are_found(graph in small_graph(), min_support in 1..4_u64) {
        let expected: BTreeMap<Shape, u64> = all_patterns(&graph, MAX_EDGES)
            .into_iter()
            .map(|shape| { let support = mni(&graph, &shape); (shape, support) })
            .filter(|(_, support)| *support >= min_support)
            .collect();
        let mut search = limited(min_support);
        let lower = told(&graph, &mine(&search, &graph));
        prop_assert!(lower.keys().eq(expected.keys()), "{lower:?}\n{expected:?}");
        for (shape, (support, exact)) in &lower {
            prop_assert!(*support >= min_support && *support <= expected[shape]);
            prop_assert!(!exact || *support == expected[shape]);
        }
        search.exact = true;
        let exact = told(&graph, &mine(&search, &graph));
        prop_assert_eq!(exact, expected.iter().map(|(shape, support)| (shape.clone(), (*support, true))).collect());
        // Whatever is switched off, and whatever is given up at alpha 1.
        for name in Pruning::NAMES {
            let mut without = search.clone();
            without.pruning.switch_off(name);
            prop_assert_eq!(mine(&without, &graph).patterns, mine(&search, &graph).patterns, "{}", name);
        }
        search.exact = false;
        search.alpha = Some(0.01);
        let approximate = told(&graph, &mine(&search, &graph));
        prop_assert!(approximate.keys().all(|shape| expected.contains_key(shape)));
    }

    #[test]
    fn maximal_closed_and_best_patterns_are_picked_rightly(graph in small_graph(), min_support in 1..3_u64) {
        let mut search = limited(min_support);
        search.exact = true;
        let all = told(&graph, &mine(&search, &graph));
        let part_of = |small: &Shape, large: &Shape| {
            small.1.len() < large.1.len() && {
                let edges: Vec<_> = large.1.iter().copied().collect();
                // Some choice of edges of the larger pattern is the smaller one.
                (0..1_u32 << edges.len()).filter(|set| set.count_ones() as usize == small.1.len()).any(|set| {
                    let chosen: Vec<_> = (0..edges.len()).filter(|at| set >> at & 1 == 1).map(|at| edges[at]).collect();
                    let nodes: BTreeSet<usize> = chosen.iter().flat_map(|(from, to, _)| [*from, *to]).collect();
                    let nodes: Vec<usize> = nodes.into_iter().collect();
                    let at = |node: usize| nodes.iter().position(|known| *known == node).unwrap();
                    nodes.len() == small.0.len() && written(graph.directed, &(
                        nodes.iter().map(|node| large.0[*node]).collect(),
                        chosen.iter().map(|(from, to, label)| (at(*from), at(*to), *label)).collect(),
                    )) == *small
                })
            }
        };
        search.keep = Keep::Maximal;
        let maximal: BTreeSet<Shape> = told(&graph, &mine(&search, &graph)).into_keys().collect();
        let expected = all.keys().filter(|small| !all.keys().any(|large| part_of(small, large))).cloned().collect();
        prop_assert_eq!(maximal, expected);
        search.keep = Keep::Closed;
        let closed: BTreeSet<Shape> = told(&graph, &mine(&search, &graph)).into_keys().collect();
        let expected = all
            .iter()
            .filter(|(small, support)| !all.iter().any(|(large, other)| other == *support && part_of(small, large)))
            .map(|(shape, _)| shape.clone())
            .collect();
        prop_assert_eq!(closed, expected);
        search.keep = Keep::Frequent;
        search.top = Some(5);
        let best: Vec<u64> = mine(&search, &graph).patterns.iter().map(|pattern| pattern.support).collect();
        let mut expected: Vec<u64> = all.values().map(|(support, _)| *support).collect();
        expected.sort_unstable_by_key(|support| std::cmp::Reverse(*support));
        expected.truncate(5);
        prop_assert_eq!(best, expected);
    }

    #[test]
    fn independent_places_are_counted_exactly(graph in small_graph(), min_support in 1..3_u64) {
        let expected: BTreeMap<Shape, (u64, bool)> = all_patterns(&graph, 3)
            .into_iter()
            .map(|shape| { let support = mis(&graph, &shape); (shape, (support, true)) })
            .filter(|(_, (support, _))| *support >= min_support)
            .collect();
        let mut search = limited(min_support);
        search.constraints.max_edges = Some(3);
        search.exact = true;
        search.measure = Measure::Mis;
        prop_assert_eq!(&told(&graph, &mine(&search, &graph)), &expected);
        search.measure = Measure::MisGreedy;
        for (shape, (support, _)) in told(&graph, &mine(&search, &graph)) {
            prop_assert!(support <= expected[&shape].0);
        }
        search.measure = Measure::HarmfulOverlap;
        for (shape, (support, _)) in told(&graph, &mine(&search, &graph)) {
            prop_assert!(support <= mni(&graph, &shape));
            // Few enough places to try all sets of them.
            if places(&graph, &shape).len() <= 12 {
                prop_assert_eq!(support, harmful_overlap(&graph, &shape));
            }
        }
    }
}

/// A hub with so many leaves.
fn star(leaves: usize) -> Graph {
    let labels: Vec<Vec<u32>> = (0..=leaves).map(|node| vec![u32::from(node > 0)]).collect();
    let edges: Vec<(usize, usize, u32)> = (1..=leaves).map(|leaf| (0, leaf, 0)).collect();
    graph(false, &labels, &edges)
}

#[test]
fn what_has_too_many_places_is_given_up_and_counted() {
    let mut search = limited(1);
    search.constraints.max_edges = Some(2);
    let graph = star(200);
    // Two leaves and the hub: 200 times 199 places, more than sets of them are looked for among.
    for measure in [Measure::Mis, Measure::MisGreedy, Measure::HarmfulOverlap] {
        search.measure = measure;
        let found = mine(&search, &graph);
        assert_eq!((found.patterns.len(), found.given_up), (1, 1), "{measure:?}");
        assert!(found.complete);
        // Fewer are counted.
        let small = mine(&search, &star(20));
        assert_eq!((small.patterns.len(), small.given_up), (2, 0), "{measure:?}");
    }
    search.measure = Measure::Mni;
    let found = mine(&search, &graph);
    assert_eq!((found.patterns.len(), found.given_up), (2, 0));
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let nodes: Vec<Vec<u32>> = (0..60).map(|node| vec![node * 7 % 3]).collect();
    let edges: Vec<(usize, usize, u32)> =
        (0..140).map(|edge| (edge * 31 % 60, (edge * 17 + edge / 7) % 60, 0)).collect();
    let graph = graph(false, &nodes, &edges);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| mine(&limited(4), &graph).patterns)
    };
    assert!(with(1).len() > 20);
    assert_eq!(with(1), with(4));
}
