//! The data screen: the file, its columns and their roles, the data in a sentence.

use std::collections::BTreeMap;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use throng_contract::{DataKind, Help};
use throng_data::ColumnKind;
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::data::histogram::{self, Histogram};
use crate::workbench::data::summary::{ColumnSummary, Counts, RoleColumns, TopItem, roled};
use crate::workbench::described::DataKindName;
use crate::workbench::project::Projects;
use crate::workbench::reading::DataForm;
use crate::workbench::snapshots::{Answer, PATIENCE, PhaseNow, Snapshot, Workspace};

/// What is wrong with the data, and how to mend it on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DataProblem {
    /// What and where.
    pub detail: String,
    /// One way out.
    pub help: Help,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The column.
    pub column: Option<String>,
}

/// Whether the data is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DataState {
    /// The file is being read.
    Loading,
    /// Everything is there.
    Ready,
    /// The file was read, and is not valid.
    Problem,
}

/// What is unclear about the columns, and which of them could be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuestionView)]
pub struct ReadingQuestion {
    /// The role it is about.
    pub about: String,
    /// What is unclear.
    pub what: String,
    /// Columns that could be the answer.
    pub candidates: Vec<String>,
}

/// Columns of the events that belong to the person or to the item, and could be taken as inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = BelongingView)]
pub struct BelongingColumns {
    /// Those that never change for a person.
    pub attributes: Vec<String>,
    /// The two coordinates of an item, or none.
    pub coordinates: Vec<String>,
    /// Whether they are x and y of a plane.
    pub plane: bool,
    /// The category of an item.
    pub category: Option<String>,
}

impl BelongingColumns {
    fn of(snapshot: &Snapshot) -> Self {
        let found = &snapshot.assignment.belonging;
        let name = |column: &usize| snapshot.working_table.columns[*column].name.clone();
        BelongingColumns {
            attributes: found.attributes.iter().map(name).collect(),
            coordinates: found.coordinates.iter().flatten().map(name).collect(),
            plane: found.plane,
            category: found.category.as_ref().map(name),
        }
    }
}

/// How the file is read beside the roles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReadingView)]
pub struct ReadingSettings {
    /// What separates columns, if there are any.
    pub delimiter: Option<char>,
    /// The column that holds all items of a record.
    pub wide: Option<String>,
    /// What separates items in it.
    pub separator: Option<char>,
    /// How times are written.
    pub time_format: Option<String>,
    /// How letters are stored, if the user said so.
    pub encoding: Option<String>,
    /// The sheet of a workbook, if the user said so.
    pub sheet: Option<String>,
    /// Whether the first line is a row.
    pub no_header: bool,
    /// Whether every line is a record: its items in order.
    pub lines: bool,
}

/// The data screen.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = DataView)]
pub struct DataAnswer {
    /// Whether the data is there.
    pub state: DataState,
    /// While it is being read: how far that is.
    pub progress: Option<PhaseNow>,
    /// The form of the file.
    pub format: String,
    /// Rows of the working table.
    pub rows: u64,
    /// Its columns.
    pub columns: Vec<ColumnSummary>,
    /// Columns of the records, if there are records.
    pub attributes: Vec<ColumnSummary>,
    /// The columns that are used.
    pub roles: RoleColumns,
    /// What a row is.
    pub form: DataForm,
    /// Whether the user said so; otherwise it is a guess.
    pub form_said: bool,
    /// How the file is read beside the roles.
    pub reading: ReadingSettings,
    /// What is not valid.
    pub problem: Option<DataProblem>,
    /// What the program decided about the file and the user did not say: its encoding, what separates its columns.
    pub notes: Vec<String>,
    /// What has to be answered before the data can be relied on.
    pub question: Option<ReadingQuestion>,
    /// What else the file says: columns that belong to the person or to the item.
    pub belonging: BelongingColumns,
    /// The data in a sentence.
    pub sentence: String,
    /// Sizes; zero while the data cannot be read.
    pub counts: Counts,
    /// `sequences`, `timed`, `sets` or `table`; absent while the data cannot be read.
    #[schema(value_type = Option<DataKindName>)]
    pub kind: Option<DataKind>,
    /// How long records are.
    pub lengths: Option<Histogram>,
    /// The most frequent items, by people.
    pub top_items: Vec<TopItem>,
    /// When events happened.
    pub times: Option<Histogram>,
    /// Edits that can be taken back.
    pub undo: u64,
    /// Edits that can be carried out again.
    pub redo: u64,
}

fn loading(workspace: &Workspace) -> DataAnswer {
    DataAnswer {
        state: DataState::Loading,
        progress: Some(workspace.watch.now()),
        format: String::new(),
        rows: 0,
        columns: Vec::new(),
        attributes: Vec::new(),
        roles: RoleColumns::default(),
        form: DataForm::default(),
        form_said: false,
        reading: ReadingSettings::default(),
        problem: None,
        notes: Vec::new(),
        question: None,
        belonging: BelongingColumns::default(),
        sentence: String::new(),
        counts: Counts::default(),
        kind: None,
        lengths: None,
        top_items: Vec::new(),
        times: None,
        undo: 0,
        redo: 0,
    }
}

/// The screen for the present state of the data.
pub fn view(projects: &Projects, project: &str) -> Result<DataAnswer, Problem> {
    let workspace = projects.workspace(project)?;
    let deadline = Instant::now() + PATIENCE;
    let Some(snapshot) = workspace.snapshot_within(PATIENCE) else { return Ok(loading(&workspace)) };
    let (undo, redo) = {
        let table = workspace.need_table()?;
        (table.undo_count(), table.redo_count())
    };
    let summary = &snapshot.summary;
    if let Some(counts) = &summary.counts {
        projects.store.set_size(project, Some(counts.subjects), Some(counts.events))?;
    }
    let reading = &snapshot.reading;
    let attributes =
        match projects.inputs().attributes(&workspace, deadline.saturating_duration_since(Instant::now()))? {
            Answer::Ready(columns) => roled(serde_json::from_slice(&columns)?, &reading.attributes),
            Answer::Preparing(_) => return Ok(loading(&workspace)),
        };
    let wide = reading.wide.and_then(|column| snapshot.working_table.columns.get(column));
    Ok(DataAnswer {
        state: if snapshot.problem.is_some() { DataState::Problem } else { DataState::Ready },
        progress: None,
        format: summary.format.clone(),
        rows: snapshot.working_table.len() as u64,
        columns: typed(summary.columns.clone(), &reading.kinds),
        attributes,
        roles: summary.roles.clone(),
        form: snapshot.assignment.form,
        form_said: reading.form.is_some(),
        reading: ReadingSettings {
            delimiter: snapshot.working_table.delimiter.map(char::from),
            wide: wide.map(|column| column.name.clone()),
            separator: reading.separator,
            time_format: reading.time_format.clone(),
            encoding: reading.encoding.clone(),
            sheet: reading.sheet.clone(),
            no_header: reading.no_header,
            lines: reading.lines,
        },
        problem: snapshot.problem.clone(),
        notes: snapshot.working_table.notes.to_vec(),
        question: snapshot.assignment.question.as_ref().map(|question| ReadingQuestion {
            about: question.about.to_owned(),
            what: question.what.clone(),
            candidates: question.candidates.clone(),
        }),
        belonging: BelongingColumns::of(&snapshot),
        sentence: summary.sentence.clone(),
        counts: summary.counts.unwrap_or_default(),
        kind: summary.kind,
        lengths: summary.lengths.clone(),
        top_items: summary.top_items.clone(),
        times: summary.times.clone(),
        undo,
        redo,
    })
}

/// The columns with the types that the user said they have.
fn typed(mut columns: Vec<ColumnSummary>, kinds: &BTreeMap<usize, ColumnKind>) -> Vec<ColumnSummary> {
    for (at, kind) in kinds {
        if let Some(column) = columns.get_mut(*at) {
            column.said_kind = Some(kind.name().to_owned());
        }
    }
    columns
}

/// The data screen.
#[utoipa::path(get, path = "/api/projects/{project}/data", tag = "data",
    responses((status = 200, description = "The data, or how far reading it is", body = DataAnswer)))]
pub async fn get_data(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Json<DataAnswer>, Problem> {
    projects.ask(&principal, move |projects| view(projects, &project)).await.map(Json)
}

/// Which column.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HistogramQuery {
    /// Its name.
    column: String,
    /// Whether it is a column of the people's attributes.
    #[serde(default)]
    attribute: bool,
}

/// How often the values of a column occur.
#[utoipa::path(get, path = "/api/projects/{project}/histogram", tag = "data", params(HistogramQuery),
    responses((status = 200, description = "Bars", body = Histogram)))]
pub async fn get_histogram(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(query): Query<HistogramQuery>,
) -> Result<Response, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            if query.attribute {
                return projects.inputs().attribute_histogram(&workspace, &query.column);
            }
            let snapshot = workspace.snapshot()?;
            let working_table = &snapshot.working_table;
            let column = working_table.position(&query.column).ok_or_else(|| Problem::missing("column"))?;
            workspace.answer(&format!("histogram/{column}"), snapshot.revision, || {
                Ok(histogram::of_column(working_table, column, snapshot.assignment.subject()))
            })
        })
        .await
        .map(json)
}

/// An answer that is JSON already.
pub fn json(text: axum::body::Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
