//! Crowds against counting people one by one.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::Progress;
use throng_data::{Dataset, Dictionary, EventKind, Events, EventsBuilder, GeneralisedItem, ItemId, Release};

use super::*;

fn events(kind: EventKind, people: &[Vec<Vec<ItemId>>]) -> Events {
    let mut builder = EventsBuilder::new(kind, false);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            builder.push(subject as u32, record, &[]);
        }
    }
    builder.finish(people.len())
}

/// Whether a record holds known events, by trying every place for the first of them.
fn holds(release: &Release, record: &[ItemId], known: &[ItemId]) -> bool {
    let covers = |event: &ItemId, item: ItemId| release.alphabet[*event as usize].covers(item);
    match (known, release.events.kind()) {
        ([], _) => true,
        (known, EventKind::Set) => known.iter().all(|item| record.iter().any(|event| covers(event, *item))),
        ([first, others @ ..], EventKind::Sequence) => (0..record.len())
            .any(|place| covers(&record[place], *first) && holds(release, &record[place + 1..], others)),
    }
}

fn naive_crowd(release: &Release, known: &[ItemId]) -> u32 {
    let fits = |subject: &usize| {
        release.events.records_of(*subject).any(|record| holds(release, release.events.record(record), known))
    };
    ((0..release.events.subjects()).filter(fits).count() as u32).min(ENOUGH)
}

const ITEMS: u32 = 7;

fn names() -> Arc<Dictionary> {
    Arc::new(["a", "b", "c", "d", "e", "f", "g"].into_iter().collect())
}

/// Items 0 to 6 fall into groups; the items of group 0 are suppressed, and so are events after the fourth.
fn coarsened(original: &Events, group: &[u32]) -> Release {
    let kept = original.retain(|_, position, item| group[item as usize] > 0 && position < 4);
    let recoded = kept.recode(|item| group[item as usize] - 1, false);
    let mut release = Release::identity(names(), recoded);
    release.alphabet = (1..=3)
        .map(|number| {
            GeneralisedItem::of((0..ITEMS).filter(|item| group[*item as usize] == number).collect())
        })
        .collect();
    release
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn crowds_are_those_of_counting_people_one_by_one(
        people in vec(vec(vec(0..ITEMS, 0..7), 0..3), 1..40),
        group in vec(0..4_u32, ITEMS as usize), set: bool, seed: u64,
    ) {
        let kind = if set { EventKind::Set } else { EventKind::Sequence };
        let original = events(kind, &people);
        let targets = knowledge::draw(&original, &knowledge::people(&original), seed);
        let identity = Release::identity(names(), original.clone());
        let released = coarsened(&original, &group);
        for release in [&identity, &released] {
            let cover = Cover::of(&release.alphabet, ITEMS as usize);
            let crowd = Crowd::of(&release.events, &cover, &targets, &Progress::silent()).unwrap();
            for target in &targets {
                let own = release.events.record(target.record);
                let mut last = ENOUGH;
                for known in 1..=MOST_KNOWN {
                    let drawn = target.first(known);
                    prop_assert_eq!(drawn.len(), known.min(original.record(target.record).len()));
                    prop_assert!(holds(&identity, original.record(target.record), &drawn));
                    let used = crowd.usable(target.record, &drawn);
                    prop_assert!(holds(release, own, &used));
                    let size = crowd.size(&used);
                    prop_assert_eq!(size, naive_crowd(release, &used));
                    prop_assert_eq!(size, crowd_sizes(&crowd, target)[known - 1]);
                    prop_assert!(size >= 1);
                    if std::ptr::eq(release, &identity) {
                        prop_assert_eq!(&used, &drawn);
                        prop_assert!(size <= last);
                        last = size;
                    }
                }
            }
        }
    }

    #[test]
    fn as_many_known_events_as_possible_are_used(
        record in vec(0..ITEMS, 1..7), group in vec(0..4_u32, ITEMS as usize), seed: u64,
    ) {
        let original = events(EventKind::Sequence, &[vec![record]]);
        let release = coarsened(&original, &group);
        let cover = Cover::of(&release.alphabet, ITEMS as usize);
        let targets = knowledge::draw(&original, &[0], seed);
        let crowd = Crowd::of(&release.events, &cover, &targets, &Progress::silent()).unwrap();
        let drawn = targets[0].first(MOST_KNOWN);
        let used = crowd.usable(0, &drawn);
        for choice in 0..1_u32 << drawn.len() {
            let chosen: Vec<ItemId> =
                (0..drawn.len()).filter(|place| choice >> place & 1 == 1).map(|place| drawn[place]).collect();
            prop_assert!(chosen.len() <= used.len() || !holds(&release, release.events.record(0), &chosen));
        }
    }
}

#[test]
fn three_of_four_points_single_out_what_two_do_not() {
    // 2^2-anonymous, and every three events are unique.
    let data = Dataset::from_words(["abc", "abd", "acd", "bcd"]);
    let curve = curve(&data.events, 7, &Progress::silent()).unwrap();
    assert_eq!((curve.people, curve.targets, curve.sampled), (4, 4, false));
    let singled_out: Vec<f64> = curve.points.iter().map(|point| point.singled_out.share).collect();
    assert_eq!(singled_out, [0.0, 0.0, 1.0, 1.0]);
    assert!(curve.points.iter().all(|point| point.below_5.count == 4));
}

#[test]
fn the_identity_changes_no_risk_and_one_item_for_all_hides_everyone() {
    let words: Vec<String> = (0..30_u32).map(|n| format!("{}{}", n % 10, n % 7)).collect();
    let data = Dataset::from_words(words.iter().map(String::as_str));
    let before = curve(&data.events, 1, &Progress::silent()).unwrap();
    let mut release = Release::identity(data.items.clone(), data.events.clone());
    assert_eq!(curve_after(&data.events, &release, 1, &Progress::silent()).unwrap(), before);
    assert!(before.points[1].singled_out.count > 0);
    let everything = GeneralisedItem::of((0..data.items.len() as ItemId).collect());
    release.alphabet = vec![everything];
    release.events = data.events.recode(|_| 0, false);
    let after = curve_after(&data.events, &release, 1, &Progress::silent()).unwrap();
    assert!(after.points.iter().all(|point| point.below_20.count == 0));
}

#[test]
fn large_crowds_are_sampled_with_intervals_and_the_same_seed_gives_the_same_curve() {
    let people: Vec<Vec<Vec<ItemId>>> =
        (0..5_000_u32).map(|n| vec![vec![n % 7, n % 5, n % 3, n % 4], vec![]]).collect();
    let original = events(EventKind::Sequence, &people);
    let first = curve(&original, 3, &Progress::silent()).unwrap();
    assert_eq!((first.people, first.targets, first.sampled), (5_000, MOST_TARGETS as u64, true));
    assert!(first.points.iter().all(|point| point.singled_out.interval.is_some()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| curve(&original, 3, &Progress::silent())).unwrap(), first);
    let targets = knowledge::draw(&original, &knowledge::people(&original), 4);
    assert_ne!(targets, knowledge::draw(&original, &knowledge::people(&original), 3));
}

#[test]
fn nobody_stands_behind_synthetic_records() {
    let data = Dataset::from_words(["ab", "ba"]);
    let mut release = Release::identity(data.items.clone(), data.events.clone());
    release.nature = Nature::Synthetic;
    let curve = curve_after(&data.events, &release, 1, &Progress::silent()).unwrap();
    assert!(curve.points.is_empty());
}

#[test]
fn no_people_is_no_risk_and_cancelling_stops() {
    let curve_of_nobody =
        curve(&events(EventKind::Sequence, &[vec![], vec![vec![]]]), 1, &Progress::silent());
    assert!(curve_of_nobody.unwrap().points.iter().all(|point| point.below_20.share == 0.0));
    let progress = Progress::silent();
    progress.cancel();
    assert_eq!(curve(&Dataset::from_words(["ab"]).events, 1, &progress), Err(Cancelled));
}
