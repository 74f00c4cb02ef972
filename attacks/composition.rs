//! The attacker holds two releases, each of which keeps its promise, and knows that somebody is in both: composition
//! (specification 13.14).

use std::collections::BTreeSet;

use crate::program::Desk;
use crate::published::Published;

const RUN: &str = "--method lkc --L 1 --K 2 --C 1/3 --publish status";

fn hospital(desk: &Desk, name: &str, visit: &str, people: &[(&str, &str)]) -> BTreeSet<String> {
    let mut events = String::from("subject,item,time\n");
    let mut records = String::from("subject,status\n");
    for (person, status) in people {
        events += &format!("{person},{visit}\n");
        records += &format!("{person},{status}\n");
    }
    let statuses: BTreeSet<&str> = people.iter().map(|(_, status)| *status).collect();
    let statuses: Vec<&str> = statuses.into_iter().collect();
    desk.write(&format!("{name}.csv"), &events).write(&format!("{name}-records.csv"), &records);
    let values = statuses.join(",");
    let ran = desk.ok(&format!(
        "anonymize {name}.csv --records {name}-records.csv {RUN} --sensitive-values status={values} -o {name}"
    ));
    if name == "second" {
        assert!(ran.stderr.contains("warning"), "the publisher is told: {}", ran.stderr);
    }
    // The attacker: who made that visit has one of these.
    let published = Published::of(desk, name);
    let status = published.column("status");
    let visits = published.records();
    let visited = visits.iter().filter(|(_, events)| events.contains(&visit.to_owned()));
    visited.map(|(record, _)| status[record].clone()).collect()
}

/// Vector `attack-composition`: flu, hiv, cancer in one release; hiv, asthma, diabetes in the other. Anna is in both. What
/// holds is that the publisher's ledger sees that people are released again, and says so before the second one leaves.
#[test]
fn two_releases_meet_in_one_value_succeeds_and_is_not_covered() {
    let desk = Desk::new();
    let first = hospital(
        &desk,
        "first",
        "ward,1",
        &[("anna", "hiv"), ("bert", "hiv"), ("c", "flu"), ("d", "flu"), ("e", "cancer"), ("f", "cancer")],
    );
    let second = hospital(
        &desk,
        "second",
        "clinic,2",
        &[
            ("anna", "hiv"),
            ("bert", "hiv"),
            ("g", "asthma"),
            ("h", "asthma"),
            ("i", "diabetes"),
            ("j", "diabetes"),
        ],
    );
    assert_eq!(first, ["cancer", "flu", "hiv"].map(str::to_owned).into());
    assert_eq!(second, ["asthma", "diabetes", "hiv"].map(str::to_owned).into());
    assert_eq!(first.intersection(&second).collect::<Vec<_>>(), ["hiv"]);
}
