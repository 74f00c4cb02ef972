//! Synthetic worlds: what every one of them keeps to, and what each says about itself.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod files;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use files::{Lived, read_events, read_lines, singled_out};
use throng_contract::{Class, Failing, Progress};
use throng_data::{ColumnKind, Hierarchy, Taxonomy};
use throng_prepare::worlds::{self, ALL, Character, WorldOptions, Written};

fn generate(name: &str, subjects: Option<u64>, seed: u64, dir: &Path) -> Written {
    worlds::generate(
        name,
        &WorldOptions { subjects, seed, ..WorldOptions::default() },
        dir,
        false,
        &Progress::silent(),
    )
    .unwrap()
}

/// All files below a directory, by path, and nothing else.
fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    fn collect(dir: &Path, before: &str, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()) {
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            match entry.file_type().unwrap().is_dir() {
                true => collect(&entry.path(), &format!("{name}/"), files),
                false => files.push((name, fs::read(entry.path()).unwrap())),
            }
        }
    }
    let mut files = Vec::new();
    collect(dir, "", &mut files);
    files.sort();
    files
}

#[test]
fn each_world_is_what_its_character_says() {
    for world in ALL {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("world");
        let written = generate(world.name, None, 0, &dir);
        let Lived { items, people } = read_events(&dir);
        let tenths = |percent: f64| (percent * 10.0).round() / 10.0;
        let measured = Character {
            subjects: people.len() as u64,
            items,
            events: people.iter().map(Vec::len).sum::<usize>() as u64,
            longest: people.iter().map(Vec::len).max().unwrap() as u64,
            singled_out_by_2: tenths(singled_out(&people, 2)),
            singled_out_by_4: tenths(singled_out(&people, 4)),
            ..world.character
        };
        assert_eq!(measured, world.character, "{}", world.name);
        assert_eq!(
            (written.subjects, written.events, written.longest),
            (world.subjects, measured.events, measured.longest)
        );
    }
}

/// What the papers state of the data that the worlds imitate.
const MEANS: &[(&str, f64)] = &[
    ("city", 4.72),
    ("oldenburg", 4.72),
    ("checkins", 3.92),
    ("metro", 8.0),
    ("city80k", 8.0),
    ("clicks", 4.75),
    ("baskets", 4.41),
];

#[test]
fn default_worlds_have_the_mean_lengths_of_the_data_they_imitate() {
    let said = |name| worlds::find(name).unwrap().character.mean_length();
    for (name, mean) in MEANS {
        assert!((said(name) / mean - 1.0).abs() < 0.01, "{name}: {}", said(name));
    }
}

#[test]
fn bytes_do_not_depend_on_threads_or_on_the_run() {
    for world in ALL {
        let home = tempfile::tempdir().unwrap();
        // More than one chunk for each of two threads.
        let with_threads = |threads: usize, name: &str| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let dir = home.path().join(name);
            pool.install(|| generate(world.name, Some(9_000), 5, &dir));
            contents(&dir)
        };
        let one = with_threads(1, "one");
        assert!(one == with_threads(2, "two"), "{}", world.name);
        assert!(one == with_threads(2, "again"), "{}", world.name);
        let said: Vec<&str> = world.files.iter().map(|(file, _)| *file).collect();
        let mut said_sorted = said.clone();
        said_sorted.sort_unstable();
        assert_eq!(one.iter().map(|(file, _)| file.as_str()).collect::<Vec<_>>(), said_sorted);
    }
}

#[test]
fn seeds_change_the_people_and_leave_the_stage() {
    for world in ALL {
        let home = tempfile::tempdir().unwrap();
        let [left, right] = [1, 2].map(|seed| {
            let dir = home.path().join(seed.to_string());
            generate(world.name, Some(500), seed, &dir);
            contents(&dir)
        });
        for ((file, left), (_, right)) in left.iter().zip(&right) {
            let about_people =
                ["events.csv", "records.csv", "points.csv", "baskets.dat", "patients.csv", "codes.csv"];
            let about_people = about_people.contains(&file.as_str());
            assert_eq!(left != right, about_people, "{}/{file}", world.name);
        }
    }
}

#[test]
fn a_smaller_world_is_the_beginning_of_a_larger_one() {
    for world in ALL {
        let home = tempfile::tempdir().unwrap();
        let [small, large] = [1, 5_000].map(|subjects| {
            let dir = home.path().join(subjects.to_string());
            generate(world.name, Some(subjects), 3, &dir);
            contents(&dir)
        });
        for ((file, small), (_, large)) in small.iter().zip(&large) {
            assert!(large.starts_with(small), "{}/{file}", world.name);
        }
    }
}

#[test]
fn side_files_cover_every_item_of_the_events() {
    for world in ALL {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("world");
        generate(world.name, Some(5_000), 0, &dir);
        let items = files::items_of(&dir);
        let has = |file: &str| world.files.iter().any(|(name, _)| *name == file);
        // Places without visits in a small world are on the map all the same.
        let mut places = items.clone();
        if has("places.csv") {
            places = files::first_column(&dir.join("places.csv"));
            places.sort();
            assert!(items.iter().all(|item| places.contains(item)), "{}", world.name);
        }
        if has("taxonomy.csv") {
            let lines = read_lines(&dir.join("taxonomy.csv"));
            let tree = Taxonomy::from_paths(lines.iter().map(|line| line.split(';'))).unwrap();
            let is_leaf = |item: &String| tree.find(item).is_some_and(|node| tree.is_leaf(node));
            assert!(items.iter().all(is_leaf), "{}", world.name);
        }
        if has("sensitive.csv") {
            let sensitive = read_lines(&dir.join("sensitive.csv"));
            assert!(!sensitive.is_empty() && sensitive.iter().all(|item| places.contains(item)));
        }
        if has("constraints.csv") {
            let mut constrained: Vec<String> = read_lines(&dir.join("constraints.csv"))
                .iter()
                .flat_map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>())
                .collect();
            constrained.sort();
            // A partition: every item once, and none twice.
            assert_eq!(constrained, places, "{}", world.name);
        }
    }
}

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

#[test]
fn no_people_are_refused_and_one_person_is_enough() {
    for world in ALL {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("world");
        let none = WorldOptions { subjects: Some(0), ..WorldOptions::default() };
        let error = worlds::generate(world.name, &none, &dir, false, &Progress::silent()).unwrap_err();
        assert_eq!(error.class(), Class::Usage);
        assert_eq!(error.to_string(), "a world of 0 people: expected 1 to 1000000000000");
        assert!(!dir.exists());
        assert_eq!(generate(world.name, Some(1), 0, &dir).subjects, 1);
    }
}

#[test]
fn quest_has_as_many_terms_and_as_long_records_as_asked() {
    let home = tempfile::tempdir().unwrap();
    for (nth, (terms, mean)) in [(5_000, 10.0), (300, 4.0), (1, 1.0), (7, 30.0)].into_iter().enumerate() {
        let options = WorldOptions {
            subjects: Some(2_000),
            terms: Some(terms),
            mean_length: Some(mean),
            ..WorldOptions::default()
        };
        let dir = home.path().join(nth.to_string());
        let written = worlds::generate("quest", &options, &dir, false, &Progress::silent()).unwrap();
        let used = files::items_of(&dir).len();
        assert!(used <= terms as usize && used * 4 > terms as usize, "{used} of {terms}");
        let most = mean.min(f64::from(terms));
        assert!((written.mean_length() / most - 1.0).abs() < 0.05, "{} for {mean}", written.mean_length());
    }
}

#[test]
fn sizes_out_of_range_and_for_other_worlds_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("world");
    let of = |name: &str, terms: Option<u32>, mean_length: Option<f64>| {
        let options = WorldOptions { terms, mean_length, ..WorldOptions::default() };
        let error = worlds::generate(name, &options, &dir, false, &Progress::silent()).unwrap_err();
        assert_eq!(error.class(), Class::Usage);
        format!("{error}; {}", error.help().unwrap())
    };
    assert_eq!(
        of("city", Some(5), None),
        "the world `city` has items and lengths of its own; the sizes can be chosen in quest; leave them out here"
    );
    for (terms, mean) in [(Some(0), None), (None, Some(0.5)), (None, Some(f64::NAN)), (None, Some(1e9))] {
        assert!(of("quest", terms, mean).contains("expected 1 to"));
    }
    assert!(!dir.exists());
}

#[test]
fn an_existing_world_is_replaced_only_by_force() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("world");
    generate("city", Some(10), 0, &dir);
    let before = contents(&dir);
    let options = WorldOptions { subjects: Some(20), ..WorldOptions::default() };
    let refused = worlds::generate("city", &options, &dir, false, &Progress::silent()).unwrap_err();
    assert_eq!(refused.class(), Class::Refused);
    assert!(contents(&dir) == before);
    worlds::generate("city", &options, &dir, true, &Progress::silent()).unwrap();
    assert!(contents(&dir) != before);
}

#[test]
fn a_cancelled_world_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let progress = Progress::silent();
    progress.cancel();
    let error =
        worlds::generate("city", &WorldOptions::default(), &home.path().join("a/world"), false, &progress)
            .unwrap_err();
    assert_eq!(error.class(), Class::Interrupted);
    assert!(contents(home.path()).is_empty());
}

#[test]
fn an_unknown_world_is_named_with_a_way_out() {
    let error = worlds::find("citty").unwrap_err();
    assert_eq!((error.to_string().as_str(), error.class()), ("there is no world `citty`", Class::Usage));
    assert_eq!(error.help().unwrap().to_string(), "did you mean `city`?");
    assert!(
        worlds::find("atlantis").unwrap_err().help().unwrap().to_string().starts_with("the worlds are city")
    );
}
