//! What is published beside the events: attacks by inversion, the list of what noise lets be told, columns, empty releases
//! and spreadsheets.
//!
//! Longer than 400 lines: one question, what lies beside the events, asked of every kind of release.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use throng_contract::{Class, DataKind, Descriptor, Failure, Input, Need, Progress};
use throng_data::formats::{ReadOptions, Source};
use throng_data::{Body, GeneralisedItem, ItemId, Nature, Release, Role, Suppression};
use throng_lab::report::{PageKind, Reporting, report};
use throng_lab::{Grade, Made, ReleaseFormat, Run, anonymize, anonymize_with};
use throng_methods::{Explanation, Method, MethodError, Outcome, Task};

use crate::releases::toy::{Folder, LUMP, Shared, contents};

/// Merges all items with the same first letter, whatever the data are; `x` is suppressed.
struct ByLetter;

static BY_LETTER: Descriptor = Descriptor {
    name: "by-letter",
    purpose: "merges by first letter",
    takes: &[DataKind::Sequences],
    needs: &[Need::optional(Input::Places)],
    ..LUMP
};

impl Method for ByLetter {
    fn descriptor(&self) -> &'static Descriptor {
        &BY_LETTER
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let data = task.data;
        let letter = |item: ItemId| data.items.name(item).chars().next().unwrap_or('x');
        let letters: BTreeSet<char> = (0..data.items.len() as ItemId).map(letter).collect();
        let letters: Vec<char> = letters.into_iter().collect();
        let members = |which: &char| {
            GeneralisedItem::of(
                (0..data.items.len() as ItemId).filter(|item| letter(*item) == *which).collect(),
            )
        };
        let image = |item| letters.iter().position(|known| *known == letter(item)).unwrap_or(0) as ItemId;
        let kept = data.events.retain(|_, _, item| letter(item) != 'x');
        let release = Release {
            base: Arc::clone(&data.items),
            body: Body::of_events(kept.recode(image, false)),
            alphabet: letters.iter().map(members).collect(),
            suppression: Suppression::default(),
            nature: Nature::Truthful,
        };
        Ok(Outcome {
            also: Vec::new(),
            release,
            explanation: Explanation::default(),
            notes: vec![format!("{} events of the data", data.events.len())],
            public_notes: vec!["a constant"],
            ledger: None,
        })
    }
}

const PLACES: &str = "item,x,y\na1,0,0\na2,1,0\na3,10,0\nb1,50,0\nb2,53,0\nc1,90,7\nx1,40,40\n";

/// Everything that leaves the house but the events themselves and their fingerprints: the manifest and the words of the page.
fn published(people: &[Vec<String>]) -> (Value, String) {
    let folder = Folder::new();
    let rows = people
        .iter()
        .enumerate()
        .flat_map(|(person, items)| items.iter().map(move |item| format!("p{person:03},{item}\n")));
    std::fs::write(folder.path("trips.csv"), format!("subject,item\n{}", rows.collect::<String>())).unwrap();
    std::fs::write(folder.path("places.csv"), PLACES).unwrap();
    let mut run = folder.run();
    run.job.settings[0].1 = "1".to_owned();
    run.job.files.give(Input::Places, Source::file(folder.path("places.csv")));
    anonymize_with(&ByLetter, &Shared, &run, &Progress::silent()).unwrap();
    let mut manifest: Value = serde_json::from_str(&folder.text("out/manifest.json")).unwrap();
    for told in ["inputs", "outputs"] {
        manifest.as_object_mut().unwrap().remove(told);
    }
    let page = folder.text("out/report.html");
    let words = page.split_inclusive(['<', '>']).map(|word| {
        let bare = word.trim_end_matches(['<', '>']);
        if bare.len() == 64 && bare.bytes().all(|byte| byte.is_ascii_hexdigit()) { "[sha256]" } else { word }
    });
    (manifest, words.collect())
}

/// Every original that differs in one event and gives the same release: the event is at another member of its item, and no
/// item disappears.
fn alternatives(people: &[Vec<String>]) -> Vec<Vec<Vec<String>>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    people.iter().flatten().for_each(|item| *counts.entry(item).or_default() += 1);
    let mut found = Vec::new();
    for (person, items) in people.iter().enumerate() {
        for (place, item) in items.iter().enumerate().filter(|(_, item)| counts[item.as_str()] > 1) {
            let others = counts.keys().filter(|other| **other != item && other[..1] == item[..1]);
            found.extend(others.map(|other| {
                let mut people = people.to_vec();
                people[person][place] = (*other).to_owned();
                people
            }));
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The attack: an attacker who has the release, everything published beside it and a public map enumerates the originals that
    /// fit. On small data nothing published may exclude any of them, so that every count of every generalised item that the
    /// release allows remains.
    #[test]
    fn on_small_data_nothing_published_excludes_an_original(
        people in vec(vec(prop::sample::select(vec!["a1", "a2", "a3", "b1", "b2", "c1", "x1"]), 1..5), 3..9),
    ) {
        let people: Vec<Vec<String>> =
            people.iter().map(|items| items.iter().map(|item| (*item).to_owned()).collect()).collect();
        prop_assume!(people.iter().flatten().any(|item| item != "x1"));
        let (manifest, page) = published(&people);
        for other in alternatives(&people).into_iter().take(12) {
            let (other, other_page) = published(&other);
            prop_assert_eq!(&manifest, &other);
            prop_assert_eq!(&page, &other_page);
        }
    }
}

/// The same for a file that is large enough for readings to be published: of every generalised item another count remains.
#[test]
fn on_larger_data_every_generalised_item_has_another_count() {
    for world in 0..3_usize {
        let item = |person: usize, place: usize| {
            ["a1", "a2", "a1", "b1", "b2", "c1", "a3", "x1"]
                [(person * (7 + world) + place * 3 + person / 5) % 8]
        };
        let people: Vec<Vec<String>> = (0..110)
            .map(|person| (0..3 + person % 2).map(|place| item(person, place).to_owned()).collect())
            .collect();
        let told = published(&people);
        assert!(told.0["measures"]["distance_share_of_largest"].is_number(), "{}", told.0);
        assert_eq!(told.0["rounding"]["step"], 0.2);
        for general in ["a", "b"] {
            let moved = |other: &&Vec<Vec<String>>| {
                other
                    .iter()
                    .flatten()
                    .zip(people.iter().flatten())
                    .any(|(a, b)| a != b && a.starts_with(general))
            };
            let others = alternatives(&people);
            let fits = others.iter().filter(moved).take(20).any(|other| published(other) == told);
            assert!(fits, "the counts of {general} are given away in world {world}");
        }
    }
}

/// The attack of the issue: a distance to ten digits, a public map, one person's place in a small file.
#[test]
fn one_persons_place_cannot_be_computed_from_the_distance() {
    let with = |victim: &str| {
        let rest = [["a1", "b1"], ["a1", "b2"], ["a2", "b1"], ["a3", "c1"], ["a2", "c1"]];
        let mut people: Vec<Vec<String>> =
            rest.iter().map(|items| items.map(str::to_owned).to_vec()).collect();
        people.push(vec![victim.to_owned(), "b1".to_owned()]);
        published(&people)
    };
    let told = with("a1");
    assert_eq!(told, with("a2"));
    assert_eq!(told, with("a3"));
    assert_eq!(told.0["measures"].get("distance"), None);
    assert_eq!(told.0["rounding"]["withheld"], "there are fewer than 100 people");
    assert_eq!(told.0["notes"], serde_json::json!(["a constant"]), "notes with counts are not published");
}

/// Every path of a JSON value, positions in lists left out.
fn paths(value: &Value, at: &str, found: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| paths(value, &format!("{at}.{name}"), found))
        }
        Value::Array(values) => values.iter().for_each(|value| paths(value, &format!("{at}[]"), found)),
        plain => {
            found.entry(at.to_owned()).or_default().insert(plain.to_string());
        }
    }
}

/// All that a promise that rests on secret noise lets be told.
const BEHIND_NOISE: &[&str] = &[
    ".schema",
    ".program",
    ".promise.name",
    ".promise.parameters.epsilon",
    ".promise.statement",
    ".method.name",
    ".method.paper",
    ".method.parameters.epsilon",
    ".method.parameters.l-max",
    ".method.parameters.n-max",
    ".method.parameters.sampler",
    ".method.parameters.drawn-records",
    ".method.parameters.expand",
    ".method.parameters.records",
    ".method.variant",
    ".verdict.holds",
    ".usefulness.grade",
    ".usefulness.reasons[]",
    ".counts.records",
    ".counts.empty_records",
    ".counts.events_after",
    ".counts.items_after",
    ".kind",
    ".nature",
    ".notes[]",
    ".inputs[].role",
    ".inputs[].name",
    ".inputs[].sha256",
    ".inputs[].fingerprint",
    ".outputs[].role",
    ".outputs[].name",
    ".outputs[].sha256",
];

/// Of these what follows from the released files, and may differ between two releases.
const OF_THE_RELEASE: &[&str] = &[
    ".usefulness.grade",
    ".usefulness.reasons[]",
    ".counts.records",
    ".counts.empty_records",
    ".counts.events_after",
    ".counts.items_after",
    ".inputs[].fingerprint",
    ".outputs[].sha256",
];

fn noisy(trips: &str) -> (BTreeMap<String, BTreeSet<String>>, Folder) {
    let folder = Folder::new();
    std::fs::write(folder.path("trips.csv"), trips).unwrap();
    std::fs::write(folder.path("public.txt"), "pub\nmall\nzoo\n").unwrap();
    let mut run = folder.run();
    run.job.method = "ngrams".to_owned();
    run.job.settings = [("epsilon", "8"), ("l-max", "5")].map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
    run.job.files.give(Input::Alphabet, Source::file(folder.path("public.txt")));
    run.job.seed = Some(0x5eed_5eed_5eed_5eed);
    anonymize(&run, &Progress::silent()).unwrap();
    let manifest: Value = serde_json::from_str(&folder.text("out/manifest.json")).unwrap();
    let mut found = BTreeMap::new();
    paths(&manifest, "", &mut found);
    (found, folder)
}

fn trips(people: usize) -> String {
    let rows = (0..people).map(|person| {
        let places = [["pub", "mall"], ["pub", "zoo"], ["mall", "mall"]][person % 3];
        places.map(|place| format!("p{person},{place}\n")).concat()
    });
    format!("subject,item\n{}", rows.collect::<String>())
}

#[test]
fn behind_noise_every_field_is_on_the_list() {
    let (found, folder) = noisy(&trips(40));
    let beyond: Vec<&String> = found.keys().filter(|path| !BEHIND_NOISE.contains(&path.as_str())).collect();
    assert!(beyond.is_empty(), "the manifest tells {beyond:?}");
    // The page says what manifest and released files say: it can be made from them alone.
    let alone = folder.path("alone");
    std::fs::create_dir(&alone).unwrap();
    for (name, bytes) in contents(&folder.path("out")) {
        std::fs::write(alone.join(name), bytes).unwrap();
    }
    let reporting = Reporting {
        directory: alone,
        form: PageKind::Publishable,
        places: None,
        original: None,
        read: ReadOptions::default(),
        linkage: None,
    };
    let page = report(&reporting, &Progress::silent()).unwrap();
    assert_eq!(page, folder.text("out/report.html"));
    for wrong in ["Each change hints", "follows nothing", "in their order", "Shares are rounded"] {
        assert!(!page.contains(wrong), "the page of a synthetic release says: {wrong}");
    }
}

/// The attack: two datasets that differ in one person are told apart by a number beside the release.
#[test]
fn behind_noise_neighbours_differ_in_nothing_but_the_release() {
    let ((one, _first), (more, _second)) = (noisy(&trips(40)), noisy(&trips(41)));
    let all: BTreeSet<&String> = one.keys().chain(more.keys()).collect();
    let differ: Vec<&&String> = all
        .iter()
        .filter(|path| one.get(**path) != more.get(**path) && !OF_THE_RELEASE.contains(&path.as_str()))
        .collect();
    assert!(differ.is_empty(), "neighbours are told apart by {differ:?}");
}

/// Two numbers for one suppression: what a moved record lost, and the balance with what was put in.
#[test]
fn there_is_one_number_of_suppressed_events() {
    let folder = Folder::new();
    let row = |person: usize| {
        let route: &[&str] =
            [&["a", "b", "c"][..], &["a", "c", "d"], &["b", "c", "e", "f"], &["c", "a"]][person % 4];
        route.iter().map(|place| format!("p{person},{place}\n")).collect::<String>()
    };
    let rows: String = (0..11).map(row).collect();
    std::fs::write(folder.path("trips.csv"), format!("subject,item\n{rows}p11,f\np11,b\np11,a\n")).unwrap();
    let mut run = folder.run();
    run.job.method = "bf-p2ka".to_owned();
    run.job.settings = vec![("k".to_owned(), "3".to_owned()), ("max-suppressed".to_owned(), "1".to_owned())];
    let finished = anonymize(&run, &Progress::silent()).unwrap();
    let (told, counted) = (finished.checked.outcome.release.suppression, finished.exact.suppression.unwrap());
    assert!(counted.events > 0);
    assert_eq!(
        (counted.events, counted.items, counted.emptied_records),
        (told.events, told.items, told.emptied_records)
    );
}

fn with_columns(folder: &Folder, publish: &[&str]) -> Run {
    let mut run = folder.run();
    run.job.files.give(Input::Records, Source::file(folder.path("people.csv")));
    run.job.files.publish = publish.iter().map(|name| (*name).to_owned()).collect();
    run
}

fn lump(run: &Run) -> Result<Made, Failure> {
    anonymize_with(&crate::releases::toy::Lump, &Shared, run, &Progress::silent())
}

/// The attack: `--publish age,sex,home` put unique people with their diagnosis under a green verdict.
#[test]
fn columns_that_single_people_out_are_refused_unless_accepted_and_then_said() {
    let folder = Folder::new();
    let mut run = with_columns(&folder, &["age"]);
    let refused = lump(&run).unwrap_err();
    assert_eq!((refused.class, refused.class.code()), (Class::Refused, 7));
    assert!(
        refused.message.contains("4 of 4 people are in groups of fewer than 5, 4 of them alone"),
        "{refused:?}"
    );
    let help = refused.help.unwrap().to_string();
    assert!(help.contains("leave `age` out") && help.contains("--accept-exposed-columns"), "{help}");
    assert_eq!(folder.names("."), ["people.csv", "trips.csv"]);

    run.job.files.accept_exposed_columns = true;
    let finished = lump(&run).unwrap();
    let verdict = finished.manifest.columns_verdict.as_ref().unwrap();
    assert_eq!(
        (verdict.covered, verdict.accepted, verdict.people_below, verdict.unique),
        (false, true, 4, 4)
    );
    let page = folder.text("out/report.html");
    assert!(page.contains("The events keep the promise; the published columns do not."));
    assert!(!page.contains("The promise holds."), "the verdict is not green");
    // Everybody is alone in age, whatever is known of their events.
    let risk = &finished.exact.risk;
    assert!(risk.columns && risk.points.iter().all(|point| point.after.singled_out == 1.0));
    run = with_columns(&folder, &[]);
    run.out.force = true;
    assert!(lump(&run).unwrap().exact.risk.points[0].after.singled_out < 1.0);
}

#[test]
fn columns_in_which_people_are_alike_are_published_with_their_own_verdict() {
    let folder = Folder::new();
    std::fs::write(
        folder.path("people.csv"),
        "subject,town,hiv\nanna,x,no\nbert,x,no\ncleo,x,no\ndora,x,yes\n",
    )
    .unwrap();
    let mut run = with_columns(&folder, &["town", "hiv"]);
    run.job.files.roles = vec![("hiv".to_owned(), Role::Sensitive)];
    // The toy promise speaks of no crowd, so that five people would have to look alike: there are four.
    assert_eq!(lump(&run).unwrap_err().class, Class::Refused);
    std::fs::write(
        folder.path("trips.csv"),
        "subject,item\nanna,pub\nbert,pub\ncleo,pub\ndora,pub\nemil,pub\nfred,pub\n",
    )
    .unwrap();
    std::fs::write(
        folder.path("people.csv"),
        "subject,town,hiv\nanna,x,no\nbert,x,no\ncleo,x,no\ndora,x,yes\nemil,x,no\nfred,x,no\n",
    )
    .unwrap();
    let finished = lump(&run).unwrap();
    let verdict = finished.manifest.columns_verdict.unwrap();
    assert_eq!((verdict.covered, verdict.accepted, verdict.people_below), (true, false, 0));
    assert!(finished.exact.risk.columns);
}

/// The attack: a run that suppressed everything was "verified" and looked like success.
#[test]
fn an_empty_release_is_written_only_when_asked_for_and_graded_poor() {
    let folder = Folder::new();
    std::fs::write(folder.path("trips.csv"), "subject,item\nanna,x1\nbert,x1\n").unwrap();
    let mut run = folder.run();
    let make = |run: &Run| anonymize_with(&ByLetter, &Shared, run, &Progress::silent());
    let refused = make(&run).unwrap_err();
    assert_eq!(refused.class, Class::Refused);
    assert!(refused.message.contains("of 2 events of 2 people not one is left"), "{}", refused.message);
    assert!(refused.help.unwrap().to_string().contains("--allow-empty"));
    assert!(!folder.path("out").exists());
    run.out.allow_empty = true;
    let manifest = make(&run).unwrap().manifest;
    assert_eq!(manifest.usefulness.unwrap().grade, Grade::Poor);
    assert_eq!((manifest.counts.events_after, manifest.counts.empty_records), (0, 2));
}

/// The attack: a place called `=HYPERLINK(...)` is run by a spreadsheet in which a reader opens the release.
#[test]
fn cells_that_a_spreadsheet_would_run_are_warned_about_and_defused_in_a_copy() {
    let folder = Folder::new();
    std::fs::write(folder.path("trips.csv"), "subject,item\nanna,=1+1\nbert,=1+1\ncleo,pub\ndora,pub\n")
        .unwrap();
    std::fs::write(folder.path("people.csv"), "subject,@town\nanna,+x\nbert,+x\ncleo,+x\ndora,+x\n").unwrap();
    for (format, name) in [(ReleaseFormat::Csv, "release.csv"), (ReleaseFormat::Parquet, "release.parquet")] {
        let mut run = with_columns(&folder, &["@town"]);
        run.job.files.accept_exposed_columns = true;
        (run.out.format, run.out.force) = (format, true);
        let finished = lump(&run).unwrap();
        let warned = |what: &str| finished.exact.notes.iter().any(|note| note.starts_with(what));
        assert!(warned(&format!("1 items in `{name}` begin with `=`")), "{:?}", finished.exact.notes);
        assert!(warned("5 cells in `records.csv` begin with"), "{:?}", finished.exact.notes);
        let exact = contents(&folder.path("out"));
        run.out.spreadsheet_safe = true;
        let manifest = lump(&run).unwrap().manifest;
        assert_eq!(contents(&folder.path("out"))[name], exact[name], "the release itself stays exact");
        let copy = folder.text("out/release.spreadsheet.csv");
        assert_eq!((copy.matches(",'=1+1\n").count(), copy.matches(",=").count()), (2, 0), "{copy}");
        assert!(folder.text("out/records.spreadsheet.csv").starts_with("record,'@town\n1,'+x\n"));
        for file in ["release.spreadsheet.csv", "records.spreadsheet.csv"] {
            assert!(manifest.outputs.iter().any(|entry| entry.name == file && entry.sha256.is_some()));
        }
    }
}
