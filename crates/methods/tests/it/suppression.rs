//! What a release says was suppressed is what is missing, for every method that keeps records.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{
    Coordinates, Dataset, Dictionary, EventKind, EventsBuilder, Inputs, ItemId, Nature, Places, Release,
    Taxonomy,
};
use throng_methods::{ALL, Task};

const LETTERS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn dataset(kind: EventKind, people: &[Vec<Vec<ItemId>>]) -> Dataset {
    let mut builder = EventsBuilder::new(kind, kind == EventKind::Sequence);
    for (person, records) in (0..).zip(people) {
        for record in records {
            let mut items = record.clone();
            if kind == EventKind::Set {
                items.sort_unstable();
                items.dedup();
            }
            let times: Vec<i64> = (0..items.len() as i64).collect();
            builder.push(person, &items, if kind == EventKind::Sequence { &times } else { &[] });
        }
    }
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let items: Dictionary = LETTERS.into_iter().collect();
    let points = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [5.0, 3.0]];
    Dataset {
        subjects: names.iter().map(String::as_str).collect(),
        items: items.into(),
        events: builder.finish(people.len()),
        places: Some(Places { system: Coordinates::Plane, points, categories: None }),
        own_categories: None,
        attributes: None,
    }
}

/// Releases of all methods that these values are enough for.
fn releases(data: &Dataset) -> Vec<(&'static str, Release)> {
    let values = [
        ("k", "2"),
        ("m", "2"),
        ("l", "2"),
        ("clusters", "2"),
        ("L", "2"),
        ("K", "2"),
        ("C", "0.6"),
        ("K-prime", "2"),
        ("max-suppressed", "100%"),
        ("infeasible", "drop"),
    ];
    let paths = ["a;x;any", "b;x;any", "c;y;any", "d;y;any", "e;y;any"];
    let sets = vec![data.items.named(&[0, 1, 2]), data.items.named(&[3, 4])];
    let inputs = Inputs {
        taxonomy: Some(Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap()),
        constraints: Some(sets),
        sensitive_items: data.items.named(&[4]),
        ..Inputs::default()
    };
    let progress = Progress::silent();
    let fitting = ALL.iter().filter(|method| method.descriptor().fits(&data.shape()).is_ok());
    fitting
        .filter_map(|method| {
            let known = values.into_iter().filter(|(name, _)| method.descriptor().param(name).is_some());
            let settings = Settings::parse(method.descriptor(), known).ok()?;
            let outcome =
                method.anonymize(&Task { inputs: &inputs, seed: 1, ..Task::new(data, &settings, &progress) });
            Some((method.descriptor().name, outcome.ok()?.release))
        })
        .filter(|(_, release)| release.body.has_rows() && release.nature == Nature::Truthful)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_is_said_to_be_suppressed_is_what_is_missing(
        people in vec(vec(vec(0..LETTERS.len() as ItemId, 0..5), 1..3), 3..9), sets in any::<bool>(),
    ) {
        let data = dataset(if sets { EventKind::Set } else { EventKind::Sequence }, &people);
        for (name, release) in releases(&data) {
            let (before, after) = (&data.events, release.events());
            prop_assert_eq!(before.records(), after.records(), "{}", name);
            let emptied = (0..before.records())
                .filter(|record| !before.record(*record).is_empty() && after.record(*record).is_empty())
                .count() as u64;
            let said = release.suppression;
            prop_assert_eq!(said.emptied_records, emptied, "{}: {:?}", name, people);
            prop_assert_eq!(said.events_before, before.len() as u64, "{}", name);
            if !sets {
                // In a set, items that are merged become one: less is left without anything being suppressed.
                prop_assert_eq!(said.events, (before.len() - after.len()) as u64, "{}: {:?}", name, people);
            }
        }
    }
}

#[test]
fn methods_of_every_kind_are_looked_at() {
    let person = |items: &[ItemId]| vec![items.to_vec()];
    let people: Vec<_> = (0..8).map(|number| person(&[number % 2, 2, 3])).collect();
    let names =
        |kind| releases(&dataset(kind, &people)).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let (sequences, sets) = (names(EventKind::Sequence), names(EventKind::Set));
    for name in ["seqanon", "suppress", "zga", "sga", "lm-suppress", "bf-p2ka"] {
        assert!(sequences.contains(&name), "{name}: {sequences:?}");
    }
    for name in ["apriori", "coat", "pcta"] {
        assert!(sets.contains(&name), "{name}: {sets:?}");
    }
}
