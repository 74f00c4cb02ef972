//! The attacker holds two releases, each of which keeps its promise, and knows that a person is in both: composition
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

/// Eight people; every group of both releases has two people and two illnesses.
const WARD: &str = "id,age,zip,ill\nanna,21,10,hiv\nbert,22,20,flu\ncarl,31,10,gout\ndora,32,20,hiv\nemil,41,30,flu\n\
                    fred,42,40,gout\ngina,51,30,hiv\nhugo,52,40,flu\n";
/// Ages in tens first, whatever the place; then places, whatever the age.
const BY_AGE: &str =
    "anonymize ward.csv --quasi age --sensitive-attribute ill --method mondrian -k 2 -l 2 -o by-age";
const BY_ZIP: &str =
    "anonymize ward.csv --quasi zip --sensitive-attribute ill --method mondrian -k 2 -l 2 -o by-zip";

/// An attacker who knows age and place of a person: the illnesses of the rows that fit in each release.
fn illnesses(desk: &Desk, release: &str, column: &str, value: f64) -> BTreeSet<String> {
    let published = desk.read(&format!("{release}/records.csv"));
    let mut lines = published.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let ill = header.iter().position(|name| *name == "ill").unwrap();
    let known = header.iter().position(|name| *name == column).unwrap();
    let mut found = BTreeSet::new();
    for line in lines {
        let (cells, mut quoted, mut cell) = (&mut Vec::new(), false, String::new());
        for letter in line.chars() {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(std::mem::take(&mut cell)),
                letter => cell.push(letter),
            }
        }
        cells.push(cell);
        let range = cells[known].trim_matches(['[', ']']).to_owned();
        let (low, high) = range.split_once(',').unwrap_or((&range, &range));
        if low.parse::<f64>().is_ok_and(|low| low <= value)
            && high.parse::<f64>().is_ok_and(|high| value <= high)
        {
            found.insert(cells[ill].clone());
        }
    }
    found
}

/// Two releases of one table, each with l = 2: for an attacker who knows age and place, one illness is left. The ledger says so before
/// the second release is written, and a policy refuses it.
#[test]
fn two_tables_that_make_an_illness_certain_together_are_told_and_can_be_refused() {
    let desk = Desk::new();
    desk.write("ward.csv", WARD);
    desk.ok(BY_AGE);
    let refused = desk.fails(&format!("{BY_ZIP} --together refuse"), 7);
    assert!(refused.stderr.contains("breaks its promise together with release 1"), "{}", refused.stderr);
    assert!(!desk.path("by-zip").exists(), "nothing was written");
    let warned = desk.ok(BY_ZIP);
    assert!(
        warned.stderr.contains("which is not written yet, breaks its promise together with release 1"),
        "{}",
        warned.stderr
    );
    for release in ["by-age", "by-zip"] {
        desk.ok(&format!("verify {release} --sensitive-attribute ill"));
    }
    let certain = WARD.lines().skip(1).filter(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let by_age = illnesses(&desk, "by-age", "age", cells[1].parse().unwrap());
        let by_zip = illnesses(&desk, "by-zip", "zip", cells[2].parse().unwrap());
        assert!(by_age.len() > 1 && by_zip.len() > 1, "each release alone leaves two");
        by_age.intersection(&by_zip).count() == 1
    });
    let certain = certain.count();
    assert!(certain > 0, "the attack does not succeed on these tables");
    let told = desk.ok("ledger attack by-age by-zip --json").json();
    assert_eq!(told["people"], 8, "all are in both");
    let by_ledger = told["tables"]["values"][0]["certain"]["count"].as_u64().unwrap();
    assert!(by_ledger >= certain as u64, "the ledger knows of no fewer than the attacker: {told}");
}

/// The same table again, made to be safe together with the first: no one is lost, and no illness becomes certain.
#[test]
fn a_table_that_is_made_after_another_one_gives_nothing_more_away() {
    let desk = Desk::new();
    desk.write("ward.csv", WARD);
    desk.ok(BY_AGE);
    let second = desk.ok(&format!("{BY_ZIP} --after by-age --together refuse"));
    assert!(!second.stderr.contains("breaks its promise"), "{}", second.stderr);
    let told = desk.ok("ledger attack by-age by-zip --json").json();
    let point = &told["points"][0];
    assert_eq!((&told["people"], &point["lost"]["count"]), (&8.into(), &0.into()), "{told}");
    assert_eq!(told["tables"]["values"][0]["certain_by_rows"]["count"], 0, "{told}");
    assert_eq!(told["tables"]["values"][0]["promise_lost"]["count"], 0, "{told}");
    let manifest: serde_json::Value = serde_json::from_str(&desk.read("by-zip/manifest.json")).unwrap();
    let first: serde_json::Value = serde_json::from_str(&desk.read("by-age/manifest.json")).unwrap();
    let records = first["outputs"].as_array().unwrap().iter().find(|file| file["role"] == "records").unwrap();
    assert_eq!(manifest["after"]["sha256"], records["sha256"]);
}
