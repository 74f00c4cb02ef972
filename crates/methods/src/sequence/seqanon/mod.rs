//! Generalises rare places until every itinerary of up to `m` visits is shared by `k` people.
//!
//! [`Seqanon`] merges places that are close, [`SdSeqanon`] places that are close and alike, [`USeqanon`] only places
//! that the publisher allows to be merged, and suppresses where that is not enough.
//!
//! # Reference
//! \[PSLG14\] Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Apriori-based algorithms for k^m-anonymizing
//! trajectory data. Trans. Data Privacy 7(2), 2014. Algorithms SEQANON, SD-SEQANON, U-SEQANON.
//! # Guarantees
//! The release satisfies `km`: an attacker who knows up to `m` events of a person, in order, finds at least `k` people who fit.
//! Every event covers the original one; order and length are kept unless `infeasible` or U-SEQANON suppresses.
//! # Cost
//! For each length up to `m`, one walk over the distinct subsequences of that length; each merge touches only the
//! people of the merged places. Up to 2,048 items all distances are kept; beyond, a tree finds the nearest partner, and 16 members
//! stand for a larger group.
//! # Departs from the paper
//! * `sound` counts people; `as-printed` counts trajectories, which is the same while everybody has one.
//! * The paper does not end when one place is left and the promise still fails: we test feasibility first and follow
//!   the policy `infeasible`.
//! * Without the apriori loop (the paper's SEQANON_F) only length `m` is treated and shorter records stay exposed;
//!   `sound` goes on to the shorter lengths.
//! * U-SEQANON's printed loop condition is always true; the text's "at least k or 0" is meant. Where the rarest
//!   place has no partner the paper suppresses it; `sound` first tries the pattern's other places.

mod repair;

use std::sync::Arc;

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, settings};
use throng_data::{Body, Events, GeneralisedItem, ItemId, Nature, Release, Suppression, Taxonomy};

use self::repair::{Repair, Utility};
use super::exposed::{Requirement, check_size, exposed_patterns};
use super::feasibility;
use super::groups::Groups;
use super::params::{Limits, Merging};
use super::proximity::Proximity;
use crate::set::tree::by_name;
use crate::{Method, MethodError, Outcome, Task, Variant};

const NO_APRIORI: Key<bool> = Key::switch(
    "no-apriori",
    "treat length m first instead of growing from 1 (slower; the paper's SEQANON_F)",
);

settings! {
    /// What SD-SEQANON and U-SEQANON are asked for.
    struct Asked {
        merging: Merging,
        limits: Limits,
    }
}

settings! {
    /// What SEQANON is asked for.
    struct SeqanonAsked {
        merging: Merging,
        no_apriori: bool = NO_APRIORI,
        limits: Limits,
    }
}

static SEQANON: Descriptor = Descriptor {
    name: "seqanon",
    purpose: "merge rare places with near ones until every itinerary of up to m visits is shared by k people",
    takes: &[DataKind::Sequences],
    needs: &[Need::optional(Input::Places), Need::optional(Input::Taxonomy)],
    params: SeqanonAsked::ALL,
    keeps: Some("km"),
    product: Some(Product::of(BodyKind::Records).at(0.03, 20.0, 0.2)),
    variants: true,
    paper: "PSLG14",
    example: "throng anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 -o release",
    notes: "Truthful: every published place covers the one visited. Attackers who know more than m events, or exactly \
            which events a person does not have, are not covered. Times are not published. Items without places are near that are \
            alike in the taxonomy; without that, too, neighbours in the order of their names (`throng taxonomy` makes others).",
    ..Descriptor::blank(DescriptorKind::Method)
};

static SD_SEQANON: Descriptor = Descriptor {
    name: "sd-seqanon",
    purpose: "like seqanon, but prefer places that are also alike in a taxonomy",
    needs: &[Need::optional(Input::Taxonomy), Need::optional(Input::Places)],
    params: Asked::ALL,
    example: "throng anonymize city/events.csv --places city/places.csv --taxonomy city/taxonomy.csv --method sd-seqanon \
              -k 5 -m 2 -o release",
    notes: "Without places every two places are equally far apart and only meaning counts. Without either, items are alike that are \
            neighbours in the order of their names; `throng taxonomy` makes other taxonomies.",
    ..SEQANON
};

static U_SEQANON: Descriptor = Descriptor {
    name: "u-seqanon",
    purpose: "like seqanon, but merge only within the publisher's constraints and suppress where that is not enough",
    needs: &[Need::required(Input::Places), Need::required(Input::Constraints)],
    params: Asked::ALL,
    example: "throng anonymize city/events.csv --places city/places.csv --constraints city/constraints.csv \
              --method u-seqanon -k 5 -m 2 -o release",
    notes: "The number of people who visited any place of a constraint can be read off the release exactly, unless the \
            place was suppressed.",
    ..SEQANON
};

/// SEQANON: merges by distance.
#[derive(Debug, Clone, Copy)]
pub struct Seqanon;

/// SD-SEQANON: merges by distance times semantic dissimilarity.
#[derive(Debug, Clone, Copy)]
pub struct SdSeqanon;

/// U-SEQANON: merges by distance within utility constraints.
#[derive(Debug, Clone, Copy)]
pub struct USeqanon;

impl Method for Seqanon {
    fn descriptor(&self) -> &'static Descriptor {
        &SEQANON
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let SeqanonAsked { merging, no_apriori, limits } = SeqanonAsked::of(task.settings);
        let asked = Asked { merging, limits };
        match &task.data.places {
            // Where items are is all that counts: a taxonomy beside it is for `sd-seqanon`.
            Some(places) => {
                let proximity = Proximity::new(Some((places, merging.distance)), None);
                run(task, &asked, proximity, None, no_apriori)
            }
            None => by_meaning(task, &asked, no_apriori),
        }
    }
}

impl Method for SdSeqanon {
    fn descriptor(&self) -> &'static Descriptor {
        &SD_SEQANON
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        match (&task.inputs.taxonomy, &task.data.places) {
            // Places are told apart better by where they are than by what they are called.
            (None, Some(_)) => {
                Err(MethodError::MissingInput { method: "sd-seqanon", input: Input::Taxonomy })
            }
            _ => by_meaning(task, &Asked::of(task.settings), false),
        }
    }
}

/// Merges by what items mean, and by where they are where that is known: by the taxonomy that was given, or by one of names.
fn by_meaning(task: &Task<'_>, asked: &Asked, no_apriori: bool) -> Result<Outcome, MethodError> {
    let generated;
    let (taxonomy, note) = match &task.inputs.taxonomy {
        Some(taxonomy) => (taxonomy, None),
        None => {
            generated = neighbours_by_name(task)?;
            (&generated, Some(BY_NAME.to_owned()))
        }
    };
    let leaves = taxonomy.align(&task.data.items).map_err(|error| MethodError::BadData {
        what: error.to_string(),
        help: "add a line for it to the taxonomy file".into(),
    })?;
    let places = task.data.places.as_ref().map(|places| (places, asked.merging.distance));
    let proximity = Proximity::new(places, Some((taxonomy, leaves)));
    let mut outcome = run(task, asked, proximity, None, no_apriori)?;
    outcome.notes.extend(note);
    Ok(outcome)
}

/// Neighbours that are put together at each level of a taxonomy that is made here.
const FAN_OUT: usize = 4;

/// Said where items have neither a place nor a taxonomy.
const BY_NAME: &str = "no taxonomy was given: items that are neighbours in the order of their names were taken to be alike; \
                       `throng taxonomy` makes others, by frequency or category";

/// A taxonomy from the names alone, which gives nothing away.
fn neighbours_by_name(task: &Task<'_>) -> Result<Taxonomy, MethodError> {
    let items = &task.data.items;
    by_name(items, &vec![false; items.len()], FAN_OUT).map_err(|error| MethodError::BadData {
        what: error.to_string(),
        help: "give a taxonomy with {taxonomy FILE}".into(),
    })
}

impl Method for USeqanon {
    fn descriptor(&self) -> &'static Descriptor {
        &U_SEQANON
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let missing = |input| MethodError::MissingInput { method: "u-seqanon", input };
        let places = task.data.places.as_ref().ok_or_else(|| missing(Input::Places))?;
        let sets = task.inputs.constraints.as_ref().ok_or_else(|| missing(Input::Constraints))?;
        let sets: Vec<Vec<ItemId>> = sets.iter().map(|set| task.data.items.ids(set)).collect();
        let constraint_of = partition(task, &sets)?;
        let asked = Asked::of(task.settings);
        let proximity = Proximity::new(Some((places, asked.merging.distance)), None);
        run(task, &asked, proximity, Some(&constraint_of), false)
    }
}

/// The constraint of every item, or why the constraints are not a partition of the items.
fn partition(task: &Task<'_>, sets: &[Vec<ItemId>]) -> Result<Vec<u32>, MethodError> {
    let mut constraint_of: Vec<Option<u32>> = vec![None; task.data.items.len()];
    for (number, set) in sets.iter().enumerate() {
        for item in set {
            match constraint_of[*item as usize].replace(number as u32) {
                Some(other) if other != number as u32 => {
                    return Err(MethodError::BadData {
                        what: format!(
                            "item `{}` is in two utility constraints, number {} and number {}",
                            task.data.items.name(*item),
                            other + 1,
                            number + 1
                        ),
                        help: "list every item in exactly one constraint".into(),
                    });
                }
                _ => {}
            }
        }
    }
    let missing = |item: usize| MethodError::BadData {
        what: format!("item `{}` is in no utility constraint", task.data.items.name(item as ItemId)),
        help: "list every item in exactly one constraint; an item alone on its line is never merged".into(),
    };
    constraint_of.into_iter().enumerate().map(|(item, set)| set.ok_or_else(|| missing(item))).collect()
}

/// The algorithm all three share: lengths 1 to `m`, and for each the rare patterns from the rarest on.
fn run(
    task: &Task<'_>,
    asked: &Asked,
    proximity: Proximity<'_>,
    constraint_of: Option<&[u32]>,
    no_apriori: bool,
) -> Result<Outcome, MethodError> {
    let (k, m) = (asked.merging.k, asked.merging.m as usize);
    let Limits { infeasible, max_suppressed } = asked.limits;
    let original = &task.data.events;
    // The paper's support counts trajectories: every record is its own person.
    let per_record = (task.variant == Variant::AsPrinted).then(|| original.clone().one_subject_per_record());
    let counted = per_record.as_ref().unwrap_or(original);
    let trimmed = feasibility::ensure(counted, k, m, infeasible, max_suppressed, task.progress)?;
    let counted = trimmed.as_ref().unwrap_or(counted);
    let longest = (0..counted.records()).map(|record| counted.span(record).len()).max().unwrap_or(0);
    let m = m.min(longest);

    let groups = Groups::singletons(counted, task.data.items.len());
    check_size(groups.all().count(), m)?;
    let utility = Utility { constraint_of, max_suppressed };
    let mut repair = Repair::new(task, counted, groups, proximity, utility, k);
    for size in lengths(m, no_apriori, task.variant) {
        let requirement = Requirement { k, diversity: None };
        let name = format!("count patterns of length {size}");
        let exposed = exposed_patterns(counted, repair.groups(), size, requirement, task.progress, &name)?;
        let phase = task.progress.phase(&format!("merge for length {size}"), Some(exposed.count() as u64));
        repair.begin(size);
        let mut number: u64 = 0;
        exposed.try_each(|pattern| {
            repair.protect(pattern.groups)?;
            // Most are done with one look: counting each would cost as much.
            number += 1;
            if number.is_multiple_of(TOLD) {
                phase.advance(TOLD)?;
            }
            Ok::<_, MethodError>(())
        })?;
        phase.advance(exposed.count() as u64 % TOLD)?;
    }
    let (groups, explanation) = repair.finish();
    let release = publish(task, trimmed.as_ref(), &groups);
    let notes = notes(&release, trimmed.is_some());
    Ok(Outcome { also: Vec::new(), release, explanation, notes, public_notes: Vec::new(), ledger: None })
}

/// Progress is told after so many patterns.
const TOLD: u64 = 64;

/// The lengths in the order they are treated.
fn lengths(m: usize, no_apriori: bool, variant: Variant) -> Vec<usize> {
    match (no_apriori, variant) {
        (false, _) => (1..=m).collect(),
        (true, Variant::AsPrinted) => (m.max(1)..=m).collect(),
        (true, Variant::Sound) => (1..=m).rev().collect(),
    }
}

/// The release that a partition of the items stands for.
fn publish(task: &Task<'_>, trimmed: Option<&Events>, groups: &Groups) -> Release {
    let mut alphabet = Vec::new();
    let mut image = vec![None; task.data.items.len()];
    for group in groups.all() {
        for item in groups.members(group) {
            image[*item as usize] = Some(alphabet.len() as ItemId);
        }
        alphabet.push(GeneralisedItem::of(groups.members(group).to_vec()));
    }
    let original = &task.data.events;
    // The trimmed events may have been counted with one subject per record; the release keeps the real subjects.
    let shaped = trimmed.map(|events| events.clone().with_subjects_of(original));
    let kept = shaped.as_ref().unwrap_or(original);
    let suppresses = image.contains(&None);
    let filtered =
        if suppresses { Some(kept.retain(|_, _, item| image[item as usize].is_some())) } else { None };
    let events =
        filtered.as_ref().unwrap_or(kept).recode(|item| image[item as usize].unwrap_or_default(), false);
    let emptied = (0..original.records())
        .filter(|record| events.span(*record).is_empty() && !original.span(*record).is_empty());
    let suppression = Suppression {
        rows: 0,
        items: image.iter().filter(|image| image.is_none()).count() as u64,
        events: (original.len() - events.len()) as u64,
        emptied_records: emptied.count() as u64,
        events_before: original.len() as u64,
    };
    Release {
        base: Arc::clone(&task.data.items),
        alphabet,
        body: Body::of_events(events),
        suppression,
        nature: Nature::Truthful,
    }
}

fn notes(release: &Release, trimmed: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if release.suppression.events > 0 {
        let why = if trimmed {
            "records too long to hide, or places without a partner"
        } else {
            "places without a partner"
        };
        notes.push(format!(
            "{} of {} events were suppressed ({why})",
            release.suppression.events, release.suppression.events_before
        ));
    }
    if release.alphabet.len() == 1 {
        notes.push("only one generalised place is left: the data are too sparse for this k and m".to_owned());
    }
    notes
}
