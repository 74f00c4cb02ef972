//! How far the supports of pairs of items are off: re and re-a.

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Key, Scale, Settings, settings};
use throng_data::{Events, ItemId};

use super::{RECONSTRUCTIONS, certain, possible, refuse};
use crate::{Comparison, Measure, MeasureError, OnChunks, Readings};

settings! {
    /// What the measure is asked for.
    struct PairsAsked {
        rank_from: u64 = Key::integer(
            "rank-from",
            0..=u32::MAX as u64,
            "items are ordered by how many people have them: the first one that is looked at, from 0",
        )
        .or("200"),
        rank_to: u64 = Key::integer(
            "rank-to",
            1..=u32::MAX as u64,
            "the first one that is not looked at any more",
        )
        .or("220"),
        reconstructions: u64 = RECONSTRUCTIONS,
    }
}

pub(super) static RE: Descriptor = Descriptor {
    name: "re",
    purpose: "how far the supports of pairs of items are off, for items of a range of ranks",
    takes: &[DataKind::Sets],
    params: PairsAsked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Queries,
        scales: &[
            Scale::loss("re", "average relative error of the supports of pairs, in possible datasets", 2.0),
            Scale::loss("re_a", "the same with what chunks hold for sure", 2.0),
        ],
    }),
    paper: "TLMS12",
    example: "throng measure baskets/events.csv release --sets --measure re --rank-from 0 --rank-to 20",
    notes: "The error of a pair is the difference of its supports over their mean: 0 where they agree, 2 where one is 0. Data with \
            fewer items than the range starts at have none.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// re and re-a.
#[derive(Debug, Clone, Copy)]
pub struct PairErrors;

impl Measure for PairErrors {
    fn descriptor(&self) -> &'static Descriptor {
        &RE
    }

    fn on_chunks(&self) -> OnChunks {
        OnChunks::AsTheyAre
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        refuse(on, RE.name)?;
        let asked = PairsAsked::of(settings);
        let (from, to) = (asked.rank_from as usize, asked.rank_to as usize);
        let people = on.original.events.people_by_item(on.original.items.len());
        let mut ranked: Vec<ItemId> =
            (0..people.len() as ItemId).filter(|item| people[*item as usize] > 0).collect();
        ranked.sort_by(|a, b| {
            let by_people = people[*b as usize].cmp(&people[*a as usize]);
            by_people.then_with(|| on.original.items.name(*a).cmp(on.original.items.name(*b)))
        });
        let chosen: Vec<ItemId> = ranked.into_iter().take(to).skip(from).collect();
        if chosen.len() < 2 {
            let reason = "the data have fewer than two items of those ranks";
            return Err(MeasureError::NotApplicable { measure: RE.name, reason });
        }
        let before = pairs(&on.original.events, &chosen);
        let drawn = possible(on, asked.reconstructions);
        let mut after = vec![0.0; before.len()];
        for events in &drawn {
            on.progress.check()?;
            for (sum, support) in after.iter_mut().zip(pairs(events, &chosen)) {
                *sum += support / drawn.len() as f64;
            }
        }
        let mut readings = vec![("re", error(&before, &after))];
        if let Some(events) = certain(on) {
            readings.push(("re_a", error(&before, &pairs(&events, &chosen))));
        }
        Ok(readings)
    }
}

/// How many people have each pair of the items, in a fixed order.
pub(super) fn pairs(events: &Events, chosen: &[ItemId]) -> Vec<f64> {
    let size = events.items().iter().chain(chosen).max().map_or(0, |item| *item as usize + 1);
    let mut place = vec![usize::MAX; size];
    for (at, item) in chosen.iter().enumerate() {
        place[*item as usize] = at;
    }
    let mut counts = vec![0_u64; chosen.len() * chosen.len()];
    let mut last = vec![usize::MAX; counts.len()];
    for subject in 0..events.subjects() {
        for record in events.records_of(subject) {
            let held: Vec<usize> = events
                .record(record)
                .iter()
                .map(|item| place[*item as usize])
                .filter(|at| *at != usize::MAX)
                .collect();
            for a in &held {
                for b in held.iter().filter(|b| a < *b) {
                    let at = a * chosen.len() + b;
                    // Support counts people: a second record of a person adds nothing.
                    counts[at] += u64::from(std::mem::replace(&mut last[at], subject) != subject);
                }
            }
        }
    }
    let above = (0..chosen.len()).flat_map(|a| (a + 1..chosen.len()).map(move |b| a * chosen.len() + b));
    above.map(|at| counts[at] as f64).collect()
}

pub(super) fn error(before: &[f64], after: &[f64]) -> f64 {
    let each = before.iter().zip(after).map(|(before, after)| match before + after {
        0.0 => 0.0,
        sum => (before - after).abs() / (sum / 2.0),
    });
    each.sum::<f64>() / before.len().max(1) as f64
}
