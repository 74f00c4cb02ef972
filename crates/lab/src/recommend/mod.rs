//! Which method to choose for a promise, by trying them; and which promise, from what an attacker may know ([`promise_for`]).
//!
//! Every method that keeps the promise, or one from which it follows, is run on a sample of the people, judged by the
//! checker of the promise that was asked for, and measured by what the publisher wants to keep. The best two are run
//! again on all people.
//!
//! Where nothing useful keeps the promise, weaker ones are tried, and the nearest that something useful keeps is told.
//!
//! # Guarantees
//! What is recommended is not graded poor, and kept the promise, on the data it is recommended for (on the sample, when no more was asked).
//! Same data, request and seed, same recommendation, with any number of threads and on any machine: work is counted, not time, which decides
//! only through the limit.
//! # Cost
//! As much as [`Request::effort`] allows: a run for each method on the sample, the cheapest first, then one for each word of the choices of the best, and usually
//! two on all data. What is left out is told.
//!
//! A sample overstates what is lost: with fewer people, fewer share a pattern, while `k` stays the same. Methods suffer
//! alike from that, so the order is of use where the numbers are not.

mod bench;
mod candidates;
mod counted;
mod effort;
mod frontier;
mod goal;
mod implied;
mod trial;
mod words;

use std::cmp::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use throng_contract::{Better, Class, DataKind, Failure, Progress, Scale, Settings, Value, help};

use self::bench::Bench;
pub(crate) use self::candidates::settings_for;
pub use self::candidates::{Candidate, Missing};
use self::effort::Effort;
pub use self::effort::Untried;
pub use self::frontier::{Point, chart};
pub use self::goal::{Known, Meant, promise_for};
pub use self::trial::{Kept, Trial, TrialResult};
use crate::evaluate::Wanted;
use throng_data::load::Files;
use throng_release::usefulness::Grade;
use throng_release::{Limits, catalogue};

/// All people are given so many times the limit that a sample is given.
const LIMIT_ON_ALL: u32 = 10;
/// How many releases of all people are compared in the end.
const COMPARED: usize = 2;
/// How many are tried for that.
const TRIED_ON_ALL: usize = 4;
/// Events of the longest pattern that is looked for, and how often generalised items are filled in for it, as users type them.
const LONGEST_PATTERN: &str = "3";
const PROJECTIONS: &str = "5";

/// What a publisher wants a release to be good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// How many people did this and that.
    Counts,
    /// What many people do in which order: up to three events.
    Patterns,
    /// How places hang together.
    Graph,
    /// Where people were.
    Distance,
    /// What kind of place it was.
    Semantics,
    /// What the cells of a table, or the items of sets, say.
    Cells,
    /// How a column of a table follows from the others.
    Prediction,
    /// The single events, as they happened.
    Events,
}

impl Keep {
    /// All of them.
    pub const ALL: [Keep; 8] = [
        Keep::Counts,
        Keep::Patterns,
        Keep::Graph,
        Keep::Events,
        Keep::Distance,
        Keep::Semantics,
        Keep::Cells,
        Keep::Prediction,
    ];

    /// The word users type.
    pub const fn name(self) -> &'static str {
        match self {
            Keep::Counts => "counts",
            Keep::Patterns => "patterns",
            Keep::Graph => "graph",
            Keep::Distance => "distance",
            Keep::Semantics => "semantics",
            Keep::Cells => "cells",
            Keep::Prediction => "prediction",
            Keep::Events => "events",
        }
    }

    /// What it means, for the user who chooses.
    pub const fn describe(self) -> &'static str {
        match self {
            Keep::Counts => "how many people did what",
            Keep::Patterns => "what many people do or have together",
            Keep::Graph => "how items hang together",
            Keep::Distance => "where things happened",
            Keep::Semantics => "what kind of thing happened",
            Keep::Cells => "what the cells of a table say",
            Keep::Prediction => "how a column follows from the others",
            Keep::Events => "the events as they happened",
        }
    }

    /// What is kept of such data where nothing is said: counts, or what was recorded where that has to be true.
    pub const fn usual(truthful: bool, data: DataKind) -> Keep {
        match (truthful, data) {
            (false, _) => Keep::Counts,
            (true, DataKind::Table) => Keep::Cells,
            (true, _) => Keep::Events,
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Keep> {
        Keep::ALL.into_iter().find(|keep| keep.name() == name)
    }

    /// The measure that says how much of it was kept, of such data.
    pub const fn measure(self, data: DataKind) -> &'static str {
        match self {
            Keep::Counts => "queries",
            Keep::Patterns if matches!(data, DataKind::Sets) => "itemsets",
            Keep::Patterns => "patterns",
            Keep::Graph => "subgraphs",
            Keep::Distance => "distance",
            Keep::Semantics => "semantic",
            Keep::Cells => "ncp",
            Keep::Prediction => "classification",
            Keep::Events => "suppression",
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The data and what goes with it.
    pub files: Files,
    /// How usefulness is graded, where that is not as usual.
    pub limits: Limits,
    /// Name of the promise.
    pub promise: String,
    /// Its parameters, as a user types them.
    pub settings: Vec<(String, String)>,
    /// Parameters of methods that ask for further promises, each kept by its own checker.
    pub also: Vec<(String, String)>,
    /// What the release should be good for.
    pub keep: Keep,
    /// On how many people methods are tried first.
    pub sample: usize,
    /// Whether to leave it at that.
    pub sample_only: bool,
    /// How long one method may take on the sample; on all people ten times as long.
    pub limit: Duration,
    /// How much may be tried in all, in units of work: about a second of one processor each.
    pub effort: f64,
    /// Seed of the sample and of every method.
    pub seed: u64,
    /// Whether every released event must really have happened.
    pub truthful: bool,
    /// Whether to search other crowds and attackers, even where something useful keeps the promise.
    pub search: bool,
    /// How the promise follows from what was asked, where it was not named.
    pub goal: Option<String>,
}

impl Request {
    /// The measure that says how much is kept of what is wanted.
    pub fn measure(&self) -> &'static str {
        self.keep.measure(self.files.probable_shape().kind())
    }

    /// That measure with what it is asked with. Records of fifty events have millions of frequent patterns: short ones tell methods
    /// apart as well.
    fn wanted(&self) -> Wanted {
        let short = [("max-length", LONGEST_PATTERN), ("projections", PROJECTIONS)];
        Wanted::of(self.measure()).with_known(&short.map(|(name, value)| (name.to_owned(), value.to_owned())))
    }

    /// The scale it is judged by: the most telling one of its measure.
    pub fn scale(&self) -> Result<&'static Scale, Failure> {
        let gauge = catalogue::measure(self.measure())?.descriptor().gauge;
        gauge.and_then(|gauge| gauge.scales.first()).ok_or_else(|| {
            Failure::new(Class::Internal, format!("the measure `{}` has no scale", self.measure()))
        })
    }

    fn asked(&self) -> Result<Settings, Failure> {
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Ok(Settings::parse(catalogue::promise(&self.promise)?.descriptor(), given)?)
    }
}

/// The answer.
#[derive(Debug, Clone, Serialize)]
pub struct Recommendation {
    /// Name of the promise.
    pub promise: String,
    /// The promise that the recommended release keeps: another one where counts are recommended in place of records.
    pub kept_promise: Option<String>,
    /// The promise in plain words.
    pub statement: String,
    /// What the release should be good for.
    pub keep: Keep,
    /// By which scale that was judged.
    pub scale: &'static str,
    /// What the scale says.
    pub judged_by: &'static str,
    /// People in the data.
    pub people: u64,
    /// People methods were tried on first; absent when these were all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<u64>,
    /// The recommended method with its settings; absent when nothing useful kept the promise.
    pub chosen: Option<Trial>,
    /// The next best, of another method.
    pub second: Option<Trial>,
    /// Why, in a few sentences.
    pub reasons: Vec<String>,
    /// What came of each candidate on the sample, the best first; settings that made no difference are left out.
    pub trials: Vec<Trial>,
    /// What came of the best on all people.
    pub on_all: Vec<Trial>,
    /// What the data are.
    #[serde(skip)]
    pub kind: DataKind,
    /// Methods that could not be tried.
    pub missing: Vec<Missing>,
    /// What was skipped as too slow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untried: Vec<Untried>,
    /// Counts in place of records, where that was an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Trial>,
    /// The best for each crowd and number of known events that were tried, on the sample.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frontier: Vec<Point>,
    /// Where nothing useful keeps the promise: the nearest that something useful keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Point>,
}

/// Tries, ranks and explains. That nothing keeps the promise is an answer, too.
pub fn recommend(request: &Request, progress: &Progress) -> Result<Recommendation, Failure> {
    let promise = catalogue::promise(&request.promise)?;
    let asked = request.asked()?;
    refuse_unmeasurable(request)?;
    let scale = request.scale()?;
    let (candidates, missing) = candidates::candidates(promise, &asked, &request.also, &request.files);

    let effort = Effort::of(request.effort);
    let mut bench = Bench { request, progress, people: 0, sample: None, effort, untried: Vec::new() };
    let mut trials = bench.try_all(&candidates, scale)?;
    rank(&mut trials, scale, &request.promise);
    let on_all = if bench.sample.is_some() && !request.sample_only {
        let mut on_all = bench.confirm(&trials)?;
        rank(&mut on_all, scale, &request.promise);
        on_all
    } else {
        Vec::new()
    };
    let best = if on_all.is_empty() { &trials } else { &on_all };
    let mut useful = best.iter().filter(|trial| trial.is_useful());
    let mut chosen = useful.next().cloned();
    let other = |trial: &&Trial| {
        chosen.as_ref().is_some_and(|chosen| chosen.candidate.method != trial.candidate.method)
    };
    let mut second = useful.find(other).cloned();
    let counts = counted::instead(&mut bench, &asked)?;
    if let Some(counts) = counts.as_ref().filter(|counts| counted::is_preferred(counts, chosen.as_ref())) {
        second = chosen.replace(counts.clone());
    }
    let frontier = match request.search || chosen.is_none() {
        true => frontier::search(&mut bench, &trials)?,
        false => Vec::new(),
    };
    let nearest = match chosen {
        None => frontier::nearest(&mut bench, &frontier)?,
        Some(_) => None,
    };
    let mut recommendation = Recommendation {
        promise: request.promise.clone(),
        kept_promise: chosen.as_ref().map(|chosen| match counted::is_counts(&chosen.candidate) {
            true => chosen.candidate.keeps.clone(),
            false => request.promise.clone(),
        }),
        statement: promise.statement(&asked),
        keep: request.keep,
        scale: scale.name,
        judged_by: scale.help,
        people: bench.people,
        sample: bench.sample,
        chosen,
        second,
        reasons: Vec::new(),
        trials,
        on_all,
        kind: request.files.probable_shape().kind(),
        missing,
        untried: bench.untried,
        counts,
        frontier,
        nearest,
    };
    recommendation.reasons = words::reasons(&recommendation, scale, promise.rests_on_secret_noise());
    recommendation.reasons.splice(0..0, request.goal.clone());
    Ok(recommendation)
}

/// What the measure compares with must be there, or no method could be preferred to another.
fn refuse_unmeasurable(request: &Request) -> Result<(), Failure> {
    let measure = catalogue::measure(request.measure())?.descriptor();
    let shape = request.files.probable_shape();
    if let Err(misfit) = measure.fits(&shape) {
        let fits = |keep: &Keep| {
            let measure = catalogue::measure(keep.measure(shape.kind())).map(|measure| measure.descriptor());
            measure.is_ok_and(|measure| measure.fits(&shape).is_ok())
        };
        let others: Vec<&str> = Keep::ALL.iter().filter(|keep| fits(keep)).map(|keep| keep.name()).collect();
        let what = format!("`keep = {}` says nothing of these data: {misfit}", request.keep.name());
        return Err(Failure::new(Class::Usage, what).with_help(help!("choose one of $", others.join(", "))));
    }
    let lacking = measure.lacking(|input| request.files.is_given(input)).next();
    match lacking {
        None => Ok(()),
        Some(input) => {
            let what = format!("`keep = {}` needs {}", request.keep.name(), input.describe());
            Err(Failure::new(Class::Usage, what).with_help(help!("add {$ FILE}", input.flag())))
        }
    }
}

/// The best first: what is poor after what is not; then by what was asked to be kept, then by what was taken away, then by who is singled out beyond the
/// promise. Of those that are as good, one that was made for the promise comes first. What failed comes last, in the order of the catalogue.
fn rank(trials: &mut [Trial], scale: &Scale, promise: &str) {
    let worse = |a: &Kept, b: &Kept| {
        let by_score = match scale.better {
            Better::High => b.score.total_cmp(&a.score),
            Better::Low | Better::Neither => a.score.total_cmp(&b.score),
        };
        let alone = |kept: &Kept| kept.singled_out.unwrap_or(0.0);
        by_score.then(a.suppressed.total_cmp(&b.suppressed)).then(alone(a).total_cmp(&alone(b)))
    };
    let other = |trial: &Trial| trial.candidate.keeps != promise;
    trials.sort_by(|one, two| match (one.kept(), two.kept()) {
        (Some(a), Some(b)) => {
            let poor = |kept: &Kept| kept.grade == Grade::Poor;
            poor(a).cmp(&poor(b)).then(worse(a, b)).then(other(one).cmp(&other(two)))
        }
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
}

/// A value as a user types it.
fn typed(value: &Value) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}
