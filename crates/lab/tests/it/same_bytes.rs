//! Releases of small worlds with a fixed seed and salt, byte by byte: a change that is meant to make a method faster changes none of them.
//!
//! To accept releases that are meant to be others: `INSTA_UPDATE=always cargo test -p throng-lab --test same_bytes`, and say why in the commit.

#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::path::Path;

use sha2::{Digest, Sha256};
use throng_contract::{Input, Progress};
use throng_data::formats::Source;
use throng_lab::{Files, Job, Limits, ReleaseFormat, Run, Salt, Target, anonymize};
use throng_methods::Variant;
use throng_prepare::worlds::{WorldOptions, generate};

const SALT: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// World, people, method, settings.
const CASES: [(&str, u64, &str, &str); 17] = [
    ("city", 300, "seqanon", "k=5 m=1"),
    ("city", 300, "seqanon", "k=5 m=2"),
    ("city", 300, "seqanon", "k=3 m=3 infeasible=truncate"),
    ("checkins", 400, "seqanon", "k=4 m=2 infeasible=truncate"),
    ("city", 300, "sd-seqanon", "k=5 m=2"),
    ("checkins", 400, "sd-seqanon", "k=4 m=2 infeasible=truncate"),
    ("city", 300, "u-seqanon", "k=5 m=1 max-suppressed=100%"),
    ("city", 300, "zga", "k=5 l=2 m=2 clusters=5"),
    ("city", 300, "sga", "k=5 l=2 m=2 clusters=5"),
    ("city", 300, "suppress", "k=5 m=2"),
    ("city", 300, "suppress", "k=5 m=2 scope=global"),
    ("clicks", 500, "suppress", "k=5 m=3"),
    ("city", 300, "lm-suppress", "k=5 l=2 m=2"),
    ("clicks", 500, "bf-p2ka", "k=5"),
    ("quest", 600, "disassociation", "k=5 m=2"),
    ("quest", 600, "disassociation", "k=3 m=3 max-cluster=20"),
    ("quest", 600, "disassociation", "k=4 m=2 safe=true"),
];

fn released(folder: &Path, (world, people, method, settings): (&str, u64, &str, &str)) -> String {
    let stage = folder.join(format!("{world}-{people}"));
    if !stage.exists() {
        let options = WorldOptions { subjects: Some(people), seed: 7, ..WorldOptions::default() };
        generate(world, &options, &stage, false, &Progress::silent()).unwrap();
    }
    let file = |name: &str| Some(stage.join(name)).filter(|path| path.exists()).map(Source::file);
    let out = folder.join("out");
    let mut files = Files::of(Source::file(stage.join("events.csv")));
    files.read.sets = world == "quest";
    for input in [Input::Places, Input::Taxonomy, Input::Constraints, Input::SensitiveItems] {
        if let Some(source) = file(&format!("{}.csv", input.flag())) {
            files.give(input, source);
        }
    }
    let run = Run {
        job: Job {
            files,
            method: method.to_owned(),
            settings: settings
                .split(' ')
                .filter_map(|setting| setting.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            limits: Limits::default(),
            variant: Variant::Sound,
            seed: Some(0),
            salt: Some(Salt::parse(SALT).unwrap()),
            after: None,
        },
        out: Target {
            directory: out.clone(),
            format: ReleaseFormat::Csv,
            map: true,
            allow_empty: true,
            spreadsheet_safe: false,
            spell_out: false,
            force: true,
            advise: false,
        },
        linkage: None,
    };
    if let Err(failure) = anonymize(&run, &Progress::silent()) {
        return format!("{method} {settings}, {world}: {}", failure.message);
    }
    let mut hash = Sha256::new();
    let mut rows = 0;
    for name in ["release.csv", "items.csv", "clusters.csv"].iter().filter(|name| out.join(name).exists()) {
        let bytes = std::fs::read(out.join(name)).unwrap();
        rows += bytes.iter().filter(|byte| **byte == b'\n').count();
        hash.update(bytes);
    }
    let hash: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{method} {settings}, {world}: {rows} lines {hash}")
}

#[test]
fn releases_stay_the_same_byte_by_byte() {
    let folder = tempfile::tempdir().unwrap();
    let told: Vec<String> = CASES.into_iter().map(|case| released(folder.path(), case)).collect();
    insta::assert_snapshot!(told.join("\n"));
}
