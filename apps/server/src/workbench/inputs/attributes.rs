//! What is known of people in a file of its own: its columns and their values.

use std::path::Path as FilePath;
use std::time::Duration;

use axum::body::Bytes;
use throng_contract::{Input, Progress};
use throng_data::formats::Source;

use super::Inputs;
use crate::platform::problem::Problem;
use crate::workbench::data::histogram;
use crate::workbench::data::summary::attribute_views;
use crate::workbench::reading::Assignment;
use crate::workbench::snapshots::{Answer, TIMELESS, Workspace};
use crate::workbench::working_table::{self, WorkingColumn};

/// The columns of the records, their key left out; none when there are no records.
fn record_columns(path: &FilePath, progress: &Progress) -> Vec<WorkingColumn> {
    if !path.is_file() {
        return Vec::new();
    }
    let (working_table, _) = working_table::read(&Source::file(path), None, progress);
    let assignment = Assignment::of(&working_table, &Default::default());
    let key = assignment.subject();
    let others = working_table.columns.into_iter().enumerate().filter(|(column, _)| Some(*column) != key);
    others.map(|(_, column)| column).collect()
}

impl Inputs {
    /// What the columns of the records hold, read once for each file of records.
    pub fn attributes(&self, workspace: &Workspace, patience: Duration) -> Result<Answer, Problem> {
        let path = self.projects.home.input(&workspace.project, Input::Records);
        workspace.answer_within("attributes", TIMELESS, patience, move |progress| {
            Ok(attribute_views(&record_columns(&path, progress)))
        })
    }

    /// How often the values of an attribute occur among the people of the records.
    pub fn attribute_histogram(&self, workspace: &Workspace, name: &str) -> Result<Bytes, Problem> {
        let path = self.projects.home.input(&workspace.project, Input::Records);
        workspace.answer(&format!("attribute/{name}"), TIMELESS, || {
            let missing = || Problem::missing("column");
            if !path.is_file() {
                return Err(missing());
            }
            let (working_table, _) = working_table::read(&Source::file(&path), None, &Progress::silent());
            let column = working_table.position(name).ok_or_else(missing)?;
            Ok(histogram::of_column(&working_table, column, None))
        })
    }
}
