//! Files beside the data: places, records, taxonomy, item lists.

pub mod earlier;
pub mod hierarchies;
pub mod key;
pub mod people;
pub mod taken;

use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::{Body as RawBody, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use throng_contract::{Input, Progress};
use throng_data::formats::{
    CUT_FROM_DATA, InputError, ReadOptions, Source, align_taxonomy, read_costs, read_item_sets, read_items,
    read_names, read_patterns, read_people, read_person_patterns, read_places, read_policy, read_queries,
    read_taxonomy,
};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::taken::TakenColumns;
use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::platform::upload;
use crate::workbench::Workbench;
use crate::workbench::data::histogram;
use crate::workbench::data::overview::DataProblem;
use crate::workbench::data::summary::attribute_views;
use crate::workbench::inputs::earlier::EarlierInputs;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::project::Projects;
use crate::workbench::project::store::StoredInput;
use crate::workbench::snapshots::{Answer, LONG_PATIENCE, PATIENCE, Snapshot, TIMELESS, Table, Workspace};
use crate::workbench::working_table::{self, Edit, WorkingColumn};

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(get, put, delete)).routes(routes!(download))
}

/// Lines in one answer.
const MOST_LINES: u64 = 1000;

/// A file beside the data.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct InputView {
    /// Which input: the name of its flag, and for a column `hierarchy:COLUMN`.
    pub input: String,
    /// What the file was called.
    pub name: String,
    /// Lines with content, but for a header.
    pub rows: u64,
    /// Why it cannot be used with the data as it is now.
    pub problem: Option<String>,
    /// What the publisher should know of an input that was just made from the data.
    pub note: Option<String>,
    /// The columns of the data that it was taken from, where they say something else by now.
    pub outdated: Option<TakenColumns>,
}

/// Enters the file that lies in an input's place into the database.
pub fn register(projects: &Projects, project: &str, key: &InputKey, name: &str) -> Result<(), Problem> {
    projects.store.set_input(project, &stored(&projects.home.input(project, key.clone()), key, name)?)?;
    projects.workspace(project)?.inputs_changed();
    Ok(())
}

/// What the database says of a file that lies in an input's place.
pub fn stored(path: &FilePath, key: &InputKey, name: &str) -> std::io::Result<StoredInput> {
    let is_row = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(CUT_FROM_DATA.as_bytes());
    let lines = fs::read(path)?.split(|byte| *byte == b'\n').filter(is_row).count() as u64;
    let header = u64::from(matches!(key.input, Input::Places | Input::Records | Input::PersonPatterns));
    let rows = lines.saturating_sub(header);
    Ok(StoredInput { input: key.to_string(), name: name.to_owned(), rows, problem: None })
}

/// Why an input cannot be used with the data; `None` when it can, or when the data itself cannot be read.
fn judge(snapshot: &Snapshot, key: &InputKey, path: &FilePath) -> Option<DataProblem> {
    let read = snapshot.data.as_ref()?;
    let (items, subjects) = (&read.dataset.items, &read.dataset.subjects);
    let (source, progress) = (Source::file(path), Progress::silent());
    let checked: Result<(), InputError> = match key.input {
        Input::Places => read_places(&source, items, &progress).map(drop),
        Input::Records => read_people(&source, &ReadOptions::default(), None, subjects, &progress).map(drop),
        Input::Taxonomy => read_taxonomy(&source, &progress)
            .and_then(|taxonomy| align_taxonomy(&source, &taxonomy, items).map(drop)),
        Input::SensitiveItems => read_items(&source, items).map(drop),
        Input::Constraints => read_item_sets(&source, items).map(drop),
        Input::Patterns => read_patterns(&source, items).map(drop),
        Input::PersonPatterns => {
            read_person_patterns(&source, read.shape.roles.subject.as_deref(), subjects, items).map(drop)
        }
        Input::Alphabet => read_names(&source).map(drop),
        Input::Costs => read_costs(&source).map(drop),
        Input::Queries => read_queries(&source).map(drop),
        Input::Policy => read_policy(&source, items).map(drop),
        Input::Hierarchies => {
            return hierarchies::judge(snapshot, &beside(path), key.column.as_deref()?, path);
        }
        Input::SensitiveValues => Ok(()),
    };
    checked.err().map(|error| DataProblem::of(error, path, &key.label()))
}

/// The file of records that lies beside another input.
fn beside(path: &FilePath) -> PathBuf {
    path.with_file_name(InputKey::from(Input::Records).file())
}

/// The columns of the records, their key left out; none when there are no records.
fn record_columns(path: &FilePath, progress: &Progress) -> Vec<WorkingColumn> {
    if !path.is_file() {
        return Vec::new();
    }
    let (working_table, _) = working_table::read(&Source::file(path), None, progress);
    let assignment = crate::workbench::reading::Assignment::of(&working_table, &Default::default());
    let key = assignment.subject();
    let others = working_table.columns.into_iter().enumerate().filter(|(column, _)| Some(*column) != key);
    others.map(|(_, column)| column).collect()
}

/// What the columns of the records hold, read once for each file of records.
pub fn attributes(projects: &Projects, workspace: &Workspace, patience: Duration) -> Result<Answer, Problem> {
    let path = projects.home.input(&workspace.project, Input::Records);
    workspace.answer_within("attributes", TIMELESS, patience, move |progress| {
        Ok(attribute_views(&record_columns(&path, progress)))
    })
}

/// How often the values of an attribute occur among the people of the records.
pub fn attribute_histogram(projects: &Projects, workspace: &Workspace, name: &str) -> Result<Bytes, Problem> {
    let path = projects.home.input(&workspace.project, Input::Records);
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

/// All inputs of a project, validated against the data as far as that is done within the time given.
pub fn all(projects: &Projects, project: &str, patience: Duration) -> Result<Vec<InputView>, Problem> {
    let deadline = Instant::now() + patience;
    let workspace = projects.workspace(project)?;
    let snapshot = workspace.snapshot_within(patience);
    let mut views = Vec::new();
    for stored in projects.store.inputs(project)? {
        let key = InputKey::parse(&stored.input)?;
        let left = deadline.saturating_duration_since(Instant::now());
        let problem = match &snapshot {
            Some(snapshot) => judgement(projects, &workspace, snapshot, &key, left)?,
            None => None,
        };
        let outdated = match &snapshot {
            Some(snapshot) => outdated(projects, &workspace, snapshot, &key)?,
            None => None,
        };
        views.push(InputView {
            input: stored.input,
            name: stored.name,
            rows: stored.rows,
            problem: problem.map(|problem| format!("{}. {}", problem.detail, problem.help)),
            note: None,
            outdated,
        });
    }
    Ok(views)
}

/// Why an input cannot be used, computed once for each set of names that it is validated against; nothing while that is under
/// way.
fn judgement(
    projects: &Projects,
    workspace: &Workspace,
    snapshot: &Arc<Snapshot>,
    key: &InputKey,
    patience: Duration,
) -> Result<Option<DataProblem>, Problem> {
    let path = projects.home.input(&workspace.project, key.clone());
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
fn outdated(
    projects: &Projects,
    workspace: &Workspace,
    snapshot: &Arc<Snapshot>,
    key: &InputKey,
) -> Result<Option<TakenColumns>, Problem> {
    if !matches!(key.input, Input::Records | Input::Places) {
        return Ok(None);
    }
    let path = projects.home.input(&workspace.project, key.clone());
    let question = format!("taken/{key}/{}", workspace.inputs_version());
    let (revision, snapshot, input) = (snapshot.revision, Arc::clone(snapshot), key.input);
    let told = workspace.answer(&question, revision, move || Ok(taken::outdated(&path, &snapshot, input)))?;
    Ok(serde_json::from_slice(&told)?)
}

/// The files beside the data.
#[utoipa::path(get, path = "/api/projects/{project}/inputs", tag = "meaning",
    responses((status = 200, description = "The files that are there", body = Vec<InputView>)))]
pub async fn list(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Json<Vec<InputView>>, Problem> {
    projects.ask(&principal, move |projects| all(projects, &project, PATIENCE)).await.map(Json)
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
    responses((status = 200, description = "The file, and whether it can be used", body = InputView)))]
pub async fn put(
    principal: Principal,
    State(projects): State<Projects>,
    Path((project, input)): Path<(String, String)>,
    Query(query): Query<NameQuery>,
    body: RawBody,
) -> Result<Json<InputView>, Problem> {
    let key = InputKey::parse(&input)?;
    let folder = {
        let project = project.clone();
        projects
            .ask(&principal, move |projects| {
                projects.store.project(&project)?.ok_or_else(|| Problem::missing("project"))?;
                Ok(projects.home.inputs(&project))
            })
            .await?
    };
    let (temporary, size) = upload::receive(body, &folder, projects.limits.upload).await?;
    if size == 0 {
        return Err(Problem::wrong("the file is empty").with_help("choose a file with data"));
    }
    let name = query.name.unwrap_or_else(|| key.label());
    projects
        .ask(&principal, move |projects| {
            let label: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
            let snapshot = projects.workspace(&project)?.snapshot()?;
            fitting(&snapshot, &key, temporary.path())?;
            replace(projects, &project, &key, Some((temporary, &label)))?;
            one(projects, &project, &key)
        })
        .await
        .map(Json)
}

/// Refuses a file that cannot be used with the data.
fn fitting(snapshot: &Snapshot, key: &InputKey, path: &FilePath) -> Result<(), Problem> {
    let Some(found) = judge(snapshot, key, path) else { return Ok(()) };
    let place = found.line.map(|line| format!("line {line}"));
    let problem = Problem::wrong(found.detail).with_help(found.help);
    Err(problem.at(place.unwrap_or_else(|| key.input.flag().to_owned())))
}

/// One input of a project.
pub fn one(projects: &Projects, project: &str, key: &InputKey) -> Result<InputView, Problem> {
    let (views, wanted) = (all(projects, project, LONG_PATIENCE)?, key.to_string());
    views.into_iter().find(|view| view.input == wanted).ok_or_else(|| Problem::missing("input"))
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
    State(projects): State<Projects>,
    Path((project, input)): Path<(String, String)>,
    Query(query): Query<LinesQuery>,
) -> Result<String, Problem> {
    let key = InputKey::parse(&input)?;
    projects
        .ask(&principal, move |projects| {
            projects.store.project(&project)?.ok_or_else(|| Problem::missing("project"))?;
            let path = projects.home.input(&project, key);
            let text = match fs::read(&path) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(_) => return Err(Problem::missing("input of this project")),
            };
            let (offset, limit) =
                (query.offset.unwrap_or(0), query.limit.unwrap_or(MOST_LINES).min(MOST_LINES));
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
    State(projects): State<Projects>,
    Path((project, input)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let key = InputKey::parse(&input)?;
    projects
        .ask(&principal, move |projects| {
            projects.store.project(&project)?.ok_or_else(|| Problem::missing("project"))?;
            let bytes = fs::read(projects.home.input(&project, key.clone()))
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
    State(projects): State<Projects>,
    Path((project, input)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let key = InputKey::parse(&input)?;
    projects
        .ask(&principal, move |projects| {
            projects.store.project(&project)?.ok_or_else(|| Problem::missing("project"))?;
            remove(projects, &project, &key)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

/// Takes away the file in an input's place, so that it can be undone.
pub fn remove(projects: &Projects, project: &str, key: &InputKey) -> Result<(), Problem> {
    if !projects.home.input(project, key.clone()).is_file() {
        return Err(Problem::missing("input of this project"));
    }
    replace(projects, project, key, None)
}

/// Writes an input that was edited here, unless it cannot be used with the data. It keeps the name of its file.
pub fn write_judged(
    projects: &Projects,
    project: &str,
    key: &InputKey,
    snapshot: &Snapshot,
    text: &str,
) -> Result<(), Problem> {
    let temporary = tempfile::Builder::new().prefix(".input-").tempfile_in(projects.home.inputs(project))?;
    fs::write(temporary.path(), text)?;
    fitting(snapshot, key, temporary.path())?;
    let known = projects.store.inputs(project)?.into_iter().find(|stored| stored.input == key.to_string());
    let name = known.map_or_else(|| key.label(), |stored| stored.name);
    replace(projects, project, key, Some((temporary, &name)))
}

/// Writes an input that was made here.
pub fn write(projects: &Projects, project: &str, key: &InputKey, text: &str) -> Result<(), Problem> {
    let temporary = tempfile::Builder::new().prefix(".input-").tempfile_in(projects.home.inputs(project))?;
    fs::write(temporary.path(), text)?;
    replace(projects, project, key, Some((temporary, &key.label())))
}

/// Puts a file in an input's place, or takes away what is there, so that it can be undone.
fn replace(
    projects: &Projects,
    project: &str,
    key: &InputKey,
    with: Option<(NamedTempFile, &str)>,
) -> Result<(), Problem> {
    let workspace = projects.workspace(project)?;
    let mut table = workspace.need_table()?;
    projects.writing(project, || put_in_place(projects, project, key, with, &mut table))?;
    drop(table);
    workspace.inputs_changed();
    Ok(())
}

fn put_in_place(
    projects: &Projects,
    project: &str,
    key: &InputKey,
    with: Option<(NamedTempFile, &str)>,
    table: &mut Table,
) -> Result<(), Problem> {
    let earlier = EarlierInputs::of(&projects.home.inputs(project))?;
    let place = projects.home.input(project, key.clone());
    let known = projects.store.inputs(project)?.into_iter().find(|stored| stored.input == key.to_string());
    let before = match known.filter(|_| place.is_file()) {
        Some(stored) => Some(earlier.keep(&place, &stored.name)?),
        None => None,
    };
    let after = match &with {
        Some((temporary, label)) => Some(earlier.keep(temporary.path(), label)?),
        None => None,
    };
    match with {
        Some((temporary, label)) => {
            temporary.persist(&place).map_err(|error| error.error)?;
            projects.store.set_input(project, &stored(&place, key, label)?)?;
        }
        None => {
            fs::remove_file(&place)?;
            projects.store.remove_input(project, &key.to_string())?;
        }
    }
    table.edit(Edit::Input { input: key.to_string(), before, after })?;
    Ok(())
}
