//! Which frequent sets of items a release still shows, which false ones it adds, and how far supports are off.
//!
//! A set is frequent in the release when so many people have it *on average*, over all ways to fill in what was generalised: the
//! same reading as that of `queries` ([`crate::counting`]). How many of the sets are still found by name, without any
//! filling in, is told beside it.
//!
//! # Reference
//! TMK08: Terrovitis, Mamoulis, Kalnis. Privacy-preserving anonymization of set-valued data. VLDB 2008, section 6 (tKd, in terms of
//! frequent sets instead of the best so many).
//! # Guarantees
//! Exact, whatever the size of generalised items. Which shares of support make a set frequent is resolved against the people of the
//! data, so that a synthetic release does not hide its false sets behind more records.
//! # Cost
//! The data are mined once. In the release, items that the same released items may stand for are interchangeable: a
//! combination of such classes is counted once, whatever number of sets it stands for, and level by level, since
//! a person who has a set has all its parts.
//! # Departs from the paper
//! Sets are compared as they are, not as their generalised counterparts.

use std::collections::{BTreeMap, BTreeSet};

use throng_contract::{
    Cancelled, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Key, Scale, Settings, settings,
};
use throng_data::{EventKind, ItemId, Release};
use throng_mine::Search;

use crate::counting::{Meaning, SetModel, count};
use crate::cover::Cover;
use crate::frequent::Frequent;
use crate::{Comparison, Measure, MeasureError, Readings};

/// How much an average may fall short of a whole number by rounding alone.
const SLACK: f64 = 1e-6;

/// How a generalised item is filled in.
pub(crate) const SET_MODEL: Key<SetModel> = Key::choice(
    "set-model",
    "sets: any part of a generalised item is equally likely, or each member has its share",
)
.or("subset");

settings! {
    /// What the measure is asked for.
    struct Asked {
        frequent: Frequent,
        set_model: SetModel = SET_MODEL,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "itemsets",
    purpose: "which share of frequent sets of items is still found, and which share of those found is false",
    takes: &[DataKind::Sets],
    params: Asked::ALL,
    gauge: Some(Gauge {
        cost: Cost::Mining,
        scales: &[
            Scale::kept(
                "itemsets_kept",
                "frequent sets of the data that are frequent in the release, on average",
                1.0,
            ),
            Scale::loss(
                "itemsets_false",
                "frequent sets of the release that are not frequent in the data",
                1.0,
            ),
            Scale::kept(
                "itemsets_by_name",
                "frequent sets of the data that the release shows as they are",
                1.0,
            ),
            Scale::loss(
                "itemsets_support_error",
                "average relative error of the supports of the frequent sets",
                f64::INFINITY,
            ),
            Scale::size("itemsets_frequent", "frequent sets of the data"),
        ],
    }),
    paper: "TMK08",
    example: "throng measure baskets/baskets.dat release --sets --measure itemsets --min-support 2%",
    notes: "With a low support or long records mining takes long: fewer items a set (`max-length`) are fewer sets.",
    ..Descriptor::blank(DescriptorKind::Measure)
};

/// Shares of frequent sets kept and false.
#[derive(Debug, Clone, Copy)]
pub struct ItemsetMeasure;

impl Measure for ItemsetMeasure {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn on_chunks(&self) -> crate::OnChunks {
        crate::OnChunks::Reconstructed
    }

    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError> {
        let asked = Asked::of(settings);
        if on.original.events.kind() != EventKind::Set || on.release.event_kind() != EventKind::Set {
            let reason = "it is about sets of items; `patterns` is for sequences";
            return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason });
        }
        let min_support = asked.frequent.min_support;
        let search = Search { lengths: 1..=asked.frequent.longest(), ..Search::new(min_support) };
        let before = search.itemsets(&on.original.events, &|| false, on.progress)?;
        let needed = min_support.of(on.original.events.subjects() as u64).max(1) as f64 - SLACK;
        let meaning = Meaning::of(on.release).with_sets(asked.set_model);
        let sets: Vec<Vec<ItemId>> = before.iter().map(|set| set.items.to_vec()).collect();
        let events = on.release.events();
        let likely = count(events, &meaning, &sets, on.progress)?;
        let named = count(events, &Meaning::by_name(on.release), &sets, on.progress)?;
        let kept = likely.iter().filter(|people| people.expected >= needed).count();
        let by_name = named.iter().filter(|people| people.expected >= needed).count();
        let off = before.iter().zip(&likely).map(|(set, people)| {
            let support = set.support as f64;
            (support - people.expected).abs() / support
        });
        let off: f64 = off.sum();
        let found = found(on, &meaning, needed, asked.frequent.longest())?;
        let share = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { (part / whole).clamp(0.0, 1.0) };
        let of_known = |part: usize| if sets.is_empty() { 1.0 } else { part as f64 / sets.len() as f64 };
        Ok(vec![
            ("itemsets_kept", of_known(kept)),
            ("itemsets_false", share(found - kept as f64, found)),
            ("itemsets_by_name", of_known(by_name)),
            ("itemsets_support_error", share_of_all(off, sets.len())),
            ("itemsets_frequent", sets.len() as f64),
        ])
    }
}

fn share_of_all(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// How many sets of original items so many people have in the release, on average.
fn found(on: &Comparison<'_>, meaning: &Meaning, needed: f64, longest: usize) -> Result<f64, Cancelled> {
    let classes = interchangeable(on.release);
    let mut frequent: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut candidates: Vec<Vec<u32>> = (0..classes.len() as u32).map(|class| vec![class]).collect();
    let mut found = 0.0;
    for _ in 0..longest {
        if candidates.is_empty() {
            break;
        }
        let patterns: Vec<Vec<ItemId>> =
            candidates.iter().map(|candidate| named(candidate, &classes)).collect();
        let people = count(on.release.events(), meaning, &patterns, on.progress)?;
        frequent.clear();
        for (candidate, people) in candidates.into_iter().zip(people) {
            if people.expected >= needed {
                found += sets(&candidate, &classes);
                frequent.insert(candidate);
            }
        }
        candidates = longer(&frequent, &classes);
    }
    Ok(found)
}

/// Items of the data by the released items that may stand for them; those that nothing stands for are left out.
fn interchangeable(release: &Release) -> Vec<Vec<ItemId>> {
    let cover = Cover::of(&release.alphabet, release.base.len());
    let mut classes: BTreeMap<&[ItemId], Vec<ItemId>> = BTreeMap::new();
    for item in 0..release.base.len() as ItemId {
        if !cover.of_item(item).is_empty() {
            classes.entry(cover.of_item(item)).or_default().push(item);
        }
    }
    classes.into_values().collect()
}

/// One of the sets that a combination of classes stands for: of a class that occurs twice, the first two items.
fn named(candidate: &[u32], classes: &[Vec<ItemId>]) -> Vec<ItemId> {
    candidate
        .chunk_by(|one, other| one == other)
        .flat_map(|alike| classes[alike[0] as usize][..alike.len()].iter().copied())
        .collect()
}

/// How many sets a combination of classes stands for.
fn sets(candidate: &[u32], classes: &[Vec<ItemId>]) -> f64 {
    let choose = |alike: &[u32]| {
        let (all, taken) = (classes[alike[0] as usize].len(), alike.len());
        (0..taken).map(|place| (all - place) as f64 / (place + 1) as f64).product::<f64>()
    };
    candidate.chunk_by(|one, other| one == other).map(choose).product()
}

/// Combinations with one class more, all of whose parts are frequent.
fn longer(frequent: &BTreeSet<Vec<u32>>, classes: &[Vec<ItemId>]) -> Vec<Vec<u32>> {
    let all: Vec<&Vec<u32>> = frequent.iter().collect();
    let mut longer = Vec::new();
    // In order, combinations that agree in all but the last class lie next to each other.
    for alike in all.chunk_by(|one, other| one[..one.len() - 1] == other[..other.len() - 1]) {
        for (place, one) in alike.iter().enumerate() {
            for other in &alike[place..] {
                let candidate: Vec<u32> = one.iter().chain(other.last()).copied().collect();
                let enough = candidate
                    .chunk_by(|one, other| one == other)
                    .all(|alike| alike.len() <= classes[alike[0] as usize].len());
                let parts_are_frequent = || {
                    (0..candidate.len()).all(|without| {
                        let mut part = candidate.clone();
                        part.remove(without);
                        frequent.contains(&part)
                    })
                };
                if enough && parts_are_frequent() {
                    longer.push(candidate);
                }
            }
        }
    }
    longer
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::{Dataset, GeneralisedItem};

    use super::*;

    fn measured(data: &Dataset, release: &Release) -> Vec<f64> {
        let settings = Settings::parse(&DESCRIPTOR, [("min-support", "2")]).unwrap();
        let progress = Progress::silent();
        let readings = ItemsetMeasure.measure(&Comparison::of(data, release, &progress), &settings).unwrap();
        readings.into_iter().map(|(_, value)| value).collect()
    }

    fn data(words: &[&str]) -> Dataset {
        let mut data = Dataset::from_words(words.iter().copied());
        data.events = data.events.as_sets();
        data
    }

    #[test]
    fn lost_false_and_blurred_sets_are_told_apart() {
        // a: 3, b: 1, c: 3, ac: 3. With {a|b} in the place of a and b, both are there with 2/3: a and b have 2 of 3 people, and
        // so have ac and bc; a with b is one of three parts: 1.
        let data = data(&["ac", "ac", "ac", "b"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        assert_eq!(measured(&data, &release), [1.0, 0.0, 1.0, 0.0, 3.0]);
        let events = release.events().retain(|record, _, _| record < 3);
        release.body = release.body.with_events(|_| events);
        release.alphabet =
            vec![GeneralisedItem::of(vec![0, 2]), GeneralisedItem::of(vec![1]), GeneralisedItem::of(vec![])];
        let [kept, wrong, named, off, all] = measured(&data, &release)[..] else { unreachable!() };
        assert_eq!((kept, named, all), (1.0, 1.0 / 3.0, 3.0));
        // Found are a, b, c, ac, bc; b and bc are false.
        assert!((wrong - 2.0 / 5.0).abs() < 1e-12 && (off - 2.0 / 9.0).abs() < 1e-12, "{wrong} {off}");
    }

    #[test]
    fn a_large_item_stands_for_many_sets_and_is_counted_once() {
        // Two people have {a|b|c|d}: each is there with 8/15, which is 16/15 people, and any two with 4/15.
        let data = data(&["ab", "cd"]);
        let mut release = Release::identity(data.items.clone(), data.events.recode(|_| 0, false).as_sets());
        release.alphabet = vec![GeneralisedItem::of(vec![0, 1, 2, 3])];
        let settings = Settings::parse(&DESCRIPTOR, [("min-support", "1")]).unwrap();
        let progress = Progress::silent();
        let on = Comparison::of(&data, &release, &progress);
        let readings = ItemsetMeasure.measure(&on, &settings).unwrap();
        // Of a, b, ab, c, d, cd the single ones are left, and none by name.
        assert_eq!(
            readings[..3],
            [("itemsets_kept", 4.0 / 6.0), ("itemsets_false", 0.0), ("itemsets_by_name", 0.0)]
        );
        assert_eq!(sets(&[0, 0, 0], &[vec![0, 1, 2, 3]]), 4.0);
    }
}
