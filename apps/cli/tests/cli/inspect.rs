//! `throng inspect`.

use std::io::Write;
use std::process::Stdio;

use crate::program::Desk;

/// Seven people at four places; only three places have five visitors.
const VISITS: &str = "user,place,time,age\n\
    1,mall,2024-05-01T08:00,30\n1,park,2024-05-01T09:00,30\n1,mall,2024-05-01T10:00,30\n\
    2,mall,2024-05-01T08:00,31\n2,park,2024-05-01T09:00,31\n\
    3,mall,2024-05-01T08:00,32\n3,zoo,2024-05-01T09:00,32\n\
    4,mall,2024-05-02T08:00,33\n4,park,2024-05-02T09:00,33\n4,clinic,2024-05-02T12:00,33\n\
    5,mall,2024-05-01T08:00,34\n5,park,2024-05-01T09:00,34\n5,zoo,2024-05-01T10:00,34\n\
    6,park,2024-05-01T08:00,35\n6,zoo,2024-05-01T09:00,35\n\
    7,zoo,2024-05-01T08:00,36\n7,zoo,2024-05-03T09:00,36\n8,zoo,2024-05-03T09:00,37\n";

#[test]
fn the_shape_of_the_data_is_shown() {
    let desk = Desk::new();
    desk.write("visits.csv", VISITS);
    insta::assert_snapshot!(desk.ok("inspect visits.csv").all());
}

#[test]
fn a_place_of_few_people_is_never_named() {
    let desk = Desk::new();
    desk.write("visits.csv", VISITS);
    for line in ["inspect visits.csv", "inspect visits.csv --json"] {
        let ran = desk.ok(line);
        assert!(ran.stdout.contains("mall") && !ran.stdout.contains("clinic"), "{}", ran.stdout);
    }
}

#[test]
fn programs_get_everything_including_the_speed_of_reading() {
    let desk = Desk::new();
    desk.write("visits.csv", VISITS);
    let found = desk.ok("inspect visits.csv --json").json();
    assert_eq!(found["schema"], "throng-inspect/1");
    assert_eq!(found["read"]["bytes"], VISITS.len());
    assert!(found["read"]["seconds"].as_f64().unwrap() > 0.0);
    assert!(found["read"]["mb_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!((&found["subjects"], &found["items"]), (&8.into(), &4.into()));
    // Only the fourth person was at the clinic, and only the first at the mall twice.
    assert_eq!(found["risk"]["points"][3]["known"], 4);
    assert!(found["risk"]["points"][3]["singled_out"]["count"].as_u64().unwrap() >= 2);
}

#[test]
fn a_large_city_is_sampled_and_says_so() {
    let desk = Desk::new();
    desk.ok("generate city -o city --subjects 5000");
    let found = desk.ok("inspect city/events.csv --json").json();
    assert_eq!((&found["risk"]["sampled"], &found["risk"]["people"]), (&true.into(), &5000.into()));
    let page = desk.ok("inspect city/events.csv").stdout;
    assert!(page.contains("drawn from 5,000") && page.contains("95% confidence"), "{page}");
}

#[test]
fn standard_input_is_read() {
    let desk = Desk::new();
    let mut child = desk
        .command("inspect - --json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(VISITS.as_bytes()).unwrap();
    let ran = desk.ran(&child.wait_with_output().unwrap());
    assert_eq!((ran.code, &ran.json()["subjects"]), (0, &8.into()), "{}", ran.stderr);
}

#[test]
fn files_that_cannot_be_read_are_explained() {
    let desk = Desk::new();
    desk.write("visits.csv", VISITS).write("visits.html", "<html></html>").write("empty.csv", "");
    desk.write("late.csv", "user,place,time\n1,mall,yesterday\n");
    let mut text = String::new();
    for (line, code) in [
        ("inspect nowhere.csv", 3),
        ("inspect empty.csv", 3),
        ("inspect visits.html", 3),
        ("inspect late.csv", 3),
        ("inspect visits.csv --item plaace", 3),
        ("inspect visits.csv --subjct user", 2),
        ("inspect visits.csv --separator ,", 2),
        ("inspect visits.csv --input-format exel", 2),
        ("inspect", 2),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}
