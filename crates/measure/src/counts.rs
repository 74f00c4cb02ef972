//! What is left of visits and moves in a release of counts.
//!
//! # Cost
//! One pass, and one entry for each person and cell.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use throng_contract::{
    Cancelled, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Progress, Scale, Settings,
};
use throng_data::{CountCell, CountTable, Counting, Dataset, EventKind, ItemId, Release};

use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "counts",
    purpose: "of a release of counts: which share of visits and moves is in them, and how far they are off",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::kept("visits_kept", "share of visits that are in a published count", 1.0),
            Scale::kept("moves_kept", "share of moves that are in a published count", 1.0),
            Scale::loss(
                "counts_error",
                "how far published counts are off, as a share of all in them",
                f64::INFINITY,
            ),
        ],
    }),
    paper: "",
    example: "throng measure city/events.csv release --measure counts",
    notes: "A visit is a person at an item, a move a person who went from one item to another, however often.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Visits and moves that are left.
#[derive(Debug, Clone, Copy)]
pub struct CountsMeasure;

impl Measure for CountsMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_counts(&self) -> bool {
        true
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let Some(kept) = Kept::of(on.original, on.release, on.progress)? else {
            let reason = "the release has records, no counts";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        };
        let mut readings = Readings::new();
        readings.extend(kept.visits.map(|share| ("visits_kept", share)));
        readings.extend(kept.moves.map(|share| ("moves_kept", share)));
        readings.extend(kept.error.map(|error| ("counts_error", error)));
        Ok(readings)
    }
}

/// Shares of visits and moves; none of a table that is not published or has nothing to count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Kept {
    /// Visits in a published cell.
    pub visits: Option<f64>,
    /// Moves in a published cell.
    pub moves: Option<f64>,
    /// How far published counts are off, as a share of the people in them.
    pub error: Option<f64>,
}

impl Kept {
    /// Compares counts with the data; nothing where the release has none.
    pub fn of(data: &Dataset, release: &Release, progress: &Progress) -> Result<Option<Self>, Cancelled> {
        let Some(counts) = release.body.counts() else { return Ok(None) };
        let mut counting = Counting::of(counts);
        // A release without a cell says nothing of what was asked for: all that could be counted was lost.
        if counts.cells.is_empty() {
            let ordered = data.events.kind() == EventKind::Sequence;
            counting = Counting { visits: true, moves: ordered.then_some(CountTable::Moves), bin: 0 };
        }
        let number: HashMap<&str, ItemId> =
            (0..).zip(data.items.names()).map(|(item, name)| (name, item)).collect();
        let image = |item: ItemId| {
            let members = &release.alphabet[item as usize].members;
            members.first().and_then(|member| number.get(release.base.name(*member)).copied())
        };
        let told: HashMap<CountCell, u64> = (counts.cells.iter())
            .filter_map(|(cell, people)| {
                let to = match cell.to {
                    Some(to) => Some(image(to)?),
                    None => None,
                };
                Some((CountCell { item: image(cell.item)?, to, ..*cell }, *people))
            })
            .collect();
        let published: HashSet<CountCell> = told.keys().copied().collect();
        let events = &data.events;
        let (mut all, mut kept) = ([0_u64; 2], [0_u64; 2]);
        let mut people: HashMap<CountCell, u64> = HashMap::new();
        let everybody: Vec<usize> = (0..events.subjects()).collect();
        for part in everybody.chunks(1 << 14) {
            progress.check()?;
            let cells = part.par_iter().map(|person| counting.cells_of(events, *person)).collect::<Vec<_>>();
            for cell in cells.into_iter().flatten() {
                let table = usize::from(cell.table != CountTable::Visits);
                all[table] += 1;
                if published.contains(&cell) {
                    kept[table] += 1;
                    *people.entry(cell).or_default() += 1;
                }
            }
        }
        let off: u64 =
            told.iter().map(|(cell, told)| told.abs_diff(people.get(cell).copied().unwrap_or(0))).sum();
        let share = |table: usize| (all[table] > 0).then(|| kept[table] as f64 / all[table] as f64);
        let inside = kept[0] + kept[1];
        let error = (inside > 0).then(|| off as f64 / inside as f64);
        Ok(Some(Kept { visits: share(0), moves: share(1), error }))
    }
}

#[cfg(test)]
mod tests {
    use throng_data::{Counts, Nature};

    use super::*;

    #[test]
    fn shares_are_of_people_and_noise_is_an_error() {
        // Visits: a 3, b 2, c 1; moves: ab 2, ac 1.
        let data = Dataset::from_words(["ab", "aab", "ac"]);
        let visit = |item| CountCell { table: CountTable::Visits, item, to: None, time: None };
        let step = CountCell { table: CountTable::Moves, item: 0, to: Some(1), time: None };
        let cells = vec![(visit(0), 3), (visit(1), 3), (step, 2)];
        let counts = Counts { kind: EventKind::Sequence, cells, bin: 0 };
        let release = Release::of_counts(data.items.clone(), counts, Nature::Truthful);
        let kept = Kept::of(&data, &release, &Progress::silent()).unwrap().unwrap();
        assert_eq!(kept, Kept { visits: Some(5.0 / 6.0), moves: Some(2.0 / 3.0), error: Some(1.0 / 7.0) });
    }
}
