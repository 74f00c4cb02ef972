//! What patterns the data have, for the screen that draws them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use throng_contract::{Descriptor, Settings, SettingsError};
use throng_data::{Dataset, Places};
use throng_lab::mining::{self, FoundPattern, FoundPatterns};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Path, Query};
use crate::map;
use crate::problem::{self, Problem};
use crate::workbench::Workbench;
use crate::workspace::{Answer, PATIENCE, PhaseView, Snapshot, Workspace};
use crate::{data_view, fit};

/// How long a miner may search here; the command line takes any time.
const LIMIT: Duration = Duration::from_secs(20);

/// A pattern.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PatternView {
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
    pub progress: Option<PhaseView>,
    /// The largest supports first.
    pub patterns: Vec<PatternView>,
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
}

/// Frequent patterns of the data: every parameter of the catalogue's miner of this name is understood, as a user types it.
#[utoipa::path(get, path = "/api/projects/{project}/patterns/{miner}", tag = "data", params(PatternsQuery),
    responses((status = 200, description = "Patterns, or how far the search is", body = PatternsAnswer)))]
pub async fn get(
    State(bench): State<Arc<Workbench>>,
    Path((project, miner)): Path<(String, String)>,
    Query(given): Query<BTreeMap<String, String>>,
) -> Result<Response, Problem> {
    bench
        .blocking(move |bench| {
            let workspace = bench.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let miner = mining::miner(&miner).ok_or_else(|| Problem::missing("miner"))?;
            found(bench, &workspace, &snapshot, miner, &given)
        })
        .await
        .map(data_view::json)
}

fn found(
    bench: &Workbench,
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
        "subgraphs" => map::places(bench, workspace, snapshot)?,
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
    let pattern = |pattern: FoundPattern| PatternView {
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
