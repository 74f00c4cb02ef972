//! Whether a run makes sense before it begins: settings, inputs, kind of data, and what it will cost.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use throng_contract::{Descriptor, Failure, Help, Input, Settings, SettingsError, help};
use throng_lab::{GUESSABLE, catalogue, cost};
use utoipa::ToSchema;

use crate::platform::extract::{Body, Path};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::compare::commands;
use crate::workbench::method::fit::misfit;
use crate::workbench::project::Projects;
use crate::workbench::run::{
    AnonymizeSpec, Commands, JobSpec, ProjectInputs, anonymize_commands, is_synthetic, parameter_texts,
};

/// A problem to solve before a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Objection {
    /// The parameter, `method`, `data` or the input it is about.
    pub field: Option<String>,
    /// What is wrong.
    pub detail: String,
    /// One way out.
    pub help: Option<Help>,
}

/// What a run will cost, roughly.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Estimate {
    /// Events of the data.
    pub events: u64,
    /// Seconds at least.
    pub seconds_low: f64,
    /// Seconds at most, unless the data is unusual.
    pub seconds_high: f64,
    /// What the estimate rests on.
    pub basis: String,
}

/// Whether a run makes sense.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Checked {
    /// Whether it can begin.
    pub ok: bool,
    /// What has to be solved first.
    pub problems: Vec<Objection>,
    /// Required inputs that are not there, by the name of their flag.
    pub missing_inputs: Vec<String>,
    /// What it will cost.
    pub estimate: Option<Estimate>,
    /// The run as a recipe.
    pub recipe: String,
    /// The run as a command.
    pub command: String,
}

/// Looks at a run before it begins.
#[utoipa::path(post, path = "/api/projects/{project}/check", tag = "method", request_body = AnonymizeSpec,
    responses((status = 200, description = "Whether it makes sense", body = Checked)))]
pub async fn post(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Body(spec): Body<AnonymizeSpec>,
) -> Result<Json<Checked>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let setting = ProjectInputs::of(projects, &project, &workspace.label, &snapshot)?;
            let method = match catalogue::method(&spec.method) {
                Ok(method) => method.descriptor(),
                Err(error) => return Ok(unknown(Failure::from(error))),
            };
            let settings = settings(method, &spec);
            let (problems, missing_inputs) = objections(&setting, method, &spec, settings.as_ref().err());
            let commands = anonymize_commands(&setting, method, &spec);
            Ok(Checked {
                ok: problems.is_empty(),
                problems,
                missing_inputs,
                estimate: settings.ok().and_then(|settings| estimate(projects, &project, method, &settings)),
                recipe: commands.recipe,
                command: commands.command,
            })
        })
        .await
        .map(Json)
}

fn unknown(failure: Failure) -> Checked {
    let problem = Objection { field: Some("method".to_owned()), detail: failure.message, help: failure.help };
    Checked {
        ok: false,
        problems: vec![problem],
        missing_inputs: Vec::new(),
        estimate: None,
        recipe: String::new(),
        command: String::new(),
    }
}

/// The job in its forms, or the first reason why it cannot be.
pub fn commands(setting: &ProjectInputs<'_>, spec: &JobSpec) -> Result<Commands, Problem> {
    match spec {
        JobSpec::Anonymize(spec) => {
            let method = catalogue::method(&spec.method).map_err(|error| problem::of(error).at("method"))?;
            let settings = settings(method.descriptor(), spec);
            let (problems, _) = objections(setting, method.descriptor(), spec, settings.as_ref().err());
            match problems.into_iter().next() {
                None => Ok(anonymize_commands(setting, method.descriptor(), spec)),
                Some(first) => {
                    let mut problem = Problem::wrong(first.detail);
                    (problem.help, problem.field) = (first.help, first.field);
                    Err(problem)
                }
            }
        }
        JobSpec::Compare(spec) => commands::compare(setting, spec),
        JobSpec::Recommend(spec) => commands::recommend(setting, spec),
    }
}

/// The parameters, or what is wrong with them: one wrong value must not hide another.
fn settings(method: &'static Descriptor, spec: &AnonymizeSpec) -> Result<Settings, Vec<Objection>> {
    let given = parameter_texts(&spec.settings);
    let pairs = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Settings::parse(method, pairs).map_err(|first| {
        let wrong = given.iter().filter_map(|(name, value)| {
            let error = Settings::parse(method, [(name.as_str(), value.as_str())]).err()?;
            let of_value = !matches!(error, SettingsError::Missing { .. });
            let failure = of_value.then(|| Failure::from(error))?;
            Some(Objection { field: Some(name.clone()), detail: failure.message, help: failure.help })
        });
        let wrong: Vec<Objection> = wrong.collect();
        if !wrong.is_empty() {
            return wrong;
        }
        let field = match &first {
            SettingsError::Missing { name, .. } => (*name).to_owned(),
            _ => "settings".to_owned(),
        };
        let help = Some("give it a value".into());
        vec![Objection { field: Some(field), detail: first.to_string(), help }]
    })
}

/// Everything that stands against a run, and the required inputs that are missing.
fn objections(
    setting: &ProjectInputs<'_>,
    method: &'static Descriptor,
    spec: &AnonymizeSpec,
    wrong: Option<&Vec<Objection>>,
) -> (Vec<Objection>, Vec<String>) {
    let mut problems = wrong.cloned().unwrap_or_default();
    let mut object = |field: &str, detail: String, help: Option<Help>| {
        problems.push(Objection { field: Some(field.to_owned()), detail, help });
    };
    if let Some(variant) =
        spec.variant.as_deref().filter(|variant| !matches!(*variant, "sound" | "as-printed"))
    {
        let shown: String = variant.chars().take(40).collect();
        object(
            "variant",
            format!("there is no variant `{shown}`"),
            Some("choose sound or as-printed".into()),
        );
    }
    if let Some(seed) = spec.seed.filter(|seed| *seed < GUESSABLE && is_synthetic(method)) {
        object(
            "seed",
            format!("the noise of `{}` must stay secret, and seed {seed} could be guessed", method.name),
            Some(help!("leave the seed empty, or give a secret one of at least $", GUESSABLE)),
        );
    }
    for (key, problem) in setting.broken.iter().filter(|(key, _)| method.uses(key.input)) {
        let help = "repair it or take it away on the Meaning screen".into();
        object(key.input.flag(), problem.clone(), Some(help));
    }
    let broken = |input: Input| setting.broken.iter().any(|(known, _)| known.input == input);
    let mut missing = Vec::new();
    for input in method.lacking(|input| setting.holds(input) || broken(input)) {
        missing.push(input.flag().to_owned());
        let detail = format!("`{}` needs {}", method.name, input.describe());
        object(input.flag(), detail, Some("add it on the Meaning screen".into()));
    }
    let table = setting.snapshot.assignment.is_table();
    let ticked = spec.publish.as_deref();
    if ticked.is_some_and(|ticked| !ticked.is_empty()) && !table && !setting.holds(Input::Records) {
        object("publish", "there are no records whose columns could be published".to_owned(), None);
    }
    match (setting.shape(), &setting.snapshot.problem) {
        (Some(shape), _) => {
            let ticked = ticked.filter(|_| setting.publishes_by_role(method));
            let left = ticked.map_or(shape, |ticked| setting.ticked_shape(shape, ticked));
            if let Some((why, help)) = misfit(method, &shape) {
                object("data", why, Some(help));
            } else if left.quasi == 0 && shape.quasi > 0 {
                let detail = format!(
                    "`{}` makes columns that may identify together coarser, and none of them is ticked: columns that \
                     are not ticked are withheld",
                    method.name
                );
                object("publish", detail, Some("tick at least one of them".into()));
            } else if let Some((why, _)) = misfit(method, &left) {
                let detail = format!("{why}, as far as columns are ticked");
                object("publish", detail, Some("tick the columns that it needs".into()));
            }
        }
        (None, Some(problem)) => object("data", problem.detail.clone(), Some(problem.help.clone())),
        (None, None) => object("data", "the data cannot be read".to_owned(), None),
    }
    (problems, missing)
}

/// What a run will cost; nothing while its data or settings cannot be read.
pub fn estimate_of(projects: &Projects, project: &str, spec: &AnonymizeSpec) -> Option<Estimate> {
    let method = catalogue::method(&spec.method).ok()?.descriptor();
    estimate(projects, project, method, &settings(method, spec).ok()?)
}

fn estimate(
    projects: &Projects,
    project: &str,
    method: &Descriptor,
    settings: &Settings,
) -> Option<Estimate> {
    // An answer without an estimate is better than a late one.
    let snapshot = projects.workspace(project).ok()?.snapshot_within(Duration::from_millis(20))?;
    let cost = cost::estimate(method, settings, &snapshot.data.as_ref()?.dataset);
    scaled(projects, method, &cost).ok()
}

/// From earlier runs of the method, scaled by events, where these are not contradicted by the size of the data; otherwise from the benchmarks.
fn scaled(projects: &Projects, method: &Descriptor, cost: &cost::Estimate) -> Result<Estimate, Problem> {
    let rates: Vec<f64> = projects
        .store
        .timings(method.name)?
        .into_iter()
        .filter(|(events, _)| *events > 0)
        .map(|(events, seconds)| seconds / events as f64)
        .collect();
    let size = cost.events as f64;
    let low = 0.5 * size * rates.iter().copied().fold(f64::INFINITY, f64::min);
    let high = 2.0 * size * rates.iter().copied().fold(0.0, f64::max);
    // Another number of known events, or longer records, is another run than those before.
    if rates.is_empty() || high < cost.least() || low > cost.most() {
        return Ok(Estimate {
            events: cost.events,
            seconds_low: cost.least(),
            seconds_high: cost.most().max(1.0),
            basis: format!("an estimate from benchmarks: {}", cost.basis()),
        });
    }
    Ok(Estimate {
        events: cost.events,
        seconds_low: low,
        seconds_high: high.max(0.1),
        basis: match rates.len() {
            1 => "an estimate from one earlier run of this method, scaled by events".to_owned(),
            runs => format!("an estimate from {runs} earlier runs of this method, scaled by events"),
        },
    })
}
