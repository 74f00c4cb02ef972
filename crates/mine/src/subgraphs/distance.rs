//! Patterns whose edges stand for paths (GraMi's patterns): two nodes are joined when they are near.
//!
//! From every node a walk in order of distance, which ends at the bound, finds the nodes near it. They become the edges of a graph
//! without edge labels, in which patterns are mined as subgraphs are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_contract::{Cancelled, Progress};
use throng_data::Graph;

/// How far two nodes are apart, along a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// The number of edges.
    Hops,
    /// The sum of one over the weights: a heavy edge is a strong tie, and short.
    Weights,
    /// The sum of the weights.
    Lengths,
}

/// A distance with an order; never NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Far(f64);

impl Eq for Far {}

impl PartialOrd for Far {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Far {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Sums of binary fractions differ from what is written: 1/4 + 1/20 is a little more than 0.3.
const ROUNDING: f64 = 1e-9;

/// The graph in which nodes at most `bound` apart are joined. In a graph with directions paths follow them.
pub fn near(graph: &Graph, distance: Distance, bound: f64, progress: &Progress) -> Result<Graph, Cancelled> {
    let nodes = graph.nodes.len();
    let length = |edge: usize| match (distance, graph.weights()) {
        (Distance::Weights, Some(weights)) => weights[edge].recip(),
        (Distance::Lengths, Some(weights)) => weights[edge],
        _ => 1.0,
    };
    let mut next: Vec<Vec<(u32, f64)>> = vec![Vec::new(); nodes];
    for (number, edge) in graph.edges().iter().enumerate() {
        next[edge.from as usize].push((edge.to, length(number)));
        if !graph.directed {
            next[edge.to as usize].push((edge.from, length(number)));
        }
    }
    let bound = bound * (1.0 + ROUNDING);
    let phase = progress.phase("distances", Some(nodes as u64));
    let mut joined: Vec<(u32, u32)> = Vec::new();
    let mut best: Vec<f64> = vec![f64::INFINITY; nodes];
    for start in 0..nodes as u32 {
        let mut reached = vec![start];
        let mut waiting = BinaryHeap::from([Reverse((Far(0.0), start))]);
        best[start as usize] = 0.0;
        while let Some(Reverse((Far(far), node))) = waiting.pop() {
            if far > best[node as usize] {
                continue;
            }
            for (other, length) in &next[node as usize] {
                let there = far + length;
                if there <= bound && there < best[*other as usize] {
                    if best[*other as usize].is_infinite() {
                        reached.push(*other);
                    }
                    best[*other as usize] = there;
                    waiting.push(Reverse((Far(there), *other)));
                }
            }
        }
        for node in reached {
            best[node as usize] = f64::INFINITY;
            if node != start && (graph.directed || start < node) {
                joined.push((start, node));
            }
        }
        phase.advance(1)?;
    }
    Ok(graph.with_edges(joined))
}
