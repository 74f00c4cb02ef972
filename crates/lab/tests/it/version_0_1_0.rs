//! Releases that version 0.1.0 wrote are still read and judged; tampered copies of them are not believed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use throng_contract::{Class, Input, Progress, Value};
use throng_data::formats::Source;
use throng_lab::{Files, Verification, Verified, read_release, verify};
use throng_models::Answer;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.1.0").join(name)
}

fn verified(directory: &Path, records: Option<&Path>) -> Verified {
    let mut files = Files::of(Source::file(directory));
    if let Some(records) = records {
        files.give(Input::Records, Source::file(records));
    }
    let verification = Verification {
        files,
        promise: None,
        settings: Vec::new(),
        linkage: None,
        list: 10,
        not_known: Vec::new(),
    };
    verify(&verification, &Progress::silent()).unwrap()
}

/// Each with the answer it gets by its own promise.
const RELEASES: [(&str, &str, Answer); 7] = [
    ("bf-p2ka", "p2k", Answer::Holds),
    // Only its manifest says that attackers do not know the published sensitive column.
    ("lkc", "lkc", Answer::JudgedInPart),
    ("lkc-unpublished", "lkc", Answer::JudgedInPart),
    ("mi-top-down", "mi", Answer::NotJudged),
    ("ngrams", "dp", Answer::NotJudged),
    ("seqanon-parquet", "km", Answer::Holds),
    ("zga", "klm", Answer::Holds),
];

#[test]
fn releases_of_the_first_version_are_judged() {
    for (name, promise, answer) in RELEASES {
        let found = verified(&fixture(name), None);
        assert_eq!((found.verdict.promise, found.verdict.answer()), (promise, answer), "{name}: {found:?}");
        assert_eq!(found.contradictions, Vec::<String>::new(), "{name}");
        let release = read_release(&fixture(name), None, None, &Progress::silent()).unwrap();
        assert!(!release.events().is_empty(), "{name}");
    }
}

/// The form `both` of its manifest cannot be judged from a directory; `release` can, and is what the answer speaks of.
#[test]
fn p2k_speaks_of_the_release_where_the_original_is_not_at_hand() {
    let found = verified(&fixture("bf-p2ka"), None);
    assert_eq!(found.settings.get("form"), Some(&Value::Choice("release")));
    assert!(found.statement.ends_with("people of the release."), "{}", found.statement);
}

/// A reader who has a column that the release leaves out can give it to the checker.
#[test]
fn a_column_that_was_not_published_is_judged_when_it_is_given() {
    let records = fixture("lkc").join("records.csv");
    let found = verified(&fixture("lkc-unpublished"), Some(&records));
    assert_eq!(found.verdict.answer(), Answer::Holds, "{found:?}");
}

#[test]
fn a_changed_copy_is_not_believed() {
    for (name, _, _) in RELEASES.iter().filter(|(name, _, _)| *name != "seqanon-parquet") {
        let copy = tempfile::tempdir().unwrap();
        for file in fs::read_dir(fixture(name)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        }
        let events = fs::read_to_string(copy.path().join("release.csv")).unwrap();
        let (kept, _) = events.trim_end().rsplit_once('\n').unwrap();
        fs::write(copy.path().join("release.csv"), format!("{kept}\n")).unwrap();
        let found = verified(copy.path(), None);
        assert_eq!(found.class(), Some(Class::NotVerified), "{name}");
        assert!(found.contradictions.iter().any(|what| what.contains("SHA-256")), "{name}: {found:?}");
        assert!(found.contradictions.iter().any(|what| what.contains("events")), "{name}: {found:?}");
    }
}
