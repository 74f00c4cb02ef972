//! Generalisation hierarchies of columns: which values they have to hold, whether one fits, and how one is made.

use std::path::Path;

use throng_contract::Progress;
use throng_data::formats::{Source, read_hierarchy};
use throng_data::{Column, Dictionary, Domain};

use crate::platform::problem::Problem;
use crate::workbench::data::overview::DataProblem;
use crate::workbench::inputs::people::column;
use crate::workbench::snapshots::Snapshot;

/// The values of a column, without what is missing.
pub fn values(snapshot: &Snapshot, records: &Path, name: &str) -> Result<Dictionary, Problem> {
    let column = column(snapshot, records, name)?;
    let domain = domain(&column)?;
    Ok(domain.values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect())
}

/// The values of a column with their people.
pub fn domain(column: &Column) -> Result<Domain, Problem> {
    Domain::of(column, None).map_err(|error| Problem::wrong(error.to_string()))
}

/// Why a hierarchy does not fit its column; `None` when it does, or when the data cannot be read.
pub fn judge(snapshot: &Snapshot, records: &Path, name: &str, path: &Path) -> Option<DataProblem> {
    snapshot.data.as_ref()?;
    let label = format!("{name}.csv");
    let hierarchy = match read_hierarchy(&Source::file(path), &Progress::silent()) {
        Ok(hierarchy) => hierarchy,
        Err(error) => return Some(DataProblem::of(error, path, &label)),
    };
    let told = |detail: String, help: &'static str| {
        Some(DataProblem { detail, help: help.into(), line: None, column: Some(name.to_owned()) })
    };
    let Ok(column) = column(snapshot, records, name) else {
        let detail = format!("the data has no column `{name}` any more");
        return told(detail, "remove the hierarchy, or give the column its name back");
    };
    match Domain::of(&column, Some(&hierarchy)) {
        Ok(_) => None,
        Err(error) => {
            let detail = format!("`{label}` does not fit column `{name}`: {error}");
            told(detail, "every value of the column needs a line, or intervals that hold all of them")
        }
    }
}
