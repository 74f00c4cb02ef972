//! `throng policy`.

use crate::program::Desk;

/// Six baskets; `zoo` and three of the pairs are rare.
const BASKETS: &str = "milk bread\nmilk bread beer\nmilk beer\nbread beer\nmilk bread\nmilk zoo\n";
const TREE: &str = "milk;food;all\nbread;food;all\nbeer;drinks;all\nzoo;days-out;all\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("baskets.dat", BASKETS).write("tree.csv", TREE).write("known.csv", "milk\nbeer\nbread\n");
    desk
}

#[test]
fn policies_are_derived_and_shown_before_they_are_used() {
    let desk = desk();
    let mut text = String::new();
    for line in [
        "policy baskets.dat --derive km -k 3 -m 2",
        "policy baskets.dat --derive records",
        "policy baskets.dat --derive records --among known.csv",
        "policy baskets.dat --derive frequency -k 3",
        "policy baskets.dat --derive frequency --among known.csv",
        "policy baskets.dat --utility level --taxonomy tree.csv",
        "policy baskets.dat --utility similarity --share 50% --taxonomy tree.csv",
        "policy baskets.dat --utility top-frequency --keep 1 --taxonomy tree.csv",
        "policy baskets.dat --utility whole",
        "policy baskets.dat --derive km -k 3 -m 2 -o policy.csv",
        "policy baskets.dat --show policy.csv",
        "policy baskets.dat --show policy.csv --json",
    ] {
        text.push_str(&format!("$ throng {line}\n{}\n", desk.ok(line).all()));
    }
    insta::assert_snapshot!(text);
    let (origin, policy) =
        desk.read("policy.csv").split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(origin.starts_with("# cut from the data"), "{origin}");
    assert_eq!(policy, "zoo\nbeer,bread\nbeer,milk\nmilk,zoo\n");
}

#[test]
fn a_policy_that_is_edited_is_read_again_as_it_was_written() {
    let desk = Desk::new();
    // Names with separators, quotes and blanks.
    desk.write("sets.csv", "subject,item\n1,\"a,b\"\n1,c d\n2,\"say \"\"hi\"\"\"\n2,x;y\n");
    desk.ok("policy sets.csv --derive records -o policy.csv");
    let shown = desk.ok("policy sets.csv --show policy.csv --json").json();
    assert_eq!(shown["policy"], serde_json::json!([["a,b", "c d"], ["say \"hi\"", "x;y"]]));
}

#[test]
fn what_cannot_be_derived_is_explained() {
    let desk = desk();
    desk.write("odd.csv", "milk,ale\n").write("short.csv", "milk;food;all\n");
    let mut text = String::new();
    for (line, code) in [
        ("policy baskets.dat", 2),
        ("policy baskets.dat --derive rare", 2),
        ("policy baskets.dat --derive km -k 1", 2),
        ("policy baskets.dat --derive records -k 3", 2),
        ("policy baskets.dat --derive km --utility whole", 2),
        ("policy baskets.dat --utility level", 2),
        ("policy baskets.dat --utility level --taxonomy short.csv", 3),
        ("policy baskets.dat --utility similarity --share lots", 2),
        ("policy baskets.dat --show odd.csv", 3),
        ("policy baskets.dat --utility whole -o tree.csv", 7),
    ] {
        let ran = desk.run(line);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
}
