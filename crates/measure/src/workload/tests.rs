use throng_contract::Progress;
use throng_data::formats::render_query;
use throng_data::{Column, ColumnValues, Release, Table};

use super::*;

#[test]
fn queries_are_parts_of_records_and_of_the_sizes_asked_for() {
    let data = Dataset::from_words(["abc", "ca", "b", ""]);
    let queries = draw(&data.events, 500, 2..=3, 7);
    assert_eq!(queries, draw(&data.events, 500, 2..=3, 7));
    assert_ne!(queries, draw(&data.events, 500, 2..=3, 8));
    let mut words: Vec<String> = queries
        .iter()
        .map(|query| query.iter().map(|item| data.items.name(*item)).collect::<String>())
        .collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words, ["ab", "abc", "ac", "bc", "ca"]);
    assert!(draw(&data.events, 5, 4..=9, 7).is_empty());
}

#[test]
fn every_different_pattern_has_the_same_chance() {
    // ab is had by nine people, cd by one: drawn from records it is rare, drawn evenly one pattern of two.
    let data = Dataset::from_words(["ab"; 9].into_iter().chain(["cd"]));
    let share = |queries: &[Vec<ItemId>]| {
        let rare = queries.iter().filter(|query| data.items.name(query[0]) == "c").count();
        rare as f64 / queries.len() as f64
    };
    assert!(share(&draw(&data.events, 1_000, 2..=2, 1)) < 0.15);
    let evenly = draw_evenly(&data.events, 1_000, 2..=2, 1).unwrap();
    assert!((share(&evenly) - 0.5).abs() < 0.05 && evenly.iter().all(|query| query.len() == 2));
    let long = Dataset::from_words(["abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"]);
    assert_eq!(draw_evenly(&long.events, 1, 26..=26, 1), None);
    assert_eq!(draw_evenly(&data.events, 5, 3..=3, 1), Some(Vec::new()));
}

#[test]
fn queries_are_drawn_from_records_unless_patterns_are_asked_for() {
    let data = Dataset::from_words(["ab", "cd"]);
    let release = Release::identity(data.items.clone(), data.events.clone());
    let progress = Progress::silent();
    let on = Comparison::of(&data, &release, &progress);
    let drawn = |evenly_over| {
        let how = Drawn { drawn: 1000, shortest: 2, longest: 2, evenly_over };
        drawn_evenly(&on, how, "queries").unwrap()
    };
    assert_eq!(drawn(Evenly::Records), None);
    assert!(drawn(Evenly::Patterns).unwrap().iter().all(|query| query.len() == 2));
}

fn drawing(sizes: RangeInclusive<usize>, columns: RangeInclusive<usize>) -> Drawing {
    Drawing { queries: 300, sizes, columns, seed: 3 }
}

#[test]
fn queries_of_a_table_ask_for_what_some_row_has() {
    let numbers = |numbers: &[f64]| ColumnValues::Numbers(numbers.to_vec());
    let column = |name: &str, role, values| Column { name: name.to_owned(), role: Some(role), values };
    let town = ["x", "y"].into_iter().collect();
    let table = Table {
        columns: vec![
            column("age", Role::QuasiIdentifying, numbers(&[30.0, 40.0, f64::NAN])),
            column("income", Role::Sensitive, numbers(&[1.0, 2.0, 3.0])),
            column(
                "town",
                Role::QuasiIdentifying,
                ColumnValues::Categories { values: town, codes: vec![0, 0, 1] },
            ),
        ],
    };
    let data = Dataset::from_table(["p", "q", "r"].into_iter().collect(), table);
    let queries = draw_queries(&data, &drawing(1..=2, 0..=0));
    assert_eq!(queries, draw_queries(&data, &drawing(1..=2, 0..=0)));
    let mut lines: Vec<String> = queries.iter().map(render_query).collect();
    lines.sort_unstable();
    lines.dedup();
    let of = |town: &str, ages: &[&str]| -> Vec<String> {
        let with_town = ages.iter().map(|age| format!("age = {age}; town = {town}"));
        ages.iter()
            .map(|age| format!("age = {age}"))
            .chain(with_town)
            .chain([format!("town = {town}")])
            .collect()
    };
    let mut expected = of("x", &["30", "40", "30..40"]);
    expected.extend(of("y", &["\"\""]));
    expected.sort_unstable();
    assert_eq!(lines, expected);
    assert!(draw_queries(&data, &drawing(3..=4, 0..=0)).is_empty());
}

#[test]
fn columns_are_asked_for_beside_items_without_changing_these() {
    let mut data = Dataset::from_records(EventKind::Set, [("p", ["a", "b"]), ("q", ["c", "d"])]);
    let values = ["old", "young"].into_iter().collect();
    let column = Column {
        name: "age".to_owned(),
        role: Some(Role::QuasiIdentifying),
        values: ColumnValues::Categories { values, codes: vec![0, 1] },
    };
    data.attributes = Some(Table { columns: vec![column] });
    let joint = draw_queries(&data, &drawing(1..=2, 1..=1));
    for query in &joint {
        let age = if query.items[0].as_str() < "c" { "old" } else { "young" };
        assert_eq!(query.cells, [("age".to_owned(), Wanted::Values(vec![age.to_owned()]))]);
    }
    let plain = draw_queries(&data, &drawing(1..=2, 0..=0));
    assert!(plain.iter().zip(&joint).all(|(plain, joint)| plain.items == joint.items));
}
