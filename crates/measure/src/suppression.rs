//! What was taken away rather than made coarser.
//!
//! One definition, for every front end: an event of the data is *suppressed* when, with its record laid beside the released
//! one as well as order allows, no released event stands for it. Making an event coarser does not suppress it; putting
//! another event in does not make up for it. It is counted by comparing the release with the data, not taken from what the
//! method says of itself.
//!
//! # Cost
//! One pass. Records that hold events which did not happen (perturbed releases) are aligned, which takes the product of the two
//! lengths; where they cannot be matched with their originals there is no such share.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Scale, Settings};
use throng_data::{
    Cover as Cell, Dataset, EventKind, Events, ItemId, Nature, RecodedColumn, RecodedTable, Release,
};

use crate::cover::Cover;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "suppression",
    purpose: "which share of events, items and records, or of rows and cells, was taken away",
    takes: &[DataKind::Sequences, DataKind::Sets, DataKind::Table],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss("suppressed_events_share", "share of events that were taken away", 1.0),
            Scale::loss("suppressed_items_share", "share of items that no released item stands for", 1.0),
            Scale::loss("emptied_records_share", "share of records that lost all their events", 1.0),
            Scale::loss("suppressed_rows_share", "share of rows of which nothing is said", 1.0),
            Scale::loss("suppressed_cells_share", "share of published cells of which nothing is said", 1.0),
        ],
    }),
    paper: "",
    example: "throng measure city/events.csv release --measure suppression",
    notes: "Synthetic records replace the data: nothing was taken away from any of them.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Shares of what was taken away.
#[derive(Debug, Clone, Copy)]
pub struct SuppressionMeasure;

impl Measure for SuppressionMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        if on.release.nature == Nature::Synthetic {
            let reason = "the records are synthetic, and stand for no person";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        }
        let mut readings = Readings::new();
        if let Some(table) = on.release.table() {
            readings = of_cells(table, on.release.people());
            if on.release.event_kind() == EventKind::Absent {
                return Ok(readings);
            }
        }
        let lost = Suppressed::of(on.original, on.release, on.aligned);
        let before = &on.original.events;
        // Unmatched, what was put in hides what was taken out: a second number for the same thing.
        if on.aligned || on.release.nature == Nature::Truthful {
            readings.push(("suppressed_events_share", lost.events_share()));
        }
        readings.extend([
            ("suppressed_items_share", share(lost.items, lost.items_before)),
            (
                "emptied_records_share",
                share(lost.emptied_records, (before.records() - empty_records(before)) as u64),
            ),
        ]);
        Ok(readings)
    }
}

/// Rows and cells of a table that say nothing. A missing value was said to be missing, and is not suppressed.
fn of_cells(table: &RecodedTable, people: usize) -> Readings {
    let rows = (0..people).filter(|person| table.is_suppressed(*person)).count();
    let silent = |column: &RecodedColumn| {
        let silent: Vec<bool> = column.covers.iter().map(Cell::is_suppressed).collect();
        column.cells.iter().filter(|cover| silent[**cover as usize]).count()
    };
    let cells: usize = table.columns.iter().map(silent).sum();
    vec![
        ("suppressed_rows_share", share(rows as u64, people as u64)),
        ("suppressed_cells_share", share(cells as u64, (people * table.columns.len()) as u64)),
    ]
}

/// What was taken away, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    /// Events that no released event stands for.
    pub events: u64,
    /// Events of the data.
    pub events_before: u64,
    /// Items of the data that no released event may stand for.
    pub items: u64,
    /// Items of the data.
    pub items_before: u64,
    /// Records that had events and have none left.
    pub emptied_records: u64,
}

impl Suppressed {
    /// Counts. `aligned` says that each released record stands at the place of its original.
    pub fn of(data: &Dataset, release: &Release, aligned: bool) -> Self {
        let (before, after) = (&data.events, release.events());
        let mut covered = vec![false; release.base.len().max(data.items.len())];
        let mut released = vec![false; release.alphabet.len()];
        after.items().iter().for_each(|item| released[*item as usize] = true);
        for (item, _) in release.alphabet.iter().zip(&released).filter(|(_, occurs)| **occurs) {
            item.members.iter().for_each(|member| covered[*member as usize] = true);
        }
        let mut occurs = vec![false; data.items.len()];
        before.items().iter().for_each(|item| occurs[*item as usize] = true);
        let gone = occurs.iter().zip(&covered).filter(|(occurs, covered)| **occurs && !**covered).count();
        Suppressed {
            events: events(before, release, aligned && before.records() == after.records()),
            events_before: before.len() as u64,
            items: gone as u64,
            items_before: occurs.iter().filter(|occurs| **occurs).count() as u64,
            emptied_records: empty_records(after).saturating_sub(empty_records(before)) as u64,
        }
    }

    /// Suppressed events as a share of all events; 0 where there are none.
    pub fn events_share(&self) -> f64 {
        share(self.events, self.events_before)
    }
}

fn events(before: &Events, release: &Release, aligned: bool) -> u64 {
    let after = release.events();
    // A truthful sequence is its original with events left out: the balance is all there is to count.
    let plain = release.nature == Nature::Truthful && after.kind() == EventKind::Sequence;
    if plain || !aligned {
        return before.len().saturating_sub(after.len()) as u64;
    }
    let cover = Cover::of(&release.alphabet, release.base.len());
    let lost = |record: usize| {
        let (original, released) = (before.record(record), after.record(record));
        let kept = match after.kind() {
            EventKind::Sequence | EventKind::Absent => aligned_events(original, released, &cover),
            EventKind::Set => {
                let fits = |item: &&ItemId| cover.of_any(**item).iter().any(|cover| released.contains(cover));
                original.iter().filter(fits).count()
            }
        };
        (original.len() - kept) as u64
    };
    (0..before.records()).into_par_iter().map(lost).sum()
}

/// How many events of a record a released one can stand for, in order: the longest common subsequence.
fn aligned_events(original: &[ItemId], released: &[ItemId], cover: &Cover) -> usize {
    let mut best = vec![0; released.len() + 1];
    for item in original {
        let fits = cover.of_any(*item);
        let mut diagonal = 0;
        for (place, event) in released.iter().enumerate() {
            let above = best[place + 1];
            best[place + 1] = if fits.contains(event) { diagonal + 1 } else { above.max(best[place]) };
            diagonal = above;
        }
    }
    best[released.len()]
}

fn empty_records(events: &Events) -> usize {
    events.record_offsets().windows(2).filter(|ends| ends[0] == ends[1]).count()
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_contract::Progress;
    use throng_data::{Column, ColumnValues, Role, Table};

    #[test]
    fn rows_and_cells_of_tables_are_counted_apart() {
        let column = |name: &str, role| Column {
            name: name.to_owned(),
            role: Some(role),
            values: ColumnValues::Numbers(vec![1.0, 2.0, f64::NAN, 4.0]),
        };
        let columns = vec![column("a", Role::QuasiIdentifying), column("b", Role::Sensitive)];
        let mut table = RecodedTable::identity(&Table { columns });
        table.suppress(&[0]);
        // A cell alone, too.
        let silent = table.columns[0].cells[0];
        table.columns[0].cells[1] = silent;
        let expected = [("suppressed_rows_share", 0.25), ("suppressed_cells_share", 3.0 / 8.0)];
        assert_eq!(of_cells(&table, 4), expected);
    }

    /// Two numbers for one release: a moved record took events out and put others in, and the balance hid it.
    #[test]
    fn events_put_in_do_not_make_up_for_those_taken_out() {
        let data = Dataset::from_words(["abc", "ab"]);
        let mut release = Release::identity(data.items.clone(), Dataset::from_words(["aca", "ab"]).events);
        // Items are numbered by first appearance: the released `c` is the second of its own dataset.
        let events = release.events().recode(|item| [0, 2, 1][item as usize], false);
        release.body = release.body.with_events(|_| events);
        release.nature = Nature::Perturbed;
        let lost = Suppressed::of(&data, &release, true);
        assert_eq!((lost.events, lost.events_before), (1, 5));
        assert_eq!(Suppressed::of(&data, &release, false).events, 0, "unmatched, only the balance is known");
    }

    #[test]
    fn events_items_and_records_are_counted_apart() {
        let data = Dataset::from_words(["abc", "c", "ab", ""]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        let progress = Progress::silent();
        let events = data.events.retain(|_, _, item| item != 2);
        release.body = release.body.with_events(|_| events);
        let on = Comparison::of(&data, &release, &progress);
        let readings = SuppressionMeasure.measure(&on, &settings).unwrap();
        let expected = [2.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0];
        assert_eq!(readings.iter().map(|(_, value)| *value).collect::<Vec<_>>(), expected);
    }
}
