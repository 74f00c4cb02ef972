//! Parquet files written for the test, read back.

use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::file::properties::{WriterProperties, WriterVersion};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::Progress;

use crate::formats::tests::{plain, read};
use crate::formats::{Digest, InputError, Read, ReadOptions, Source, TimeKind, read_dataset, write_file};

#[derive(Clone)]
enum Values<'a> {
    Text(&'a [&'a str]),
    Whole(&'a [i64]),
    Real(&'a [f64]),
}

/// Values, and the (definition, repetition) level of each row where the column has levels.
type Column<'a> = (Values<'a>, Option<(&'a [i16], &'a [i16])>);

/// A file with these row groups.
fn file(schema: &str, groups: &[Vec<Column<'_>>]) -> Source {
    Source::memory("t.parquet", bytes(schema, groups))
}

fn bytes(schema: &str, groups: &[Vec<Column<'_>>]) -> Vec<u8> {
    bytes_as(WriterProperties::builder().build(), schema, groups)
}

fn bytes_as(properties: WriterProperties, schema: &str, groups: &[Vec<Column<'_>>]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    for group in groups {
        let mut rows = writer.next_row_group().unwrap();
        for (values, levels) in group {
            let mut column = rows.next_column().unwrap().unwrap();
            let (defined, repeated) = levels.map_or((None, None), |(d, r)| (Some(d), Some(r)));
            match values {
                Values::Text(texts) => {
                    let values: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(*text)).collect();
                    column.typed::<ByteArrayType>().write_batch(&values, defined, repeated).unwrap();
                }
                Values::Whole(values) => {
                    column.typed::<Int64Type>().write_batch(values, defined, repeated).unwrap();
                }
                Values::Real(values) => {
                    column.typed::<DoubleType>().write_batch(values, defined, repeated).unwrap();
                }
            }
            column.close().unwrap();
        }
        rows.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

fn open(source: &Source, options: &ReadOptions) -> Result<Read, InputError> {
    read_dataset(source, options, &Progress::silent())
}

#[test]
fn long_columns_make_the_same_dataset_as_csv() {
    let schema = "message m { required int64 user; required binary place (UTF8); \
                  required int64 time (TIMESTAMP_MILLIS); required int64 extra; }";
    let group = |users, places, times: &'static [i64]| {
        vec![
            (Values::Whole(users), None),
            (Values::Text(places), None),
            (Values::Whole(times), None),
            (Values::Whole(times), None),
        ]
    };
    let source =
        file(schema, &[group(&[7, 8, 7], &["b", "a", "c"], &[5000, 1500, 4000]), group(&[8], &["b"], &[-1])]);
    let parquet = open(&source, &ReadOptions::default()).unwrap();
    let csv = "user,place,time\n7,b,5\n8,a,1\n7,c,4\n8,b,-1\n";
    assert_eq!(plain(&parquet.dataset), plain(&read("t.csv", csv, &ReadOptions::default()).dataset));
    assert_eq!(
        (parquet.shape.time, parquet.shape.ignored),
        (Some(TimeKind::Zoned), vec!["extra".to_owned()])
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// However the writer lays out pages: with a dictionary, with none, with one that is given up half way, in pages of both versions.
    #[test]
    fn text_is_read_whatever_its_pages(
        rows in vec((0..40_u32, 0..60_u32), 1..400),
        (dictionary, second, optional, packed) in any::<(bool, bool, bool, bool)>(),
        (page, most) in (1..200_usize, 1..300_usize),
    ) {
        let names: Vec<(String, String)> =
            rows.iter().map(|(user, place)| (format!("u{user}"), "é".repeat(*place as usize % 7) + &place.to_string())).collect();
        let users: Vec<&str> = names.iter().map(|(user, _)| user.as_str()).collect();
        let places: Vec<&str> = names.iter().map(|(_, place)| place.as_str()).collect();
        let kind = if optional { "optional" } else { "required" };
        let schema = format!("message m {{ {kind} binary user (UTF8); {kind} binary place (UTF8); }}");
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(dictionary)
            .set_dictionary_page_size_limit(most)
            .set_data_page_size_limit(page)
            .set_data_page_row_count_limit(page)
            .set_write_batch_size(7)
            .set_writer_version(if second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 })
            .set_compression(if packed { Compression::SNAPPY } else { Compression::UNCOMPRESSED })
            .build();
        let (defined, repeated) = (vec![1_i16; rows.len()], vec![0_i16; rows.len()]);
        let levels = optional.then_some((&defined[..], &repeated[..]));
        let group = vec![(Values::Text(&users), levels), (Values::Text(&places), levels)];
        let source = Source::memory("t.parquet", bytes_as(properties, &schema, &[group.clone(), group]));
        let options = ReadOptions {
            subject: Some("user".into()),
            item: Some("place".into()),
            ..ReadOptions::default()
        };
        let parquet = open(&source, &options).unwrap();
        let once: String = names.iter().map(|(user, place)| format!("{user},{place}\n")).collect();
        let csv = format!("user,place\n{once}{once}");
        prop_assert_eq!(plain(&parquet.dataset), plain(&read("t.csv", &csv, &options).dataset));
    }
}

#[test]
fn a_list_column_is_the_wide_form() {
    let schema = "message m { required int64 subject; optional group stops (LIST) { \
                  repeated group list { optional binary element (UTF8); } } }";
    // Rows: [a, b], missing, [c], [].
    let levels: (&[i16], &[i16]) = (&[3, 3, 0, 3, 1], &[0, 1, 0, 0, 0]);
    let group = vec![(Values::Whole(&[1, 2, 1, 3]), None), (Values::Text(&["a", "b", "c"]), Some(levels))];
    let source = file(schema, &[group]);
    let options = ReadOptions { wide: Some("stops".into()), ..ReadOptions::default() };
    let dataset = open(&source, &options).unwrap().dataset;
    let records: Vec<Vec<&str>> = (0..4).map(|record| dataset.names_of(record)).collect();
    assert_eq!(records, [vec!["a", "b"], vec!["c"], vec![], vec![]]);
    let refused =
        open(&source, &ReadOptions { item: Some("stops".into()), ..ReadOptions::default() }).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`t.parquet` column `stops`: a column of type list; expected one value a row; name a list column as `wide`"
    );
}

#[test]
fn rows_without_a_value_and_other_types_are_refused() {
    let schema = "message m { required int64 subject; optional binary item (UTF8); }";
    let levels: (&[i16], &[i16]) = (&[1, 0], &[0, 0]);
    let source = file(schema, &[vec![(Values::Whole(&[1, 2]), None), (Values::Text(&["a"]), Some(levels))]]);
    let error = open(&source, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "`t.parquet` column `item`: row 2 has no value");
    let schema = "message m { required int64 subject; required double item; }";
    let error = open(&file(schema, &[]), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`t.parquet` column `item`: a column of type double; expected text or whole numbers"
    );
    // 12.34 is stored as 1234: it was read as another item than the file has.
    let schema = "message m { required int64 subject; required int64 item (DECIMAL(9,2)); }";
    let error = open(&file(schema, &[]), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`t.parquet` column `item`: a column of type decimal; expected text or whole numbers"
    );
    let error = open(&Source::memory("t.parquet", &b"PAR1 cut"[..]), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("`t.parquet`: the Parquet file cannot be read: "), "{error}");
}

#[test]
fn a_parquet_file_is_read_once_compressed_or_not() {
    let schema = "message m { required int64 subject; required binary item (UTF8); }";
    let source = file(schema, &[vec![(Values::Whole(&[1]), None), (Values::Text(&["a"]), None)]]);
    let bytes = source.open().unwrap().read_all().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.parquet", "a.parquet.zst"] {
        let path = folder.path().join(name);
        write_file(&path, false, |out: &mut dyn Write| Ok(out.write_all(&bytes)?)).unwrap();
        let source = Source::file(&path);
        assert_eq!(open(&source, &ReadOptions::default()).unwrap().dataset.items.name(0), "a");
        assert_eq!(source.digest(), Some(Digest::of(&std::fs::read(&path).unwrap())));
    }
}

#[test]
fn damaged_files_are_refused_or_read_but_never_panic() {
    let schema = "message m { required int64 subject; required binary item (UTF8); }";
    let whole =
        bytes(schema, &[vec![(Values::Whole(&[1, 1, 2]), None), (Values::Text(&["a", "b", "a"]), None)]]);
    // The footer holds lengths and offsets, the body pages: every byte of both, spoilt in several ways.
    let mut refused = 0;
    for at in 0..whole.len() {
        for value in [0x00, 0x01, 0x7f, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] = value;
            refused +=
                usize::from(open(&Source::memory("t.parquet", damaged), &ReadOptions::default()).is_err());
        }
    }
    assert!(refused > whole.len());
}

#[test]
fn what_belongs_to_people_and_items_is_taken_from_columns() {
    let schema = "message m { required binary user (UTF8); required binary poi (UTF8); required double lat; required double lon; \
                  required binary kind (UTF8); optional int64 age; }";
    let levels: (&[i16], &[i16]) = (&[1, 0, 1], &[0, 0, 0]);
    let group: Vec<Column<'_>> = vec![
        (Values::Text(&["u", "u", "v"]), None),
        (Values::Text(&["a", "b", "a"]), None),
        (Values::Real(&[1.5, 3.0, 1.5]), None),
        (Values::Real(&[2.5, 4.0, 2.5]), None),
        (Values::Text(&["bar", "inn", "bar"]), None),
        (Values::Whole(&[30, 40]), Some(levels)),
    ];
    let text = |text: &str| Some(text.to_owned());
    let options = ReadOptions {
        attributes: vec!["age".to_owned()],
        lat: text("lat"),
        lon: text("lon"),
        category: text("kind"),
        ..ReadOptions::default()
    };
    let read = open(&file(schema, &[group.clone(), group.clone()]), &options).unwrap();
    let places = read.dataset.places.as_ref().unwrap();
    assert_eq!(places.points, [[1.5, 2.5], [3.0, 4.0]]);
    assert_eq!(read.dataset.categories().unwrap(), ["bar", "inn"]);
    let table = read.dataset.attributes.as_ref().unwrap();
    assert_eq!([0, 1].map(|person| table.columns[0].text(person).to_string()), ["30", "40"]);
    assert!(read.shape.ignored.is_empty());

    let alone = ReadOptions { category: text("kind"), ..ReadOptions::default() };
    let read = open(&file(schema, std::slice::from_ref(&group)), &alone).unwrap();
    assert!(read.dataset.places.is_none());
    assert_eq!(read.dataset.categories().unwrap(), ["bar", "inn"]);
    let varying = ReadOptions { attributes: vec!["poi".to_owned()], ..ReadOptions::default() };
    assert!(open(&file(schema, &[group]), &varying).unwrap_err().to_string().contains("more than one value"));
}
