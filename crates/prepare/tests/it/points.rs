//! From files of points to written sequences.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use proptest::prelude::*;
use throng_contract::Progress;
use throng_data::formats::{ReadOptions, Source, read_dataset};
use throng_prepare::points::{Counting, Options, Prepared, RegionOptions, prepare, prepare_all, write};

fn prepared(name: &str, text: &str, options: &Options) -> Prepared {
    let source = Source::memory(name, text.as_bytes());
    prepare(&source, options, &Progress::silent()).expect("usable points")
}

/// `subject: item@time ...` for each record.
fn lines(prepared: &Prepared) -> Vec<String> {
    let dataset = &prepared.dataset;
    (0..dataset.events.records())
        .map(|record| {
            let subject = dataset.subjects.name(dataset.events.subject_of(record) as u32);
            let times = dataset.events.times_of(record).expect("timed");
            let events = dataset.names_of(record).into_iter().zip(times);
            let events: Vec<String> = events.map(|(item, time)| format!("{item}@{time}")).collect();
            format!("{subject}: {}", events.join(" "))
        })
        .collect()
}

const PLANE: &str = "subject,time,x,y\n\
    anna,0,0,0\nben,5,9,9\nanna,10,1,0\nanna,20,5,5\nanna,4000,10,10\nben,7,0,9.5\n";

#[test]
fn a_table_becomes_sequences_of_cells_in_order_of_time() {
    let options = Options { grid: "2x2".parse().ok(), ..Options::default() };
    let plain = prepared("p.csv", PLANE, &options);
    // The north-eastern cell holds its western and southern borders and the outermost corner.
    assert_eq!(lines(&plain), ["anna: r1c0@0 r0c1@20", "ben: r0c1@5 r0c0@7"]);
    assert_eq!((plain.summary.points, plain.summary.repeats_collapsed, plain.summary.places), (6, 2, 3));
    assert_eq!(plain.areas.iter().map(|area| area.people).collect::<Vec<_>>(), [1, 2, 1]);

    let trips = Options { trip_gap: "1h".parse().ok(), time_bin: "10s".parse().ok(), ..options };
    let trips = prepared("p.csv", PLANE, &trips);
    assert_eq!(lines(&trips), ["anna: r1c0@0 r0c1@20", "anna: r0c1@4000", "ben: r0c1@0 r0c0@0"]);
}

#[test]
fn tracks_and_features_say_the_same_as_a_table() {
    let csv =
        "subject,time,lat,lon\nanna,2024-05-01T08:00:00Z,52.5,13.4\nanna,2024-05-01T08:05:00Z,52.51,13.41\n";
    let gpx = "<?xml version=\"1.0\"?>\n<gpx><metadata><time>2020-01-01T00:00:00Z</time></metadata><trk><name>A &amp; B</name>\
        <trkseg><trkpt lat=\"52.5\" lon=\"13.4\"><ele>35</ele><time>2024-05-01T08:00:00Z</time></trkpt>\
        <trkpt lon='13.41' lat='52.51'><time>2024-05-01T10:05:00+02:00</time></trkpt></trkseg></trk></gpx>";
    let point = |lon, lat, time| {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"user\":\"anna\",\"time\":\"{time}\"}},\
             \"geometry\":{{\"type\":\"Point\",\"coordinates\":[{lon},{lat}]}}}}\n"
        )
    };
    let features =
        point(13.4, 52.5, "2024-05-01T08:00:00Z") + "\n" + &point(13.41, 52.51, "2024-05-01T08:05:00Z");
    let line = "{\"type\":\"Feature\",\"properties\":{\"subject\":\"anna\",\"coordTimes\":[\"2024-05-01T08:00:00Z\",\
        \"2024-05-01T08:05:00Z\"]},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[13.4,52.5,35],[13.41,52.51]]}}";
    let options = Options::default();
    let expected = ["anna: r9c0@1714550400 r0c9@1714550700"];
    for (name, text) in
        [("p.csv", csv), ("x/anna.gpx", gpx), ("p.geojsonl", features.as_str()), ("p.ndjson", line)]
    {
        assert_eq!(lines(&prepared(name, text, &options)), expected, "{name}");
    }
    let by_track = Options { subject: Some("name".to_owned()), ..options };
    assert_eq!(lines(&prepared("x.gpx", gpx, &by_track))[0].split(':').next(), Some("A & B"));
}

#[test]
fn several_files_are_one_world() {
    let gpx = |lat: f64| {
        format!(
            "<gpx><trk><trkpt lat=\"{lat}\" lon=\"1\"><time>2024-05-01T08:00:00Z</time></trkpt></trk></gpx>"
        )
    };
    let source = |name: &str, lat| Source::memory(name, gpx(lat).into_bytes());
    let both = [source("anna.gpx", 1.0), source("ben.gpx", 2.0)];
    let prepared = prepare_all(&both, &Options::default(), &Progress::silent()).expect("two tracks");
    assert_eq!(lines(&prepared), ["anna: r9c0@1714550400", "ben: r0c0@1714550400"]);
}

#[test]
fn one_point_and_identical_points_have_one_place() {
    for text in ["subject,time,lat,lon\na,1,90,180\n", "subject,time,x,y\na,1,5,5\nb,1,5,5\na,2,5,5\n"] {
        for grid in ["10x10", if text.contains("lat") { "500m" } else { "500" }] {
            let options = Options { grid: grid.parse().ok(), ..Options::default() };
            let prepared = prepared("p.csv", text, &options);
            assert_eq!((prepared.summary.places, prepared.summary.people_empty), (1, 0));
        }
    }
}

#[test]
fn the_antimeridian_is_no_border() {
    let fiji = "subject,time,lat,lon\na,0,-17,179.9\na,60,-17,-179.9\na,120,-17.01,179.95\n";
    let options =
        Options { grid: "5km".parse().ok(), max_speed: "off".parse().expect("off"), ..Options::default() };
    let prepared = prepared("p.csv", fiji, &options);
    // About 21 kilometres between the outermost points, not the whole globe.
    assert_eq!((prepared.summary.grid_columns, prepared.summary.grid_rows), (5, 1));
    let places = prepared.dataset.places.expect("places");
    assert!(places.points.iter().all(|[_, lon]| (-180.0..=180.0).contains(lon)));
}

#[test]
fn regions_stand_on_people_and_lines_between_points() {
    // Three people cross the middle without a point there; one of them goes to and fro.
    let mut text = "subject,time,x,y\n".to_owned();
    for (person, laps) in [("a", 1), ("b", 1), ("c", 8)] {
        for lap in 0..laps {
            writeln!(text, "{person},{},0.5,0.5\n{person},{},4.5,0.5", 20 * lap, 20 * lap + 8).unwrap();
        }
    }
    text.push_str("d,0,0.5,4.5\n");
    let regions = RegionOptions { min_density: "3".parse().unwrap(), k: Some(3), counting: Counting::People };
    let options = Options {
        grid: "5x5".parse().ok(),
        bounds: "0,0,5,5".parse().ok(),
        regions: Some(regions),
        ..Options::default()
    };
    let found = prepared("p.csv", &text, &options);
    assert_eq!((found.summary.places, found.areas[0].people, found.summary.people_empty), (1, 3, 1));
    assert_eq!(lines(&found), ["a: R1@0", "b: R1@0", "c: R1@0"]);
    let without_lines = prepared("p.csv", &text, &Options { interpolate: Some(false), ..options });
    assert_eq!(lines(&without_lines)[0], "a: R1@0 R2@8");
}

#[test]
fn written_files_can_be_read_again_and_few_people_are_not_counted() {
    let home = tempfile::tempdir().expect("a folder");
    let dir = home.path().join("out");
    let mut text = "subject,time,lat,lon\n".to_owned();
    for person in 0..6 {
        writeln!(text, "\"p,{person}\",2024-05-01 08:00:{person:02},52.5,13.4").unwrap();
    }
    text.push_str("\"p,0\",2024-05-01 09:00:00,52.6,13.5\n");
    let options = Options { grid: "2x2".parse().ok(), time_bin: "1h".parse().ok(), ..Options::default() };
    let prepared = prepared("p.csv", &text, &options);
    write(&prepared, &dir, false, &Progress::silent()).expect("a new directory");
    insta::assert_snapshot!(fs::read_to_string(dir.join("events.csv")).unwrap(), @r#"
    subject,record,item,time
    "p,0",1,r1c0,2024-05-01T08:00:00
    "p,0",1,r0c1,2024-05-01T09:00:00
    "p,1",2,r1c0,2024-05-01T08:00:00
    "p,2",3,r1c0,2024-05-01T08:00:00
    "p,3",4,r1c0,2024-05-01T08:00:00
    "p,4",5,r1c0,2024-05-01T08:00:00
    "p,5",6,r1c0,2024-05-01T08:00:00
    "#);
    insta::assert_snapshot!(fs::read_to_string(dir.join("places.csv")).unwrap(), @r"
    item,lat,lon
    r0c1,52.575,13.475
    r1c0,52.525,13.425
    ");
    insta::assert_snapshot!(fs::read_to_string(dir.join("regions.geojson")).unwrap(), @r#"
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"item":"r0c1","people":null},"geometry":{"type":"Polygon","coordinates":[[[13.45,52.55],[13.5,52.55],[13.5,52.6],[13.45,52.6],[13.45,52.55]]]}},
    {"type":"Feature","properties":{"item":"r1c0","people":6},"geometry":{"type":"Polygon","coordinates":[[[13.4,52.5],[13.45,52.5],[13.45,52.55],[13.4,52.55],[13.4,52.5]]]}}
    ]}
    "#);
    insta::assert_snapshot!(fs::read_to_string(dir.join("summary.json")).unwrap(), @r#"
    {
      "schema": "throng.prepare/1",
      "points": 7,
      "people": 6,
      "points_too_fast": 0,
      "trips": 6,
      "stops": null,
      "points_outside_bounds": 0,
      "grid_columns": 2,
      "grid_rows": 2,
      "density_threshold": null,
      "visits_outside_regions": 0,
      "repeats_collapsed": 0,
      "trips_empty": 0,
      "people_empty": 0,
      "places": 2,
      "records": 6,
      "events": 7
    }
    "#);

    let events = Source::file(dir.join("events.csv"));
    let again = read_dataset(&events, &ReadOptions::default(), &Progress::silent()).expect("a long CSV file");
    let names = |dataset: &throng_data::Dataset| -> Vec<Vec<String>> {
        let named = |record| dataset.names_of(record).into_iter().map(str::to_owned).collect();
        (0..dataset.events.records()).map(named).collect()
    };
    assert_eq!(names(&again.dataset), names(&prepared.dataset));
    assert_eq!(again.dataset.events.times(), prepared.dataset.events.times());
    let areas = fs::read_to_string(dir.join("regions.geojson")).unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&areas).is_ok());

    assert!(write(&prepared, &dir, false, &Progress::silent()).is_err());
    write(&prepared, &dir, true, &Progress::silent()).expect("replaced");
    let progress = Progress::silent();
    progress.cancel();
    assert!(write(&prepared, &home.path().join("other"), false, &progress).is_err());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

/// Up to six people with up to fifteen points in a ten by ten square.
fn points() -> impl Strategy<Value = Vec<(u8, i64, f64, f64)>> {
    proptest::collection::vec((0_u8..6, 0_i64..1000, 0.0..=10.0_f64, 0.0..=10.0_f64), 1..60)
}

fn table(points: &[(u8, i64, f64, f64)]) -> String {
    let mut text = "subject,time,x,y\n".to_owned();
    for (person, time, x, y) in points {
        writeln!(text, "{person},{time},{x},{y}").expect("text never fails");
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_point_is_an_event_in_its_cell_when_nothing_is_dropped(points in points(), size in 1_u32..9) {
        let options =
            Options { grid: format!("{size}x{size}").parse().ok(), keep_repeats: true, ..Options::default() };
        let prepared = prepared("p.csv", &table(&points), &options);
        let events = &prepared.dataset.events;
        prop_assert_eq!(events.len(), points.len());
        for subject in 0..events.subjects() {
            let name: u8 = prepared.dataset.subjects.name(subject as u32).parse().unwrap();
            let mut theirs: Vec<_> = points.iter().filter(|point| point.0 == name).collect();
            theirs.sort_by_key(|point| point.1);
            prop_assert_eq!(events.records_of(subject).len(), 1);
            let record = events.records_of(subject).start;
            let times = events.times_of(record).unwrap();
            for ((item, time), (_, seen, x, y)) in events.record(record).iter().zip(times).zip(theirs) {
                let area = prepared.areas[*item as usize].bounds;
                // A border computed from cell sizes may differ in the last bit.
                let near = 1e-12;
                prop_assert!(time == seen);
                prop_assert!(*x >= area.west - near && *x <= area.east + near);
                prop_assert!(*y >= area.south - near && *y <= area.north + near);
            }
        }
    }

    #[test]
    fn regions_are_disjoint_and_as_many_people_as_the_threshold_visit_each(
        points in points(),
        threshold in 1_u64..4,
        interpolate: bool,
    ) {
        let min_density = throng_contract::Threshold::Absolute(threshold);
        let options = Options {
            grid: "6x6".parse().ok(),
            regions: Some(RegionOptions { min_density, k: Some(threshold), counting: Counting::People }),
            interpolate: Some(interpolate),
            trip_gap: "5min".parse().ok(),
            ..Options::default()
        };
        let source = Source::memory("p.csv", table(&points).into_bytes());
        let Ok(prepared) = prepare(&source, &options, &Progress::silent()) else { return Ok(()) };
        let events = &prepared.dataset.events;
        for (number, area) in prepared.areas.iter().enumerate() {
            for other in &prepared.areas[number + 1..] {
                let (a, b) = (area.bounds, other.bounds);
                let apart = a.east <= b.west || b.east <= a.west || a.north <= b.south || b.north <= a.south;
                prop_assert!(apart);
            }
            let visitors: BTreeSet<usize> = (0..events.records())
                .filter(|record| events.record(*record).contains(&(number as u32)))
                .map(|record| events.subject_of(record))
                .collect();
            prop_assert_eq!(visitors.len() as u32, area.people);
            prop_assert!(area.people as u64 >= threshold);
        }
        for record in 0..events.records() {
            prop_assert!(!events.record(record).is_empty());
            prop_assert!(events.record(record).windows(2).all(|pair| pair[0] != pair[1]));
            prop_assert!(events.times_of(record).unwrap().is_sorted());
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing(points in points(), threshold in 1_u64..3) {
        let min_density = throng_contract::Threshold::Absolute(threshold);
        let options = Options {
            max_speed: "5".parse().unwrap(),
            trip_gap: "2min".parse().ok(),
            regions: Some(RegionOptions { min_density, k: None, counting: Counting::Trips }),
            grid: "4x4".parse().ok(),
            ..Options::default()
        };
        let source = Source::memory("p.csv", table(&points).into_bytes());
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| prepare(&source, &options, &Progress::silent()))
                .map(|prepared| (lines(&prepared), prepared.areas, prepared.summary))
                .map_err(|error| error.to_string())
        };
        prop_assert_eq!(run(1), run(3));
    }
}
