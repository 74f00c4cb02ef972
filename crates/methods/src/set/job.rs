//! What the methods over cuts have in common: the hierarchy, the people, and the release that a cut stands for.

use std::sync::Arc;

use throng_contract::Input;
use throng_data::{
    Body, Dictionary, EventKind, Events, GeneralisedItem, ItemId, Nature, Release, Suppression, render_item,
};

use super::baskets::{Baskets, NONE};
use super::books::Books;
use super::cut::Cut;
use super::params::Promised;
use super::search::{Demand, Reach, Search};
use super::tree::{Tree, by_name};
use crate::{Explanation, MethodError, Outcome, Reason, Task, Variant};

/// A task of a method over cuts.
pub(super) struct Job<'a> {
    task: &'a Task<'a>,
    /// The hierarchy; it has no node when no item may be generalised.
    pub tree: Tree,
    /// People by the leaves they have.
    pub leaves: Baskets,
    /// How many sensitive items there are.
    pub secrets: usize,
    secret_of: Vec<u32>,
    pub demand: Demand,
    pub m: usize,
    generated: bool,
}

/// What one cut is for.
pub(super) struct Part {
    pub cut: Cut,
    pub steps: Vec<Reason>,
}

impl<'a> Job<'a> {
    /// `fan_out` shapes the hierarchy of items that come without one.
    pub fn new(
        method: &'static str,
        task: &'a Task<'a>,
        promised: impl Into<Promised>,
        fan_out: u64,
    ) -> Result<Self, MethodError> {
        let Promised { k, m, l } = promised.into();
        let items = &task.data.items;
        let mut secret_of = vec![NONE; items.len()];
        let mut secrets = 0;
        if l.is_some() {
            let sensitive = items.ids(&task.inputs.sensitive_items);
            if sensitive.is_empty() {
                return Err(MethodError::MissingInput { method, input: Input::SensitiveItems });
            }
            for item in sensitive {
                if secret_of[item as usize] == NONE {
                    secret_of[item as usize] = secrets;
                    secrets += 1;
                }
            }
        }
        let fixed: Vec<bool> = secret_of.iter().map(|secret| *secret != NONE).collect();
        let taxonomy = task.inputs.taxonomy.as_ref();
        let tree = match taxonomy {
            _ if items.is_empty() => Tree::empty(),
            Some(taxonomy) => Tree::new(taxonomy, items, &fixed),
            None => by_name(items, &fixed, fan_out as usize)
                .and_then(|taxonomy| Tree::new(&taxonomy, items, &fixed)),
        };
        let tree = tree.map_err(|error| MethodError::BadData {
            what: error.to_string(),
            help: "add a line for it to the taxonomy file".into(),
        })?;
        let leaves = match task.variant {
            Variant::Sound => Baskets::of(&task.data.events, tree.leaf_of(), &secret_of),
            // The paper counts records: each is a person of its own.
            Variant::AsPrinted => {
                let records = task.data.events.clone().one_subject_per_record();
                Baskets::of(&records, tree.leaf_of(), &secret_of)
            }
        };
        Ok(Job {
            task,
            tree,
            leaves,
            secrets: secrets as usize,
            secret_of,
            demand: Demand { k, l: l.unwrap_or(1) },
            m: m as usize,
            generated: taxonomy.is_none(),
        })
    }

    /// Whether everything as one item would do for these people; otherwise nothing does.
    pub fn check(&self, people: &Baskets) -> Result<(), MethodError> {
        let Demand { k, l } = self.demand;
        let all = people.people();
        if all == 0 {
            return Ok(());
        }
        if all < k {
            return Err(MethodError::Infeasible {
                why: format!("not k = {k} people have an item that could be generalised, but {all}"),
                help: "use a smaller `k`, or more people".into(),
            });
        }
        let carriers = people.people_by_secret(self.secrets);
        let too_common = carriers.iter().position(|carriers| carriers.saturating_mul(l) > all);
        let Some(secret) = too_common else { return Ok(()) };
        let item = self.secret_of.iter().position(|other| *other == secret as u32).unwrap_or_default();
        Err(MethodError::Infeasible {
            why: format!(
                "{} of {all} people have the sensitive item `{}`: more than one in l = {l}, whatever else is published",
                carriers[secret],
                self.task.data.items.name(item as ItemId)
            ),
            help: "lower {l}, or take the most frequent sensitive items off the list".into(),
        })
    }

    /// A search among these people.
    pub fn search(&'a self, people: &Baskets) -> Search<'a> {
        let books = Books::new(&self.tree, people, self.secrets);
        let reach = if self.secrets > 0 { Reach::OnCut } else { Reach::NotBelow };
        let search = Search::new(books, self.demand, self.m, reach, self.task.progress);
        Search { once: search.once || self.task.variant == Variant::AsPrinted, ..search }
    }

    /// The release in which the people of crowd `c` are published by the cut number `part_of[c]`.
    pub fn publish(&self, parts: Vec<Part>, part_of: &[u32]) -> Outcome {
        let items = self.task.data.items.len();
        let mut base: Dictionary = (*self.task.data.items).clone();
        let mut alphabet: Vec<GeneralisedItem> = Vec::new();
        let mut number = vec![NONE; self.tree.nodes()];
        let mut images: Vec<Vec<ItemId>> = Vec::with_capacity(parts.len());
        // Sensitive items, and everything while there is no cut, are published as they are.
        let mut intact = vec![NONE; items];
        let mut steps = Vec::new();
        let (mut cost, mut occurrences) = (0_u64, 0_u64);
        for part in parts {
            cost += part.cut.cost();
            occurrences += part.cut.occurrences();
            let mut nodes = vec![NONE; items];
            part.cut.images(&self.tree, &mut nodes);
            let image = (0..items).map(|item| {
                let slot = match nodes[item] {
                    NONE => &mut intact[item],
                    node => &mut number[node as usize],
                };
                if *slot == NONE {
                    *slot = alphabet.len() as ItemId;
                    alphabet.push(self.word(item as ItemId, nodes[item], &mut base));
                }
                *slot
            });
            images.push(image.collect());
            steps.extend(part.steps);
        }
        let original = &self.task.data.events;
        let mut record_events = Vec::with_capacity(original.records() + 1);
        record_events.push(0);
        let mut words: Vec<ItemId> = Vec::with_capacity(original.len());
        for subject in 0..original.subjects() {
            for record in original.records_of(subject) {
                let unit = if self.task.variant == Variant::Sound { subject } else { record };
                let part = self.leaves.crowd_of().get(unit).filter(|crowd| **crowd != NONE);
                let image = &images[part.map_or(0, |crowd| part_of[*crowd as usize] as usize)];
                let begin = words.len();
                words.extend(original.record(record).iter().map(|item| image[*item as usize]));
                super::baskets::sort_and_dedup(&mut words, begin);
                record_events.push(words.len() as u64);
            }
        }
        let events = Events::from_parts(
            EventKind::Set,
            original.subject_offsets().to_vec(),
            record_events,
            words,
            None,
        );
        let release = Release {
            base: if base.len() == items { Arc::clone(&self.task.data.items) } else { Arc::new(base) },
            alphabet,
            body: Body::of_events(events),
            suppression: Suppression { events_before: original.len() as u64, ..Suppression::default() },
            nature: Nature::Truthful,
        };
        let intact = release.alphabet.iter().filter(|item| item.is_intact()).count();
        let lost = cost as f64 / (occurrences.max(1) as f64 * self.tree.domain() as f64);
        let notes = vec![format!(
            "{intact} of {items} items are published as they are, and {} more general ones; the certainty penalty (NCP) \
             is {lost:.6}",
            release.alphabet.len() - intact
        )];
        let public_notes = match self.generated {
            true => vec![
                "items were generalised along the order of their names: there was no taxonomy, and none was taken from \
                 the data",
            ],
            false => Vec::new(),
        };
        Outcome {
            release,
            explanation: Explanation { steps },
            notes,
            public_notes,
            ledger: None,
            also: Vec::new(),
        }
    }

    /// How a node is written; an item that is in no node stands for itself. A node of a given taxonomy stands for all its leaves but the
    /// sensitive ones, whether or not they occur: listing only those that do would tell which values are there, also where
    /// one person has them.
    fn word(&self, item: ItemId, node: u32, base: &mut Dictionary) -> GeneralisedItem {
        if node == NONE {
            return GeneralisedItem::of(vec![item]);
        }
        let label = self.tree.label(node).map(|name| render_item([name]));
        let held = self.tree.members(node);
        let members = match &self.task.inputs.taxonomy {
            Some(taxonomy) if held.len() > 1 => {
                let secrets = &self.task.inputs.sensitive_items;
                let leaves = taxonomy.leaves_under(self.tree.source(node)).into_iter();
                let names = leaves.map(|leaf| taxonomy.name(leaf));
                let open = names.filter(|name| !secrets.iter().any(|secret| secret == name));
                open.map(|name| base.intern(name)).collect()
            }
            _ => held.to_vec(),
        };
        GeneralisedItem { label, ..GeneralisedItem::of(members) }
    }

    /// The release that changes nothing, when there is no person to protect.
    pub fn nothing_to_do(&self) -> Option<Outcome> {
        (self.leaves.crowds() == 0).then(|| {
            let cut = Cut::leaves(&self.tree, &vec![0; self.tree.nodes()]);
            self.publish(vec![Part { cut, steps: Vec::new() }], &[])
        })
    }
}

impl From<Search<'_>> for Part {
    fn from(search: Search<'_>) -> Self {
        Part { cut: search.cut, steps: search.steps }
    }
}
