//! `throng measure` and `throng workload`.

use serde_json::Value;

use crate::program::Desk;

/// Seven people, one of them with two trips.
const TRIPS: &str = "subject,trip,place\n\
    1,a,home\n1,a,bus\n1,a,work\n1,b,home\n1,b,zoo\n2,a,home\n2,a,bus\n2,a,work\n3,a,home\n3,a,work\n\
    4,a,bus\n4,a,work\n5,a,zoo\n5,a,home\n6,a,bus\n6,a,home\n7,a,work\n7,a,pub\n";
const PLACES: &str = "item,x,y\nhome,0,0\nbus,1,0\nwork,4,0\nzoo,0,3\npub,5,1\n";
const SEQANON: &str = "anonymize trips.csv --places places.csv --taxonomy tree.csv --method seqanon -k 2 -m 2 -o out \
     --linkage links.csv";
const TAXONOMY: &str = "home;stay;any\nwork;stay;any\nbus;move;any\nzoo;fun;any\npub;fun;any\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("trips.csv", TRIPS).write("places.csv", PLACES).write("tree.csv", TAXONOMY);
    desk.ok(SEQANON);
    desk
}

fn reading(measured: &Value, scale: &str) -> Option<f64> {
    let mut all = measured["measures"].as_array().unwrap().iter();
    all.find_map(|measure| measure["readings"][scale].as_f64())
}

#[test]
fn numbers_are_shown_with_their_scales() {
    let desk = desk();
    let mut text = String::new();
    for line in [
        "measure trips.csv out",
        "measure trips.csv out --linkage links.csv --places places.csv --taxonomy tree.csv",
        "measure trips.csv out --linkage links.csv --measure mfs --measure patterns --min-support 2 --projections 3",
        "measure trips.csv out --linkage links.csv --measure shape --json",
    ] {
        text.push_str(&format!("$ throng {line}\n{}\n", desk.ok(line).all()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_release_read_back_with_its_linkage_measures_as_it_did_in_memory() {
    let desk = desk();
    // Every person's symbols are generalised in a way of their own: records taken for others would be seen.
    desk.write("hide.txt", "home > work\nbus > home\nbus > work\n");
    let own = desk.ok(
        "anonymize trips.csv --places places.csv --taxonomy tree.csv --patterns hide.txt --method mi-top-down \
         --epsilon 0 --window 10 -o own --linkage own.csv --json",
    );
    let out = desk.ok(&format!("{SEQANON} --force --json"));
    let (own, out) = (own.json(), out.json());
    for (release, linkage, made) in
        [("out", "links.csv", &out), ("own", "own.csv", &own), ("own/release.csv", "own.csv", &own)]
    {
        let line = format!(
            "measure trips.csv {release} --places places.csv --taxonomy tree.csv --linkage {linkage} --json"
        );
        let measured = desk.ok(&line).json();
        assert_eq!((&measured["schema"], &measured["aligned"]), (&"throng-measures/1".into(), &true.into()));
        // The publisher's numbers are exact; those of the manifest are not.
        let told = made["exact"]["measures"].as_object().unwrap();
        assert!(told.len() >= 8, "{told:?}");
        for (scale, value) in told {
            assert_eq!(reading(&measured, scale), value.as_f64(), "{scale} of {release}");
        }
    }
}

#[test]
fn a_linkage_without_positions_still_tells_people_apart() {
    let desk = desk();
    let mut short = String::new();
    for row in desk.read("links.csv").lines() {
        short.push_str(row.rsplit_once(',').unwrap().0);
        short.push('\n');
    }
    desk.write("short.csv", &short).write("queries.txt", "home\nhome > work\nhome > moon\n");
    let count = |linkage: &str| {
        let measured =
            desk.ok(&format!("measure trips.csv trips.csv --queries queries.txt {linkage} --json"));
        (reading(&measured.json(), "are"), reading(&measured.json(), "zero_queries"))
    };
    assert_eq!(count(""), (Some(0.0), Some(1.0)));
    let line = "measure trips.csv out --queries queries.txt --taxonomy tree.csv --json --linkage ";
    let (long, short) =
        (desk.ok(&format!("{line}links.csv")).json(), desk.ok(&format!("{line}short.csv")).json());
    assert_eq!((&long["aligned"], &short["aligned"]), (&true.into(), &false.into()));
    assert!((reading(&long, "are").unwrap() - reading(&short, "are").unwrap()).abs() < 1e-12);
    assert!(short["notes"][0].as_str().unwrap().contains("position"), "{}", short["notes"]);
}

#[test]
fn data_are_their_own_best_release() {
    let desk = desk();
    let all = "--measure shape --measure suppression --measure distance --measure semantic --measure mi-utility \
               --measure queries --measure kl --measure patterns --measure similarity --measure mfs";
    let line = format!("measure trips.csv trips.csv --places places.csv --taxonomy tree.csv {all} --json");
    let measured = desk.ok(&line).json();
    for (scale, best) in
        [("are", 0.0), ("kl_divergence", 0.0), ("sim1", 1.0), ("patterns_kept", 1.0), ("distance", 0.0)]
    {
        assert_eq!(reading(&measured, scale), Some(best), "{scale}");
    }
}

#[test]
fn a_workload_is_drawn_saved_and_asked() {
    let desk = desk();
    let drawn = desk.ok("workload trips.csv --queries 6 --sizes 1..3 --seed 3");
    insta::assert_snapshot!(drawn.all());
    desk.ok("workload trips.csv --queries 6 --sizes 1..3 --seed 3 -o queries.txt");
    assert_eq!(desk.read("queries.txt"), drawn.stdout);
    let measured = desk.ok("measure trips.csv out --measure queries --queries queries.txt --json").json();
    assert_eq!(reading(&measured, "queries"), Some(6.0));
}

#[test]
fn what_cannot_be_measured_is_explained() {
    let desk = desk();
    desk.write("queries.txt", "home > > work\n")
        .write("other.csv", "record,subject,position\n1,stranger,1\n");
    let mut text = String::new();
    for (line, code) in [
        ("measure trips.csv", 2),
        ("measure trips.csv nowhere.csv", 3),
        ("measure trips.csv out --measure shapes", 2),
        ("measure trips.csv out --measure distance", 2),
        ("measure trips.csv out --min-support 2", 2),
        ("measure trips.csv out --measure queries --drawn 0", 2),
        ("measure trips.csv out --queries queries.txt", 3),
        ("measure trips.csv out --linkage other.csv", 3),
        ("measure trips.csv out --records misspelt.csv", 3),
        ("reconstruct out -o drawn", 2),
        ("reconstruct . -o drawn", 3),
        ("reconstruct nowhere -o drawn", 3),
        ("workload trips.csv --sizes 3..2", 2),
        ("workload trips.csv --sizes 9", 3),
        ("workload trips.csv -o places.csv", 7),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}
