//! Projects: made from a sample world or from a file of the user's, listed, renamed, deleted.

use std::fs;
use std::path::Path as FilePath;

use axum::Json;
use axum::body::Body as RawBody;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use throng_prepare::worlds::{self, WorldOptions};
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Body, Path, Query};
use crate::platform::jobs::JobState;
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::secrets::identifier;
use crate::platform::service::Service;
use crate::platform::upload;
use crate::workbench::project::Projects;
use crate::workbench::project::store::{StoredProject, now};
use crate::workbench::reading::DataForm;
use crate::workbench::run::Jobs;
use crate::workbench::start::samples::{self, Sample};

/// Characters of a name.
const LONGEST_NAME: usize = 200;

/// A project.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Project {
    /// Its identifier.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// When it was made.
    pub created: String,
    /// When it was last looked at.
    pub opened: String,
    /// What its data was called where it came from.
    pub source: String,
    /// People, once counted.
    pub subjects: Option<u64>,
    /// Events, once counted.
    pub events: Option<u64>,
    /// Jobs that wait or run.
    pub jobs_running: u64,
}

/// A project to be made from a sample world.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    /// What to call it.
    name: Option<String>,
    /// The world's name.
    world: String,
    /// Number of people.
    subjects: Option<u64>,
    /// Draws the people.
    seed: Option<u64>,
    /// What a row is to be, where the world has several forms; its usual one when it is not said.
    form: Option<DataForm>,
}

/// A change of a project.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectChange {
    /// What to call it.
    name: String,
}

/// What is uploaded.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// The file's name; its extension says which form it has.
    name: String,
}

fn view(projects: &Projects, stored: StoredProject) -> Result<Project, Problem> {
    let running = |state| Ok::<_, Problem>(projects.store.jobs_in(state)?);
    let mut jobs = running(JobState::Running)?;
    jobs.extend(running(JobState::Queued)?);
    Ok(Project {
        jobs_running: jobs.iter().filter(|job| job.project == stored.id).count() as u64,
        id: stored.id,
        name: stored.name,
        created: stored.created,
        opened: stored.opened,
        source: stored.source,
        subjects: stored.subjects,
        events: stored.events,
    })
}

/// A name people can read: no control characters, not empty, not endless.
/// A name that a user gave, as it is kept.
pub fn name(given: &str) -> Result<String, Problem> {
    let name: String = given.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    match name.trim() {
        "" => Err(Problem::wrong("a project needs a name").at("name")),
        name => Ok(name.to_owned()),
    }
}

/// All projects, the last opened first.
#[utoipa::path(get, path = "/api/projects", tag = "projects",
    responses((status = 200, description = "All projects", body = Vec<Project>)))]
pub async fn list(
    principal: Principal,
    State(projects): State<Projects>,
) -> Result<Json<Vec<Project>>, Problem> {
    projects
        .ask(&principal, |projects| {
            projects.store.projects()?.into_iter().map(|stored| view(projects, stored)).collect()
        })
        .await
        .map(Json)
}

/// Makes a project from a sample world.
#[utoipa::path(post, path = "/api/projects", tag = "projects", request_body = NewProject,
    responses((status = 201, description = "The project", body = Project)))]
pub async fn create(
    principal: Principal,
    State(projects): State<Projects>,
    Body(wanted): Body<NewProject>,
) -> Result<(StatusCode, Json<Project>), Problem> {
    let project = projects
        .ask(&principal, move |projects| {
            let world = worlds::find(&wanted.world).map_err(|error| problem::of(error).at("world"))?;
            let limit = projects.limits.subjects;
            if wanted.subjects.is_some_and(|subjects| subjects == 0 || subjects > limit) {
                let detail = format!("a sample world has 1 to {limit} people");
                return Err(Problem::wrong(detail).at("subjects"));
            }
            let called = name(wanted.name.as_deref().unwrap_or(world.name))?;
            let id = identifier()?;
            let options = WorldOptions {
                subjects: wanted.subjects,
                seed: wanted.seed.unwrap_or(0),
                ..WorldOptions::default()
            };
            let forms = samples::forms(world);
            let form = wanted.form.unwrap_or(forms[0]);
            if !forms.contains(&form) {
                return Err(Problem::wrong("this sample world has no such form").at("form"));
            }
            projects.making(&id, || {
                let sample = Sample::make(projects, &id, world, &options, form)?;
                let stored = fresh(id.clone(), called, format!("{}.csv", world.name), "data.csv".to_owned());
                let events = (form == forms[0]).then_some(sample.written.events);
                let (subjects, reading) = (Some(sample.written.subjects), sample.reading.clone());
                add_stored(projects, StoredProject { subjects, events, reading, ..stored })?;
                sample.register(projects, &id)?;
                view(projects, projects.need(&id)?)
            })
        })
        .await?;
    Ok((StatusCode::CREATED, Json(project)))
}

/// A project that has just been made.
pub fn fresh(id: String, name: String, source: String, file: String) -> StoredProject {
    let (created, opened) = (now(), now());
    let reading = "{}".to_owned();
    StoredProject {
        id,
        name,
        created,
        opened,
        source,
        file,
        reading,
        subjects: None,
        events: None,
        position: 0,
    }
}

/// Enters a project into the database; its folder goes where that fails.
pub fn add_stored(projects: &Projects, stored: StoredProject) -> Result<(), Problem> {
    if let Err(error) = projects.store.add_project(&stored) {
        let _ = fs::remove_dir_all(projects.home.project(&stored.id));
        return Err(error.into());
    }
    projects.home.finish(&stored.id)?;
    Ok(())
}

/// The name under which an uploaded file is kept: its form and packing are all that its own name decides. A name that says
/// nothing is that of a text: what a file is, is found by looking at it.
fn kept_as(name: &str) -> Option<String> {
    const FORMS: [&str; 18] = [
        "csv", "tsv", "txt", "spmf", "dat", "fimi", "parquet", "pq", "json", "jsonl", "ndjson", "xes",
        "xlsx", "xls", "ods", "log", "data", "seq",
    ];
    /// Forms of files that are programs or pictures, and never data.
    const OTHERS: [&str; 10] = ["exe", "dll", "so", "png", "jpg", "jpeg", "gif", "pdf", "html", "js"];
    const PACKINGS: [&str; 5] = [".gz", ".zst", ".xz", ".bz2", ".zip"];
    let lower = name.to_lowercase();
    let (plain, packed) = PACKINGS
        .into_iter()
        .find_map(|packing| Some((lower.strip_suffix(packing)?, packing)))
        .unwrap_or((lower.as_str(), ""));
    let Some((_, last)) = plain.rsplit_once('.') else {
        // What is packed says itself what it is.
        return (!packed.is_empty() && !plain.is_empty()).then(|| format!("data{packed}"));
    };
    match FORMS.into_iter().find(|form| *form == last) {
        Some(form) => Some(format!("data.{form}{packed}")),
        None if OTHERS.contains(&last) => None,
        None => Some(format!("data.txt{packed}")),
    }
}

/// Whether a file of a project may have this name.
pub fn is_kept_name(file: &str) -> bool {
    kept_as(file).as_deref() == Some(file)
}

/// One project as the list shows it.
pub fn one(projects: &Projects, id: &str) -> Result<Project, Problem> {
    view(projects, projects.need(id)?)
}

/// Makes a project from a file.
#[utoipa::path(post, path = "/api/projects/upload", tag = "projects", params(UploadQuery),
    request_body(content = String, content_type = "application/octet-stream", description = "The file"),
    responses((status = 201, description = "The project", body = Project)))]
pub async fn upload(
    principal: Principal,
    State(projects): State<Projects>,
    Query(query): Query<UploadQuery>,
    body: RawBody,
) -> Result<(StatusCode, Json<Project>), Problem> {
    // The last part of what may be a whole path on the user's machine.
    let label = name(query.name.rsplit(['/', '\\']).next().unwrap_or_default())?;
    form(&label)?;
    // Before a byte of the body is kept.
    principal.need(Projects::RIGHT)?;
    let (temporary, size) =
        upload::receive(body, &projects.home.root().join("projects"), projects.limits.upload).await?;
    let project = projects
        .ask(&principal, move |projects| {
            let place = |path: &FilePath| temporary.persist(path).map(drop).map_err(|error| error.error);
            adopt(projects, &label, size, place)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(project)))
}

/// Makes a project of a file that `place` puts where it is told.
pub fn adopt(
    projects: &Projects,
    label: &str,
    size: u64,
    place: impl FnOnce(&FilePath) -> std::io::Result<()>,
) -> Result<Project, Problem> {
    let file = form(label)?;
    if size == 0 {
        return Err(Problem::wrong("the file is empty").with_help("choose a file with data"));
    }
    let id = identifier()?;
    let folder = projects.home.project(&id);
    projects.making(&id, || {
        projects.home.begin(&id)?;
        if let Err(error) = place(&folder.join(&file)) {
            // Half a file makes no project.
            let _ = fs::remove_dir_all(&folder);
            return Err(error.into());
        }
        add_stored(projects, fresh(id.clone(), label.to_owned(), label.to_owned(), file))?;
        // Reading begins before the first request for the data.
        projects.workspace(&id)?;
        view(projects, projects.need(&id)?)
    })
}

/// Makes a project of a file on this machine, which is copied.
pub fn open_file(projects: &Projects, file: &FilePath) -> Result<Project, Problem> {
    let shown = file.display();
    let size = fs::metadata(file)
        .and_then(|meta| match meta.is_dir() {
            true => Err(std::io::ErrorKind::IsADirectory.into()),
            false => Ok(meta.len()),
        })
        .map_err(|error| {
            Problem::wrong(format!("`{shown}` cannot be read: {error}"))
                .with_help("give the path of a file with events; `throng open --help` lists the forms")
        })?;
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    adopt(projects, &name, size, |target| fs::copy(file, target).map(drop)).map_err(|mut problem| {
        problem.detail = format!("`{shown}`: {}", problem.detail);
        problem
    })
}

fn form(label: &str) -> Result<String, Problem> {
    kept_as(label).ok_or_else(|| {
        Problem::wrong("no known form of data has the extension of this name")
            .with_help("tables as text, JSON lines, workbooks, event logs (XES), SPMF, FIMI and Parquet are read, also packed")
            .at("name")
    })
}

/// One project.
#[utoipa::path(get, path = "/api/projects/{project}", tag = "projects",
    responses((status = 200, description = "The project", body = Project)))]
pub async fn get(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<Json<Project>, Problem> {
    projects
        .ask(&principal, move |projects| {
            projects.store.open_project(&project)?;
            view(projects, projects.need(&project)?)
        })
        .await
        .map(Json)
}

/// Renames a project.
#[utoipa::path(patch, path = "/api/projects/{project}", tag = "projects", request_body = ProjectChange,
    responses((status = 200, description = "The project", body = Project)))]
pub async fn rename(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Body(change): Body<ProjectChange>,
) -> Result<Json<Project>, Problem> {
    projects
        .ask(&principal, move |projects| {
            projects.need(&project)?;
            projects.store.rename_project(&project, &name(&change.name)?)?;
            view(projects, projects.need(&project)?)
        })
        .await
        .map(Json)
}

/// Deletes a project with everything in it; its jobs are stopped.
#[utoipa::path(delete, path = "/api/projects/{project}", tag = "projects",
    responses((status = 204, description = "Gone")))]
pub async fn delete(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(project): Path<String>,
) -> Result<StatusCode, Problem> {
    jobs.ask(&principal, move |jobs| {
        let projects = &jobs.projects;
        projects.deleting(&project, || {
            for job in projects.store.jobs_of(&project)? {
                jobs.cancel(&job.id)?;
            }
            // In this order, so that a server that is killed meanwhile has its successor go on.
            projects.home.condemn(&project)?;
            projects.store.remove_project(&project)?;
            // Data in memory are those of a project that the database knows: from here on, none are read.
            projects.forget(&project);
            projects.home.clear(&project)?;
            Ok(StatusCode::NO_CONTENT)
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_decides_nothing_but_the_form() {
        assert_eq!(kept_as("Trips 2024.CSV").as_deref(), Some("data.csv"));
        assert_eq!(kept_as("../../etc/passwd.csv.gz").as_deref(), Some("data.csv.gz"));
        assert_eq!(kept_as("a.parquet").as_deref(), Some("data.parquet"));
        assert_eq!(kept_as("passwd"), None);
        assert_eq!(kept_as("csv"), None);
        assert_eq!(kept_as("a.exe"), None);
        assert_eq!(kept_as("Log 1.XES.gz").as_deref(), Some("data.xes.gz"));
        assert_eq!(kept_as("visits.2024").as_deref(), Some("data.txt"));
        assert_eq!(kept_as("stays.csv.zip").as_deref(), Some("data.csv.zip"));
        assert_eq!(kept_as("stays.zip").as_deref(), Some("data.zip"));
        assert_eq!(kept_as(".zip"), None);
    }
}
