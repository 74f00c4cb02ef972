//! Whether a file beside the data can be used with the data.

use crate::workbench::inputs::key::Kept as _;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use throng_contract::{Input, Progress};
use throng_data::formats::{InputError, ReadOptions, Source, read_people, read_places};
use throng_data::load::{Beside, try_input};

use super::key::InputKey;
use super::taken::{self, TakenColumns};
use super::{Inputs, hierarchies};
use crate::platform::problem::Problem;
use crate::workbench::data::overview::DataProblem;
use crate::workbench::snapshots::{Answer, Snapshot, TIMELESS, Workspace};

/// Why an input cannot be used with the data; `None` when it can, or when the data itself cannot be read.
fn judge(snapshot: &Snapshot, key: &InputKey, path: &FilePath) -> Option<DataProblem> {
    let read = snapshot.data.as_ref()?;
    let (items, subjects) = (&read.dataset.items, &read.dataset.subjects);
    let (source, progress) = (Source::file(path), Progress::silent());
    let checked: Result<(), InputError> = match key.input {
        Input::Places => read_places(&source, items, &progress).map(drop),
        Input::Records => read_people(&source, &ReadOptions::default(), None, subjects, &progress).map(drop),
        Input::Hierarchies => {
            return hierarchies::judge(snapshot, &beside(path), key.column.as_deref()?, path);
        }
        input => {
            let beside = Beside { data: &read.dataset, shape: &read.shape, progress: &progress };
            try_input(input, &source, beside)
        }
    };
    checked.err().map(|error| DataProblem::of(error, path, &key.label()))
}

/// The file of records that lies beside another input.
fn beside(path: &FilePath) -> PathBuf {
    path.with_file_name(InputKey::from(Input::Records).file())
}

/// Refuses a file that cannot be used with the data.
pub fn fitting(snapshot: &Snapshot, key: &InputKey, path: &FilePath) -> Result<(), Problem> {
    let Some(found) = judge(snapshot, key, path) else { return Ok(()) };
    let place = found.line.map(|line| format!("line {line}"));
    let problem = Problem::wrong(found.detail).with_help(found.help);
    Err(problem.at(place.unwrap_or_else(|| key.input.flag().to_owned())))
}

impl Inputs {
    /// Why an input cannot be used, computed once for each set of names that it is validated against; nothing while that is under
    /// way.
    pub(super) fn judgement(
        &self,
        workspace: &Workspace,
        snapshot: &Arc<Snapshot>,
        key: &InputKey,
        patience: Duration,
    ) -> Result<Option<DataProblem>, Problem> {
        let path = self.projects.home.input(&workspace.project, key.clone());
        let names = match (key.input, &key.column) {
            (Input::Records, _) => snapshot.names.subjects,
            // Which values a column has changes with the table.
            (_, Some(_)) => snapshot.revision,
            _ => snapshot.names.items,
        };
        let question = format!("input/{key}/{names:x}/{}", snapshot.data.is_some());
        let (snapshot, key) = (Arc::clone(snapshot), key.clone());
        match workspace
            .answer_within(&question, TIMELESS, patience, move |_| Ok(judge(&snapshot, &key, &path)))?
        {
            Answer::Ready(judged) => Ok(serde_json::from_slice(&judged)?),
            Answer::Preparing(_) => Ok(None),
        }
    }

    /// The columns that an input was taken from, where they say something else by now.
    pub(super) fn outdated(
        &self,
        workspace: &Workspace,
        snapshot: &Arc<Snapshot>,
        key: &InputKey,
    ) -> Result<Option<TakenColumns>, Problem> {
        if !matches!(key.input, Input::Records | Input::Places) {
            return Ok(None);
        }
        let path = self.projects.home.input(&workspace.project, key.clone());
        let question = format!("taken/{key}/{}", workspace.inputs_version());
        let (revision, snapshot, input) = (snapshot.revision, Arc::clone(snapshot), key.input);
        let told =
            workspace.answer(&question, revision, move || Ok(taken::outdated(&path, &snapshot, input)))?;
        Ok(serde_json::from_slice(&told)?)
    }
}
