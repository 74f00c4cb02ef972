//! Releases whose records were taken apart, through their files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;

use throng_contract::{Class, Failure, Progress};
use throng_lab::ledger::{LinkedRelease, Whose, attack};
use throng_lab::reconstruct::{Reconstruction, reconstruct};
use throng_lab::{Made, ReleaseFormat, Run, Verification, Verified, anonymize, verify};
use throng_methods::Variant;

use crate::releases::toy::{Folder, contents};

/// 120 people with two frequent items, one of some, and rare ones.
fn people() -> String {
    let mut rows = "subject,item\n".to_owned();
    for person in 0..120 {
        let mut items = vec![format!("common{}", person % 2), format!("some{}", person % 7)];
        if person % 3 == 0 {
            items.push(format!("rare{}", person % 13));
        }
        if person % 11 == 0 {
            items.push("secret".to_owned());
        }
        items.iter().for_each(|item| rows.push_str(&format!("p{person},{item}\n")));
    }
    rows
}

fn run(folder: &Folder) -> Run {
    fs::write(folder.path("sets.csv"), people()).unwrap();
    let mut run = folder.run();
    run.job.files.data = throng_data::formats::Source::file(folder.path("sets.csv"));
    run.job.files.read.sets = true;
    run.job.method = "disassociation".to_owned();
    run.job.settings = [("k", "4"), ("m", "2"), ("max-cluster", "12")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    run
}

fn made(run: &Run) -> Result<Made, Failure> {
    anonymize(run, &Progress::silent())
}

fn judged(verification: &Verification) -> Result<Verified, Failure> {
    verify(verification, &Progress::silent())
}

#[test]
fn what_is_written_is_judged_from_its_files_alone() {
    let folder = Folder::new();
    let finished = made(&run(&folder)).unwrap();
    assert_eq!(folder.names("out"), ["clusters.csv", "manifest.json", "release.csv", "report.html"]);
    assert!(folder.text("out/release.csv").starts_with("cluster,chunk,kind,record,item\n"));
    assert!(folder.text("out/clusters.csv").starts_with("cluster,parent,size\n"));
    assert_eq!(finished.manifest.counts.records, 120);
    assert!(finished.manifest.risk.points.is_empty(), "no person stands behind a part");
    assert!(
        finished.manifest.measures.contains_key("tlost") && !finished.manifest.measures.contains_key("ncp")
    );
    let answer = judged(&folder.verification("out")).unwrap();
    assert_eq!((answer.class(), answer.contradictions.len()), (None, 0), "{:?}", answer.notes);
    assert!(answer.statement.contains("possible world"), "{}", answer.statement);
    fs::remove_file(folder.path("out/manifest.json")).unwrap();
    let typed = |k: &str| Verification {
        promise: Some("disassociated-km".to_owned()),
        settings: vec![("k".to_owned(), k.to_owned()), ("m".to_owned(), "2".to_owned())],
        ..folder.verification("out")
    };
    assert_eq!(judged(&typed("4")).unwrap().class(), None);
    assert_eq!(judged(&typed("40")).unwrap().class(), Some(Class::NotVerified));
    // Empty events would keep any other promise.
    let other = Verification { promise: Some("km".to_owned()), ..typed("4") };
    assert_eq!(judged(&other).unwrap().class(), Some(Class::JudgedInPart));
}

#[test]
fn the_same_salt_writes_the_same_bytes_and_another_one_another_order() {
    let folder = Folder::new();
    let mut first = run(&folder);
    made(&first).unwrap();
    let files = contents(&folder.path("out"));
    first.out.directory = folder.path("again");
    made(&first).unwrap();
    assert_eq!(files, contents(&folder.path("again")));
    first.out.directory = folder.path("other");
    first.job.salt = None;
    made(&first).unwrap();
    assert_ne!(files["release.csv"], contents(&folder.path("other"))["release.csv"]);
}

#[test]
fn a_file_that_was_changed_is_found_out() {
    let folder = Folder::new();
    made(&run(&folder)).unwrap();
    let rows = folder.text("out/release.csv");
    let shorter: Vec<&str> = rows.lines().filter(|row| !row.contains(",term,")).collect();
    fs::write(folder.path("out/release.csv"), shorter.join("\n") + "\n").unwrap();
    let answer = judged(&folder.verification("out")).unwrap();
    assert_eq!(answer.class(), Some(Class::NotVerified));
    let bad = |name: &str, text: &str| {
        fs::write(folder.path("out").join(name), text).unwrap();
        let class = judged(&folder.verification("out")).unwrap_err().class;
        assert_eq!(class, Class::BadInput, "{name}: {text}");
    };
    for text in
        ["", "cluster,size\n1,4\n", "cluster,parent,size\n1,2,4\n2,1,4\n", "cluster,parent,size\n1,1,4\n"]
    {
        bad("clusters.csv", text);
    }
    for text in
        ["cluster,parent,size\n1,,x\n", "cluster,parent,size\n1,7,4\n", "cluster,parent,size\n1,,4\n1,,4\n"]
    {
        bad("clusters.csv", text);
    }
    fs::write(folder.path("out/clusters.csv"), "cluster,parent,size\n1,,4\n").unwrap();
    for row in [
        "1,1,record,1,a\n1,1,record,1,a",
        "2,1,record,1,a",
        "1,1,rows,1,a",
        "1,x,record,1,a",
        "1,1,record,,a",
    ] {
        bad("release.csv", &format!("cluster,chunk,kind,record,item\n{row}\n"));
    }
}

#[test]
fn possible_datasets_keep_the_supports_of_chunks() {
    let folder = Folder::new();
    made(&run(&folder)).unwrap();
    let asked = Reconstruction {
        release: folder.path("out"),
        out: folder.path("possible"),
        count: 3,
        seed: 5,
        queries: None,
        force: false,
    };
    let drawn = reconstruct(&asked, &Progress::silent()).unwrap();
    assert_eq!((drawn.people, drawn.files.len()), (120, 3));
    let again = Reconstruction { out: folder.path("again"), ..asked.clone() };
    reconstruct(&again, &Progress::silent()).unwrap();
    assert_eq!(contents(&asked.out), contents(&again.out));
    assert_ne!(contents(&asked.out)["dataset-1.csv"], contents(&asked.out)["dataset-2.csv"]);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let text = folder.text("possible/dataset-1.csv");
    text.lines().skip(1).for_each(|row| *counts.entry(row.split_once(',').unwrap().1).or_default() += 1);
    assert_eq!((counts["common0"], counts["common1"]), (60, 60));
    fs::write(folder.path("queries.txt"), "common0\ncommon0 > common1\ncommon0 > some1\nnowhere\n").unwrap();
    let queries = Some(throng_data::formats::Source::file(folder.path("queries.txt")));
    let answered = Reconstruction { out: folder.path("answered"), queries, ..asked.clone() };
    assert_eq!(reconstruct(&answered, &Progress::silent()).unwrap().answers.as_deref(), Some("answers.csv"));
    let answers = folder.text("answered/answers.csv");
    let rows: Vec<Vec<&str>> = answers.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0], ["query", "lower", "estimate", "upper", "average"]);
    assert_eq!(rows[1], ["common0", "60", "60.00", "60", "60.00"]);
    assert_eq!(rows[4], ["nowhere", "0", "0.00", "0", "0.00"]);
    for row in &rows[2..4] {
        let numbers: Vec<f64> = row[1..].iter().map(|cell| cell.parse().unwrap()).collect();
        assert!(numbers[0] <= numbers[1] && numbers[1] <= numbers[2], "{row:?}");
        assert!((numbers[0]..=numbers[2]).contains(&numbers[3]), "{row:?}");
    }
    fs::write(folder.path("queries.txt"), "age = 3\n").unwrap();
    assert_eq!(reconstruct(&answered, &Progress::silent()).unwrap_err().class, Class::BadInput);
    let exists = reconstruct(&asked, &Progress::silent()).unwrap_err();
    assert_eq!(exists.class, Class::Refused);
    reconstruct(&Reconstruction { force: true, ..asked.clone() }, &Progress::silent()).unwrap();
    let rows = Reconstruction { release: folder.path("possible"), out: folder.path("x"), ..asked };
    assert!(reconstruct(&rows, &Progress::silent()).is_err());
}

#[test]
fn what_needs_records_is_refused() {
    let folder = Folder::new();
    let plain = run(&folder);
    let linked = Run { linkage: Some(folder.path("who.csv")), ..plain.clone() };
    assert_eq!(made(&linked).unwrap_err().class, Class::Usage);
    let mut parquet = plain.clone();
    parquet.out.format = ReleaseFormat::Parquet;
    assert_eq!(made(&parquet).unwrap_err().class, Class::Usage);
    // Followed to the letter, the paper publishes a cluster of one.
    let mut printed = plain;
    fs::write(folder.path("sets.csv"), "subject,item\n1,a\n2,a\n3,a\n4,a\n5,p\n5,q\n").unwrap();
    printed.job.settings = [("k", "3"), ("m", "2"), ("max-cluster", "5")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    printed.job.variant = Variant::AsPrinted;
    let refused = made(&printed).unwrap_err();
    assert_eq!(refused.class, Class::NotVerified, "{}", refused.message);
    assert_eq!(folder.names("."), ["people.csv", "sets.csv", "trips.csv"]);
}

#[test]
fn two_releases_of_the_same_people_are_attacked_in_worlds_that_fit_both() {
    let folder = Folder::new();
    let first = run(&folder);
    made(&first).unwrap();
    let mut second = first.clone();
    second.out.directory = folder.path("again");
    second.job.settings = [("k", "3"), ("m", "2"), ("max-cluster", "9")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    let data = made(&second).unwrap().checked.loaded.data;
    let quiet = Progress::silent();
    let read = |name: &str, data| {
        LinkedRelease::read(&folder.path(name), Cow::Borrowed(data), Whose::Manifest, &quiet)
    };
    let (a, b) = (read("out", &data).unwrap(), read("again", &data).unwrap());
    let found = attack(&a, &b, 1, &quiet).unwrap();
    assert_eq!(found, attack(&a, &b, 1, &quiet).unwrap());
    assert_eq!((found.people, found.worlds, found.points.len()), (120, Some(10), 3));
    // Other data would be published otherwise.
    let mut other = data.clone();
    other.events = other.events.retain(|record, _, _| record != 0);
    assert_eq!(read("out", &other).unwrap_err().class, Class::BadInput);
}
