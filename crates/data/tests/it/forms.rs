//! Files as publishers have them, small and made up: what is found in each, and what is asked where it is unclear.
//!
//! To accept changed wording: `INSTA_UPDATE=always cargo test -p throng-data --test forms`, then review the diff.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod packed;

use std::io::Write;

use throng_contract::{Failing, Progress};
use throng_data::EventKind;
use throng_data::formats::{Format, ReadOptions, Source, open_dataset};

use packed::{XES, archive, gzip, workbook};

/// What is found in each file, or asked.
#[derive(Default)]
struct Findings(String);

impl Findings {
    fn file(&mut self, title: &str, name: &str, bytes: impl AsRef<[u8]>) {
        self.with(title, name, bytes, &ReadOptions::default());
    }

    fn with(&mut self, title: &str, name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) {
        let source = Source::memory(name, bytes.as_ref());
        self.0 += &format!("# {title}\n");
        let opened = match open_dataset(&source, options, &Progress::silent()) {
            Err(error) => {
                assert_eq!(error.class().code(), 3, "{title}");
                self.0 += &format!(
                    "error: {error}\nhelp: {}\n",
                    error.help().map(|help| help.to_string()).unwrap_or_default()
                );
                return;
            }
            Ok(opened) => opened,
        };
        let Some(read) = opened.read else {
            self.0 += &format!("points: {}\n", opened.proposal.prepare_command(name));
            return;
        };
        assert!(source.digest().is_some(), "{title}: all bytes were read");
        let (data, shape) = (&read.dataset, &read.shape);
        let roles = &shape.roles;
        let named = [
            ("subject", &roles.subject),
            ("record", &roles.record),
            ("item", &roles.item),
            ("time", &roles.time),
        ];
        let named: Vec<String> =
            named.iter().filter_map(|(role, name)| Some(format!("{role} `{}`", name.as_ref()?))).collect();
        let kind = match data.events.kind() {
            EventKind::Set => "sets",
            EventKind::Sequence => "sequences",
            EventKind::Absent => "a table",
        };
        self.0 += &format!("{}, {kind}: {}\n", shape.format.name(), named.join(", "));
        if let Some(table) = &data.attributes {
            let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
            self.0 += &format!("columns: {}\n", names.join(", "));
        }
        if let Some(places) = &data.places {
            self.0 += &format!(
                "places: {:?} {:?}\n",
                places.points,
                places.categories.as_deref().unwrap_or_default()
            );
        }
        if let Some(categories) = &data.own_categories {
            self.0 += &format!("categories: {categories:?}\n");
        }
        for (person, name) in data.subjects.names().enumerate().take(3) {
            let records: Vec<String> =
                data.events.records_of(person).map(|record| data.names_of(record).join(" ")).collect();
            self.0 += &format!("{name}: {}\n", records.join(" / "));
        }
        for note in &shape.notes {
            self.0 += &format!("note: {note}\n");
        }
    }
}

const LOG: &str = "case_id,activity,timestamp\nA,triage,2014-10-22 11:15:41\nB,triage,2014-10-22 11:16:00\nA,release,2014-10-22 11:14:00\n";

#[test]
fn roles_from_names_and_values() {
    let mut found = Findings::default();
    found.file("an event log", "log.csv", LOG);
    found.file(
        "check-ins with a trip",
        "checkins.csv",
        "tid,user,poi,lat,lon,datetime,category\n1,u,p,40.1,-73.9,2012-11-12 05:17:18,Home\n1,u,q,40.2,-73.8,2012-11-12 05:10:00,Bar\n2,v,p,40.1,-73.9,2012-11-13 05:17:18,Home\n",
    );
    found.file(
        "semicolons and days first",
        "taps.csv",
        "card;station;date\n7;mill;31/12/2023 08:10\n7;quay;30/12/2023 09:00\n8;mill;01/02/2023 10:00\n",
    );
    found.file(
        "months first",
        "taps.csv",
        "card;station;date\n7;mill;12/31/2023\n7;quay;12/30/2023\n8;mill;01/02/2023\n",
    );
    found.file(
        "a time by its values alone",
        "log.csv",
        "user_id,url,seen\n1,/a,2024-01-02T10:00\n1,/b,2024-01-01T10:00\n2,/a,2024-01-01T10:00\n",
    );
    found.file(
        "a birthday is no time",
        "log.csv",
        "patient_id,ward,born\n1,a,1990-01-02\n1,b,1990-01-02\n2,a,1980-01-02\n",
    );
    found.file(
        "a date and a time of day",
        "log.csv",
        "user,place,date,time\n1,a,2024-01-02,10:00\n1,b,2024-01-01,23:00\n2,a,2024-01-01,10:00\n",
    );
    found.file(
        "epochs with fractions",
        "log.csv",
        "userID,poiID,ts\n1,a,1333909229.75\n1,b,1333909229.25\n2,a,1333909230.5\n",
    );
    found.file("stop times", "stop_times.txt", "trip_id,arrival_time,stop_id,stop_sequence,vehicle_id\n1,25:10:00,a,2,v\n1,24:50:00,b,1,v\n2,08:00:00,a,1,w\n");
    found.file("a row number and a person", "log.csv", "id,user,item\n1,u,a\n2,u,b\n3,v,a\n");
    found.file(
        "points",
        "points.txt",
        "lat,lng,datetime,uid\n39.9,116.3,2008-10-23 05:53:05,001\n39.9,116.3,2008-10-23 05:53:06,001\n",
    );
    found.file(
        "points on a plane called degrees",
        "vehicles.csv",
        "time,lat,lon,tid\n0,4220330.6,486050.8,3\n30,4220334,486033.3,3\n0,4220334,486033.3,4\n",
    );
    found.file("people", "people.csv", "sex;age;job;zip\nf;30;a;1\nm;31;b;2\nm;31;b;3\n");
    found.file("people with names", "people.csv", "id,age,sex\n1,30,f\n2,31,m\n3,32,m\n");
    insta::assert_snapshot!(found.0);
}

#[test]
fn what_is_unclear_is_asked() {
    let mut found = Findings::default();
    found.file("two persons", "log.csv", "user,card,place\n1,7,a\n1,8,b\n2,7,a\n2,8,b\n");
    found.file("no person", "log.csv", "who_is_it,place\nx,a\nx,b\ny,a\n");
    found.file("no person, and a trip", "log.csv", "trip_id,place\nx,a\nx,b\ny,a\n");
    found.file(
        "stop times without a person",
        "stop_times.txt",
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n1,08:10:00,08:11:00,a,1\n1,08:50:00,08:51:00,b,2\n2,08:00:00,08:01:00,a,1\n",
    );
    let rows: String =
        (0..60).map(|row| format!("{},{},{},{}\n", row / 2, row / 2 % 7, row % 5, row * 7 % 11)).collect();
    found.file("rows of people who have two", "visits.csv", format!("nr,sex,drug,dose\n{rows}"));
    found.file("no item", "log.csv", "user_id,did\nx,a\nx,b\ny,a\n");
    found.file("two items", "log.csv", "user_id,station,activity\nx,a,in\nx,b,in\ny,a,out\n");
    found.file("two times", "log.csv", "user,place,opened,closed\nx,a,2024-01-01,2024-03-01\nx,b,2024-01-02,2024-02-01\ny,a,2024-01-01,2024-01-02\n");
    found.file(
        "days or months",
        "log.csv",
        "user,place,date\nx,a,01/02/2024\nx,b,03/04/2024\ny,a,05/06/2024\n",
    );
    found.file(
        "days and months",
        "log.csv",
        "user,place,date\nx,a,01/02/2024\nx,b,13/04/2024\ny,a,05/16/2024\n",
    );
    found.file("a person in every row", "log.csv", "user_id,place\n1,a\n2,b\n3,a\n4,a\n");
    found.file("several items in one", "log.csv", "user_id,item\n1,a|b\n1,c\n2,a|b|c\n2,b|c\n");
    found.file("a doubled name", "log.csv", "subject,item,item\n1,a,b\n1,c,d\n");
    found.file("no header and no names", "log.csv", "7,a\n7,b\n8,a\n");
    found.file("a graph", "toy.lg", "# t 1\nv 0 1\nv 1 3\ne 0 1 2\n");
    found.file("triples", "places.ttl", "@prefix geo: <http://example.org/> .\ngeo:a geo:b geo:c .\n");
    found.file(
        "places without a person",
        "places.csv",
        "id,name,lat,lon\n1,zoo,52.5,13.4\n2,pub,52.6,13.5\n3,inn,52.4,13.3\n",
    );
    found.file("a hierarchy", "age.csv", "17;10-19;*\n18;10-19;*\n25;20-29;*\n31;30-39;*\n");
    found.file("a hierarchy of two", "sex.csv", "m;*\nf;*\n");
    found.file("numbers without names", "edges.txt", "0 1 7 2.5\n1 1 8 3.5\n2 7 8 1.5\n3 8 9 2.25\n");
    let prose = "We collected these trips in the spring. Every person wore a device,\nand some lines of the file are missing; see below, please.\nThe rest is in order.\n";
    found.file("prose", "about.txt", prose);
    found.file("prose by its name", "README.md", "trips of people\n");
    found.file("lines below prose", "log.seq", format!("% {}\n\n1 2 3 2\n2 3 1\n", prose.replace('\n', " ")));
    found.file("an image", "plot.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    found.file("a database", "data.db", b"SQLite format 3\0\x10\0");
    found.file(
        "noise",
        "noise.txt",
        (0..2000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>(),
    );
    insta::assert_snapshot!(found.0);
}

#[test]
fn answers_are_taken() {
    let mut found = Findings::default();
    let said = |change: &dyn Fn(&mut ReadOptions)| {
        let mut options = ReadOptions::default();
        change(&mut options);
        options
    };
    let text = |text: &str| Some(text.to_owned());
    found.with(
        "the other person",
        "log.csv",
        "user,card,place\n1,7,a\n1,8,b\n2,7,a\n2,8,b\n",
        &said(&|options| options.subject = text("card")),
    );
    found.with(
        "no time",
        "log.csv",
        "user,place,when\nx,b,2024-01-02\nx,a,2024-01-01\n",
        &said(&|options| options.no_time = true),
    );
    found.with(
        "the second of two names",
        "log.csv",
        "subject,item,item\n1,a,b\n1,c,d\n",
        &said(&|options| options.item = text("item.2")),
    );
    found.with(
        "by number",
        "log.csv",
        "7,a\n7,b\n8,a\n",
        &said(&|options| {
            options.no_header = true;
            options.subject = text("1");
            options.item = text("2");
        }),
    );
    found.with(
        "one item",
        "log.csv",
        "user_id,item\n1,a|b\n1,c\n2,a|b|c\n2,b|c\n",
        &said(&|options| options.item = text("item")),
    );
    found.with(
        "months first",
        "log.csv",
        "user,place,date\nx,a,01/02/2024\nx,b,03/04/2024\n",
        &said(&|options| options.time_format = text("%m/%d/%Y")),
    );
    let one_file = "user,poi,lat,lon,category,age,weather\n1,a,1.5,2.5,bar,30,sun\n1,b,3,4,inn,,rain\n2,a,1.5,2.5,bar,40,rain\n";
    found.with(
        "one file is enough",
        "log.csv",
        one_file,
        &said(&|options| {
            options.attributes = vec!["age".to_owned()];
            (options.lat, options.lon, options.category) = (text("lat"), text("lon"), text("category"));
        }),
    );
    found.with(
        "categories without coordinates",
        "log.csv",
        one_file,
        &said(&|options| options.category = text("category")),
    );
    let weather = said(&|options| options.attributes = vec!["weather".to_owned()]);
    found.with("what varies", "log.csv", one_file, &weather);
    found.with(
        "the first of what varies",
        "log.csv",
        one_file,
        &ReadOptions { first_value: true, ..weather },
    );
    insta::assert_snapshot!(found.0);
}

#[test]
fn forms_and_packings() {
    let mut found = Findings::default();
    found.file("gzip", "log.csv.gz", gzip(LOG.as_bytes()));
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    xz.write_all(LOG.as_bytes()).unwrap();
    found.file("xz", "log.csv.xz", xz.finish().unwrap());
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(LOG.as_bytes()).unwrap();
    found.file("bzip2", "log.csv.bz2", bz2.finish().unwrap());
    found.file(
        "a zip with one file",
        "log.zip",
        archive(&[("data/log.csv", LOG.as_bytes()), ("__MACOSX/x", b"")]),
    );
    found.file("a zip with two files", "log.zip", archive(&[("a.csv", LOG.as_bytes()), ("b.csv", b"")]));
    found.file("a cut zip", "log.zip", &archive(&[("a.csv", LOG.as_bytes())])[..40]);
    found.file("no xz", "log.csv.xz", LOG);
    found.file("a workbook", "taps.xlsx", workbook(&["Taps"]));
    found.file("a workbook with two sheets", "taps.xlsx", workbook(&["Taps", "More"]));
    let sheet = ReadOptions { sheet: Some("more".to_owned()), ..ReadOptions::default() };
    found.with("the second sheet", "taps.xlsx", workbook(&["Taps", "More"]), &sheet);
    let sheet = ReadOptions { sheet: Some("Moor".to_owned()), ..ReadOptions::default() };
    found.with("no such sheet", "taps.xlsx", workbook(&["Taps", "More"]), &sheet);
    found.file("JSON lines", "log.jsonl", "{\"user\": {\"id\": 1}, \"url\": \"/a\", \"ts\": 5}\n{\"user\": {\"id\": 1}, \"url\": \"/b\", \"ts\": 3}\n");
    found.file(
        "a JSON list",
        "log.json",
        "[{\"user_id\": 1, \"url\": \"/a\"}, {\"user_id\": 1, \"url\": \"/b\"}]",
    );
    found.file("JSON that is cut", "log.jsonl", "{\"user\": 1}\n{\"user\": ");
    found.file("GeoJSON", "points.geojson", "{\"type\": \"Feature\", \"geometry\": null}\n");
    found.file("an event log", "log.xes", XES);
    found.file("an event log that is cut", "log.xes", &XES[..500]);
    let undated = XES.replacen("2014-10-22T11:10:41.000+02:00", "soon", 1);
    found.file("an event log with a bad time", "log.xes", undated);
    found.file("an event log with a bad element", "log.xes", XES.replacen(" value=\"40\"", "", 1));
    found.file(
        "JSON with a bad time",
        "log.jsonl",
        "{\"user\": 1, \"url\": \"/a\",\n \"ts\": 5}\n\n{\"user\": 1, \"url\": \"/b\", \"ts\": \"soon\"}\n",
    );
    found.file(
        "UTF-16",
        "log.csv",
        "user,place\n1,café\n1,b\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
    );
    found.file("Latin-1", "log.csv", b"user,place\n1,caf\xe9\n1,b\n");
    let greek = ReadOptions {
        encoding: throng_data::formats::Encoding::parse("iso-8859-7"),
        ..ReadOptions::default()
    };
    found.with("another encoding", "log.csv", b"user,place\n1,\xe1\n1,b\n", &greek);
    found.file("comments", "log.csv", "# made by hand\n# twice\nuser,place\n1,a\n1,b\n");
    found.file("names behind a comment", "log.csv", "#user place\n1 a\n1 b\n".replace(' ', ","));
    found.file("blanks around fields", "log.csv", "user, place\n1, a\n1, \"b, c\"\n");
    found.file("no header, a table", "adult.data", "39, State-gov, 77516, Bachelors, <=50K\n50, Private, 83311, Bachelors, <=50K\n38, Private, 21564, HS-grad, <=50K\n\n");
    found.file(
        "lines with a preamble",
        "clicks.seq",
        "% Categories:\r\n\r\nnews tech\r\n\r\n\r\n% Sequences:\r\n\r\n1 1 \r\n2 \r\n3 2 2 \r\n",
    );
    found.file("lines with commas", "flights.ngram", "ABQ,DFW,ABQ\nDFW,SEA\nDFW,New York,DFW,ABQ\n");
    found.file("lines that ascend", "baskets.txt", "1 2 5\n2 3\n7\n1 9\n");
    found.file("SPMF in a text file", "clicks.txt", "3 -1 5 -1 -2\n3 -1 -2\n");
    let matrix: String = (0..4)
        .map(|row| {
            (0..12).map(|column| if column % 4 == row { "2" } else { "0" }).collect::<Vec<_>>().join("\t")
                + "\n"
        })
        .collect();
    found.file("a matrix", "baskets.data", matrix);
    let wide = ReadOptions { wide: Some("items".to_owned()), separator: Some('|'), ..ReadOptions::default() };
    found.with(
        "JSON with a list",
        "log.jsonl",
        "{\"user\": 1, \"items\": [\"a\", \"b\"]}\n{\"user\": 2, \"items\": [\"b\"]}\n",
        &wide,
    );
    let table = ReadOptions { format: Some(Format::Table), ..ReadOptions::default() };
    found.with("a table that looks like events", "people.csv", "user_id,place\n1,a\n2,b\n3,a\n", &table);
    insta::assert_snapshot!(found.0);
}
