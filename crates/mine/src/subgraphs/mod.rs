//! Frequent subgraphs of one large graph.
//!
//! [`SubgraphSearch`] says what is wanted, [`SubgraphSearch::mine`] finds it. Support is the *minimum image* (MNI): a pattern has as many as
//! the node of it that fewest nodes of the graph can stand for. Other supports are [measures](Measure) to choose.
//!
//! # Reference
//! Elseidy, Abdelhamid, Skiadopoulos, Kalnis. GraMi: frequent subgraph and pattern mining in a single large graph. PVLDB 2014.
//! # Guarantees
//! Exact: every connected pattern with at least one edge whose support is enough, within the [constraints](Constraints), unless time was up or
//! an approximation was asked for; then none that is not frequent. The same graph gives the same patterns in the same order with any number of
//! threads and with any optimisation switched off. A support is a lower bound unless it says that it is exact.
//! # Cost
//! The graph costs 12 bytes an edge and 8 for its index (10 with edge labels or directions); a level of patterns holds one bitmap for each node of each pattern. Whether a pattern is
//! frequent is decided by constraint satisfaction, in the worst case exponential in the nodes of the pattern.
//! # Departs from the paper
//! * Patterns are found level by level and not depth first: all parts of a pattern have been judged before it. A part that is not frequent ends it
//!   without a search, and the cache of invalid assignments is the level before, so that it does not grow with the run.
//! * Proposition 3 (unique labels) is applied wherever the domains of nodes with equal labels are apart.
//! * Time-outs are counted in steps, so that results do not depend on the machine.
//! * Searches prefer nodes that are not known to lie on a place yet, so that each place that is found tells more.
//! * A search that is long even when taken up again is ended by looking ahead (maintaining arc consistency): cycles are what plain search is slow at.
//! * Nodes alone are not reported, and patterns have at most [`MAX_EDGES`] edges.

mod code;
mod consistency;
mod constraints;
mod distance;
mod domain;
mod grow;
mod index;
mod levels;
mod look_ahead;
mod orbits;
mod overlap;
mod solve;
mod support;
mod write;

use std::sync::atomic::Ordering;

use throng_contract::{Cancelled, Progress};
use throng_data::Graph;

pub use constraints::{Constraints, MAX_EDGES};
pub use distance::{Distance, near};
pub use write::{SubgraphFormat, write_subgraphs};

use crate::Keep;
use crate::search::Stop;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// The fewest nodes of the graph that stand for a node of the pattern.
    #[default]
    Mni,
    /// The most places without a common edge.
    Mis,
    /// Places without a common edge, chosen greedily: at most as many as [`Measure::Mis`].
    MisGreedy,
    /// The most places without harmful overlap.
    HarmfulOverlap,
}

impl Measure {
    /// How many nodes must be able to stand for each node of a pattern with this support. Places that share no edge may share a node:
    /// a star has as many as it has edges.
    fn images(self, support: u64) -> u64 {
        match self {
            Measure::Mni | Measure::HarmfulOverlap => support,
            Measure::Mis | Measure::MisGreedy => 1,
        }
    }
}

/// The paper's optimisations and one more; each can be switched off without another result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pruning {
    /// Begin with what the searches for smaller patterns left.
    pub push_down: bool,
    /// Answer trees from consistency alone where that is exact.
    pub unique_labels: bool,
    /// Look at one of several nodes that are alike.
    pub automorphisms: bool,
    /// Put long searches aside.
    pub lazy: bool,
    /// Try parts of the pattern before a long search is taken up again.
    pub decomposition: bool,
    /// End long searches by looking ahead; not in the paper.
    pub look_ahead: bool,
}

impl Pruning {
    /// Names of the optimisations, for flags.
    pub const NAMES: [&'static str; 6] =
        ["push-down", "unique-labels", "automorphisms", "lazy-search", "decomposition", "look-ahead"];

    /// Switches the optimisation of a name off.
    pub fn switch_off(&mut self, name: &str) {
        match name {
            "push-down" => self.push_down = false,
            "unique-labels" => self.unique_labels = false,
            "automorphisms" => self.automorphisms = false,
            "lazy-search" => self.lazy = false,
            "decomposition" => self.decomposition = false,
            "look-ahead" => self.look_ahead = false,
            _ => {}
        }
    }
}

impl Default for Pruning {
    fn default() -> Self {
        Pruning {
            push_down: true,
            unique_labels: true,
            automorphisms: true,
            lazy: true,
            decomposition: true,
            look_ahead: true,
        }
    }
}

/// What to look for.
#[derive(Debug, Clone)]
pub struct SubgraphSearch {
    /// The support that is enough; at least one.
    pub min_support: u64,
    /// Whether the support itself is wanted.
    pub exact: bool,
    /// What is counted.
    pub measure: Measure,
    /// All frequent patterns, or only closed or maximal ones: among those within the constraints.
    pub keep: Keep,
    /// Only so many, the best supported; ties go to the pattern with fewer edges. Their supports are exact.
    pub top: Option<usize>,
    /// AGraMi: searches are given up after a number of steps that grows with alpha, above 0 and at most 1.
    pub alpha: Option<f64>,
    /// What a pattern must be like.
    pub constraints: Constraints,
    /// Which optimisations are used.
    pub pruning: Pruning,
}

/// A pattern that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subgraph {
    /// The labels of its nodes, in [`Graph::node_labels`].
    pub labels: Vec<u32>,
    /// Its edges: from, to, and label in [`Graph::edge_labels`].
    pub edges: Vec<(usize, usize, u32)>,
    /// Its support, or what was seen of it.
    pub support: u64,
    /// Whether that is the support itself.
    pub exact: bool,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Subgraphs {
    /// By number of edges, then by labels.
    pub patterns: Vec<Subgraph>,
    /// Whether nothing is missing because time was up.
    pub complete: bool,
    /// How many searches there were, and how many of them were put aside or given up.
    pub searches: u64,
    /// See `searches`.
    pub timed_out: u64,
    /// Candidates that were judged without a search.
    pub without_search: u64,
    /// Candidates with more places than independent sets are looked for in, which were left out with all that grows from them; never with MNI.
    pub given_up: u64,
}

impl SubgraphSearch {
    /// All frequent subgraphs.
    pub fn new(min_support: u64) -> Self {
        SubgraphSearch {
            min_support,
            exact: false,
            measure: Measure::Mni,
            keep: Keep::Frequent,
            top: None,
            alpha: None,
            constraints: Constraints::default(),
            pruning: Pruning::default(),
        }
    }

    /// Finds them. When `stop` answers true, what was found so far is given back, marked as incomplete.
    pub fn mine(&self, graph: &Graph, stop: Stop<'_>, progress: &Progress) -> Result<Subgraphs, Cancelled> {
        let checked = self.constraints.for_graph(graph);
        let mined = levels::mine(self, graph, &checked, stop, progress)?;
        let told = |hit: levels::Hit| Subgraph {
            labels: hit.code.labels(),
            edges: hit.code.links().into_iter().map(told_edge).collect(),
            support: hit.support,
            exact: hit.exact,
        };
        Ok(Subgraphs {
            patterns: mined.found.into_iter().map(told).collect(),
            complete: mined.complete,
            searches: mined.counts.searches.load(Ordering::Relaxed),
            timed_out: mined.counts.timed_out.load(Ordering::Relaxed),
            without_search: mined.counts.without_search.load(Ordering::Relaxed),
            given_up: mined.counts.given_up.load(Ordering::Relaxed),
        })
    }
}

/// An edge in its own direction.
fn told_edge((from, to, kind): code::Link) -> (usize, usize, u32) {
    let (from, to) = if kind % 2 == 1 { (to, from) } else { (from, to) };
    (usize::from(from), usize::from(to), kind / 2)
}
