//! What the methods for columns and sets have in common: the people, what a cluster must satisfy, and the release.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;
use throng_contract::{Input, help};
use throng_data::{
    Body, Dictionary, EventKind, Events, GeneralisedItem, ItemId, Mixed, Nature, Release, Suppression,
};

use super::aligned::standing_for;
use super::clusters::Clusters;
use super::items::{Generalised, ItemLoss, Transaction};
use super::likeness::Likeness;
use super::order::Partners;
use super::params::Wanted;
use crate::table::quasi::{self, Quasi, Sets};
use crate::table::release::by_group;
use crate::table::rows::Layout;
use crate::{Explanation, MethodError, Outcome, Task, Variant};

/// A task of a method for columns and events.
pub(super) struct Job<'a> {
    pub task: &'a Task<'a>,
    pub quasi: Vec<Quasi>,
    pub likeness: Likeness,
    pub transaction: Transaction<'a>,
    pub wanted: Wanted,
    /// Which items are sensitive.
    secret: Vec<bool>,
}

impl<'a> Job<'a> {
    /// Reads the columns and items.
    pub fn new(
        method: &'static str,
        task: &'a Task<'a>,
        wanted: Wanted,
        loss: ItemLoss,
    ) -> Result<Self, MethodError> {
        let mut secret = vec![false; task.data.items.len()];
        if wanted.l().is_some() {
            let sensitive = task.data.items.ids(&task.inputs.sensitive_items);
            if sensitive.is_empty() {
                return Err(MethodError::MissingInput { method, input: Input::SensitiveItems });
            }
            sensitive.into_iter().for_each(|item| secret[item as usize] = true);
        }
        let k = wanted.k;
        let people = task.data.events.subjects() as u64;
        if people < k {
            return Err(MethodError::Infeasible {
                why: format!("{people} people cannot hide in groups of at least {k}"),
                help: help!("lower `k` to at most $", people),
            });
        }
        let cells = quasi::Wanted { k, bounds: wanted.bounds, along_order: false, sets: Sets::Some };
        Ok(Job {
            task,
            quasi: Quasi::read(task, cells)?,
            likeness: Likeness::of(&task.data.events),
            transaction: Transaction::new(task, wanted, loss)?,
            wanted,
            secret,
        })
    }

    /// Whether the letter of the paper is asked for.
    pub fn is_printed(&self) -> bool {
        self.task.variant == Variant::AsPrinted
    }

    /// The clusters of these people.
    pub fn clusters(&self, groups: Vec<Vec<u32>>, most: Option<f64>) -> Clusters<'_> {
        Clusters::new(&self.quasi, &self.likeness, groups, most)
    }

    /// Merges every cluster whose items could not be made safe, whatever they become, with the nearest ones until they can. What is
    /// good stays good in any union: crowds add up, and shares of a union lie between those of its parts.
    pub fn repair(&self, clusters: &mut Clusters<'_>, partners: &mut Partners) -> Result<u64, MethodError> {
        let mut merges = 0;
        for cluster in clusters.alive().collect::<Vec<u32>>() {
            // It may have been merged into an earlier one.
            while clusters.is_alive(cluster)
                && let Some(why) = self.obstacle(clusters.people(cluster))
            {
                self.task.progress.check()?;
                let Some(partner) = partners.nearest(clusters, cluster) else { return Err(why) };
                partners.before(clusters, [cluster, partner]);
                clusters.merge(cluster, partner);
                partners.after(clusters, cluster, partner);
                merges += 1;
            }
        }
        Ok(merges)
    }

    /// Why the items of these people cannot be made safe.
    fn obstacle(&self, people: &[u32]) -> Option<MethodError> {
        let (mut with_items, mut carriers) = (0_u64, BTreeMap::<ItemId, (u64, u64)>::new());
        for person in people {
            let items = self.likeness.items(*person);
            let open = items.iter().any(|item| !self.secret[*item as usize]);
            with_items += u64::from(open);
            for item in items.iter().filter(|item| self.secret[**item as usize]) {
                let (all, with_items) = carriers.entry(*item).or_default();
                *all += 1;
                *with_items += u64::from(open);
            }
        }
        if let Some(why) = self.transaction.lone_length(people) {
            return Some(why);
        }
        if (1..self.wanted.k).contains(&with_items) && !self.transaction.suppresses() {
            return Some(MethodError::Infeasible {
                why: format!(
                    "not k = {} people have an item that could be generalised, but {with_items}",
                    self.wanted.k
                ),
                help: "use a smaller `k`, or more people".into(),
            });
        }
        let (all, l) = (people.len() as u64, self.wanted.l().unwrap_or(1));
        let too_common = |(carriers, open): &(u64, u64)| {
            carriers.saturating_mul(l) > all
                || (open.saturating_mul(l) > with_items && !self.transaction.suppresses())
        };
        let most =
            carriers.values().filter(|counts| too_common(counts)).map(|(carriers, _)| *carriers).max()?;
        Some(MethodError::Infeasible {
            why: format!(
                "{most} of {all} people have one and the same sensitive item: more than one in l = {l}, whatever else is published"
            ),
            help: "lower {l}, or take the most frequent sensitive items off the list".into(),
        })
    }

    /// Generalises the items of every group by itself.
    pub fn generalise(&self, groups: &[&[u32]], as_they_are: bool) -> Result<Vec<Generalised>, MethodError> {
        let phase = self.task.progress.phase("generalise items", Some(groups.len() as u64));
        groups
            .par_iter()
            .map(|people| {
                let done = self.transaction.generalise(people, as_they_are)?;
                phase.advance(1)?;
                Ok(done)
            })
            .collect()
    }

    /// The release of these groups.
    pub fn publish(&self, groups: &[Vec<u32>], items: Vec<Generalised>, mut notes: Vec<String>) -> Outcome {
        let layout = Layout { quasi: self.quasi.len(), stride: self.quasi.len() + 1 };
        let mut words = Vec::with_capacity(self.task.data.events.subjects() * layout.stride);
        for person in groups.iter().flatten() {
            words.extend(self.quasi.iter().map(|quasi| quasi.codes[*person as usize]));
            words.push(*person);
        }
        let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
        let table =
            by_group(self.task, &self.quasi, layout, &words, &sizes).body.into_table().unwrap_or_default();
        let lost: f64 = items.iter().map(|items| items.lost).sum::<f64>() / self.transaction.weight();
        notes.push(format!("{} people are in {} groups", self.task.data.events.subjects(), groups.len()));
        notes.push(format!("the items lose {lost:.6}, as the method counts it"));
        let mut steps = Vec::new();
        let (base, alphabet, events) = self.together(groups, items, &mut steps);
        let suppression = self.suppression(&alphabet, &events);
        let public_notes = match self.transaction.is_generated() {
            true => vec![
                "items were generalised along the order of their names: there was no taxonomy, and none was taken from \
                 the data",
            ],
            false => Vec::new(),
        };
        Outcome {
            release: Release {
                base,
                alphabet,
                body: Body::Mixed(Mixed { events, table }),
                suppression,
                nature: Nature::Truthful,
            },
            explanation: Explanation { steps },
            notes,
            public_notes,
            ledger: None,
            also: Vec::new(),
        }
    }

    /// The items of all groups over one alphabet, everybody at their place.
    fn together(
        &self,
        groups: &[Vec<u32>],
        items: Vec<Generalised>,
        steps: &mut Vec<crate::Reason>,
    ) -> (Arc<Dictionary>, Vec<GeneralisedItem>, Events) {
        let original = &self.task.data.events;
        let known_items = self.task.data.items.len();
        let mut base: Dictionary = (*self.task.data.items).clone();
        let mut alphabet: Vec<GeneralisedItem> = Vec::new();
        let mut number: HashMap<GeneralisedItem, ItemId, foldhash::fast::FixedState> = HashMap::default();
        let mut shown: Vec<Vec<ItemId>> = vec![Vec::new(); original.records()];
        for (people, part) in groups.iter().zip(items) {
            let Generalised { release, steps: own, .. } = part;
            let image: Vec<ItemId> = release
                .alphabet
                .iter()
                .map(|item| {
                    let members = item.members.iter().map(|member| base.intern(release.base.name(*member)));
                    let members = members.collect();
                    // Names that were made up for one group say something else in another.
                    let label = item.label.clone().filter(|_| !self.transaction.is_generated());
                    let item = GeneralisedItem { label, ..GeneralisedItem::of(members) };
                    let next = alphabet.len() as ItemId;
                    *number.entry(item).or_insert_with_key(|item| {
                        alphabet.push(item.clone());
                        next
                    })
                })
                .collect();
            steps.extend(own);
            for (place, person) in people.iter().enumerate() {
                let own = release.events().records_of(place);
                for (record, from) in original.records_of(*person as usize).zip(own) {
                    let items = &mut shown[record];
                    items.extend(release.events().record(from).iter().map(|item| image[*item as usize]));
                    if original.kind() == EventKind::Set {
                        items.sort_unstable();
                    }
                }
            }
        }
        let mut record_events = Vec::with_capacity(original.records() + 1);
        record_events.push(0);
        let mut words = Vec::with_capacity(original.len());
        for items in shown {
            words.extend(items);
            record_events.push(words.len() as u64);
        }
        let offsets = original.subject_offsets().to_vec();
        let events = Events::from_parts(original.kind(), offsets, record_events, words, None);
        let base = if base.len() == known_items { Arc::clone(&self.task.data.items) } else { Arc::new(base) };
        (base, alphabet, events)
    }

    /// What is no longer there: an event that nothing in its record covers.
    fn suppression(&self, alphabet: &[GeneralisedItem], events: &Events) -> Suppression {
        let original = &self.task.data.events;
        let mut left = vec![false; self.task.data.items.len()];
        let (mut lost, mut emptied) = (0, 0);
        for record in 0..original.records() {
            let (before, after) = (original.record(record), events.record(record));
            emptied += u64::from(after.is_empty() && !before.is_empty());
            let kept = standing_for(original.kind(), before, after, alphabet);
            for (item, kept) in before.iter().zip(kept) {
                left[*item as usize] |= kept.is_some();
                lost += u64::from(kept.is_none());
            }
        }
        let occurs = original.people_by_item(left.len());
        let gone = occurs.iter().zip(&left).filter(|(people, left)| **people > 0 && !**left).count();
        Suppression {
            items: gone as u64,
            events: lost,
            emptied_records: emptied,
            events_before: original.len() as u64,
            rows: 0,
        }
    }
}
