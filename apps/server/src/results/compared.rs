//! A comparison: one cell for each method and value, and how to read their numbers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use throng_lab::catalogue;

use crate::jobs::{COMPARISON, CompareSpec};
use crate::problem::Problem;

/// What came of a comparison.
#[derive(Debug, Serialize)]
pub struct Compared {
    kind: &'static str,
    param: String,
    scales: Vec<Value>,
    cells: Vec<CellView>,
}

#[derive(Debug, Serialize)]
struct CellView {
    method: String,
    x: String,
    state: String,
    problem: Option<String>,
    seconds: Option<f64>,
    values: BTreeMap<String, Option<f64>>,
}

#[derive(Debug, Deserialize)]
struct Printed {
    rows: Vec<Map<String, Value>>,
}

/// The column of people singled out by attackers who know so many events.
const SINGLED_OUT: &str = "singled_out_";

/// Reads a job's folder.
pub fn of(folder: &Path, spec: &CompareSpec) -> Result<Compared, Problem> {
    let directory = folder.join(COMPARISON);
    let printed: Printed = serde_json::from_slice(&fs::read(directory.join("table.json"))?)?;
    let param = spec.vary.as_ref().map(|vary| vary.param.clone()).unwrap_or_default();
    let timings = seconds(&fs::read_to_string(directory.join("timings.csv")).unwrap_or_default());
    let heads = ["data", "method", "seed", "outcome", "reason", param.as_str()];
    let text = |row: &Map<String, Value>, name: &str| match row.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    };
    let known = (1..=9).rev().find(|known| {
        printed.rows.iter().any(|row| row.get(&format!("{SINGLED_OUT}{known}")).is_some_and(Value::is_number))
    });
    let mut cells = Vec::new();
    for (place, row) in printed.rows.iter().enumerate() {
        let numbers = row.iter().filter(|(name, _)| !heads.contains(&name.as_str()));
        let mut values: BTreeMap<String, Option<f64>> =
            numbers.map(|(name, value)| (name.clone(), value.as_f64())).collect();
        let seconds = timings.get(place).copied().flatten();
        values.insert("seconds".to_owned(), seconds);
        if let Some(known) = known {
            let risk = row.get(&format!("{SINGLED_OUT}{known}")).and_then(Value::as_f64);
            values.insert("risk".to_owned(), risk);
        }
        cells.push(CellView {
            method: text(row, "method"),
            x: text(row, &param),
            state: text(row, "outcome"),
            problem: Some(text(row, "reason")).filter(|reason| !reason.is_empty()),
            seconds,
            values,
        });
    }
    let names: Vec<String> =
        printed.rows.first().map(|row| row.keys().cloned().collect()).unwrap_or_default();
    Ok(Compared { kind: "compare", param, scales: scales(&names, known), cells })
}

/// How to read the numbers, those of measures first.
fn scales(names: &[String], known: Option<u32>) -> Vec<Value> {
    let all =
        catalogue::measures().filter_map(|measure| measure.descriptor().gauge).flat_map(|gauge| gauge.scales);
    let mut scales: Vec<Value> = all
        .filter(|scale| names.iter().any(|name| name == scale.name))
        .filter_map(|scale| serde_json::to_value(scale).ok())
        .collect();
    if let Some(known) = known {
        let help = format!("share of people singled out by attackers who know {known} of their events");
        scales.push(json!({ "name": "risk", "help": help, "min": 0.0, "max": 1.0, "better": "low" }));
        for known in 1..=known {
            let name = format!("{SINGLED_OUT}{known}");
            let help = format!("share of people singled out by attackers who know {known} of their events");
            scales.push(json!({ "name": name, "help": help, "min": 0.0, "max": 1.0, "better": "low" }));
        }
    }
    let help = "time that the method took";
    scales.push(json!({ "name": "seconds", "help": help, "min": 0.0, "max": null, "better": "low" }));
    scales
}

/// Seconds of each row: its steps together, but those of reading and measuring, which all methods share.
fn seconds(csv: &str) -> Vec<Option<f64>> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let method = header.iter().position(|name| *name == "anonymise");
    lines.map(|line| line.split(',').nth(method?)?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_method_is_told() {
        let csv = "data,method,k,seed,read,anonymise,check\nd,seqanon,2,0,0.1,2.5,0.2\nd,zga,2,0,,,\n";
        assert_eq!(seconds(csv), [Some(2.5), None]);
        assert!(seconds("").is_empty());
    }
}
