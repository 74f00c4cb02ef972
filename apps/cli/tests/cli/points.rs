//! `throng prepare`.

use crate::program::Desk;

const POINTS: &str = "subject,time,x,y\nann,0,1,1\nann,60,9,9\nbob,0,2,1\nbob,90,8,9\n";

#[test]
fn points_become_events_places_and_areas() {
    let desk = Desk::new();
    desk.write("points.csv", POINTS);
    insta::assert_snapshot!(desk.ok("prepare points.csv -o trips --grid 2x2").all());
    assert_eq!(desk.read("trips/events.csv").lines().count(), 5);
    let summary = desk.ok("prepare points.csv -o trips --force --cell 5 --json").json();
    assert_eq!((&summary["points"], &summary["people"]), (&4.into(), &2.into()));
}

#[test]
fn what_cannot_be_prepared_is_explained() {
    let desk = Desk::new();
    desk.write("points.csv", POINTS).write("points.kml", "<kml/>").write("no.csv", "subject,time\nann,0\n");
    let mut text = String::new();
    for (line, code) in [
        ("prepare points.csv -o trips --trip-gap 30", 2),
        ("prepare points.csv -o trips --grid 10", 2),
        ("prepare points.csv -o trips --cell 10x10", 2),
        ("prepare points.csv -o trips --cell 500m", 2),
        ("prepare points.csv -o trips --regions", 2),
        ("prepare points.csv -o trips --regions --min-density few", 2),
        ("prepare points.csv -o trips --regions --min-density 3", 4),
        ("prepare points.csv -o trips --delimiter é", 2),
        ("prepare points.kml -o trips", 3),
        ("prepare no.csv -o trips", 3),
        ("prepare nowhere.csv -o trips", 3),
    ] {
        let ran = desk.run(line);
        assert_eq!(ran.code, code, "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
    assert!(!desk.path("trips").exists());
}
