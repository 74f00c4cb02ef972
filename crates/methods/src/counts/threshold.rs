//! Publishes how many people visited an item or moved between two, where at least `k` did.
//!
//! # Guarantees
//! The release satisfies `k-counts`: a cell is published, exactly, where at least `k` people are in it. There are no totals and
//! no number of people, and visits by time stand alone, so that withheld cells cannot be worked out; the argument stands with the
//! promise.
//! # Cost
//! One pass, and one entry for each person and cell.

use std::collections::BTreeMap;
use std::sync::Arc;

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Key, Product, settings};
use throng_data::{CountCell, Counts, Nature, Release, Suppression};
use throng_models::ranges::PEOPLE;

use super::{Wanted, counting, tally};
use crate::{Explanation, Method, MethodError, Outcome, Reason, Task};

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = Key::integer("k", PEOPLE, "people who must be in a cell that is published").or("5"),
        wanted: Wanted,
        bin: u64 = Key::integer(
            "bin",
            0..=1_000_000_000_000,
            "visits by spans of time of this length, in the unit of times (dates: seconds); 0 counts without times",
        )
        .or("0"),
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "counts",
    purpose: "publish how many people visited an item or moved between two, where at least k did",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: Asked::ALL,
    keeps: Some("k-counts"),
    product: Some(Product::of(BodyKind::Counts).at(0.0, 0.0, 0.3)),
    paper: "",
    example: "throng anonymize city/events.csv --method counts -k 5 -o release",
    notes: "Counts, no records: no person can be followed from item to item. Counts are exact, so two releases of nearly the same people can \
            be subtracted from each other; `dp-counts` has noise. A person counts once in a cell. Staying at an item is no \
            move. No totals are published: with one, the cell that is missing could be worked out.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// Counts with a threshold.
#[derive(Debug, Clone, Copy)]
pub struct Counted;

impl Method for Counted {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let k = asked.k;
        let (counting, mut notes) = counting(task, asked.wanted, asked.bin)?;
        let (cells, withheld): (Vec<_>, Vec<_>) =
            tally(task, counting, usize::MAX)?.into_iter().partition(|(_, people)| *people >= k);
        if !withheld.is_empty() {
            notes.push(format!(
                "{} of {} counts are withheld: fewer than {k} people are in them",
                withheld.len(),
                withheld.len() + cells.len()
            ));
        }
        let counts = Counts { kind: task.data.events.kind(), cells, bin: counting.bin };
        let events = &task.data.events;
        let suppression = Suppression { events_before: events.len() as u64, ..Suppression::default() };
        let base = Arc::clone(&task.data.items);
        let release = Release { suppression, ..Release::of_counts(base, counts, Nature::Truthful) };
        Ok(Outcome {
            release,
            explanation: Explanation { steps: withheld.iter().map(|cell| step(cell, k)).collect() },
            notes,
            public_notes: vec![
                "counts of people, not records; a person counts once in a cell",
                "a cell that is not listed has fewer than k people, perhaps none; there are no totals from which to work it out",
                "counts are exact: a second release of nearly the same people could be subtracted from this one",
            ],
            ledger: None,
            also: Vec::new(),
        })
    }
}

fn step((cell, people): &(CountCell, u64), k: u64) -> Reason {
    let mut details = BTreeMap::from([("table", cell.table.name().to_owned())]);
    if let Some(time) = cell.time {
        details.insert("time", time.to_string());
    }
    Reason {
        action: "withhold",
        items: Vec::new(),
        pattern: [Some(cell.item), cell.to].into_iter().flatten().map(|item| vec![item]).collect(),
        support: *people,
        needed: k,
        details,
    }
}
