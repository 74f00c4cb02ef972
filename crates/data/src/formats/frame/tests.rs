use proptest::prelude::*;
use proptest::sample::select;
use throng_contract::{Failing, Progress};

use super::*;
use crate::ColumnKind;
use crate::formats::dataset::read_in_blocks;
use crate::formats::{
    BLOCK, Defect, Format, InputError, Read, ReadOptions, Source, read_places, read_records,
};

fn frame(names: &[&str], rows: &[Vec<String>]) -> Frame {
    let column = |(at, name): (usize, &&str)| {
        let mut values = Dictionary::new();
        // Values that no row has, and numbers in another order than that of the rows.
        values.intern("never");
        let codes = rows.iter().rev().map(|row| values.intern(&row[at])).collect::<Vec<u32>>();
        FrameColumn::new((*name).to_owned(), values, codes.into_iter().rev().collect())
    };
    Frame::new(names.iter().enumerate().map(column).collect())
}

/// The lines on which rows begin in a rendering.
fn lines(rows: &[Vec<String>]) -> Vec<u32> {
    let mut line = 2;
    let ends =
        |row: &Vec<String>| 1 + row.iter().flat_map(|cell| cell.bytes()).filter(|b| *b == b'\n').count();
    let begins = |row| {
        let begins = line;
        line += ends(row) as u32;
        begins
    };
    rows.iter().map(begins).collect()
}

fn said(read: Result<Read, InputError>) -> String {
    match read {
        Ok(Read { dataset, mut shape }) => {
            shape.bytes = 0;
            let names = |names: &Dictionary| names.names().map(str::to_owned).collect::<Vec<_>>();
            let columns = dataset.attributes.iter().flat_map(|table| &table.columns);
            let texts: Vec<String> =
                columns.flat_map(|column| (0..dataset.subjects.len()).map(|row| column.text(row))).collect();
            let kinds: Vec<ColumnKind> = dataset
                .attributes
                .iter()
                .flat_map(|table| &table.columns)
                .map(|column| column.kind())
                .collect();
            format!(
                "{:?} {:?} {:?} {:?} {:?} {texts:?} {kinds:?} {shape:?}",
                names(&dataset.subjects),
                names(&dataset.items),
                dataset.events,
                dataset.places,
                dataset.own_categories,
            )
        }
        Err(error) => format!("{error}: {:?}", error.help()),
    }
}

fn read(source: &Source, options: &ReadOptions) -> String {
    said(read_in_blocks(source, options, &Progress::silent(), BLOCK))
}

/// Cells that a column of that name may have.
fn cells(name: &str, times: usize) -> Vec<&'static str> {
    match name {
        "subject" => vec!["ann", "bob", " bob", "cy", "\"dee\"", "e;f", "ann", "bob", "cy"],
        "record" => vec!["1", "2", "2 ", ""],
        "item" | "place" => vec!["zoo", "pub", "a,b", "two\nlines", "say \"x\"", " pub ", "zoo", "pub"],
        "items" => vec!["zoo pub", "zoo", "", " pub  zoo ", "a|b", "pub,zoo"],
        "time" => [
            vec!["1", "2", "10", "-3", " 7"],
            vec!["2024-01-01", "2024-01-02", "2024-02-29T10:00", "2024-01-01T00:00:01"],
            vec!["01/02/2024 10:00", "13/02/2024 09:00", "28/02/2024 00:00"],
            vec!["10:00", "23:59:59", "00:01"],
            vec!["1.5", "2.25", "2"],
            vec!["1", "soon", "", "3"],
        ][times]
            .clone(),
        "date" => vec!["2024-01-01", "2024-03-01", "01/02/2024"],
        "lat" | "x" => vec!["1.5", "1.5", "1.5", "", "2", "99"],
        "lon" | "y" => vec!["3", "3", "", "200", "east"],
        "category" => vec!["fun", "fun", "", "food"],
        "age" => vec!["39", "39", "", "40", "0040", "old"],
        "since" => vec!["2020-01-31", "", "2020-02-01"],
        _ => vec!["x", "y", ""],
    }
}

/// Columns, rows, and what is said of them.
fn cases() -> impl Strategy<Value = (Vec<&'static str>, Vec<Vec<String>>, ReadOptions)> {
    let names = select(vec![
        vec!["subject", "item"],
        vec!["item", "subject", "time"],
        vec!["subject", "record", "item", "time", "age"],
        vec!["subject", "item", "date", "time"],
        vec!["subject", "place", "lat", "lon", "category", "age", "since"],
        vec!["subject", "item", "x", "y"],
        vec!["subject", "items"],
        vec!["items"],
        vec!["subject", "items", "age", "since"],
        vec!["subject", "age", "since", "town"],
        vec!["age", "since", "town"],
        vec!["subject", "item", "item"],
        vec!["", "subject", ""],
    ]);
    (names, 0..6_usize, 0..30_usize, any::<[bool; 8]>()).prop_flat_map(|(names, times, rows, on)| {
        let row: Vec<_> =
            names.iter().map(|name| select(cells(name, times)).prop_map(str::to_owned)).collect();
        let has = |name: &str| names.contains(&name).then(|| name.to_owned());
        let wide = has("items").filter(|_| on[0] || names.len() == 1);
        let table =
            !names.iter().any(|name| name.starts_with("item")) && !names.contains(&"place") || on[6] && on[7];
        let options = ReadOptions {
            format: (table && wide.is_none()).then_some(Format::Table),
            subject: has("subject").filter(|_| on[1]),
            record: has("record").filter(|_| on[2]),
            item: has("item").or(has("place")).filter(|_| on[1] && wide.is_none()),
            time: has("time").filter(|_| on[3]),
            date: has("date").filter(|_| on[3]),
            no_time: !on[3] && on[4],
            sets: on[5],
            first_value: on[7],
            attributes: has("age").into_iter().filter(|_| on[2]).collect(),
            lat: has("lat").filter(|_| on[4]),
            lon: has("lon").filter(|_| on[4]),
            x: has("x").filter(|_| on[4]),
            y: has("y").filter(|_| on[4]),
            category: has("category").filter(|_| on[5]),
            types: has("age").filter(|_| on[3]).map(|name| (name, ColumnKind::Number)).into_iter().collect(),
            separator: wide.as_ref().filter(|_| on[4]).map(|_| '|'),
            wide,
            ..ReadOptions::default()
        };
        let names = names.clone();
        // A table has a row a person, unless it is wrong.
        let apart = names.iter().position(|name| *name == "subject").filter(|_| table && on[0]);
        prop::collection::vec(row, rows).prop_map(move |mut rows| {
            for (number, row) in rows.iter_mut().enumerate() {
                apart.into_iter().for_each(|at| row[at] = format!("p{number}"));
            }
            (names.clone(), rows, options.clone())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_frame_is_read_as_its_rendering((names, rows, options) in cases()) {
        let frame = frame(&names, &rows).at_lines(Arc::new(lines(&rows)));
        let text = Source::memory("data.csv", frame.to_csv());
        let whole = read(&text, &options);
        prop_assert_eq!(&read(&Source::frame("data.csv", frame.clone()), &options), &whole);
        // As a file, too, where lines are numbers of rows.
        if rows.iter().flatten().all(|cell| !cell.contains('\n')) {
            let mut file = Vec::new();
            frame.write(&mut file).unwrap();
            prop_assert_eq!(read(&Source::memory("data.csv", file), &options), whole);
        }
    }

    #[test]
    fn rows_that_were_dropped_are_not_read((names, rows, options) in cases(), every in 1..4_usize) {
        let all = frame(&names, &rows);
        let kept: Vec<usize> = (0..rows.len()).filter(|row| row % every == 0).collect();
        let left: Vec<Vec<String>> = kept.iter().map(|row| rows[*row].clone()).collect();
        let some = all.keep(kept.iter().map(|row| *row as u32).collect());
        prop_assert_eq!(some.to_csv(), frame(&names, &left).to_csv());
        prop_assert_eq!(some.digest(), frame(&names, &left).digest());
        let lined = |kept: &Frame| kept.clone().at_lines(Arc::new(vec![7; rows.len()]));
        prop_assert_eq!(
            read(&Source::frame("f", lined(&some)), &options),
            read(&Source::frame("f", lined(&frame(&names, &left))), &options)
        );
    }

    #[test]
    fn the_size_of_blocks_does_not_matter((names, rows, options) in cases(), bytes in 1..5_usize) {
        // How times are written is told by the first block.
        let options = ReadOptions { time: None, date: None, no_time: true, ..options };
        let source = Source::frame("f", frame(&names, &rows));
        let small = read_in_blocks(&source, &options, &Progress::silent(), bytes);
        prop_assert_eq!(said(small), read(&source, &options));
    }
}

#[test]
fn a_matrix_is_found_in_columns_of_small_numbers() {
    let names: Vec<String> = (0..12).map(|column| format!("word{column}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = (0..20)
        .map(|row| (0..12).map(|column| u32::from(row % 12 == column).to_string()).collect())
        .collect();
    let frame = frame(&names, &rows);
    let text = Source::memory("data.csv", frame.to_csv());
    let whole = read(&text, &ReadOptions::default());
    assert!(whole.contains("Matrix"), "{whole}");
    assert_eq!(read(&Source::frame("data.csv", frame), &ReadOptions::default()), whole);
}

#[test]
fn names_are_no_row_and_rows_are_no_names() {
    let rows: Vec<Vec<String>> = [["7", "8"], ["7", "9"]].map(|row| row.map(str::to_owned).to_vec()).to_vec();
    let options =
        ReadOptions { subject: Some("1".to_owned()), item: Some("2".to_owned()), ..ReadOptions::default() };
    let source = Source::frame("f", frame(&["1", "2"], &rows));
    let read = read_in_blocks(&source, &options, &Progress::silent(), BLOCK).unwrap();
    assert_eq!((read.dataset.subjects.len(), read.dataset.events.len()), (1, 2));
}

#[test]
fn many_rows_are_looked_at_as_far_as_those_of_a_file() {
    // The second thousand rows have times that the first do not tell; the last row has a defect.
    let mut rows: Vec<Vec<String>> = (0..30_000)
        .map(|row| vec![format!("p{}", row % 900), format!("i{}", row % 7), row.to_string()])
        .collect();
    let case = |rows: &[Vec<String>]| {
        let frame = frame(&["person", "place", "when"], rows);
        let text = read(&Source::memory("data.csv", frame.to_csv()), &ReadOptions::default());
        assert_eq!(read(&Source::frame("data.csv", frame), &ReadOptions::default()), text);
        text
    };
    assert!(case(&rows).contains("times: Some"));
    rows[29_990][1] = String::new();
    assert!(case(&rows).starts_with("`data.csv` line 29992, column `place`"), "{}", case(&rows));
}

#[test]
fn what_belongs_to_people_and_items_may_be_a_frame() {
    let cell = |row: [&str; 3]| row.map(str::to_owned).to_vec();
    let names = |names: &[&str]| names.iter().copied().collect::<Dictionary>();
    let places = frame(&["item", "lat", "lon"], &[cell(["a", "1", "2"]), cell(["b", "3", "4"])]);
    let read =
        read_places(&Source::frame("places", places), &names(&["b", "a"]), &Progress::silent()).unwrap();
    assert_eq!(read.points, [[3.0, 4.0], [1.0, 2.0]]);
    let records = frame(&["subject", "age", "town"], &[cell(["p", "9", "x"]), cell(["p", "8", "y"])]);
    let source = Source::frame("records", records);
    let error =
        read_records(&source, &ReadOptions::default(), &names(&["p"]), &Progress::silent()).unwrap_err();
    assert!(error.to_string().starts_with("`records` line 3, column `subject`"), "{error}");
}

#[test]
fn half_of_a_file_is_no_frame() {
    let rows: Vec<Vec<String>> =
        (0..70_000).map(|row| vec![format!("{row}"), format!("{}", row % 300)]).collect();
    let frame = frame(&["", "n"], &rows);
    let mut file = Vec::new();
    frame.write(&mut file).unwrap();
    let again = Frame::read(file.as_slice()).unwrap();
    assert_eq!((again.to_csv(), again.digest()), (frame.to_csv(), frame.digest()));
    assert_eq!(Digest::of(&file), frame.digest());
    let source = Source::memory("f", file.clone());
    let table = ReadOptions { format: Some(Format::Table), ..ReadOptions::default() };
    assert!(read(&source, &table).contains("69999"));
    assert_eq!(source.digest(), Some(frame.digest()));
    for cut in [0, 15, 16, 30, 50, file.len() / 2, file.len() - 1] {
        assert!(Frame::read(&file[..cut]).is_err(), "{cut}");
    }
    let mut longer = file.clone();
    longer.push(0);
    let error = read_in_blocks(&Source::memory("f", longer), &table, &Progress::silent(), BLOCK).unwrap_err();
    assert!(matches!(*error.defect, Defect::Read { .. }), "{error}");
    // Any byte may be wrong, and nothing breaks.
    for at in (0..200).chain(file.len() - 200..file.len()) {
        let mut broken = file.clone();
        broken[at] ^= 0x81;
        let _ = Frame::read(broken.as_slice());
    }
}

#[test]
fn forms_without_columns_are_no_frames() {
    let source = Source::frame("f", frame(&["a"], &[vec!["1".to_owned()]]));
    let options = ReadOptions { format: Some(Format::Spmf), ..ReadOptions::default() };
    assert!(read(&source, &options).contains("no known form"));
    assert!(read(&Source::frame("f", Frame::default()), &ReadOptions::default()).contains("empty"));
}
