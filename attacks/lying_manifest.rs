//! The publisher lies: the manifest says what would have to be true (specification 13.19 d).

use std::fs;

use serde_json::{Value, json};

use crate::program::Desk;
use crate::published::Published;

/// A directory from another publisher: one person is alone at `c`, and the manifest is that of a release that is fine.
fn theirs(lie: impl Fn(&mut Value)) -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\n1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n");
    desk.write("places.csv", "item,x,y\na,0,0\nb,1,0\n");
    desk.ok("anonymize trips.csv --places places.csv --method seqanon -k 2 -m 1 -o theirs");
    let mut manifest = Published::of(&desk, "theirs").manifest();
    desk.write("theirs/release.csv", "record,item\n1,a\n1,b\n2,a\n2,b\n3,c\n");
    for output in manifest["outputs"].as_array_mut().unwrap() {
        output.as_object_mut().unwrap().remove("sha256");
    }
    manifest["counts"]["events_after"] = json!(5);
    manifest["counts"]["items_after"] = json!(3);
    lie(&mut manifest);
    desk.write("theirs/manifest.json", &manifest.to_string());
    desk
}

const TYPED: &str = "verify theirs --promise km -k 2 -m 1";

fn is_broken(desk: &Desk) {
    for line in [TYPED, "verify theirs"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 5, "{line}\n{}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(desk.run(&format!("{TYPED} --json")).json()["holds"], json!(false));
}

#[test]
fn a_release_that_is_said_to_be_empty_is_read() {
    is_broken(&theirs(|manifest| manifest["counts"]["events_after"] = json!(0)));
}

#[test]
fn an_item_that_is_said_to_stand_for_others_stands_for_itself() {
    is_broken(&theirs(|manifest| {
        manifest["generalised"] = json!([{"item": "c", "members": ["a", "b", "c"]}]);
    }));
}

#[test]
fn records_that_are_said_to_be_sets_are_judged_as_they_are_written() {
    let desk = theirs(|manifest| manifest["kind"] = json!("set"));
    desk.write("theirs/release.csv", "record,item\n1,a\n1,b\n2,a\n2,b\n3,b\n3,a\n");
    let ran = desk.run("verify theirs --promise km -k 2 -m 2");
    assert_eq!(ran.code, 5, "only one person was at b before a: {}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_verdict_and_more_people_in_the_manifest_change_nothing() {
    is_broken(&theirs(|manifest| {
        manifest["verdict"] = json!({"holds": true, "checked": 1_000_000});
        manifest["counts"]["records"] = json!(1_000_000);
        manifest["nature"] = json!("synthetic");
    }));
}

#[test]
fn without_a_manifest_or_with_one_that_cannot_be_read_the_files_are_judged() {
    let desk = theirs(|_| {});
    for text in [
        "{",
        "[]",
        "{\"schema\":\"throng-release/99\"}",
        &format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)),
    ] {
        desk.write("theirs/manifest.json", text);
        let ran = desk.run(TYPED);
        assert_eq!(ran.code, 5, "{:.40}\n{}{}", text, ran.stdout, ran.stderr);
    }
    fs::remove_file(desk.path("theirs/manifest.json")).unwrap();
    assert_eq!(desk.run(TYPED).code, 5);
}

/// A manifest that contradicts files which are fine is reported, too: its writer is not to be relied on.
#[test]
fn a_manifest_that_contradicts_its_files_is_broken_by_itself() {
    let desk = theirs(|manifest| manifest["counts"]["events_after"] = json!(0));
    desk.write("theirs/release.csv", "record,item\n1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n");
    let ran = desk.run(TYPED);
    assert_eq!(ran.code, 5, "{}{}", ran.stdout, ran.stderr);
}
