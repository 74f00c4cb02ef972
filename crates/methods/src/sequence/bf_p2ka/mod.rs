//! Moves people with rare routes onto the closest route that `k` people share.
//!
//! # Reference
//! \[PMPG08\] Pensa, Monreale, Pinelli, Pedreschi. Pattern-Preserving k-Anonymization of Sequences and its Application
//! to Mobility Data Mining. PiLBA 2008. Algorithm BF-P2kA.
//! # Guarantees
//! The release satisfies `p2k`: any visits, in order, that a released record shows are shared by `k` people, in the
//! original data and in the release. In the original, because every released record is a sequence that records of `k`
//! people begin with; in the release, because every node of the final tree is passed by `k` people or by none.
//! People are counted, not records: a person whose three records pass a node counts there once.
//!
//! The release is *not truthful*. A moved record is the beginning of a shared route that holds a longest common
//! subsequence with the original one: it may show places where the person never was. How many events were put in, and
//! how many were taken out, is counted and reported.
//! # Cost
//! Growing the tree touches each kept event once. Re-attachment asks, for each distinct cut sequence and on all cores, which
//! paths have enough of its items to be better than what the sequence begins with: about one instruction for every 64
//! paths and item. Those paths, usually a handful, are compared in order: a step costs a few instructions for every 64 items of the
//! sequence. Further rounds repeat this for the records that lost their place, usually few.
//! # Departs from the paper
//! * Pruning and moving lower the support of nodes that were tested before: of `APR, A, PR, PR` with `k = 2` the paper
//!   publishes a unique `A`. `sound` prunes again and moves the records it cuts, starting from what the person really
//!   did, until every node has `k` people or none. `as-printed` does it once.
//! * `sound` counts people; `as-printed` counts records, which is the same while everybody has one.
//! * The support added to a node is the number of records equal to a sequence, not its support as a subsequence; cut
//!   sequences include those that end inside a cut branch; both as the paper's example has it.
//! * A cut sequence that shares no item with any path is dropped. Its record stays, empty, and is counted.
//! * Ties that the Levenshtein distance leaves open go to the path with more people, then to the first in the input;
//!   among several common subsequences, to the one that needs the shortest prefix of the path.

mod closest;
mod marks;
mod placement;
mod tree;

use std::sync::Arc;

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Fraction, Key, Product, settings};
use throng_data::{Body, Events, GeneralisedItem, ItemId, Nature, Release, Suppression};
use throng_models::ranges::PEOPLE;

use self::placement::Placement;
use crate::{Explanation, Method, MethodError, Outcome, Task, Variant};

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "people who must share every sequence of visits").or("5"),
        max_suppressed: Fraction = Key::share(
            "max-suppressed",
            "largest share of the records that may be dropped",
        )
        .or("100%"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "bf-p2ka",
    purpose: "move rare routes onto the closest route that k people share, keeping frequent patterns",
    takes: &[DataKind::Sequences],
    params: Asked::ALL,
    keeps: Some("p2k"),
    product: Some(Product::of(BodyKind::Records).at(0.0, 0.0, 0.4)),
    variants: true,
    paper: "PMPG08",
    example: "throng anonymize city/events.csv --method bf-p2ka -k 10 -o release",
    notes: "Not truthful: a moved record may show places where its person never was. Patterns that k people share only \
            in rare routes are lost. Linking several records of one person is not covered. Times are not published.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// BF-P2kA.
#[derive(Debug, Clone, Copy)]
pub struct BfP2ka;

impl Method for BfP2ka {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let k = asked.k;
        let original = &task.data.events;
        // The paper's support counts sequences: every record is its own person.
        let per_record =
            (task.variant == Variant::AsPrinted).then(|| original.clone().one_subject_per_record());
        let counted = per_record.as_ref().unwrap_or(original);
        if !original.is_empty() && (counted.subjects() as u64) < k {
            return Err(infeasible(format!(
                "k is {k}, but there are only {} people in the data",
                counted.subjects()
            )));
        }
        let mut placement = Placement::new(counted, k, task.data.items.len(), task.progress)?;
        placement.settle(task.variant, task.progress)?;
        let published = publish(task, &placement);
        let dropped = published.release.suppression.emptied_records;
        let records =
            (0..original.records()).filter(|record| !original.span(*record).is_empty()).count() as u64;
        if records > 0 && dropped == records {
            return Err(infeasible(format!("no route is shared by {k} people: nothing would be published")));
        }
        let limit = asked.max_suppressed;
        if limit.is_exceeded_by(dropped, records) {
            let why =
                format!("{dropped} of {records} records would be dropped, more than the limit of {limit}");
            return Err(infeasible(why));
        }
        let notes = published.notes(&placement, records);
        let explanation = Explanation { steps: placement.reasons };
        let public_notes = Vec::new();
        Ok(Outcome {
            also: Vec::new(),
            release: published.release,
            explanation,
            notes,
            public_notes,
            ledger: None,
        })
    }
}

fn infeasible(why: String) -> MethodError {
    let help = "use a smaller `k`, coarsen the places with {throng prepare}, or raise {max-suppressed}";
    MethodError::Infeasible { why, help: help.into() }
}

/// A release with what the publisher should know of it.
struct Published {
    release: Release,
    moved: u64,
    added: u64,
}

fn publish(task: &Task<'_>, placement: &Placement<'_>) -> Published {
    let original = &task.data.events;
    let mut items: Vec<ItemId> = Vec::with_capacity(original.len());
    let mut record_events = vec![0];
    let mut suppression = Suppression { events_before: original.len() as u64, ..Suppression::default() };
    let (mut moved, mut added) = (0, 0);
    for record in 0..original.records() {
        let start = items.len();
        placement.push_record(record, &mut items);
        record_events.push(items.len() as u64);
        let (before, after, kept) =
            (original.span(record).len(), items.len() - start, placement.kept(record));
        suppression.events += (before - kept) as u64;
        suppression.emptied_records += u64::from(after == 0 && before > 0);
        added += (after - kept) as u64;
        moved += u64::from(after > 0 && placement.was_moved(record));
    }

    // Only items that are still there: the names of the others are not published.
    let mut image: Vec<Option<ItemId>> = vec![None; task.data.items.len()];
    let mut occurs = vec![false; image.len()];
    items.iter().for_each(|item| occurs[*item as usize] = true);
    let mut alphabet = Vec::new();
    for item in (0..image.len()).filter(|item| occurs[*item]) {
        image[item] = Some(alphabet.len() as ItemId);
        alphabet.push(GeneralisedItem::of(vec![item as ItemId]));
    }
    suppression.items = (image.len() - alphabet.len()) as u64;
    let events =
        Events::from_parts(original.kind(), original.subject_offsets().to_vec(), record_events, items, None)
            .recode(|item| image[item as usize].unwrap_or_default(), false);
    let nature = if added > 0 { Nature::Perturbed } else { Nature::Truthful };
    let base = Arc::clone(&task.data.items);
    Published {
        release: Release { base, alphabet, body: Body::of_events(events), suppression, nature },
        moved,
        added,
    }
}

impl Published {
    fn notes(&self, placement: &Placement<'_>, records: u64) -> Vec<String> {
        let Suppression { events, emptied_records, events_before, .. } = self.release.suppression;
        let mut notes = Vec::new();
        if self.moved > 0 {
            notes.push(format!(
                "{} of {records} records were moved to a shared route, which took out {events} of {events_before} events",
                self.moved
            ));
        }
        if self.added > 0 {
            notes.push(format!(
                "not truthful: {} events were put in where their person never was",
                self.added
            ));
        }
        if emptied_records > 0 {
            notes.push(format!(
                "{emptied_records} of {records} records have no place on any shared route: dropped"
            ));
        }
        if placement.rounds > 1 {
            notes.push(format!("pruning and moving took {} rounds to settle", placement.rounds));
        }
        notes
    }
}
