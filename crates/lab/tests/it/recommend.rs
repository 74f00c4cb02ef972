//! What is recommended, and what is searched besides: cell sizes, and further promises of tables.

#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use throng_contract::{Input, Progress};
use throng_data::Role;
use throng_data::formats::Source;
use throng_lab::recommend::{Keep, Known, Request, promise_for, recommend};
use throng_lab::{Files, Limits};
use throng_prepare::worlds::{WorldOptions, generate};

/// A request in the words of a user who knows no promises; no time runs out in a test.
fn asking(files: Files, known: Known, keep: Keep, given: &[(&str, &str)]) -> Request {
    let given: Vec<(String, String)> =
        given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let meant = promise_for(known, "5", &files, &given).unwrap();
    Request {
        files,
        limits: Limits::default(),
        promise: meant.promise.to_owned(),
        settings: meant.settings,
        also: meant.also,
        keep,
        sample: 200,
        sample_only: true,
        effort: f64::INFINITY,
        limit: Duration::from_secs(100_000),
        seed: 0,
        truthful: false,
        search: false,
        goal: Some(meant.because),
    }
}

fn world(name: &str, people: u64, folder: &Path) {
    let options = WorldOptions { subjects: Some(people), seed: 3, ..WorldOptions::default() };
    generate(name, &options, folder, false, &Progress::silent()).unwrap();
}

#[test]
fn sizes_of_cells_are_searched_until_one_is_good() {
    let folder = tempfile::tempdir().unwrap();
    let city = folder.path().join("city");
    world("city", 200, &city);
    let files = Files::of(Source::file(city.join("events.csv")))
        .with(Input::Places, Source::file(city.join("places.csv")));
    let request = Request { search: true, ..asking(files, Known::Events(2), Keep::Counts, &[]) };
    let found = recommend(&request, &Progress::silent()).unwrap();
    let sizes: BTreeSet<&str> = found.frontier.iter().filter_map(|point| point.coarse.as_deref()).collect();
    assert!(!sizes.is_empty());
    for point in found.frontier.iter().filter(|point| point.coarse.is_some()) {
        let command = point.command.as_deref().unwrap();
        assert!(command.starts_with("throng prepare events ") && command.contains(" --cell "), "{command}");
        assert!(command.contains(" --places "), "{command}");
    }
    // Whatever the size: every crowd and every attacker that was tried before.
    let fine: BTreeSet<_> = found
        .frontier
        .iter()
        .filter(|point| point.coarse.is_none())
        .map(|point| (point.crowd, point.known))
        .collect();
    let coarse: BTreeSet<_> = found
        .frontier
        .iter()
        .filter(|point| point.coarse.is_some())
        .map(|point| (point.crowd, point.known))
        .collect();
    assert_eq!(fine, coarse);
}

#[test]
fn a_sensitive_column_asks_for_more_than_crowds() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("people.csv");
    let rows: String = (0..200)
        .map(|row| {
            format!("{},{},{}\n", 20 + row % 40, ["f", "m"][row % 2], ["flu", "gout", "cold"][row % 3])
        })
        .collect();
    std::fs::write(&table, format!("age,sex,disease\n{rows}")).unwrap();
    let role = |name: &str, role| (name.to_owned(), role);
    let files = Files {
        roles: vec![
            role("age", Role::QuasiIdentifying),
            role("sex", Role::QuasiIdentifying),
            role("disease", Role::Sensitive),
        ],
        ..Files::of(Source::file(table))
    };
    let request = asking(files, Known::Events(2), Keep::Cells, &[("l", "3")]);
    let found = recommend(&request, &Progress::silent()).unwrap();
    let chosen = found.chosen.unwrap();
    assert!(chosen.candidate.settings.contains(&("l".to_owned(), "3".to_owned())), "{chosen:?}");
    assert!(found.reasons[0].contains("`l-diversity`"), "{:?}", found.reasons);
}
