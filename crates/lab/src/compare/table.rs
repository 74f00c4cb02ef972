//! The numbers of a comparison as a table: one row a cell, without anything that differs from run to run.

use serde_json::{Map, Value};

use super::cell::{Cell, Numbers};
use super::grid::Planned;
use super::recipe::Comparing;
use crate::evaluate::{Evaluated, Wanted};
use throng_release::catalogue;

/// Rows and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// One row a cell.
    pub rows: Vec<Vec<Value>>,
}

/// A number of a release that has a column of its own: the measure by its place, the scale, the column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    pub measure: usize,
    pub scale: &'static throng_contract::Scale,
    pub column: String,
}

impl Reading {
    pub fn of(&self, numbers: &Numbers) -> Option<f64> {
        numbers
            .measures
            .get(self.measure)
            .and_then(|evaluated: &Evaluated| evaluated.reading(self.scale.name))
    }
}

/// Every scale of every measure. One that is asked several times is told apart by its parameters.
pub(super) fn readings(measures: &[Wanted]) -> Vec<Reading> {
    let mut all = Vec::new();
    for (place, wanted) in measures.iter().enumerate() {
        let gauge = catalogue::measure(&wanted.measure).ok().and_then(|measure| measure.descriptor().gauge);
        let several = measures.iter().filter(|other| other.measure == wanted.measure).count() > 1;
        let values: Vec<String> =
            wanted.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        for scale in gauge.iter().flat_map(|gauge| gauge.scales) {
            let column = match several && !values.is_empty() {
                true => format!("{}[{}]", scale.name, values.join(" ")),
                false => scale.name.to_owned(),
            };
            all.push(Reading { measure: place, scale, column });
        }
    }
    all
}

impl Table {
    /// The results: what, and which numbers.
    pub fn results(comparing: &Comparing, planned: &[Planned], cells: &[Cell]) -> Self {
        let readings = readings(&comparing.measures);
        let known = most_known(cells);
        let mut columns = heads(comparing);
        columns.extend(["outcome".to_owned(), "reason".to_owned()]);
        columns.extend(readings.iter().map(|reading| reading.column.clone()));
        columns.extend((1..=known).map(|known| format!("singled_out_{known}")));
        columns.extend((1..=known).map(|known| format!("reidentified_{known}")));
        if known > 0 {
            columns.push(format!("singled_out_before_{known}"));
        }
        let row = |(planned, cell): (&Planned, &Cell)| {
            let numbers = cell.outcome.numbers();
            let mut row = head(comparing, planned);
            row.push(cell.outcome.word().into());
            row.push(cell.outcome.reason().map_or(Value::Null, Value::from));
            row.extend(
                readings.iter().map(|reading| number(numbers.and_then(|numbers| reading.of(numbers)))),
            );
            let risk = |at: u64| {
                numbers.and_then(|numbers| numbers.risk.iter().find(|row| row.known == at).copied())
            };
            row.extend((1..=known).map(|at| number(risk(at).map(|row| row.singled_out[1]))));
            row.extend((1..=known).map(|at| number(risk(at).map(|row| row.reidentified[1]))));
            if known > 0 {
                row.push(number(risk(known).map(|row| row.singled_out[0])));
            }
            row
        };
        Table { columns, rows: planned.iter().zip(cells).map(row).collect() }
    }

    /// How long each step took: the only table that differs from run to run.
    pub fn timings(comparing: &Comparing, planned: &[Planned], cells: &[Cell]) -> Self {
        let mut steps: Vec<String> = Vec::new();
        for (step, _) in
            cells.iter().filter_map(|cell| cell.outcome.numbers()).flat_map(|numbers| &numbers.seconds)
        {
            if !steps.contains(step) {
                steps.push(step.clone());
            }
        }
        let mut columns = heads(comparing);
        columns.extend(steps.iter().cloned());
        let row = |(planned, cell): (&Planned, &Cell)| {
            let mut row = head(comparing, planned);
            row.extend(steps.iter().map(|step| number(cell.outcome.numbers().and_then(|n| n.step(step)))));
            row
        };
        Table { columns, rows: planned.iter().zip(cells).map(row).collect() }
    }

    /// Comma-separated, absent values empty.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let quoted = |text: &str| match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let mut text = line(self.columns.iter().map(|name| quoted(name)).collect());
        for row in &self.rows {
            text.push_str(&line(row.iter().map(|value| quoted(&plain(value))).collect()));
        }
        text
    }

    /// One object a row, by column.
    pub fn json(&self) -> Value {
        let row = |row: &Vec<Value>| {
            let pairs = self.columns.iter().cloned().zip(row.iter().cloned());
            Value::Object(pairs.collect::<Map<String, Value>>())
        };
        Value::Array(self.rows.iter().map(row).collect())
    }

    /// The columns that hold something.
    pub(super) fn filled(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|at| self.rows.iter().any(|row| !row[*at].is_null())).collect()
    }

    /// For people: columns that are empty throughout are left out, numbers are rounded.
    pub fn markdown(&self) -> String {
        let shown = self.filled();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(shown.iter().map(|at| self.columns[*at].clone()).collect());
        text.push_str(&line(shown.iter().map(|_| "---".to_owned()).collect()));
        for row in &self.rows {
            let cell = |at: &usize| rounded(&row[*at]).replace('|', "\\|").replace('\n', " ");
            text.push_str(&line(shown.iter().map(cell).collect()));
        }
        text
    }
}

impl Numbers {
    /// How long a step took.
    pub(super) fn step(&self, step: &str) -> Option<f64> {
        self.seconds.iter().find_map(|(name, seconds)| (name == step).then_some(*seconds))
    }
}

/// The most events that the attacker of any cell knows.
pub(super) fn most_known(cells: &[Cell]) -> u64 {
    let risks = cells.iter().filter_map(|cell| cell.outcome.numbers()).flat_map(|numbers| &numbers.risk);
    risks.map(|row| row.known).max().unwrap_or(0)
}

fn heads(comparing: &Comparing) -> Vec<String> {
    let mut columns = vec!["data".to_owned(), "method".to_owned()];
    columns.extend(comparing.vary.iter().map(|(name, _)| name.clone()));
    columns.push("seed".to_owned());
    columns
}

pub(super) fn head(comparing: &Comparing, planned: &Planned) -> Vec<Value> {
    let mut row: Vec<Value> = vec![planned.data.clone().into(), planned.method.clone().into()];
    debug_assert_eq!(planned.values.len(), comparing.vary.len());
    row.extend(planned.values.iter().map(|value| value.clone().map_or(Value::Null, Value::from)));
    row.push(planned.seed.into());
    row
}

fn number(value: Option<f64>) -> Value {
    value.and_then(serde_json::Number::from_f64).map_or(Value::Null, Value::Number)
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// A number in a few digits.
pub(super) fn rounded(value: &Value) -> String {
    match value.as_f64().filter(|_| value.is_f64()) {
        Some(number) => throng_report::plot::figures(number),
        None => plain(value),
    }
}
