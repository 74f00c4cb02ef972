//! The files of a finished job: listed, fetched one by one or all together, and the checklist before publishing.

pub mod checklist;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path as FilePath, PathBuf};

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use throng_lab::{Manifest, defuse};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::platform::assets::media;
use crate::platform::extract::{Body, Path};
use crate::platform::jobs::JobState;
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::platform::streamed::{self, Outlet};
use crate::workbench::Workbench;
use crate::workbench::ledger::{self, LedgerAnswer, Ledgers};
use crate::workbench::project::store::StoredJob;
use crate::workbench::result::differences::{self, Differences};
use crate::workbench::run::{COMPARISON, Jobs, RECIPE, RELEASE};

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new()
        .routes(routes!(checklist::get))
        .routes(routes!(files))
        .routes(routes!(file))
        .routes(routes!(for_spreadsheets))
        .routes(routes!(download))
        .routes(routes!(post))
}

/// A page of ours without scripts, looked at beside the workbench.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; sandbox";

/// A file of a finished job.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FileView)]
pub struct JobFile {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Whether it is for the publisher alone: it is no part of the release, nor of its zip.
    pub private: bool,
}

/// The finished job with its folder.
fn done(jobs: &Jobs, job: &str) -> Result<(StoredJob, PathBuf), Problem> {
    let stored = jobs.need(job)?;
    if stored.state != JobState::Done {
        return Err(Problem::conflict("this job has no files: it has not come to its end"));
    }
    let folder = jobs.folder(&stored);
    Ok((stored, folder))
}

/// What can be looked at before a release is published.
const BEFOREHAND: [&str; 3] = ["manifest.json", RECIPE, "report.html"];

/// A release leaves the workbench when its checklist is complete, and no longer once a person in it was removed from the data.
fn may_leave(jobs: &Jobs, job: &StoredJob) -> Result<(), Problem> {
    if job.kind != "anonymize" {
        return Ok(());
    }
    if job.published.is_none() {
        return Err(Problem::conflict("this release was not published yet").with_help(
            "complete the checklist on the page `Publish`; report, manifest and recipe can be seen before",
        ));
    }
    let differences = differences::of(jobs, job)?;
    if differences.may_be_published { Ok(()) } else { Err(outdated(&differences)) }
}

/// Refuses a release of an earlier state of the data.
fn outdated(differences: &Differences) -> Problem {
    let detail =
        format!("this release was made from an earlier state of the data: {}", differences.words.join(" "));
    let help = match differences.may_be_published {
        true => {
            "run it again with the data as they are now, or confirm that the earlier state is to be published"
        }
        false => {
            "run it again with the data as they are now: a release with people who were removed is not given out"
        }
    };
    Problem::conflict(detail).with_help(help).at("earlier_state")
}

/// A file that may be fetched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Listed {
    name: String,
    path: PathBuf,
    private: bool,
}

/// What may be fetched, by name: only names from this list are ever opened.
fn listing(folder: &FilePath) -> Result<Vec<Listed>, Problem> {
    let mut files = Vec::new();
    for results in [RELEASE, COMPARISON] {
        for entry in fs::read_dir(folder.join(results)).into_iter().flatten() {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                let name = entry.file_name().to_string_lossy().into_owned();
                files.push(Listed { name, path: entry.path(), private: false });
            }
        }
    }
    let recipe = folder.join(RECIPE);
    if recipe.is_file() {
        // A comparison's own copy of its recipe names files of the job's folder.
        files.retain(|file| file.name != RECIPE);
        files.push(Listed { name: RECIPE.to_owned(), path: recipe, private: true });
    }
    files.sort();
    Ok(files)
}

/// The file of that name, if it may be fetched now.
fn found(jobs: &Jobs, job: &str, name: &str) -> Result<Listed, Problem> {
    let (stored, folder) = done(jobs, job)?;
    let file = listing(&folder)?.into_iter().find(|file| file.name == name);
    let file = file.ok_or_else(|| Problem::missing("file"))?;
    if !BEFOREHAND.contains(&file.name.as_str()) {
        may_leave(jobs, &stored)?;
    }
    Ok(file)
}

/// The path of a released table in CSV, for the publisher's own eyes: looking at it is not publishing it.
pub fn table(jobs: &Jobs, job: &str, name: &str) -> Result<PathBuf, Problem> {
    let (_, folder) = done(jobs, job)?;
    let fits = |file: &Listed| file.name == name && !file.private && name.ends_with(".csv");
    let file = listing(&folder)?.into_iter().find(fits);
    file.map(|file| file.path).ok_or_else(|| Problem::missing("table of the release"))
}

/// The files of a finished job.
#[utoipa::path(get, path = "/api/jobs/{job}/files", tag = "results",
    responses((status = 200, description = "The files", body = Vec<JobFile>)))]
pub async fn files(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Json<Vec<JobFile>>, Problem> {
    jobs.ask(&principal, move |jobs| {
        let (_, folder) = done(jobs, &job)?;
        let view = |file: Listed| {
            let bytes = fs::metadata(&file.path)?.len();
            Ok(JobFile { name: file.name, bytes, private: file.private })
        };
        listing(&folder)?.into_iter().map(view).collect()
    })
    .await
    .map(Json)
}

/// One file of a finished job.
#[utoipa::path(get, path = "/api/jobs/{job}/files/{name}", tag = "results",
    responses((status = 200, description = "The file", content(
        (String = "text/csv"), (Object = "application/json"), (String = "text/html"), (String = "text/plain"),
        (String = "image/svg+xml"), (String = "application/octet-stream"),
    ))))]
pub async fn file(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path((job, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (name, mut content) = jobs
        .ask(&principal, move |jobs| {
            let file = found(jobs, &job, &name)?;
            let content = File::open(&file.path)?;
            Ok((file.name, content))
        })
        .await?;
    let page = name.ends_with(".html");
    let shown = if page { "inline" } else { "attachment" };
    let mut response = (
        [
            (header::CONTENT_TYPE, media(&name).to_owned()),
            (header::CONTENT_DISPOSITION, format!("{shown}; filename=\"{name}\"")),
        ],
        streamed::body(move |out| io::copy(&mut content, out).map(drop)),
    )
        .into_response();
    if page {
        let policy = header::HeaderValue::from_static(PAGE_POLICY);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// A copy of a table of the release in which no cell can be taken for a formula. The release itself stays as it is.
#[utoipa::path(get, path = "/api/jobs/{job}/files/{name}/spreadsheet", tag = "results",
    responses((status = 200, description = "A CSV file", content_type = "text/csv", body = String)))]
pub async fn for_spreadsheets(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path((job, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (stem, exact) = jobs
        .ask(&principal, move |jobs| {
            let file = found(jobs, &job, &name)?;
            let stem = file.name.strip_suffix(".csv").ok_or_else(|| {
                Problem::wrong("only a table in CSV has a copy for spreadsheets").at("name")
            })?;
            Ok((stem.to_owned(), BufReader::new(File::open(&file.path)?)))
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{stem}-for-spreadsheets.csv\"")),
    ];
    Ok((headers, streamed::body(move |out| defuse(exact, out).map(drop))).into_response())
}

/// The release directory as one file, and nothing else.
#[utoipa::path(get, path = "/api/jobs/{job}/download", tag = "results",
    responses((status = 200, description = "A zip file", content_type = "application/zip", body = String)))]
pub async fn download(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Response, Problem> {
    let files = jobs
        .ask(&principal, move |jobs| {
            let (stored, folder) = done(jobs, &job)?;
            may_leave(jobs, &stored)?;
            let own = |file: &Listed| !(file.private && stored.kind == "anonymize");
            Ok(listing(&folder)?.into_iter().filter(own).collect::<Vec<_>>())
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"release.zip\""),
    ];
    Ok((headers, streamed::body(move |out| pack(&files, out))).into_response())
}

fn pack(files: &[Listed], out: &mut Outlet) -> io::Result<()> {
    let mut archive = ZipWriter::new_stream(out);
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true);
    for Listed { name, path, .. } in files {
        archive.start_file(format!("release/{name}"), options)?;
        io::copy(&mut File::open(path)?, &mut archive)?;
    }
    archive.finish()?;
    Ok(())
}

/// A wish to publish.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishRequest {
    /// The points of the release's checklist, by key: all of them have to be confirmed.
    checklist: BTreeMap<String, bool>,
    /// Whether a release is to be published although the data changed since. Never when people were removed since.
    #[serde(default)]
    earlier_state: bool,
    /// Whether to record it in the release ledger. Otherwise there is no warning when these people are released again.
    #[serde(default = "yes")]
    ledger: bool,
    /// What the ledger calls the data; the name of the project unless given.
    #[serde(default)]
    dataset: Option<String>,
}

fn yes() -> bool {
    true
}

/// Where everything is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Published {
    /// The release directory as one file.
    pub download: String,
    /// The recipe.
    pub recipe: String,
    /// The report.
    pub report: String,
    /// What the release ledger says about it; absent when it was left out.
    pub ledger: Option<LedgerAnswer>,
}

/// Completes the checklist of a release.
#[utoipa::path(post, path = "/api/jobs/{job}/publish", tag = "results", request_body = PublishRequest,
    responses((status = 200, description = "Where everything is", body = Published)))]
pub async fn post(
    principal: Principal,
    State(ledgers): State<Ledgers>,
    Path(job): Path<String>,
    Body(request): Body<PublishRequest>,
) -> Result<Json<Published>, Problem> {
    ledgers
        .ask(&principal, move |ledgers| {
            let jobs = &ledgers.jobs;
            let (stored, folder) = done(jobs, &job)?;
            if stored.kind != "anonymize" {
                return Err(Problem::conflict("this job has no release"));
            }
            let points = checklist::points(&folder)?;
            let ticked = |key: &str| request.checklist.get(key).copied().unwrap_or(false);
            if let Some(open) = points.iter().find(|point| !ticked(point.key)) {
                return Err(Problem::wrong("the checklist is not complete")
                    .with_help("confirm every point, or leave the release unpublished")
                    .at(open.key));
            }
            let differences = differences::of(jobs, &stored)?;
            let wanted = differences.may_be_published && request.earlier_state;
            if !differences.current && !wanted {
                return Err(outdated(&differences));
            }
            // The list is a matter of the publisher's; the verdict is not.
            let verified =
                Manifest::read(&folder.join(RELEASE))?.is_some_and(|manifest| manifest.verdict.holds);
            if !verified {
                return Err(Problem::conflict("only a verified release can be published"));
            }
            // Recorded first: what is in the ledger and was not published warns once too often, never too seldom.
            if request.ledger {
                ledger::record(ledgers, &stored, request.dataset.as_deref())?;
            }
            jobs.projects.store.publish_job(&stored.id)?;
            let base = format!("/api/jobs/{}", stored.id);
            Ok(Published {
                download: format!("{base}/download"),
                recipe: format!("{base}/files/{RECIPE}"),
                report: format!("{base}/files/report.html"),
                ledger: request.ledger.then(|| ledger::view(ledgers, &stored)).transpose()?,
            })
        })
        .await
        .map(Json)
}
