//! Candidates: patterns with one edge more.

use std::collections::BTreeMap;

use super::code::{Code, Link, Step};
use super::index::turned;

/// The edges that are frequent by themselves, by the label of the node they are seen from: kind, and label of the other node.
#[derive(Debug, Default)]
pub(super) struct FrequentEdges {
    from: BTreeMap<u32, Vec<(u32, u32)>>,
    directed: bool,
    /// Whether two nodes may be joined by several edges.
    parallel: bool,
}

impl FrequentEdges {
    /// From single-edge patterns.
    pub fn new(codes: &[Code], directed: bool, parallel: bool) -> Self {
        let mut from: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for step in codes.iter().map(|code| code.steps[0]) {
            from.entry(step.from_label).or_default().push((step.kind, step.to_label));
            from.entry(step.to_label).or_default().push((turned(step.kind, directed), step.from_label));
        }
        for ways in from.values_mut() {
            ways.sort_unstable();
            ways.dedup();
        }
        FrequentEdges { from, directed, parallel }
    }

    fn ways(&self, label: u32) -> &[(u32, u32)] {
        self.from.get(&label).map_or(&[], Vec::as_slice)
    }

    /// All patterns that have one frequent edge more and whose least walk begins with this one.
    pub fn extensions(&self, code: &Code) -> Vec<Code> {
        let labels = code.labels();
        let path = code.rightmost_path();
        let last = path[0];
        let links = code.links();
        let mut found = Vec::new();
        let mut extend = |step: Step| {
            if !self.less_than_first(&step, &code.steps[0]) {
                let mut longer = code.clone();
                longer.steps.push(step);
                if longer.is_least(self.directed) {
                    found.push(longer);
                }
            }
        };
        for to in path.iter().rev().filter(|to| **to != last) {
            let (from_label, to_label) = (labels[last as usize], labels[*to as usize]);
            for (kind, _) in self.ways(from_label).iter().filter(|(_, other)| *other == to_label) {
                if !self.taken(&links, last, *to, *kind) {
                    extend(Step { from: last, to: *to, from_label, kind: *kind, to_label });
                }
            }
        }
        for from in &path {
            let from_label = labels[*from as usize];
            for (kind, to_label) in self.ways(from_label) {
                let to = labels.len() as u8;
                extend(Step { from: *from, to, from_label, kind: *kind, to_label: *to_label });
            }
        }
        found
    }

    /// Whether an edge cannot be added between two nodes: it is there, or one is enough for two nodes.
    fn taken(&self, links: &[Link], a: u8, b: u8, kind: u32) -> bool {
        links.iter().any(|(from, to, there)| {
            let joined = (*from, *to) == (a, b) || (*from, *to) == (b, a);
            let seen = if (*from, *to) == (a, b) { *there } else { turned(*there, self.directed) };
            joined && (!self.parallel || seen == kind)
        })
    }

    /// Whether a walk that begins with this edge would be less: then the one at hand is not the least.
    fn less_than_first(&self, step: &Step, first: &Step) -> bool {
        let begin = (first.from_label, first.kind, first.to_label);
        (step.from_label, step.kind, step.to_label) < begin
            || (step.to_label, turned(step.kind, self.directed), step.from_label) < begin
    }
}

/// The connected patterns with one edge less: which edge is gone, the nodes that are left, and their edges.
pub(super) fn parts(code: &Code) -> Vec<Part> {
    let labels = code.labels();
    let links = code.links();
    (0..links.len()).filter_map(|gone| part_without(&labels, &links, gone)).collect()
}

/// A part of a pattern.
#[derive(Debug)]
pub(super) struct Part {
    /// The nodes of the pattern that are left, ascending: node `i` of the part is node `nodes[i]` of the pattern.
    pub nodes: Vec<u8>,
    pub labels: Vec<u32>,
    pub links: Vec<Link>,
}

fn part_without(labels: &[u32], links: &[Link], gone: usize) -> Option<Part> {
    let kept = || links.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, link)| *link);
    let mut nodes: Vec<u8> = kept().flat_map(|(from, to, _)| [from, to]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.is_empty() {
        return None;
    }
    let links: Vec<Link> = kept()
        .map(|(from, to, kind)| {
            let at = |node: u8| nodes.binary_search(&node).unwrap_or_default() as u8;
            (at(from), at(to), kind)
        })
        .collect();
    let labels = nodes.iter().map(|node| labels[*node as usize]).collect();
    let part = Part { nodes, labels, links };
    part.connected().then_some(part)
}

impl Part {
    fn connected(&self) -> bool {
        let mut reached = vec![false; self.nodes.len()];
        reached[0] = true;
        loop {
            let before = reached.iter().filter(|reached| **reached).count();
            for (a, b, _) in &self.links {
                let either = reached[*a as usize] || reached[*b as usize];
                (reached[*a as usize], reached[*b as usize]) = (either, either);
            }
            let now = reached.iter().filter(|reached| **reached).count();
            if now == before {
                return now == reached.len();
            }
        }
    }
}
