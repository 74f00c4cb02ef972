//! The second verdict: what a release is still good for, what is left of the data, and what would help.

use crate::program::Desk;

/// Twelve people who each went somewhere of their own, and home.
fn desk() -> Desk {
    let desk = Desk::new();
    let rows = (0..12).map(|person| format!("{person},p{person}\n{person},home\n"));
    desk.write("trips.csv", &("subject,item\n".to_owned() + &rows.collect::<String>()));
    let places = (0..12).map(|place| format!("p{place},{place},0\n"));
    desk.write("places.csv", &("item,x,y\nhome,0,9\n".to_owned() + &places.collect::<String>()));
    desk
}

const POOR: &str =
    "anonymize trips.csv --places places.csv --method seqanon -k 12 -m 2 -o release --force --no-ledger";

#[test]
fn what_is_left_and_what_would_help_is_told_beside_the_verdict() {
    let desk = desk();
    let said = desk.ok(POOR).all();
    for line in [
        "usefulness  poor: an event stands for 6.5 places",
        "left        100% of the events",
        "to change   ask for",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    let printed = desk.ok(&format!("{POOR} --json")).json();
    let exact = &printed["exact"];
    assert!(exact["survived"].as_array().unwrap().iter().any(|left| left["what"] == "queries"));
    let advice = exact["advice"].as_array().unwrap();
    assert!(!advice.is_empty() && advice.iter().all(|advice| advice["people"] == 12), "{advice:?}");
    // Neither is published.
    let manifest = desk.read("release/manifest.json");
    assert!(!manifest.contains("survived") && !manifest.contains("advice"));
    assert!(!desk.read("release/report.html").contains("What would help"));
    let without = desk.ok(&format!("{POOR} --no-advice --json")).json();
    assert_eq!(without["exact"].get("advice"), None);
}

#[test]
fn the_publisher_reads_it_on_the_internal_report_too() {
    let desk = desk();
    desk.ok(&format!("{POOR} --internal-report internal.html"));
    let page = desk.read("internal.html");
    assert!(page.contains("Left of the data") && page.contains("What would help"));
}

#[test]
fn limits_are_told_once_and_hold_everywhere() {
    let desk = desk();
    insta::assert_snapshot!(desk.ok("methods usefulness").stdout);
    let mild = "--usefulness members=50,99 --usefulness spread=100%,100%";
    let printed = desk.ok(&format!("{POOR} {mild} --json")).json();
    let grade = |json: &serde_json::Value| json["usefulness"]["grade"].as_str().unwrap().to_owned();
    assert_eq!(grade(&desk.ok(&format!("{POOR} --json")).json()), "poor");
    assert_ne!(grade(&printed), "poor");
    let limits = ["members=50,99", "spread=100%,100%"];
    assert_eq!(printed["usefulness"]["limits"], serde_json::json!(limits));
    // A recipe says the same.
    let recipe = desk.ok(&format!("{POOR} {mild} --print-recipe")).stdout;
    desk.write("recipe.toml", &recipe);
    let again = desk.ok("anonymize --recipe recipe.toml -o again --no-ledger --json").json();
    assert_eq!(again["usefulness"]["limits"], serde_json::json!(limits));
    for wrong in ["events", "event=1%,2%", "events=50%,10%"] {
        assert_eq!(desk.run(&format!("{POOR} --usefulness {wrong}")).code, 2, "{wrong}");
    }
}
