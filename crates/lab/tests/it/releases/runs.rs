//! Runs: what is written, what is refused, and what is left behind.

use std::collections::BTreeSet;

use crate::releases::toy::{Folder, Lump, PEOPLE, Shared, contents};
use throng_contract::{Class, Failure, Input, Progress};
use throng_data::Role;
use throng_data::formats::Source;
use throng_lab::{Made, ReleaseFormat, Run, anonymize_with};
use throng_methods::Variant;

fn anonymize(run: &Run) -> Result<Made, Failure> {
    anonymize_with(&Lump, &Shared, run, &Progress::silent())
}

#[test]
fn a_release_is_written_with_numbered_records_in_order() {
    let folder = Folder::new();
    let finished = anonymize(&folder.run()).unwrap();
    assert_eq!(folder.names("out"), ["items.csv", "manifest.json", "release.csv", "report.html"]);
    assert_eq!(folder.names("."), ["out", "people.csv", "trips.csv"]);
    let mut records = vec![Vec::new(); 5];
    for row in folder.text("out/release.csv").lines().skip(1) {
        let (record, item) = row.split_once(',').unwrap();
        records[record.parse::<usize>().unwrap() - 1].push(item.to_owned());
    }
    records.sort();
    let expected: [&[&str]; 5] =
        [&["pub"], &["pub"], &["pub", "pub"], &["pub", "{mall|zoo}"], &["pub", "{mall|zoo}"]];
    assert_eq!(records, expected);
    assert!(finished.checked.verdict.holds);
    let steps: Vec<&str> = finished.timings.iter().map(|timing| timing.step).collect();
    assert_eq!(steps, ["read", "anonymise", "check", "measure", "write"]);
}

#[test]
fn the_manifest_tells_the_public_what_was_done_and_no_more() {
    let folder = Folder::new();
    anonymize(&folder.run()).unwrap();
    let manifest = folder.text("out/manifest.json");
    for secret in ["anna", "bert", "support", folder.path("").to_str().unwrap()] {
        assert!(!manifest.contains(secret), "the manifest gives away {secret}");
    }
    insta::assert_snapshot!(without_fingerprints(&manifest));
}

/// Fingerprints and the program's version change with every edit of a template; the rest must not.
fn without_fingerprints(manifest: &str) -> String {
    let is_hash = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mask = |word| match word {
        word if is_hash(word) => "[sha256]",
        word if word.strip_prefix("hmac-sha256:").is_some_and(is_hash) => "hmac-sha256:[key]",
        word => word,
    };
    let masked: Vec<&str> = manifest.split('"').map(mask).collect();
    masked.join("\"").replace(env!("CARGO_PKG_VERSION"), "[version]")
}

#[test]
fn the_report_says_what_is_promised_and_what_is_not() {
    let folder = Folder::new();
    anonymize(&folder.run()).unwrap();
    let report = folder.text("out/report.html");
    for part in [
        "Every item is shared by at least 2 people.",
        "The promise holds",
        "Says nothing about two items together",
    ] {
        assert!(report.contains(part), "the report lacks: {part}");
    }
    assert!(!report.contains("{{"), "a slot was left open");
    assert!(!report.contains("://"), "the page must not reach for the network");
}

#[test]
fn the_same_run_gives_the_same_bytes_with_any_number_of_threads() {
    let folder = Folder::new();
    let mut seen = BTreeSet::new();
    for threads in [1, 2, 1] {
        let mut run = folder.run();
        run.out.directory = folder.path(&format!("out-{}", seen.len()));
        run.out.force = true;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| anonymize(&run)).unwrap();
        seen.insert(contents(&run.out.directory));
    }
    assert_eq!(seen.len(), 1);
    let mut run = folder.run();
    run.job.seed = Some(8);
    anonymize(&run).unwrap();
    assert!(seen.insert(contents(&run.out.directory)), "another seed gives another order");
}

#[test]
fn an_earlier_release_is_replaced_only_when_asked() {
    let folder = Folder::new();
    let mut run = folder.run();
    anonymize(&run).unwrap();
    let before = contents(&run.out.directory);
    run.job.settings[0].1 = "1".to_owned();
    let refused = anonymize(&run).unwrap_err();
    assert_eq!(refused.class, Class::Refused);
    assert_eq!(contents(&run.out.directory), before);
    run.out.force = true;
    anonymize(&run).unwrap();
    assert_ne!(contents(&run.out.directory), before);
    assert_eq!(folder.names("."), ["out", "people.csv", "trips.csv"]);
}

#[test]
fn a_cancelled_or_failed_run_leaves_nothing_behind() {
    let folder = Folder::new();
    let progress = Progress::silent();
    progress.cancel();
    let cancelled = anonymize_with(&Lump, &Shared, &folder.run(), &progress).unwrap_err();
    assert_eq!(cancelled.class, Class::Interrupted);
    assert_eq!(folder.names("."), ["people.csv", "trips.csv"]);
    let mut run = folder.run();
    run.job.files.data = Source::file(folder.path("absent.csv"));
    run.linkage = Some(folder.path("links.csv"));
    assert_eq!(anonymize(&run).unwrap_err().class, Class::BadInput);
    assert_eq!(folder.names("."), ["people.csv", "trips.csv"]);
}

#[test]
fn a_release_that_fails_its_check_is_never_written() {
    let folder = Folder::new();
    let mut run = folder.run();
    run.job.variant = Variant::AsPrinted;
    let failure = anonymize(&run).unwrap_err();
    assert_eq!(failure.class, Class::NotVerified);
    assert!(failure.help.unwrap().to_string().contains("--variant sound"));
    // Only one person may not share with anybody: lumping cannot help, and the toy does not notice.
    let mut run = folder.run();
    run.job.settings[0].1 = "5".to_owned();
    let failure = anonymize(&run).unwrap_err();
    assert_eq!(failure.class, Class::NotVerified);
    assert!(failure.help.unwrap().to_string().contains("please report it"));
    assert_eq!(folder.names("."), ["people.csv", "trips.csv"]);
}

#[test]
fn attributes_are_published_only_when_asked_for_and_never_when_they_identify() {
    let folder = Folder::new();
    let mut run = folder.run();
    run.job.files.give(Input::Records, Source::file(folder.path("people.csv")));
    run.job.files.roles = vec![("phone".to_owned(), Role::Identifying)];
    anonymize(&run).unwrap();
    assert!(!folder.path("out/records.csv").exists());
    run.out.force = true;
    run.job.files.publish = vec!["phone".to_owned()];
    assert_eq!(anonymize(&run).unwrap_err().class, Class::Refused);
    run.job.files.publish = vec!["age".to_owned()];
    run.job.files.accept_exposed_columns = true;
    anonymize(&run).unwrap();
    let rows = folder.text("out/records.csv");
    assert_eq!(rows.lines().next(), Some("record,age"));
    let mut ages: Vec<&str> = rows.lines().skip(1).map(|row| row.split_once(',').unwrap().1).collect();
    ages.sort_unstable();
    assert_eq!(ages, ["31", "31", "42", "53", "64"]);
    assert!(PEOPLE.lines().skip(1).all(|row| !rows.contains(row.rsplit(',').next().unwrap())));
}

#[test]
fn the_linkage_lies_outside_and_matches_the_release() {
    let folder = Folder::new();
    let mut run = folder.run();
    run.linkage = Some(folder.path("out/links.csv"));
    assert_eq!(anonymize(&run).unwrap_err().class, Class::Refused);
    run.linkage = Some(folder.path("links.csv"));
    anonymize(&run).unwrap();
    let links = folder.text("links.csv");
    let mut subjects: Vec<&str> = links.lines().skip(1).map(|row| row.split_once(',').unwrap().1).collect();
    subjects.sort_unstable();
    assert_eq!(subjects, ["anna,1", "anna,2", "bert,1", "cleo,1", "dora,1"]);
    let dora = links.lines().find(|row| row.ends_with("dora,1")).unwrap().split(',').next().unwrap();
    let rows = folder.text("out/release.csv");
    assert_eq!(rows.matches(&format!("\n{dora},pub")).count(), 2, "dora went to the pub twice");
}

#[test]
fn a_parquet_release_holds_the_same_rows() {
    let folder = Folder::new();
    let mut run = folder.run();
    anonymize(&run).unwrap();
    run.out.directory = folder.path("columns");
    run.out.format = ReleaseFormat::Parquet;
    anonymize(&run).unwrap();
    assert_eq!(folder.names("columns"), ["items.csv", "manifest.json", "release.parquet", "report.html"]);
    let read = |name: &str| {
        let source = Source::file(folder.path(name));
        let options =
            throng_data::formats::ReadOptions { subject: Some("record".to_owned()), ..Default::default() };
        throng_data::formats::read_dataset(&source, &options, &Progress::silent()).unwrap().dataset
    };
    let (csv, parquet) = (read("out/release.csv"), read("columns/release.parquet"));
    assert_eq!(csv.events, parquet.events);
    assert!(csv.items.names().eq(parquet.items.names()));
}
