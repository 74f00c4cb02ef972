//! A grow-and-store miner, to compare with: all places of every frequent pattern are kept, and those of a larger pattern are grown from them.
//!
//! Made for the comparison alone, by the three steps that GraMi's introduction gives: `rustc -O benches/grow_and_store.rs`, then
//! `grow_and_store GRAPH.lg SUPPORT`. The graph has no directions, and the labels of its edges are left out. Support is MNI, so that the same
//! patterns are found as `throng mine subgraphs GRAPH.lg --ignore-edge-labels --min-support SUPPORT` finds.

use std::collections::{BTreeSet, HashSet};
use std::{env, fs};

/// Labels of nodes, and edges, the smaller node first.
type Pattern = (Vec<u32>, Vec<(usize, usize)>);

struct Graph {
    labels: Vec<u32>,
    next: Vec<Vec<u32>>,
}

fn read(path: &str) -> Graph {
    let text = fs::read_to_string(path).expect("the graph can be read");
    let (mut names, mut labels, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    for words in text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()) {
        match words.as_slice() {
            ["v", _, label, ..] => {
                let at = names.iter().position(|name| name == label).unwrap_or_else(|| {
                    names.push((*label).to_owned());
                    names.len() - 1
                });
                labels.push(at as u32);
            }
            ["e", a, b, ..] => edges.push((a.parse().expect("a number"), b.parse().expect("a number"))),
            _ => {}
        }
    }
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); labels.len()];
    for (a, b) in edges.into_iter().filter(|(a, b): &(usize, usize)| a != b) {
        next[a].push(b as u32);
        next[b].push(a as u32);
    }
    for near in &mut next {
        near.sort_unstable();
        near.dedup();
    }
    Graph { labels, next }
}

/// The least way to write a pattern among the numberings that go by what is around each node.
fn canonical((labels, edges): &Pattern) -> Pattern {
    let count = labels.len();
    let mut colours: Vec<u64> = labels.iter().map(|label| u64::from(*label)).collect();
    for _ in 0..count {
        let around = |node: usize| {
            let near = edges.iter().filter(|(a, b)| *a == node || *b == node);
            let mut near: Vec<u64> = near.map(|(a, b)| colours[if *a == node { *b } else { *a }]).collect();
            near.sort_unstable();
            (colours[node], near)
        };
        let keys: Vec<(u64, Vec<u64>)> = (0..count).map(around).collect();
        let sorted: BTreeSet<&(u64, Vec<u64>)> = keys.iter().collect();
        let sorted: Vec<_> = sorted.into_iter().collect();
        colours = keys.iter().map(|key| sorted.binary_search(&key).expect("it is among them") as u64).collect();
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|node| colours[*node]);
    let mut best: Option<Pattern> = None;
    permute(&mut order, 0, &colours, &mut |order| {
        let mut number = vec![0; count];
        order.iter().enumerate().for_each(|(at, node)| number[*node] = at);
        let turned = |(a, b): &(usize, usize)| (number[*a].min(number[*b]), number[*a].max(number[*b]));
        let mut turned: Vec<(usize, usize)> = edges.iter().map(turned).collect();
        turned.sort_unstable();
        let written = (order.iter().map(|node| labels[*node]).collect(), turned);
        if best.as_ref().is_none_or(|best| written < *best) {
            best = Some(written);
        }
    });
    best.expect("there is at least one numbering")
}

/// All orders in which only nodes of one colour change places.
fn permute(order: &mut Vec<usize>, at: usize, colours: &[u64], each: &mut impl FnMut(&[usize])) {
    if at == order.len() {
        return each(order);
    }
    for other in at..order.len() {
        if colours[order[other]] == colours[order[at]] {
            order.swap(at, other);
            permute(order, at + 1, colours, each);
            order.swap(at, other);
        }
    }
}

fn mni(places: &[u32], nodes: usize) -> usize {
    let images = |node: usize| places.iter().skip(node).step_by(nodes).collect::<HashSet<_>>().len();
    (0..nodes).map(images).min().unwrap_or(0)
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let graph = read(&arguments[1]);
    let support: usize = arguments[2].parse().expect("a number");
    // Frequent patterns of the level at hand, with all their places one behind the other.
    let mut level: Vec<(Pattern, Vec<u32>)> = Vec::new();
    let names: BTreeSet<u32> = graph.labels.iter().copied().collect();
    for a in &names {
        for b in names.iter().filter(|b| *b >= a) {
            let mut places = Vec::new();
            for (node, near) in graph.next.iter().enumerate().filter(|(node, _)| graph.labels[*node] == *a) {
                for other in near.iter().filter(|other| graph.labels[**other as usize] == *b) {
                    places.extend([node as u32, *other]);
                }
            }
            if mni(&places, 2) >= support {
                level.push(((vec![*a, *b], vec![(0, 1)]), places));
            }
        }
    }
    let joined: HashSet<(u32, u32)> =
        level.iter().flat_map(|((labels, _), _)| [(labels[0], labels[1]), (labels[1], labels[0])]).collect();
    let (mut found, mut most_edges, mut most_places) = (0, 0, 0);
    while !level.is_empty() {
        found += level.len();
        most_edges = level[0].0.1.len();
        most_places = most_places.max(level.iter().map(|(_, places)| places.len() * 4).sum::<usize>());
        let mut seen: HashSet<Pattern> = HashSet::new();
        let mut next = Vec::new();
        for ((labels, edges), places) in &level {
            let nodes = labels.len();
            for from in 0..nodes {
                for to in from + 1..nodes {
                    let pattern = (labels.clone(), [edges.as_slice(), &[(from, to)]].concat());
                    if edges.contains(&(from, to)) || !joined.contains(&(labels[from], labels[to])) || !seen.insert(canonical(&pattern)) {
                        continue;
                    }
                    let kept = places.chunks(nodes).filter(|place| graph.next[place[from] as usize].binary_search(&place[to]).is_ok());
                    let kept: Vec<u32> = kept.flatten().copied().collect();
                    if mni(&kept, nodes) >= support {
                        next.push((pattern, kept));
                    }
                }
                for label in names.iter().filter(|label| joined.contains(&(labels[from], **label))) {
                    let pattern = ([labels.as_slice(), &[*label]].concat(), [edges.as_slice(), &[(from, nodes)]].concat());
                    if !seen.insert(canonical(&pattern)) {
                        continue;
                    }
                    let mut grown = Vec::new();
                    for place in places.chunks(nodes) {
                        for other in &graph.next[place[from] as usize] {
                            if graph.labels[*other as usize] == *label && !place.contains(other) {
                                grown.extend_from_slice(place);
                                grown.push(*other);
                            }
                        }
                    }
                    if mni(&grown, nodes + 1) >= support {
                        next.push((pattern, grown));
                    }
                }
            }
        }
        level = next;
    }
    println!("{found} patterns of up to {most_edges} edges; {most_places} bytes of places at once");
}
