//! One cell of a comparison: a method with its values on one dataset, made, verified, measured and attacked.

use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_contract::{Class, Failure, Progress, Settings};
use throng_measure::attack::{self, ATTACKER, Attacker, Own, Plan, Scene};

use crate::evaluate::{Evaluated, Wanted, evaluate};
use crate::{Checked, Recipe};
use throng_release::clock::Clock;

/// Name and version of the form of a cell.
pub const SCHEMA: &str = "throng-cell/1";

/// What a cell has to do: everything that determines its numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellJob {
    /// The recipe of its release.
    pub recipe: String,
    /// What to ask about the release.
    pub measures: Vec<Wanted>,
    /// Settings of the attacker, if there is one.
    pub attack: Option<Vec<(String, String)>>,
}

/// A cell that was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Name and version of the form.
    pub schema: String,
    /// What it had to do.
    pub job: CellJob,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// A verified release, with its numbers.
    Done(Numbers),
    /// A release that follows a paper to the letter and breaks its promise: measured, so that the paper's figures can be
    /// drawn, and written nowhere.
    Broken {
        /// Its numbers.
        numbers: Numbers,
        /// Which promise, in how many cases.
        reason: String,
    },
    /// The method, the data or the promise stood in the way.
    Failed {
        /// The exit code that `throng anonymize` would have.
        code: u8,
        /// Why.
        reason: String,
    },
    /// It took longer than it may.
    TimedOut {
        /// The limit.
        seconds: f64,
    },
    /// It took more memory than it may.
    OutOfMemory {
        /// The limit.
        bytes: u64,
    },
    /// The program itself failed.
    Crashed {
        /// How it ended.
        reason: String,
    },
}

/// The numbers of a release.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// What the measures answered, in the order they were asked.
    pub measures: Vec<Evaluated>,
    /// What the attacker can do, from one known event on; empty where no person stands behind the records.
    pub risk: Vec<RiskRow>,
    /// How long each step took.
    pub seconds: Vec<(String, f64)>,
}

/// What attackers who know so many events can do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RiskRow {
    /// How many events they know.
    pub known: u64,
    /// Share of people they single out, before and after.
    pub singled_out: [f64; 2],
    /// Average chance of picking the right person, before and after.
    pub reidentified: [f64; 2],
}

impl Outcome {
    /// A word for tables.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Done(_) => "done",
            Outcome::Broken { .. } => "broken",
            Outcome::Failed { code, .. } if *code == Class::Infeasible.code() => "infeasible",
            Outcome::Failed { .. } => "failed",
            Outcome::TimedOut { .. } => "timed-out",
            Outcome::OutOfMemory { .. } => "out-of-memory",
            Outcome::Crashed { .. } => "crashed",
        }
    }

    /// Why there is no release, in a sentence.
    pub fn reason(&self) -> Option<String> {
        match self {
            Outcome::Done(_) => None,
            Outcome::Broken { reason, .. } | Outcome::Failed { reason, .. } | Outcome::Crashed { reason } => {
                Some(reason.clone())
            }
            Outcome::TimedOut { seconds } => Some(format!("not done after {seconds} seconds")),
            Outcome::OutOfMemory { bytes } => {
                Some(format!("needs more than {} MB of memory", bytes / 1_000_000))
            }
        }
    }

    /// The numbers, if there are any.
    pub fn numbers(&self) -> Option<&Numbers> {
        match self {
            Outcome::Done(numbers) | Outcome::Broken { numbers, .. } => Some(numbers),
            _ => None,
        }
    }

    /// Whether there are numbers of a release that must not be published.
    pub fn is_broken(&self) -> bool {
        matches!(self, Outcome::Broken { .. })
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        Outcome::Failed { code: failure.class.code(), reason: failure.message }
    }
}

/// Makes, verifies, measures and attacks the release.
pub fn work(job: &CellJob, progress: &Progress) -> Result<Outcome, Failure> {
    let recipe = Recipe::parse("recipe", &job.recipe, Path::new(""))?;
    let prepared = recipe.prepare(progress)?;
    let (mut made, broken) = prepared.job.plan()?.make_to_measure(progress)?;
    let mut clock = Clock::after(std::mem::take(&mut made.timings));
    let measures = evaluate(&made, &job.measures, progress)?;
    clock.lap("measure");
    let risk = match &job.attack {
        Some(settings) => attacked(&made, settings, progress)?,
        None => Vec::new(),
    };
    clock.lap("attack");
    let seconds = clock.laps.iter().map(|lap| (lap.step.to_owned(), lap.took.as_secs_f64())).collect();
    let numbers = Numbers { measures, risk, seconds };
    Ok(match broken {
        Some(failure) => Outcome::Broken { numbers, reason: failure.message },
        None => Outcome::Done(numbers),
    })
}

fn attacked(
    made: &Checked,
    given: &[(String, String)],
    progress: &Progress,
) -> Result<Vec<RiskRow>, Failure> {
    // No person stands behind a part of a record, or a count.
    if !made.outcome.release.body.has_rows() {
        return Ok(Vec::new());
    }
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let settings = Settings::parse(&ATTACKER, given)?;
    let (attacker, plan) = (Attacker::of(&settings), Plan::of(&settings));
    let (original, release) = (&made.loaded.data.events, &made.outcome.release);
    let run = |scene: &Scene<'_>| attack::attack(scene, &attacker, &plan, made.seed, progress);
    let after = run(&Scene::release(original, release, Own::Same))?;
    if after.points.is_empty() {
        return Ok(Vec::new());
    }
    let before = run(&Scene::original(original))?;
    let both = before.points.iter().zip(&after.points);
    Ok(both
        .map(|(before, after)| RiskRow {
            known: after.known,
            singled_out: [before.singled_out.share, after.singled_out.share],
            reidentified: [before.reidentified.mean, after.reidentified.mean],
        })
        .collect())
}
