//! A verdict that sounds like more than was looked at.

use serde_json::json;

use crate::program::Desk;

fn clinic() -> Desk {
    let desk = Desk::new();
    let events: String = (0..6).map(|person| format!("p{person},ward,1\n")).collect();
    let statuses = ["ill", "ill", "ill", "well", "well", "well"];
    let records: String = (0..6).map(|person| format!("p{person},{}\n", statuses[person])).collect();
    desk.write("trips.csv", &format!("subject,item,time\n{events}"));
    desk.write("records.csv", &format!("subject,status\n{records}"));
    desk
}

const RUN: &str = "anonymize trips.csv --records records.csv --method lkc --L 1 --K 3 --C 1/2 --sensitive-values status=ill";

/// The sensitive column was not published, so that no reader can judge how surely it is inferred: 0.1.0 said "holds".
#[test]
fn a_sensitive_column_that_is_not_there_is_not_judged() {
    let desk = clinic();
    desk.ok(&format!("{RUN} -o out"));
    let ran = desk.run("verify out --json");
    assert_eq!(ran.code, 6, "{}{}", ran.stdout, ran.stderr);
    assert_ne!(ran.json()["not_judged"], json!([]));
}

#[test]
fn a_sensitive_column_that_is_there_is_judged() {
    let desk = clinic();
    desk.ok(&format!("{RUN} --publish status -o out"));
    let ran = desk.run("verify out --sensitive-values status=ill --json");
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.json()["not_judged"], json!([]));
    // Only the manifest says that attackers do not know it.
    assert_eq!(desk.run("verify out").code, 6);
    assert_eq!(
        desk.run("verify out --promise lkc --L 1 --K 3 --C 1/3 --sensitive-values status=ill").code,
        5
    );
}
