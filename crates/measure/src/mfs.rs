//! How many maximal frequent sequences were lost.
//!
//! # Reference
//! MFD: Mohammed, Fung, Debbabi. Preserving privacy and utility in RFID data publishing. Section 4 (utility loss).
//! # Departs from the paper
//! The paper subtracts the numbers of maximal frequent sequences before and after. But suppression also makes shorter
//! sequences maximal, which hide a loss: on the paper's own table 2 of 9 are gone by number and 4 of 9 by name. Both
//! readings are given. By number the loss may be negative.
//! # Cost
//! With times, maximal sets of (item, time) are mined, as the paper does; without, maximal sequences of items.

use std::collections::BTreeSet;

use throng_contract::{Better, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Progress, Scale, Settings};
use throng_data::{Events, ItemId, Release};
use throng_mine::Keep;
use throng_mine::doublets::{DoubletTable, Ties, maximal};

use crate::frequent::{Frequent, in_original_words, intact, mine};
use crate::workload::sequences_only;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "mfs",
    kind: DescriptorKind::Measure,
    purpose: "which share of maximal frequent sequences was lost",
    takes: &[DataKind::Sequences, DataKind::Timed],
    needs: &[],
    params: Frequent::ALL,
    keeps: None,
    product: None,
    over_parts: None,
    gauge: Some(Gauge {
        cost: Cost::Mining,
        scales: &[
            Scale::loss(
                "mfs_loss",
                "maximal frequent sequences of the data that the release does not have",
                1.0,
            ),
            Scale {
                min: f64::NEG_INFINITY,
                max: 1.0,
                better: Better::Neither,
                ..Scale::size(
                    "mfs_loss_by_count",
                    "share by which maximal frequent sequences are fewer, as the paper counts: may be negative",
                )
            },
            Scale::size("mfs_before", "maximal frequent sequences of the data"),
            Scale::size("mfs_after", "maximal frequent sequences of the release"),
        ],
    }),
    variants: false,
    paper: "MFD",
    example: "throng measure city/events.csv release --measure mfs --min-support 1%",
    notes: "Where data and release have times, a sequence is one of items with their times, of any length. A sequence with \
            a generalised item counts as lost.",
};

/// The loss of maximal frequent sequences.
#[derive(Debug, Clone, Copy)]
pub struct MfsMeasure;

impl Measure for MfsMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        sequences_only(on, DESCRIPTOR.name)?;
        let frequent = Frequent::of(settings);
        let (before, after) = (&on.original.events, on.release.events());
        let timed = before.times().is_some() && after.times().is_some();
        let find = if timed { timed_sequences } else { sequences };
        let people = before.subjects();
        let (known, before) = find(before, people, None, frequent, on.progress)?;
        let (found, after) = find(after, people, Some(on.release), frequent, on.progress)?;
        let lost = known.difference(&found).count();
        let share = |part: f64| if before == 0 { 0.0 } else { part / before as f64 };
        Ok(vec![
            ("mfs_loss", share(lost as f64)),
            ("mfs_loss_by_count", share(before as f64 - after as f64)),
            ("mfs_before", before as f64),
            ("mfs_after", after as f64),
        ])
    }
}

/// A sequence of original items, with times or without.
type Sequence = Vec<(Option<i64>, ItemId)>;

/// The maximal frequent sequences in original items, and the number of all of them.
fn sequences(
    events: &Events,
    people: usize,
    release: Option<&Release>,
    frequent: Frequent,
    progress: &Progress,
) -> Result<(BTreeSet<Sequence>, usize), MeasureError> {
    let patterns = mine(events, people, frequent, Keep::Maximal, progress)?;
    let words = |items: &[ItemId]| match release {
        Some(release) => in_original_words(release, items),
        None => Some(items.to_vec()),
    };
    let found = patterns.iter().filter_map(|pattern| words(pattern.items));
    let untimed = |items: Vec<ItemId>| items.into_iter().map(|item| (None, item)).collect();
    Ok((found.map(untimed).collect(), patterns.len()))
}

fn timed_sequences(
    events: &Events,
    people: usize,
    release: Option<&Release>,
    frequent: Frequent,
    progress: &Progress,
) -> Result<(BTreeSet<Sequence>, usize), MeasureError> {
    let reason = "the events cannot be read as items with times";
    let table = DoubletTable::new(events, Ties::KeepFirst)
        .map_err(|_| MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason })?;
    let min_support = frequent.min_support.of(people as u64);
    let patterns = maximal(&table, min_support, progress)?;
    let original = |doublet: &u32| {
        let doublet = table.doublet(*doublet);
        let item = release.map_or(Some(doublet.item), |release| intact(release, doublet.item))?;
        Some((Some(doublet.time), item))
    };
    let found = patterns.iter().filter_map(|set| set.doublets.iter().map(original).collect());
    Ok((found.collect(), patterns.len()))
}

#[cfg(test)]
mod tests {
    use throng_data::{Dataset, Dictionary, EventKind, EventsBuilder};

    use super::*;

    /// Paper 003's Table 1, and the events left in its result.
    const TABLE: [(&str, &str); 8] = [
        ("b2 d3 c4 f6 c7", "d3 f6 c7"),
        ("f6 c7 e8", "f6 c7 e8"),
        ("d3 c4 f6 e8", "d3 f6 e8"),
        ("b2 c5 c7 e8", "c5 c7 e8"),
        ("d3 c7 e8", "d3 c7 e8"),
        ("c5 f6 e8", "c5 f6 e8"),
        ("b2 f6 c7 e8", "f6 c7 e8"),
        ("b2 c5 f6 c7", "c5 f6 c7"),
    ];

    fn events<'a>(rows: impl Iterator<Item = &'a str>, items: &mut Dictionary) -> Events {
        let mut builder = EventsBuilder::new(EventKind::Sequence, true);
        let mut people = 0;
        for row in rows {
            let visits: Vec<(u32, i64)> = row
                .split(' ')
                .map(|visit| (items.intern(&visit[..1]), visit[1..].parse().unwrap()))
                .collect();
            let (places, times): (Vec<u32>, Vec<i64>) = visits.into_iter().unzip();
            builder.push(people, &places, &times);
            people += 1;
        }
        builder.finish(people as usize)
    }

    #[test]
    fn the_paper_loses_2_of_9_by_number_and_4_of_9_by_name() {
        // Vector lkc-tables-1-5.
        let mut items = Dictionary::new();
        let before = events(TABLE.iter().map(|(before, _)| *before), &mut items);
        let after = events(TABLE.iter().map(|(_, after)| *after), &mut items);
        let mut data = Dataset::from_words([]);
        (data.items, data.events) = (items.into(), before);
        let release = Release::identity(data.items.clone(), after);
        let settings = Settings::parse(&DESCRIPTOR, [("min-support", "2")]).unwrap();
        let progress = Progress::silent();
        let readings = MfsMeasure.measure(&Comparison::of(&data, &release, &progress), &settings).unwrap();
        let expected = [
            ("mfs_loss", 4.0 / 9.0),
            ("mfs_loss_by_count", 2.0 / 9.0),
            ("mfs_before", 9.0),
            ("mfs_after", 7.0),
        ];
        assert_eq!(readings, expected);
    }

    #[test]
    fn without_times_the_order_is_what_counts() {
        // Before: abc. After the b's are gone: ac.
        let data = Dataset::from_words(["abc", "abc"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let events = data.events.retain(|_, _, item| item != 1);
        release.body = release.body.with_events(|_| events);
        let settings = Settings::parse(&DESCRIPTOR, [("min-support", "2")]).unwrap();
        let progress = Progress::silent();
        let readings = MfsMeasure.measure(&Comparison::of(&data, &release, &progress), &settings).unwrap();
        assert_eq!(readings[..2], [("mfs_loss", 1.0), ("mfs_loss_by_count", 0.0)]);
    }
}
