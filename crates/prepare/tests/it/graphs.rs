//! Made-up graphs: what was asked for is there, and motifs are where they are said to be.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use throng_contract::{Class, Failing, Progress};
use throng_prepare::graphs::{self, GraphOptions, WrittenGraph};

fn generate(options: &GraphOptions, dir: &Path) -> WrittenGraph {
    graphs::generate(options, dir, false, &Progress::silent()).unwrap()
}

/// Labels of nodes, and labels of edges by their ends, of each graph of a file.
type Read = (BTreeMap<u32, String>, BTreeMap<(u32, u32), String>);

fn read(path: &Path) -> Vec<Read> {
    let mut graphs: Vec<Read> = Vec::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "t" => graphs.push(Read::default()),
            "v" => {
                let old = graphs.last_mut().unwrap().0.insert(words[1].parse().unwrap(), words[2].to_owned());
                assert_eq!(old, None);
            }
            _ => {
                let ends = (words[1].parse().unwrap(), words[2].parse().unwrap());
                assert!(ends.0 < ends.1, "{line}");
                assert_eq!(graphs.last_mut().unwrap().1.insert(ends, words[3].to_owned()), None);
            }
        }
    }
    graphs
}

#[test]
fn sizes_are_as_asked_and_motifs_lie_where_they_are_said_to() {
    let home = tempfile::tempdir().unwrap();
    let options = GraphOptions { edge_labels: 3, motif_nodes: 6, ..GraphOptions::default() };
    let dir = home.path().join("graph");
    let written = generate(&options, &dir);
    let (labels, edges) = &read(&dir.join(graphs::GRAPH))[0];
    assert_eq!((labels.len() as u64, edges.len() as u64), (options.nodes, options.edges));
    assert_eq!((written.nodes, written.edges), (options.nodes, options.edges));
    let used: BTreeSet<&String> = labels.values().collect();
    assert!(used.len() as u32 <= options.labels && used.len() > 10);
    let motifs = read(&dir.join(graphs::MOTIFS));
    assert_eq!(motifs.len(), 3);
    let mut copies: BTreeMap<(usize, u64), Vec<u32>> = BTreeMap::new();
    for line in fs::read_to_string(dir.join(graphs::PLANTED)).unwrap().lines().skip(1) {
        let fields: Vec<u64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        copies.entry((fields[0] as usize - 1, fields[1])).or_default().push(fields[3] as u32);
    }
    assert_eq!(copies.len() as u64, 3 * options.copies);
    let places: Vec<u32> = copies.values().flatten().copied().collect();
    assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), places.len());
    for ((motif, _), nodes) in &copies {
        let (motif_labels, motif_edges) = &motifs[*motif];
        assert!(motif_labels.iter().all(|(node, label)| labels[&nodes[*node as usize]] == *label));
        for ((a, b), label) in motif_edges {
            let (a, b) = (nodes[*a as usize], nodes[*b as usize]);
            assert_eq!(&edges[&(a.min(b), a.max(b))], label);
        }
    }
}

#[test]
fn degrees_are_uneven_as_asked_and_labels_too() {
    let home = tempfile::tempdir().unwrap();
    let of = |degrees: f64, skew: f64| {
        let options = GraphOptions { degrees, skew, motifs: 0, ..GraphOptions::default() };
        let dir = home.path().join(format!("{degrees}-{skew}"));
        let written = generate(&options, &dir);
        let (labels, _) = read(&dir.join(graphs::GRAPH)).remove(0);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        labels.into_values().for_each(|label| *counts.entry(label).or_default() += 1);
        (written.largest_degree, counts.into_values().max().unwrap())
    };
    let (hub, common) = of(2.1, 2.0);
    let (even_hub, even) = of(50.0, 0.0);
    assert!(hub > 3 * even_hub, "{hub} {even_hub}");
    assert!(common > 5 * even, "{common} {even}");
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let home = tempfile::tempdir().unwrap();
    let options = GraphOptions { nodes: 40_000, edges: 150_000, seed: 3, ..GraphOptions::default() };
    let with = |threads: usize| {
        let dir = home.path().join(threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| generate(&options, &dir));
        [graphs::GRAPH, graphs::MOTIFS, graphs::PLANTED].map(|file| fs::read(dir.join(file)).unwrap())
    };
    assert!(with(1) == with(3));
}

#[test]
fn small_dense_and_impossible_graphs() {
    let home = tempfile::tempdir().unwrap();
    let none = GraphOptions { motifs: 0, ..GraphOptions::default() };
    let one = generate(&GraphOptions { nodes: 1, edges: 5, ..none.clone() }, &home.path().join("one"));
    assert_eq!((one.nodes, one.edges), (1, 0));
    let full = generate(&GraphOptions { nodes: 5, edges: 50, ..none.clone() }, &home.path().join("full"));
    assert_eq!(full.edges, 10);
    let dir = home.path().join("no");
    for wrong in [
        GraphOptions { nodes: 0, ..none.clone() },
        GraphOptions { labels: 0, ..none.clone() },
        GraphOptions { skew: f64::NAN, ..none.clone() },
        GraphOptions { degrees: 2.0, ..none },
        GraphOptions { nodes: 100, ..GraphOptions::default() },
    ] {
        let error = graphs::generate(&wrong, &dir, false, &Progress::silent()).unwrap_err();
        assert_eq!(error.class(), Class::Usage);
        assert!(error.help().is_some() && !dir.exists(), "{error}");
    }
}
