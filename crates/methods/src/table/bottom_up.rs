//! Starts from the values as they are and replaces siblings by their parent, the best first, until all groups are large enough.
//!
//! # Reference
//! WYC04: Wang, Yu, Chakraborty. Bottom-up generalization: a data mining solution to privacy protection. ICDM 2004; full-subtree
//! recoding as in SECRETA.
//! # Guarantees
//! The release satisfies `k`, and `l-diversity` and `t-closeness` where they were asked for. A value is published in one way
//! everywhere.
//! # Cost
//! Every step counts, for each parent that may replace its children, the groups that have one of them; parents are weighed in
//! parallel. Rows with equal values are counted once.
//! # Departs from the paper
//! Where no parent makes the smallest group larger, the one that takes most people out of failing groups is taken, and where none does
//! that, the one that costs least: the paper would stop.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{HashMap, HashTable};
use rayon::prelude::*;
use throng_contract::{
    BodyKind, Cancelled, DataKind, Descriptor, DescriptorKind, Input, Need, Phase, Product, settings,
};
use throng_data::{Cover, NodeId};

use super::demands::Demands;
use super::params::{BOUNDS, Bounds, K, OfSecrets};
use super::quasi::{Quasi, Sets, Shape, Wanted};
use super::release::{Cells, by_code};
use crate::{Explanation, Method, MethodError, Outcome, Task};

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = K,
        of_secrets: OfSecrets,
        bounds: Bounds = BOUNDS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "bottom-up",
    purpose: "replace values by their parents in the hierarchy, the best first, until all groups are large enough",
    takes: &[DataKind::Table],
    needs: &[Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    keeps: Some("k"),
    product: Some(Product::of(BodyKind::Table)),
    paper: "WYC04",
    example: "throng anonymize patients/patients.csv --schema patients/schema.toml --method bottom-up -k 5 -o release",
    notes: "Numbers and dates need a hierarchy; a category without one is kept or suppressed as a whole. Best where little has to \
            change; `top-down` is faster where much has to.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// Keeps a division by nothing lost finite.
const EPSILON: f64 = 1e-9;

/// Full-subtree bottom-up generalisation.
#[derive(Debug, Clone, Copy)]
pub struct BottomUp;

impl Method for BottomUp {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let wanted =
            Wanted { k: asked.k, bounds: asked.bounds, along_order: false, sets: Sets::AllOrNothing };
        let quasi = Quasi::read(task, wanted)?;
        quasi.iter().try_for_each(|quasi| quasi.needs_hierarchy(DESCRIPTOR.name))?;
        let demands = Demands::new(asked.k, &asked.of_secrets, task.data)?;
        if let Some(why) = demands.infeasible(task.data.subjects.len() as u64) {
            return Err(why);
        }
        let mut state = State::new(&quasi, &demands);
        let steps = {
            let phase = task.progress.phase("generalise values", None);
            state.run(&phase)?
        };
        let cells = quasi.iter().zip(&state.columns).map(|(quasi, column)| column.cells(quasi)).collect();
        let release = by_code(task, &quasi, cells, &[]);
        Ok(Outcome {
            release,
            explanation: Explanation::default(),
            notes: demands.with_notes(vec![format!("{steps} times, values were replaced by their parent")]),
            public_notes: Vec::new(),
            ledger: None,
            also: demands.also(),
        })
    }
}

/// A node of a column: a value, a node of its hierarchy, or all values at once.
#[derive(Debug, Clone)]
struct Parent {
    /// Smallest and largest code below it.
    low: u32,
    high: u32,
    loss: f64,
    node: Option<NodeId>,
}

/// A column, and what each of its codes is generalised to.
struct Column {
    /// What each code is now: the smallest code of its value in the cut.
    image: Vec<u32>,
    /// What each code is published as: a parent, or the value itself.
    parent: Vec<Option<u32>>,
    /// All nodes above values, each after everything below it.
    parents: Vec<Parent>,
    /// Parents whose children are all in the cut.
    ready: Vec<u32>,
    /// Children that are not yet in the cut, by parent.
    missing: Vec<u32>,
    /// The next parent above each parent.
    above: Vec<Option<u32>>,
    people: Vec<u64>,
}

impl Column {
    fn new(quasi: &Quasi) -> Column {
        let codes = quasi.len() as u32;
        let mut people = vec![0; quasi.len()];
        quasi.codes.iter().for_each(|code| people[*code as usize] += 1);
        let mut parents: Vec<Parent> = Vec::new();
        let mut above: Vec<Option<u32>> = Vec::new();
        match &quasi.shape {
            Shape::Tree(tree) => {
                let names = tree.hierarchy.tree();
                let hasher = foldhash::fast::FixedState::with_seed(0);
                let mut spans: HashMap<NodeId, (u32, u32), _> = HashMap::with_hasher(hasher);
                for code in 0..codes {
                    let mut node = names.parent(tree.leaves[code as usize]);
                    while let Some(at) = node {
                        spans.entry(at).and_modify(|span| span.1 = code).or_insert((code, code));
                        node = names.parent(at);
                    }
                }
                let mut nodes: Vec<NodeId> = spans.keys().copied().collect();
                // Deeper nodes first, so that whatever is below a node comes before it.
                nodes.sort_by_key(|node| (std::cmp::Reverse(names.depth(*node)), spans[node].0, *node));
                let places: HashMap<NodeId, u32, _> =
                    nodes.iter().copied().zip(0..).collect::<HashMap<_, _, foldhash::fast::FixedState>>();
                let place = |node: NodeId| places.get(&node).copied();
                for node in &nodes {
                    let (low, high) = spans[node];
                    let loss = tree.losses[*node as usize];
                    parents.push(Parent { low, high, loss, node: Some(*node) });
                    above.push(names.parent(*node).and_then(place));
                }
            }
            _ if codes > 1 => {
                parents.push(Parent { low: 0, high: codes - 1, loss: 1.0, node: None });
                above.push(None);
            }
            _ => {}
        }
        let mut missing = vec![0; parents.len()];
        above.iter().flatten().for_each(|parent| missing[*parent as usize] += 1);
        let ready = (0..parents.len() as u32).filter(|parent| missing[*parent as usize] == 0).collect();
        Column {
            image: (0..codes).collect(),
            parent: vec![None; quasi.len()],
            parents,
            ready,
            missing,
            above,
            people,
        }
    }

    /// NCP that a parent adds, in people.
    fn added(&self, parent: u32) -> f64 {
        let Parent { low, high, loss, .. } = self.parents[parent as usize];
        let added = (low..=high).map(|code| {
            let now = self.parent[code as usize].map_or(0.0, |now| self.parents[now as usize].loss);
            self.people[code as usize] as f64 * (loss - now)
        });
        added.sum()
    }

    fn apply(&mut self, parent: u32) {
        let Parent { low, high, .. } = self.parents[parent as usize];
        self.image[low as usize..=high as usize].fill(low);
        self.parent[low as usize..=high as usize].fill(Some(parent));
        self.ready.retain(|ready| *ready != parent);
        if let Some(next) = self.above[parent as usize] {
            self.missing[next as usize] -= 1;
            if self.missing[next as usize] == 0 {
                self.ready.push(next);
            }
        }
    }

    fn cells(&self, quasi: &Quasi) -> Cells {
        let mut covers = Vec::new();
        let mut of_code = Vec::with_capacity(quasi.len());
        let mut last: Option<Option<u32>> = None;
        for (code, parent) in (0..).zip(&self.parent) {
            if parent.is_none() || last != Some(*parent) {
                covers.push(match (parent.map(|parent| &self.parents[parent as usize]), &quasi.shape) {
                    (Some(Parent { node: Some(node), .. }), Shape::Tree(tree)) => quasi.node(tree, *node),
                    (Some(_), _) => Cover::Suppressed,
                    (None, _) => Cover::Value(quasi.values[code as usize].clone()),
                });
            }
            last = Some(*parent);
            of_code.push(covers.len() as u32 - 1);
        }
        Cells { covers, of_code }
    }
}

/// Distinct rows under the present cut.
struct Group {
    codes: Vec<u32>,
    rows: u32,
    /// The values of each sensitive column.
    tallies: Vec<Vec<(u32, u32)>>,
    good: bool,
}

impl Group {
    /// Adds the rows of another group.
    fn take(&mut self, other: &Group) {
        self.rows += other.rows;
        for (tally, more) in self.tallies.iter_mut().zip(&other.tallies) {
            add(tally, more);
        }
    }

    fn meets(&self, demands: &Demands) -> bool {
        demands.met(u64::from(self.rows), |number| &self.tallies[number])
    }
}

/// The cut of every column, and the groups under it.
struct State<'a> {
    demands: &'a Demands,
    columns: Vec<Column>,
    groups: Vec<Group>,
    people: f64,
}

/// What replacing children by a parent would bring.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Gain {
    /// Increase of the smallest group by loss.
    anonymity: f64,
    /// People who leave failing groups by loss.
    relieved: f64,
    /// The loss, negative: less is better.
    spared: f64,
}

impl<'a> State<'a> {
    fn new(quasi: &[Quasi], demands: &'a Demands) -> Self {
        let people = quasi.first().map_or(0, |quasi| quasi.codes.len());
        let rows = (0..people).map(|person| {
            let codes = quasi.iter().map(|quasi| quasi.codes[person]).collect();
            let tallies = demands.secrets.iter().map(|secret| vec![(secret.codes[person], 1)]).collect();
            Group { codes, rows: 1, tallies, good: false }
        });
        let mut state = State {
            demands,
            columns: quasi.iter().map(Column::new).collect(),
            groups: rows.collect(),
            people: people as f64,
        };
        state.merge();
        state
    }

    /// Merges groups whose values have become equal.
    fn merge(&mut self) {
        let hasher = foldhash::fast::FixedState::with_seed(0);
        let mut place: HashMap<Vec<u32>, usize, _> = HashMap::with_hasher(hasher);
        let mut merged: Vec<Group> = Vec::new();
        for mut group in self.groups.drain(..) {
            for (code, column) in group.codes.iter_mut().zip(&self.columns) {
                *code = column.image[*code as usize];
            }
            match place.get(&group.codes) {
                Some(at) => merged[*at].take(&group),
                None => {
                    place.insert(group.codes.clone(), merged.len());
                    merged.push(group);
                }
            }
        }
        for group in &mut merged {
            group.good = group.meets(self.demands);
        }
        self.groups = merged;
    }

    /// Generalises until no group fails; how often.
    fn run(&mut self, phase: &Phase<'_>) -> Result<u64, Cancelled> {
        let mut steps = 0;
        while self.groups.iter().any(|group| !group.good) {
            phase.advance(1)?;
            let parents = self.columns.iter().enumerate();
            let ready: Vec<(usize, u32)> = parents
                .flat_map(|(column, state)| state.ready.iter().map(move |parent| (column, *parent)))
                .collect();
            let gains: Vec<Gain> =
                ready.par_iter().map(|(column, parent)| self.gain(*column, *parent)).collect();
            let mut best: Option<(Gain, (usize, u32))> = None;
            for (gain, choice) in gains.into_iter().zip(ready) {
                if best.is_none_or(|(most, _)| gain > most) {
                    best = Some((gain, choice));
                }
            }
            // Nothing is left above the roots, where one group of everybody was found good enough beforehand.
            let Some((_, (column, parent))) = best else { break };
            self.columns[column].apply(parent);
            self.merge();
            steps += 1;
        }
        Ok(steps)
    }

    /// What a parent would bring.
    fn gain(&self, column: usize, parent: u32) -> Gain {
        let Parent { low, high, .. } = self.columns[column].parents[parent as usize];
        let others = |at: u32| {
            let codes = &self.groups[at as usize].codes;
            (&codes[..column], &codes[column + 1..])
        };
        let hasher = foldhash::fast::FixedState::with_seed(0);
        // Groups that differ in this column alone become one; each is found by the first of its parts.
        let mut found: HashTable<(u32, u32)> = HashTable::new();
        let mut merged: Vec<Group> = Vec::new();
        let (mut before, mut after) = (u32::MAX, u32::MAX);
        let (mut failing, mut still) = (0_u64, 0_u64);
        for (at, group) in (0..).zip(&self.groups) {
            before = before.min(group.rows);
            if !(low..=high).contains(&group.codes[column]) {
                after = after.min(group.rows);
                continue;
            }
            if !group.good {
                failing += u64::from(group.rows);
            }
            let same = |(first, _): &(u32, u32)| others(*first) == others(at);
            match found.entry(hasher.hash_one(others(at)), same, |(first, _)| hasher.hash_one(others(*first)))
            {
                Entry::Occupied(entry) => merged[entry.get().1 as usize].take(group),
                Entry::Vacant(entry) => {
                    entry.insert((at, merged.len() as u32));
                    let tallies = group.tallies.clone();
                    merged.push(Group { codes: Vec::new(), rows: group.rows, tallies, good: false });
                }
            }
        }
        for group in &merged {
            after = after.min(group.rows);
            if !group.meets(self.demands) {
                still += u64::from(group.rows);
            }
        }
        let loss = self.columns[column].added(parent) / (self.people * self.columns.len() as f64);
        // A smallest group beyond k is of no use.
        let enough = self.demands.k;
        let grown = after.min(enough).saturating_sub(before.min(enough));
        Gain {
            anonymity: f64::from(grown) / (loss + EPSILON),
            relieved: failing.saturating_sub(still) as f64 / (loss + EPSILON),
            spared: -loss,
        }
    }
}

/// Adds counts to counts, both ascending by value.
fn add(tally: &mut Vec<(u32, u32)>, more: &[(u32, u32)]) {
    for (value, count) in more {
        match tally.binary_search_by_key(value, |known| known.0) {
            Ok(at) => tally[at].1 += count,
            Err(at) => tally.insert(at, (*value, *count)),
        }
    }
}
