//! What an attacker could do with the data as it is today.

use std::collections::BTreeMap;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use throng_contract::{Input, Progress, Settings, SettingsError};
use throng_data::formats::{ReadOptions, Source, read_people};
use throng_data::{EventKind, Table};
use throng_measure::attack::table::{TableScene, attack_table};
use throng_measure::attack::{
    ATTACKER, AttackResult, Attacker, Plan, Point, Scene, Share, Together, attack, attack_together,
};
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::data::overview;
use crate::workbench::project::Projects;
use crate::workbench::project::home::input_file;
use crate::workbench::snapshots::{Answer, PATIENCE, PhaseNow, Snapshot, Workspace};

/// A share of the people looked for.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ShareView)]
pub struct PeopleShare {
    /// How many of them.
    pub count: u64,
    /// Their share.
    pub share: f64,
    /// Lower end of the 95% interval, where people are a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

impl PeopleShare {
    /// A share as measured.
    pub fn of(share: &Share) -> Self {
        let interval = share.interval;
        PeopleShare {
            count: share.count,
            share: share.share,
            low: interval.map(|[low, _]| low),
            high: interval.map(|[_, high]| high),
        }
    }
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = RiskPointView)]
pub struct KnownRisk {
    /// How many events they know.
    pub known: u64,
    /// People who are the only one that fits.
    pub singled_out: PeopleShare,
    /// People whom fewer than `below` fit.
    pub below: PeopleShare,
    /// Chance of picking the right person, on average.
    pub expected: Option<f64>,
}

/// What attackers can do.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = RiskView)]
pub struct RiskCurve {
    /// People with events.
    pub people: u64,
    /// People looked for.
    pub targets: u64,
    /// Whether these are a sample.
    pub sampled: bool,
    /// The size of a crowd that is too small.
    pub below: u64,
    /// One point for each number of known events.
    pub points: Vec<KnownRisk>,
}

/// Which attacker; every parameter of the catalogue's `attacker` is understood, as a user types it.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes parameters that are checked against the catalogue")]
pub struct RiskQuery {
    /// Which events they know: `random`, `frequent`, `rare` or `consecutive`.
    knows: Option<String>,
    /// Whether they do not know the order: `true` or `false`.
    unordered: Option<String>,
    /// Whether they know times: `none` or `exact`.
    times: Option<String>,
    /// How far off known times may be.
    within: Option<String>,
    /// How many events they know at most.
    known: Option<String>,
    /// A crowd that is too small.
    below: Option<String>,
    /// How many people are looked for.
    targets: Option<String>,
}

/// Looking for everybody is left to the command line where there are more people than this.
const MAX_TARGETS: usize = 20_000;

/// Whether the attacker curve is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RiskState {
    /// People are still being looked for: ask again.
    Preparing,
    /// It is there.
    Ready,
}

/// The attacker curve, or how far it is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RiskAnswer {
    /// Whether it is there.
    pub state: RiskState,
    /// While it is not: how far it is.
    pub progress: Option<PhaseNow>,
    /// The curve, without points while it is not there.
    #[serde(flatten)]
    pub curve: RiskCurve,
    /// Where columns may be known beside the events: what both give away together, by how many columns are known.
    pub together: Vec<TogetherCurve>,
}

/// What attackers who know so many columns, and some events besides, can do.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TogetherView)]
pub struct TogetherCurve {
    /// How many columns they know.
    pub columns: u64,
    /// One point for each number of known events, from 0.
    pub points: Vec<KnownRisk>,
}

/// What an attacker could do with the data as it is today.
#[utoipa::path(get, path = "/api/projects/{project}/risk", tag = "risk", params(RiskQuery),
    responses((status = 200, description = "The attacker curve, or how far it is", body = RiskAnswer)))]
pub async fn get(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(given): Query<BTreeMap<String, String>>,
) -> Result<Response, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            today(&workspace, &snapshot, &given, PATIENCE)
        })
        .await
        .map(overview::json)
}

/// Computes the usual curve before it is asked for.
pub fn prepare(workspace: &Workspace, snapshot: &Arc<Snapshot>) {
    // A problem is told when the curve is asked for.
    let _ = today(workspace, snapshot, &BTreeMap::new(), Duration::ZERO);
}

/// The answer for a state of the data, made once.
fn today(
    workspace: &Workspace,
    snapshot: &Arc<Snapshot>,
    given: &BTreeMap<String, String>,
    patience: Duration,
) -> Result<Bytes, Problem> {
    let settings = settings(given)?;
    let data = snapshot.need_data()?;
    let (attacker, plan) = (Attacker::of(&settings), Plan::of(&settings));
    if plan.targets.unwrap_or(usize::MAX).min(data.events.subjects()) > MAX_TARGETS {
        let detail = format!("at most {MAX_TARGETS} people are looked for here");
        return Err(Problem::wrong(detail).with_help("use `throng attack` for more").at("targets"));
    }
    let ordered = attacker.ordered && data.events.kind() == EventKind::Sequence;
    let times = attacker.times.filter(|_| data.events.times().is_some());
    let attacker = Attacker { ordered, times, ..attacker };
    let question = format!("risk/{}", serde_json::to_string(&settings)?);
    let looked_at = Arc::clone(snapshot);
    let people_file = workspace.folder.join("inputs").join(input_file(Input::Records));
    let answer = workspace.answer_within(&question, snapshot.revision, patience, move |progress| {
        let data = looked_at.need_data()?;
        let attacked = match (&data.attributes, data.events.kind()) {
            (Some(table), EventKind::Absent) => {
                let scene = TableScene::original(table, data.events.subjects());
                attack_table(&scene, &attacker, &plan, 0, progress)
            }
            _ => attack(&Scene::original(&data.events), &attacker, &plan, 0, progress),
        };
        let attacked = attacked.map_err(problem::of)?;
        let mut together = Vec::new();
        let beside = match &data.attributes {
            None => people_columns(&people_file, &looked_at, progress),
            Some(_) => None,
        };
        let columns = data.attributes.as_ref().or(beside.as_ref());
        if let (Some(table), EventKind::Set | EventKind::Sequence) = (columns, data.events.kind()) {
            let columns = TableScene::original(table, data.events.subjects());
            if columns.columns() > 0 {
                let scene = Scene::original(&data.events);
                let found = attack_together(&scene, &columns, &attacker, &plan, 0, progress);
                together.extend(found.map_err(problem::of)?.iter().map(TogetherCurve::of));
            }
        }
        let curve = view(&attacked, &plan);
        Ok(RiskAnswer { state: RiskState::Ready, progress: None, curve, together })
    })?;
    match answer {
        Answer::Ready(answer) => Ok(answer),
        Answer::Preparing(progress) => {
            let curve = RiskCurve {
                people: data.events.subjects() as u64,
                targets: 0,
                sampled: false,
                below: u64::from(plan.below),
                points: Vec::new(),
            };
            let together = Vec::new();
            let answer =
                RiskAnswer { state: RiskState::Preparing, progress: Some(progress), curve, together };
            Ok(serde_json::to_vec(&answer)?.into())
        }
    }
}

/// The columns of a file of the people, with the roles they were given; nothing where there is none. One that cannot be used says so on the
/// Meaning screen.
fn people_columns(path: &FilePath, snapshot: &Snapshot, progress: &Progress) -> Option<Table> {
    let subjects = &snapshot.need_data().ok()?.subjects;
    let source = path.is_file().then(|| Source::file(path))?;
    let mut table = read_people(&source, &ReadOptions::default(), None, subjects, progress).ok()?.table;
    for column in &mut table.columns {
        let role = snapshot.reading.attributes.get(&column.name);
        column.role = role.and_then(|role| role.of_attribute());
    }
    Some(table)
}

/// The parameters that were given, checked; `true` and `false` are good for `times` too.
fn settings(given: &BTreeMap<String, String>) -> Result<Settings, Problem> {
    let pairs = given.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| {
        let value = match (name.as_str(), value.as_str()) {
            ("times", "true") => "exact",
            ("times", "false") => "none",
            (_, value) => value,
        };
        (name.as_str(), value)
    });
    Settings::parse(&ATTACKER, pairs).map_err(|error| {
        let field = match &error {
            SettingsError::Unknown { name, .. } => name.clone(),
            SettingsError::Missing { name, .. } | SettingsError::Wrong { name, .. } => (*name).to_owned(),
        };
        problem::of(error).at(field)
    })
}

impl KnownRisk {
    fn of(point: &Point) -> Self {
        KnownRisk {
            known: point.known,
            singled_out: PeopleShare::of(&point.singled_out),
            below: PeopleShare::of(&point.below),
            expected: Some(point.reidentified.mean),
        }
    }
}

impl TogetherCurve {
    fn of(found: &Together) -> Self {
        let points = found.attack.points.iter().map(KnownRisk::of);
        TogetherCurve { columns: found.columns, points: points.collect() }
    }
}

fn view(attacked: &AttackResult, plan: &Plan) -> RiskCurve {
    RiskCurve {
        people: attacked.people,
        targets: attacked.targets,
        sampled: attacked.sampled,
        below: u64::from(plan.below),
        points: attacked.points.iter().map(KnownRisk::of).collect(),
    }
}
