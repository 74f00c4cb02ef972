//! Files of events, in every form.
//!
//! What was read is written as long CSV and read again: the same people with the same records.

use throng_contract::Progress;
use throng_data::Dataset;
use throng_data::formats::{Format, ReadOptions, Source, read_dataset, write_row};

/// One row an event.
pub fn csv(bytes: &[u8]) {
    read(Format::LongCsv, "events.csv", bytes, &ReadOptions::default());
}

/// One row a record, items in the column `items`.
pub fn wide(bytes: &[u8]) {
    let options = ReadOptions { wide: Some("items".to_owned()), ..ReadOptions::default() };
    read(Format::WideCsv, "events.csv", bytes, &options);
}

/// `3 -1 5 -1 -2` a line.
pub fn spmf(bytes: &[u8]) {
    read(Format::Spmf, "events.txt", bytes, &ReadOptions::default());
}

/// A line a record.
pub fn fimi(bytes: &[u8]) {
    read(Format::Fimi, "events.dat", bytes, &ReadOptions::default());
}

/// Columns.
pub fn parquet(bytes: &[u8]) {
    read(Format::Parquet, "events.parquet", bytes, &ReadOptions::default());
}

/// An object a line, or a list of objects.
pub fn json(bytes: &[u8]) {
    read(Format::Json, "events.jsonl", bytes, &ReadOptions::default());
}

/// An event log.
pub fn xes(bytes: &[u8]) {
    read(Format::Xes, "log.xes", bytes, &ReadOptions::default());
}

pub(crate) fn read(format: Format, name: &str, bytes: &[u8], options: &ReadOptions) {
    let options = ReadOptions { format: Some(format), ..options.clone() };
    let Ok(read) = read_dataset(&Source::memory(name, bytes), &options, &Progress::silent()) else { return };
    let data = read.dataset;
    assert_eq!(data.subjects.len(), data.events.subjects(), "everybody has a name");
    assert!(data.events.items().iter().all(|item| (*item as usize) < data.items.len()));
    for record in 0..data.events.records() {
        let times = data.events.times_of(record).unwrap_or(&[]);
        assert!(times.is_sorted(), "events are in the order of their times");
    }
    let named = ReadOptions {
        format: Some(Format::LongCsv),
        subject: Some("s".to_owned()),
        record: Some("r".to_owned()),
        item: Some("i".to_owned()),
        time: data.events.times().map(|_| "t".to_owned()),
        delimiter: Some(b','),
        ..ReadOptions::default()
    };
    let text = written(&data);
    // A person without events cannot be written in rows.
    if data.events.is_empty() {
        return;
    }
    let again = read_dataset(&Source::memory("again.csv", text), &named, &Progress::silent())
        .expect("what was read can be written and read again");
    assert_eq!(people(&data), people(&again.dataset));
}

fn written(data: &Dataset) -> Vec<u8> {
    let mut text = Vec::new();
    let timed = data.events.times().is_some();
    let header = if timed { &["s", "r", "i", "t"][..] } else { &["s", "r", "i"][..] };
    write_row(&mut text, header.iter().copied()).expect("memory takes everything");
    for person in 0..data.events.subjects() {
        for record in data.events.records_of(person) {
            for (at, item) in data.events.record(record).iter().enumerate() {
                let time = data.events.times_of(record).map(|times| times[at].to_string());
                let number = record.to_string();
                let mut row = vec![data.subjects.name(person as u32), &number, data.items.name(*item)];
                row.extend(time.as_deref());
                write_row(&mut text, row).expect("memory takes everything");
            }
        }
    }
    text
}

type Record<'a> = (Vec<&'a str>, Option<&'a [i64]>);

/// Names and records of people who have events; the records that have.
fn people(data: &Dataset) -> Vec<(&str, Vec<Record<'_>>)> {
    let records = |person: usize| {
        let all = data.events.records_of(person).filter(|record| !data.events.span(*record).is_empty());
        all.map(|record| (data.names_of(record), data.events.times_of(record))).collect::<Vec<_>>()
    };
    let all = (0..data.events.subjects()).map(|person| (data.subjects.name(person as u32), records(person)));
    all.filter(|(_, records)| !records.is_empty()).collect()
}
