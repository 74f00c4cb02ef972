//! Measures of records on data small enough to work the numbers out on paper.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use throng_contract::{Progress, Settings};
use throng_data::{
    Coordinates, Dataset, EventKind, EventsBuilder, GeneralisedItem, Inputs, ItemId, Places, Release,
    Taxonomy,
};
use throng_measure::{ALL, Comparison, MeasureError, Readings};

/// Items a to d; A is a or b, E is any of them.
const RELEASED: [(&str, &[ItemId]); 6] =
    [("a", &[0]), ("b", &[1]), ("c", &[2]), ("d", &[3]), ("A", &[0, 1]), ("E", &[0, 1, 2, 3])];

/// Records of one letter an item, as they are or as released.
fn events(kind: EventKind, words: &[&str]) -> throng_data::Events {
    let mut builder = EventsBuilder::new(kind, false);
    for (person, word) in (0..).zip(words) {
        let place =
            |letter: char| RELEASED.iter().position(|(name, _)| name.starts_with(letter)).unwrap() as ItemId;
        let mut items: Vec<ItemId> = word.chars().map(place).collect();
        if kind == EventKind::Set {
            items.sort_unstable();
        }
        builder.push(person, &items, &[]);
    }
    builder.finish(words.len())
}

fn data(kind: EventKind, words: &[&str]) -> Dataset {
    let names: Vec<String> = (0..words.len()).map(|person| format!("p{person}")).collect();
    let items: throng_data::Dictionary = ["a", "b", "c", "d"].into_iter().collect();
    // On a line, at 0, 3, 10 and 10.
    let points = vec![[0.0, 0.0], [3.0, 0.0], [10.0, 0.0], [10.0, 0.0]];
    Dataset {
        subjects: names.iter().map(String::as_str).collect(),
        items: items.into(),
        events: events(kind, words),
        places: Some(Places { system: Coordinates::Plane, points, categories: None }),
        own_categories: None,
        attributes: None,
    }
}

fn release(data: &Dataset, words: &[&str]) -> Release {
    let mut release = Release::identity(data.items.clone(), events(data.events.kind(), words));
    release.alphabet = RELEASED.iter().map(|(_, members)| GeneralisedItem::of(members.to_vec())).collect();
    release
}

fn read(name: &str, on: &Comparison<'_>, given: &[(&str, &str)]) -> Result<Readings, MeasureError> {
    let measure = ALL.iter().find(|measure| measure.descriptor().name == name).unwrap();
    measure.measure(on, &Settings::parse(measure.descriptor(), given.iter().copied()).unwrap())
}

fn near(readings: &Readings, expected: &[(&str, f64)]) {
    let names = |readings: &[(&'static str, f64)]| readings.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    assert_eq!(names(readings), expected.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "{readings:?}");
    for ((_, value), (_, expected)) in readings.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-12, "{readings:?}");
    }
}

#[test]
fn distances_are_averages_over_what_an_item_may_be() {
    let progress = Progress::silent();
    let data = data(EventKind::Sequence, &["abc", "c"]);
    let measured = |words: &[&str]| {
        read("distance", &Comparison::of(&data, &release(&data, words), &progress), &[]).unwrap()
    };
    // {a|b} is 1.5 away from both; ten is the farthest.
    near(
        &measured(&["AAc", "c"]),
        &[("distance_share_of_largest", 0.05), ("distance", 0.5), ("distance_inside_items", 0.3)],
    );
    // Of all four: a is 23/4 away, b 17/4, c 17/4; two of them are (3 + 10 + 10 + 7 + 7 + 0) / 6 apart.
    let loss = ((23.0 + 17.0 + 17.0) / 12.0 + 17.0 / 4.0) / 2.0;
    near(
        &measured(&["EEE", "E"]),
        &[
            ("distance_share_of_largest", loss / 10.0),
            ("distance", loss),
            ("distance_inside_items", 37.0 / 60.0),
        ],
    );
    // Where all are at one place nothing is far.
    let at_one = self::data(EventKind::Sequence, &["cd"]);
    let merged = release(&at_one, &["cd"]);
    near(
        &read("distance", &Comparison::of(&at_one, &merged, &progress), &[]).unwrap(),
        &[("distance_share_of_largest", 0.0), ("distance", 0.0), ("distance_inside_items", 0.0)],
    );
}

#[test]
fn dissimilarity_is_that_of_merged_items_that_occur() {
    let progress = Progress::silent();
    let paths = ["a;x;any", "b;x;any", "c;y;any", "d;y;any"];
    let taxonomy = Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap();
    let inputs = Inputs { taxonomy: Some(taxonomy), ..Inputs::default() };
    let data = data(EventKind::Sequence, &["abc", "d"]);
    let measured = |words: &[&str]| {
        let release = release(&data, words);
        read("semantic", &Comparison { inputs: &inputs, ..Comparison::of(&data, &release, &progress) }, &[])
            .unwrap()
    };
    // A has half of the leaves below its node, E all.
    near(&measured(&["AAc", "E"]), &[("semantic_penalty", 2.0 / 3.0), ("semantic_dissimilarity", 0.75)]);
    near(&measured(&["AAc", "d"]), &[("semantic_penalty", 1.0 / 6.0), ("semantic_dissimilarity", 0.5)]);
    near(&measured(&["abc", "d"]), &[("semantic_penalty", 0.0), ("semantic_dissimilarity", 0.0)]);
}

#[test]
fn penalties_of_items_are_shares_of_all_items() {
    let progress = Progress::silent();
    let sets = data(EventKind::Set, &["abc", "c", "d"]);
    let ncp = |words: &[&str], inputs: &Inputs| {
        let release = release(&sets, words);
        read("ncp", &Comparison { inputs, ..Comparison::of(&sets, &release, &progress) }, &[]).unwrap()
    };
    near(&ncp(&["abc", "c", "d"], Inputs::NONE), &[("ncp", 0.0)]);
    near(&ncp(&["cA", "c", "d"], Inputs::NONE), &[("ncp", (0.5 + 0.5) / 5.0)]);
    near(&ncp(&["cA", "c", ""], Inputs::NONE), &[("ncp", (0.5 + 0.5 + 1.0) / 5.0)]);
    // A taxonomy may know more items than the data.
    let paths = ["a;any", "b;any", "c;any", "d;any", "e;any"];
    let taxonomy = Taxonomy::from_paths(paths.map(|path| path.split(';'))).unwrap();
    let inputs = Inputs { taxonomy: Some(taxonomy), ..Inputs::default() };
    near(&ncp(&["cA", "c", "d"], &inputs), &[("ncp", (0.4 + 0.4) / 5.0)]);
}

#[test]
fn penalties_of_items_need_records_of_people_and_sets() {
    let progress = Progress::silent();
    let (sets, sequences) = (data(EventKind::Set, &["ab", "c"]), data(EventKind::Sequence, &["ab", "c"]));
    let refused =
        |on: &Comparison<'_>| matches!(read("ncp", on, &[]), Err(MeasureError::NotApplicable { .. }));
    let as_sets = release(&sets, &["ab", "c"]);
    let as_sequences = release(&sequences, &["ab", "c"]);
    assert!(!refused(&Comparison::of(&sets, &as_sets, &progress)));
    assert!(refused(&Comparison::of(&sequences, &as_sequences, &progress)));
    assert!(refused(&Comparison::of(&sets, &as_sequences, &progress)));
    assert!(refused(&Comparison { aligned: false, ..Comparison::of(&sets, &as_sets, &progress) }));
    let fewer = release(&sets, &["ab"]);
    assert!(refused(&Comparison::of(&sets, &fewer, &progress)));
}

#[test]
fn utility_loss_is_averaged_over_records_that_say_something() {
    let progress = Progress::silent();
    let data = data(EventKind::Set, &["abc", "c", "d"]);
    let merged = release(&data, &["cA", "c", ""]);
    let on = Comparison::of(&data, &merged, &progress);
    // {a|b} and c: 3 + 1 of 7 readings; c alone: 1 of 1. One {a|b} has 3 of 15 readings in three records.
    let domain: f64 = 3.0 / 45.0;
    let expected = [
        ("ncp_items", (1.0 / 3.0 + 1.0 / 3.0 + 1.0) / 5.0),
        ("ul_domain_log2", domain.log2()),
        ("ul_domain", domain),
        ("ul_printed", (4.0 / 7.0 + 1.0) / 2.0),
    ];
    near(&read("utility-loss", &on, &[]).unwrap(), &expected);
    near(&read("utility-loss", &Comparison { aligned: false, ..on }, &[]).unwrap(), &expected[1..]);
    let nothing = release(&data, &["", "", ""]);
    near(
        &read("utility-loss", &Comparison::of(&data, &nothing, &progress), &[]).unwrap(),
        &[("ncp_items", 1.0), ("ul_domain", 0.0)],
    );
    let sequences = self::data(EventKind::Sequence, &["ab"]);
    let other = release(&sequences, &["ab"]);
    let refused = read("utility-loss", &Comparison::of(&sequences, &other, &progress), &[]);
    assert!(matches!(refused, Err(MeasureError::NotApplicable { .. })));
}
