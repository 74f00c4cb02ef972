//! Puts anonymised clusters back together.

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_data::{Body, Events, GeneralisedItem, ItemId, Nature, Places, Release, Suppression};

use super::Cluster;
use crate::Task;

/// The release that the clusters' partitions stand for. `kept` are the non-sensitive events that are published, as a
/// prefix of (or all of, or none of) each record's non-sensitive events.
pub(super) fn publish(task: &Task<'_>, kept: &Events, clusters: &[Cluster]) -> Release {
    let original = &task.data.events;
    let mut alphabet = Alphabet::default();
    let intact: Vec<ItemId> =
        (0..task.data.items.len() as ItemId).map(|item| alphabet.number(&[item])).collect();
    // The image of every item in every cluster; clusters have people of their own.
    let images: Vec<Vec<ItemId>> = clusters
        .iter()
        .map(|cluster| {
            let mut image = intact.clone();
            for group in cluster.result.groups.all() {
                let members = cluster.result.members(group);
                let number = alphabet.number(&members);
                for member in members {
                    image[member as usize] = number;
                }
            }
            image
        })
        .collect();
    let mut cluster_of = vec![0_u32; kept.subjects()];
    for (number, cluster) in clusters.iter().enumerate() {
        for subject in &cluster.subjects {
            cluster_of[*subject as usize] = number as u32;
        }
    }
    let mut sensitive = vec![false; task.data.items.len()];
    for item in task.data.items.ids(&task.inputs.sensitive_items) {
        sensitive[item as usize] = true;
    }

    let mut items = Vec::with_capacity(original.len());
    let mut record_events = vec![0_u64];
    let mut emptied_records = 0;
    let mut subject = 0;
    for record in 0..original.records() {
        while kept.records_of(subject).end <= record {
            subject += 1;
        }
        let image = &images[cluster_of[subject] as usize];
        let mut left = kept.span(record).len();
        let start = items.len();
        for item in original.record(record) {
            if sensitive[*item as usize] {
                items.push(intact[*item as usize]);
            } else if left > 0 {
                left -= 1;
                items.push(image[*item as usize]);
            }
        }
        emptied_records += u64::from(items.len() == start && !original.span(record).is_empty());
        record_events.push(items.len() as u64);
    }
    let subject_records = original.subject_offsets().to_vec();
    let suppression = Suppression {
        rows: 0,
        items: 0,
        events: (original.len() - items.len()) as u64,
        emptied_records,
        events_before: original.len() as u64,
    };
    let events = Events::from_parts(original.kind(), subject_records, record_events, items, None);
    drop_unused(Release {
        base: Arc::clone(&task.data.items),
        alphabet: alphabet.items,
        body: Body::of_events(events),
        suppression,
        nature: Nature::Truthful,
    })
}

/// Released items by their members; the same group in two clusters is one released item.
#[derive(Default)]
struct Alphabet {
    items: Vec<GeneralisedItem>,
    numbers: BTreeMap<Vec<ItemId>, ItemId>,
}

impl Alphabet {
    fn number(&mut self, members: &[ItemId]) -> ItemId {
        if let Some(number) = self.numbers.get(members) {
            return *number;
        }
        let number = self.items.len() as ItemId;
        self.items.push(GeneralisedItem::of(members.to_vec()));
        self.numbers.insert(members.to_vec(), number);
        number
    }
}

/// Takes items out of the alphabet that no event uses, and counts original items that are covered by none.
fn drop_unused(mut release: Release) -> Release {
    let mut used = vec![false; release.alphabet.len()];
    for item in release.events().items() {
        used[*item as usize] = true;
    }
    let mut numbers = vec![0; used.len()];
    let mut alphabet = Vec::new();
    let mut covered = vec![false; release.base.len()];
    for (item, generalised) in std::mem::take(&mut release.alphabet).into_iter().enumerate() {
        if used[item] {
            numbers[item] = alphabet.len() as ItemId;
            for member in &generalised.members {
                covered[*member as usize] = true;
            }
            alphabet.push(generalised);
        }
    }
    release.alphabet = alphabet;
    let events = release.events().recode(|item| numbers[item as usize], false);
    release.body = release.body.with_events(|_| events);
    release.suppression.items = covered.iter().filter(|covered| !**covered).count() as u64;
    release
}

/// The mean distance of an event's place to the members of the group it is published as.
pub(super) fn displacement(places: &Places, clusters: &[Cluster]) -> f64 {
    let (mut total, mut events) = (0.0, 0_u64);
    for cluster in clusters {
        let groups = &cluster.result.groups;
        let mut occurrences = vec![0_u64; places.points.len()];
        for item in cluster.events.items() {
            occurrences[*item as usize] += 1;
        }
        for group in groups.all() {
            let members = cluster.result.members(group);
            for item in &members {
                let sum: f64 = members.iter().map(|other| places.distance(*item, *other)).sum();
                total += sum / members.len() as f64 * occurrences[*item as usize] as f64;
            }
        }
        events += cluster.events.len() as u64;
    }
    if events == 0 { 0.0 } else { total / events as f64 }
}
