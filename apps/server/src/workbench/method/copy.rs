//! A screen as a recipe and as a command: what was clicked can be repeated, reviewed and kept.
//!
//! A run is written down by `check`. Here are the screens before a method is chosen, and comparisons.

use crate::workbench::inputs::key::Kept as _;
use std::collections::BTreeMap;
use throng_lab::recipe::Typed as _;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::{Descriptor, Input, shell_line};
use throng_lab::compare::Comparing;
use throng_lab::recipe::Data;
use throng_lab::{catalogue, mining};
use throng_measure::attack::ATTACKER;
use utoipa::ToSchema;

use crate::platform::extract::{Body, Path};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::compare::commands;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::patterns;
use crate::workbench::project::store::StoredJob;
use crate::workbench::run::{
    AnonymizeSpec, COMPARISON, CompareSpec, Jobs, ProjectInputs, RELEASE, Scalar, anonymize_commands,
    parameter_texts,
};

/// Stands in a recipe where the method will be.
const NO_METHOD: &str = "# [method] is written by the step Promise and method.\n";

/// The screen to be copied.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "screen", rename_all = "lowercase")]
pub enum CopySpec {
    /// What the data are.
    Data {
        /// The run as far as it was chosen.
        run: Option<AnonymizeSpec>,
    },
    /// What goes with the data.
    Meaning {
        /// The run as far as it was chosen.
        run: Option<AnonymizeSpec>,
    },
    /// What attackers can do with the data.
    Risk {
        /// The run as far as it was chosen.
        run: Option<AnonymizeSpec>,
        /// The attacker's parameters that differ from the defaults.
        attacker: BTreeMap<String, Scalar>,
    },
    /// A comparison.
    Compare(CompareSpec),
    /// Patterns of the data, or of a release.
    Patterns {
        /// The miner.
        miner: String,
        /// Its parameters that differ from the defaults.
        settings: BTreeMap<String, Scalar>,
        /// The job whose release is looked at.
        release: Option<String>,
    },
}

/// A screen without a browser.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CopyText {
    /// As a recipe, in TOML.
    pub recipe: String,
    /// As a command.
    pub command: String,
}

/// Writes a screen as a recipe and as a command.
#[utoipa::path(post, path = "/api/projects/{project}/copy", tag = "method", request_body = CopySpec,
    responses((status = 200, description = "The screen as text", body = CopyText)))]
pub async fn post(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(project): Path<String>,
    Body(spec): Body<CopySpec>,
) -> Result<Json<CopyText>, Problem> {
    jobs.ask(&principal, move |jobs| {
        let workspace = jobs.projects.workspace(&project)?;
        let snapshot = workspace.snapshot()?;
        let setting = ProjectInputs::of(&jobs.projects, &project, &workspace.label, &snapshot)?;
        text(jobs, &project, &setting, &spec)
    })
    .await
    .map(Json)
}

fn text(
    jobs: &Jobs,
    project: &str,
    setting: &ProjectInputs<'_>,
    spec: &CopySpec,
) -> Result<CopyText, Problem> {
    let (run, words) = match spec {
        CopySpec::Compare(spec) if spec.methods.is_empty() => {
            let data = Data::of(setting.used_files(&all_methods(), false));
            let recipe = Comparing::of(data, Vec::new()).to_toml();
            let recipe = format!("{recipe}\n# [[methods]] are written when methods are chosen.\n");
            return Ok(CopyText { recipe, command: format!("throng compare compare.toml -o {COMPARISON}") });
        }
        CopySpec::Compare(spec) => {
            let commands = commands::compare(setting, spec)?;
            return Ok(CopyText { recipe: commands.recipe, command: commands.command });
        }
        CopySpec::Patterns { miner, settings, release } => {
            let release = match release {
                Some(job) => Some(released_by(jobs, project, job)?),
                None => None,
            };
            return patterns_text(setting, miner, settings, release);
        }
        CopySpec::Data { run } => (run, reading(setting, "inspect")),
        CopySpec::Risk { run, attacker } => {
            let mut words = reading(setting, "attack");
            let files = setting.used_files(&[&ATTACKER], false);
            words.extend(files.input_words(|input| input == Input::Records));
            words.extend(files.role_words().into_iter().flat_map(|(flag, value)| [flag.to_owned(), value]));
            for (name, value) in parameter_texts(attacker) {
                words.extend(ATTACKER.param(&name).map(|param| param.typed(&value)).unwrap_or_default());
            }
            (run, words)
        }
        CopySpec::Meaning { run } => {
            let mut words = reading(setting, "anonymize");
            words.extend(setting.used_files(&all_methods(), false).input_words(|_| true));
            words.extend(["--method", "METHOD", "-o", RELEASE].map(str::to_owned));
            (run, words)
        }
    };
    let command = format!("throng {}", shell_line(words.iter().map(String::as_str)));
    let Some(run) = run else {
        return Ok(CopyText { recipe: without_method(setting), command });
    };
    let method = catalogue::method(&run.method).map_err(|error| problem::of(error).at("method"))?;
    let commands = anonymize_commands(setting, method.descriptor(), run);
    let command = match spec {
        // These two screens are about the data; the others are about the run.
        CopySpec::Data { .. } | CopySpec::Risk { .. } => command,
        _ => commands.command,
    };
    Ok(CopyText { recipe: commands.recipe, command })
}

/// The job of the project that made a release.
fn released_by(jobs: &Jobs, project: &str, job: &str) -> Result<StoredJob, Problem> {
    let stored = jobs.need(job).map_err(|problem| problem.at("release"))?;
    if stored.project != project || stored.kind != "anonymize" {
        return Err(Problem::wrong("this job of the project has no release").at("release"));
    }
    Ok(stored)
}

/// Patterns as commands; those of a release are found after it was made.
fn patterns_text(
    setting: &ProjectInputs<'_>,
    miner: &str,
    settings: &BTreeMap<String, Scalar>,
    release: Option<StoredJob>,
) -> Result<CopyText, Problem> {
    let miner = mining::miner(miner).ok_or_else(|| Problem::missing("miner"))?;
    let given: BTreeMap<String, String> = parameter_texts(settings).into_iter().collect();
    let places = setting.holds(Input::Places) && release.is_none();
    let mut lines = Vec::new();
    let words = match release {
        Some(job) => {
            lines.push(job.command);
            patterns::released_words(setting.snapshot.options.sets)
        }
        None => reading(setting, "").into_iter().skip(1).collect(),
    };
    let places = places.then(|| InputKey::from(Input::Places).label());
    let commands = mining::commands(miner, &given, &words, places.as_deref());
    let line = |words: &Vec<String>| format!("throng {}", shell_line(words.iter().map(String::as_str)));
    lines.extend(commands.iter().map(line));
    Ok(CopyText { recipe: String::new(), command: lines.join(" &&\n") })
}

fn all_methods() -> Vec<&'static Descriptor> {
    catalogue::methods().map(|method| method.descriptor()).collect()
}

/// A command that reads the data.
fn reading(setting: &ProjectInputs<'_>, command: &str) -> Vec<String> {
    let files = setting.used_files(&[], false);
    let mut words = vec![command.to_owned(), files.data.name().to_owned()];
    words.extend(files.reading_words());
    words
}

/// The recipe as far as the steps before the method have written it.
fn without_method(setting: &ProjectInputs<'_>) -> String {
    let (before, after) = setting.recipe_without_method(&all_methods()).to_toml_without_method();
    let gap = if after.is_empty() { "" } else { "\n" };
    format!("{before}\n{NO_METHOD}{gap}{after}")
}
