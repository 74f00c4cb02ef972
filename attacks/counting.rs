//! The attacker subtracts: published counts from a total, and one release from another.

use serde_json::Value;

use crate::program::Desk;
use crate::published::Published;

/// So many people at `a`, and so many others at `b`.
fn stops(a: usize, b: usize) -> Desk {
    let desk = Desk::new();
    let row = |person: usize| format!("p{person},{}\n", if person < a { "a" } else { "b" });
    let rows: String = (0..a + b).map(row).collect();
    desk.write("stops.csv", &format!("subject,item\n{rows}"));
    desk
}

fn numbers(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|value| numbers(value, found)),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, found)),
        Value::Number(number) => found.extend(number.as_f64()),
        _ => {}
    }
}

#[test]
fn no_total_tells_a_withheld_count() {
    let desk = stops(397, 3);
    desk.ok("anonymize stops.csv --method counts -k 5 -o out");
    let rows = desk.read("out/counts.csv");
    assert_eq!(rows, "table,item,to,time,until,people\nvisits,a,,,,397\n");
    let manifest = Published::of(&desk, "out").manifest();
    assert_eq!(manifest["counts"].get("subjects"), None, "{manifest}");
    let mut told = Vec::new();
    numbers(&manifest, &mut told);
    for total in [400.0, 3.0] {
        assert!(!told.contains(&total), "{total} is told: {manifest}");
    }
    assert!(!desk.read("out/report.html").contains(">400<"));
}

#[test]
fn two_releases_of_nearly_the_same_people_are_subtracted_succeeds_and_is_not_covered() {
    let (with, without) = (stops(20, 0), stops(19, 0));
    let count = |desk: &Desk| -> u64 {
        desk.ok("anonymize stops.csv --method counts -k 5 -o out");
        let rows = desk.read("out/counts.csv");
        rows.lines()
            .last()
            .and_then(|row| row.rsplit(',').next())
            .and_then(|people| people.parse().ok())
            .unwrap()
    };
    assert_eq!(count(&with) - count(&without), 1, "the person who was left out was at `a`");
    let note = Published::of(&with, "out").manifest()["notes"].to_string();
    assert!(note.contains("could be subtracted"), "{note}");
}
