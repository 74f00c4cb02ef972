//! `throng verify` for someone who believes nothing: what verdicts mean, and what a manifest cannot do.

use crate::program::Desk;

/// Specification 13.18, both examples: an item that is published whole for some people and merged for others.
fn clusters() -> Desk {
    let desk = Desk::new();
    desk.write("six.csv", "subject,item\nu1,a\nu1,s\nu2,a\nu3,a\nu3,s\nu4,b\n")
        .write("trips.csv", "subject,record,item\nq,1,a\nq,1,s\np,2,a\np,3,a\nr,4,b\nr,4,s\n")
        .write("places.csv", "item,x,y\na,0,0\nb,1,0\ns,2,0\n")
        .write("secret.csv", "s\n");
    desk
}

/// Each cluster keeps the count by itself; an attacker who knows `a` finds it whole in one and merged in the other, and counts two
/// people with `s`. Before, such a release was written as verified.
#[test]
fn numbers_of_people_are_kept_over_all_clusters_or_not_at_all() {
    let desk = clusters();
    let given = "--places places.csv --sensitive secret.csv -k 2 -l 1 -m 1 --form count --clusters 2";
    for method in ["zga", "sga"] {
        let run = desk.fails(&format!("anonymize six.csv --method {method} {given} -o release"), 4);
        assert!(run.stderr.contains("who cannot be told apart"), "{}", run.stderr);
        assert!(!desk.path("release").exists());
        let printed = format!("anonymize six.csv --method {method} {given} --variant as-printed -o release");
        assert!(
            [4, 5].contains(&desk.run(&printed).code),
            "the printed algorithm must not be believed either"
        );
    }
}

#[test]
fn the_printed_algorithm_is_refused_where_it_breaks_the_ratio() {
    let desk = clusters();
    let line = "anonymize trips.csv --places places.csv --sensitive secret.csv --method zga -k 1 -l 2 -m 1 --clusters 2 \
                --variant as-printed -o release";
    desk.fails(line, 5);
    assert!(!desk.path("release").exists());
}

/// The same attack on a directory from another publisher.
#[test]
fn an_attacker_who_knows_a_real_item_counts_every_wording_of_it() {
    let desk = clusters();
    desk.write("release/release.csv", "record,item\n1,a\n1,s\n2,a\n3,{a|b}\n3,s\n4,{a|b}\n");
    let line = "verify release --promise klm -k 2 -l 1 -m 1 --form count --sensitive secret.csv";
    insta::assert_snapshot!(desk.fails(line, 5).stdout);
    desk.ok("verify release --promise klm -k 2 -l 2 -m 1 --sensitive secret.csv");
}

/// Eight people, of whom one was alone at a place; `released` publishes them truthfully with `k = 2`.
fn released() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,item\n1,a\n1,b\n2,a\n2,b\n3,a\n3,b\n4,c\n5,c\n6,d\n7,b\n8,a\n")
        .write("places.csv", "item,x,y\na,0,0\nb,1,0\nc,5,0\nd,6,0\n");
    desk.ok("anonymize trips.csv --places places.csv --method seqanon -k 2 -m 2 -o release");
    desk
}

/// Rewrites the manifest of `release`.
fn tamper(desk: &Desk, change: impl FnOnce(&mut serde_json::Value)) {
    let mut manifest = serde_json::from_str(&desk.read("release/manifest.json")).unwrap();
    change(&mut manifest);
    desk.write("release/manifest.json", &manifest.to_string());
}

/// Leaves the list of files, and nothing that would tell that they were changed.
fn without_fingerprints(manifest: &mut serde_json::Value) {
    for output in manifest["outputs"].as_array_mut().unwrap() {
        output.as_object_mut().unwrap().remove("sha256");
    }
}

/// Takes the list of items away, which would explain items that the changed rows do not have.
fn without_items(desk: &Desk) {
    std::fs::remove_file(desk.path("release/items.csv")).unwrap();
}

const KM: &str = "verify release --promise km -k 2 -m 2";

/// The attack: `"events_after": 0`, and the file was never read.
#[test]
fn a_manifest_that_counts_no_events_does_not_hide_them() {
    let desk = released();
    tamper(&desk, |manifest| {
        manifest["counts"]["events_after"] = 0.into();
        without_fingerprints(manifest);
    });
    let text = desk.read("release/release.csv") + "9,a\n9,elsewhere\n";
    desk.write("release/release.csv", &text);
    let ran = desk.fails(KM, 5);
    insta::assert_snapshot!(ran.stdout);
    assert!(ran.stdout.contains("elsewhere"));
}

/// The attack: `generalised` says that the only item anybody could recognise stands for something else.
#[test]
fn a_manifest_cannot_give_another_meaning_to_what_is_written() {
    let desk = Desk::new();
    desk.write("release/release.csv", "record,item\n1,a\n1,s\n2,a\n3,{a|b}\n4,{a|b}\n")
        .write("secret.csv", "s\n");
    let line = "verify release --promise klm -k 2 -l 4 -m 1 --sensitive secret.csv";
    desk.ok(line);
    desk.fails(&line.replace("-l 4", "-l 5"), 5);
    let clean = released();
    let manifest: serde_json::Value = serde_json::from_str(&clean.read("release/manifest.json")).unwrap();
    for (item, members) in
        [("s", vec!["a", "b"]), ("a", vec!["a", "b", "c"]), ("{a|b}", vec!["a", "b", "c"]), ("x", vec!["y"])]
    {
        let mut manifest = manifest.clone();
        without_fingerprints(&mut manifest);
        manifest["counts"] =
            serde_json::json!({"subjects": 4, "records": 4, "events_after": 5, "items_after": 3});
        manifest["generalised"] = serde_json::json!([{"item": item, "members": members}]);
        desk.write("release/manifest.json", &manifest.to_string());
        for line in [line.to_owned(), line.replace("-l 4", "-l 5")] {
            let answer = desk.fails(&format!("{line} --json"), 5).json();
            assert_eq!(answer["contradictions"].as_array().unwrap().len(), 1, "{item}: {answer}");
        }
    }
}

/// The attack: `"kind": "set"` on sequences, whose order then went unjudged.
#[test]
fn a_manifest_cannot_turn_sequences_into_sets() {
    let desk = released();
    without_items(&desk);
    desk.write("release/release.csv", "record,item\n1,a\n1,b\n2,a\n2,b\n3,b\n3,a\n4,a\n4,b\n");
    tamper(&desk, |manifest| {
        manifest["kind"] = "set".into();
        without_fingerprints(manifest);
        manifest["generalised"] = serde_json::json!([]);
        manifest["counts"] =
            serde_json::json!({"subjects": 4, "records": 4, "events_after": 8, "items_after": 2});
    });
    let answer = desk.fails(&format!("{KM} --json"), 5).json();
    assert_eq!(
        (&answer["holds"], &answer["violations"][0]["pattern"]),
        (&false.into(), &serde_json::json!(["b", "a"]))
    );
    assert_eq!(answer["contradictions"].as_array().unwrap().len(), 1, "{answer}");
}

/// Whatever the manifest says of the files is looked up in them.
#[test]
fn every_claim_about_the_files_is_looked_up() {
    let desk = released();
    let honest = desk.read("release/manifest.json");
    desk.ok(KM);
    let changes: [(&str, serde_json::Value); 7] = [
        ("/counts/events_after", 3.into()),
        ("/counts/items_after", 99.into()),
        ("/counts/records", 2.into()),
        ("/nature", "synthetic".into()),
        ("/columns", serde_json::json!(["age"])),
        ("/outputs/0/sha256", "00".into()),
        ("/generalised", serde_json::json!([{"item": "nowhere", "members": ["a", "b"]}])),
    ];
    for (place, value) in changes {
        desk.write("release/manifest.json", &honest);
        tamper(&desk, |manifest| *manifest.pointer_mut(place).unwrap() = value);
        let answer = desk.fails(&format!("{KM} --json"), 5).json();
        assert_eq!(answer["holds"], true, "{place}: the judgement comes first");
        assert_eq!(answer["contradictions"].as_array().unwrap().len(), 1, "{place}: {answer}");
    }
}

/// A name that the manifest explains is judged as written and as explained; the worse counts.
#[test]
fn names_that_the_manifest_explains_are_judged_both_ways() {
    let desk = released();
    without_items(&desk);
    desk.write("release/release.csv", "record,item\n1,food\n2,food\n3,pub\n4,pub\n");
    let said = |desk: &Desk, members: &[&str]| {
        tamper(desk, |manifest| {
            without_fingerprints(manifest);
            manifest["generalised"] = serde_json::json!([{"item": "food", "members": members}]);
            manifest["counts"] =
                serde_json::json!({"subjects": 4, "records": 4, "events_after": 4, "items_after": 2});
        });
    };
    said(&desk, &["bakery", "deli"]);
    desk.ok(KM);
    // As written one person was at `food`; that the manifest calls it a pub, too, does not help.
    said(&desk, &["bakery", "deli"]);
    desk.write("release/release.csv", "record,item\n1,food\n2,pub\n3,pub\n4,pub\n");
    let answer = desk.fails(&format!("{KM} --json"), 5).json();
    assert_eq!(answer["violations"][0]["pattern"], serde_json::json!(["food"]));
}

/// Whatever lies in place of a manifest, files are judged by what was typed; and nothing panics.
#[test]
fn a_manifest_that_makes_no_sense_does_not_stand_in_the_way() {
    let desk = released();
    let honest = desk.read("release/manifest.json");
    let deep = "[".repeat(100_000);
    let huge = honest.replacen("\"events_after\": ", "\"events_after\": 1000000000000000000000000", 1);
    let newer = honest.replacen("throng-release/", "throng-release/9", 1);
    for text in ["", "{", "null", "[]", "NaN", "{\"schema\": 7}", "\u{0}", &deep, &huge, &newer] {
        desk.write("release/manifest.json", text);
        let ran = desk.ok(KM);
        assert!(ran.stdout.contains("the manifest was not used"), "{}", ran.stdout);
        desk.fails("verify release", 3);
    }
    std::fs::write(desk.path("release/manifest.json"), [0xff, 0xfe, 0x00]).unwrap();
    desk.ok(KM);
    std::fs::remove_file(desk.path("release/manifest.json")).unwrap();
    std::fs::create_dir(desk.path("release/manifest.json")).unwrap();
    desk.ok(KM);
    std::fs::remove_dir(desk.path("release/manifest.json")).unwrap();
    desk.ok(KM);
    desk.fails("verify release", 2);
}

#[test]
fn a_release_without_a_row_is_empty_and_nothing_else() {
    let desk = Desk::new();
    desk.write("release/release.csv", "record,item\n");
    assert_eq!(desk.ok(&format!("{KM} --json")).json()["checked"], 0);
    desk.write("release/release.csv", "");
    desk.fails(KM, 3);
    desk.write("release/release.csv", "record\n1\n");
    desk.fails(KM, 3);
}

/// People with an illness: who was at `a` at 9 o'clock has it.
fn illness() -> Desk {
    let desk = Desk::new();
    desk.write("release/release.csv", "record,item,time\n1,a,9\n2,a,9\n3,b,9\n4,b,9\n")
        .write("by-record.csv", "record,health\n1,ill\n2,ill\n3,well\n4,well\n")
        .write("by-person.csv", "subject,health\nann,ill\nbob,ill\ncal,well\ndan,well\n")
        .write("links.csv", "record,subject\n1,ann\n2,bob\n3,cal\n4,dan\n");
    desk
}

/// Before, the column was not there, so nothing could be broken, so the promise held.
#[test]
fn what_was_not_judged_is_said_and_is_not_ok() {
    let desk = illness();
    let line = "verify release --promise lkc --L 2 --K 2 --C 0.6 --sensitive-values health=ill";
    insta::assert_snapshot!(desk.fails(line, 6).stdout);
    let answer = desk.fails(&format!("{line} --json"), 6).json();
    assert_eq!((&answer["holds"], &answer["answer"]), (&true.into(), &"judged-in-part".into()));
    assert_eq!(answer["judged"].as_array().unwrap().len(), 1);
    assert_eq!(answer["not_judged"].as_array().unwrap().len(), 1);
    // Broken is broken, whatever was not judged.
    desk.fails(&line.replace("--K 2", "--K 3"), 5);
    desk.fails("verify release --promise lkc --L 2 --K 2 --C 0.6", 6);
    desk.ok("verify release --promise lkc --L 2 --K 2");
}

#[test]
fn records_that_are_given_are_used_or_refused() {
    let desk = illness();
    let line = "verify release --promise lkc --L 2 --K 2 --C 0.6 --sensitive-values health=ill";
    desk.fails(&format!("{line} --records by-record.csv"), 5);
    desk.fails(&format!("{line} --records by-person.csv --linkage links.csv"), 5);
    let loose = line.replace("0.6", "1");
    desk.ok(&format!("{loose} --records by-record.csv"));
    desk.ok(&format!("{loose} --records by-person.csv --linkage links.csv"));
    desk.fails(&format!("{line} --records by-person.csv"), 2);
    desk.write("other.csv", "record,age\n1,3\n2,3\n3,3\n4,3\n").write("few.csv", "record,health\n1,ill\n");
    desk.fails(&format!("{line} --records other.csv"), 3);
    desk.fails(&format!("{line} --records few.csv"), 3);
}

#[test]
fn p2k_is_judged_in_the_form_that_the_files_can_show() {
    let desk = Desk::new();
    desk.write("release/release.csv", "record,item\n1,a\n2,a\n");
    assert_eq!(desk.ok("verify release --promise p2k -k 2 --json").json()["parameters"]["form"], "release");
    let answer = desk.fails("verify release --promise p2k -k 2 --form both --json", 6).json();
    assert_eq!(answer["answer"], "judged-in-part");
    desk.fails("verify release --promise p2k -k 2 --form original", 2);
    desk.fails("verify release --promise p2k -k 3 --form both", 5);
}

/// Several records of one person are told by the manifest alone, which is then taken at its word.
#[test]
fn records_that_may_be_one_persons_are_judged_in_part() {
    let desk = Desk::new();
    desk.write("trips.csv", "subject,record,item\nann,1,a\nann,2,a\nbob,3,a\ncal,4,a\n")
        .write("places.csv", "item,x,y\na,0,0\n");
    desk.ok(
        "anonymize trips.csv --places places.csv --method seqanon -k 3 -m 1 -o release --linkage links.csv",
    );
    desk.fails("verify release --promise km -k 3 -m 1", 6);
    desk.ok("verify release --promise km -k 3 -m 1 --linkage links.csv");
    desk.fails("verify release --promise km -k 4 -m 1 --linkage links.csv", 5);
}

#[test]
fn what_no_file_can_show_was_not_judged() {
    let desk = Desk::new();
    desk.write("release/release.csv", "record,item\n1,a\n2,a\n").write("patterns.csv", "a > a\n");
    insta::assert_snapshot!(desk.fails("verify release --promise dp --epsilon 1", 6).stdout);
    let answer =
        desk.fails("verify release --promise mi --epsilon 1 --patterns patterns.csv --json", 6).json();
    assert_eq!((&answer["holds"], &answer["answer"]), (&false.into(), &"not-judged".into()));
}

/// The attack: at epsilon 0 a person's only sensitive pattern stood in the release for everybody to read.
#[test]
fn a_persons_only_sensitive_pattern_can_be_hidden() {
    let desk = Desk::new();
    desk.write("clicks.csv", "subject,item\nann,a\nann,b\nann,c\nbob,c\nbob,d\n")
        .write("tree.csv", "a;x;all\nb;x;all\nc;y;all\nd;y;all\n")
        .write("patterns.csv", "a > b\n");
    let line = "anonymize clicks.csv --taxonomy tree.csv --patterns patterns.csv --epsilon 0 --window 2";
    for method in ["mi-top-down", "mi-bottom-up"] {
        let kept = desk.ok(&format!("{line} --method {method} -o kept-{method}"));
        assert!(kept.stderr.contains("1 of 2 people have only one sensitive pattern"), "{}", kept.stderr);
        let released = desk.read(&format!("kept-{method}/release.csv"));
        assert!(released.contains(",a\n") && released.contains(",b\n"), "{released}");
        let manifest = desk.read(&format!("kept-{method}/manifest.json"));
        assert!(manifest.contains("for everybody to see") && !manifest.contains("1 of 2 people"));

        desk.ok(&format!("{line} --method {method} --only hide -o hidden-{method}"));
        let released = desk.read(&format!("hidden-{method}/release.csv"));
        assert!(!(released.contains(",a\n") && released.contains(",b\n")), "{released}");
    }
    desk.fails("verify clicks.csv --promise mi --epsilon 0 --only hide --patterns patterns.csv", 5);
    desk.ok("verify clicks.csv --promise mi --epsilon 0 --patterns patterns.csv");
}

/// A release with this k was written, and could not be verified: its promise stopped at a million.
#[test]
fn a_promise_takes_what_its_methods_take() {
    let desk = Desk::new();
    desk.write("release/release.csv", "record,item\n");
    desk.ok("verify release --promise km -k 2000000 -m 2");
    desk.ok("verify release --promise klm -k 2000000 -l 2000000 -m 2");
}
