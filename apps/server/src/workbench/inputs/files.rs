//! Files beside the data over HTTP: listed, uploaded, shown, fetched, taken away.

use crate::workbench::inputs::key::Kept as _;
use std::fs;

use axum::Json;
use axum::body::Body as RawBody;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::judge::fitting;
use super::key::InputKey;
use super::{InputFile, Inputs};
use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::platform::upload;
use crate::workbench::snapshots::PATIENCE;

/// Lines in one answer.
const MAX_LINES: u64 = 1000;

/// The files beside the data.
#[utoipa::path(get, path = "/api/projects/{project}/inputs", tag = "meaning",
    responses((status = 200, description = "The files that are there", body = Vec<InputFile>)))]
pub async fn list(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path(project): Path<String>,
) -> Result<Json<Vec<InputFile>>, Problem> {
    inputs.ask(&principal, move |inputs| inputs.all(&project, PATIENCE)).await.map(Json)
}

/// What the uploaded file is called.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct NameQuery {
    /// Its name, a label only.
    name: Option<String>,
}

/// Adds or replaces a file beside the data.
#[utoipa::path(put, path = "/api/projects/{project}/inputs/{input}", tag = "meaning", params(NameQuery),
    request_body(content = String, content_type = "application/octet-stream", description = "The file"),
    responses((status = 200, description = "The file, and whether it can be used", body = InputFile)))]
pub async fn put(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
    Query(query): Query<NameQuery>,
    body: RawBody,
) -> Result<Json<InputFile>, Problem> {
    let key = InputKey::of_text(&input)?;
    let folder = {
        let project = project.clone();
        inputs
            .ask(&principal, move |inputs| {
                inputs.projects.need(&project)?;
                Ok(inputs.projects.home.inputs(&project))
            })
            .await?
    };
    let (temporary, size) = upload::receive(body, &folder, inputs.projects.limits.upload).await?;
    if size == 0 {
        return Err(Problem::wrong("the file is empty").with_help("choose a file with data"));
    }
    let name = query.name.unwrap_or_else(|| key.label());
    inputs
        .ask(&principal, move |inputs| {
            let label: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
            let snapshot = inputs.projects.workspace(&project)?.snapshot()?;
            fitting(&snapshot, &key, temporary.path())?;
            inputs.replace(&project, &key, Some((temporary, &label)))?;
            inputs.one(&project, &key)
        })
        .await
        .map(Json)
}

/// Which lines.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct LinesQuery {
    /// Lines to pass over.
    #[param(minimum = 0)]
    offset: Option<u64>,
    /// Lines to show; 1,000 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
}

/// The text of a file beside the data.
#[utoipa::path(get, path = "/api/projects/{project}/inputs/{input}", tag = "meaning", params(LinesQuery),
    responses((status = 200, description = "Lines of the file", content_type = "text/plain", body = String)))]
pub async fn get(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
    Query(query): Query<LinesQuery>,
) -> Result<String, Problem> {
    let key = InputKey::of_text(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            inputs.projects.need(&project)?;
            let path = inputs.projects.home.input(&project, key);
            let text = match fs::read(&path) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(_) => return Err(Problem::missing("input of this project")),
            };
            let (offset, limit) =
                (query.offset.unwrap_or(0), query.limit.unwrap_or(MAX_LINES).min(MAX_LINES));
            let lines = text.lines().skip(offset.min(u64::from(u32::MAX)) as usize).take(limit as usize);
            Ok(lines.flat_map(|line| [line, "\n"]).collect())
        })
        .await
}

/// A file beside the data, whole.
#[utoipa::path(get, path = "/api/projects/{project}/inputs/{input}/file", tag = "meaning",
    responses((status = 200, description = "The file", content_type = "application/octet-stream", body = String)))]
pub async fn download(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let key = InputKey::of_text(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            inputs.projects.need(&project)?;
            let bytes = fs::read(inputs.projects.home.input(&project, key.clone()))
                .map_err(|_| Problem::missing("input of this project"))?;
            let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
            let name: String = key.label().chars().map(plain).collect();
            let headers = [
                (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
                (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
            ];
            Ok((headers, bytes).into_response())
        })
        .await
}

/// Takes a file away.
#[utoipa::path(delete, path = "/api/projects/{project}/inputs/{input}", tag = "meaning",
    responses((status = 204, description = "Gone")))]
pub async fn delete(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let key = InputKey::of_text(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            inputs.projects.need(&project)?;
            inputs.remove(&project, &key)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}
