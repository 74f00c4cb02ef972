//! Jobs over HTTP.

use std::convert::Infallible;
use std::fs;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Sse;
use axum::response::sse::{Event as Sent, KeepAlive};
use futures_util::Stream;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use utoipa::ToSchema;

use super::JobSpec;
use super::command::{self, ProjectInputs};
use crate::platform::extract::{Body, Path};
use crate::platform::jobs::{Event, JobProgress, JobState};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::secrets::identifier;
use crate::platform::service::Service;
use crate::workbench::method::check::{self, Estimate};
use crate::workbench::project::store::{StoredJob, now};
use crate::workbench::run::Jobs;

/// Characters of a note.
const LONGEST_NOTE: usize = 10_000;

/// A job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Job {
    /// Its identifier.
    pub id: String,
    /// The project it belongs to.
    pub project: String,
    /// `anonymize`, `compare` or `recommend`.
    pub kind: String,
    /// Where it is in its life.
    pub state: JobState,
    /// When it was asked for.
    pub created: String,
    /// When it began.
    pub started: Option<String>,
    /// When it ended.
    pub finished: Option<String>,
    /// How long it ran.
    pub seconds: Option<f64>,
    /// What was asked for.
    #[schema(value_type = Object)]
    pub spec: serde_json::Value,
    /// How far it is.
    pub progress: JobProgress,
    /// What was expected of a release that is being made, by the same rule as before it began.
    pub estimate: Option<Estimate>,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// The same as a recipe.
    pub recipe: String,
    /// The same as a command.
    pub command: String,
    /// Whether it is kept in view.
    pub pinned: bool,
    /// What the user wrote about it.
    pub note: String,
    /// When its checklist was completed.
    pub published: Option<String>,
}

/// The job as it is now.
pub fn view(jobs: &Jobs, stored: StoredJob) -> Result<Job, Problem> {
    let progress = jobs.progress(&stored);
    // As a form holds it, however it was asked for: pages show the values as they are typed.
    let spec = serde_json::from_str::<JobSpec>(&stored.spec)?.into_typed();
    let estimate = match &spec {
        JobSpec::Anonymize(spec) if !stored.state.is_over() => {
            check::estimate_of(&jobs.projects, &stored.project, spec)
        }
        _ => None,
    };
    Ok(Job {
        id: stored.id,
        project: stored.project,
        kind: stored.kind,
        state: stored.state,
        created: stored.created,
        started: stored.started,
        finished: stored.finished,
        seconds: stored.seconds,
        spec: serde_json::to_value(&spec)?,
        progress,
        estimate,
        problem: stored.problem.as_deref().map(serde_json::from_str).transpose()?,
        recipe: stored.recipe,
        command: stored.command,
        pinned: stored.pinned,
        note: stored.note,
        published: stored.published,
    })
}

/// Asks for a job.
#[utoipa::path(post, path = "/api/projects/{project}/jobs", tag = "jobs", request_body = JobSpec,
    responses((status = 202, description = "The job, waiting", body = Job)))]
pub async fn create(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(project): Path<String>,
    Body(spec): Body<JobSpec>,
) -> Result<(StatusCode, Json<Job>), Problem> {
    let job = jobs
        .ask(&principal, move |jobs| {
            let workspace = jobs.projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let events = snapshot.need_data()?.events.len() as u64;
            let setting = ProjectInputs::of(&jobs.projects, &project, &workspace.label, &snapshot)?;
            let commands = check::commands(&setting, &spec)?;
            let id = identifier()?;
            let job = StoredJob {
                id: id.clone(),
                project: project.clone(),
                kind: spec.kind().to_owned(),
                state: JobState::Queued,
                created: now(),
                started: None,
                finished: None,
                spec: serde_json::to_string(&spec)?,
                recipe: commands.recipe.clone(),
                command: commands.command.clone(),
                progress: "{}".to_owned(),
                problem: None,
                pinned: false,
                note: String::new(),
                events,
                seconds: None,
                process: None,
                published: None,
            };
            jobs.projects.writing(&project, || {
                let folder = jobs.projects.home.job(&project, &id);
                jobs.projects.home.begin_job(&project, &id)?;
                let added = command::lay_out(&jobs.projects, &workspace, &setting, &folder, &commands)
                    .and_then(|()| Ok(jobs.projects.store.add_job(&job)?));
                if added.is_err() {
                    // A folder that no job has would keep the data in it.
                    let _ = fs::remove_dir_all(&folder);
                }
                added?;
                jobs.queue.submit(&id);
                Ok(())
            })?;
            view(jobs, jobs.need(&id)?)
        })
        .await?;
    Ok((StatusCode::ACCEPTED, Json(job)))
}

/// The jobs of a project, the newest first.
#[utoipa::path(get, path = "/api/projects/{project}/jobs", tag = "jobs",
    responses((status = 200, description = "The jobs", body = Vec<Job>)))]
pub async fn list(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(project): Path<String>,
) -> Result<Json<Vec<Job>>, Problem> {
    jobs.ask(&principal, move |jobs| {
        jobs.projects.store.project(&project)?.ok_or_else(|| Problem::missing("project"))?;
        jobs.projects.store.jobs_of(&project)?.into_iter().map(|stored| view(jobs, stored)).collect()
    })
    .await
    .map(Json)
}

/// One job.
#[utoipa::path(get, path = "/api/jobs/{job}", tag = "jobs",
    responses((status = 200, description = "The job", body = Job)))]
pub async fn get(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Json<Job>, Problem> {
    jobs.ask(&principal, move |jobs| view(jobs, jobs.need(&job)?)).await.map(Json)
}

/// Stops a job and waits until it has stopped.
#[utoipa::path(post, path = "/api/jobs/{job}/cancel", tag = "jobs",
    responses((status = 200, description = "The job", body = Job)))]
pub async fn cancel(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Json<Job>, Problem> {
    jobs.ask(&principal, move |jobs| {
        jobs.need(&job)?;
        jobs.cancel(&job)?;
        view(jobs, jobs.need(&job)?)
    })
    .await
    .map(Json)
}

/// What the user says about a job.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// Whether to keep it in view.
    pinned: Option<bool>,
    /// A note.
    note: Option<String>,
}

/// Pins a job or writes a note about it.
#[utoipa::path(patch, path = "/api/jobs/{job}", tag = "jobs", request_body = Annotation,
    responses((status = 200, description = "The job", body = Job)))]
pub async fn annotate(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
    Body(said): Body<Annotation>,
) -> Result<Json<Job>, Problem> {
    jobs.ask(&principal, move |jobs| {
        jobs.need(&job)?;
        let note: Option<String> = said.note.map(|note| note.chars().take(LONGEST_NOTE).collect());
        jobs.projects.store.annotate_job(&job, said.pinned, note.as_deref())?;
        view(jobs, jobs.need(&job)?)
    })
    .await
    .map(Json)
}

/// Deletes a job with its result; one that runs is stopped first.
#[utoipa::path(delete, path = "/api/jobs/{job}", tag = "jobs", responses((status = 204, description = "Gone")))]
pub async fn delete(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<StatusCode, Problem> {
    jobs.ask(&principal, move |jobs| {
        let stored = jobs.need(&job)?;
        jobs.cancel(&job)?;
        jobs.projects.store.remove_job(&job)?;
        match fs::remove_dir_all(jobs.projects.home.job(&stored.project, &job)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(StatusCode::NO_CONTENT),
        }
    })
    .await
}

/// What happens to a job, as it happens: first `state` with the whole job, then `progress`, `message` and `state`. The
/// stream ends with the job.
#[utoipa::path(get, path = "/api/jobs/{job}/events", tag = "jobs",
    responses((status = 200, description = "Server-sent events", content_type = "text/event-stream", body = Happening)))]
pub async fn events(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Sent, Infallible>>>, Problem> {
    let seat = jobs.queue.seat().ok_or_else(|| {
        Problem::crowded("too many pages listen to jobs at the same time")
            .with_help("close some of them; a job can be asked for without listening, too")
    })?;
    // Listening begins before the state is read, so that nothing falls between the two.
    let listening = jobs.queue.live(&job).map(|live| live.listen());
    {
        let id = job.clone();
        jobs.ask(&principal, move |jobs| jobs.need(&id)).await?;
    }
    let listener = Listener { principal, jobs, job, listening, next: Next::State, _seat: seat };
    let stream = stream::unfold(listener, |mut listener| async move {
        let sent = listener.next_event().await?;
        Some((Ok(sent), listener))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// Something that happened to a job.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes what the stream is made of")]
pub struct Happening {
    /// `state`, `progress` or `message`.
    event: String,
    /// JSON: the whole job, how far it is, or `{"text": ...}`.
    data: String,
}

#[derive(Serialize)]
struct Said {
    text: String,
}

struct Listener {
    principal: Principal,
    jobs: Jobs,
    job: String,
    listening: Option<Receiver<Event>>,
    next: Next,
    /// Given back when the page that listens is gone.
    _seat: OwnedSemaphorePermit,
}

enum Next {
    State,
    Listen,
    End,
}

impl Listener {
    async fn next_event(&mut self) -> Option<Sent> {
        loop {
            match self.next {
                Next::End => return None,
                Next::State => {
                    let id = self.job.clone();
                    let job =
                        self.jobs.ask(&self.principal, move |jobs| view(jobs, jobs.need(&id)?)).await.ok()?;
                    let over = job.state.is_over() || self.listening.is_none();
                    self.next = if over { Next::End } else { Next::Listen };
                    return Sent::default().event("state").json_data(&job).ok();
                }
                Next::Listen => match self.listening.as_mut()?.recv().await {
                    Ok(Event::Progress(progress)) => {
                        return Sent::default().event("progress").json_data(&progress).ok();
                    }
                    Ok(Event::Message(text)) => {
                        return Sent::default().event("message").json_data(Said { text }).ok();
                    }
                    Ok(Event::State) | Err(RecvError::Lagged(_) | RecvError::Closed) => {
                        self.next = Next::State
                    }
                },
            }
        }
    }
}
