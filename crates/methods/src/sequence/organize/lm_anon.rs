//! Anonymize: generalises one cluster until it is (k, l)^m-anonymous by itself.
//!
//! # Departs from the paper
//! Merging two places can raise the share of a secret among the people of the merged place, because the same people may
//! have visited both. The paper goes on to longer patterns and never looks back; `sound` begins again at length
//! 1 after every length that needed a merge, until nothing is left to do. Where no partner is left, the cluster is
//! reported as infeasible instead of looping for ever.

use std::collections::BTreeMap;

use throng_contract::Progress;
use throng_data::{Events, ItemId, Places};

use crate::sequence::exposed::{Diversity, Requirement, exposed_patterns};
use crate::sequence::groups::Groups;
use crate::sequence::patterns::PatternSet;
use crate::sequence::proximity::{Distances, Linkage, Proximity};
use crate::{MethodError, Reason, Variant};

/// What l^m-ANON needs to know beside the cluster.
#[derive(Debug, Clone, Copy)]
pub struct LmAnon<'a> {
    /// People every pattern needs.
    pub k: u64,
    /// Longest pattern.
    pub m: usize,
    /// Where places are, and how far groups of them are apart.
    pub places: &'a Places,
    /// See [`Linkage`].
    pub linkage: Linkage,
    /// Distances of all places, if they are kept.
    pub distances: Option<&'a Distances>,
    /// Restart until nothing changes, or one pass.
    pub variant: Variant,
}

/// A cluster after anonymisation: which items are published as one, and why.
#[derive(Debug)]
pub struct Anonymized {
    /// The partition of the cluster's items, by their numbers among those that occur in it.
    pub groups: Groups,
    /// The items that occur in it, ascending.
    pub items: Vec<ItemId>,
    /// The merges, in order.
    pub steps: Vec<Reason>,
}

impl Anonymized {
    /// The items of a group, ascending.
    pub fn members(&self, group: u32) -> Vec<ItemId> {
        self.groups.members(group).iter().map(|item| self.items[*item as usize]).collect()
    }
}

impl LmAnon<'_> {
    /// Anonymises the non-sensitive events of one cluster; `None` when merging everything is not enough.
    pub fn run(
        &self,
        events: &Events,
        diversity: &Diversity,
        progress: &Progress,
    ) -> Result<Option<Anonymized>, MethodError> {
        let requirement = Requirement { k: self.k, diversity: Some(diversity) };
        // A cluster has few of all items: everything below is about those.
        let all = self.places.points.len();
        let items = occurring(events, all);
        let mut number_of = vec![0; all];
        for (number, item) in items.iter().enumerate() {
            number_of[*item as usize] = number as ItemId;
        }
        let events = &events.recode(|item| number_of[item as usize], false);
        let places = Places {
            system: self.places.system,
            points: items.iter().map(|item| self.places.points[*item as usize]).collect(),
            categories: None,
        };
        let proximity = Proximity::among(&places, self.linkage, &items, all, self.distances);
        let mut work = Work {
            events,
            requirement,
            diversity,
            safe: PatternSet::new(),
            names: (0..items.len() as u32).collect(),
            next_name: items.len() as u32,
            carriers: vec![None; items.len()],
            groups: Groups::singletons(events, items.len()),
            proximity,
            steps: Vec::new(),
        };
        let mut size = 1;
        while size <= self.m {
            let exposed =
                exposed_patterns(events, &work.groups, size, requirement, progress, "count patterns")?;
            let merges_before = work.steps.len();
            // Nothing left to merge ends it, as an error does.
            let protected =
                exposed.try_each(|pattern| match work.protect(pattern.groups, &items, progress) {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(None),
                    Err(error) => Err(Some(error)),
                });
            match protected {
                Ok(()) => {}
                Err(None) => return Ok(None),
                Err(Some(error)) => return Err(error),
            }
            // Without secrets, what has enough people keeps them.
            let merged = work.steps.len() > merges_before && diversity.kinds > 0;
            size = if merged && self.variant == Variant::Sound { 1 } else { size + 1 };
        }
        Ok(Some(Anonymized { groups: work.groups, steps: work.steps, items }))
    }
}

/// The items of events, ascending.
fn occurring(events: &Events, all: usize) -> Vec<ItemId> {
    let mut occurs = vec![false; all];
    for item in events.items() {
        occurs[*item as usize] = true;
    }
    (0..all as ItemId).filter(|item| occurs[*item as usize]).collect()
}

/// The partition under construction.
struct Work<'a> {
    events: &'a Events,
    requirement: Requirement<'a>,
    diversity: &'a Diversity,
    /// Patterns that were found safe, by the names of their groups.
    safe: PatternSet,
    /// A group that grows gets a new name: more people may have more secrets.
    names: Vec<u32>,
    next_name: u32,
    /// How many people of a group carry each secret, once that was asked for.
    carriers: Vec<Option<Vec<u32>>>,
    groups: Groups,
    proximity: Proximity<'a>,
    steps: Vec<Reason>,
}

impl Work<'_> {
    /// Merges until a pattern is safe; false when nothing is left to merge. `items` are what reasons are told in.
    fn protect(
        &mut self,
        elements: &[u32],
        items: &[ItemId],
        progress: &Progress,
    ) -> Result<bool, MethodError> {
        let (mut image, mut names) = (Vec::new(), Vec::new());
        loop {
            self.groups.image_of(elements, &mut image);
            names.clear();
            names.extend(image.iter().map(|group| self.names[*group as usize]));
            if self.safe.contains(&names) {
                return Ok(true);
            }
            progress.check()?;
            let (people, broken) = self.judge(&image);
            if !broken {
                self.safe.insert(&names);
                return Ok(true);
            }
            let Some(rarest) = image.iter().copied().min_by_key(|group| self.groups.support(*group)) else {
                return Ok(true);
            };
            let Some((partner, distance)) = self.proximity.nearest(&self.groups, rarest, |_| true) else {
                return Ok(false);
            };
            let members =
                |group: &u32| self.groups.members(*group).iter().map(|item| items[*item as usize]).collect();
            self.steps.push(Reason {
                action: "merge",
                items: [rarest, partner].iter().map(members).collect(),
                pattern: image.iter().map(members).collect(),
                support: people,
                needed: self.requirement.k,
                details: BTreeMap::from([("distance", format!("{distance:.6}"))]),
            });
            self.proximity.merge(&self.groups, rarest, partner);
            let kept = self.groups.merge(rarest, partner);
            self.names[kept as usize] = self.next_name;
            self.next_name += 1;
            self.carriers[kept as usize] = None;
        }
    }

    /// How many people have the pattern, and whether they are too few or too alike. Not all are looked at where they are safe.
    fn judge(&mut self, pattern: &[u32]) -> (u64, bool) {
        // No secret has more carriers among the people of a pattern than among those of any of its groups.
        pattern.iter().for_each(|group| self.count_carriers(*group));
        let of = |group: &u32| self.carriers[*group as usize].as_deref().unwrap_or_default();
        let least = |secret: usize| pattern.iter().map(|group| of(group)[secret]).min().unwrap_or(0);
        let most = (0..self.diversity.kinds).map(least).max().unwrap_or(0);
        let enough = self.diversity.enough_for(most).map(|people| people.max(self.requirement.k));
        let (mut people, mut safe) = (0, false);
        let mut carriers = vec![0; self.diversity.kinds];
        self.groups.visit_people(self.events, pattern, |person| {
            people += 1;
            self.diversity.tally(person, &mut carriers);
            safe = enough.is_some_and(|enough| people >= enough);
            !safe
        });
        (people, people > 0 && !safe && self.requirement.is_broken_by(people, &carriers))
    }

    fn count_carriers(&mut self, group: u32) {
        if self.carriers[group as usize].is_none() {
            let mut carriers = vec![0; self.diversity.kinds];
            self.groups.people(group).iter().for_each(|person| self.diversity.tally(*person, &mut carriers));
            self.carriers[group as usize] = Some(carriers);
        }
    }
}

/// The subjects of one cluster, renumbered from 0 in cluster order.
pub fn extract(events: &Events, subjects: &[u32]) -> Events {
    let mut subject_records = vec![0_u32];
    let mut record_events = vec![0_u64];
    let mut items = Vec::new();
    for subject in subjects {
        for record in events.records_of(*subject as usize) {
            items.extend_from_slice(events.record(record));
            record_events.push(items.len() as u64);
        }
        subject_records.push(record_events.len() as u32 - 1);
    }
    Events::from_parts(events.kind(), subject_records, record_events, items, None)
}
