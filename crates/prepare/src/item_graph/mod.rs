//! A graph of the items of a dataset: who was at one and went to the other joins the two.
//!
//! ```text
//! people ─► pairs of items, each once a person ─► pairs of enough people ─► nodes and edges
//! ```
//!
//! Nodes are items (places), with a label that several of them share: their category, the region they lie in, or one for all. Edges join items that
//! people went from one to the other of, or that stand in one record; their weight is the number of people.
//!
//! # Guarantees
//! People are counted, not events. No item and no pair with fewer than `min_people` people is in the graph. The same data give the same graph with any
//! number of threads.
//! # Cost
//! Eight bytes for each person and pair of items they have, and a sort of them. Pairs of one record grow with the square of its items, so that they are
//! counted before they are made: above [`MAX_PAIRS`] the work is refused.

mod error;
mod labels;
mod write;

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::Serialize;
use throng_contract::{Progress, choices};
use throng_data::{Dataset, Dictionary, EventKind, Events, Graph, GraphBuilder, ItemId};

pub use error::ItemGraphError;
pub use labels::{Labels, LabelsBy, labels_of};
pub use write::{EDGES, FILES, GRAPH, NODES, SUMMARY, write};

/// Pairs that are held at once, at most: one gigabyte of them.
pub const MAX_PAIRS: u64 = 1 << 27;

/// People that are looked at between two looks at whether the work was cancelled.
const BLOCK: usize = 1 << 12;

/// What joins two items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// A person went from one to the other, with nothing in between.
    Moves,
    /// Both stand in one record.
    CoVisits,
}

impl Ties {
    /// Their words on the command line.
    pub const ALL: [(Ties, &'static str); 2] = [(Ties::Moves, "moves"), (Ties::CoVisits, "co-visits")];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Ties::ALL.iter().find(|(ties, _)| *ties == self).map_or("", |(_, word)| word)
    }

    /// What suits such data: sets have no order, so there are no moves in them.
    pub fn usual(kind: EventKind) -> Ties {
        if kind == EventKind::Sequence { Ties::Moves } else { Ties::CoVisits }
    }
}

choices! {
    /// How it is chosen what joins two items.
    pub enum TiesBy {
        /// By what suits the data.
        Usual = "usual",
        /// Going from one to the other.
        Moves = "moves",
        /// Having both in one record.
        CoVisits = "co-visits",
    }
}

impl TiesBy {
    /// What joins items in such data.
    pub fn ties(self, kind: EventKind) -> Ties {
        match self {
            TiesBy::Usual => Ties::usual(kind),
            TiesBy::Moves => Ties::Moves,
            TiesBy::CoVisits => Ties::CoVisits,
        }
    }
}

/// What becomes an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// What joins two items.
    pub ties: Ties,
    /// Whether a move there is another one than a move back.
    pub directed: bool,
    /// People below whom neither an item nor a pair is shown; at least one.
    pub min_people: u64,
}

/// The graph, and the people behind it.
#[derive(Debug, Clone)]
pub struct ItemGraph {
    /// Items with a label each; edges have no label, and the number of people as their weight.
    pub graph: Graph,
    /// People of each node.
    pub node_people: Vec<u64>,
    /// People of each edge.
    pub edge_people: Vec<u64>,
    /// Items that too few people have.
    pub items_left_out: u64,
    /// Pairs, among the items that are shown, that too few people have.
    pub pairs_left_out: u64,
}

/// What a graph of items is like. What was left out is not told to the number: a difference of one would speak of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemGraphSummary {
    /// The form of this summary.
    pub schema: &'static str,
    /// What joins two items.
    pub edges_from: &'static str,
    /// What nodes are labelled by.
    pub labels_from: &'static str,
    /// Whether edges have a direction.
    pub directed: bool,
    /// People below whom nothing is shown.
    pub min_people: u64,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of node labels.
    pub labels: u64,
    /// Number of edges.
    pub edges: u64,
    /// Whether items were left out.
    pub items_left_out: bool,
    /// Whether pairs of items were left out.
    pub pairs_left_out: bool,
}

impl ItemGraph {
    /// In a few numbers.
    pub fn summary(&self, joining: &Joining, labels: &Labels) -> ItemGraphSummary {
        let nodes = 0..self.graph.nodes.len() as u32;
        let used: BTreeSet<u32> = nodes.flat_map(|node| self.graph.labels_of(node)).copied().collect();
        ItemGraphSummary {
            schema: "throng.prepare-graph/1",
            edges_from: joining.ties.word(),
            labels_from: labels.word(),
            directed: joining.directed,
            min_people: joining.min_people,
            nodes: self.graph.nodes.len() as u64,
            labels: used.len() as u64,
            edges: self.graph.edges().len() as u64,
            items_left_out: self.items_left_out > 0,
            pairs_left_out: self.pairs_left_out > 0,
        }
    }
}

/// The graph of a dataset's items.
pub fn item_graph(
    data: &Dataset,
    labels: &Labels,
    joining: &Joining,
    progress: &Progress,
) -> Result<ItemGraph, ItemGraphError> {
    let labels = labels_of(data, labels)?;
    let made = join(&data.events, &data.items, &labels, joining, progress)?;
    match made.graph.edges().is_empty() {
        true => Err(ItemGraphError::NothingLeft { min_people: joining.min_people }),
        false => Ok(made),
    }
}

/// The graph of some events over the items of a dataset, each with a label. An item without a name here is passed over, and so is the way over it.
pub fn join(
    events: &Events,
    items: &Dictionary,
    labels: &[String],
    joining: &Joining,
    progress: &Progress,
) -> Result<ItemGraph, ItemGraphError> {
    if joining.ties == Ties::Moves && events.kind() != EventKind::Sequence {
        return Err(ItemGraphError::NoOrder);
    }
    let least = joining.min_people.max(1);
    let owners = owners(events, items.len());
    let shown: Vec<bool> = owners.iter().map(|people| *people >= least).collect();
    let pairs = pairs(events, &shown, joining, progress)?;
    let mut builder = GraphBuilder::new(joining.directed);
    // Labels have the same numbers whatever items are shown.
    labels.iter().for_each(|label| builder.label(label));
    // Where each item stands among the nodes.
    let mut node_of: Vec<u32> = vec![0; items.len()];
    let mut node_people = Vec::new();
    for item in 0..items.len() {
        if shown[item]
            && let Some(node) = builder.node(items.name(item as ItemId), [labels[item].as_str()])
        {
            node_of[item] = node;
            node_people.push(owners[item]);
        }
    }
    let mut pairs_left_out = 0;
    for alike in pairs.chunk_by(|one, other| one == other) {
        let people = alike.len() as u64;
        if people < least {
            pairs_left_out += 1;
            continue;
        }
        let [from, to] = [alike[0] >> 32, alike[0] & u64::from(u32::MAX)].map(|item| node_of[item as usize]);
        builder.edge(from, to, "", Some(people as f64));
    }
    let graph = builder.finish();
    let edge_people = graph.weights().unwrap_or_default().iter().map(|weight| *weight as u64).collect();
    let items_left_out = owners.iter().filter(|people| **people > 0 && **people < least).count() as u64;
    Ok(ItemGraph { graph, node_people, edge_people, items_left_out, pairs_left_out })
}

/// How many people have each item.
fn owners(events: &Events, items: usize) -> Vec<u64> {
    let mut owners = vec![0_u64; items];
    let mut last = vec![usize::MAX; items];
    for person in 0..events.subjects() {
        for item in events.records_of(person).flat_map(|record| events.record(record)) {
            let item = *item as usize;
            if item < items && last[item] != person {
                last[item] = person;
                owners[item] += 1;
            }
        }
    }
    owners
}

/// The pairs of items of all people, each once a person, ascending.
fn pairs(
    events: &Events,
    shown: &[bool],
    joining: &Joining,
    progress: &Progress,
) -> Result<Vec<u64>, ItemGraphError> {
    let known = |item: &ItemId| shown.get(*item as usize).copied().unwrap_or(false);
    let distinct = |record: usize| {
        let mut items: Vec<ItemId> = events.record(record).iter().copied().filter(known).collect();
        items.sort_unstable();
        items.dedup();
        items
    };
    let everybody: Vec<usize> = (0..events.subjects()).collect();
    let count = |person: &usize| -> u64 {
        let of_record = |record: usize| match joining.ties {
            Ties::Moves => events.record(record).len() as u64,
            Ties::CoVisits => (distinct(record).len() as u64).pow(2) / 2,
        };
        events.records_of(*person).map(of_record).sum()
    };
    let expected: u64 = everybody.par_iter().map(count).sum();
    if expected > MAX_PAIRS {
        return Err(ItemGraphError::TooManyPairs { pairs: expected });
    }
    let key = |from: ItemId, to: ItemId| match joining.directed || from < to {
        true => u64::from(from) << 32 | u64::from(to),
        false => u64::from(to) << 32 | u64::from(from),
    };
    let of_person = |person: &usize| {
        let mut own: Vec<u64> = Vec::new();
        for record in events.records_of(*person) {
            match joining.ties {
                Ties::Moves => {
                    let steps = events.record(record).windows(2);
                    let steps = steps.filter(|step| step[0] != step[1] && known(&step[0]) && known(&step[1]));
                    own.extend(steps.map(|step| key(step[0], step[1])));
                }
                Ties::CoVisits => {
                    let items = distinct(record);
                    for (at, from) in items.iter().enumerate() {
                        own.extend(items[at + 1..].iter().map(|to| key(*from, *to)));
                    }
                }
            }
        }
        own.sort_unstable();
        own.dedup();
        own
    };
    let phase = progress.phase("pairs", Some(everybody.len() as u64));
    let mut pairs = Vec::new();
    for part in everybody.chunks(BLOCK) {
        let own: Vec<Vec<u64>> = part.par_iter().map(of_person).collect();
        pairs.extend(own.into_iter().flatten());
        phase.advance(part.len() as u64)?;
    }
    pairs.par_sort_unstable();
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(words: &[&str], ties: Ties, directed: bool, min_people: u64) -> Vec<(String, String, u64)> {
        let data = Dataset::from_words(words.iter().copied());
        let joining = Joining { ties, directed, min_people };
        let made = join(&data.events, &data.items, &vec![String::new(); 26], &joining, &Progress::silent());
        let made = made.unwrap();
        let name = |node: u32| made.graph.nodes.name(node).to_owned();
        let edges = made.graph.edges().iter().zip(&made.edge_people);
        edges.map(|(edge, people)| (name(edge.from), name(edge.to), *people)).collect()
    }

    fn edge(ends: &str, people: u64) -> (String, String, u64) {
        (ends[..1].to_owned(), ends[1..].to_owned(), people)
    }

    #[test]
    fn people_are_counted_and_not_events() {
        let words = ["ababab", "ab", "ba", "aacb"];
        let there = [edge("ab", 2), edge("ac", 1), edge("ba", 2), edge("cb", 1)];
        assert_eq!(joined(&words, Ties::Moves, true, 1), there);
        assert_eq!(joined(&words, Ties::Moves, false, 1), [edge("ab", 3), edge("ac", 1), edge("bc", 1)]);
        assert_eq!(joined(&words, Ties::CoVisits, false, 1), [edge("ab", 4), edge("ac", 1), edge("bc", 1)]);
    }

    #[test]
    fn items_and_pairs_of_too_few_people_are_not_shown() {
        let data = Dataset::from_words(["abc", "abd", "ba"]);
        let joining = Joining { ties: Ties::Moves, directed: true, min_people: 2 };
        let labels = vec!["x".to_owned(); 4];
        let made = join(&data.events, &data.items, &labels, &joining, &Progress::silent()).unwrap();
        assert_eq!(made.graph.nodes.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((&made.node_people[..], &made.edge_people[..]), (&[3, 3][..], &[2][..]));
        // Only `ba` is a pair of items that are shown.
        assert_eq!((made.items_left_out, made.pairs_left_out), (2, 1));
    }

    #[test]
    fn sets_have_no_moves() {
        let mut data = Dataset::from_words(["ab"]);
        data.events = data.events.as_sets();
        let joining = Joining { ties: Ties::Moves, directed: true, min_people: 1 };
        let made = item_graph(&data, &Labels::Same, &joining, &Progress::silent());
        assert!(matches!(made, Err(ItemGraphError::NoOrder)));
        let joining = Joining { ties: Ties::CoVisits, directed: false, min_people: 2 };
        let made = item_graph(&data, &Labels::Same, &joining, &Progress::silent());
        assert!(matches!(made, Err(ItemGraphError::NothingLeft { min_people: 2 })));
    }
}
