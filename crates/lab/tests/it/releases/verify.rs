//! Judging releases and data.

use crate::releases::toy::{Folder, Lump, Shared};
use throng_contract::{Class, Input, Progress, Value};
use throng_data::formats::Source;
use throng_lab::{ReleaseFormat, anonymize_with, read_release, verify_with};

/// A release of the toy data, with its linkage beside it.
fn released(format: ReleaseFormat) -> Folder {
    let folder = Folder::new();
    let mut run = folder.run();
    run.out.format = format;
    run.linkage = Some(folder.path("links.csv"));
    anonymize_with(&Lump, &Shared, &run, &Progress::silent()).unwrap();
    folder
}

#[test]
fn a_release_is_judged_by_its_own_promise_and_parameters() {
    for format in [ReleaseFormat::Csv, ReleaseFormat::Parquet] {
        let folder = released(format);
        let verified = verify_with(&Shared, &folder.verification("out"), &Progress::silent()).unwrap();
        assert!(verified.verdict.holds);
        assert_eq!(verified.settings.get("k"), Some(&Value::Integer(2)));
        // People cannot be told apart: what was judged are records.
        assert_eq!(verified.class(), Some(Class::JudgedInPart));
        assert!(verified.verdict.not_judged.iter().any(|part| part.contains("--linkage")));
    }
}

#[test]
fn with_a_linkage_people_are_counted_and_not_records() {
    let folder = released(ReleaseFormat::Csv);
    let mut verification = folder.verification("out");
    verification.settings = vec![("k".to_owned(), "5".to_owned())];
    let records = verify_with(&Shared, &verification, &Progress::silent()).unwrap().verdict;
    verification.linkage = Some(Source::file(folder.path("links.csv")));
    let verified = verify_with(&Shared, &verification, &Progress::silent()).unwrap();
    assert!(verified.verdict.not_judged.is_empty() && verified.contradictions.is_empty());
    let support = |verdict: &throng_models::Verdict| {
        let of = |name: &str| {
            verdict.violations.iter().find(|found| found.pattern == [name]).map(|found| found.support)
        };
        [of("pub"), of("{mall|zoo}")]
    };
    // Five records have been to the pub, of four people.
    assert_eq!(support(&records), [None, Some(2)]);
    assert_eq!(support(&verified.verdict), [Some(4), Some(2)]);
}

#[test]
fn a_linkage_of_another_release_is_refused() {
    let folder = released(ReleaseFormat::Csv);
    std::fs::write(folder.path("links.csv"), "record,subject\n1,anna\n").unwrap();
    let mut verification = folder.verification("out");
    verification.linkage = Some(Source::file(folder.path("links.csv")));
    let failure = verify_with(&Shared, &verification, &Progress::silent()).unwrap_err();
    assert_eq!(failure.class, Class::BadInput);
}

#[test]
fn a_file_that_was_changed_is_not_verified() {
    let folder = released(ReleaseFormat::Csv);
    let path = folder.path("out/release.csv");
    let text = folder.text("out/release.csv") + "1,pub\n";
    std::fs::write(path, text).unwrap();
    let verified = verify_with(&Shared, &folder.verification("out"), &Progress::silent()).unwrap();
    assert_eq!(verified.class(), Some(Class::NotVerified));
    assert!(verified.contradictions.iter().any(|what| what.contains("SHA-256")), "{verified:?}");
}

#[test]
fn a_linkage_that_gives_a_record_to_two_people_is_refused() {
    let folder = released(ReleaseFormat::Csv);
    let text = folder.text("links.csv") + "1,another-person\n";
    std::fs::write(folder.path("links.csv"), text).unwrap();
    let mut verification = folder.verification("out");
    verification.linkage = Some(Source::file(folder.path("links.csv")));
    let failure = verify_with(&Shared, &verification, &Progress::silent()).unwrap_err();
    assert_eq!(failure.class, Class::BadInput);
}

#[test]
fn original_data_is_judged_as_it_is() {
    let folder = Folder::new();
    let mut verification = folder.verification("trips.csv");
    verification.settings = vec![("k".to_owned(), "2".to_owned())];
    let verdict = verify_with(&Shared, &verification, &Progress::silent()).unwrap().verdict;
    assert!(!verdict.holds);
    let broken: Vec<&str> = verdict.violations.iter().map(|found| found.pattern[0].as_str()).collect();
    assert_eq!(broken, ["zoo", "mall"]);
}

#[test]
fn a_directory_without_a_release_is_bad_input() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("empty")).unwrap();
    let mut verification = folder.verification("empty");
    verification.settings = vec![("k".to_owned(), "2".to_owned())];
    let failure = verify_with(&Shared, &verification, &Progress::silent()).unwrap_err();
    assert_eq!(failure.class, Class::BadInput);
}

#[test]
fn published_attributes_come_back_with_their_people() {
    let folder = Folder::new();
    let mut run = folder.run();
    run.job.files.give(Input::Records, Source::file(folder.path("people.csv")));
    run.job.files.publish = vec!["age".to_owned()];
    run.job.files.accept_exposed_columns = true;
    run.linkage = Some(folder.path("links.csv"));
    anonymize_with(&Lump, &Shared, &run, &Progress::silent()).unwrap();
    let links = Source::file(folder.path("links.csv"));
    let release = read_release(&folder.path("out"), None, Some(&links), &Progress::silent()).unwrap();
    let age = release.attributes().unwrap().column("age").unwrap();
    let mut rows: Vec<(String, usize)> = (0..release.people())
        .map(|person| (age.text(person), release.events().records_of(person).len()))
        .collect();
    rows.sort();
    let expected = [("31", 2), ("42", 1), ("53", 1), ("64", 1)].map(|(age, trips)| (age.to_owned(), trips));
    assert_eq!(rows, expected);
}
