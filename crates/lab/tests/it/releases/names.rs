//! Names that mean something to a parser, in every body and format: what is written is read again, and means the same; or nothing is written.

use std::collections::BTreeMap;
use std::fmt::Write;

use proptest::prelude::*;
use proptest::sample::select;
use throng_contract::{Class, Input, InputKey, Progress};
use throng_data::formats::{Format, ReadOptions, Source};
use throng_data::{Body, Chunks, Counts, Cover, EventKind, Hierarchy, ItemId, Release, Role};
use throng_lab::{
    Manifest, ReleaseFormat, Run, Verification, anonymize, explain_cells, read_release, verify,
};

use crate::releases::toy::Folder;

/// What names are put together from: everything that is a sign of a release or of a file, and a few letters.
const PIECES: [&str; 20] = [
    "a", "b", "z", "|", "{", "}", "~", "\\", "*", "[", "]", ",", "1", "0", "-", ".", "\u{e9}", " ", "\"", "'",
];
/// The same without what ends a name in a file of nodes.
const OF_TREES: [&str; 17] =
    ["a", "b", "z", "|", "{", "}", "~", "\\", "*", "[", "]", ",", "1", "0", "-", ".", "\u{e9}"];

/// So many different names. Blanks around a name do not count, so that there are none.
fn names(pieces: &'static [&'static str], wanted: usize) -> impl Strategy<Value = Vec<String>> {
    let name =
        prop::collection::vec(select(pieces), 1..5).prop_map(|pieces| pieces.concat().trim().to_owned());
    prop::collection::btree_set(name.prop_filter("a name", |name| !name.is_empty()), wanted)
        .prop_map(|names| names.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

/// A cell of a CSV file.
fn cell(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

const PEOPLE: usize = 36;

/// Two of eight items each.
fn events(items: &[String]) -> String {
    let mut text = String::from("subject,item\n");
    for person in 0..PEOPLE {
        for item in [person % 8, (person / 3 + 1) % 8] {
            writeln!(text, "p{person},{}", cell(&items[item])).unwrap();
        }
    }
    text
}

/// Eight leaves below four nodes.
fn tree(names: &[String], root: &str) -> String {
    (0..8).map(|leaf| format!("{};{};{root}\n", names[leaf], names[8 + leaf / 2])).collect()
}

fn table(towns: &[String]) -> String {
    let mut text = String::from("subject,town,plan\n");
    for person in 0..PEOPLE {
        writeln!(text, "p{person},{},{}", cell(&towns[person % 8]), cell(&towns[person / 8 % 8])).unwrap();
    }
    text
}

/// What a release says, without the order of its rows.
#[derive(Debug, PartialEq)]
struct Meaning(Vec<String>);

fn meaning(release: &Release) -> Meaning {
    let members = |item: &ItemId| {
        let of = release.alphabet[*item as usize].members.iter().map(|member| release.base.name(*member));
        let mut names: Vec<&str> = of.collect();
        names.sort_unstable();
        format!("{names:?}")
    };
    let record = |record: usize| -> Vec<String> {
        let mut items: Vec<String> = release.events().record(record).iter().map(members).collect();
        if release.event_kind() == EventKind::Set {
            items.sort();
        }
        items
    };
    let mut said: Vec<String> = match &release.body {
        Body::Records(_) | Body::Table(_) | Body::Mixed(_) => (0..people(release))
            .map(|person| {
                let of = if person < release.people() { release.events().records_of(person) } else { 0..0 };
                let mut records: Vec<Vec<String>> =
                    of.map(record).filter(|items| !items.is_empty()).collect();
                records.sort();
                let columns = release.table().into_iter().flat_map(|table| &table.columns);
                let cells: Vec<String> = columns.map(|column| covered(column.cover(person))).collect();
                format!("{records:?} {cells:?}")
            })
            // Of a person without an event nothing is written.
            .filter(|said| said != "[] []")
            .collect(),
        Body::Chunks(chunks) => parts(chunks, &members),
        Body::Counts(counts) => cells(counts, &members),
    };
    said.sort();
    Meaning(said)
}

fn people(release: &Release) -> usize {
    let rows = release.table().into_iter().flat_map(|table| &table.columns).map(|column| column.cells.len());
    rows.max().unwrap_or(release.people())
}

/// The values that a cell may stand for.
fn covered(cover: &Cover) -> String {
    match cover {
        Cover::Value(value) => format!("{:?}", [value]),
        Cover::Node { members, .. } => format!("{members:?}"),
        Cover::Set(values) => format!("{values:?}"),
        Cover::Range { low, high } => format!("{low} to {high}"),
        Cover::Suppressed => "anything".to_owned(),
    }
}

fn parts(chunks: &Chunks, members: &impl Fn(&ItemId) -> String) -> Vec<String> {
    let chunk = |chunk: usize| {
        let mut parts: Vec<Vec<String>> =
            chunks.parts(chunk).map(|part| chunks.part(part).iter().map(members).collect()).collect();
        parts.iter_mut().for_each(|part| part.sort());
        parts.sort();
        format!("{:?} {parts:?}", chunks.kind(chunk))
    };
    (0..chunks.len()).map(chunk).collect()
}

fn cells(counts: &Counts, members: &impl Fn(&ItemId) -> String) -> Vec<String> {
    let cell = counts.cells.iter();
    cell.map(|(cell, people)| {
        format!("{:?} {} {:?} {people}", cell.table, members(&cell.item), cell.to.as_ref().map(members))
    })
    .collect()
}

/// Publishes in every form that the body has. Whether a release was written.
fn published(folder: &Folder, run: &Run) -> Result<bool, TestCaseError> {
    let mut written = false;
    for (format, spell_out) in
        [(ReleaseFormat::Csv, false), (ReleaseFormat::Csv, true), (ReleaseFormat::Parquet, false)]
    {
        let mut run = run.clone();
        (run.out.format, run.out.spell_out, run.out.force) = (format, spell_out, true);
        let _ = std::fs::remove_dir_all(&run.out.directory);
        let finished = match anonymize(&run, &Progress::silent()) {
            Ok(finished) => finished,
            Err(failure) => {
                prop_assert!(
                    matches!(
                        failure.class,
                        Class::Refused | Class::BadInput | Class::Usage | Class::Infeasible
                    ),
                    "{failure:?}"
                );
                prop_assert!(!run.out.directory.exists());
                continue;
            }
        };
        written = true;
        let manifest = Manifest::read(&run.out.directory).unwrap();
        let mut read = read_release(&run.out.directory, manifest.as_ref(), None, &Progress::silent())
            .map_err(|failure| TestCaseError::fail(format!("{format:?}: {failure:?}")))?;
        let trees: &BTreeMap<String, Hierarchy> = &finished.checked.loaded.inputs.hierarchies;
        explain_cells(&mut read, trees);
        prop_assert_eq!(meaning(&read), meaning(&finished.checked.outcome.release), "{:?}", format);
        let roles = run.job.files.roles.clone();
        let mut verification = Verification { ..folder.verification("out") };
        verification.files.roles = roles;
        let verified = verify(&verification, &Progress::silent())
            .map_err(|failure| TestCaseError::fail(format!("{format:?}: {failure:?}")))?;
        prop_assert!(verified.verdict.holds, "{format:?}: {:?}", verified.verdict);
        prop_assert!(verified.contradictions.is_empty(), "{format:?}: {:?}", verified.contradictions);
    }
    Ok(written)
}

/// A run over sets of items.
fn run(folder: &Folder, items: &[String], method: &str, settings: &[(&str, &str)]) -> Run {
    std::fs::write(folder.path("events.csv"), events(items)).unwrap();
    let mut run = folder.run();
    run.job.files.data = Source::file(folder.path("events.csv"));
    // The column is named: an awkward item may look like several.
    run.job.files.read = ReadOptions { sets: true, item: Some("item".to_owned()), ..ReadOptions::default() };
    run.job.method = method.to_owned();
    run.job.settings =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    run
}

/// Gives the file `text` a name in the folder.
fn file(folder: &Folder, name: &str, text: &str) -> Source {
    std::fs::write(folder.path(name), text).unwrap();
    Source::file(folder.path(name))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn rows(items in names(&PIECES, 8)) {
        let folder = Folder::new();
        for (method, settings) in [
            ("coat", &[("k", "6"), ("m", "1")][..]),
            ("suppress", &[("k", "2"), ("m", "2")]),
        ] {
            let mut run = run(&folder, &items, method, settings);
            run.job.files.read.sets = method == "coat";
            prop_assert!(published(&folder, &run)?, "{method} wrote nothing");
        }
    }

    #[test]
    fn rows_with_nodes(names in names(&OF_TREES, 12), root in select(&["*", "any", "{x|y}"][..])) {
        let folder = Folder::new();
        for settings in [[("k", "8"), ("m", "1")], [("k", "30"), ("m", "1")]] {
            let mut run = run(&folder, &names[..8], "apriori", &settings);
            run.job.files.give(Input::Taxonomy, file(&folder, "tree.csv", &tree(&names, root)));
            published(&folder, &run)?;
        }
    }

    #[test]
    fn chunks(items in names(&PIECES, 8)) {
        let folder = Folder::new();
        prop_assert!(published(&folder, &run(&folder, &items, "disassociation", &[("k", "3"), ("m", "2")]))?);
    }

    #[test]
    fn counts(items in names(&PIECES, 8)) {
        let folder = Folder::new();
        let mut run = run(&folder, &items, "counts", &[("k", "2")]);
        run.job.files.read.sets = false;
        prop_assert!(published(&folder, &run)?);
    }

    #[test]
    fn tables(towns in names(&PIECES, 8)) {
        let folder = Folder::new();
        for (method, bounds) in [("mondrian", "public"), ("mondrian", "tight"), ("cluster", "public"), ("cluster", "tight")] {
            prop_assert!(published(&folder, &columns(&folder, &towns, method, bounds, None))?, "{method} wrote nothing");
        }
    }

    #[test]
    fn tables_with_nodes(names in names(&OF_TREES, 12), root in select(&["*", "any", "[1,2]"][..])) {
        let folder = Folder::new();
        for method in ["incognito", "mondrian"] {
            let tree = tree(&names, root);
            published(&folder, &columns(&folder, &names[..8], method, "public", Some(&tree)))?;
        }
    }

    #[test]
    fn mixed(items in names(&PIECES, 8), towns in names(&PIECES, 8)) {
        let folder = Folder::new();
        let mut run = run(&folder, &items, "rum-bound", &[("k", "4"), ("m", "1"), ("delta", "0.6")]);
        run.job.files.give(Input::Records, file(&folder, "people.csv", &table(&towns)));
        run.job.files.roles = vec![("town".to_owned(), Role::QuasiIdentifying)];
        prop_assert!(published(&folder, &run)?);
    }
}

/// A run over a table of towns.
fn columns(folder: &Folder, towns: &[String], method: &str, bounds: &str, tree: Option<&str>) -> Run {
    let mut run = run(folder, towns, method, &[("k", "4"), ("bounds", bounds)]);
    let files = &mut run.job.files;
    files.data = file(folder, "table.csv", &table(towns));
    files.read = ReadOptions {
        format: Some(Format::Table),
        subject: Some("subject".to_owned()),
        ..ReadOptions::default()
    };
    files.roles = ["town", "plan"].map(|column| (column.to_owned(), Role::QuasiIdentifying)).to_vec();
    if let Some(tree) = tree {
        for column in ["town", "plan"] {
            files.give(InputKey::hierarchy(column), file(folder, "tree.csv", tree));
        }
    }
    run
}
