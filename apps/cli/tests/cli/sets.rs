//! Sets: baskets and codes, from the file to a verified release and back.

use crate::program::{Desk, SALT};

const BASKETS: &str =
    "bread milk\nbread milk beer\nbread beer\nmilk beer\nbread milk wine\nmilk wine\nbread wine\nbeer\n";
const TAXONOMY: &str = "bread;food;all\nmilk;food;all\nbeer;drink;all\nwine;drink;all\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("baskets.dat", BASKETS).write("taxonomy.csv", TAXONOMY);
    desk
}

#[test]
fn every_method_for_sets_gives_a_release_that_is_verified_from_its_files_alone() {
    let desk = desk();
    for method in ["apriori", "da", "oa", "lra", "vpa", "coat", "pcta"] {
        let taxonomy = if matches!(method, "coat" | "pcta") { "" } else { "--taxonomy taxonomy.csv" };
        desk.ok(&format!(
            "anonymize baskets.dat {taxonomy} --method {method} -k 2 -m 2 -o release --force --salt {SALT}"
        ));
        let released = desk.read("release/release.csv");
        assert!(released.starts_with("record,item\n"), "{method}");
        let rows: Vec<(&str, &str)> =
            released.lines().skip(1).filter_map(|line| line.split_once(',')).collect();
        let sorted = |pair: &[(&str, &str)]| pair[0].0 != pair[1].0 || pair[0].1 < pair[1].1;
        assert!(rows.windows(2).all(sorted), "{method}: {released}");
        let verified = desk.ok("verify release --json").json();
        assert_eq!(
            (&verified["holds"], &verified["contradictions"]),
            (&true.into(), &serde_json::json!([])),
            "{method}"
        );
        let km = desk.ok("verify release --promise km -k 2 -m 2 --json").json();
        assert_eq!(km["holds"], true, "{method}");
    }
}

#[test]
fn sequences_are_read_as_sets_when_asked() {
    let desk = Desk::new();
    desk.write("long.csv", "subject,item\n1,b\n1,a\n1,b\n2,a\n2,b\n3,a\n4,b\n");
    let refused = desk.run("anonymize long.csv --method apriori -k 2 -m 2 -o out");
    assert_eq!(refused.code, 3);
    assert!(refused.all().contains("--sets"), "{}", refused.all());
    desk.ok("anonymize long.csv --sets --method apriori -k 2 -m 2 -o out");
}

#[test]
fn a_release_of_sets_is_summed_up_on_one_screen() {
    let desk = desk();
    let line = format!(
        "anonymize baskets.dat --taxonomy taxonomy.csv --method apriori -k 3 -m 2 -o release --salt {SALT}"
    );
    insta::assert_snapshot!(desk.ok(&line).all());
}

#[test]
fn what_cannot_be_released_is_explained_and_leaves_nothing() {
    let desk = desk();
    desk.write("unknown.txt", "bread, cheese\n").write("part.txt", "bread, milk\nbeer\n");
    desk.write("twice.txt", "bread, milk, beer\nbeer, wine\n");
    let mut text = String::new();
    for (line, code) in [
        ("anonymize baskets.dat --method coat -k 2 --policy unknown.txt -o out", 3),
        ("anonymize baskets.dat --method coat -k 2 -m 2 --constraints part.txt -o out", 3),
        ("anonymize baskets.dat --method coat -k 2 -m 2 --constraints twice.txt -o out", 3),
        ("anonymize baskets.dat --method apriori -k 9 -m 2 -o out", 4),
    ] {
        let ran = desk.run(line);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.all()));
        assert_eq!(ran.code, code, "{line}\n{}", ran.all());
        assert!(!desk.path("out").exists(), "{line}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn known_items_of_sets_have_no_order() {
    let desk = Desk::new();
    desk.write("baskets.dat", "1 2 3\n1 2\n2 3\n");
    let asked = |know: &str| desk.ok(&format!("attack baskets.dat --json --know '{know}'")).json();
    assert_eq!(asked("2, 1")["before"]["people"], 2);
    assert_eq!(asked("2 > 1")["before"]["people"], 2);
}
