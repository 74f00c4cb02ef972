//! What only the publisher sees of a run: exact counts, readings and risks, and all notes.
//!
//! Printed on the terminal and by `--json` under a key of its own, drawn on the internal report and in the workbench, and
//! never part of a release directory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_data::{Nature, Release};
use throng_measure::suppression::Suppressed;

use crate::made::Checked;
use crate::manifest::{Counts, distinct_items};
use crate::risk::Risk;
use crate::usefulness::{Advice, Survived};

/// Exact numbers of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exact {
    /// Sizes, before and after.
    pub counts: Counts,
    /// What was taken away; nothing can be said of synthetic records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<Lost>,
    /// Readings of all measures that take one pass, by scale. Where noise hides people, lengths of records alone.
    pub measures: BTreeMap<String, f64>,
    /// What attackers could do, before and after.
    #[serde(default)]
    pub risk: Risk,
    /// Things the publisher should know.
    pub notes: Vec<String>,
    /// Which shares of the data are left. None where noise hides people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub survived: Vec<Survived>,
    /// What to change where the release is not good, the best first; empty where nothing was tried or nothing helps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
}

/// What was taken away; see [`throng_measure::suppression`] for what counts as suppressed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Lost {
    /// Original items that no longer occur at all.
    pub items: u64,
    /// Events suppressed.
    pub events: u64,
    /// As a share of all events.
    pub events_share: f64,
    /// Records that had events and lost all of them.
    pub emptied_records: u64,
    /// Rows of a table of which nothing is said any more.
    #[serde(default)]
    pub rows: u64,
}

impl Exact {
    /// Counts what a run did; readings and notes are given.
    pub fn of(made: &Checked, measures: BTreeMap<String, f64>, risk: Risk, notes: Vec<String>) -> Self {
        let suppressed = suppressed(made);
        Exact {
            counts: counts(made),
            suppression: suppressed.map(|lost| Lost {
                items: lost.items,
                events: lost.events,
                events_share: lost.events_share(),
                emptied_records: lost.emptied_records,
                rows: made.outcome.release.suppression.rows,
            }),
            measures,
            risk,
            notes,
            survived: Vec::new(),
            advice: Vec::new(),
        }
    }
}

/// What was taken away, where records stand for people.
pub fn suppressed(made: &Checked) -> Option<Suppressed> {
    let release = &made.outcome.release;
    // Where records were taken apart or counted, nothing says of whom something is: there is nothing to compare.
    (release.nature != Nature::Synthetic && release.body.has_rows())
        .then(|| Suppressed::of(&made.loaded.data, release, true))
}

fn counts(made: &Checked) -> Counts {
    let (data, release) = (&made.loaded.data, &made.outcome.release);
    let (before, after) = (&data.events, release.events());
    if let Some(chunks) = release.body.chunks() {
        return Counts {
            subjects: Some(before.subjects() as u64),
            records: chunks.people(),
            empty_records: 0,
            events_before: Some(before.len() as u64),
            events_after: chunks.items().len() as u64,
            items_before: Some(distinct_items(before.items(), data.items.len())),
            items_after: distinct_items(chunks.items(), release.alphabet.len()),
        };
    }
    Counts {
        subjects: Some(before.subjects() as u64),
        records: after.records() as u64,
        empty_records: empty_records(release),
        events_before: Some(before.len() as u64),
        events_after: after.len() as u64,
        items_before: Some(distinct_items(before.items(), data.items.len())),
        items_after: release.occurring().iter().filter(|occurs| **occurs).count() as u64,
    }
}

fn empty_records(release: &Release) -> u64 {
    release.events().record_offsets().windows(2).filter(|ends| ends[0] == ends[1]).count() as u64
}
