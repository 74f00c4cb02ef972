//! How alike the frequent patterns before and after are, in support and in number.
//!
//! # Reference
//! PMPG08: Pensa, Monreale, Pinelli, Pedreschi. Pattern-preserving k-anonymization of sequences and its application to
//! mobility data mining, 2008. Section 5.2 (SIM1, SIM2).
//! # Guarantees
//! Both are 1 when the collections are identical.
//! # Departs from the paper
//! The paper's releases hold original items only. A pattern that speaks of a generalised item is none of the data's: its
//! support there counts 0. Both measures are 1 when neither collection has a pattern, and 0 when the release has none.

use std::collections::HashMap;

use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Scale, Settings};
use throng_data::ItemId;
use throng_mine::Keep;

use crate::counting::{Meaning, count};
use crate::frequent::{Frequent, in_original_words, mine};
use crate::workload::sequences_only;
use crate::{Comparison, Measure, MeasureError, Readings};

static DESCRIPTOR: Descriptor = Descriptor {
    name: "similarity",
    purpose: "how alike frequent patterns before and after are, in support (SIM1) and in number (SIM2)",
    takes: &[DataKind::Sequences],
    params: Frequent::ALL,
    gauge: Some(Gauge {
        cost: Cost::Mining,
        scales: &[
            Scale::kept(
                "sim1",
                "average ratio of the supports of the release's frequent patterns, before and after",
                1.0,
            ),
            Scale::kept("sim2", "ratio of the numbers of frequent patterns, before and after", 1.0),
            Scale::size("patterns_before", "frequent patterns of the data"),
            Scale::size("patterns_after", "frequent patterns of the release"),
        ],
    }),
    paper: "PMPG08",
    example: "throng measure city/events.csv release --measure similarity --min-support 1%",
    notes: "Made for releases of original items: a pattern that speaks of a generalised item counts as lost.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// SIM1 and SIM2.
#[derive(Debug, Clone, Copy)]
pub struct SimilarityMeasure;

impl Measure for SimilarityMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        sequences_only(on, DESCRIPTOR.name)?;
        let frequent = Frequent::of(settings);
        let people = on.original.events.subjects();
        let before = mine(&on.original.events, people, frequent, Keep::Frequent, on.progress)?;
        let after = mine(on.release.events(), people, frequent, Keep::Frequent, on.progress)?;
        let known: HashMap<&[ItemId], u64> =
            before.iter().map(|pattern| (pattern.items, pattern.support)).collect();

        // Supports of the release's patterns after and, if they were frequent, before. The others are counted.
        let (mut after_and_before, mut rare, mut rare_after) = (Vec::new(), Vec::new(), Vec::new());
        for pattern in after.iter() {
            match in_original_words(on.release, pattern.items) {
                None => after_and_before.push((pattern.support, 0)),
                Some(items) => match known.get(&items[..]) {
                    Some(support) => after_and_before.push((pattern.support, *support)),
                    None => {
                        rare.push(items);
                        rare_after.push(pattern.support);
                    }
                },
            }
        }
        let identity = Meaning::identity(on.original.items.len());
        let counted = count(&on.original.events, &identity, &rare, on.progress)?;
        after_and_before.extend(rare_after.into_iter().zip(counted.iter().map(|people| people.possible)));

        let frequency = |support: u64, people: u64| support as f64 / people.max(1) as f64;
        let mut sum = 0.0;
        for (after_support, before_support) in &after_and_before {
            let then = frequency(*before_support, before.subjects);
            let now = frequency(*after_support, after.subjects);
            sum += then.min(now) / then.max(now);
        }
        let sizes = (before.len() as f64, after.len() as f64);
        let none = |value: f64| if before.is_empty() && after.is_empty() { 1.0 } else { value };
        let sim1 = if after.is_empty() { none(0.0) } else { sum / sizes.1 };
        let sim2 = none(sizes.0.min(sizes.1) / sizes.0.max(sizes.1).max(1.0));
        Ok(vec![("sim1", sim1), ("sim2", sim2), ("patterns_before", sizes.0), ("patterns_after", sizes.1)])
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Dataset, Events, GeneralisedItem, Release};

    use super::*;

    fn sims(data: &Dataset, release: &Release) -> (f64, f64) {
        let settings = Settings::parse(&DESCRIPTOR, [("min-support", "2")]).unwrap();
        let progress = Progress::silent();
        let readings =
            SimilarityMeasure.measure(&Comparison::of(data, release, &progress), &settings).unwrap();
        (readings[0].1, readings[1].1)
    }

    fn without(data: &Dataset, keep: impl FnMut(usize, usize, ItemId) -> bool) -> Events {
        data.events.retain(keep)
    }

    #[test]
    fn supports_and_numbers_are_compared() {
        // Before: a 4, b 3, ab 3. After the first b is gone: a 4, b 2, ab 2.
        let data = Dataset::from_words(["ab", "ab", "ab", "a"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        assert_eq!(sims(&data, &release), (1.0, 1.0));
        let events = without(&data, |record, at, _| (record, at) != (0, 1));
        release.body = release.body.with_events(|_| events);
        assert_eq!(sims(&data, &release), ((1.0 + 2.0 / 3.0 + 2.0 / 3.0) / 3.0, 1.0));
        let events = without(&data, |_, _, item| item != 1);
        release.body = release.body.with_events(|_| events);
        assert_eq!(sims(&data, &release), (1.0, 1.0 / 3.0));
        let events = without(&data, |_, _, _| false);
        release.body = release.body.with_events(|_| events);
        assert_eq!(sims(&data, &release), (0.0, 0.0));
    }

    #[test]
    fn patterns_that_were_rare_or_are_generalised_do_not_count_as_kept() {
        // b was rare (1) and is frequent now (2): 1/2. Then everything is {a|b}: {a|b} 4 and {a|b}{a|b} 2, none the data's.
        let data = Dataset::from_words(["a", "a", "b", "cc"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        let events = Dataset::from_words(["a", "a", "b", "bb"]).events;
        release.body = release.body.with_events(|_| events);
        assert_eq!(sims(&data, &release), ((1.0 + 0.5) / 2.0, 0.5));
        let events = Dataset::from_words(["aa", "aa", "a", "a"]).events;
        release.body = release.body.with_events(|_| events);
        release.alphabet = vec![GeneralisedItem::of(vec![0, 1])];
        assert_eq!(sims(&data, &release), (0.0, 0.5));
    }
}
