//! Takes events away until every sequence of up to `m` of them is shared by `k` people, and changes nothing else.
//!
//! [`Suppress`] hides who somebody is, [`LmSuppress`] sensitive items too. Neither needs places, a taxonomy or anything else
//! beside the data, and what is left is in the words of the original.
//!
//! # Reference
//! TPMS17: Terrovitis, Poulis, Mamoulis, Skiadopoulos. Local suppression and splitting techniques for privacy preserving
//! publication of trajectories. IEEE Trans. Knowledge and Data Engineering 29(7), 2017; global suppression after Terrovitis, Mamoulis
//! (MDM 2008). The problem and the two scopes are theirs, the search is ours.
//! # Guarantees
//! The release satisfies `km` (`klm` for [`LmSuppress`]). Lengths are treated from 1 to `m`. A pattern that too few people have
//! is taken from all of them. With scope `global` an item goes everywhere, so the patterns without it keep their people. With scope
//! `local` other patterns lose people too; so the search begins again at length 1 until nothing is broken, and it ends
//! because there are fewer events each time. For `km`, events are then given back where that shows only patterns that the release
//! shows already: those keep their people and get more. Sensitive items are published as they are.
//! # Cost
//! One walk over the distinct subsequences of each length, in each round. Records are looked at by themselves, in parallel.
//! # Departs from the paper
//! * Support counts people, and an attacker knows any `m` events in order; the paper's adversaries each know some of the places.
//! * In a record the event goes first that takes part in most matches of broken patterns. Globally the item goes first that clears most
//!   broken patterns for each of its events.

mod global;
mod local;
mod patterns;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use throng_contract::{Cancelled, DataKind, Descriptor, DescriptorKind, Input, Need, Param, ParamKind};
use throng_data::{Events, ItemId, Release, Suppression};

use self::patterns::{Count, Counted, Safe};
use super::exposed::{Diversity, Form, Requirement, check_size};
use super::params::{FORM, K, L, M};
use crate::{Explanation, Method, MethodError, Outcome, Reason, Task};

const SCOPE: Param = Param {
    name: "scope",
    kind: ParamKind::Choice { words: &["local", "global"] },
    default: Some("local"),
    help: "local: take an event from the records where it gives somebody away; global: take an item from everybody",
};

const MAX_SUPPRESSED: Param = Param {
    name: "max-suppressed",
    kind: ParamKind::Share,
    default: Some("100%"),
    help: "largest share of the events that may be suppressed",
};

static SUPPRESS: Descriptor = Descriptor {
    name: "suppress",
    kind: DescriptorKind::Method,
    purpose: "take away as few events as it finds until every sequence of up to m of them is shared by k people",
    takes: &[DataKind::Sequences],
    needs: &[],
    params: &[K, M, SCOPE, MAX_SUPPRESSED],
    keeps: Some("km"),
    gauge: None,
    variants: false,
    paper: "TPMS17",
    example: "throng anonymize clicks/events.csv --method suppress -k 5 -m 2 -o release",
    notes: "Needs nothing beside the data. Truthful: what is published happened, in this order, and more may have happened. \
            Attackers who know more than m events, or exactly which events a person does not have, are not covered. \
            Times are not published.",
};

static LM_SUPPRESS: Descriptor = Descriptor {
    name: "lm-suppress",
    purpose: "like suppress, and at most one in l of those who fit has any one sensitive item",
    needs: &[Need::required(Input::SensitiveItems)],
    params: &[K, L, M, FORM, SCOPE, MAX_SUPPRESSED],
    keeps: Some("klm"),
    example: "throng anonymize city/events.csv --sensitive city/sensitive.csv --method lm-suppress -k 5 -l 2 -m 2 -o release",
    notes: "Sensitive items are published as they are; an attacker who already knows one of them is not covered. Times are not \
            published.",
    ..SUPPRESS
};

/// Suppression of events.
#[derive(Debug, Clone, Copy)]
pub struct Suppress;

/// Suppression of events with sensitive items.
#[derive(Debug, Clone, Copy)]
pub struct LmSuppress;

impl Method for Suppress {
    fn descriptor(&self) -> &'static Descriptor {
        &SUPPRESS
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        run(task, vec![false; task.data.items.len()], None)
    }
}

impl Method for LmSuppress {
    fn descriptor(&self) -> &'static Descriptor {
        &LM_SUPPRESS
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let ids = task.data.items.ids(&task.inputs.sensitive_items);
        if ids.is_empty() {
            return Err(MethodError::MissingInput { method: LM_SUPPRESS.name, input: Input::SensitiveItems });
        }
        let mut sensitive = vec![false; task.data.items.len()];
        ids.into_iter().for_each(|item| sensitive[item as usize] = true);
        let form = match task.settings.choice("form") {
            "count" => Form::Count,
            _ => Form::Ratio,
        };
        let events = &task.data.events;
        let records = (0..events.subjects()).map(|person| events.records_of(person));
        let diversity = Diversity::of_people(events, records, &sensitive, task.settings.integer("l"), form);
        run(task, sensitive, Some(diversity))
    }
}

fn run(task: &Task<'_>, sensitive: Vec<bool>, diversity: Option<Diversity>) -> Result<Outcome, MethodError> {
    let original = &task.data.events;
    let m = task.settings.integer("m") as usize;
    let longest = (0..original.records()).map(|record| original.span(record).len()).max().unwrap_or(0);
    let m = m.min(longest);
    check_size(task.data.items.len(), m + 1)?;
    let published = original.items().iter().map(|item| !sensitive[*item as usize]).collect();
    let mut work = Work {
        task,
        requirement: Requirement { k: task.settings.integer("k"), diversity: diversity.as_ref() },
        m,
        published,
        events: Events::from_parts(original.kind(), vec![0], vec![0], Vec::new(), None),
        steps: Vec::new(),
    };
    work.renew();
    match task.settings.choice("scope") {
        "global" => work.globally()?,
        _ => work.locally()?,
    }
    let Work { mut published, steps, .. } = work;
    for (published, item) in published.iter_mut().zip(original.items()) {
        *published |= sensitive[*item as usize];
    }
    let release = publish(task, &published);
    let Suppression { events, events_before, .. } = release.suppression;
    let limit = task.settings.share("max-suppressed");
    if limit.is_exceeded_by(events, events_before) {
        return Err(MethodError::Infeasible {
            why: format!(
                "{events} of {events_before} events would be suppressed, more than the limit of {limit}"
            ),
            help: "raise `--max-suppressed`, lower `k` or `m`, or make items coarser first".to_owned(),
        });
    }
    let notes =
        vec![format!("{events} of {events_before} events were suppressed, and nothing else was changed")];
    let explanation = Explanation { steps };
    Ok(Outcome { also: Vec::new(), release, explanation, notes, public_notes: Vec::new(), ledger: None })
}

struct Work<'a> {
    task: &'a Task<'a>,
    requirement: Requirement<'a>,
    m: usize,
    /// Which events of the original are left, of those that are not sensitive.
    published: Vec<bool>,
    /// Those events.
    events: Events,
    steps: Vec<Reason>,
}

impl Work<'_> {
    /// Makes the events from what is left.
    fn renew(&mut self) {
        let mut published = self.published.iter();
        let left = |_, _, _| published.next().copied().unwrap_or(false);
        self.events = self.task.data.events.clone().without_times().retain(left);
    }

    fn count(&self, size: usize, list: bool) -> Result<Counted, Cancelled> {
        let items = self.task.data.items.len();
        let (requirement, progress) = (self.requirement, self.task.progress);
        Count { events: &self.events, items, requirement, progress, list }.patterns(size)
    }

    fn globally(&mut self) -> Result<(), MethodError> {
        for size in 1..=self.m {
            let counted = self.count(size, true)?;
            let mut occurrences = vec![0; self.task.data.items.len()];
            self.events.items().iter().for_each(|item| occurrences[*item as usize] += 1);
            let chosen = global::cover(&counted.listed, size, &occurrences, self.task.progress)?;
            let mut gone = vec![false; occurrences.len()];
            for (item, cleared) in chosen {
                gone[item as usize] = true;
                self.explain(&counted, item, occurrences[item as usize], Some(cleared));
            }
            let items = self.task.data.events.items();
            for (published, item) in self.published.iter_mut().zip(items) {
                *published &= !gone[*item as usize];
            }
            self.renew();
        }
        Ok(())
    }

    fn locally(&mut self) -> Result<(), MethodError> {
        let mut safe: Vec<Safe> = Vec::new();
        while safe.len() < self.m {
            let size = safe.len() + 1;
            let counted = self.count(size, false)?;
            if counted.broken == 0 {
                safe.push(counted.safe);
            } else {
                self.take_away(size, &counted)?;
                safe.clear();
            }
        }
        if self.requirement.diversity.is_none() && self.m > 0 {
            self.give_back(&safe)?;
        }
        Ok(())
    }

    fn take_away(&mut self, size: usize, counted: &Counted) -> Result<(), MethodError> {
        let people = self.events.people_by_item(self.task.data.items.len());
        let records = self.events.records();
        let phase = self.task.progress.phase(&format!("suppress for length {size}"), Some(records as u64));
        let taken: Result<Vec<Vec<u32>>, Cancelled> = (0..records)
            .into_par_iter()
            .map(|record| {
                phase.advance(1)?;
                Ok(local::taken_away(self.events.record(record), size, &counted.safe, &people))
            })
            .collect();
        drop(phase);
        let mut lost: BTreeMap<ItemId, u64> = BTreeMap::new();
        for (record, taken) in taken?.into_iter().enumerate() {
            let (mut at, mut taken) = (0, taken.into_iter().peekable());
            for place in self.task.data.events.span(record) {
                if taken.peek().is_none() {
                    break;
                }
                if self.published[place] {
                    if taken.next_if_eq(&at).is_some() {
                        self.published[place] = false;
                        *lost.entry(self.task.data.events.items()[place]).or_default() += 1;
                    }
                    at += 1;
                }
            }
        }
        for (item, events) in lost {
            self.explain(counted, item, events, None);
        }
        self.renew();
        Ok(())
    }

    /// Publishes events after all that show nothing the release does not show already.
    fn give_back(&mut self, safe: &[Safe]) -> Result<(), MethodError> {
        let original = &self.task.data.events;
        let people = self.events.people_by_item(self.task.data.items.len());
        let phase = self.task.progress.phase("give events back", Some(original.records() as u64));
        let back: Result<Vec<Vec<u32>>, Cancelled> = (0..original.records())
            .into_par_iter()
            .map(|record| {
                phase.advance(1)?;
                let kept = &self.published[original.span(record)];
                Ok(local::given_back(original.record(record), kept, safe, &people))
            })
            .collect();
        drop(phase);
        for (record, back) in back?.into_iter().enumerate() {
            let begin = original.span(record).start;
            back.into_iter().for_each(|at| self.published[begin + at as usize] = true);
        }
        Ok(())
    }

    fn explain(&mut self, counted: &Counted, item: ItemId, events: u64, cleared: Option<u64>) {
        let Some((support, pattern)) = counted.examples.get(&item) else { return };
        let mut details = BTreeMap::from([("events", events.to_string())]);
        if let Some(cleared) = cleared {
            details.insert("cleared", cleared.to_string());
        }
        self.steps.push(Reason {
            action: "suppress",
            items: vec![vec![item]],
            pattern: pattern.iter().map(|item| vec![*item]).collect(),
            support: *support,
            needed: self.requirement.k,
            details,
        });
    }
}

/// The release of the events that are left.
fn publish(task: &Task<'_>, published: &[bool]) -> Release {
    let before = &task.data.events;
    let mut left = published.iter();
    let events = before.clone().without_times().retain(|_, _, _| left.next().copied().unwrap_or(false));
    let occurring = |events: &Events| {
        let mut occurs = vec![false; task.data.items.len()];
        events.items().iter().for_each(|item| occurs[*item as usize] = true);
        occurs.into_iter().filter(|occurs| *occurs).count() as u64
    };
    let emptied = (0..before.records())
        .filter(|record| events.span(*record).is_empty() && !before.span(*record).is_empty());
    let suppression = Suppression {
        rows: 0,
        items: occurring(before) - occurring(&events),
        events: (before.len() - events.len()) as u64,
        emptied_records: emptied.count() as u64,
        events_before: before.len() as u64,
    };
    Release { suppression, ..Release::identity(Arc::clone(&task.data.items), events) }
}
