//! The tables of a comparison that is under way, or was stopped: what was decided, and what was not yet.
//!
//! The plan is kept beside the cells, so that a reader that follows the work need not fingerprint the data again.

use serde_json::Value;

use super::cell::Cell;
use super::directory::SweepDirectory;
use super::grid::Planned;
use super::recipe::Comparing;
use super::table::{Table, head};

/// The outcome of a cell that was not decided yet.
pub const WAITING: &str = "waiting";

/// The tables as they are now: one row for each cell that was planned.
#[derive(Debug, Clone, PartialEq)]
pub struct SoFar {
    /// The numbers; a cell that was not decided has the outcome [`WAITING`] and no numbers.
    pub results: Table,
    /// How long each step took.
    pub timings: Table,
    /// How many cells were decided.
    pub decided: usize,
}

impl SoFar {
    /// Reads the plan and the cells that are there; `None` before anything was planned.
    pub fn of(comparing: &Comparing, directory: &SweepDirectory) -> Option<Self> {
        let planned = directory.planned()?;
        let found: Vec<Option<Cell>> = planned.iter().map(|cell| directory.kept(&cell.key)).collect();
        let (known, cells): (Vec<Planned>, Vec<Cell>) = planned
            .iter()
            .zip(&found)
            .filter_map(|(planned, cell)| Some((planned.clone(), cell.clone()?)))
            .unzip();
        let is_there: Vec<bool> = found.iter().map(Option::is_some).collect();
        let outcome = [Value::from(WAITING)];
        let results = Table::results(comparing, &known, &cells);
        let timings = Table::timings(comparing, &known, &cells);
        Some(SoFar {
            results: with_gaps(results, comparing, &planned, &is_there, &outcome),
            timings: with_gaps(timings, comparing, &planned, &is_there, &[]),
            decided: cells.len(),
        })
    }
}

/// The table with a row for every planned cell, in their order.
fn with_gaps(
    table: Table,
    comparing: &Comparing,
    planned: &[Planned],
    is_there: &[bool],
    outcome: &[Value],
) -> Table {
    let width = table.columns.len();
    let mut decided = table.rows.into_iter();
    let row = |(planned, is_there): (&Planned, &bool)| match is_there {
        true => decided.next().unwrap_or_default(),
        false => {
            let mut row = head(comparing, planned);
            row.extend(outcome.iter().cloned());
            row.resize(width, Value::Null);
            row
        }
    };
    Table { columns: table.columns, rows: planned.iter().zip(is_there).map(row).collect() }
}
