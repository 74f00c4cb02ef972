//! Anonymize: generalises one cluster until it is (k, l)^m-anonymous by itself.
//!
//! # Departs from the paper
//! Merging two places can raise the share of a secret among the people of the merged place, because the same people may
//! have visited both. The paper goes on to longer patterns and never looks back; `sound` begins again at length
//! 1 after every length that needed a merge, until nothing is left to do. Where no partner is left, the cluster is
//! reported as infeasible instead of looping for ever.

use std::collections::BTreeMap;

use throng_contract::Progress;
use throng_data::{Events, Places};

use crate::sequence::exposed::{Diversity, Requirement, exposed_patterns};
use crate::sequence::groups::Groups;
use crate::sequence::proximity::{Linkage, Proximity};
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
    /// Restart until nothing changes, or one pass.
    pub variant: Variant,
    /// Size of the alphabet.
    pub items: usize,
}

/// A cluster after anonymisation: which items are published as one, and why.
#[derive(Debug)]
pub struct Anonymized {
    /// The partition of the cluster's items.
    pub groups: Groups,
    /// The merges, in order.
    pub steps: Vec<Reason>,
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
        let mut groups = Groups::singletons(events, self.items);
        let mut proximity = Proximity::new(Some((self.places, self.linkage)), None);
        let mut steps = Vec::new();
        let mut size = 1;
        while size <= self.m {
            let exposed = exposed_patterns(events, &groups, size, requirement, progress, "count patterns")?;
            let merges_before = steps.len();
            for pattern in exposed {
                loop {
                    progress.check()?;
                    let image: Vec<u32> = pattern.groups.iter().filter_map(|item| groups.of(*item)).collect();
                    let (people, broken) = judge(events, &groups, &image, requirement, diversity);
                    if !broken {
                        break;
                    }
                    let Some(rarest) = image.iter().copied().min_by_key(|group| groups.support(*group))
                    else {
                        break;
                    };
                    let Some((partner, distance)) = proximity.nearest(&groups, rarest, |_| true) else {
                        return Ok(None);
                    };
                    let members = |group: &u32| groups.members(*group).to_vec();
                    steps.push(Reason {
                        action: "merge",
                        items: [rarest, partner].iter().map(members).collect(),
                        pattern: image.iter().map(members).collect(),
                        support: people,
                        needed: self.k,
                        details: BTreeMap::from([("distance", format!("{distance:.6}"))]),
                    });
                    proximity.merge(&groups, rarest, partner);
                    groups.merge(rarest, partner);
                }
            }
            let merged = steps.len() > merges_before;
            size = if merged && self.variant == Variant::Sound { 1 } else { size + 1 };
        }
        Ok(Some(Anonymized { groups, steps }))
    }
}

/// How many people have the pattern, and whether they are too few or too alike.
fn judge(
    events: &Events,
    groups: &Groups,
    pattern: &[u32],
    requirement: Requirement<'_>,
    diversity: &Diversity,
) -> (u64, bool) {
    let mut people = 0;
    let mut carriers = vec![0; diversity.kinds];
    groups.visit_people(events, pattern, |person| {
        people += 1;
        diversity.tally(person, &mut carriers);
        true
    });
    (people, people > 0 && requirement.is_broken_by(people, &carriers))
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
