//! Two releases of few people, where everything can be counted by hand or by trying everything.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_data::{Column, ColumnValues, Dictionary, EventKind, GeneralisedItem, ItemId, Table};

use super::*;

/// A release by global recoding: item `i` becomes the `image[i]`-th group, or is suppressed.
fn recoded(data: &Dataset, image: &[Option<u32>]) -> Release {
    let groups = image.iter().flatten().max().map_or(0, |last| *last as usize + 1);
    let mut members: Vec<Vec<ItemId>> = vec![Vec::new(); groups];
    for (item, group) in (0..).zip(image).filter_map(|(item, group)| Some((item, (*group)?))) {
        members[group as usize].push(item);
    }
    let kept = data.events.retain(|_, _, item| image[item as usize].is_some());
    Release {
        alphabet: members.into_iter().map(GeneralisedItem::of).collect(),
        events: kept.recode(|item| image[item as usize].unwrap_or_default(), false),
        ..Release::identity(Arc::clone(&data.items), data.events.clone())
    }
}

fn side<'a>(original: &'a Dataset, release: &'a Release) -> Side<'a> {
    Side { original, release, attributes: None, by_record: true }
}

fn ask(first: &Side<'_>, second: &Side<'_>, k: u32, most_known: usize) -> Composition {
    intersect(first, second, &Question { k, most_known, seed: 7 }, &Progress::silent()).unwrap()
}

fn table(column: &str, values: &[&str]) -> Table {
    let mut distinct = Dictionary::new();
    let codes = values.iter().map(|value| distinct.intern(value)).collect();
    let values = ColumnValues::Categories { values: distinct, codes };
    Table { columns: vec![Column { name: column.to_owned(), role: None, values }] }
}

/// Vector `attack-composition`: flu, hiv, cancer in one hospital; hiv, asthma, diabetes in the other.
#[test]
fn one_disease_is_common_to_the_groups_of_both_hospitals() {
    let hospital = |people: [&'static str; 3]| {
        Dataset::from_records(EventKind::Sequence, people.map(|person| (person, ["visit"])))
    };
    let (first, second) = (hospital(["ann", "bob", "cyd"]), hospital(["dan", "bob", "eve"]));
    let releases = [&first, &second].map(|data| recoded(data, &[Some(0)]));
    let diseases =
        [table("disease", &["flu", "hiv", "cancer"]), table("disease", &["asthma", "hiv", "diabetes"])];
    let sides = [
        Side { attributes: Some(&diseases[0]), ..side(&first, &releases[0]) },
        Side { attributes: Some(&diseases[1]), ..side(&second, &releases[1]) },
    ];
    let found = ask(&sides[0], &sides[1], 3, 1);
    assert_eq!((found.people, found.points[0].below_in_first.count), (1, 0));
    let learned = &found.points[0].learned[0];
    assert_eq!((learned.column.as_str(), learned.targets.count), ("disease", 1));
    let alone = ask(&sides[0], &sides[0], 3, 1);
    assert_eq!(alone.points[0].learned[0].targets.count, 0, "a release adds nothing to itself");
}

#[test]
fn two_generalisations_of_one_place_pin_it_down() {
    let data = Dataset::from_words(["abc", "bca", "cab"]);
    let first = recoded(&data, &[Some(0), Some(0), Some(1)]);
    let second = recoded(&data, &[Some(0), Some(1), Some(1)]);
    let found = ask(&side(&data, &first), &side(&data, &second), 2, 1);
    let items = found.items.unwrap();
    // Only b is generalised in both: {a|b} and {b|c}.
    assert_eq!((items.events, items.narrowed, items.pinned), (3, 3, 3));
    let pinned = PinnedItem { first: "{a|b}".into(), second: "{b|c}".into(), item: "b".into(), events: 3 };
    assert_eq!(items.examples, [pinned]);
    let itself = ask(&side(&data, &first), &side(&data, &first), 2, 1).items.unwrap();
    assert_eq!((itself.events, itself.narrowed, itself.pinned), (6, 0, 0));
}

#[test]
fn crowds_that_are_large_alone_are_small_together() {
    // Either release leaves two people for whoever knows one event; both together leave one for a and d.
    let data = Dataset::from_words(["a", "b", "c", "d"]);
    let first = recoded(&data, &[Some(0), Some(0), Some(1), Some(1)]);
    let second = recoded(&data, &[Some(0), Some(1), Some(1), Some(0)]);
    let point = &ask(&side(&data, &first), &side(&data, &second), 2, 1).points[0];
    assert_eq!((point.below_in_first.count, point.below_in_second.count), (0, 0));
    assert_eq!((point.below_in_both.count, point.lost.count, point.singled_out.count), (4, 4, 4));
}

#[test]
fn people_are_the_same_by_name_and_others_are_no_targets() {
    let record = |people: &[&'static str]| {
        Dataset::from_records(
            EventKind::Sequence,
            people.iter().map(|person| (*person, ["x"])).collect::<Vec<_>>(),
        )
    };
    let (january, february) = (record(&["ann", "bob", "cyd"]), record(&["eve", "cyd", "bob"]));
    let releases = [&january, &february].map(|data| recoded(data, &[Some(0)]));
    let found = ask(&side(&january, &releases[0]), &side(&february, &releases[1]), 3, 1);
    // Three people in each, two in both.
    assert_eq!((found.people, found.points[0].lost.count), (2, 2));
    assert_eq!(found.points[0].singled_out.count, 0);
}

#[test]
fn without_knowing_which_record_is_which_items_are_not_compared() {
    let data = Dataset::from_words(["ab", "ba"]);
    let release = recoded(&data, &[Some(0), Some(0)]);
    let by_person = Side { by_record: false, ..side(&data, &release) };
    assert_eq!(ask(&by_person, &side(&data, &release), 2, 1).items, None);
}

/// Whether a record holds the known events, by trying every way to place them.
fn holds(release: &Release, record: &[ItemId], known: &[ItemId]) -> bool {
    let Some((item, rest)) = known.split_first() else { return true };
    (0..record.len()).any(|at| {
        release.alphabet[record[at] as usize].covers(*item) && holds(release, &record[at + 1..], rest)
    })
}

fn fits(release: &Release, person: usize, known: &[ItemId]) -> bool {
    release.events.records_of(person).any(|record| holds(release, release.events.record(record), known))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn crowds_are_those_found_by_asking_everybody(
        words in vec("[abcd]{0,4}", 1..8),
        extra in vec("[abcd]{0,3}", 0..4),
        images in vec(proptest::option::weighted(0.8, 0..3_u32), 8),
        k in 2..5_u32,
    ) {
        // The second month has one person less, some more, and other trips of the last of the old ones.
        let names: Vec<String> = (0..20).map(|person| format!("p{person}")).collect();
        let people = |words: &[String], from: usize| {
            let records: Vec<(&str, Vec<&str>)> = words.iter().enumerate()
                .map(|(at, word)| (names[from + at].as_str(), (0..word.len()).map(|at| &word[at..=at]).collect()))
                .collect();
            let everything = ("nobody", vec!["a", "b", "c", "d"]);
            Dataset::from_records(EventKind::Sequence, std::iter::once(everything).chain(records))
        };
        let first = people(&words, 0);
        let later: Vec<String> = words[1..].iter().chain(&extra).cloned().collect();
        let second = people(&later, 1);
        let releases = [recoded(&first, &images[..4]), recoded(&second, &images[4..])];
        let sides = [side(&first, &releases[0]), side(&second, &releases[1])];
        let found = ask(&sides[0], &sides[1], k, 3);

        let shared = Twins::of(&sides[0], &sides[1]).with_events(&sides[0], &sides[1]);
        let targets = draw(&sides[0], &sides[1], &shared, 3, 7);
        prop_assert_eq!(targets.len() as u64, found.targets);
        for known in 1..=3 {
            let (mut below, mut both_below, mut lost, mut single) = ([0, 0], 0, 0, 0);
            for target in &targets {
                let usable = [0, 1].map(|side| {
                    let all = target.known[side].first(known);
                    let mut choices: Vec<Vec<ItemId>> = (0..1_u32 << all.len())
                        .map(|choice| (0..all.len()).filter(|at| choice >> at & 1 == 1).map(|at| all[at]).collect())
                        .collect();
                    choices.sort_by_key(|choice| std::cmp::Reverse(choice.len()));
                    choices.into_iter()
                        .find(|choice| fits(&releases[side], target.subjects[side] as usize, choice))
                        .unwrap()
                });
                let crowd = |side: usize| -> Vec<&str> {
                    let data = [&first, &second][side];
                    (0..data.subjects.len())
                        .filter(|person| fits(&releases[side], *person, &usable[side]))
                        .map(|person| data.subjects.name(person as u32))
                        .collect()
                };
                let crowds = [crowd(0), crowd(1)];
                let joint = crowds[0].iter().filter(|name| crowds[1].contains(name)).count();
                prop_assert!(joint >= 1, "the target is always there");
                let small = crowds.each_ref().map(|crowd| crowd.len() < k as usize);
                below = [0, 1].map(|side| below[side] + u64::from(small[side]));
                both_below += u64::from(joint < k as usize);
                lost += u64::from(joint < k as usize && small == [false, false]);
                single += u64::from(joint == 1);
            }
            let point = &found.points[known - 1];
            prop_assert_eq!([point.below_in_first.count, point.below_in_second.count], below);
            prop_assert_eq!((point.below_in_both.count, point.lost.count, point.singled_out.count), (both_below, lost, single));
        }
    }
}
