//! Inputs that are tables, row by row: the attributes of people, their own patterns, places, costs.
//!
//! The same grid and the same edits as for the data. An edited file is written anew with commas, validated against the data, and is one
//! step of undo.

use crate::workbench::inputs::key::Kept as _;
use axum::Json;
use axum::extract::State;
use throng_contract::{Input, Progress};
use throng_data::formats::Source;

use crate::platform::extract::{Body, Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::data::edits::{EditRequest, RowsPage, RowsQuery, located, page};
use crate::workbench::inputs::key::InputKey;
use crate::workbench::inputs::{InputFile, Inputs};
use crate::workbench::reading::Reading;
use crate::workbench::working_table::{self, Window, WorkingTable};

fn key(text: &str) -> Result<InputKey, Problem> {
    let key = InputKey::of_text(text)?;
    match key.input {
        Input::Records | Input::Places | Input::Costs | Input::PersonPatterns => Ok(key),
        _ => Err(Problem::wrong("this input is no table").at("input")),
    }
}

fn load(inputs: &Inputs, project: &str, key: &InputKey) -> Result<WorkingTable, Problem> {
    inputs.projects.store.project(project)?.ok_or_else(|| Problem::missing("project"))?;
    let path = inputs.projects.home.input(project, key.clone());
    if !path.is_file() {
        return Err(Problem::missing("input of this project"));
    }
    match working_table::read(&Source::file(path), None, &Progress::silent()) {
        (table, None) => Ok(table),
        (_, Some(error)) => Err(problem::of(error)),
    }
}

/// A page of a table beside the data.
#[utoipa::path(get, path = "/api/projects/{project}/inputs/{input}/rows", tag = "meaning", params(RowsQuery),
    responses((status = 200, description = "A page of rows", body = RowsPage)))]
pub async fn get(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
    Query(query): Query<RowsQuery>,
) -> Result<Json<RowsPage>, Problem> {
    let key = key(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            let table = load(inputs, &project, &key)?;
            let window = Window::of(&table, &query.order()).ok_or_else(|| {
                Problem::wrong("the table cannot be sorted by a column that it does not have").at("sort")
            })?;
            Ok(page(&table, &window, &query))
        })
        .await
        .map(Json)
}

/// Edits a table beside the data.
#[utoipa::path(post, path = "/api/projects/{project}/inputs/{input}/rows", tag = "meaning", request_body = EditRequest,
    responses((status = 200, description = "The table, and whether it can be used", body = InputFile)))]
pub async fn post(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
    Body(request): Body<EditRequest>,
) -> Result<Json<InputFile>, Problem> {
    let key = key(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            let mut table = load(inputs, &project, &key)?;
            let edit = located(&request, &table, &Reading::default())?;
            if table.apply(&edit).is_none() {
                return Err(Problem::wrong("this edit does not fit the table as it is now")
                    .with_help("look at the table again: a row or name it speaks of is not there"));
            }
            let text = String::from_utf8_lossy(&table.whole_frame().to_csv()).into_owned();
            let snapshot = inputs.projects.workspace(&project)?.snapshot()?;
            inputs.write_judged(&project, &key, &snapshot, &text)?;
            inputs.one(&project, &key)
        })
        .await
        .map(Json)
}
