//! Takes events away until every sequence of up to `m` of them is shared by `k` people, and changes nothing else.
//!
//! [`Suppress`] protects identities, [`LmSuppress`] sensitive items too. Neither needs places, a taxonomy or anything else
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
//! One walk over the distinct subsequences of each length, and again after a round that changed much. After others, what the records
//! that changed have lost is struck out of the counts, and only records that show a pattern which became rare are looked at; with
//! sensitive items every round counts anew. Records are looked at by themselves, in parallel.
//! # Departs from the paper
//! * Support counts people, and an attacker knows any `m` events in order; the paper's adversaries each know some of the places.
//! * In a record the event goes first that takes part in most matches of broken patterns. Globally the item goes first that clears most
//!   broken patterns for each of its events.

mod global;
mod holders;
mod left;
mod local;
mod losses;
mod patterns;

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use throng_contract::{
    BodyKind, Cancelled, DataKind, Descriptor, DescriptorKind, Fraction, Input, Key, Need, Product, choices,
    settings,
};
use throng_data::{Events, ItemId, Release, Suppression};
use throng_models::choices::SecretForm;

use self::holders::Holders;
use self::left::Left;
use self::losses::Taken;
use self::patterns::{Broken, Count, Counted, Safe};
use super::exposed::{Diversity, Requirement, check_size};
use super::params::{FORM, K, L, M};
use crate::{Explanation, Method, MethodError, Outcome, Reason, Task};

choices! {
    /// Where events are taken from.
    enum Scope {
        /// The records where they give a person away.
        Local = "local",
        /// All records, item by item.
        Global = "global",
    }
}

const SCOPE: Key<Scope> = Key::choice(
    "scope",
    "local: take an event from the records where it gives a person away; global: take an item from everybody",
)
.or("local");

const MAX_SUPPRESSED: Key<Fraction> =
    Key::share("max-suppressed", "largest share of the events that may be suppressed").or("100%");

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = K,
        m: u64 = M,
        scope: Scope = SCOPE,
        max_suppressed: Fraction = MAX_SUPPRESSED,
    }
}

static SUPPRESS: Descriptor = Descriptor {
    name: "suppress",
    purpose: "take away as few events as it finds until every sequence of up to m of them is shared by k people",
    takes: &[DataKind::Sequences],
    params: Asked::ALL,
    keeps: Some("km"),
    product: Some(Product::of(BodyKind::Records).at(0.4, 0.0, 0.1)),
    paper: "TPMS17",
    example: "throng anonymize clicks/events.csv --method suppress -k 5 -m 2 -o release",
    notes: "Needs nothing beside the data. Truthful: what is published happened, in this order, and more may have happened. \
            Attackers who know more than m events, or exactly which events a person does not have, are not covered. \
            Times are not published.",
    ..Descriptor::blank(DescriptorKind::Method)
};

settings! {
    /// What the method is asked for.
    struct LmAsked {
        k: u64 = K,
        l: u64 = L,
        m: u64 = M,
        form: SecretForm = FORM,
        scope: Scope = SCOPE,
        max_suppressed: Fraction = MAX_SUPPRESSED,
    }
}

static LM_SUPPRESS: Descriptor = Descriptor {
    name: "lm-suppress",
    purpose: "like suppress, and at most one in l of those who fit has any one sensitive item",
    needs: &[Need::required(Input::SensitiveItems)],
    params: LmAsked::ALL,
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
        run(task, Asked::of(task.settings), vec![false; task.data.items.len()], None)
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
        let LmAsked { k, l, m, form, scope, max_suppressed } = LmAsked::of(task.settings);
        let events = &task.data.events;
        let records = (0..events.subjects()).map(|person| events.records_of(person));
        let diversity = Diversity::of_people(events, records, &sensitive, l, form);
        run(task, Asked { k, m, scope, max_suppressed }, sensitive, Some(diversity))
    }
}

fn run(
    task: &Task<'_>,
    asked: Asked,
    sensitive: Vec<bool>,
    diversity: Option<Diversity>,
) -> Result<Outcome, MethodError> {
    let original = &task.data.events;
    let m = asked.m as usize;
    let longest = (0..original.records()).map(|record| original.span(record).len()).max().unwrap_or(0);
    let m = m.min(longest);
    check_size(task.data.items.len(), m + 1)?;
    let published = original.items().iter().map(|item| !sensitive[*item as usize]).collect();
    let mut work = Work {
        task,
        requirement: Requirement { k: asked.k, diversity: diversity.as_ref() },
        m,
        left: Left::new(original, published),
        steps: Vec::new(),
    };
    match asked.scope {
        Scope::Global => work.globally()?,
        Scope::Local => work.locally()?,
    }
    let Work { left, steps, .. } = work;
    let mut published = left.published();
    for (published, item) in published.iter_mut().zip(original.items()) {
        *published |= sensitive[*item as usize];
    }
    let release = publish(task, &published);
    let Suppression { events, events_before, .. } = release.suppression;
    let limit = asked.max_suppressed;
    if limit.is_exceeded_by(events, events_before) {
        return Err(MethodError::Infeasible {
            why: format!(
                "{events} of {events_before} events would be suppressed, more than the limit of {limit}"
            ),
            help: "raise {max-suppressed}, lower `k` or `m`, or make items coarser first".into(),
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
    /// The events that are left, of those that are not sensitive.
    left: Left<'a>,
    steps: Vec<Reason>,
}

/// What is known of the events that are left, and kept up to date.
struct Known {
    /// The safe patterns of each length, from 1 on, where they are known.
    safe: Vec<Option<Safe>>,
    /// How many people have each item.
    people: Vec<u64>,
    holders: Option<Holders>,
}

impl Work<'_> {
    fn items(&self) -> usize {
        self.task.data.items.len()
    }

    fn count(&self, size: usize, list: bool) -> Result<Counted, Cancelled> {
        let (requirement, progress) = (self.requirement, self.task.progress);
        Count { left: &self.left, items: self.items(), requirement, progress, list }.patterns(size)
    }

    fn globally(&mut self) -> Result<(), MethodError> {
        for size in 1..=self.m {
            let broken = self.count(size, true)?.broken;
            let occurrences = self.left.occurrences(self.items());
            let chosen = global::cover(&broken.listed, size, &occurrences, self.task.progress)?;
            let mut gone = vec![false; occurrences.len()];
            for (item, cleared) in chosen {
                gone[item as usize] = true;
                self.explain(&broken, item, occurrences[item as usize], Some(cleared));
            }
            self.left.take_items(&gone);
        }
        Ok(())
    }

    fn locally(&mut self) -> Result<(), MethodError> {
        let safe = (0..self.m).map(|_| None).collect();
        let mut known = Known { safe, people: self.left.people_by_item(self.items()), holders: None };
        let mut size = 1;
        while size <= self.m {
            let (mut safe, broken, records) = match known.safe[size - 1].take() {
                Some(mut safe) => {
                    let broken = safe.fallen(size);
                    let records = (broken.count > 0).then(|| {
                        let gather = || Holders::new(&self.left, self.items());
                        known.holders.get_or_insert_with(gather).of(&broken.listed, size, &self.left)
                    });
                    (safe, broken, records.unwrap_or_default())
                }
                None => {
                    let Counted { safe, broken } = self.count(size, false)?;
                    let all = if broken.count > 0 { self.left.records() } else { 0 };
                    (safe, broken, (0..all as u32).collect())
                }
            };
            let taken = self.choose(&records, size, &mut safe, &known.people)?;
            known.safe[size - 1] = Some(safe);
            size += 1;
            if broken.count > 0 {
                self.take_away(taken, &broken, &mut known)?;
                size = 1;
            }
        }
        if self.requirement.diversity.is_none() && self.m > 0 {
            let safe: Vec<Safe> = known.safe.into_iter().flatten().collect();
            self.give_back(&safe, &known.people)?;
        }
        Ok(())
    }

    /// What to take away from these records.
    fn choose(
        &self,
        records: &[u32],
        size: usize,
        safe: &mut Safe,
        people: &[u64],
    ) -> Result<Vec<Taken>, Cancelled> {
        if records.is_empty() {
            return Ok(Vec::new());
        }
        if size == 2 {
            safe.expect_looks(records.iter().map(|record| self.left.record(*record as usize).len()).sum());
        }
        let name = format!("suppress for length {size}");
        let phase = self.task.progress.phase(&name, Some(records.len() as u64));
        let taken = records.par_iter().map(|record| {
            phase.advance(1)?;
            let places = local::taken_away(self.left.record(*record as usize), size, safe, people);
            Ok((!places.is_empty()).then_some(Taken { record: *record, places }))
        });
        taken.filter_map(Result::transpose).collect()
    }

    fn take_away(
        &mut self,
        taken: Vec<Taken>,
        broken: &Broken,
        known: &mut Known,
    ) -> Result<(), MethodError> {
        let mut lost: BTreeMap<ItemId, u64> = BTreeMap::new();
        for Taken { record, places } in &taken {
            let items = self.left.record(*record as usize);
            places.iter().for_each(|place| *lost.entry(items[*place as usize]).or_default() += 1);
        }
        for (item, events) in lost {
            self.explain(broken, item, events, None);
        }
        for (shorter, kept) in known.safe.iter_mut().enumerate() {
            let size = shorter + 1;
            let Some(safe) = kept else { continue };
            // How many of a pattern's people carry a secret is not kept.
            if self.requirement.diversity.is_some() || !losses::are_few(&self.left, &taken, size) {
                *kept = None;
                continue;
            }
            let lost = losses::lost(&self.left, &taken, size, safe, self.task.progress)?;
            lost.iter().for_each(|pattern| safe.lose(*pattern));
            if size == 1 {
                lost.iter().for_each(|item| known.people[*item as usize] -= 1);
            }
        }
        taken.iter().for_each(|taken| self.left.take(taken.record as usize, &taken.places));
        if known.safe[0].is_none() {
            known.people = self.left.people_by_item(self.items());
        }
        Ok(())
    }

    /// Publishes events after all that show nothing the release does not show already.
    fn give_back(&mut self, safe: &[Safe], people: &[u64]) -> Result<(), MethodError> {
        let original = &self.task.data.events;
        let phase = self.task.progress.phase("give events back", Some(original.records() as u64));
        let back: Result<Vec<Vec<u32>>, Cancelled> = (0..original.records())
            .into_par_iter()
            .map(|record| {
                phase.advance(1)?;
                Ok(local::given_back(original.record(record), self.left.kept(record), safe, people))
            })
            .collect();
        drop(phase);
        for (record, back) in back?.into_iter().enumerate() {
            back.into_iter().for_each(|at| self.left.give_back(record, at));
        }
        Ok(())
    }

    fn explain(&mut self, broken: &Broken, item: ItemId, events: u64, cleared: Option<u64>) {
        let Some((support, pattern)) = broken.examples.get(&item) else { return };
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
