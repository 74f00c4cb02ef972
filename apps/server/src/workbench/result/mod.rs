//! What came of a job, in the form its screen shows; put together once, when the job ends.

mod anonymized;
pub mod differences;
mod frequencies;
pub mod measured;
pub mod members;
pub mod reader;
pub mod release_rows;
pub mod releases;
mod shapes;
mod table_risk;

use std::fs;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::anonymized::Anonymized;
use crate::platform::extract::Path;
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::Workbench;
use crate::workbench::compare::compared::{self, Compared};
use crate::workbench::compare::recommended::{self, Recommended};
use crate::workbench::data::overview;
use crate::workbench::project::store::StoredJob;
use crate::workbench::run::{JobSpec, Jobs};

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .routes(routes!(get))
        .routes(routes!(measured::post))
        .routes(routes!(members::get))
        .routes(routes!(release_rows::get))
        .routes(routes!(differences::get))
}

/// The result in a job's folder.
const RESULT: &str = "result.json";
/// The kind of jobs that have a result before they end.
const COMPARE: &str = "compare";

/// Puts the result of a finished child together.
pub fn prepare(jobs: &Jobs, job: &StoredJob, spec: &JobSpec) -> Result<(), Problem> {
    let folder = jobs.folder(job);
    let result = match spec {
        JobSpec::Anonymize(_) => {
            let (result, release) = anonymized::of(&folder)?;
            jobs.releases.keep(&job.id, release);
            JobResult::Anonymize(Box::new(result))
        }
        JobSpec::Compare(spec) => JobResult::Compare(compared::of(&folder, spec)?),
        JobSpec::Recommend(_) => JobResult::Recommend(recommended::of(&folder)?),
    };
    fs::write(folder.join(RESULT), serde_json::to_vec(&result)?)?;
    Ok(())
}

/// What came of a job, by its kind.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum JobResult {
    /// A release.
    Anonymize(Box<Anonymized>),
    /// A comparison.
    Compare(Compared),
    /// A recommendation.
    Recommend(Recommended),
}

/// A comparison that runs, or was stopped, shows the runs that are over.
fn so_far(jobs: &Jobs, job: &StoredJob) -> Result<Bytes, Problem> {
    let JobSpec::Compare(spec) = serde_json::from_str(&job.spec)? else {
        return Err(Problem::conflict("this job has no result"));
    };
    let result = compared::so_far(&jobs.folder(job), &spec)?;
    Ok(serde_json::to_vec(&JobResult::Compare(result))?.into())
}

/// What came of a job; of a comparison that is under way or was stopped, the runs that are over.
#[utoipa::path(get, path = "/api/jobs/{job}/result", tag = "results",
    responses((status = 200, description = "The result; its form depends on the kind of the job", body = JobResult)))]
pub async fn get(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Response, Problem> {
    jobs.ask(&principal, move |jobs| {
        let stored = jobs.need(&job)?;
        let path = jobs.folder(&stored).join(RESULT);
        match fs::read(path) {
            Ok(text) => Ok(text.into()),
            Err(_) if stored.kind == COMPARE => so_far(jobs, &stored),
            Err(_) if stored.state.is_over() => Err(Problem::conflict("this job has no result")),
            Err(_) => Err(Problem::conflict("this job has not ended yet")),
        }
    })
    .await
    .map(overview::json)
}
