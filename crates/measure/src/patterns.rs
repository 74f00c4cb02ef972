//! Which frequent patterns can still be found in a release, and which false ones appear.
//!
//! A release is filled in at random (each generalised item by one of its members), mined, and compared with the patterns
//! of the data; this is repeated, and the median over the repetitions is given with its deviation.
//!
//! # Reference
//! PSLG14: Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Trans. Data Privacy 7(2), 2014. Section 5, after Gionis,
//! Mannila, Mielikäinen, Tsaparas. Assessing data mining results via swap randomization. KDD 2006.
//! # Guarantees
//! The same data, release and seed give the same projections with any number of threads.
//! # Cost
//! The data and each projection are mined once. A release without generalised events has one projection.
//! # Departs from the paper
//! Ten projections by default, where the paper takes 2000. A pattern is frequent when it reaches the threshold; a share is
//! one of the people of the data, also for a release with more or fewer of them.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Key, Scale, Settings, settings};
use throng_data::{Events, ItemId, Release};
use throng_mine::{Keep, Patterns};

use crate::frequent::{Frequent, mine};
use crate::workload::sequences_only;
use crate::{Comparison, Measure, MeasureError, Readings};

/// Events are filled in by blocks of this size, each with a random stream of its own.
const BLOCK: usize = 1 << 16;

/// How often a release is filled in.
pub(crate) const PROJECTIONS: Key<u64> = Key::integer(
    "projections",
    1..=100_000,
    "how often to fill in generalised items at random; the paper takes 2000",
)
.or("10");

settings! {
    /// What the measure is asked for.
    struct Asked {
        frequent: Frequent,
        projections: u64 = PROJECTIONS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "patterns",
    purpose: "which share of frequent patterns is still found, and which share of those found is false",
    takes: &[DataKind::Sequences],
    params: Asked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Mining,
        scales: &[
            Scale::kept(
                "patterns_kept",
                "frequent patterns of the data that are found in the release, median",
                1.0,
            ),
            Scale::loss(
                "patterns_false",
                "frequent patterns of the release that the data do not have, median",
                1.0,
            ),
            Scale::loss("patterns_kept_deviation", "standard deviation of the share kept", 0.5),
            Scale::loss("patterns_false_deviation", "standard deviation of the false share", 0.5),
            Scale::size("patterns_frequent", "frequent patterns of the data"),
        ],
    }),
    paper: "PSLG14",
    example: "throng measure city/events.csv release --measure patterns --min-support 1% --projections 5",
    notes: "Patterns are mined in the data and in every projection: with a low support or long records this takes long.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Shares of patterns kept and false.
#[derive(Debug, Clone, Copy)]
pub struct PatternMeasure;

impl Measure for PatternMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        sequences_only(on, DESCRIPTOR.name)?;
        let quiet = on.progress.muted();
        let people = on.original.events.subjects();
        let before = mine(&on.original.events, people, asked.frequent, Keep::Frequent, on.progress)?;
        let known: HashSet<&[ItemId]> = before.iter().map(|pattern| pattern.items).collect();
        let projections = if is_intact(on.release) { 1 } else { asked.projections };
        let phase = on.progress.phase("mine projections", Some(projections));
        let (mut kept, mut wrong) = (Vec::new(), Vec::new());
        for number in 0..projections {
            let events = project(on.release, on.seed, number);
            let (found, lost) =
                compare(&known, &mine(&events, people, asked.frequent, Keep::Frequent, &quiet)?);
            kept.push(found);
            wrong.push(lost);
            phase.advance(1)?;
        }
        Ok(vec![
            ("patterns_kept", median(&mut kept)),
            ("patterns_false", median(&mut wrong)),
            ("patterns_kept_deviation", deviation(&kept)),
            ("patterns_false_deviation", deviation(&wrong)),
            ("patterns_frequent", before.len() as f64),
        ])
    }
}

/// The share of the known patterns that were found, and the share of those found that were not known.
fn compare(known: &HashSet<&[ItemId]>, found: &Patterns) -> (f64, f64) {
    let common = found.iter().filter(|pattern| known.contains(pattern.items)).count();
    shares(common, known.len(), found.len())
}

/// The share of what is known that was found, and the share of what was found that is not known.
pub(crate) fn shares(common: usize, known: usize, found: usize) -> (f64, f64) {
    let share = |part: usize, whole: usize| part as f64 / whole as f64;
    (
        if known == 0 { 1.0 } else { share(common, known) },
        if found == 0 { 0.0 } else { share(found - common, found) },
    )
}

/// Whether nothing was generalised.
pub(crate) fn is_intact(release: &Release) -> bool {
    release.events().items().iter().all(|item| release.alphabet[*item as usize].is_intact())
}

/// The release with each event replaced by a random member of its item.
pub fn project(release: &Release, seed: u64, number: u64) -> Events {
    let events = release.events();
    let mut items = events.items().to_vec();
    items.par_chunks_mut(BLOCK).enumerate().for_each(|(block, items)| {
        let mut generator = ChaCha8Rng::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        generator.set_stream(block as u64);
        for item in items {
            *item = match &release.alphabet[*item as usize].members[..] {
                [one] => *one,
                // Nothing can stand for an item without members: it keeps a number that no original item has.
                [] => release.base.len() as ItemId,
                members => members[generator.random_range(0..members.len() as u64) as usize],
            };
        }
    });
    Events::from_parts(
        events.kind(),
        events.subject_offsets().to_vec(),
        events.record_offsets().to_vec(),
        items,
        None,
    )
}

/// The middle value, or the average of the two in the middle; sorts.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        len if len % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (squares / values.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Dataset, GeneralisedItem};

    use super::*;

    fn measured(data: &Dataset, release: &Release, seed: u64) -> Readings {
        let settings = Settings::parse(&DESCRIPTOR, [("min-support", "2"), ("projections", "25")]).unwrap();
        let progress = Progress::silent();
        let on = Comparison { seed, ..Comparison::of(data, release, &progress) };
        PatternMeasure.measure(&on, &settings).unwrap()
    }

    #[test]
    fn lost_and_false_patterns_are_told_apart() {
        // Before: a, b, ab. After: a, c, ac (twice each) and no b.
        let data = Dataset::from_words(["ab", "ab", "c"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let events = data.events.recode(|item| if item == 1 { 2 } else { item }, false);
        release.body = release.body.with_events(|_| events);
        let readings = measured(&data, &release, 0);
        assert_eq!(
            readings[..3],
            [("patterns_kept", 1.0 / 3.0), ("patterns_false", 2.0 / 3.0), ("patterns_kept_deviation", 0.0)]
        );
    }

    #[test]
    fn a_share_is_one_of_the_original_people() {
        // Half of four people are two. Of the twelve in the release c has four, which is enough.
        let data = Dataset::from_words(["ab", "ab", "ab", "c"]);
        let copies = ["ab"; 8].into_iter().chain(["c"; 4]);
        let events = Dataset::from_words(copies).events;
        let release = Release {
            body: throng_data::Body::of_events(events),
            ..Release::identity(data.items.clone(), data.events.clone())
        };
        let settings = Settings::parse(&DESCRIPTOR, [("min-support", "50%")]).unwrap();
        let progress = Progress::silent();
        let readings =
            PatternMeasure.measure(&Comparison::of(&data, &release, &progress), &settings).unwrap();
        assert_eq!(readings[..2], [("patterns_kept", 1.0), ("patterns_false", 0.25)]);
    }

    #[test]
    fn projections_choose_members_only_and_follow_the_seed() {
        let data = Dataset::from_words(["abc", "bca", "cab"]);
        let mut release = Release::identity(data.items.clone(), data.events.recode(|item| item / 2, false));
        release.alphabet = vec![GeneralisedItem::of(vec![0, 1]), GeneralisedItem::of(vec![2])];
        let projected = project(&release, 1, 0);
        for (item, released) in projected.items().iter().zip(release.events().items()) {
            assert!(release.alphabet[*released as usize].covers(*item));
        }
        assert_eq!(projected, project(&release, 1, 0));
        assert!((1..20).any(|number| project(&release, 1, number) != projected));
        let readings = measured(&data, &release, 3);
        assert!(readings[2].1 > 0.0, "{readings:?}");
        assert_eq!(readings, measured(&data, &release, 3));
    }

    #[test]
    fn the_median_of_an_even_number_lies_in_between() {
        assert_eq!(median(&mut [0.5, 0.1, 0.3]), 0.3);
        assert_eq!(median(&mut [0.5, 0.1, 0.3, 0.4]), 0.35);
        assert_eq!(deviation(&[0.0, 1.0]), 0.5);
    }
}
