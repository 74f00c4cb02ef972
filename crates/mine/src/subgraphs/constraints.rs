//! Which patterns are wanted (CGraMi).
//!
//! Constraints that every part of a pattern keeps where the pattern does (Tables 1 and 2 of the paper) end the growth of a pattern that
//! breaks one. The others are looked at when all is found.

use std::collections::BTreeMap;

use throng_data::Graph;

use super::code::Code;
use super::orbits::contains;

/// What a pattern must be like.
#[derive(Debug, Clone, Default)]
pub struct Constraints {
    /// At most so many nodes.
    pub max_nodes: Option<usize>,
    /// At most so many edges.
    pub max_edges: Option<usize>,
    /// At most so many edges at a node.
    pub max_degree: Option<usize>,
    /// Only these labels of nodes.
    pub only_labels: Option<Vec<String>>,
    /// None of these labels of nodes.
    pub without_labels: Vec<String>,
    /// Only these labels of edges.
    pub only_edges: Option<Vec<String>>,
    /// None of these labels of edges.
    pub without_edges: Vec<String>,
    /// Each label of nodes at most so many times.
    pub max_same_label: Option<usize>,
    /// No pattern that has one of these graphs as a part.
    pub without_parts: Vec<Graph>,
    /// At least so many nodes; looked at when all is found.
    pub min_nodes: Option<usize>,
    /// At least so many edges; looked at when all is found.
    pub min_edges: Option<usize>,
    /// All of these labels of nodes; looked at when all is found.
    pub with_labels: Vec<String>,
}

/// Patterns have at most so many edges: a walk remembers them in one word.
pub const MAX_EDGES: usize = 60;

/// Constraints in the numbers of one graph.
#[derive(Debug)]
pub(super) struct Checked<'a> {
    constraints: &'a Constraints,
    label_allowed: Vec<bool>,
    edge_allowed: Vec<bool>,
    without_parts: Vec<(Vec<u32>, Vec<super::code::Link>)>,
    with_labels: Vec<Option<u32>>,
    directed: bool,
}

impl Constraints {
    pub(super) fn for_graph(&self, graph: &Graph) -> Checked<'_> {
        let allowed = |names: &throng_data::Dictionary, only: &Option<Vec<String>>, without: &[String]| {
            let fits = |name: &str| {
                only.as_ref().is_none_or(|only| only.iter().any(|known| known == name))
                    && !without.iter().any(|known| known == name)
            };
            names.names().map(fits).collect()
        };
        // A part with a label that the graph does not have, or larger than patterns are, is part of none.
        let part = |part: &Graph| {
            if part.nodes.len() > MAX_EDGES + 1 {
                return None;
            }
            let label = |node: u32| {
                let name = part.node_labels.name(*part.labels_of(node).first()?);
                graph.node_labels.find(name)
            };
            let labels: Option<Vec<u32>> = (0..part.nodes.len() as u32).map(label).collect();
            let links: Option<Vec<_>> = part
                .edges()
                .iter()
                .map(|edge| {
                    let kind = graph.edge_labels.find(part.edge_labels.name(edge.label))?;
                    Some((edge.from as u8, edge.to as u8, super::index::kind_of(kind, false)))
                })
                .collect();
            labels.zip(links)
        };
        Checked {
            constraints: self,
            label_allowed: allowed(&graph.node_labels, &self.only_labels, &self.without_labels),
            edge_allowed: allowed(&graph.edge_labels, &self.only_edges, &self.without_edges),
            without_parts: self.without_parts.iter().filter_map(part).collect(),
            with_labels: self.with_labels.iter().map(|name| graph.node_labels.find(name)).collect(),
            directed: graph.directed,
        }
    }
}

impl Checked<'_> {
    /// Whether a pattern keeps what all its parts keep too.
    pub fn allow(&self, code: &Code) -> bool {
        let (labels, links) = (code.labels(), code.links());
        let within = |limit: Option<usize>, count: usize| limit.is_none_or(|limit| count <= limit);
        let mut degrees = vec![0; labels.len()];
        for (from, to, _) in &links {
            degrees[*from as usize] += 1;
            degrees[*to as usize] += 1;
        }
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        labels.iter().for_each(|label| *counts.entry(*label).or_default() += 1);
        let limits = self.constraints;
        within(limits.max_nodes, labels.len())
            && links.len() <= limits.max_edges.unwrap_or(MAX_EDGES).min(MAX_EDGES)
            && within(limits.max_degree, degrees.into_iter().max().unwrap_or_default())
            && within(limits.max_same_label, counts.into_values().max().unwrap_or_default())
            && labels.iter().all(|label| self.label_allowed[*label as usize])
            && links.iter().all(|(_, _, kind)| self.edge_allowed[*kind as usize / 2])
            && !self
                .without_parts
                .iter()
                .any(|(part, part_links)| contains((&labels, &links), (part, part_links), self.directed))
    }

    /// Whether a pattern that was found is wanted.
    pub fn want(&self, code: &Code) -> bool {
        let labels = code.labels();
        let limits = self.constraints;
        limits.min_nodes.is_none_or(|least| labels.len() >= least)
            && limits.min_edges.is_none_or(|least| code.steps.len() >= least)
            && self.with_labels.iter().all(|label| label.is_some_and(|label| labels.contains(&label)))
    }
}
