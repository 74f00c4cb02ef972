//! Items that stand for many: short names, and the list of what is behind them.

use crate::program::{Desk, Ran, SALT};

/// Twelve people, each at a place of their own: a crowd of twelve makes one item of all.
fn desk() -> Desk {
    let desk = Desk::new();
    let letters = "abcdefghijkl";
    let trips: String = letters.chars().enumerate().map(|(i, at)| format!("{i},{at}\n")).collect();
    let places: String = letters.chars().enumerate().map(|(i, at)| format!("{at},{i},0\n")).collect();
    desk.write("trips.csv", &format!("subject,item\n{trips}"));
    desk.write("places.csv", &format!("item,x,y\n{places}"));
    desk
}

fn anonymize(desk: &Desk, out: &str, more: &str) -> Ran {
    let line = "anonymize trips.csv --places places.csv --method seqanon -k 12 -m 1";
    desk.ok(&format!("{line} --salt {SALT} -o {out} --force {more}"))
}

#[test]
fn an_item_of_many_members_has_a_short_name_that_a_list_explains() {
    let desk = desk();
    anonymize(&desk, "release", "");
    let rows = desk.read("release/release.csv");
    assert!(rows.lines().skip(1).all(|row| row.ends_with(",~1")), "{rows}");
    let list = desk.read("release/items.csv");
    assert!(list.starts_with("item,member\n~1,a\n~1,b\n") && list.lines().count() == 13, "{list}");
    let manifest: serde_json::Value = serde_json::from_str(&desk.read("release/manifest.json")).unwrap();
    assert_eq!(manifest["generalised"][0]["members"].as_array().map(Vec::len), Some(12));
    assert_eq!(desk.ok("verify release --json").json()["holds"], true);
    std::fs::remove_file(desk.path("release/manifest.json")).unwrap();
    assert_eq!(desk.ok("verify release --promise km -k 12 -m 1 --json").json()["holds"], true);
}

#[test]
fn both_forms_say_the_same() {
    let desk = desk();
    anonymize(&desk, "short", "");
    anonymize(&desk, "long", "--spell-out");
    anonymize(&desk, "parquet", "--format parquet");
    assert!(desk.read("long/release.csv").contains("{a|b|c|d|e|f|g|h|i|j|k|l}"));
    assert!(!desk.path("long/items.csv").exists() && desk.path("parquet/items.csv").exists());
    for command in [
        "verify RELEASE --promise km -k 12 -m 1 --json",
        "verify RELEASE --promise km -k 13 -m 1 --json",
        "measure trips.csv RELEASE --places places.csv --json",
        "attack trips.csv --release RELEASE --json",
    ] {
        let answers = ["short", "long", "parquet"].map(|form| {
            let ran = desk.run(&command.replace("RELEASE", form));
            let mut answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
            // Fingerprints, names and notes differ.
            answer
                .as_object_mut()
                .unwrap()
                .retain(|key, _| !["notes", "violations", "promises"].contains(&key.as_str()));
            (ran.code, answer)
        });
        assert_eq!(answers[0], answers[1], "{command}");
        assert_eq!(answers[0], answers[2], "{command}");
    }
    let told = desk.ok("attack trips.csv --release short --know a").stdout;
    assert!(told.contains("12 of 12 people fit"), "{told}");
    let recipe = desk.ok(
        "anonymize trips.csv --places places.csv --method seqanon -k 12 -m 1 --spell-out -o x --print-recipe",
    );
    assert!(recipe.stdout.contains("spell-out = true"), "{}", recipe.stdout);
}

#[test]
fn a_list_that_does_not_belong_to_the_rows_is_noticed() {
    let desk = desk();
    anonymize(&desk, "release", "");
    let list = desk.read("release/items.csv");
    let verify = || desk.run("verify release");
    desk.write("release/items.csv", &list.replace("~1,a\n", ""));
    assert_eq!(verify().code, 5, "another meaning than the manifest's");
    desk.write("release/items.csv", "item,member\n~2,a\n");
    assert_eq!(verify().code, 3, "a short name that means nothing");
    desk.write("release/items.csv", &format!("{list}\"{{a|b}}\",c\n"));
    assert_eq!(verify().code, 3, "a name that is spelled out otherwise");
    std::fs::remove_file(desk.path("release/items.csv")).unwrap();
    assert_eq!(verify().code, 5, "the manifest lists it");
}

#[test]
fn a_place_that_looks_like_a_short_name_is_not_one() {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\n1,~1\n2,~1\n3,b\n4,b\n");
    desk.write("places.csv", "item,x,y\n~1,0,0\nb,9,0\n");
    desk.ok("anonymize trips.csv --places places.csv --method seqanon -k 2 -m 1 -o release");
    assert!(desk.read("release/release.csv").contains(",\\~1\n"));
    assert!(!desk.path("release/items.csv").exists());
    assert_eq!(desk.ok("attack trips.csv --release release --know '~1' --json").json()["after"]["people"], 2);
}

#[test]
fn the_publisher_sees_records_before_and_after() {
    let desk = desk();
    let printed = anonymize(&desk, "release", "--json --explain --internal-report page.html").json();
    let rows = printed["samples"]["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["before"][0]), (12, &"a".into()));
    assert_eq!(rows[0]["after"][0], "~1 (a, b, c, and 9 more)");
    assert!(desk.read("page.html").contains("Before and after, row by row"));
    assert!(!desk.read("release/report.html").contains("row by row"));
}
