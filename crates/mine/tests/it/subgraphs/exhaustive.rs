//! All patterns of a small graph and all their places, by trying everything.

use std::collections::BTreeSet;

use throng_data::Graph;

/// Labels of nodes, and edges with labels.
pub type Shape = (Vec<u32>, BTreeSet<(usize, usize, u32)>);

/// The least way to write a pattern, over all numberings of its nodes.
pub fn written(directed: bool, (labels, edges): &Shape) -> Shape {
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
pub fn all_patterns(graph: &Graph, most: usize) -> BTreeSet<Shape> {
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
pub fn places(graph: &Graph, (labels, edges): &Shape) -> Vec<Vec<u32>> {
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

/// The least number of nodes of the graph that a node of the pattern has in its places.
pub fn mni(graph: &Graph, shape: &Shape) -> u64 {
    let places = places(graph, shape);
    let images = |node: usize| places.iter().map(|place| place[node]).collect::<BTreeSet<u32>>().len();
    (0..shape.0.len()).map(images).min().unwrap() as u64
}

/// The largest number of places that share no edge, by trying all sets of places.
pub fn mis(graph: &Graph, shape: &Shape) -> u64 {
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
pub fn harmful_overlap(graph: &Graph, shape: &Shape) -> u64 {
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
