//! The data screen: the file, its columns and their roles, the data in a sentence.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use throng_contract::DataKind;
use utoipa::{IntoParams, ToSchema};

use crate::desk::{Answer, Desk, PATIENCE, PhaseView};
use crate::extract::{Path, Query};
use crate::facts::{ColumnView, Counts, RolesView, TopItem, roled};
use crate::histogram::{self, Histogram};
use crate::inputs;
use crate::problem::Problem;
use crate::workbench::Workbench;

/// What is wrong with the data, and how to mend it on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DataProblem {
    /// What and where.
    pub detail: String,
    /// One way out.
    pub help: String,
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
    /// The file was read, and something has to be mended.
    Problem,
}

/// How the file is read beside the roles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReadingView {
    /// What separates columns, if there are any.
    pub delimiter: Option<char>,
    /// The column that holds all items of a record.
    pub wide: Option<String>,
    /// What separates items in it.
    pub separator: Option<char>,
    /// How times are written.
    pub time_format: Option<String>,
}

/// The data screen.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DataView {
    /// Whether the data is there.
    pub state: DataState,
    /// While it is being read: how far that is.
    pub progress: Option<PhaseView>,
    /// The form of the file.
    pub format: String,
    /// Rows of the working table.
    pub rows: u64,
    /// Its columns.
    pub columns: Vec<ColumnView>,
    /// Columns of the records, if there are records.
    pub attributes: Vec<ColumnView>,
    /// The columns that are used.
    pub roles: RolesView,
    /// How the file is read beside the roles.
    pub reading: ReadingView,
    /// What has to be mended.
    pub problem: Option<DataProblem>,
    /// The data in a sentence.
    pub sentence: String,
    /// Sizes; zero while the data cannot be read.
    pub counts: Counts,
    /// `sequences`, `timed` or `sets`; absent while the data cannot be read.
    #[schema(value_type = Option<String>)]
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

fn loading(desk: &Desk) -> DataView {
    DataView {
        state: DataState::Loading,
        progress: Some(desk.watch.now()),
        format: String::new(),
        rows: 0,
        columns: Vec::new(),
        attributes: Vec::new(),
        roles: RolesView::default(),
        reading: ReadingView::default(),
        problem: None,
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
pub fn view(bench: &Workbench, project: &str) -> Result<DataView, Problem> {
    let desk = bench.desk(project)?;
    let deadline = Instant::now() + PATIENCE;
    let Some(snapshot) = desk.snapshot_within(PATIENCE) else { return Ok(loading(&desk)) };
    let (undo, redo) = {
        let table = desk.need_table()?;
        (table.undo_count(), table.redo_count())
    };
    let facts = &snapshot.facts;
    if let Some(counts) = &facts.counts {
        bench.store.set_size(project, Some(counts.subjects), Some(counts.events))?;
    }
    let reading = &snapshot.reading;
    let attributes =
        match inputs::attributes(bench, &desk, deadline.saturating_duration_since(Instant::now()))? {
            Answer::Ready(columns) => roled(serde_json::from_slice(&columns)?, &reading.attributes),
            Answer::Preparing(_) => return Ok(loading(&desk)),
        };
    let wide = reading.wide.and_then(|column| snapshot.sheet.columns.get(column));
    Ok(DataView {
        state: if snapshot.problem.is_some() { DataState::Problem } else { DataState::Ready },
        progress: None,
        format: facts.format.clone(),
        rows: snapshot.sheet.len() as u64,
        columns: facts.columns.clone(),
        attributes,
        roles: facts.roles.clone(),
        reading: ReadingView {
            delimiter: snapshot.sheet.delimiter.map(char::from),
            wide: wide.map(|column| column.name.clone()),
            separator: reading.separator,
            time_format: reading.time_format.clone(),
        },
        problem: snapshot.problem.clone(),
        sentence: facts.sentence.clone(),
        counts: facts.counts.unwrap_or_default(),
        kind: facts.kind,
        lengths: facts.lengths.clone(),
        top_items: facts.top_items.clone(),
        times: facts.times.clone(),
        undo,
        redo,
    })
}

/// The data screen.
#[utoipa::path(get, path = "/api/projects/{project}/data", tag = "data",
    responses((status = 200, description = "The data, or how far reading it is", body = DataView)))]
pub async fn get_data(
    State(bench): State<Arc<Workbench>>,
    Path(project): Path<String>,
) -> Result<Json<DataView>, Problem> {
    bench.blocking(move |bench| view(bench, &project)).await.map(Json)
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
    State(bench): State<Arc<Workbench>>,
    Path(project): Path<String>,
    Query(query): Query<HistogramQuery>,
) -> Result<Response, Problem> {
    bench
        .blocking(move |bench| {
            let desk = bench.desk(&project)?;
            if query.attribute {
                return inputs::attribute_histogram(bench, &desk, &query.column);
            }
            let snapshot = desk.snapshot()?;
            let sheet = &snapshot.sheet;
            let column = sheet.position(&query.column).ok_or_else(|| Problem::missing("column"))?;
            desk.answer(&format!("histogram/{column}"), snapshot.revision, || {
                Ok(histogram::of_column(sheet, column, snapshot.assignment.subject()))
            })
        })
        .await
        .map(json)
}

/// An answer that is JSON already.
pub fn json(text: axum::body::Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
