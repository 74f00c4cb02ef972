//! Compares methods: every method with every value on every dataset, measured and attacked, as tables and plots.
//!
//! * [`Comparing`]: what is compared, read from a TOML file.
//! * [`Planned`]: one cell of the grid. [`CellJob`], [`Cell`]: what it has to do, and what came of it.
//! * [`Sweep`]: decides all cells with a [`CellRunner`], in this process or one process a cell.
//! * [`SweepDirectory`]: where answers are kept, so that an interrupted comparison resumes.
//! * [`SoFar`]: the tables of one that is under way, for readers that follow it.
//! * [`Table`]: the numbers. Plots and the page are made from it by [`write()`].
//!
//! # Guarantees
//! A cell that fails, crashes, or takes more time or memory than it may is a cell that says so. Tables are the same
//! bytes after an interruption, with any number of jobs, and wherever they are made; times stand in a table of their own.
//! # Reference
//! The comparison mode of SECRETA: methods, one varying parameter by start, end and step, and a plot for each measure.

mod cell;
mod charts;
mod child;
mod directory;
mod grid;
mod limits;
mod memory;
mod page;
mod range;
mod recipe;
mod runner;
mod so_far;
mod sweep;
mod table;
mod written;

use serde_json::json;
use throng_contract::{Failure, Progress};

pub use cell::{Cell, CellJob, Numbers, Outcome, RiskRow, work};
pub use child::{ChildProcess, Order};
pub use directory::SweepDirectory;
pub use grid::Planned;
pub use limits::{Limits, parse_memory, parse_time};
pub use recipe::{Compared, Comparing, Plots, SCHEMA};
pub use runner::{CellRunner, InProcess};
pub use so_far::{SoFar, WAITING};
pub use sweep::{Sweep, Swept};
pub use table::Table;

use throng_report::plot;

/// Plans all cells of a comparison. Worlds are made below its directory, where earlier ones are used again.
pub fn plan(
    comparing: &Comparing,
    directory: &SweepDirectory,
    progress: &Progress,
) -> Result<Vec<Planned>, Failure> {
    grid::plan(comparing, &directory.worlds(), progress)
}

/// Writes tables, plots and the page.
pub fn write(
    comparing: &Comparing,
    planned: &[Planned],
    cells: &[Cell],
    directory: &SweepDirectory,
) -> Result<Table, Failure> {
    let results = Table::results(comparing, planned, cells);
    let timings = Table::timings(comparing, planned, cells);
    let charts = charts::charts(comparing, planned, cells);
    let table = json!({ "schema": "throng-comparison/1", "title": comparing.title, "rows": results.json() });
    let mut json = serde_json::to_string_pretty(&table).expect("a table has string keys only");
    json.push('\n');
    let mut files = vec![
        ("recipe.toml".to_owned(), comparing.text.clone()),
        ("table.csv".to_owned(), results.csv()),
        ("table.json".to_owned(), json),
        ("table.md".to_owned(), results.markdown()),
        ("timings.csv".to_owned(), timings.csv()),
    ];
    for chart in charts.results.iter().chain(&charts.runtime) {
        files.push((format!("plots/{}.svg", chart.id), plot::standalone(chart)));
    }
    files.push(("index.html".to_owned(), page::render(comparing, planned, cells, &charts, &results)));
    directory.write_results(&files)?;
    Ok(results)
}
