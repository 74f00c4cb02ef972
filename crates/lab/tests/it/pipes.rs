//! Inputs that come through pipes: the same people as from files, every time.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use throng_contract::{Class, Failure, Input, Progress};
use throng_data::formats::Source;
use throng_lab::{Files, Job, Limits, Made, Run, Salt, Target, anonymize};
use throng_methods::Variant;

fn trips() -> String {
    let mut text = String::from("subject,item\n");
    (0..30_000).for_each(|event| text += &format!("person-{},i{}\n", event / 3, event % 3));
    text
}

fn run(data: Source, places: Source, out: PathBuf) -> Run {
    let job = Job {
        files: Files::of(data).with(Input::Places, places),
        method: "seqanon".to_owned(),
        settings: [("k", "2"), ("m", "1")].map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        limits: Limits::default(),
        variant: Variant::Sound,
        seed: Some(1),
        salt: Some(Salt::parse(&"0b".repeat(32)).unwrap()),
        after: None,
    };
    Run { job, out: Target { force: true, ..Target::new(out) }, linkage: None }
}

fn make(run: &Run) -> Result<Made, Failure> {
    anonymize(run, &Progress::silent())
}

/// The attack: of 66 runs on `<(cat trips.csv)` two exited 0 with two thirds of the people, under a verdict that held.
#[test]
fn a_release_made_from_pipes_is_the_one_made_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (trips, places) = (trips(), "item,x,y\ni0,0,0\ni1,1,0\ni2,2,0\n");
    fs::write(at("trips.csv"), &trips).unwrap();
    fs::write(at("places.csv"), places).unwrap();
    let from_files =
        make(&run(Source::file(at("trips.csv")), Source::file(at("places.csv")), at("a"))).unwrap();
    let expected = fs::read(at("a/manifest.json")).unwrap();
    for name in ["trips.pipe", "places.pipe"] {
        assert!(Command::new("mkfifo").arg(at(name)).status().unwrap().success());
    }
    for _ in 0..30 {
        let found = thread::scope(|scope| {
            scope.spawn(|| write(&at("trips.pipe"), &trips));
            scope.spawn(|| write(&at("places.pipe"), places));
            let mut run = run(Source::file(at("trips.pipe")), Source::file(at("places.pipe")), at("b"));
            run.job.files.read.format = Some(throng_data::formats::Format::LongCsv);
            make(&run).unwrap()
        });
        assert_eq!(found.manifest, from_files.manifest);
        assert_eq!(fs::read(at("b/manifest.json")).unwrap(), expected);
    }
}

fn write(pipe: &Path, text: &str) {
    let mut pipe = fs::OpenOptions::new().write(true).open(pipe).unwrap();
    text.as_bytes().chunks(777).try_for_each(|chunk| pipe.write_all(chunk)).unwrap();
}

#[test]
fn two_inputs_cannot_both_be_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(Source::parse("-"), Source::parse("-"), folder.path().join("out"));
    let failure = make(&run).unwrap_err();
    assert_eq!(failure.class, Class::Usage);
    assert_eq!(failure.message, "`data` and `places` cannot both be read from standard input");
}
