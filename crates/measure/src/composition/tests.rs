//! Two releases of few people, where everything can be counted by hand or by trying everything.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_data::{Body, Column, ColumnValues, Dictionary, EventKind, GeneralisedItem, ItemId, Table};

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
        body: Body::of_events(kept.recode(|item| image[item as usize].unwrap_or_default(), false)),
        ..Release::identity(Arc::clone(&data.items), data.events.clone())
    }
}

fn side<'a>(original: &'a Dataset, release: &'a Release) -> Side<'a> {
    Side { original, release, attributes: None, by_record: true }
}

fn ask(first: &Side<'_>, second: &Side<'_>, k: u32, most_known: usize) -> Composition {
    intersect(
        first,
        second,
        &Question { k, most_known, promised: most_known as u64, demand: Demand::default(), seed: 7 },
        &Progress::silent(),
    )
    .unwrap()
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
    // Either release leaves two people who fit one known event; both together leave one for a and d.
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
    release.events().records_of(person).any(|record| holds(release, release.events().record(record), known))
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
            let everything = ("stranger", vec!["a", "b", "c", "d"]);
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

/// A table of one quasi-identifying and one sensitive column; rows are people `p0`, `p1`, ...
fn rows(groups: &[(&str, &str)]) -> (Dataset, Release) {
    let people = (0..groups.len()).map(|person| format!("p{person}"));
    table_of(people, groups)
}

fn table_of(people: impl Iterator<Item = String>, groups: &[(&str, &str)]) -> (Dataset, Release) {
    use throng_data::{ColumnKind, Cover, RecodedColumn, RecodedTable, Role};
    let mut names = Dictionary::new();
    people.for_each(|person| assert_ne!(names.intern(&person), u32::MAX));
    let column = |name: &str, role: Role, text: &dyn Fn(&(&str, &str)) -> String| RecodedColumn {
        name: name.to_owned(),
        role,
        kind: ColumnKind::Category,
        covers: groups.iter().map(|row| Cover::parse(&text(row)).unwrap()).collect(),
        cells: (0..groups.len() as u32).collect(),
    };
    let columns = vec![
        column("zip", Role::QuasiIdentifying, &|row| row.0.to_owned()),
        column("ill", Role::Sensitive, &|row| row.1.to_owned()),
    ];
    let data = Dataset::from_table(names, Table::default());
    let release = Release::of_table(RecodedTable { columns }, groups.len());
    (data, release)
}

fn two_values(k: u32) -> Question {
    let demand = Demand { diversity: Some((DiversityForm::Distinct, 2, 1.0)), closeness: None };
    Question { k, most_known: 4, promised: 4, demand, seed: 0 }
}

fn together(first: &(Dataset, Release), second: &(Dataset, Release), k: u32) -> Composition {
    let sides = [side(&first.0, &first.1), side(&second.0, &second.1)];
    intersect(&sides[0], &sides[1], &two_values(k), &Progress::silent()).unwrap()
}

/// Groups of two with two illnesses each; the groups of both releases meet in one person.
#[test]
fn groups_of_two_tables_meet_in_one_person_and_one_value() {
    let first = rows(&[("1*", "hiv"), ("1*", "flu"), ("2*", "hiv"), ("2*", "asthma")]);
    let second = rows(&[("a", "hiv"), ("b", "flu"), ("a", "hiv"), ("b", "asthma")]);
    let found = together(&first, &second, 2);
    assert_eq!((found.people, found.points.len()), (4, 1));
    let point = &found.points[0];
    assert_eq!((point.below_in_first.count, point.below_in_second.count), (0, 0));
    assert_eq!((point.lost.count, point.singled_out.count), (4, 4));
    // The second has one illness in group a: it is certain there already, and follows from the first alone in neither.
    let values = &found.tables.as_ref().unwrap().values[0];
    assert_eq!((values.certain.count, values.certain_by_rows.count), (2, 2), "flu and asthma, by p1 and p3");
    assert_eq!(found.broken().len(), 3, "{:?}", found.broken());
    let itself = together(&first, &first, 2);
    assert!(itself.broken().is_empty(), "a release adds nothing to itself: {:?}", itself.broken());
}

#[test]
fn values_are_possible_only_in_both_groups_and_rows_need_not_be_tied() {
    // Two people of p0's group in the first are in p0's group in the second: no crowd is lost at k = 2.
    let first =
        rows(&[("1", "hiv"), ("1", "hiv"), ("1", "flu"), ("2", "gout"), ("2", "mumps"), ("2", "gout")]);
    let second =
        rows(&[("a", "hiv"), ("a", "hiv"), ("b", "flu"), ("a", "gout"), ("b", "mumps"), ("a", "gout")]);
    let found = together(&first, &second, 2);
    let values = &found.tables.as_ref().unwrap().values[0];
    assert_eq!(values.certain.count, 6);
    assert_eq!((values.promise_lost.count, values.fewest), (6, Some(1)));
    assert!(
        found.broken().iter().any(|what| what.contains("`ill` of 6 people is certain")),
        "{:?}",
        found.broken()
    );
}

#[test]
fn who_is_new_is_told_from_a_group_that_was_there_before() {
    let first = table_of(["a", "b"].map(str::to_owned).into_iter(), &[("1", "flu"), ("1", "gout")]);
    let names = ["a", "b", "c"].map(str::to_owned);
    let second = table_of(names.into_iter(), &[("1", "flu"), ("1", "gout"), ("1", "hiv")]);
    let found = together(&first, &second, 2);
    let tables = found.tables.as_ref().unwrap();
    assert_eq!((found.people, tables.joined.people, tables.joined.exposed.count), (2, 1, 1));
    let back = together(&second, &first, 2);
    assert_eq!(back.tables.as_ref().unwrap().left.exposed.count, 1, "and who leaves, from those who stay");
    assert!(found.points[0].lost.count == 0 && !found.broken().is_empty());
}

#[test]
fn a_suppressed_row_says_nothing_alone() {
    let first = rows(&[("*", "*"), ("1", "flu"), ("1", "gout")]);
    let second = rows(&[("a", "hiv"), ("a", "flu"), ("a", "gout")]);
    let found = together(&first, &second, 2);
    assert_eq!((found.people, found.points[0].below_in_first.count, found.points[0].lost.count), (3, 0, 1));
}

#[test]
fn counts_of_nearly_the_same_people_are_subtracted() {
    use throng_data::{CountCell, CountTable, Counts, Nature};
    let day = |people: &[(&'static str, &'static str)]| {
        Dataset::from_records(EventKind::Sequence, people.iter().map(|(person, item)| (*person, [*item])))
    };
    let monday = day(&[("p", "x"), ("q", "x"), ("r", "x"), ("s", "y"), ("t", "y"), ("u", "z")]);
    let tuesday = day(&[("p", "x"), ("q", "x"), ("s", "y"), ("t", "y"), ("u", "z")]);
    let counts = |data: &Dataset, cells: &[(&str, u64)]| {
        let cell = |(item, people): &(&str, u64)| {
            let item = data.items.find(item).unwrap();
            (CountCell { table: CountTable::Visits, item, to: None, time: None }, *people)
        };
        let cells = cells.iter().map(cell).collect();
        Release::of_counts(
            Arc::clone(&data.items),
            Counts { kind: EventKind::Sequence, cells, bin: 0 },
            Nature::Truthful,
        )
    };
    let (one, two) = (counts(&monday, &[("x", 3), ("y", 2)]), counts(&tuesday, &[("x", 2)]));
    let question = Question { k: 2, ..two_values(2) };
    let sides = [side(&monday, &one), side(&tuesday, &two)];
    let found = intersect(&sides[0], &sides[1], &question, &Progress::silent()).unwrap();
    let told = found.counts.unwrap();
    assert_eq!((found.people, told.cells, told.differ_by_few, told.told, told.in_one), (5, 1, 1, 1, 1));
    assert_eq!(found.broken().len(), 2);
    let same = intersect(&sides[0], &sides[0], &question, &Progress::silent()).unwrap();
    assert!(same.broken().is_empty());
}

/// A table and the sequences of the same people: the group and the known event leave fewer together.
#[test]
fn a_table_and_events_of_the_same_people_narrow_each_other_down() {
    let table = rows(&[("1", "x"), ("1", "y"), ("2", "x"), ("2", "y")]);
    let words = ["p0", "p1", "p2", "p3"].into_iter().zip(["a", "b", "a", "b"]);
    let events = Dataset::from_records(EventKind::Sequence, words.map(|(person, item)| (person, [item])));
    let release = recoded(&events, &[Some(0), Some(1)]);
    let sides = [side(&table.0, &table.1), side(&events, &release)];
    let found = intersect(&sides[0], &sides[1], &two_values(2), &Progress::silent()).unwrap();
    assert_eq!((found.people, found.points[0].known), (4, 0));
    assert_eq!(found.points[0].below_in_both.count, 0, "columns alone leave two");
    assert_eq!((found.points[1].known, found.points[1].lost.count), (1, 4));
}
