//! Whether records are as long as they were.
//!
//! Frequent runs say little of this: a synthetic release may have all of them right and break every sequence into pieces.

use std::collections::BTreeMap;

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Scale, Settings};
use throng_data::Events;

use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "lengths",
    purpose: "whether records have as many events as they had",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: &[],
    gauge: Some(Gauge {
        cost: Cost::Pass,
        scales: &[
            Scale::loss(
                "lengths_moved",
                "share of records that would need another length to match the data",
                1.0,
            ),
            Scale::size("mean_length_before", "events of a record of the data, on average"),
            Scale::size("mean_length_after", "events of a released record, on average"),
        ],
    }),
    paper: "",
    example: "throng measure city/events.csv release --measure lengths",
    notes: "Distributions are compared, not single records, so it holds for synthetic records too. Records without events \
            are not counted.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Lengths of records before and after.
#[derive(Debug, Clone, Copy)]
pub struct LengthMeasure;

impl Measure for LengthMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
        let (before, after) = (Lengths::of(&on.original.events), Lengths::of(on.release.events()));
        if before.records == 0 || after.records == 0 {
            let reason = "there is no record with events on both sides";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        }
        Ok(vec![
            ("lengths_moved", before.distance(&after)),
            ("mean_length_before", before.mean()),
            ("mean_length_after", after.mean()),
        ])
    }
}

/// How many records have each length, without those that have no event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lengths {
    by_length: BTreeMap<usize, u64>,
    records: u64,
}

impl Lengths {
    /// Of some events.
    pub fn of(events: &Events) -> Self {
        let mut lengths = Lengths::default();
        for record in 0..events.records() {
            let events = events.record(record).len();
            if events > 0 {
                *lengths.by_length.entry(events).or_default() += 1;
                lengths.records += 1;
            }
        }
        lengths
    }

    /// Events of a record, on average; 0 where there is none.
    pub fn mean(&self) -> f64 {
        let events: u64 = self.by_length.iter().map(|(length, records)| *length as u64 * records).sum();
        if self.records == 0 { 0.0 } else { events as f64 / self.records as f64 }
    }

    /// The total variation distance: half of what the shares of the lengths differ by.
    pub fn distance(&self, other: &Lengths) -> f64 {
        let share = |lengths: &Lengths, length: &usize| {
            lengths.by_length.get(length).copied().unwrap_or(0) as f64 / lengths.records.max(1) as f64
        };
        let only_there = other.by_length.keys().filter(|length| !self.by_length.contains_key(length));
        let lengths = self.by_length.keys().chain(only_there);
        (lengths.map(|length| (share(self, length) - share(other, length)).abs()).sum::<f64>() / 2.0).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Dataset, Release};

    use super::*;

    fn compare(before: &[&str], after: &[&str]) -> Result<Readings, MeasureError> {
        let data = Dataset::from_words(before.iter().copied());
        let released = Dataset::from_words(after.iter().copied());
        let release = Release::identity(released.items.clone(), released.events);
        let settings = Settings::parse(&DESCRIPTOR, []).unwrap();
        LengthMeasure.measure(&Comparison::of(&data, &release, &Progress::silent()), &settings)
    }

    #[test]
    fn shares_of_lengths_are_compared_whatever_the_number_of_records() {
        let readings = compare(&["abc", "abc", "ab", "a"], &["abc", "a"]).unwrap();
        // A quarter of the records, those of two events, are of one event instead.
        let expected = [("lengths_moved", 0.25), ("mean_length_before", 2.25), ("mean_length_after", 2.0)];
        assert_eq!(readings, expected);
        assert_eq!(compare(&["ab"], &["ba", "aa"]).unwrap()[0].1, 0.0);
        assert_eq!(compare(&["ab"], &["a", "abc"]).unwrap()[0].1, 1.0);
    }

    #[test]
    fn records_without_events_have_no_length() {
        assert_eq!(compare(&["ab", ""], &["ab", "", ""]).unwrap()[0].1, 0.0);
        assert!(matches!(compare(&["ab"], &[""]), Err(MeasureError::NotApplicable { .. })));
    }
}
