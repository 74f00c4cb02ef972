//! What patterns the data or a release have, for the screen that draws them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use throng_contract::{Descriptor, Settings, SettingsError};
use throng_data::formats::{ReadOptions, Source, read_dataset};
use throng_data::{Dataset, Places};
use throng_lab::mining::{self, FoundPattern, FoundPatterns};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::extract::{Path, Query};
use crate::platform::jobs::JobState;
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::Workbench;
use crate::workbench::data::{map, overview};
use crate::workbench::method::fit;
use crate::workbench::run::{Jobs, RELEASE};
use crate::workbench::snapshots::{Answer, PATIENCE, PhaseNow, Snapshot, Workspace};

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new().routes(routes!(get))
}

/// The events of a release, and what stands beside them where records were taken apart.
const EVENTS: &str = "release.csv";
const CLUSTERS: &str = "clusters.csv";

/// How long a miner may search here; the command line takes any time.
const LIMIT: Duration = Duration::from_secs(20);

/// A pattern.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PatternView)]
pub struct ShownPattern {
    /// Items in order, items of a set, or the labels of a subgraph's nodes.
    pub nodes: Vec<String>,
    /// Edges of a subgraph: places among the nodes.
    pub edges: Vec<[usize; 2]>,
    /// How many people have it; of a subgraph, how many items can stand for each node.
    pub support: u64,
}

/// Whether the patterns are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PatternsState {
    /// They are still being looked for: ask again.
    Preparing,
    /// They are there.
    Ready,
}

/// Patterns, or how far the search is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PatternsAnswer {
    /// Whether they are there.
    pub state: PatternsState,
    /// While they are not: how far the search is.
    pub progress: Option<PhaseNow>,
    /// The largest supports first.
    pub patterns: Vec<ShownPattern>,
    /// How many were found, those that are not shown included.
    pub found: u64,
    /// Whether nothing is missing because time was up.
    pub complete: bool,
    /// Whether order, or the direction of edges, counts.
    pub directed: bool,
    /// The support that was enough.
    pub min_support: u64,
    /// What a support is out of: the people, or the nodes of the graph of items.
    pub out_of: u64,
}

/// What to look for; every parameter of the catalogue's miner is understood, as a user types it.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[into_params(rename_all = "kebab-case")]
#[allow(dead_code, reason = "describes parameters that are checked against the catalogue")]
pub struct PatternsQuery {
    /// The support that is enough: people or a share of them; items for subgraphs.
    min_support: Option<String>,
    /// `frequent`, `closed` or `maximal`.
    keep: Option<String>,
    /// How many are shown.
    top: Option<String>,
    /// Items of the shortest pattern.
    min_length: Option<String>,
    /// Items of the longest pattern.
    max_length: Option<String>,
    /// Edges of the largest subgraph.
    max_edges: Option<String>,
    /// People behind each node and each edge of the graph of items.
    people: Option<String>,
    /// What joins two items: `usual`, `moves` or `co-visits`.
    edges: Option<String>,
    /// What nodes are labelled by: `known`, `category`, `region` or `same`.
    labels: Option<String>,
    /// Columns and rows of regions.
    regions: Option<String>,
    /// A job whose release is looked at in place of the data.
    release: Option<String>,
}

/// The parameter that names a release; all others are the miner's.
const RELEASED: &str = "release";

/// Frequent patterns of the data or of a release: every parameter of the catalogue's miner of this name is understood, as a user types it.
#[utoipa::path(get, path = "/api/projects/{project}/patterns/{miner}", tag = "data", params(PatternsQuery),
    responses((status = 200, description = "Patterns, or how far the search is", body = PatternsAnswer)))]
pub async fn get(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path((project, miner)): Path<(String, String)>,
    Query(mut given): Query<BTreeMap<String, String>>,
) -> Result<Response, Problem> {
    let release = given.remove(RELEASED).filter(|job| !job.is_empty());
    jobs.ask(&principal, move |jobs| {
        let workspace = jobs.projects.workspace(&project)?;
        let snapshot = workspace.snapshot()?;
        let miner = mining::miner(&miner).ok_or_else(|| Problem::missing("miner"))?;
        match release {
            None => found(jobs, &workspace, &snapshot, miner, &given),
            Some(job) => found_in_release(jobs, &workspace, &snapshot, miner, &given, &job),
        }
    })
    .await
    .map(overview::json)
}

fn found(
    jobs: &Jobs,
    workspace: &Workspace,
    snapshot: &Arc<Snapshot>,
    miner: &'static Descriptor,
    given: &BTreeMap<String, String>,
) -> Result<Bytes, Problem> {
    let settings = settings(miner, given)?;
    let data = snapshot.need_data()?;
    if let Some((why, help)) = fit::misfit(miner, &data.shape()) {
        return Err(Problem::wrong(why).with_help(help));
    }
    // Where places are, and what they are, may stand in a file of its own.
    let places = match miner.name {
        "subgraphs" => map::places(&jobs.projects, workspace, snapshot)?,
        _ => None,
    };
    let inputs = workspace.inputs_version();
    let question = format!("patterns/{}/{inputs}/{}", miner.name, serde_json::to_string(&settings)?);
    let looked_at = Arc::clone(snapshot);
    let answer = workspace.answer_within(&question, snapshot.revision, PATIENCE, move |progress| {
        let data = looked_at.need_data()?;
        let found = match places {
            Some(places) => mining::mine(&placed(data, &places), miner, &settings, LIMIT, progress),
            None => mining::mine(data, miner, &settings, LIMIT, progress),
        };
        Ok(view(found.map_err(Problem::from)?))
    })?;
    told(answer)
}

/// The same of a release, as a reader finds them who has nothing but its file: a record is a person there.
fn found_in_release(
    jobs: &Jobs,
    workspace: &Workspace,
    snapshot: &Arc<Snapshot>,
    miner: &'static Descriptor,
    given: &BTreeMap<String, String>,
    job: &str,
) -> Result<Bytes, Problem> {
    let settings = settings(miner, given)?;
    let file = released_file(jobs, &workspace.project, job)?;
    let sets = snapshot.options.sets;
    let question = format!("patterns/{}/{job}/{}", miner.name, serde_json::to_string(&settings)?);
    let answer = workspace.answer_within(&question, snapshot.revision, PATIENCE, move |progress| {
        let options = ReadOptions { sets, ..released_options() };
        let read = read_dataset(&Source::file(file), &options, progress).map_err(problem::of)?;
        if let Some((why, help)) = fit::misfit(miner, &read.dataset.shape()) {
            return Err(Problem::wrong(why).with_help(help));
        }
        Ok(view(mining::mine(&read.dataset, miner, &settings, LIMIT, progress).map_err(Problem::from)?))
    })?;
    told(answer)
}

/// How the file of a release is read: records have numbers, and people are not told.
fn released_options() -> ReadOptions {
    ReadOptions {
        subject: Some("record".to_owned()),
        item: Some("item".to_owned()),
        ..ReadOptions::default()
    }
}

/// The words that say so on a command line.
pub fn released_words(sets: bool) -> Vec<String> {
    let sets = sets.then(|| "--sets".to_owned());
    let words = [format!("{RELEASE}/{EVENTS}"), "--subject".to_owned(), "record".to_owned()];
    words.into_iter().chain(sets).collect()
}

/// The events of a release, if it has records.
fn released_file(jobs: &Jobs, project: &str, job: &str) -> Result<PathBuf, Problem> {
    let stored = jobs.need(job).map_err(|problem| problem.at(RELEASED))?;
    let folder = jobs.projects.home.job(project, job).join(RELEASE);
    if stored.project != project || stored.state != JobState::Done || !folder.is_dir() {
        return Err(Problem::wrong("this job of the project has no release").at(RELEASED));
    }
    let file = folder.join(EVENTS);
    if !file.is_file() || folder.join(CLUSTERS).is_file() {
        return Err(Problem::wrong("this release has no records to look for patterns in")
            .with_help("choose a release of records; of one that was taken apart, `throng reconstruct` draws possible records")
            .at(RELEASED));
    }
    Ok(file)
}

fn told(answer: Answer) -> Result<Bytes, Problem> {
    match answer {
        Answer::Ready(answer) => Ok(answer),
        Answer::Preparing(progress) => {
            let nothing = FoundPatterns {
                patterns: Vec::new(),
                found: 0,
                complete: false,
                directed: false,
                min_support: 0,
                out_of: 0,
            };
            let (state, progress) = (PatternsState::Preparing, Some(progress));
            Ok(serde_json::to_vec(&PatternsAnswer { state, progress, ..view(nothing) })?.into())
        }
    }
}

/// The data with the places of another file.
fn placed(data: &Dataset, places: &Places) -> Dataset {
    Dataset { places: Some(places.clone()), ..data.clone() }
}

/// The parameters that were given, checked.
fn settings(miner: &'static Descriptor, given: &BTreeMap<String, String>) -> Result<Settings, Problem> {
    let pairs = given.iter().filter(|(_, value)| !value.is_empty());
    let pairs = pairs.map(|(name, value)| (name.as_str(), value.as_str()));
    Settings::parse(miner, pairs).map_err(|error| {
        let field = match &error {
            SettingsError::Unknown { name, .. } => name.clone(),
            SettingsError::Missing { name, .. } | SettingsError::Wrong { name, .. } => (*name).to_owned(),
        };
        problem::of(error).at(field)
    })
}

fn view(found: FoundPatterns) -> PatternsAnswer {
    let pattern = |pattern: FoundPattern| ShownPattern {
        nodes: pattern.nodes,
        edges: pattern.edges.into_iter().map(|(from, to)| [from, to]).collect(),
        support: pattern.support,
    };
    PatternsAnswer {
        state: PatternsState::Ready,
        progress: None,
        patterns: found.patterns.into_iter().map(pattern).collect(),
        found: found.found,
        complete: found.complete,
        directed: found.directed,
        min_support: found.min_support,
        out_of: found.out_of,
    }
}
