//! Frequent subgraphs against a search over all patterns and all their places, written for the test.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng_contract::Progress;
use throng_data::{Graph, GraphBuilder};
use throng_mine::Keep;
use throng_mine::subgraphs::{Constraints, Measure, Pruning, Subgraph, SubgraphSearch, Subgraphs};

/// Labels of nodes, and edges with labels.
type Shape = (Vec<u32>, BTreeSet<(usize, usize, u32)>);

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

/// The least way to write a pattern, over all numberings of its nodes.
fn written(directed: bool, (labels, edges): &Shape) -> Shape {
    let count = labels.len();
    let mut order: Vec<usize> = (0..count).collect();
    let mut best: Option<Shape> = None;
    permute(&mut order, 0, &mut |order| {
        let mut moved = vec![0; count];
        order.iter().enumerate().for_each(|(node, to)| moved[*to] = labels[node]);
        let turn = |(from, to, label): &(usize, usize, u32)| {
            let (from, to) = (order[*from], order[*to]);
            if directed { (from, to, *label) } else { (from.min(to), from.max(to), *label) }
        };
        let shape = (moved, edges.iter().map(turn).collect());
        if best.as_ref().is_none_or(|best| shape < *best) {
            best = Some(shape);
        }
    });
    best.unwrap()
}

fn permute(order: &mut Vec<usize>, at: usize, each: &mut impl FnMut(&[usize])) {
    if at == order.len() {
        each(order);
        return;
    }
    for other in at..order.len() {
        order.swap(at, other);
        permute(order, at + 1, each);
        order.swap(at, other);
    }
}

/// All connected sets of at most `most` edges of the graph, as patterns with every choice of labels.
fn all_patterns(graph: &Graph, most: usize) -> BTreeSet<Shape> {
    let edges: Vec<(u32, u32, u32)> =
        graph.edges().iter().map(|edge| (edge.from, edge.to, edge.label)).collect();
    let mut sets: BTreeSet<BTreeSet<usize>> = (0..edges.len()).map(|edge| BTreeSet::from([edge])).collect();
    let mut all = sets.clone();
    for _ in 1..most {
        let mut larger = BTreeSet::new();
        for set in &sets {
            for (next, (from, to, _)) in edges.iter().enumerate() {
                let touches = set.iter().any(|edge| {
                    let (a, b, _) = edges[*edge];
                    [a, b].contains(from) || [a, b].contains(to)
                });
                if touches && !set.contains(&next) {
                    let mut grown = set.clone();
                    grown.insert(next);
                    larger.insert(grown);
                }
            }
        }
        all.extend(larger.iter().cloned());
        sets = larger;
    }
    let mut shapes = BTreeSet::new();
    for set in all {
        let nodes: BTreeSet<u32> = set.iter().flat_map(|edge| [edges[*edge].0, edges[*edge].1]).collect();
        let nodes: Vec<u32> = nodes.into_iter().collect();
        let at = |node: u32| nodes.iter().position(|known| *known == node).unwrap();
        let links = set.iter().map(|edge| (at(edges[*edge].0), at(edges[*edge].1), edges[*edge].2)).collect();
        let mut choices: Vec<Vec<u32>> = vec![Vec::new()];
        for node in &nodes {
            choices = choices
                .iter()
                .flat_map(|chosen| {
                    graph.labels_of(*node).iter().map(move |label| {
                        let mut chosen = chosen.clone();
                        chosen.push(*label);
                        chosen
                    })
                })
                .collect();
        }
        for labels in choices {
            shapes.insert(written(graph.directed, &(labels, BTreeSet::clone(&links))));
        }
    }
    shapes
}

/// All places of a pattern, by trying all nodes for all nodes.
fn places(graph: &Graph, (labels, edges): &Shape) -> Vec<Vec<u32>> {
    let there: BTreeSet<(u32, u32, u32)> =
        graph.edges().iter().map(|edge| (edge.from, edge.to, edge.label)).collect();
    let mut places: Vec<Vec<u32>> = vec![Vec::new()];
    for label in labels {
        places = places
            .iter()
            .flat_map(|place| {
                (0..graph.nodes.len() as u32)
                    .filter(|node| graph.labels_of(*node).contains(label) && !place.contains(node))
                    .map(|node| {
                        let mut place = place.clone();
                        place.push(node);
                        place
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    places.retain(|place| {
        edges.iter().all(|(from, to, label)| {
            let (from, to) = (place[*from], place[*to]);
            there.contains(&(from, to, *label)) || !graph.directed && there.contains(&(to, from, *label))
        })
    });
    places
}

fn mni(graph: &Graph, shape: &Shape) -> u64 {
    let places = places(graph, shape);
    let images = |node: usize| places.iter().map(|place| place[node]).collect::<BTreeSet<u32>>().len();
    (0..shape.0.len()).map(images).min().unwrap() as u64
}

/// The largest number of places that share no edge, by trying all sets of places.
fn mis(graph: &Graph, shape: &Shape) -> u64 {
    let used = |place: &Vec<u32>| -> BTreeSet<(u32, u32, u32)> {
        let written = |(from, to, label): &(usize, usize, u32)| {
            let (a, b) = (place[*from], place[*to]);
            if graph.directed { (a, b, *label) } else { (a.min(b), a.max(b), *label) }
        };
        shape.1.iter().map(written).collect()
    };
    let sets: BTreeSet<BTreeSet<(u32, u32, u32)>> = places(graph, shape).iter().map(used).collect();
    let sets: Vec<_> = sets.into_iter().collect();
    fn largest(sets: &[BTreeSet<(u32, u32, u32)>], used: &BTreeSet<(u32, u32, u32)>) -> u64 {
        let Some((first, rest)) = sets.split_first() else { return 0 };
        let without = largest(rest, used);
        if first.is_disjoint(used) {
            let all = used.union(first).copied().collect();
            without.max(1 + largest(rest, &all))
        } else {
            without
        }
    }
    largest(&sets, &BTreeSet::new())
}

/// The largest number of places without harmful overlap, by trying all sets of places: some node lies, in both places, on nodes of both.
fn harmful_overlap(graph: &Graph, shape: &Shape) -> u64 {
    let harmful =
        |a: &[u32], b: &[u32]| (0..a.len()).any(|node| b.contains(&a[node]) && a.contains(&b[node]));
    fn largest(
        places: &[Vec<u32>],
        chosen: &mut Vec<Vec<u32>>,
        harmful: &dyn Fn(&[u32], &[u32]) -> bool,
    ) -> usize {
        let Some((first, rest)) = places.split_first() else { return 0 };
        let without = largest(rest, chosen, harmful);
        if without == places.len() || chosen.iter().any(|other| harmful(first, other)) {
            return without;
        }
        chosen.push(first.clone());
        let with = 1 + largest(rest, chosen, harmful);
        chosen.pop();
        without.max(with)
    }
    largest(&places(graph, shape), &mut Vec::new(), &harmful) as u64
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
