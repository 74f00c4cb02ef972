//! Attackers who know no more than a promise allows for never find fewer people than it promises, whatever the method.

#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use proptest::prelude::*;
use throng_contract::{Fraction, Progress, Settings};
use throng_data::{
    Coordinates, Dataset, Dictionary, EventKind, EventsBuilder, Inputs, ItemId, Places, Release, Taxonomy,
};
use throng_measure::attack::{Attacker, Clue, Own, Plan, Scene, attack, catalogue, play};
use throng_methods::{Outcome, Task, find};

const ITEMS: [&str; 7] = ["i0", "i1", "i2", "i3", "i4", "s0", "s1"];
const SENSITIVE: [ItemId; 2] = [5, 6];

type People = Vec<Vec<Vec<(ItemId, i64)>>>;

/// Six to twelve people with one or two records over five places and two sensitive ones.
fn people() -> impl Strategy<Value = People> {
    let item = prop_oneof![6 => 0..5_u32, 1 => 5..7_u32];
    let record = prop::collection::vec((item, 0..4_i64), 0..=5);
    prop::collection::vec(prop::collection::vec(record, 1..=2), 6..=12)
}

fn dataset(people: &People, timed: bool) -> Dataset {
    let mut builder = EventsBuilder::new(EventKind::Sequence, timed);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            let mut record = record.clone();
            if timed {
                record.sort_by_key(|(_, time)| *time);
            }
            let (items, times): (Vec<ItemId>, Vec<i64>) = record.into_iter().unzip();
            builder.push(subject as u32, &items, &times);
        }
    }
    let points = (0..ITEMS.len()).map(|item| [(item * item % 5) as f64, (item % 3) as f64]).collect();
    Dataset {
        subjects: (0..people.len())
            .map(|person| format!("p{person}"))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str)
            .collect(),
        items: Arc::new(ITEMS.into_iter().collect::<Dictionary>()),
        events: builder.finish(people.len()),
        places: Some(Places { system: Coordinates::Plane, points, categories: None }),
        own_categories: None,
        attributes: None,
    }
}

/// The settings let every method take away what it must, so that none refuses.
fn release(data: &Dataset, method: &str, given: &[(&str, String)]) -> Outcome {
    let method = find(method).unwrap();
    let given = given.iter().map(|(name, value)| (*name, value.as_str()));
    let settings = Settings::parse(method.descriptor(), given).unwrap();
    let taxonomy = Taxonomy::from_paths(
        ITEMS
            .iter()
            .enumerate()
            .map(|(place, item)| [*item, if place % 2 == 0 { "even" } else { "odd" }, "all"]),
    )
    .unwrap();
    let constraints = [&[0, 1, 2][..], &[3, 4, 5, 6]].map(|set| data.items.named(set)).to_vec();
    let inputs = Inputs {
        taxonomy: Some(taxonomy),
        constraints: Some(constraints),
        sensitive_items: data.items.named(&SENSITIVE),
        ..Inputs::default()
    };
    let progress = Progress::silent();
    let task = Task { inputs: &inputs, ..Task::new(data, &settings, &progress) };
    method.anonymize(&task).unwrap()
}

/// Every choice of one to `most` events of every record.
fn everything_known(data: &Dataset, most: u32, hidden: &[ItemId], timed: bool) -> Vec<Vec<Clue>> {
    let mut all = Vec::new();
    for record in 0..data.events.records() {
        let (items, times) = (data.events.record(record), data.events.times_of(record));
        for choice in 1_u32..1 << items.len() {
            let places = (0..items.len()).filter(|place| choice >> place & 1 == 1);
            let time = |place: usize| times.filter(|_| timed).map_or(0, |times| times[place]);
            let clues: Vec<Clue> =
                places.map(|place| Clue { item: items[place], time: time(place) }).collect();
            if choice.count_ones() <= most && clues.iter().all(|clue| !hidden.contains(&clue.item)) {
                all.push(clues);
            }
        }
    }
    all
}

/// People with a released record in which the known events may lie, by trying every event for the first of them.
fn people_who_fit(release: &Release, known: &[Clue]) -> u64 {
    fn lies(release: &Release, record: &[ItemId], known: &[Clue]) -> bool {
        let Some((first, others)) = known.split_first() else { return true };
        (0..record.len()).any(|place| {
            release.alphabet[record[place] as usize].covers(first.item)
                && lies(release, &record[place + 1..], others)
        })
    }
    let fits = |subject: &usize| {
        release
            .events()
            .records_of(*subject)
            .any(|record| lies(release, release.events().record(record), known))
    };
    (0..release.people()).filter(fits).count() as u64
}

/// Asks about everything an attacker may know, and lets all attackers loose on everybody.
fn everybody_is_found_among_enough(
    data: &Dataset,
    release: &Release,
    (people, events): (u64, u32),
    hidden: &[ItemId],
    times: Option<u64>,
) -> Result<(), TestCaseError> {
    let progress = Progress::silent();
    let attacker = Attacker { times, ..Attacker::PLAIN };
    let scene = || Scene::release(&data.events, release, Own::Same).hiding(hidden);
    for known in everything_known(data, events, hidden, times.is_some()) {
        let played = play(&scene(), &attacker, &known, &|item| release.name(item), 0, &progress).unwrap();
        prop_assert!(played.used == 0 || played.people >= people, "{known:?} fits {}", played.people);
        if times.is_none() && played.used == known.len() as u64 {
            prop_assert_eq!(played.people, people_who_fit(release, &known));
        }
    }
    let plan = Plan { known: 4, below: people as u32, targets: None, confidence: Fraction::ONE };
    for knows in [catalogue::RANDOM, catalogue::FREQUENT, catalogue::RARE, catalogue::CONSECUTIVE] {
        for ordered in [true, false] {
            let attacker = Attacker { knows, ordered, times };
            let attacked = attack(&scene(), &attacker, &plan, 0, &progress).unwrap();
            for point in attacked.points.iter().take(events as usize) {
                prop_assert_eq!(
                    point.below.count,
                    0,
                    "{} events, {}",
                    point.known,
                    attacker.in_words(EventKind::Sequence)
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn km_holds_against_every_attacker_who_knows_m_events(people in people(), way in 0_usize..3, k in 2_u64..6, m in 1_u32..3) {
        let data = dataset(&people, false);
        let method = ["seqanon", "sd-seqanon", "u-seqanon"][way];
        let given = [("k", k.to_string()), ("m", m.to_string()), ("infeasible", "drop".to_owned()), ("max-suppressed", "1".to_owned())];
        let outcome = release(&data, method, &given);
        everybody_is_found_among_enough(&data, &outcome.release, (k, m), &[], None)?;
    }

    #[test]
    fn km_5_2_holds_against_every_attacker_who_knows_two_events(people in people(), way in 0_usize..3) {
        let data = dataset(&people, false);
        let given = [("k", "5"), ("m", "2"), ("infeasible", "truncate"), ("max-suppressed", "1")]
            .map(|(name, value)| (name, value.to_owned()));
        let method = ["seqanon", "sd-seqanon", "u-seqanon"][way];
        let outcome = release(&data, method, &given);
        everybody_is_found_among_enough(&data, &outcome.release, (5, 2), &[], None)?;
    }

    #[test]
    fn klm_holds_against_every_attacker_who_knows_m_events(people in people(), way in 0_usize..2, k in 2_u64..5) {
        let data = dataset(&people, false);
        let given = [("k", k.to_string().as_str()), ("l", "1"), ("m", "2"), ("clusters", "2"), ("infeasible", "truncate"), ("max-suppressed", "1")]
            .map(|(name, value)| (name, value.to_owned()));
        let outcome = release(&data, ["zga", "sga"][way], &given);
        everybody_is_found_among_enough(&data, &outcome.release, (k, 2), &SENSITIVE, None)?;
    }

    #[test]
    fn lkc_holds_against_attackers_who_know_times(people in people(), way in 0_usize..2, k in 2_u64..5) {
        let data = dataset(&people, true);
        let given = [("L", "2"), ("K", k.to_string().as_str()), ("resolve-ties", "first")]
            .map(|(name, value)| (name, value.to_owned()));
        let outcome = release(&data, ["lkc", "lkc-local"][way], &given);
        prop_assert!(outcome.release.events().times().is_some());
        everybody_is_found_among_enough(&data, &outcome.release, (k, 2), &[], Some(0))?;
    }
}
