//! What users see when a file of points cannot be used: file, line, column, and a way out.

use throng_contract::{Failure, Progress};
use throng_data::formats::Source;
use throng_prepare::points::{Options, prepare};

fn shown(name: &str, text: &str) -> String {
    shown_with(name, text, &Options::default())
}

fn shown_with(name: &str, text: &str, options: &Options) -> String {
    let source = Source::memory(name, text.as_bytes());
    let failure: Failure = prepare(&source, options, &Progress::silent()).expect_err("a bad file").into();
    let help = failure.help.map(|help| help.to_string()).unwrap_or_default();
    format!("error: {}\nhelp: {help}\nexit: {}", failure.message, failure.class.code())
}

#[test]
fn tables_are_refused_with_line_and_column() {
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\na,1,52.5,13.4\na,2,152.5,13.4\n"), @r"
    error: `p.csv` line 3, column `lat`: a latitude must lie between -90 and 90
    help: check that latitude and longitude are not swapped; for a plane name them `x` and `y`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\na,1,52.5,-181\n"), @r"
    error: `p.csv` line 2, column `lon`: a longitude must lie between -180 and 180
    help: check that latitude and longitude are not swapped; for a plane name them `x` and `y`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\na,1,52.5,13.4\na,noon,52.5,13.4\n"), @r#"
    error: `p.csv` line 3, column `time`: expected a whole number, as in the rows before, found text of 4 characters
    help: write all times of a file in one form, as the first row has it
    exit: 3
    "#);
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\na,soon,52.5,13.4\n"), @r#"
    error: `p.csv` line 2, column `time`: expected a number, an ISO-8601 time or another common form, found text of 4 characters
    help: give the format with `--time-format`, for example "%d/%m/%Y %H:%M"
    exit: 3
    "#);
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\na,1,52.5,13.4\na,2,,13.4\n"), @r"
    error: `p.csv` line 3, column `lat`: expected a number, found nothing
    help: write numbers with a point, as in `12.5`, without units or thousands separators
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\na,1,NaN,13.4\n"), @r"
    error: `p.csv` line 2, column `lat`: expected a number, found text of 3 characters
    help: write numbers with a point, as in `12.5`, without units or thousands separators
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\n,1,52.5,13.4\n"), @r"
    error: `p.csv` line 2, column `subject`: the subject is empty
    help: fill it in, or remove the line
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\na,1,52.5\n"), @r"
    error: `p.csv` line 2: 3 fields where the header has 4
    help: quote fields that contain the delimiter, or choose another one with `--delimiter`
    exit: 3
    ");
}

#[test]
fn missing_and_doubtful_columns_are_named() {
    insta::assert_snapshot!(shown("p.csv", "subject,lat,lon\na,1,2\n"), @r"
    error: `p.csv` line 1: no time column; found `subject`, `lat`, `lon`
    help: name the column with `--time COLUMN`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "pesron,time,lat,lon\na,1,52.5,13.4\n"), @r"
    error: `p.csv` line 1: no subject column; found `pesron`, `time`, `lat`, `lon`
    help: if it is `pesron`, say so with `--subject pesron`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,north,east\na,1,52.5,13.4\n"), @r"
    error: `p.csv`: no columns for latitude and longitude, nor for x and y; found `subject`, `time`, `north`, `east`
    help: name the columns with `--lat COLUMN --lon COLUMN`, or `--x COLUMN --y COLUMN` on a plane
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon,x,y\na,1,52.5,13.4,1,2\n"), @r"
    error: `p.csv`: columns for latitude and longitude, and for x and y
    help: choose with `--lat COLUMN --lon COLUMN` or `--x COLUMN --y COLUMN`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.csv", "subject,time,lat,lon\n"), @r"
    error: `p.csv`: a header and no row after it
    help: check that the command that made it succeeded; where the first line is a row already, say `--no-header`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.kml", "<kml/>"), @r"
    error: `p.kml`: no known form of points has the extension of this name
    help: name the form with `--input-format csv`, `gpx` or `geojson`
    exit: 3
    ");
}

#[test]
fn broken_tracks_are_refused_with_their_line() {
    let point = r#"<trkpt lat="52.5" lon="13.4"><time>2024-05-01T08:00:00Z</time></trkpt>"#;
    let gpx = |inside: &str| format!("<gpx>\n<trk>\n<trkseg>\n{inside}\n</trkseg>\n</trk>\n</gpx>\n");
    insta::assert_snapshot!(shown("a.gpx", &gpx("<trkpt lat=\"52.5\" lon=\"13.4\"></time>")), @r"
    error: `a.gpx` line 4: the XML is broken: ill-formed document: expected `</trkpt>`, but `</time>` was found
    help: export the track again; a GPX file ends with `</gpx>`
    exit: 3
    ");
    insta::assert_snapshot!(shown("a.gpx", &gpx(point).replace("</trk>\n</gpx>\n", "")), @r"
    error: `a.gpx` line 6: the XML is broken: it ends inside an element
    help: export the track again; a GPX file ends with `</gpx>`
    exit: 3
    ");
    // Such points were counted for the first person of the file.
    let outside = format!("<gpx>\n{point}\n</gpx>\n");
    insta::assert_snapshot!(shown("a.gpx", &outside), @r"
    error: `a.gpx` line 2: the XML is broken: a track point stands outside every track
    help: export the track again; a GPX file ends with `</gpx>`
    exit: 3
    ");
    insta::assert_snapshot!(shown("a.gpx", &gpx(&format!("<trk>{point}</trk>"))), @r"
    error: `a.gpx` line 4: the XML is broken: a track stands inside another
    help: export the track again; a GPX file ends with `</gpx>`
    exit: 3
    ");
    insta::assert_snapshot!(shown("a.gpx", &gpx(&point.replace("lon=\"13.4\"", ""))), @r"
    error: `a.gpx` line 4: a track point without lon
    help: every `<trkpt lat= lon=>` needs both coordinates and a `<time>`
    exit: 3
    ");
    insta::assert_snapshot!(shown("a.gpx", &gpx(&point.replace("52.5", "91"))), @r"
    error: `a.gpx` line 4, column `lat`: a latitude must lie between -90 and 90
    help: check that latitude and longitude are not swapped; for a plane name them `x` and `y`
    exit: 3
    ");
    insta::assert_snapshot!(shown("a.gpx", &gpx(&point.replace("52.5", "north"))), @r"
    error: `a.gpx` line 4, column `lat`: expected a number, found text of 5 characters
    help: write numbers with a point, as in `12.5`, without units or thousands separators
    exit: 3
    ");
    insta::assert_snapshot!(shown("a.gpx", &gpx("<trkpt lat=\"52.5\" lon=\"13.4\"/>")), @r"
    error: `a.gpx` line 4: a track point without time
    help: every `<trkpt lat= lon=>` needs both coordinates and a `<time>`
    exit: 3
    ");
    insta::assert_snapshot!(shown("a.gpx", &gpx(&point.replace("2024-05-01T08:00:00Z", "today"))), @r#"
    error: `a.gpx` line 4, column `time`: expected a number, an ISO-8601 time or another common form, found text of 5 characters
    help: give the format with `--time-format`, for example "%d/%m/%Y %H:%M"
    exit: 3
    "#);
    insta::assert_snapshot!(shown("a.gpx", "<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>"), @r"
    error: `a.gpx`: no track point in the file
    help: routes and waypoints have no times; record or export a track
    exit: 3
    ");
    let by_name = Options { subject: Some("name".to_owned()), ..Options::default() };
    insta::assert_snapshot!(shown_with("a.gpx", &gpx(point), &by_name), @r"
    error: `a.gpx` line 6: a track without a name
    help: name every track, or leave `--subject` out to take people from file names
    exit: 3
    ");
}

#[test]
fn features_without_what_they_need_are_refused_with_their_line() {
    let good = r#"{"type":"Feature","properties":{"subject":"a","time":1},"geometry":{"type":"Point","coordinates":[13.4,52.5]}}"#;
    let second = |line: &str| format!("{good}\n{line}\n");
    insta::assert_snapshot!(shown("p.geojsonl", &second(&good.replace(",\"coordinates\":[13.4,52.5]", ""))), @r"
    error: `p.geojsonl` line 2: a feature without coordinates
    help: a feature is a Point with the properties `subject` and `time`, or a LineString with `subject` and one time a position in `coordTimes`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.geojsonl", &second(&good.replace("52.5", "\"x\""))), @r"
    error: `p.geojsonl` line 2: a position that is not a longitude and a latitude
    help: a feature is a Point with the properties `subject` and `time`, or a LineString with `subject` and one time a position in `coordTimes`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.geojsonl", &second(&good.replace("13.4,52.5", "52.5,113.4"))), @r"
    error: `p.geojsonl` line 2, column `lat`: a latitude must lie between -90 and 90
    help: check that latitude and longitude are not swapped; for a plane name them `x` and `y`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.geojsonl", &second(&good.replace("\"subject\":\"a\",", ""))), @r"
    error: `p.geojsonl` line 2: a feature without a subject
    help: a feature is a Point with the properties `subject` and `time`, or a LineString with `subject` and one time a position in `coordTimes`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.geojsonl", &second(&good.replace("\"time\":1", "\"time\":\"noon\""))), @r#"
    error: `p.geojsonl` line 2, column `time`: expected a whole number, as in the rows before, found text of 4 characters
    help: write all times of a file in one form, as the first row has it
    exit: 3
    "#);
    insta::assert_snapshot!(shown("p.geojsonl", &second(&good.replace("Point", "Polygon"))), @r"
    error: `p.geojsonl` line 2: a feature that is neither a Point nor a LineString
    help: a feature is a Point with the properties `subject` and `time`, or a LineString with `subject` and one time a position in `coordTimes`
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.geojsonl", &second("{\"type\":")), @r"
    error: `p.geojsonl` line 2: the line is not JSON: EOF while parsing a value
    help: write one GeoJSON feature a line, without line breaks inside
    exit: 3
    ");
    insta::assert_snapshot!(shown("p.geojsonl", "{\"type\":\"FeatureCollection\",\"features\":[]}\n"), @r"
    error: `p.geojsonl` line 1: a collection of features, where one feature a line is expected
    help: write one feature a line: `jq -c '.features[]' IN > OUT`
    exit: 3
    ");
    let line = r#"{"type":"Feature","properties":{"subject":"a","coordTimes":[1]},"geometry":{"type":"LineString","coordinates":[[13.4,52.5],[13.5,52.5]]}}"#;
    insta::assert_snapshot!(shown("p.geojsonl", line), @r"
    error: `p.geojsonl` line 1: a line whose positions and times differ in number
    help: a feature is a Point with the properties `subject` and `time`, or a LineString with `subject` and one time a position in `coordTimes`
    exit: 3
    ");
}

#[test]
fn options_that_do_not_fit_the_points_are_refused() {
    let globe = "subject,time,lat,lon\na,1,52.5,13.4\nb,2,52.6,13.5\n";
    let plane = "subject,time,x,y\na,1,5,7\nb,2,6,8\n";
    let with = |change: &dyn Fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        options
    };
    let metres = with(&|o| o.grid = "500m".parse().ok());
    insta::assert_snapshot!(shown_with("p.csv", plane, &metres), @r"
    error: `500m` does not fit the points, which are on a plane (x, y)
    help: leave the unit out: on a plane, distances are in the unit of the coordinates
    exit: 2
    ");
    let bare = with(&|o| o.grid = "500".parse().ok());
    insta::assert_snapshot!(shown_with("p.csv", globe, &bare), @r"
    error: `500` does not fit the points, which are latitudes and longitudes
    help: add the unit, for example `500m`, `0.5km` or `150km/h`
    exit: 2
    ");
    let tiny = with(&|o| o.grid = "0.001m".parse().ok());
    insta::assert_snapshot!(shown_with("p.csv", globe, &tiny), @r"
    error: the grid would have more than 4294967295 cells
    help: choose larger cells with `--cell` or `--grid`, or a smaller area with `--bounds`
    exit: 2
    ");
    let elsewhere = with(&|o| o.bounds = "0,0,1,1".parse().ok());
    insta::assert_snapshot!(shown_with("p.csv", globe, &elsewhere), @r"
    error: nothing is left of 2 points: all lie outside the bounds
    help: check `--bounds`, `--stops` and `--max-speed` against the data
    exit: 3
    ");
    let stays = with(&|o| o.stops = "200m,20min".parse().ok());
    insta::assert_snapshot!(shown_with("p.csv", globe, &stays), @r"
    error: nothing is left of 2 points: no stay is long enough for a stop
    help: check `--bounds`, `--stops` and `--max-speed` against the data
    exit: 3
    ");
    let regions = |density: &str, k, counting| {
        let min_density = density.parse().expect("a threshold");
        let regions = throng_prepare::points::RegionOptions { min_density, k, counting };
        Options { regions: Some(regions), ..Options::default() }
    };
    use throng_prepare::points::Counting;
    insta::assert_snapshot!(shown_with("p.csv", globe, &regions("2", Some(5), Counting::People)), @r"
    error: a density threshold of 2 people is below k = 5: fewer than k could be behind a region
    help: raise `--min-density` to 5 or more, or publish on a grid that does not depend on the data: `--cell` with `--bounds`, without `--regions`
    exit: 2
    ");
    insta::assert_snapshot!(shown_with("p.csv", globe, &regions("2", Some(2), Counting::Trips)), @r"
    error: k counts people, but the density counts trips
    help: count people, or leave k out
    exit: 2
    ");
    insta::assert_snapshot!(shown_with("p.csv", globe, &regions("0", None, Counting::People)), @r"
    error: the density threshold must be at least 1
    help: give `--min-density` a number of people or a share of them
    exit: 2
    ");
    insta::assert_snapshot!(shown_with("p.csv", globe, &regions("2", None, Counting::People)), @r"
    error: no cell reaches the density threshold of 2; the densest has 1
    help: lower `--min-density`, or choose larger cells
    exit: 4
    ");
}

#[test]
fn nearly_all_points_dropped_is_a_question() {
    // Two people in Berlin, whose area is asked for, and another one far away who has nearly all points.
    let near = "a,0,52.51,13.41\nb,9000,52.52,13.42\n";
    let far = |points: i64| (0..points).map(|at| format!("c,{},35.6,139.7\n", at * 60)).collect::<String>();
    let berlin = Options { bounds: Some("13,52,14,53".parse().expect("an area")), ..Options::default() };
    let text = format!("subject,time,lat,lon\n{near}{}", far(198));
    insta::assert_snapshot!(shown_with("p.csv", &text, &berlin), @r"
    error: of 200 points, 0 could only be reached too fast and 198 lie outside the bounds: 99% or more are dropped
    help: check the units of times and coordinates; `--max-speed off` keeps fast points; if it is meant so, say `--accept-loss`
    exit: 3
    ");
    let accepting = Options { accept_loss: true, ..berlin.clone() };
    let source = Source::memory("p.csv", text.as_bytes());
    let prepared = prepare(&source, &accepting, &Progress::silent()).expect("what is meant so is done");
    assert_eq!((prepared.summary.points, prepared.summary.points_outside_bounds), (200, 198));
    // A share that is just small enough is no question.
    let text = format!("subject,time,lat,lon\n{near}{}", far(190));
    let source = Source::memory("p.csv", text.as_bytes());
    assert!(prepare(&source, &berlin, &Progress::silent()).is_ok());
}
