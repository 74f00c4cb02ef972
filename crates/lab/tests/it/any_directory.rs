//! `verify` takes a directory from anybody: whatever lies in it, the answer is a verdict or an error, never a panic, and
//! no manifest makes the answer of the files better.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::Value;
use throng_contract::Progress;
use throng_data::formats::Source;
use throng_lab::{Files, Verification, Verified, verify};
use throng_models::Answer;

fn judged(directory: &Path, promise: Option<(&str, &[(&str, &str)])>) -> Option<Verified> {
    let verification = Verification {
        files: Files::of(Source::file(directory)),
        promise: promise.map(|(name, _)| name.to_owned()),
        settings: promise
            .iter()
            .flat_map(|(_, given)| given.iter())
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        linkage: None,
        list: 3,
        not_known: Vec::new(),
    };
    verify(&verification, &Progress::silent()).ok()
}

const PROMISES: [(&str, &[(&str, &str)]); 6] = [
    ("km", &[("k", "2"), ("m", "2")]),
    ("klm", &[("k", "2"), ("l", "2"), ("m", "2")]),
    ("lkc", &[("L", "2"), ("K", "2"), ("C", "0.5")]),
    ("p2k", &[("k", "2")]),
    ("mi", &[("epsilon", "0.5")]),
    ("dp", &[("epsilon", "1")]),
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.1.0").join(name)
}

/// Every place in a JSON value.
fn places(value: &Value, at: String, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| places(value, format!("{at}/{name}"), all))
        }
        Value::Array(values) => {
            values
                .iter()
                .enumerate()
                .for_each(|(number, value)| places(value, format!("{at}/{number}"), all));
        }
        _ => {}
    }
    all.push(at);
}

fn junk() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(Value::from(0)),
        Just(Value::from(u64::MAX)),
        Just(Value::from(-1)),
        Just(Value::from(1e300)),
        Just(Value::from("set")),
        Just(Value::from("synthetic")),
        Just(Value::from("{a|")),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
        Just(serde_json::json!([{"item": "{a|b}", "members": ["a"]}, {"item": "x", "members": []}])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn bytes_of_any_kind_are_judged_or_refused(
        events in "(record,item(,time)?\n)?[0-9a-c{}|\\\\,\n\"~ ]{0,60}", people in "(record,age\n)?[0-9a,\n\"]{0,30}",
        manifest in ".{0,40}", with_people in any::<bool>(),
    ) {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("release.csv"), events).unwrap();
        if with_people {
            fs::write(directory.path().join("records.csv"), people).unwrap();
        }
        fs::write(directory.path().join("manifest.json"), manifest).unwrap();
        for promise in PROMISES {
            judged(directory.path(), Some(promise));
        }
        judged(directory.path(), None);
    }

    /// Whatever a manifest says in place of what it said, files that break a promise break it still.
    #[test]
    fn no_change_to_a_manifest_makes_the_answer_better(
        which in 0..3_usize, changes in prop::collection::vec((any::<prop::sample::Index>(), junk()), 1..=3), k in 2..200_u32,
    ) {
        let from = fixture(["bf-p2ka", "lkc", "zga"][which]);
        let directory = tempfile::tempdir().unwrap();
        for file in fs::read_dir(&from).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), directory.path().join(file.file_name())).unwrap();
        }
        let mut manifest: Value = serde_json::from_slice(&fs::read(from.join("manifest.json")).unwrap()).unwrap();
        for (index, value) in changes {
            let mut all = Vec::new();
            places(&manifest, String::new(), &mut all);
            let place: &String = index.get(&all);
            if let Some(place) = manifest.pointer_mut(place) {
                *place = value;
            }
        }
        fs::write(directory.path().join("manifest.json"), manifest.to_string()).unwrap();
        judged(directory.path(), None);
        let k = k.to_string();
        let promise = ("km", &[("k", k.as_str()), ("m", "2")][..]);
        let bare = tempfile::tempdir().unwrap();
        fs::copy(from.join("release.csv"), bare.path().join("release.csv")).unwrap();
        let answer = |directory: &Path| judged(directory, Some(promise)).map(|verified| verified.verdict.answer());
        if answer(bare.path()) == Some(Answer::DoesNotHold) {
            prop_assert_eq!(answer(directory.path()), Some(Answer::DoesNotHold));
        }
    }
}
