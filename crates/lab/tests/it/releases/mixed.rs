//! Columns and events together, from files to a directory and back.

use std::fmt::Write;

use serde_json::Value;
use throng_contract::{Class, Input, InputKey, Progress};
use throng_data::Role;
use throng_data::formats::{ReadOptions, Source};
use throng_lab::{
    Answer, Attacking, Measurement, ReleaseFormat, Run, Verification, anonymize, attack, measure, verify,
};

use crate::releases::toy::Folder;

/// Forty people with an age, a town and a few of eight items; everybody's town is in the north or in the south.
fn world() -> Folder {
    let folder = Folder::new();
    let (mut events, mut people) = ("subject,item\n".to_owned(), "subject,age,town,phone\n".to_owned());
    for person in 0..40_u32 {
        let town = ["n1", "n2", "s1", "s2"][(person % 4) as usize];
        writeln!(people, "p{person},{},{town},555-{person}", 20 + person * 7 % 31).unwrap();
        for item in 0..8 {
            if (person * 5 + item * 3) % 7 < 2 {
                writeln!(events, "p{person},i{item}").unwrap();
            }
        }
    }
    std::fs::write(folder.path("events.csv"), events).unwrap();
    std::fs::write(folder.path("customers.csv"), people).unwrap();
    let towns = "n1;north;*\nn2;north;*\ns1;south;*\ns2;south;*\n";
    std::fs::write(folder.path("towns.csv"), towns).unwrap();
    folder
}

fn run(folder: &Folder, method: &str, settings: &[(&str, &str)]) -> Run {
    let mut run = folder.run();
    let files = &mut run.job.files;
    files.data = Source::file(folder.path("events.csv"));
    files.read = ReadOptions { sets: true, ..ReadOptions::default() };
    files.give(Input::Records, Source::file(folder.path("customers.csv")));
    files.give(InputKey::hierarchy("town"), Source::file(folder.path("towns.csv")));
    files.roles = ["age", "town"].map(|column| (column.to_owned(), Role::QuasiIdentifying)).to_vec();
    run.job.method = method.to_owned();
    run.job.settings =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    run
}

const PAIR: [(&str, &str); 3] = [("k", "4"), ("m", "2"), ("delta", "0.6")];

fn judged(folder: &Folder, promise: Option<&str>, settings: &[(&str, &str)]) -> throng_lab::Verified {
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let verification = Verification {
        promise: promise.map(str::to_owned),
        settings: settings.collect(),
        ..folder.verification("out")
    };
    verify(&verification, &Progress::silent()).unwrap()
}

#[test]
fn both_files_are_written_and_judged_from_the_files() {
    for (method, format) in [
        ("rum-bound", ReleaseFormat::Csv),
        ("tum-bound", ReleaseFormat::Csv),
        ("rum-bound", ReleaseFormat::Parquet),
        ("tfirst", ReleaseFormat::Csv),
    ] {
        let folder = world();
        let settings = if method == "tfirst" { &PAIR[..2] } else { &PAIR[..] };
        let mut run = run(&folder, method, settings);
        run.out.format = format;
        run.linkage = Some(folder.path("links.csv"));
        let finished = anonymize(&run, &Progress::silent()).unwrap();
        assert!(finished.exact.measures.contains_key("ncp"), "the columns are measured");
        assert!(finished.exact.measures.keys().any(|name| name.starts_with("ul")), "the items are measured");
        assert!(finished.exact.risk.columns && !finished.exact.risk.points.is_empty());
        let own = judged(&folder, None, &[]);
        assert!(own.verdict.holds && own.contradictions.is_empty(), "{own:?}");
        assert_eq!(own.class(), None, "{own:?}");
        assert!(own.statement.contains("quasi-identifying values"), "{}", own.statement);
        // What follows from it holds, and what does not is found broken.
        assert!(judged(&folder, Some("k"), &[("k", "4")]).verdict.holds);
        assert!(judged(&folder, Some("km"), &[("k", "4"), ("m", "2")]).verdict.holds);
        let more = judged(&folder, Some("kkm"), &[("k", "41"), ("m", "2")]);
        assert_eq!((more.verdict.holds, more.class()), (false, Some(Class::NotVerified)));
        if format == ReleaseFormat::Csv {
            let names = folder.names("out");
            assert!(["release.csv", "records.csv"].iter().all(|name| names.iter().any(|own| own == name)));
            let records = folder.text("out/records.csv");
            assert!(records.starts_with("record,age,town\n") && records.lines().count() == 41);
            assert!(!records.contains("555-"), "an identifying column has no role, and is not published");
        }
        let measurement = Measurement {
            files: run.job.files.clone(),
            release: Source::file(folder.path("out")),
            linkage: Some(Source::file(folder.path("links.csv"))),
            wanted: Vec::new(),
            settings: Vec::new(),
            seed: 1,
        };
        let measured = measure(&measurement, &Progress::silent()).unwrap();
        let readings = measured.measures.iter().filter_map(|evaluated| match &evaluated.answer {
            Answer::Readings(readings) => Some(readings),
            _ => None,
        });
        let names: Vec<&str> = readings.flatten().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"ncp_worst_column") && names.contains(&"ncp_items"), "{names:?}");
        let attacking = Attacking {
            files: run.job.files.clone(),
            release: Some(folder.path("out")),
            linkage: Some(Source::file(folder.path("links.csv"))),
            beside: None,
            settings: Vec::new(),
            seed: 1,
        };
        let attacked = attack(&attacking, &Progress::silent()).unwrap();
        assert_eq!(attacked.together.iter().map(|known| known.columns).collect::<Vec<_>>(), [0, 1, 2]);
        let all = attacked.together.last().unwrap();
        let smallest = |attack: &Option<throng_measure::attack::AttackResult>, items: usize| {
            attack.as_ref().unwrap().points[items].crowds.smallest
        };
        assert_eq!(smallest(&all.before, 2), 1, "a person stands alone in the data");
        assert!((0..=2).all(|items| smallest(&all.after, items) >= 4), "{all:?}");
    }
}

/// A reader may doubt the manifest: cells that were changed are found, and so is a missing row.
#[test]
fn changed_cells_are_found_without_the_manifest() {
    let folder = world();
    anonymize(&run(&folder, "rum-bound", &PAIR), &Progress::silent()).unwrap();
    std::fs::remove_file(folder.path("out/manifest.json")).unwrap();
    let sound = judged(&folder, Some("kkm"), &[("k", "4"), ("m", "1")]);
    assert!(sound.verdict.holds, "{sound:?}");
    let records = folder.text("out/records.csv");
    let first = records.lines().nth(1).unwrap();
    let changed = records.replacen(first, "1,[0,1],north", 1);
    std::fs::write(folder.path("out/records.csv"), changed.replacen("1,[0,1]", "1,\"[0,1]\"", 1)).unwrap();
    let broken = judged(&folder, Some("kkm"), &[("k", "4"), ("m", "1")]);
    assert!(!broken.verdict.holds);
    assert!(broken.verdict.violations.iter().any(|found| found.pattern[0] == "age=[0,1]"), "{broken:?}");
}

/// Sets without columns, and columns without sets, are refused with a way out; so is a bound that is too small.
#[test]
fn what_is_missing_is_said() {
    let folder = world();
    let mut no_roles = run(&folder, "rum-bound", &PAIR);
    no_roles.job.files.roles.clear();
    no_roles.job.files.take_away(Input::Hierarchies);
    let refused = anonymize(&no_roles, &Progress::silent()).unwrap_err();
    assert_eq!(refused.class, Class::BadInput);
    assert!(refused.message.contains("no column is quasi-identifying"), "{}", refused.message);
    let mut no_columns = no_roles;
    no_columns.job.files.take_away(Input::Records);
    let refused = anonymize(&no_columns, &Progress::silent()).unwrap_err();
    assert_eq!(
        (refused.class, refused.help.unwrap().to_string().as_str()),
        (Class::Usage, "add `--records FILE`")
    );
    let tight = run(&folder, "rum-bound", &[("k", "4"), ("m", "2"), ("delta", "0")]);
    let refused = anonymize(&tight, &Progress::silent()).unwrap_err();
    assert_eq!(refused.class, Class::Infeasible);
    let help = refused.help.unwrap();
    assert!(help.to_string().starts_with("allow `--delta 0."), "{help}");
    assert!(!folder.path("out").exists());
}

/// Data are judged as they are, too; and the letter of the paper is refused where it publishes items as they were.
#[test]
fn a_release_that_breaks_the_promise_is_not_written() {
    let folder = world();
    let mut printed = run(&folder, "tum-bound", &[("k", "4"), ("m", "2"), ("delta", "1")]);
    printed.job.variant = throng_methods::Variant::AsPrinted;
    let refused = anonymize(&printed, &Progress::silent()).unwrap_err();
    assert_eq!(refused.class, Class::NotVerified, "{}", refused.message);
    assert!(!folder.path("out").exists());
    let verification = Verification {
        files: printed.job.files.clone(),
        promise: Some("kkm".to_owned()),
        settings: vec![("k".to_owned(), "2".to_owned()), ("m".to_owned(), "1".to_owned())],
        linkage: None,
        list: 3,
        not_known: Vec::new(),
    };
    let verified = verify(&verification, &Progress::silent()).unwrap();
    assert!(!verified.verdict.holds && verified.verdict.violations.len() == 3);
}

/// The manifest lists the columns and the nodes in their cells, and says that the events are sets.
#[test]
fn the_manifest_describes_both_parts() {
    let folder = world();
    anonymize(&run(&folder, "rum-bound", &PAIR), &Progress::silent()).unwrap();
    let manifest: Value = serde_json::from_str(&folder.text("out/manifest.json")).unwrap();
    assert_eq!(manifest["kind"], "set");
    assert_eq!(manifest["columns"], serde_json::json!(["age", "town"]));
    assert_eq!(manifest["table"].as_array().unwrap().len(), 2);
    assert_eq!(manifest["promise"]["name"], "kkm");
}

/// The same people with trips of up to four stops in order.
fn passengers() -> Folder {
    let folder = world();
    let mut events = "subject,trip,item\n".to_owned();
    for person in 0..40_u32 {
        for trip in 0..1 + person % 2 {
            for stop in 0..2 + (person + trip) % 3 {
                writeln!(events, "p{person},t{person}-{trip},i{}", (person / 5 + stop * (1 + trip)) % 6)
                    .unwrap();
            }
        }
    }
    std::fs::write(folder.path("events.csv"), events).unwrap();
    folder
}

#[test]
fn columns_with_sequences_are_written_and_judged_from_the_files() {
    for (method, sequential) in [("rum-bound", "suppress"), ("rum-bound", "seqanon"), ("tfirst", "suppress")]
    {
        let folder = passengers();
        let mut settings = vec![("k", "4"), ("m", "2"), ("sequential", sequential)];
        if method == "rum-bound" {
            settings.push(("delta", "0.6"));
        }
        let mut run = run(&folder, method, &settings);
        run.job.files.read = ReadOptions { record: Some("trip".to_owned()), ..ReadOptions::default() };
        run.linkage = Some(folder.path("links.csv"));
        let finished = anonymize(&run, &Progress::silent()).unwrap();
        assert!(finished.exact.measures.contains_key("ncp"), "the columns are measured");
        assert!(finished.exact.risk.columns, "attackers know the columns");
        let records = folder.text("out/records.csv");
        assert!(records.starts_with("record,age,town\n") && records.lines().count() == 61, "{records}");
        assert!(folder.text("out/release.csv").starts_with("record,item\n"));
        let linkage = Some(Source::file(folder.path("links.csv")));
        let judged = |promise: Option<&str>, given: &[(&str, &str)]| {
            let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let verification = Verification {
                promise: promise.map(str::to_owned),
                settings: given.collect(),
                linkage: linkage.clone(),
                ..folder.verification("out")
            };
            verify(&verification, &Progress::silent()).unwrap()
        };
        let own = judged(None, &[]);
        assert!(own.verdict.holds && own.contradictions.is_empty(), "{own:?}");
        assert_eq!(own.class(), None, "{own:?}");
        assert!(own.statement.contains("up to 2 of their events, in order,"), "{}", own.statement);
        assert!(judged(Some("k"), &[("k", "4")]).verdict.holds);
        assert!(judged(Some("km"), &[("k", "4"), ("m", "2")]).verdict.holds);
        assert!(!judged(Some("kkm"), &[("k", "41"), ("m", "2")]).verdict.holds);
    }
}

/// A bound that cannot be kept names the smallest that can.
#[test]
fn a_bound_that_is_too_small_for_sequences_names_one_that_is_not() {
    let folder = passengers();
    let mut run = run(&folder, "rum-bound", &[("k", "4"), ("delta", "0")]);
    run.job.files.read = ReadOptions { record: Some("trip".to_owned()), ..ReadOptions::default() };
    let failure = anonymize(&run, &Progress::silent()).unwrap_err();
    assert_eq!(failure.class, Class::Infeasible);
    assert!(failure.help.unwrap_or_default().change_of("delta").is_some());
    assert!(!folder.path("out").exists());
}
