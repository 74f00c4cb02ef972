//! The promise `mi` bounds what is learned about *which* sensitive pattern occurred. The only pattern of a person
//! cannot be mistaken for another.

use crate::program::Desk;
use crate::published::Published;

const RUN: &str = "anonymize clicks.csv --taxonomy taxonomy.csv --patterns patterns.csv --epsilon 0";

/// Anna's only sensitive pattern is clinic, then pharmacy; Bert has two.
fn clicks() -> Desk {
    let desk = Desk::new();
    desk.write(
        "clicks.csv",
        "subject,item\nanna,clinic\nanna,pharmacy\nbert,clinic\nbert,pharmacy\nbert,bank\nbert,court\n",
    );
    desk.write("patterns.csv", "clinic > pharmacy\nbank > court\n");
    desk.write("taxonomy.csv", "clinic;health;any\npharmacy;health;any\nbank;money;any\ncourt;money;any\n");
    desk
}

#[test]
fn an_only_pattern_is_published_as_it_is_succeeds_and_is_not_covered() {
    for method in ["mi-top-down", "mi-bottom-up"] {
        let desk = clicks();
        desk.ok(&format!("{RUN} --method {method} -o out"));
        let crowd = Published::of(&desk, "out").crowd();
        assert!(crowd.contains(&vec!["clinic".to_owned(), "pharmacy".to_owned()]), "{method}: {crowd:?}");
    }
}

#[test]
fn a_policy_hides_an_only_pattern() {
    for method in ["mi-top-down", "mi-bottom-up"] {
        let desk = clicks();
        desk.ok(&format!("{RUN} --method {method} --only hide -o out"));
        let crowd = Published::of(&desk, "out").crowd();
        assert!(!crowd.contains(&vec!["clinic".to_owned(), "pharmacy".to_owned()]), "{method}: {crowd:?}");
    }
}

/// A person with patterns of their own is published coarser than one with the same record and none.
#[test]
fn who_hides_something_is_seen_succeeds_and_is_not_covered() {
    let desk = clicks();
    desk.write("clicks.csv", "subject,item\nanna,clinic\nanna,bank\nbert,clinic\nbert,bank\n");
    desk.write("theirs.csv", "subject,pattern\nanna,clinic\nanna,bank\n");
    desk.ok(
        "anonymize clicks.csv --taxonomy taxonomy.csv --person-patterns theirs.csv --epsilon 0 --method mi-top-down -o out",
    );
    let crowd = Published::of(&desk, "out").crowd();
    assert!(crowd.contains(&vec!["clinic".to_owned(), "bank".to_owned()]), "{crowd:?}");
    assert!(crowd.iter().any(|record| record[0] != "clinic"), "{crowd:?}");
}
