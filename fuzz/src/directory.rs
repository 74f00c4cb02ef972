//! `throng verify` on whatever lies in a directory.
//!
//! The bytes are a small archive: a line `=== NAME` begins a file. Only names that a release may have are taken. Whatever the
//! manifest says, a release in which a single record has all events never keeps a crowd of two.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use throng_contract::Progress;
use throng_data::formats::Source;
use throng_lab::{Files, Verification, verify};

const NAMES: [&str; 6] =
    ["release.csv", "records.csv", "manifest.json", "items.csv", "release.parquet", "linkage.csv"];

/// Unpacks a directory and has it judged: by its own manifest, and by a promise that was typed.
pub fn release(bytes: &[u8]) {
    let Ok(place) = tempfile::tempdir() else { return };
    let files = unpack(bytes);
    for (name, content) in &files {
        if fs::write(place.path().join(name), content).is_err() {
            return;
        }
    }
    let _ = judged(place.path(), None);
    let holds = judged(place.path(), Some("2"));
    let mut released = files.iter().filter(|(name, _)| *name == "release.csv");
    if let Some((_, content)) = released.next()
        && is_one_record(content)
    {
        assert_ne!(holds, Some(true), "a crowd of one was passed as two");
    }
}

/// Whether k^m with k as typed and m = 1 holds; `None` where there is no answer.
fn judged(directory: &Path, k: Option<&str>) -> Option<bool> {
    let typed = k.map(|k| vec![("k".to_owned(), k.to_owned()), ("m".to_owned(), "1".to_owned())]);
    let verification = Verification {
        files: Files::of(Source::file(directory)),
        promise: k.map(|_| "km".to_owned()),
        settings: typed.unwrap_or_default(),
        linkage: None,
        list: 3,
        not_known: Vec::new(),
    };
    let verified = verify(&verification, &Progress::silent()).ok()?;
    assert!(!verified.verdict.holds || verified.verdict.violations_total == 0);
    assert!(!verified.statement.is_empty());
    Some(verified.verdict.holds)
}

fn unpack(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files: Vec<(&'static str, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let name = line.strip_prefix(b"=== ").map(|name| name.trim_ascii());
        match name.and_then(|name| NAMES.into_iter().find(|known| known.as_bytes() == name)) {
            Some(name) if files.iter().all(|(known, _)| *known != name) => files.push((name, Vec::new())),
            _ => {
                if let Some((_, content)) = files.last_mut() {
                    content.extend_from_slice(line);
                }
            }
        }
    }
    files
}

/// Whether all events are of one record, by a reader that is not ours.
fn is_one_record(content: &[u8]) -> bool {
    let mut rows = csv::ReaderBuilder::new().flexible(false).from_reader(content);
    let Some(column) = rows.headers().ok().and_then(|header| header.iter().position(|name| name == "record"))
    else {
        return false;
    };
    let mut records = BTreeSet::new();
    for row in rows.records() {
        let Ok(row) = row else { return false };
        records.insert(row.get(column).unwrap_or_default().to_owned());
    }
    records.len() == 1
}
