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

/// A cluster whose people have sensitive items only: nothing of it may be known, and there is a world in which each has one.
#[test]
fn people_with_sensitive_items_only_are_released() {
    let desk = Desk::new();
    desk.write("one.csv", "subject,item\nu1,s\n").write("sensitive.csv", "s\n");
    desk.ok(
        "anonymize one.csv --sets --sensitive sensitive.csv --method disassociation -k 1 -m 1 -l 1 -o one",
    );
    desk.write("two.csv", "subject,item\nu1,s\nu2,t\nu3,s\nu4,t\nu5,a\nu6,a\nu7,a\nu8,a\n")
        .write("both.csv", "s\nt\n");
    desk.ok("anonymize two.csv --sets --sensitive both.csv --method disassociation -k 2 -m 2 -l 2 --max-cluster 3 -o two");
    assert_eq!(
        desk.run("verify two --sensitive both.csv").code,
        6,
        "how many have a secret is judged before it is written"
    );
}

/// Names that mean something in a release: each is read again as what it is.
#[test]
fn awkward_names_are_read_again_as_what_they_are() {
    let desk = Desk::new();
    let names = ["a|b", "{c}", "~17", "back\\slash", "*", "[1,2]", "007", "\u{e9}t\u{e9}", "{x|y}", "1e5"];
    let mut rows = String::from("subject,item\n");
    for person in 0..40 {
        for item in [names[person % 10], names[(person / 2) % 10]] {
            rows.push_str(&format!("p{person},\"{item}\"\n"));
        }
    }
    // Nodes that are called like sets, short names and nothing that could be read.
    let nodes = ["{c|d}", "~1", "p|q", "back\\", "{a"];
    let tree: String = (0..10).map(|at| format!("{};{};root|*\n", names[at], nodes[at / 2])).collect();
    desk.write("events.csv", &rows).write("tree.csv", &tree);
    for spelled in ["", "--spell-out", "--format parquet"] {
        for method in [
            "apriori --taxonomy tree.csv -k 12 -m 1",
            "apriori --taxonomy tree.csv -k 30 -m 1",
            "disassociation -k 3 -m 2",
            "coat -k 6 -m 1",
        ] {
            if method.starts_with("disassociation") && spelled.ends_with("parquet") {
                continue;
            }
            desk.ok(&format!(
                "anonymize events.csv --sets --method {method} {spelled} -o out --force --salt {SALT}"
            ));
            let verified = desk.ok("verify out --json").json();
            assert_eq!(
                (&verified["holds"], &verified["contradictions"]),
                (&true.into(), &serde_json::json!([])),
                "{method} {spelled}"
            );
        }
    }
    for (method, released) in [("suppress -k 2 -m 1", "out/release.csv"), ("counts -k 2", "out/counts.csv")] {
        desk.ok(&format!("anonymize events.csv --method {method} -o out --force --salt {SALT}"));
        let text = desk.read(released);
        for name in ["a\\|b", "\\{c\\}", "\\~17", "back\\\\slash"] {
            assert!(text.contains(name), "{method}: {name} in {text}");
        }
        assert_eq!(desk.ok("verify out --json").json()["holds"], true, "{method}");
    }
}

/// As written, `c` and `d` together are those of one person with two records; only with what `group 1` stands for do others fit. A reader may doubt what a name
/// stands for, so `verify` judges both, and what would fail there is not written.
#[test]
fn a_release_is_judged_as_it_is_written_before_it_is_written() {
    let desk = Desk::new();
    let records = [
        "p0,1,ad",
        "p1,2,bd",
        "p1,3,bd",
        "p1,4,ab",
        "p2,5,c",
        "p2,6,d",
        "p3,7,ab",
        "p4,8,cd",
        "p4,9,cd",
        "p4,10,abc",
        "p5,11,abc",
        "p6,12,a",
        "p6,13,acd",
    ];
    let rows: String = records
        .iter()
        .filter_map(|record| record.rsplit_once(','))
        .flat_map(|(whose, items)| items.chars().map(move |item| format!("{whose},{item}\n")))
        .collect();
    desk.write("events.csv", &format!("subject,record,item\n{rows}"));
    desk.write(
        "tree.csv",
        "a;group 1;top 0;any\nb;group 1;top 0;any\nc;group 1;top 0;any\nd;group 0;top 1;any\n",
    );
    let lra = "anonymize events.csv --sets --taxonomy tree.csv --method lra -k 2 -m 3 --part-size 1";
    assert_eq!(desk.run(&format!("{lra} --variant as-printed -o out")).code, 5);
    assert!(!desk.path("out").exists());
    desk.ok(&format!("{lra} -o out --linkage links.csv"));
    assert_eq!(desk.ok("verify out --linkage links.csv --json").json()["holds"], true);
}
