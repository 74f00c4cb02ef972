//! Finds the node of least cost among all that keep the promise.
//!
//! Whether a node keeps it is *tagged*: what holds, holds for everything above; what fails, fails for everything below. Subsets of one
//! and two columns come first, since their groups are few and their failures rule out most of the lattice. The rest is walked in the
//! order of a lower bound of the cost, and each node that is still unknown is settled by a binary search along a chain above it.

use throng_contract::{Cancelled, Phase, choices};

use super::super::demands::Demands;
use super::frequency::{Frequency, Scratch, Tuples};
use super::levels::{Column, Lattice, Node};

/// Subsets of up to so many columns are looked at first.
const SUBSETS: usize = 2;

/// Groups that are kept for rolling up, over all nodes.
const KEPT: usize = 16_000_000;

choices! {
    /// What a node costs.
    pub enum Metric {
        /// Mean normalised certainty penalty; a suppressed row has lost everything.
        Ncp = "ncp",
        /// Discernibility: the sum of squared group sizes; a suppressed row counts as one of a group of all.
        Dm = "dm",
        /// Rows by group and by k; suppressed rows have no group.
        CAvg = "c-avg",
        /// Sum of levels.
        Height = "height",
    }
}

/// Whether a node keeps the promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Unknown,
    Fails,
    Holds,
}

/// The node of least cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The node.
    pub node: Node,
    /// What it costs.
    pub cost: f64,
    /// How many nodes were counted.
    pub counted: usize,
}

/// A walk through the lattice.
#[derive(Debug)]
pub struct Search<'a> {
    columns: &'a [Column],
    lattice: &'a Lattice,
    tuples: &'a Tuples,
    demands: &'a Demands,
    /// What is monotone over the lattice: all of the demands, or the hereditary part when rows may be suppressed.
    monotone: Demands,
    metric: Metric,
    people: u64,
    /// Rows that may be suppressed.
    budget: u64,
    tags: Vec<Tag>,
    kept: Vec<(Node, Frequency)>,
    room: usize,
    scratch: Scratch,
    counted: usize,
}

impl<'a> Search<'a> {
    /// A walk that begins with the groups of the bottom node.
    pub fn new(
        columns: &'a [Column],
        lattice: &'a Lattice,
        (tuples, bottom): (&'a Tuples, Frequency),
        demands: &'a Demands,
        metric: Metric,
        budget: u64,
    ) -> Self {
        Search {
            columns,
            lattice,
            tuples,
            demands,
            monotone: if budget > 0 { demands.hereditary() } else { demands.clone() },
            metric,
            people: tuples.of_person.len() as u64,
            budget,
            tags: vec![Tag::Unknown; lattice.len()],
            kept: vec![(0, bottom)],
            room: KEPT,
            scratch: Scratch::default(),
            counted: 0,
        }
    }

    /// The node of least cost, or `None` when not even the root keeps the promise. Ties go to the least NCP, then to the
    /// lowest levels of the first columns.
    pub fn run(mut self, phase: &Phase<'_>) -> Result<Option<Found>, Cancelled> {
        let root = self.lattice.len() - 1;
        self.settle(root);
        if self.tags[root] == Tag::Fails {
            return Ok(None);
        }
        for size in 1..=SUBSETS.min(self.lattice.columns()) {
            for node in self.of_subsets(size) {
                self.settle(node);
                phase.advance(0)?;
            }
        }
        // The cost is known without counting, or else it is bounded from below by what more special nodes cost.
        let known = self.metric == Metric::Height && self.demands.is_hereditary()
            || self.budget == 0 && matches!(self.metric, Metric::Ncp | Metric::Height);
        let bounded = matches!(self.metric, Metric::Dm | Metric::CAvg);
        let mut order: Vec<(f64, f64, Node)> =
            (0..=root).map(|node| (self.simple_cost(node), self.ncp(node), node)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut bounds = vec![0.0_f64; if bounded { root + 1 } else { 0 }];
        let mut best: Option<(f64, f64, Node)> = None;
        for (simple, ncp, node) in order {
            phase.advance(1)?;
            let beyond = |bound: f64| best.is_some_and(|(cost, ..)| bound > cost * (1.0 + 1e-12));
            if bounded {
                let below = self.lattice.below(node).map(|below| bounds[below]).fold(0.0, f64::max);
                bounds[node] = below;
                if beyond(below) {
                    continue;
                }
            } else if beyond(simple) {
                break;
            }
            self.settle(node);
            if self.tags[node] == Tag::Fails {
                continue;
            }
            if known {
                return Ok(Some(Found { node, cost: simple, counted: self.counted }));
            }
            let frequency = self.frequency(node);
            if bounded {
                bounds[node] = bounds[node].max(self.counted_cost(&frequency, None));
            }
            let fails = frequency.failing(self.demands, self.budget > 0);
            if suppressed(&frequency, &fails) <= self.budget {
                let cost = match self.metric {
                    Metric::Height => simple,
                    Metric::Ncp => self.ncp_without(node, &frequency, &fails),
                    Metric::Dm | Metric::CAvg => self.counted_cost(&frequency, Some(&fails)),
                };
                let found = (cost, ncp, node);
                if best.is_none_or(|best| found < best) {
                    best = Some(found);
                }
            }
            self.keep(node, frequency);
        }
        Ok(best.map(|(cost, _, node)| Found { node, cost, counted: self.counted }))
    }

    /// The nodes in which exactly so many columns are below their root, from the bottom up.
    fn of_subsets(&self, size: usize) -> Vec<Node> {
        let mut nodes = vec![self.lattice.len() - 1];
        for _ in 0..size {
            let mut lower = Vec::new();
            for node in nodes {
                // Columns are lowered in their order, so that no node is met twice.
                let last = (0..self.lattice.columns()).rposition(|at| !self.lattice.is_root(node, at));
                for column in last.map_or(0, |last| last + 1)..self.lattice.columns() {
                    lower.extend(self.lattice.lowered(node, column));
                }
            }
            nodes = lower;
        }
        nodes.sort_by_key(|node| self.lattice.height(*node));
        nodes
    }

    /// Tags a node, by a binary search along a chain of unknown nodes above it.
    fn settle(&mut self, node: Node) {
        if self.tags[node] != Tag::Unknown {
            return;
        }
        let mut chain = vec![node];
        let mut last = node;
        let unknown = |tags: &[Tag], node: &Node| tags[*node] == Tag::Unknown;
        while let Some(next) = self
            .lattice
            .above(last)
            .filter(|above| unknown(&self.tags, above))
            .min_by(|a, b| self.ncp(*a).total_cmp(&self.ncp(*b)).then(a.cmp(b)))
        {
            chain.push(next);
            last = next;
        }
        let (mut low, mut high) = (0, chain.len());
        while low < high {
            let middle = (low + high) / 2;
            let frequency = self.frequency(chain[middle]);
            let fails = frequency.failing(&self.monotone, false);
            let holds = suppressed(&frequency, &fails) <= self.budget;
            self.keep(chain[middle], frequency);
            if holds {
                self.tag(chain[middle], Tag::Holds);
                high = middle;
            } else {
                self.tag(chain[middle], Tag::Fails);
                low = middle + 1;
            }
        }
    }

    /// Tags a node and all that follows from it.
    fn tag(&mut self, node: Node, tag: Tag) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if self.tags[node] == Tag::Unknown {
                self.tags[node] = tag;
                match tag {
                    Tag::Holds => stack.extend(self.lattice.above(node)),
                    _ => stack.extend(self.lattice.below(node)),
                }
            }
        }
    }

    /// The groups of a node, rolled up from the smallest frequency set that is at hand.
    fn frequency(&mut self, node: Node) -> Frequency {
        let usable = self.kept.iter().filter(|(below, _)| self.lattice.is_at_least(node, *below));
        let (from, frequency) = usable
            .min_by_key(|(_, frequency)| frequency.len())
            .expect("the groups of the bottom node are always kept");
        if *from == node {
            return frequency.clone();
        }
        self.counted += 1;
        frequency.roll_up(self.tuples, self.columns, &self.lattice.levels(node), &mut self.scratch)
    }

    fn keep(&mut self, node: Node, frequency: Frequency) {
        if frequency.len() <= self.room && self.kept.iter().all(|(known, _)| *known != node) {
            self.room -= frequency.len();
            self.kept.push((node, frequency));
        }
    }

    /// NCP of a node when nothing is suppressed.
    fn ncp(&self, node: Node) -> f64 {
        let total: f64 = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| column.unit * column.levels[self.lattice.level(node, at)].total as f64)
            .sum();
        total / (self.columns.len() as f64 * self.people as f64)
    }

    /// NCP of a node when failing groups are suppressed.
    fn ncp_without(&self, node: Node, frequency: &Frequency, fails: &[bool]) -> f64 {
        let mut total = 0.0;
        for (at, column) in self.columns.iter().enumerate() {
            let level = &column.levels[self.lattice.level(node, at)];
            let units: u64 = (0..frequency.len())
                .filter(|group| !fails[*group])
                .map(|group| {
                    let code = frequency.code(self.tuples, group, at);
                    u64::from(level.leaves[level.group[code as usize] as usize])
                        * u64::from(frequency.sizes[group])
                })
                .sum();
            total += column.unit * units as f64;
        }
        let gone = suppressed(frequency, fails) as f64 * self.columns.len() as f64;
        (total + gone) / (self.columns.len() as f64 * self.people as f64)
    }

    /// What orders nodes before anything is counted: the cost itself, or a lower bound, or the height.
    fn simple_cost(&self, node: Node) -> f64 {
        match self.metric {
            Metric::Ncp => self.ncp(node),
            Metric::Dm | Metric::CAvg | Metric::Height => self.lattice.height(node) as f64,
        }
    }

    /// Discernibility or average size; without suppression it bounds the cost with suppression from below.
    fn counted_cost(&self, frequency: &Frequency, fails: Option<&[bool]>) -> f64 {
        let kept = (0..frequency.len()).filter(|group| fails.is_none_or(|fails| !fails[*group]));
        match self.metric {
            Metric::Dm => {
                let squares: u64 = kept.map(|group| u64::from(frequency.sizes[group]).pow(2)).sum();
                let gone = fails.map_or(0, |fails| suppressed(frequency, fails));
                (squares + gone * self.people) as f64
            }
            _ => self.people as f64 / (kept.count() as f64 * f64::from(self.demands.k)),
        }
    }
}

/// Rows in failing groups.
pub fn suppressed(frequency: &Frequency, fails: &[bool]) -> u64 {
    let failing = frequency.sizes.iter().zip(fails).filter(|(_, fails)| **fails);
    failing.map(|(size, _)| u64::from(*size)).sum()
}
