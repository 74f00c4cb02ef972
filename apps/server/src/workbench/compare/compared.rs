//! A comparison: one cell for each method and value, and how to read their numbers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use throng_contract::Better;
use throng_lab::catalogue;
use throng_lab::compare::{SoFar, SweepDirectory, WAITING};
use utoipa::ToSchema;

use crate::platform::problem::Problem;
use crate::workbench::described::ReadScale;
use crate::workbench::run::{COMPARISON, CompareSpec, plan};

/// What came of a comparison.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CompareResult)]
pub struct Compared {
    /// The parameter that varies.
    param: String,
    /// How to read the numbers, those of measures first.
    scales: Vec<ReadScale>,
    /// One for each method and value.
    cells: Vec<ComparedCell>,
    /// How many runs were planned.
    planned: u64,
    /// How many of them are over.
    decided: u64,
}

/// A method with a value of the parameter that varies.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CompareCell)]
struct ComparedCell {
    /// The method's name.
    method: String,
    /// The value.
    x: String,
    /// `done`, `failed`, `broken`, `timed-out` or `infeasible`; `waiting` where the run is not over. The numbers of what is broken are of a
    /// release that does not keep its promise.
    state: String,
    /// Why there is no release.
    problem: Option<String>,
    /// Seconds that the method took.
    seconds: Option<f64>,
    /// The numbers, by scale; of runs that were repeated, their averages.
    values: BTreeMap<String, Option<f64>>,
    /// How far repeated runs are apart: the lowest and the highest number, by scale.
    spread: BTreeMap<String, (f64, f64)>,
    /// How many runs stand behind the numbers.
    runs: u64,
}

impl ComparedCell {
    /// Repeated runs as one: averages, and how far they are apart. One that failed counts only where all did, and the numbers of releases that
    /// break their promise only where no other has any.
    fn together(runs: Vec<ComparedCell>) -> Option<ComparedCell> {
        let total = runs.len() as u64;
        let is_over = runs.iter().all(|run| run.state != WAITING);
        let counted = if is_over && runs.iter().all(|run| run.state != "done") { BROKEN } else { "done" };
        let (done, failed): (Vec<_>, Vec<_>) = runs.into_iter().partition(|run| run.state == counted);
        if done.is_empty() {
            // While there is hope for a number, none of them has failed.
            let waiting = failed.iter().position(|run| run.state == WAITING).unwrap_or(0);
            return failed.into_iter().nth(waiting).map(|run| ComparedCell { runs: total, ..run });
        }
        let mut values = BTreeMap::new();
        let mut spread = BTreeMap::new();
        for name in done.iter().flat_map(|run| run.values.keys()) {
            let numbers: Vec<f64> =
                done.iter().filter_map(|run| run.values.get(name).copied().flatten()).collect();
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            values.insert(name.clone(), Some(mean).filter(|_| !numbers.is_empty()));
            if numbers.len() > 1 {
                let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                spread.insert(name.clone(), (low, high));
            }
        }
        let seconds = values.get("seconds").copied().flatten();
        let runs = done.len() as u64;
        done.into_iter().next().map(|run| ComparedCell { seconds, values, spread, runs, ..run })
    }
}

#[derive(Debug, Deserialize)]
struct Printed {
    rows: Vec<Map<String, Value>>,
}

/// A release that may not be published: its numbers are told, and marked.
const BROKEN: &str = "broken";

/// The column of people singled out by attackers who know so many events.
const SINGLED_OUT: &str = "singled_out_";

/// Reads a job's folder.
pub fn of(folder: &Path, spec: &CompareSpec) -> Result<Compared, Problem> {
    let directory = folder.join(COMPARISON);
    let printed: Printed = serde_json::from_slice(&fs::read(directory.join("table.json"))?)?;
    let timings = fs::read_to_string(directory.join("timings.csv")).unwrap_or_default();
    Ok(from(&printed, &timings, spec))
}

/// Reads the folder of a job that runs, or was stopped: what is done so far.
pub fn so_far(folder: &Path, spec: &CompareSpec) -> Result<Compared, Problem> {
    let comparing = plan::comparing(folder)?;
    let directory = SweepDirectory::follow(&folder.join(COMPARISON));
    let Some(so_far) = SoFar::of(&comparing, &directory) else {
        return Ok(from(&Printed { rows: Vec::new() }, "", spec));
    };
    let printed = Printed { rows: serde_json::from_value(so_far.results.json())? };
    Ok(Compared { decided: so_far.decided as u64, ..from(&printed, &so_far.timings.csv(), spec) })
}

fn from(printed: &Printed, timings: &str, spec: &CompareSpec) -> Compared {
    let param = spec.vary.as_ref().map(|vary| vary.param.clone()).unwrap_or_default();
    let timings = seconds(timings);
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
        cells.push(ComparedCell {
            method: text(row, "method"),
            x: text(row, &param),
            state: text(row, "outcome"),
            problem: Some(text(row, "reason")).filter(|reason| !reason.is_empty()),
            seconds,
            values,
            spread: BTreeMap::new(),
            runs: 1,
        });
    }
    let mut repeated: Vec<Vec<ComparedCell>> = Vec::new();
    for cell in cells {
        let same = |cells: &Vec<ComparedCell>| {
            cells.first().is_some_and(|first| first.method == cell.method && first.x == cell.x)
        };
        match repeated.iter().position(same) {
            Some(place) => repeated[place].push(cell),
            None => repeated.push(vec![cell]),
        }
    }
    let cells = repeated.into_iter().filter_map(ComparedCell::together).collect();
    let names: Vec<String> =
        printed.rows.first().map(|row| row.keys().cloned().collect()).unwrap_or_default();
    let planned = printed.rows.len() as u64;
    Compared { param, scales: scales(&names, known), cells, planned, decided: planned }
}

/// How to read the numbers, those of measures first.
fn scales(names: &[String], known: Option<u32>) -> Vec<ReadScale> {
    let all =
        catalogue::measures().filter_map(|measure| measure.descriptor().gauge).flat_map(|gauge| gauge.scales);
    let mut scales: Vec<ReadScale> =
        all.filter(|scale| names.iter().any(|name| name == scale.name)).map(ReadScale::from).collect();
    let low = |name: &str, help: &str, max: Option<f64>| ReadScale {
        name: name.to_owned(),
        help: help.to_owned(),
        min: Some(0.0),
        max,
        better: Better::Low,
    };
    if let Some(known) = known {
        let help = format!("share of people singled out by attackers who know {known} of their events");
        scales.push(low("risk", &help, Some(1.0)));
        for known in 1..=known {
            let name = format!("{SINGLED_OUT}{known}");
            let help = format!("share of people singled out by attackers who know {known} of their events");
            scales.push(low(&name, &help, Some(1.0)));
        }
    }
    scales.push(low("seconds", "time that the method took", None));
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
    fn repeated_runs_become_an_average_with_its_ends() {
        let run = |state: &str, value: Option<f64>| ComparedCell {
            method: "ngrams".into(),
            x: "1".into(),
            state: state.into(),
            problem: None,
            seconds: None,
            values: BTreeMap::from([("are".to_owned(), value)]),
            spread: BTreeMap::new(),
            runs: 1,
        };
        let cell =
            ComparedCell::together(vec![run("done", Some(1.0)), run("failed", None), run("done", Some(3.0))])
                .unwrap();
        assert_eq!((cell.values["are"], cell.spread["are"], cell.runs), (Some(2.0), (1.0, 3.0), 2));
        assert_eq!(ComparedCell::together(vec![run("failed", None)]).unwrap().state, "failed");
        let broken = ComparedCell::together(vec![run("failed", None), run(BROKEN, Some(3.0))]).unwrap();
        assert_eq!((broken.state.as_str(), broken.values["are"]), (BROKEN, Some(3.0)));
        let kept = ComparedCell::together(vec![run(BROKEN, Some(3.0)), run("done", Some(1.0))]).unwrap();
        assert_eq!((kept.state.as_str(), kept.values["are"]), ("done", Some(1.0)));
        let both = ComparedCell::together(vec![run("failed", None), run(WAITING, None)]).unwrap();
        assert_eq!(both.state, WAITING);
        let one = ComparedCell::together(vec![run("done", None)]).unwrap();
        assert_eq!((one.values["are"], one.spread.is_empty()), (None, true));
    }

    #[test]
    fn the_time_of_the_method_is_told() {
        let csv = "data,method,k,seed,read,anonymise,check\nd,seqanon,2,0,0.1,2.5,0.2\nd,zga,2,0,,,\n";
        assert_eq!(seconds(csv), [Some(2.5), None]);
        assert!(seconds("").is_empty());
    }
}
