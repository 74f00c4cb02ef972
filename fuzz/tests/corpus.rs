//! Every target on its stored corpus, and on a fixed number of seeded mutations of every file in it: the same ones every
//! time. `FUZZ_MUTATIONS=5000 cargo test -p throng-fuzz` looks further.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use throng_fuzz::mutate::mutate;
use throng_fuzz::{TARGETS, find};

/// Mutations of all files of a target together.
const MUTATIONS: usize = 1_500;

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn run(name: &str) {
    let target = find(name).unwrap();
    let files = corpus(name);
    assert!(!files.is_empty(), "`{name}` has no corpus");
    let all: Vec<Vec<u8>> = files.iter().map(|(_, bytes)| bytes.clone()).collect();
    let wanted = std::env::var("FUZZ_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(MUTATIONS);
    let each = wanted.div_ceil(files.len()) as u64;
    for (path, bytes) in &files {
        let attempt = |what: String, input: &[u8]| {
            if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
                let found = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-found"));
                fs::write(&found, input).unwrap();
                panic!("`{name}` fails on {what} of {}: see {}", path.display(), found.display());
            }
        };
        attempt("the whole".to_owned(), bytes);
        for number in 0..each {
            attempt(format!("mutation {number}"), &mutate(bytes, &all, number));
        }
    }
}

macro_rules! targets {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            run($name);
        })*

        #[test]
        fn every_target_has_its_test() {
            let tested = [$($name),*];
            let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
            assert_eq!(tested.as_slice(), names.as_slice());
        }
    };
}

targets! {
    events_as_csv: "events-csv",
    events_as_wide_csv: "events-wide",
    events_as_spmf: "events-spmf",
    events_as_fimi: "events-fimi",
    events_as_parquet: "events-parquet",
    events_in_a_workbook: "events-workbook",
    events_as_json: "events-json",
    events_as_xes: "events-xes",
    graphs: "graph",
    records_of_people: "records",
    places_of_items: "places",
    taxonomies: "taxonomy",
    lists_of_items: "lists",
    patterns_of_items: "patterns",
    written_items: "items",
    written_times: "times",
    points_as_csv: "points-csv",
    points_as_gpx: "points-gpx",
    points_as_geojson: "points-geojson",
    recipes: "recipe",
    comparisons: "comparison",
    manifests: "manifest",
    ledgers: "ledger",
    release_directories: "release",
    bundles_of_projects: "bundle",
}
