//! A ledger and two releases that version 0.1.0 wrote, read by this one.

#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use throng_contract::{Input, Progress};
use throng_data::formats::{ReadOptions, Source, read_dataset};
use throng_lab::ledger::{
    Attacked, Ledger, LinkedRelease, Location, MAX_COMPARED, Note, Whose, attack, attack_recorded,
    compare_before_writing, draft, now, record,
};
use throng_lab::{Files, Job, Limits, Run, Target, anonymize};
use throng_methods::Variant;

/// Where the fixtures were made; their ledger has these paths in it.
const MADE_AT: &str = "/tmp/fx010";

/// The fixtures in a folder of their own, with a ledger that speaks of it.
fn fixtures() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/0.1.0-ledger")), folder.path());
    let ledger = folder.path().join("ledger.jsonl");
    let moved = fs::read_to_string(&ledger).unwrap().replace(MADE_AT, folder.path().to_str().unwrap());
    fs::write(&ledger, sealed_again(&moved)).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let key = folder.path().join("ledger.jsonl.key");
        fs::set_permissions(key, fs::Permissions::from_mode(0o600)).unwrap();
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

/// Lines that were moved to another folder, each with its own fingerprint and that of the line before.
fn sealed_again(lines: &str) -> String {
    let (mut text, mut before) = (String::new(), None::<(String, String)>);
    for line in lines.lines() {
        let (body, seal) = line.rsplit_once(",\"sha256\":\"").unwrap();
        let body = before.iter().fold(body.to_owned(), |body, (old, new)| body.replace(old, new));
        let hash: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("{body},\"sha256\":\"{hash}\"}}\n");
        before = Some((seal.trim_end_matches("\"}").to_owned(), hash));
    }
    text
}

fn trips(folder: &Path) -> Source {
    Source::file(folder.join("trips.csv"))
}

#[test]
fn its_ledger_is_whole_and_its_plain_hashes_go_no_further() {
    let folder = fixtures();
    let text = fs::read_to_string(folder.path().join("ledger.jsonl")).unwrap();
    assert!(text.contains("throng-ledger/1"));
    let chain = Ledger::at(folder.path().join("ledger.jsonl")).read().unwrap();
    assert!(chain.is_whole(), "{:?}", chain.faults);
    assert!(chain.entries[0].same_data(&chain.entries[1]));
    let plain: String = Sha256::digest(fs::read(folder.path().join("trips.csv")).unwrap())
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert!(text.contains(&plain));
    let shown = serde_json::to_string(&chain.entries).unwrap();
    assert!(!shown.contains(&plain) && shown.contains("hmac-sha256:"), "{shown}");
}

#[test]
fn whose_its_records_are_is_found_by_data_and_seed_as_the_linkage_says() {
    let folder = fixtures();
    let quiet = Progress::silent();
    let data = read_dataset(&trips(folder.path()), &ReadOptions::default(), &quiet).unwrap().dataset;
    let directory = folder.path().join("release");
    let read = |whose| LinkedRelease::read(&directory, Cow::Borrowed(&data), whose, &quiet).unwrap();
    let linkage = Source::file(folder.path().join("links.csv"));
    let ledger = Ledger::at(folder.path().join("ledger.jsonl"));
    let chain = ledger.read().unwrap();
    let by_linkage = read(Whose::Linkage(&linkage));
    for held in [read(Whose::Manifest), read(Whose::Entry(&chain.entries[0]))] {
        assert_eq!(held.release.events(), by_linkage.release.events());
    }
    let second = chain.entries[1].linked(&ledger, &quiet).unwrap();
    assert_eq!(attack(&by_linkage, &second, 0, &quiet).unwrap().targets, 16);
}

#[test]
fn a_release_of_this_version_is_compared_with_those_of_0_1_0() {
    let folder = fixtures();
    let quiet = Progress::silent();
    let ledger = Ledger::at(folder.path().join("ledger.jsonl"));
    let job = Job {
        files: Files::of(trips(folder.path()))
            .with(Input::Places, Source::file(folder.path().join("places.csv"))),
        method: "seqanon".to_owned(),
        settings: vec![("k".to_owned(), "2".to_owned()), ("m".to_owned(), "1".to_owned())],
        limits: Limits::default(),
        variant: Variant::Sound,
        seed: None,
        salt: None,
        after: None,
    };
    let run = Run { job, out: Target::new(folder.path().join("third")), linkage: None };
    let finished = anonymize(&run, &quiet).unwrap();
    let lies = Location { directory: &run.out.directory, linkage: None };
    let drafted = draft(&ledger, &finished, lies, &Note::default(), now()).unwrap();
    let compared = compare_before_writing(&ledger, &finished, &drafted, MAX_COMPARED, &quiet).unwrap();
    let recorded = record(&ledger, drafted, compared).unwrap();
    let numbers: Vec<u64> = recorded.earlier.iter().map(|earlier| earlier.number).collect();
    assert_eq!(numbers, [2, 1]);
    for earlier in &recorded.earlier {
        assert!(earlier.same_data, "plain and keyed hashes of one file are one");
        assert!(matches!(earlier.attack, Attacked::Done(_)), "{:?}", earlier.attack);
    }
    let chain = ledger.read().unwrap();
    assert!(chain.is_whole());
    assert_eq!(chain.entries[2].schema, "throng-ledger/2");
    let again = attack_recorded(&ledger, &chain.entries[0], &chain.entries[2], &quiet).unwrap();
    assert!(matches!(again, Attacked::Done(_)), "{again:?}");
}
