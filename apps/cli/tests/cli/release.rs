//! `throng anonymize` and `throng verify`.

use crate::program::{Desk, SALT};

/// People on a line of four places; the way back is rare.
const TRIPS: &str = "subject,item\n\
    1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n4,c\n4,d\n5,c\n5,d\n6,d\n6,a\n7,b\n8,b\n9,c\n";
const PLACES: &str = "item,x,y\na,0,0\nb,1,0\nc,5,0\nd,6,0\n";
const SEQANON: &str = "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 2 -o release";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("places.csv", PLACES);
    desk
}

#[test]
fn a_release_is_summed_up_on_one_screen() {
    let desk = desk();
    insta::assert_snapshot!(desk.ok(SEQANON).all());
    assert!(desk.read("release/release.csv").starts_with("record,item\n"));
}

#[test]
fn reasons_are_printed_on_request() {
    let desk = desk();
    assert_eq!(desk.ok(SEQANON).stdout, "");
    insta::assert_snapshot!(desk.ok(&format!("{SEQANON} --force --explain")).stdout);
}

#[test]
fn programs_get_the_manifest_and_where_it_is() {
    let desk = desk();
    let printed = desk.ok(&format!("{SEQANON} --json")).json();
    let written: serde_json::Value = serde_json::from_str(&desk.read("release/manifest.json")).unwrap();
    assert_eq!((&printed["schema"], &printed["directory"]), (&"throng-release/2".into(), &"release".into()));
    for (key, value) in written.as_object().unwrap() {
        assert_eq!(&printed[key], value, "{key}");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes_with_any_number_of_threads() {
    let desk = Desk::new();
    desk.ok("generate city -o city --subjects 2000");
    let run = |jobs: u32| {
        let line = "anonymize city/events.csv --places city/places.csv --method seqanon -k 5 -m 2 --force";
        desk.ok(&format!("{line} --salt {SALT} -o release --jobs {jobs}"));
        ["release.csv", "manifest.json", "report.html"].map(|file| desk.read(&format!("release/{file}")))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn what_cannot_be_released_is_explained_and_leaves_nothing() {
    let desk = desk();
    desk.write("long.csv", "subject,item\n1,a\n1,b\n1,c\n1,a\n1,d\n2,a\n");
    let mut text = String::new();
    for (line, code) in [
        ("anonymize nowhere.csv --places places.csv --method seqanon -o release", 3),
        ("anonymize trips.csv --item plaace --places places.csv --method seqanon -o release", 3),
        ("anonymize trips.csv --places trips.csv --method seqanon -o release", 3),
        ("anonymize trips.csv --method zga -o release", 2),
        ("anonymize trips.csv --places places.csv -o release", 2),
        ("anonymize trips.csv --places places.csv --method seqanno -o release", 2),
        ("anonymize trips.csv --places places.csv --method seqanon", 2),
        ("anonymize trips.csv --places places.csv --method seqanon -k 0 -o release", 2),
        ("anonymize trips.csv --places places.csv --method seqanon -k -1 -o release", 2),
        ("anonymize trips.csv --places places.csv --method seqanon --distance median -o release", 2),
        ("anonymize trips.csv --places places.csv --method u-seqanon --no-apriori -o release", 2),
        ("anonymize trips.csv --places places.csv --method seqanon --constraints places.csv -o release", 2),
        (
            "anonymize trips.csv --places places.csv --method seqanon -k 2 -o release --linkage release/who.csv",
            7,
        ),
        ("anonymize long.csv --places places.csv --method seqanon -k 2 -o release", 4),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
    assert_eq!(desk.files(), ["long.csv", "places.csv", "trips.csv"]);
}

#[test]
fn only_columns_that_were_named_are_published_and_never_identifying_ones() {
    let desk = desk();
    let people: String = (1..=9).map(|person| format!("{person},name{person},{}\n", person % 2)).collect();
    desk.write("people.csv", &format!("subject,name,flag\n{people}"));
    let line = format!("{SEQANON} --records people.csv --role name=identifying");
    desk.ok(&format!("{line} --publish flag"));
    assert!(desk.read("release/records.csv").starts_with("record,flag\n"));
    let refused = desk.run(&format!("{line} --publish name --force"));
    assert_eq!(refused.code, 7, "{}", refused.stderr);
    let unknown = desk.run(&format!("{SEQANON} --records people.csv --role name=secret"));
    insta::assert_snapshot!(format!("{}{}", refused.stderr, unknown.stderr));
}

/// Columns that single people out, an empty release, and cells that a spreadsheet would run.
#[test]
fn what_would_give_people_away_beside_the_events_is_refused_until_it_is_accepted() {
    let desk = desk();
    let people: String =
        (1..=9).map(|person| format!("{person},{},{}\n", 30 + person / 2, person % 2)).collect();
    desk.write("people.csv", &format!("subject,age,sex\n{people}"));
    let line = format!("{SEQANON} --records people.csv --publish age,sex");
    let refused = desk.run(&line);
    assert_eq!(refused.code, 7, "{}", refused.stderr);
    let accepted = desk.ok(&format!("{line} --accept-exposed-columns"));
    let manifest: serde_json::Value = serde_json::from_str(&desk.read("release/manifest.json")).unwrap();
    let verdict = &manifest["columns_verdict"];
    assert_eq!((&verdict["covered"], &verdict["accepted"]), (&false.into(), &true.into()));
    desk.write("timed.csv", "subject,item,time\n1,a,1\n2,b,2\n3,c,3\n");
    let lkc = "anonymize timed.csv --method lkc --L 1 --K 2 --C 1 -o empty";
    let empty = desk.run(lkc);
    assert_eq!(empty.code, 7, "{}", empty.stderr);
    let allowed = desk.ok(&format!("{lkc} --allow-empty"));
    desk.write("run.csv", "subject,item\n1,=1+1\n2,=1+1\n");
    desk.write("runs.csv", "item,x,y\n=1+1,0,0\n");
    let sheet =
        desk.ok("anonymize run.csv --places runs.csv --method seqanon -k 2 -m 1 -o sheet --spreadsheet-safe");
    assert!(desk.read("sheet/release.spreadsheet.csv").contains(",'=1+1\n"));
    insta::assert_snapshot!([refused, accepted, empty, allowed, sheet].map(|ran| ran.all()).join("\n----\n"));
}

#[test]
fn an_earlier_release_is_replaced_only_when_asked() {
    let desk = desk();
    desk.ok(SEQANON);
    let ran = desk.run(SEQANON);
    insta::assert_snapshot!(ran.all());
    desk.ok(&format!("{SEQANON} --force"));
}

#[test]
fn a_promise_that_holds_is_said_to_hold() {
    let desk = desk();
    desk.ok(SEQANON);
    insta::assert_snapshot!(desk.ok("verify release").all());
    let answer = desk.ok("verify release --promise km -k 2 -m 2 --json").json();
    assert_eq!((&answer["schema"], &answer["holds"]), (&"throng-verify/1".into(), &true.into()));
    assert_eq!((&answer["violations_total"], &answer["violations"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn a_promise_that_does_not_hold_is_exit_code_5_with_the_cases() {
    let desk = desk();
    insta::assert_snapshot!(desk.run("verify trips.csv --promise km -k 2 -m 2 --list 2").all());
    insta::assert_snapshot!(desk.run("verify trips.csv --promise km -k 2 -m 2 --list 2 --json").all());
    insta::assert_snapshot!(desk.run("verify trips.csv --promise km -k 2 -m 2 --list 0").all());
}

#[test]
fn what_cannot_be_judged_is_explained() {
    let desk = desk();
    let mut text = String::new();
    for (line, code) in [
        ("verify trips.csv", 2),
        ("verify trips.csv --promise kmm -k 2 -m 2", 2),
        ("verify trips.csv --promise km -k 2", 2),
        ("verify trips.csv --promise km -k 2 -m 2 --L 3", 2),
        ("verify nowhere --promise km -k 2 -m 2", 3),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_release_that_lost_everything_can_be_verified() {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\nann,a\nann,b\nbob,a\n")
        .write("places.csv", "item,x,y\na,0,0\nb,1,0\n");
    desk.ok(
        "anonymize trips.csv --places places.csv --method seqanon -k 2 -m 2 --infeasible drop --max-suppressed 100% \
         --allow-empty -o release",
    );
    let verdict = desk.ok("verify release --json").json();
    assert_eq!((verdict["holds"].as_bool(), verdict["checked"].as_u64()), (Some(true), Some(0)));
}
