//! Playing the attacker: given some events of a person, how many people fit, and what would be learned.

mod table;
mod wanted;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::Progress;
use throng_data::formats::TimeReader;
use throng_data::{Dataset, EventKind, Nature};
use throng_measure::attack::{Attacker, Clue, Common, MAX_KNOWN, Own, Scene, play};
use utoipa::ToSchema;

pub use self::wanted::Wanted;
use self::wanted::wanted;
use crate::platform::extract::{Body, Path};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::run::Jobs;
use crate::workbench::snapshots::Snapshot;

/// Items told of those who fit.
const MAX_SHARED: usize = 12;

/// Something the attacker knows.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClueRequest {
    /// The item; of a table, the value.
    item: String,
    /// Of a table, the column.
    #[serde(default)]
    column: Option<String>,
    /// When, as the data writes it.
    time: Option<String>,
}

/// What the attacker knows.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// Events of a person.
    know: Vec<ClueRequest>,
    /// Whether their order is known.
    #[serde(default)]
    ordered: bool,
    /// A finished job whose release is attacked instead of the data.
    #[serde(default)]
    release: Option<String>,
}

/// An item that several have in common.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SharedItem {
    /// The item.
    pub item: String,
    /// How many of those who fit have it.
    pub people: u64,
}

/// A secret that several have in common.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SharedSecret {
    /// The attribute whose value it is; absent for a sensitive item.
    pub attribute: Option<String>,
    /// The secret.
    pub value: String,
    /// How many of those who fit have it.
    pub people: u64,
    /// Their share.
    pub share: f64,
}

/// What the attacker learns.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlayAnswer {
    /// How many people fit.
    pub matches: u64,
    /// Of how many.
    pub of: u64,
    /// What they have in common, the most common first.
    pub shared_items: Vec<SharedItem>,
    /// Sensitive items and values of attributes among those who fit, the most common first; absent when nothing is
    /// sensitive.
    pub sensitive: Option<Vec<SharedSecret>>,
}

/// Looks for everyone who fits.
#[utoipa::path(post, path = "/api/projects/{project}/play", tag = "risk", request_body = PlayRequest,
    responses((status = 200, description = "Who fits", body = PlayAnswer)))]
pub async fn post(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(project): Path<String>,
    Body(request): Body<PlayRequest>,
) -> Result<Json<PlayAnswer>, Problem> {
    if request.know.len() > MAX_KNOWN {
        return Err(Problem::wrong(format!("an attacker knows at most {MAX_KNOWN} events")).at("know"));
    }
    jobs.ask(&principal, move |jobs| play_out(jobs, &project, &request)).await.map(Json)
}

fn play_out(jobs: &Jobs, project: &str, request: &PlayRequest) -> Result<PlayAnswer, Problem> {
    let workspace = jobs.projects.workspace(project)?;
    let snapshot = workspace.snapshot()?;
    let data = snapshot.need_data()?;
    if data.events.kind() == EventKind::Absent {
        let release = request.release.as_ref();
        let release = release.map(|job| jobs.releases.get(jobs, project, job, &data.items)).transpose()?;
        return table::play(data, release.as_deref(), &request.know);
    }
    let clues = clues(data, &snapshot, &request.know)?;
    let timed = !clues.is_empty() && request.know.iter().all(|clue| clue.time.is_some());
    let ordered = request.ordered && data.events.kind() == EventKind::Sequence;
    let attacker = Attacker { ordered, times: timed.then_some(0), ..Attacker::PLAIN };
    let wanted = wanted(&jobs.projects, &workspace, &snapshot)?;
    let progress = Progress::silent();
    let played = match &request.release {
        None => {
            let secrets = wanted.original.clone();
            let scene = Scene::original(&data.events).with_secrets(secrets.clone(), secrets);
            play(&scene, &attacker, &clues, &|item| data.items.name(item).to_owned(), MAX_SHARED, &progress)
        }
        Some(job) => {
            let release = jobs.releases.get(jobs, project, job, &data.items)?;
            if release.nature == Nature::Synthetic {
                return Err(
                    Problem::wrong("the records of a synthetic release belong to no person").at("release")
                );
            }
            if !release.body.has_rows() {
                return Err(
                    Problem::wrong("the release has no whole records to look for people in").at("release")
                );
            }
            let secrets = wanted.in_release(&release);
            let scene =
                Scene::release(&data.events, &release, Own::Unknown).with_secrets(secrets.clone(), secrets);
            play(&scene, &attacker, &clues, &|item| release.described(item), MAX_SHARED, &progress)
        }
    };
    let played = played.map_err(problem::of)?;
    let item = |common: &Common| SharedItem { item: short(&common.name), people: common.people };
    Ok(PlayAnswer {
        matches: played.people,
        of: played.of,
        shared_items: played.items.iter().map(item).collect(),
        sensitive: wanted.is_some().then(|| wanted.told(&played.secrets)),
    })
}

fn short(name: &str) -> String {
    name.chars().take(200).collect()
}

fn clues(data: &Dataset, snapshot: &Snapshot, know: &[ClueRequest]) -> Result<Vec<Clue>, Problem> {
    let format = snapshot.reading.time_format.as_deref();
    let time = |text: &str| {
        let wrong = || Problem::wrong("a time is not written as the times of the data").at("know");
        let reader = TimeReader::for_file(text, format).map_err(|_| wrong())?;
        reader.read(text).map_err(|_| wrong())
    };
    let clue = |known: &ClueRequest| {
        let item = data.items.find(&known.item);
        Ok(Clue {
            item: item.ok_or_else(|| Problem::wrong("the data has no such item").at("know"))?,
            time: known.time.as_deref().map(time).transpose()?.unwrap_or(0),
        })
    };
    know.iter().map(clue).collect()
}
