//! The files of a finished job: listed, fetched one by one or all together, and the checklist before publishing.

use std::fs::{self, File};
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use throng_lab::Manifest;
use utoipa::ToSchema;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::assets::media;
use crate::extract::{Body, Path};
use crate::jobs::{self, COMPARISON, RELEASE};
use crate::ledger::{self, LedgerView};
use crate::problem::Problem;
use crate::store::{JobState, StoredJob};
use crate::streamed::{self, Outlet};
use crate::workbench::Workbench;

/// The recipe in a job's folder.
const RECIPE: &str = "recipe.toml";
/// A page of ours without scripts, looked at beside the workbench.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; sandbox";

/// A file of a finished job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FileView {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// The finished job with its folder.
fn done(bench: &Workbench, job: &str) -> Result<(StoredJob, PathBuf), Problem> {
    let stored = jobs::need(bench, job)?;
    if stored.state != JobState::Done {
        return Err(Problem::conflict("this job has no files: it has not come to its end"));
    }
    let folder = bench.home.job(&stored.project, &stored.id);
    Ok((stored, folder))
}

/// What can be looked at before a release is published.
const BEFOREHAND: [&str; 3] = ["manifest.json", RECIPE, "report.html"];

/// A release leaves the workbench when its checklist is complete.
fn may_leave(job: &StoredJob) -> Result<(), Problem> {
    if job.kind != "anonymize" || job.published.is_some() {
        return Ok(());
    }
    Err(Problem::conflict("this release was not published yet").with_help(
        "complete the checklist on the page `Publish`; report, manifest and recipe can be seen before",
    ))
}

/// What may be fetched, by name: only names from this list are ever opened.
fn listing(folder: &FilePath) -> Result<Vec<(String, PathBuf)>, Problem> {
    let mut files = Vec::new();
    for results in [RELEASE, COMPARISON] {
        for entry in fs::read_dir(folder.join(results)).into_iter().flatten() {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                files.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
            }
        }
    }
    let recipe = folder.join(RECIPE);
    if recipe.is_file() {
        // A comparison's own copy of its recipe names files of the job's folder.
        files.retain(|(name, _)| name != RECIPE);
        files.push((RECIPE.to_owned(), recipe));
    }
    files.sort();
    Ok(files)
}

/// The files of a finished job.
#[utoipa::path(get, path = "/api/jobs/{job}/files", tag = "results",
    responses((status = 200, description = "The files", body = Vec<FileView>)))]
pub async fn files(
    State(bench): State<Arc<Workbench>>,
    Path(job): Path<String>,
) -> Result<Json<Vec<FileView>>, Problem> {
    bench
        .blocking(move |bench| {
            let (_, folder) = done(bench, &job)?;
            let view =
                |(name, path): (String, PathBuf)| Ok(FileView { name, bytes: fs::metadata(path)?.len() });
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
    State(bench): State<Arc<Workbench>>,
    Path((job, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (name, mut content) = bench
        .blocking(move |bench| {
            let (stored, folder) = done(bench, &job)?;
            let found = listing(&folder)?.into_iter().find(|(known, _)| *known == name);
            let (name, path) = found.ok_or_else(|| Problem::missing("file"))?;
            if !BEFOREHAND.contains(&name.as_str()) {
                may_leave(&stored)?;
            }
            Ok((name, File::open(path)?))
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

/// The release directory as one file.
#[utoipa::path(get, path = "/api/jobs/{job}/download", tag = "results",
    responses((status = 200, description = "A zip file", content_type = "application/zip", body = String)))]
pub async fn download(
    State(bench): State<Arc<Workbench>>,
    Path(job): Path<String>,
) -> Result<Response, Problem> {
    let files = bench
        .blocking(move |bench| {
            let (stored, folder) = done(bench, &job)?;
            may_leave(&stored)?;
            listing(&folder)
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "application/zip"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"release.zip\""),
    ];
    Ok((headers, streamed::body(move |out| pack(&files, out))).into_response())
}

fn pack(files: &[(String, PathBuf)], out: &mut Outlet) -> io::Result<()> {
    let mut archive = ZipWriter::new_stream(out);
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true);
    for (name, path) in files {
        archive.start_file(format!("release/{name}"), options)?;
        io::copy(&mut File::open(path)?, &mut archive)?;
    }
    archive.finish()?;
    Ok(())
}

/// What the publisher has to confirm.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Checklist {
    /// The promise was verified.
    verified: bool,
    /// Records are shuffled.
    shuffled: bool,
    /// Identifiers were dropped.
    identifiers: bool,
    /// What the promise does not cover was understood.
    residual: bool,
}

/// A wish to publish.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishRequest {
    /// What the publisher has to confirm.
    checklist: Checklist,
    /// Whether to record it in the release ledger. Otherwise nobody will be warned when these people are released again.
    #[serde(default = "yes")]
    ledger: bool,
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
    pub ledger: Option<LedgerView>,
}

/// Completes the checklist of a release.
#[utoipa::path(post, path = "/api/jobs/{job}/publish", tag = "results", request_body = PublishRequest,
    responses((status = 200, description = "Where everything is", body = Published)))]
pub async fn post(
    State(bench): State<Arc<Workbench>>,
    Path(job): Path<String>,
    Body(request): Body<PublishRequest>,
) -> Result<Json<Published>, Problem> {
    bench
        .blocking(move |bench| {
            let (stored, folder) = done(bench, &job)?;
            let list = request.checklist;
            let points = [
                ("verified", list.verified),
                ("shuffled", list.shuffled),
                ("identifiers", list.identifiers),
                ("residual", list.residual),
            ];
            if let Some((open, _)) = points.into_iter().find(|(_, ticked)| !ticked) {
                return Err(Problem::wrong("the checklist is not complete")
                    .with_help("confirm every point, or leave the release unpublished")
                    .at(open));
            }
            // The list is a matter of the publisher's; the verdict is not.
            let verified =
                Manifest::read(&folder.join(RELEASE))?.is_some_and(|manifest| manifest.verdict.holds);
            if !verified {
                return Err(Problem::conflict("only a verified release can be published"));
            }
            // Recorded first: what is in the ledger and was not published warns once too often, never too seldom.
            if request.ledger {
                ledger::record(bench, &stored)?;
            }
            bench.store.publish_job(&stored.id)?;
            let base = format!("/api/jobs/{}", stored.id);
            Ok(Published {
                download: format!("{base}/download"),
                recipe: format!("{base}/files/{RECIPE}"),
                report: format!("{base}/files/report.html"),
                ledger: request.ledger.then(|| ledger::view(bench, &stored)).transpose()?,
            })
        })
        .await
        .map(Json)
}
