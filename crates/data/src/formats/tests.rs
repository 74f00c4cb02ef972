//! What the readers make of good files; and block sizes, threads and quotes do not matter.

use std::collections::BTreeMap;

use proptest::prelude::*;
use throng_contract::Progress;

use super::dataset::read_in_blocks;
use super::*;
use crate::{ColumnValues, Coordinates, Dataset, Dictionary, EventKind};

pub(super) fn read(name: &str, text: &str, options: &ReadOptions) -> Read {
    read_dataset(&Source::memory(name, text.as_bytes()), options, &Progress::silent()).unwrap()
}

/// Subjects with their records: items and times by name.
pub(super) type Plain = Vec<(String, Vec<Vec<(String, i64)>>)>;

pub(super) fn plain(dataset: &Dataset) -> Plain {
    let record = |record: usize| {
        let times = dataset
            .events
            .times_of(record)
            .map_or(vec![0; dataset.events.span(record).len()], <[i64]>::to_vec);
        dataset.names_of(record).into_iter().map(str::to_owned).zip(times).collect()
    };
    dataset
        .subjects
        .names()
        .enumerate()
        .map(|(subject, name)| (name.to_owned(), dataset.events.records_of(subject).map(record).collect()))
        .collect()
}

/// Reads the long form row by row with another CSV parser, the obvious way.
fn naive(text: &str, with_record: bool, with_time: bool) -> (Plain, Vec<String>) {
    let mut subjects: Vec<String> = Vec::new();
    let mut records: Vec<Vec<String>> = Vec::new();
    let mut events: BTreeMap<(usize, usize), Vec<(String, i64)>> = BTreeMap::new();
    let mut items: Vec<String> = Vec::new();
    for row in ::csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row.unwrap();
        let subject = subjects.iter().position(|name| *name == row[0]).unwrap_or_else(|| {
            subjects.push(row[0].to_owned());
            records.push(Vec::new());
            subjects.len() - 1
        });
        let key = if with_record { row[3].to_owned() } else { String::new() };
        let record = records[subject].iter().position(|name| *name == key).unwrap_or_else(|| {
            records[subject].push(key);
            records[subject].len() - 1
        });
        if !items.contains(&row[1].to_owned()) {
            items.push(row[1].to_owned());
        }
        let time = if with_time { row[2].parse().unwrap() } else { 0 };
        events.entry((subject, record)).or_default().push((row[1].to_owned(), time));
    }
    for events in events.values_mut() {
        events.sort_by_key(|(_, time)| *time);
    }
    let dataset = subjects.into_iter().enumerate().map(|(subject, name)| {
        (name, (0..records[subject].len()).map(|record| events[&(subject, record)].clone()).collect())
    });
    (dataset.collect(), items)
}

fn quote(text: &str, always: bool) -> String {
    if always || text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn blocks_threads_and_quotes_do_not_change_what_is_read(
        rows in prop::collection::vec(
            (0..6_u8, prop::sample::select(vec!["a", "b b", "ü", "x,y", "5\"", "two\nlines", "\"", "-"]),
             -3..4_i64, 0..3_u8, any::<bool>()),
            1..60,
        ),
        roles in (any::<bool>(), any::<bool>()),
        sorted in any::<bool>(),
        plain_items in any::<bool>(),
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
        last_line_ends in any::<bool>(),
        block in 1..80_usize,
        threads in 1..4_usize,
    ) {
        let (with_record, with_time) = roles;
        let mut rows = rows;
        if sorted {
            rows.sort_by_key(|row| row.0);
        }
        let mut text = format!("subject,item,{},{}", if with_time { "time" } else { "t" }, if with_record { "record" } else { "r" });
        for (subject, item, time, record, quoted) in rows {
            let item = if plain_items { "plain" } else { item };
            let quoted = quoted && !plain_items;
            text.push_str(line_end);
            text.push_str(&format!("s{subject},{},{time},{record}", quote(item, quoted)));
        }
        if last_line_ends {
            text.push_str(line_end);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let source = Source::memory("t.csv", text.as_bytes());
        let read = pool
            .install(|| read_in_blocks(&source, &ReadOptions::default(), &Progress::silent(), block))
            .unwrap();
        let (expected, items) = naive(&text, with_record, with_time);
        prop_assert_eq!(plain(&read.dataset), expected);
        prop_assert_eq!(read.dataset.items.names().collect::<Vec<_>>(), items);
        prop_assert_eq!(read.dataset.events.times().is_some(), with_time);
        prop_assert_eq!(read.shape.bytes, text.len() as u64);
    }

    #[test]
    fn the_line_of_an_error_does_not_depend_on_blocks(before in 0..30_usize, multi in any::<bool>(), block in 1..50_usize) {
        let mut text = String::from("subject,item\n");
        let mut line = 2;
        for number in 0..before {
            let two_lines = multi && number % 3 == 0;
            text.push_str(if two_lines { "s,\"a\nb\"\n" } else { "s,a\n" });
            line += if two_lines { 2 } else { 1 };
        }
        text.push_str("s,a,b\ns,a\n");
        let source = Source::memory("t.csv", text.as_bytes());
        let error = read_in_blocks(&source, &ReadOptions::default(), &Progress::silent(), block).unwrap_err();
        prop_assert_eq!(error.place.line, Some(line));
    }

    #[test]
    fn any_bytes_are_read_or_refused_but_never_panic(bytes in prop::collection::vec(
        prop::sample::select(b"subject,item;\n\r\"1 -2\xff\xc3\xa9@>\t".to_vec()), 0..60,
    ), header in any::<bool>()) {
        let mut all = if header { b"subject,item\n".to_vec() } else { Vec::new() };
        all.extend(bytes);
        let items: Dictionary = ["1", "s"].into_iter().collect();
        for name in ["a.csv", "a.spmf", "a.dat", "a.parquet"] {
            let source = Source::memory(name, all.clone());
            let _ = read_in_blocks(&source, &ReadOptions::default(), &Progress::silent(), 7);
            let _ = read_places(&source, &items, &Progress::silent());
            let _ = read_taxonomy(&source, &Progress::silent());
            let _ = read_item_sets(&source, &items);
        }
    }
}

#[test]
fn headers_are_found_by_alias_in_any_case_and_any_delimiter() {
    let text = "\u{feff}Timestamp;Person;POI;weather\n2;ann;home;x\n1;ann;park;y\n";
    let read = read("trips.csv", text, &ReadOptions::default());
    assert_eq!(
        plain(&read.dataset),
        [("ann".to_owned(), vec![vec![("park".to_owned(), 1), ("home".to_owned(), 2)]])]
    );
    let roles = Roles {
        subject: Some("Person".into()),
        record: None,
        item: Some("POI".into()),
        time: Some("Timestamp".into()),
    };
    assert_eq!((read.shape.roles, read.shape.ignored), (roles, vec!["weather".to_owned()]));
    assert_eq!(read.shape.time, Some(TimeKind::Whole));
}

#[test]
fn flags_override_names() {
    let options =
        ReadOptions { subject: Some("card".into()), item: Some("zone".into()), ..ReadOptions::default() };
    let read = read("trips.tsv", "subject\tcard\titem\tzone\n1\tc\tx\tz\n", &options);
    assert_eq!((read.dataset.subjects.name(0), read.dataset.items.name(0)), ("c", "z"));
}

#[test]
fn wide_rows_are_records() {
    let options = ReadOptions { wide: Some("stops".into()), separator: Some('>'), ..ReadOptions::default() };
    let named = read("t.csv", "subject,stops\nann,a > b\nbob,\nann,c\n", &options);
    let records: Vec<Vec<&str>> = (0..3).map(|record| named.dataset.names_of(record)).collect();
    assert_eq!(records, [vec!["a", "b"], vec!["c"], vec![]]);
    assert_eq!((named.dataset.events.subjects(), named.shape.format), (2, Format::WideCsv));
    let anonymous = read("t.csv", "stops\na\n\"\"\na\n", &options);
    assert_eq!((anonymous.dataset.events.subjects(), anonymous.dataset.events.records()), (3, 3));
}

#[test]
fn columns_of_wide_rows_belong_to_their_person() {
    let wide = ReadOptions {
        wide: Some("stops".into()),
        attributes: vec!["age".into(), "town".into()],
        ..ReadOptions::default()
    };
    let values = |dataset: &Dataset, column: usize| -> Vec<String> {
        let table = dataset.attributes.as_ref().unwrap();
        (0..dataset.subjects.len()).map(|row| table.columns[column].text(row)).collect()
    };
    let named = read(
        "t.csv",
        "subject,age,stops,town\nann,30,a b,Rom\nbob,,c,Bern\nann,30,c,\nbob,41,a,Bern\n",
        &wide,
    );
    assert_eq!(values(&named.dataset, 0), ["30", "41"]);
    assert_eq!(values(&named.dataset, 1), ["Rom", "Bern"]);
    assert!(named.shape.ignored.is_empty());
    // Rows without a name are people of their own, wherever blocks are cut.
    let text = "age,stops,town\n30,a b,Rom\n41,c,\n30,,Bern\n";
    for block in [1, 9, 1000] {
        let source = Source::memory("t.csv", text.as_bytes().to_vec());
        let read = read_in_blocks(&source, &wide, &Progress::silent(), block).unwrap();
        assert_eq!(values(&read.dataset, 0), ["30", "41", "30"]);
        assert_eq!(values(&read.dataset, 1), ["Rom", "", "Bern"]);
    }
    let error = |text: &str, options: &ReadOptions| {
        let source = Source::memory("t.csv", text.as_bytes().to_vec());
        read_dataset(&source, options, &Progress::silent()).unwrap_err().to_string()
    };
    let varying = "subject,age,stops,town\nann,30,a,\nann,31,b,\n";
    assert!(error(varying, &wide).contains("1 person has more than one value"));
    let of_items = ReadOptions { lat: Some("town".into()), ..wide };
    assert!(error(text, &of_items).contains("`lat`"));
}

#[test]
fn sequences_and_transactions_have_a_person_a_line() {
    let spmf = read("t.spmf", "@ITEM=1=a\n3 -1 5 -1 3 -1 -2\n\n-2\n", &ReadOptions::default()).dataset;
    assert_eq!(
        (spmf.names_of(0), spmf.names_of(1).len(), spmf.events.subjects()),
        (vec!["3", "5", "3"], 0, 2)
    );
    let fimi = read("t.dat", "7 3 7\n\n3\n", &ReadOptions::default()).dataset;
    assert_eq!((fimi.names_of(0), fimi.names_of(1).len(), fimi.names_of(2)), (vec!["7", "3"], 0, vec!["3"]));
    assert_eq!((fimi.events.kind(), fimi.subjects.name(2)), (EventKind::Set, "3"));
}

#[test]
fn places_may_be_more_than_the_data_visits() {
    let items: Dictionary = ["b", "a"].into_iter().collect();
    let text = "place,latitude,lng,category\na,1,2,shop\nc,0,0,park\nb,-3.5,4e1,home\n";
    let source = Source::memory("p.csv", text.as_bytes());
    let places = read_places(&source, &items, &Progress::silent()).unwrap();
    assert_eq!((places.system, places.points), (Coordinates::Degrees, vec![[-3.5, 40.0], [1.0, 2.0]]));
    assert_eq!(places.categories.unwrap(), ["home", "shop"]);
}

#[test]
fn attributes_get_the_narrowest_type_and_follow_the_subjects() {
    let subjects: Dictionary = ["bob", "ann"].into_iter().collect();
    let text = "subject,age,zip,born,job\nann,30.5,01234,2000-02-29,nurse\nbob,,20000,1970-01-02,\n";
    let source = Source::memory("r.csv", text.as_bytes());
    let table = read_records(&source, &ReadOptions::default(), &subjects, &Progress::silent()).unwrap();
    let text = |name: &str| [0, 1].map(|subject| table.column(name).unwrap().text(subject));
    assert_eq!(text("age"), ["", "30.5"]);
    assert_eq!(text("zip"), ["20000", "01234"]);
    assert_eq!(text("born"), ["1970-01-02", "2000-02-29"]);
    assert_eq!(text("job"), ["", "nurse"]);
    assert!(matches!(table.column("born").unwrap().values, ColumnValues::Dates(_)));
    assert!(matches!(table.column("age").unwrap().values, ColumnValues::Numbers(_)));
    assert!(table.columns.iter().all(|column| column.role.is_none()));
}

#[test]
fn lists_refer_to_items() {
    let items: Dictionary = ["a", "b", "Main Street"].into_iter().collect();
    let list = |text: &str| Source::memory("l.txt", text.as_bytes());
    assert_eq!(read_items(&list("b\n\n Main Street \n"), &items).unwrap(), ["b", "Main Street"]);
    let sets = read_item_sets(&list("b,a,elsewhere\na; Main Street\nb a\nMain Street\n"), &items).unwrap();
    assert_eq!(sets, [vec!["a", "b"], vec!["a", "Main Street"], vec!["a", "b"], vec!["Main Street"]]);
    assert_eq!(read_patterns(&list("b > a > b\n"), &items).unwrap(), [["b", "a", "b"]]);
    let people: Dictionary = ["ann", "bob"].into_iter().collect();
    let theirs = list("pattern;client\nb > a;bob\n\"a > Main Street\";bob\na;ann\n");
    let theirs = read_person_patterns(&theirs, Some("client"), &people, &items).unwrap();
    assert_eq!(theirs["bob"], [vec!["b", "a"], vec!["a", "Main Street"]]);
    assert_eq!(theirs["ann"], [["a"]]);
    assert_eq!(read_names(&list("z\ny\n")).unwrap(), ["z", "y"]);
    assert_eq!(read_alphabet(&list("item\nz\n")).unwrap(), ["z"]);
    assert_eq!(read_alphabet(&list("z\nitem\n")).unwrap(), ["z", "item"]);
    assert!(read_alphabet(&list("item\n")).is_err());
    let costs = read_costs(&Source::memory("c.csv", &b"symbol,cost\nx,2.5\n"[..])).unwrap();
    assert_eq!(costs.weights.get("x"), Some(&2.5));
    let pairs = &b"symbol,node,cost\nx,,2\nx,all,0.5\n"[..];
    let costs = read_costs(&Source::memory("c.csv", pairs)).unwrap();
    assert_eq!(costs.weights.get("x"), Some(&2.0));
    assert_eq!(costs.replacing.get(&("x".to_owned(), "all".to_owned())), Some(&0.5));
    let tree = read_taxonomy(&list("a;\"x;y\";all\nb;all\n"), &Progress::silent()).unwrap();
    assert_eq!((tree.leaves(), tree.find("x;y").is_some()), (2, true));
}

#[test]
fn a_cancelled_read_stops() {
    let progress = Progress::silent();
    progress.cancel();
    let error = read_dataset(
        &Source::memory("t.csv", &b"subject,item\n1,a\n"[..]),
        &ReadOptions::default(),
        &progress,
    );
    let error = error.unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), throng_contract::Failing::class(&error).code()),
        ("interrupted", 130)
    );
}
