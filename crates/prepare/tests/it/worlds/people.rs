//! What the people of particular worlds do, and what the files beside them say.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;

use throng_data::{ColumnKind, Hierarchy, Taxonomy};

use super::files::{self, read_events, read_lines};
use super::generate;

#[test]
fn clinics_of_the_city_are_each_visited_by_less_than_a_quarter_of_people() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("city");
    let written = generate("city", Some(5_000), 0, &dir);
    let events = fs::read_to_string(dir.join("events.csv")).unwrap();
    for clinic in read_lines(&dir.join("sensitive.csv")) {
        let visits = events.lines().filter(|line| line.split(',').next_back() == Some(&clinic)).count();
        assert!(visits > 0 && (visits as u64) < written.subjects / 4, "{clinic}: {visits}");
    }
}

/// \[PSLG14\] Figure 10: different subtrajectories of Oldenburg by size.
const SUBTRAJECTORIES: [usize; 9] = [100, 6_955, 48_268, 124_070, 177_054, 158_684, 93_479, 36_328, 8_989];

#[test]
fn grids_have_about_as_many_different_subtrajectories_of_each_size_as_the_paper_s() {
    for world in ["city", "oldenburg"] {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(world);
        generate(world, None, 0, &dir);
        let people: BTreeSet<Vec<u32>> = read_events(&dir).people.into_iter().collect();
        for (size, published) in (1..).zip(SUBTRAJECTORIES) {
            let mut found = HashSet::new();
            for person in &people {
                subsequences(person, size, &mut Vec::new(), &mut found);
            }
            let share = found.len() as f64 / published as f64;
            assert!((0.8..1.2).contains(&share), "{world} {size}: {share}");
        }
    }
}

fn subsequences(left: &[u32], size: usize, taken: &mut Vec<u32>, found: &mut HashSet<Vec<u32>>) {
    if size == 0 {
        found.insert(taken.clone());
        return;
    }
    for (at, event) in left.iter().enumerate().take((left.len() + 1).saturating_sub(size)) {
        taken.push(*event);
        subsequences(&left[at + 1..], size - 1, taken, found);
        taken.pop();
    }
}

#[test]
fn cars_of_oldenburg_pass_junctions_of_the_network_in_time() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("oldenburg");
    generate("oldenburg", Some(300), 0, &dir);
    let spot = |line: &str| line.split(',').rev().take(2).collect::<Vec<_>>().join(",");
    let nodes: BTreeSet<String> = read_lines(&dir.join("nodes.csv")).iter().map(|line| spot(line)).collect();
    assert_eq!((nodes.len(), read_lines(&dir.join("edges.csv")).len()), (6_106, 7_036));
    let mut last = (String::new(), 0);
    for line in read_lines(&dir.join("points.csv")).iter().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let second: u32 = fields[1].parse().unwrap();
        assert!(fields[0] != last.0 || second > last.1, "{line}");
        assert!(nodes.contains(&spot(line)), "{line}");
        last = (fields[0].to_owned(), second);
    }
}

#[test]
fn times_strictly_increase_within_the_hour_of_the_metro_and_the_day_of_the_blocks() {
    for (world, most) in [("metro", 60), ("city80k", 24)] {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(world);
        generate(world, Some(5_000), 0, &dir);
        let mut last = (String::new(), 0);
        for line in read_lines(&dir.join("events.csv")).iter().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let time: u32 = fields[2].parse().unwrap();
            assert!((1..=most).contains(&time), "{line}");
            assert!(fields[0] != last.0 || time > last.1, "{line}");
            last = (fields[0].to_owned(), time);
        }
    }
}

#[test]
fn everybody_has_one_of_five_statuses_and_a_fifth_is_on_welfare() {
    for world in ["metro", "city80k"] {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(world);
        generate(world, Some(5_000), 0, &dir);
        let mut shares = BTreeMap::new();
        for line in read_lines(&dir.join("records.csv")).iter().skip(1) {
            *shares.entry(line.split(',').nth(1).unwrap().to_owned()).or_insert(0) += 1;
        }
        let statuses: Vec<&str> = shares.keys().map(String::as_str).collect();
        assert_eq!(statuses, ["full-time", "on-welfare", "part-time", "retired", "student"]);
        assert_eq!(shares.values().sum::<u32>(), 5_000);
        assert!((900..1_100).contains(&shares["on-welfare"]), "{world}: {shares:?}");
    }
}

#[test]
fn sensitive_patterns_of_clicks_occur_and_the_alphabet_is_complete() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("clicks");
    generate("clicks", Some(5_000), 0, &dir);
    let mut alphabet = read_lines(&dir.join("alphabet.csv"));
    alphabet.sort();
    assert_eq!(alphabet, files::items_of(&dir));
    let events = read_lines(&dir.join("events.csv"));
    for pattern in read_lines(&dir.join("patterns.csv")) {
        let (first, then) = pattern.split_once(" > ").unwrap();
        let follows = |pair: &[String]| {
            let [(one, from), (other, to)] = [&pair[0], &pair[1]].map(|line| line.split_once(',').unwrap());
            one == other && (from, to) == (first, then)
        };
        assert!(events.windows(2).any(follows), "{pattern}");
    }
}

#[test]
fn patients_have_one_record_each_and_stays_in_order() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("patients");
    generate("patients", Some(2_000), 0, &dir);
    let tree = read_lines(&dir.join("diagnoses.csv"));
    let tree = Taxonomy::from_paths(tree.iter().map(|line| line.split(';'))).unwrap();
    let records = read_lines(&dir.join("records.csv"));
    assert_eq!(records.len(), 2_001);
    for record in &records[1..] {
        let fields: Vec<&str> = record.split(',').collect();
        assert!(fields[1].parse::<u32>().unwrap() < 100 && ["f", "m"].contains(&fields[2]), "{record}");
        assert!(tree.find(fields[4]).is_some_and(|node| tree.is_leaf(node)), "{record}");
    }
    let mut last = (String::new(), 0);
    for line in read_lines(&dir.join("events.csv")).iter().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let hour: u32 = fields[2].parse().unwrap();
        assert!(hour <= 365 * 24 && (fields[0] != last.0 || hour > last.1), "{line}");
        last = (fields[0].to_owned(), hour);
    }
}

#[test]
fn the_table_of_patients_fits_its_hierarchies_and_says_the_same_as_their_records() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("patients");
    generate("patients", Some(2_000), 0, &dir);
    let rows = |file: &str| -> Vec<Vec<String>> {
        let lines = read_lines(&dir.join(file));
        lines.iter().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let (table, records) = (rows("patients.csv"), rows("records.csv"));
    for (row, record) in table.iter().zip(&records) {
        assert_eq!([&row[0], &row[1], &row[2], &row[5]], [&record[0], &record[1], &record[2], &record[4]]);
        let district: u32 = record[3].parse().unwrap();
        assert_eq!(row[3][..3], (district - 901).to_string());
    }
    for (column, name, kind) in [
        (1, "age", ColumnKind::Number),
        (2, "sex", ColumnKind::Category),
        (3, "postcode", ColumnKind::Category),
        (4, "admitted", ColumnKind::Date),
    ] {
        let lines = read_lines(&dir.join(format!("hierarchies/{name}.csv")));
        let hierarchy = Hierarchy::from_paths(lines.iter().map(|line| line.split(';'))).unwrap();
        let mut values: Vec<String> = table.iter().map(|row| row[column].clone()).collect();
        values.sort();
        values.dedup();
        assert!(hierarchy.over(&values, kind).is_ok(), "{name}");
    }
    // Everyone with a row has codes, of the tree and no other.
    let tree = read_lines(&dir.join("codes-taxonomy.csv"));
    let tree = Taxonomy::from_paths(tree.iter().map(|line| line.split(';'))).unwrap();
    let codes = rows("codes.csv");
    assert!(codes.iter().all(|row| tree.find(&row[1]).is_some_and(|node| tree.is_leaf(node))));
    let coded: BTreeSet<&String> = codes.iter().map(|row| &row[0]).collect();
    assert_eq!(coded.len(), table.len());
}

#[test]
fn policies_name_what_occurs_even_among_few_people() {
    for (world, policy, data) in
        [("baskets", "policy.csv", "events.csv"), ("patients", "codes-policy.csv", "codes.csv")]
    {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("world");
        generate(world, Some(500), 0, &dir);
        let items: BTreeSet<String> = read_lines(&dir.join(data))
            .iter()
            .map(|line| line.split(',').nth(1).unwrap().to_owned())
            .collect();
        for set in read_lines(&dir.join(policy)) {
            assert!(set.split(',').all(|item| items.contains(item)), "{world}: {set}");
        }
    }
}

#[test]
fn both_forms_of_the_baskets_say_the_same() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("baskets");
    generate("baskets", Some(500), 0, &dir);
    let mut long: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in read_lines(&dir.join("events.csv")).iter().skip(1) {
        let (subject, good) = line.split_once(',').unwrap();
        long.entry(subject.to_owned()).or_default().push(good.to_owned());
    }
    let long: Vec<String> = long.values().map(|goods| goods.join(" ")).collect();
    assert_eq!(long, read_lines(&dir.join("baskets.dat")));
}
