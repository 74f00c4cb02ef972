//! The people of a release by what their rows show, each group as a release of its own.

use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;
use throng_contract::Progress;
use throng_data::{Body, Dictionary, EventsBuilder, GeneralisedItem, ItemId, Records, Release};

use crate::CheckError;
use crate::table::classes::Classes;

/// People whose rows show the same.
pub(super) struct Group {
    /// What the rows show, as written.
    pub shown: Vec<String>,
    /// Who they are in the whole release, ascending.
    pub members: Vec<u32>,
    /// Their events and attributes, over the items that occur among them.
    pub release: Release,
}

impl Group {
    /// How many people they are.
    pub fn people(&self) -> u64 {
        self.release.people() as u64
    }
}

/// All groups of a release.
pub(super) struct Groups<'a> {
    release: &'a Release,
    classes: &'a Classes<'a>,
    /// People whose rows say nothing. If none of their events is released either, they are suppressed altogether, and no group. Otherwise
    /// all of them are one: an attacker who looks for a person behind such a row has to reckon with those who lost their events, too.
    without_row: Vec<u32>,
}

impl<'a> Groups<'a> {
    /// Puts together whose rows show the same.
    pub fn of(release: &'a Release, classes: &'a Classes<'a>) -> Self {
        let mut placed = vec![false; release.people()];
        classes.all_rows().iter().for_each(|row| placed[*row as usize] = true);
        let has_events = |person: &u32| {
            let mut records = release.events().records_of(*person as usize);
            records.any(|record| !release.events().record(record).is_empty())
        };
        let people = 0..release.people() as u32;
        let mut without_row: Vec<u32> = people.filter(|person| !placed[*person as usize]).collect();
        if !without_row.iter().any(has_events) {
            without_row.clear();
        }
        Groups { release, classes, without_row }
    }

    /// Judges every group, in parallel; the answers are in the order of groups.
    pub fn each<T: Send>(
        &self,
        progress: &Progress,
        judge: impl Fn(&Group, &Progress) -> Result<T, CheckError> + Sync,
    ) -> Result<Vec<T>, CheckError> {
        let members = |group: u32| match group as usize == self.classes.len() {
            true => &self.without_row[..],
            false => self.classes.rows(group),
        };
        let groups = self.classes.len() as u32 + u32::from(!self.without_row.is_empty());
        let phase = progress.phase("check groups", Some(u64::from(groups)));
        let quiet = progress.muted();
        (0..groups)
            .into_par_iter()
            .map(|group| {
                let people = members(group);
                let shown = self.classes.shown(people[0] as usize);
                let release = part(self.release, people);
                let judged = judge(&Group { shown, members: people.to_vec(), release }, &quiet)?;
                phase.advance(1)?;
                Ok(judged)
            })
            .collect()
    }
}

/// The release of some people alone. Items keep their order, so that what is listed is in the same order as in the whole.
fn part(release: &Release, people: &[u32]) -> Release {
    let records = || people.iter().flat_map(|person| release.events().records_of(*person as usize));
    let mut used: Vec<ItemId> =
        records().flat_map(|record| release.events().record(record)).copied().collect();
    used.sort_unstable();
    used.dedup();
    let mut base = Dictionary::new();
    let mut known: HashMap<ItemId, ItemId, foldhash::fast::FixedState> = HashMap::default();
    let mut alphabet = Vec::with_capacity(used.len());
    for item in &used {
        let GeneralisedItem { members, label } = &release.alphabet[*item as usize];
        let members = members
            .iter()
            .map(|member| *known.entry(*member).or_insert_with(|| base.intern(release.base.name(*member))));
        alphabet.push(GeneralisedItem { label: label.clone(), ..GeneralisedItem::of(members.collect()) });
    }
    let timed = release.events().times().is_some();
    let mut events = EventsBuilder::new(release.event_kind(), timed);
    let mut items: Vec<ItemId> = Vec::new();
    for (number, person) in (0..).zip(people) {
        for record in release.events().records_of(*person as usize) {
            items.clear();
            let place = |item: &ItemId| used.partition_point(|other| other < item) as ItemId;
            items.extend(release.events().record(record).iter().map(place));
            events.push(number, &items, release.events().times_of(record).unwrap_or_default());
        }
    }
    let attributes = release.attributes().map(|table| table.pick(people));
    let body = Body::Records(Records { events: events.finish(people.len()), attributes });
    Release { alphabet, ..Release::of_items(Arc::new(base), body) }
}
