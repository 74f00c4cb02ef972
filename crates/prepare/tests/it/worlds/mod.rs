//! Synthetic worlds: what every one of them keeps to, and what each says about itself.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod files;
mod people;

use std::fs;
use std::path::Path;

use files::{Lived, read_events, read_lines, singled_out};
use throng_contract::{Class, Failing, Progress};
use throng_data::Taxonomy;
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
