//! One candidate, run, judged and measured within a time limit.

use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};
use throng_contract::{Class, Failure, Progress};
use throng_data::{EventKind, Nature};
use throng_methods::Variant;
use throng_models::Evidence;

use super::candidates::Candidate;
use super::counted::is_counts;
use super::{Keep, Request};
use crate::evaluate::{Answer, evaluate};
use crate::job::Job;
use crate::measures::measure;
use crate::time_limit::within;
use throng_data::load::Loaded;
use throng_release::Checked;
use throng_release::clock::Clock;
use throng_release::exact::suppressed;
use throng_release::judge::check_promise;
use throng_release::usefulness::{Grade, Survived, Usefulness, judge as judged};
use throng_release::{catalogue, promise_of};

/// What came of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trial {
    /// What was tried.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// On how many people.
    pub people: u64,
    /// What it keeps and costs, or why there is nothing to say.
    #[serde(flatten)]
    pub result: TrialResult,
    /// How long it took, reading left out. The only thing here that differs from run to run.
    #[serde(serialize_with = "seconds")]
    pub took: Duration,
}

fn seconds<S: Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(took.as_secs_f64())
}

/// What a candidate came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialResult {
    /// It keeps the promise.
    Kept(Kept),
    /// It does not, or not in time, or it cannot be compared.
    Failed(String),
}

/// What a release that keeps the promise is still good for, and what it still gives away.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kept {
    /// What was asked to be kept, on the first scale of its measure; absent of counts, which it says nothing of.
    pub reading: Option<f64>,
    /// The same with suppressed events counted as lost altogether, where the measure leaves them out: what is ranked by.
    pub score: f64,
    /// Share of events that were taken away.
    pub suppressed: f64,
    /// Share of people singled out by an attacker who knows one event more than the promise assumes; absent where
    /// no person stands behind the records.
    pub singled_out: Option<f64>,
    /// How many events that attacker knows.
    pub known: u64,
    /// Whether the events really happened.
    pub nature: Nature,
    /// What the release is good for, all in all.
    pub grade: Grade,
    /// Why.
    pub because: Vec<String>,
    /// Which shares of the data are left.
    pub survived: Vec<Survived>,
}

impl Trial {
    /// Whether it kept the promise and is not poor.
    pub fn is_useful(&self) -> bool {
        self.kept().is_some_and(|kept| kept.grade < Grade::Poor)
    }

    /// What it keeps, if it kept the promise.
    pub fn kept(&self) -> Option<&Kept> {
        match &self.result {
            TrialResult::Kept(kept) => Some(kept),
            TrialResult::Failed(_) => None,
        }
    }
}

/// Tries a candidate on data that were read.
pub(super) fn attempt(
    request: &Request,
    candidate: &Candidate,
    loaded: Loaded,
    limit: Duration,
    progress: &Progress,
) -> Result<Trial, Failure> {
    let people = loaded.data.events.subjects() as u64;
    let began = Instant::now();
    let result = match within(limit, progress, |inner| run(request, candidate, loaded, inner)) {
        Ok(kept) => TrialResult::Kept(kept),
        Err(failure) if failure.class == Class::Interrupted => {
            progress.check()?;
            TrialResult::Failed(format!("took longer than {} s", limit.as_secs_f64()))
        }
        Err(failure) => TrialResult::Failed(failure.message),
    };
    Ok(Trial { candidate: candidate.clone(), people, result, took: began.elapsed() })
}

fn run(
    request: &Request,
    candidate: &Candidate,
    loaded: Loaded,
    progress: &Progress,
) -> Result<Kept, Failure> {
    let job = candidate.job(request);
    let made = job.plan()?.checked_from(loaded, Clock::after(Vec::new()), progress)?;
    let (usefulness, survived) = judged(&made, &request.limits, progress)?;
    if is_counts(candidate) {
        return Ok(of_counts(&made, usefulness, survived));
    }
    judge(request, &made, progress)?;
    if request.truthful && made.outcome.release.nature != Nature::Truthful {
        return Err(Failure::new(Class::Usage, "keeps the promise, but not every event really happened"));
    }
    let wanted = [request.wanted()];
    let answered = evaluate(&made, &wanted, progress)?;
    let reading = match answered.first().map(|answered| &answered.answer) {
        Some(Answer::Readings(readings)) => readings.get(request.scale()?.name).copied(),
        Some(Answer::NotApplicable(why)) => {
            return Err(Failure::new(
                Class::Usage,
                format!("keeps the promise, but cannot be compared: {why}"),
            ));
        }
        None => None,
    };
    let Some(reading) = reading else {
        return Err(Failure::new(Class::Usage, "keeps the promise, but there is nothing to compare"));
    };
    let (_, risk) = measure(&made, &[], &[], progress)?;
    let release = &made.outcome.release;
    let people = release.people().max(1) as f64;
    let suppressed = match release.event_kind() {
        EventKind::Absent => release.suppression.rows as f64 / people,
        EventKind::Sequence | EventKind::Set => suppressed(&made).map_or(0.0, |lost| lost.events_share()),
    };
    let asked = catalogue::promise(&request.promise)?.assumes(&request.asked()?);
    let known = asked.known.unwrap_or(0).saturating_add(1);
    let point = risk.points.iter().find(|point| point.known == known).or(risk.points.last());
    Ok(Kept {
        reading: Some(reading),
        score: match request.keep {
            Keep::Distance | Keep::Semantics => suppressed + (1.0 - suppressed) * reading,
            Keep::Events => 1.0 - exact_events(&made),
            _ => reading,
        },
        suppressed,
        singled_out: point.map(|point| point.after.singled_out),
        known: point.map_or(known, |point| point.known),
        nature: release.nature,
        grade: usefulness.grade,
        because: usefulness.reasons,
        survived,
    })
}

/// What a release of counts comes to. That it keeps its own promise was judged when it was made.
fn of_counts(made: &Checked, usefulness: Usefulness, survived: Vec<Survived>) -> Kept {
    let left = survived.iter().map(|survived| survived.share).sum::<f64>() / survived.len().max(1) as f64;
    Kept {
        reading: None,
        score: 1.0 - left,
        suppressed: 1.0 - left,
        singled_out: None,
        known: 0,
        nature: made.outcome.release.nature,
        grade: usefulness.grade,
        because: usefulness.reasons,
        survived,
    }
}

/// The share of the data's events that are released as they happened: neither taken away nor one of several.
fn exact_events(made: &Checked) -> f64 {
    let (release, before) = (&made.outcome.release, made.loaded.data.events.len());
    let is_exact = |item: &&u32| release.alphabet[**item as usize].members.len() == 1;
    match before {
        0 => 1.0,
        before => release.events().items().iter().filter(is_exact).count() as f64 / before as f64,
    }
}

/// The promise that was asked for is judged by its own checker, whichever one the method was made for.
fn judge(request: &Request, made: &Checked, progress: &Progress) -> Result<(), Failure> {
    let promise = catalogue::promise(&request.promise)?;
    let loaded = &made.loaded;
    let evidence = Evidence {
        original: Some(&loaded.data),
        inputs: &loaded.inputs,
        ledger: made.outcome.ledger.as_ref(),
        ..Evidence::of(&made.outcome.release)
    };
    let columns = made.as_they_are(&request.files)?;
    let verdict = check_promise(promise, &evidence, columns.as_ref(), &request.asked()?, 0, progress)?;
    match verdict.holds {
        true => Ok(()),
        false => Err(Failure::new(Class::NotVerified, format!("does not keep `{}`", request.promise))),
    }
}

impl Candidate {
    /// The job that makes its release.
    fn job(&self, request: &Request) -> Job {
        Job {
            limits: request.limits.clone(),
            files: request.files.clone(),
            method: self.method.clone(),
            settings: self.settings.clone(),
            variant: Variant::Sound,
            seed: Some(request.seed),
            salt: None,
            after: None,
        }
    }

    /// The job as it should be run to publish its release: noise that hides people is drawn from no seed that others
    /// know.
    pub fn job_to_publish(&self, request: &Request) -> Result<Job, Failure> {
        let promise = promise_of(catalogue::method(&self.method)?)?;
        let seed = Some(request.seed).filter(|_| !promise.rests_on_secret_noise());
        Ok(Job { seed, ..self.job(request) })
    }
}
