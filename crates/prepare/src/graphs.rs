//! A made-up graph with planted motifs, to try the miner of subgraphs on.
//!
//! Degrees follow a power law: ends of edges are drawn in proportion to weights that fall off with the number of a node. Labels are drawn by
//! Zipf's law, from even to very uneven. Motifs, small connected graphs, are then planted in nodes that no other copy has, so that each is
//! known to be there at least as often as it was planted.
//!
//! # Guarantees
//! The same options and seed give the same bytes. Every planted motif has a support (MNI, and MIS) of at least its copies. The directory
//! appears whole or not at all.
//! # Cost
//! Eight bytes an edge, a label a node, and a sort of the edges.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use rayon::prelude::*;
use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing, Help, Progress, help};
use throng_data::{StagedDir, StagingError};

use crate::worlds::{Draw, Weighted};

/// The graph, one `v` or `e` a line.
pub const GRAPH: &str = "graph.lg";
/// The motifs that were planted, one graph each.
pub const MOTIFS: &str = "motifs.lg";
/// Where each copy of each motif lies.
pub const PLANTED: &str = "planted.csv";

/// More nodes or edges than fit into the memory of the machines that this is for.
const LARGEST: u64 = 1 << 31;
/// Nodes of a motif, at most.
const LARGEST_MOTIF: u32 = 12;
/// Draws for each edge that is still missing, before a dense graph is left with fewer.
const ROUNDS: u64 = 50;
/// Random streams of their own, so that one option changes nothing that another decides.
const LABELS: u64 = 1;
const MOTIF: u64 = 2;
const PLACES: u64 = 3;
const EDGES: u64 = 16;

/// What can be asked of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphOptions {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of edges, those of motifs included.
    pub edges: u64,
    /// Number of node labels.
    pub labels: u32,
    /// Number of edge labels.
    pub edge_labels: u32,
    /// Exponent of Zipf's law of labels; 0 is even.
    pub skew: f64,
    /// Exponent of the power law of degrees, above 2; smaller means larger hubs.
    pub degrees: f64,
    /// Number of motifs.
    pub motifs: u32,
    /// Nodes of each motif.
    pub motif_nodes: u32,
    /// Copies of each motif.
    pub copies: u64,
    /// Draws everything.
    pub seed: u64,
}

impl Default for GraphOptions {
    fn default() -> Self {
        GraphOptions {
            nodes: 3_000,
            edges: 9_000,
            labels: 20,
            edge_labels: 1,
            skew: 1.0,
            degrees: 2.5,
            motifs: 3,
            motif_nodes: 5,
            copies: 60,
            seed: 0,
        }
    }
}

impl GraphOptions {
    fn check(&self) -> Result<(), GraphError> {
        let range = |what: &'static str, value: f64, least: f64, most: f64| {
            let fits = (least..=most).contains(&value);
            if fits { Ok(()) } else { Err(GraphError::Range { what, value, least, most }) }
        };
        range("nodes", self.nodes as f64, 1.0, LARGEST as f64)?;
        range("edges", self.edges as f64, 0.0, LARGEST as f64)?;
        range("labels", f64::from(self.labels), 1.0, 1e7)?;
        range("edge-labels", f64::from(self.edge_labels), 1.0, 1e7)?;
        range("skew", self.skew, 0.0, 10.0)?;
        range("degrees", self.degrees, 2.01, 100.0)?;
        range("motif-nodes", f64::from(self.motif_nodes), 2.0, f64::from(LARGEST_MOTIF))?;
        let wanted = u64::from(self.motifs) * self.copies * u64::from(self.motif_nodes);
        if wanted > self.nodes {
            return Err(GraphError::Crowded { wanted, nodes: self.nodes });
        }
        Ok(())
    }
}

/// A small connected graph.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Motif {
    labels: Vec<u32>,
    /// Ends, the smaller first, and label.
    edges: Vec<(u32, u32, u32)>,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenGraph {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of edges. Fewer than asked where a graph is so dense that no more were found.
    pub edges: u64,
    /// Edges at the node with most.
    pub largest_degree: u64,
    /// Motifs planted.
    pub motifs: u64,
}

/// Writes a graph into the directory `dir`, replacing an earlier one if `force` is given.
pub fn generate(
    options: &GraphOptions,
    dir: &Path,
    force: bool,
    progress: &Progress,
) -> Result<WrittenGraph, GraphError> {
    options.check()?;
    let staged = StagedDir::create(dir, force, &[GRAPH, MOTIFS, PLANTED])?;
    let mut labels = node_labels(options);
    let motifs: Vec<Motif> = motifs(options);
    let places = places(options, motifs.len());
    let mut planted: Vec<u64> = Vec::new();
    for (motif, copies) in motifs.iter().zip(&places) {
        for copy in copies {
            for (node, label) in copy.iter().zip(&motif.labels) {
                labels[*node as usize] = *label;
            }
            let ends = motif.edges.iter().map(|(a, b, _)| key(copy[*a as usize], copy[*b as usize]));
            planted.extend(ends);
        }
    }
    progress.check()?;
    let edges = edges(options, planted, progress)?;
    let edge_label = edge_labels(options, &edges, &motifs, &places);
    write_graph(&staged.path().join(GRAPH), &labels, &edges, &edge_label)?;
    write_motifs(&staged.path().join(MOTIFS), &motifs)?;
    write_places(&staged.path().join(PLANTED), &places)?;
    staged.publish()?;
    let mut degrees = vec![0_u64; options.nodes as usize];
    for edge in &edges {
        let (a, b) = ends(*edge);
        degrees[a as usize] += 1;
        degrees[b as usize] += 1;
    }
    Ok(WrittenGraph {
        nodes: options.nodes,
        edges: edges.len() as u64,
        largest_degree: degrees.into_iter().max().unwrap_or(0),
        motifs: motifs.len() as u64,
    })
}

/// An edge as one number, which sorts by its ends.
fn key(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

fn ends(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

fn zipf(count: u32, skew: f64) -> Weighted {
    Weighted::new((1..=count).map(|rank| f64::from(rank).powf(-skew)))
}

fn node_labels(options: &GraphOptions) -> Vec<u32> {
    let zipf = zipf(options.labels, options.skew);
    let mut draw = Draw::new(options.seed, LABELS);
    (0..options.nodes).map(|_| zipf.draw(&mut draw) as u32).collect()
}

/// Motifs that differ: a path through all nodes in an order that was drawn, and some more edges.
fn motifs(options: &GraphOptions) -> Vec<Motif> {
    let mut draw = Draw::new(options.seed, MOTIF);
    let mut motifs: Vec<Motif> = Vec::new();
    // Few labels and few nodes make few motifs: there may be no more than those.
    for _ in 0..options.motifs.saturating_mul(20) {
        if motifs.len() == options.motifs as usize {
            break;
        }
        let labels: Vec<u32> = (0..options.motif_nodes).map(|_| draw.below(options.labels)).collect();
        let mut edges: Vec<(u32, u32, u32)> = (1..options.motif_nodes)
            .map(|node| (draw.below(node), node, draw.below(options.edge_labels)))
            .collect();
        for _ in 0..options.motif_nodes / 3 {
            let (a, b) = (draw.below(options.motif_nodes), draw.below(options.motif_nodes));
            let (a, b) = (a.min(b), a.max(b));
            if a != b && !edges.iter().any(|(from, to, _)| (*from, *to) == (a, b)) {
                edges.push((a, b, draw.below(options.edge_labels)));
            }
        }
        edges.sort_unstable();
        let motif = Motif { labels, edges };
        if !motifs.contains(&motif) {
            motifs.push(motif);
        }
    }
    motifs
}

/// The nodes of each copy of each motif; no node twice.
fn places(options: &GraphOptions, motifs: usize) -> Vec<Vec<Vec<u32>>> {
    let mut draw = Draw::new(options.seed, PLACES);
    let wanted = motifs as u64 * options.copies * u64::from(options.motif_nodes);
    // The first numbers of a shuffle.
    let mut nodes: Vec<u32> = (0..options.nodes as u32).collect();
    for at in 0..wanted as usize {
        let other = at + draw.below((nodes.len() - at) as u32) as usize;
        nodes.swap(at, other);
    }
    let mut free = nodes[..wanted as usize].chunks(options.motif_nodes as usize).map(<[u32]>::to_vec);
    (0..motifs).map(|_| free.by_ref().take(options.copies as usize).collect()).collect()
}

/// All edges, ascending and each once, those of motifs among them.
fn edges(options: &GraphOptions, planted: Vec<u64>, progress: &Progress) -> Result<Vec<u64>, GraphError> {
    // Nodes of a copy have no edge but the motif's among themselves only by chance: others may be added, and supports only grow.
    let exponent = 1.0 / (options.degrees - 1.0);
    // The offset keeps the largest hub from having an end of most edges.
    let offset = (options.nodes as f64).powf(exponent.min(0.5)).max(1.0);
    let weights = Weighted::new((0..options.nodes).map(|node| (node as f64 + offset).powf(-exponent)));
    let mut edges = planted;
    edges.par_sort_unstable();
    edges.dedup();
    let phase = progress.phase("edges", Some(options.edges));
    phase.advance(edges.len() as u64)?;
    const CHUNK: u64 = 1 << 16;
    for round in 0..ROUNDS {
        let missing = options.edges.saturating_sub(edges.len() as u64);
        if missing == 0 || options.nodes < 2 {
            break;
        }
        let chunks: Vec<u64> = (0..missing.div_ceil(CHUNK)).collect();
        let drawn: Vec<Vec<u64>> = chunks
            .into_par_iter()
            .map(|chunk| {
                progress.check()?;
                let mut draw = Draw::new(options.seed, EDGES + round + ROUNDS * chunk);
                let wanted = CHUNK.min(missing - chunk * CHUNK);
                let two = (0..wanted).map(|_| (weights.draw(&mut draw), weights.draw(&mut draw)));
                Ok(two.filter(|(a, b)| a != b).map(|(a, b)| key(a as u32, b as u32)).collect())
            })
            .collect::<Result<_, Cancelled>>()?;
        let before = edges.len();
        edges.extend(drawn.into_iter().flatten());
        edges.par_sort_unstable();
        edges.dedup();
        phase.advance((edges.len() - before) as u64)?;
    }
    Ok(edges)
}

/// The label of each edge: the motif's where one was planted, otherwise drawn.
fn edge_labels(
    options: &GraphOptions,
    edges: &[u64],
    motifs: &[Motif],
    places: &[Vec<Vec<u32>>],
) -> Vec<u32> {
    let mut draw = Draw::new(options.seed, EDGES - 1);
    let zipf = zipf(options.edge_labels, options.skew);
    let mut labels: Vec<u32> = edges.iter().map(|_| zipf.draw(&mut draw) as u32).collect();
    for (motif, copies) in motifs.iter().zip(places) {
        for copy in copies {
            for (a, b, label) in &motif.edges {
                if let Ok(at) = edges.binary_search(&key(copy[*a as usize], copy[*b as usize])) {
                    labels[at] = *label;
                }
            }
        }
    }
    labels
}

fn write(
    path: &Path,
    rows: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), GraphError> {
    let failed = |cause| StagingError::io(path, cause);
    let mut writer = BufWriter::new(File::create(path).map_err(failed)?);
    rows(&mut writer).and_then(|()| writer.flush()).map_err(failed)?;
    Ok(())
}

fn write_graph(path: &Path, labels: &[u32], edges: &[u64], edge_labels: &[u32]) -> Result<(), GraphError> {
    write(path, |writer| {
        writeln!(writer, "t # 1")?;
        for (node, label) in labels.iter().enumerate() {
            writeln!(writer, "v {node} L{label}")?;
        }
        for (edge, label) in edges.iter().zip(edge_labels) {
            let (a, b) = ends(*edge);
            writeln!(writer, "e {a} {b} e{label}")?;
        }
        Ok(())
    })
}

fn write_motifs(path: &Path, motifs: &[Motif]) -> Result<(), GraphError> {
    write(path, |writer| {
        for (number, motif) in motifs.iter().enumerate() {
            writeln!(writer, "t # {}", number + 1)?;
            for (node, label) in motif.labels.iter().enumerate() {
                writeln!(writer, "v {node} L{label}")?;
            }
            for (a, b, label) in &motif.edges {
                writeln!(writer, "e {a} {b} e{label}")?;
            }
        }
        Ok(())
    })
}

fn write_places(path: &Path, places: &[Vec<Vec<u32>>]) -> Result<(), GraphError> {
    write(path, |writer| {
        writeln!(writer, "motif,copy,node,graph_node")?;
        for (motif, copies) in places.iter().enumerate() {
            for (copy, nodes) in copies.iter().enumerate() {
                for (node, place) in nodes.iter().enumerate() {
                    writeln!(writer, "{},{},{node},{place}", motif + 1, copy + 1)?;
                }
            }
        }
        Ok(())
    })
}

/// Why a graph was not written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum GraphError {
    #[error("`--{what}` is {value}: expected {least} to {most}")]
    Range { what: &'static str, value: f64, least: f64, most: f64 },
    #[error("all copies of all motifs need {wanted} nodes, and there are {nodes}")]
    Crowded { wanted: u64, nodes: u64 },
    #[error(transparent)]
    Staging(#[from] StagingError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Failing for GraphError {
    fn class(&self) -> Class {
        match self {
            GraphError::Range { .. } | GraphError::Crowded { .. } => Class::Usage,
            GraphError::Staging(cause) => cause.class(),
            GraphError::Cancelled(cause) => cause.class(),
        }
    }

    fn help(&self) -> Option<Help> {
        match self {
            GraphError::Range { what, .. } => Some(help!("give another number with {$}", what)),
            GraphError::Crowded { .. } => {
                Some("give more nodes with {nodes}, or fewer copies with {copies}".into())
            }
            GraphError::Staging(cause) => cause.help(),
            GraphError::Cancelled(_) => None,
        }
    }
}
