//! `throng generate`.

use crate::program::Desk;

#[test]
fn a_world_is_written_and_described() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.ok("generate city -o city --subjects 200").all());
    assert!(desk.read("city/events.csv").starts_with("subject,"));
    assert_eq!(desk.ok("generate city -o town --subjects 200 --quiet").stderr, "");
    assert_eq!(desk.read("city/events.csv"), desk.read("town/events.csv"));
}

#[test]
fn a_directory_is_replaced_only_when_asked_and_only_if_it_holds_a_world() {
    let desk = Desk::new();
    desk.ok("generate city -o city --subjects 10");
    insta::assert_snapshot!(desk.run("generate city -o city --subjects 20").all());
    let written = desk.ok("generate city -o city --subjects 20 --force --json").json();
    assert_eq!((&written["schema"], &written["subjects"]), (&"throng-generate/1".into(), &20.into()));
    desk.write("city/thesis.txt", "mine");
    insta::assert_snapshot!(desk.run("generate city -o city --force").all());
    assert_eq!(desk.read("city/thesis.txt"), "mine");
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_threads() {
    let desk = Desk::new();
    desk.ok("generate city -o one --subjects 3000 --seed 7 --jobs 1");
    desk.ok("generate city -o three --subjects 3000 --seed 7 --jobs 3");
    desk.ok("generate city -o other --subjects 3000 --seed 8");
    assert_eq!(desk.read("one/events.csv"), desk.read("three/events.csv"));
    assert_ne!(desk.read("one/events.csv"), desk.read("other/events.csv"));
}
