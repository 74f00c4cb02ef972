//! What the release ledger says about a release: whether its people were released before, and what that gives away.
//!
//! Runs are trials. Each leaves a draft of its entry in its folder; publishing adds it to the user's ledger, as
//! `throng anonymize` does by itself.

use std::fs;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::{Class, Failure};
use throng_lab::ledger::{
    Attacked, Chain, Earlier, Entry, Ledger, MAX_COMPARED, Named, Recorded, attack_recorded, foresee, now,
    place, record_draft,
};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::extract::Path;
use crate::platform::jobs::JobState;
use crate::platform::principal::{Principal, Right};
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::Workbench;
use crate::workbench::format::percent;
use crate::workbench::project::store::StoredJob;
use crate::workbench::run::{ENTRY, Jobs};
use crate::workbench::snapshots::{Answer, PATIENCE, TIMELESS};

/// The routes of this folder.
pub fn routes() -> OpenApiRouter<Workbench> {
    OpenApiRouter::new().routes(routes!(get))
}

/// Characters of the name of a dataset.
const LONGEST_DATASET: usize = 200;

/// The release ledger of the user, and the jobs whose releases may go into it.
#[derive(Debug, Clone)]
pub struct Ledgers {
    /// The jobs.
    pub jobs: Jobs,
}

impl Service for Ledgers {
    const RIGHT: Right = Right::Publish;
}

/// Whether the ledger could be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LedgerState {
    /// Releases are still being attacked together: ask again.
    Preparing,
    /// Everything is told.
    Ready,
    /// It cannot be used; `problem` says why.
    Unavailable,
}

/// What the ledger says about a release.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = LedgerView)]
pub struct LedgerAnswer {
    /// Whether it could be asked.
    pub state: LedgerState,
    /// Its file.
    pub place: Option<String>,
    /// What it calls the data: releases of one dataset are of the same people.
    pub dataset: Option<String>,
    /// The release's number in it, once it is recorded.
    pub number: Option<u64>,
    /// What the publisher has to know, in plain words; absent when there is nothing to warn of.
    pub warning: Option<String>,
    /// Earlier releases of the same people, the latest first.
    pub earlier: Vec<EarlierRelease>,
    /// Numbers of earlier releases with the same bytes: publishing them again tells readers nothing more.
    pub same: Vec<u64>,
    /// Numbers of earlier releases of which it cannot be told whether they have people in common with this one.
    pub unknown: Vec<u64>,
    /// What all releases of these people cost a person's privacy budget together.
    pub epsilon: Option<f64>,
    /// Lines of the ledger that were changed or cannot be read.
    pub faults: u64,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

/// An earlier release of the same people.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = EarlierView)]
pub struct EarlierRelease {
    /// Its number.
    pub number: u64,
    /// When it was recorded.
    pub when: String,
    /// Where it was written.
    pub directory: String,
    /// How it was made.
    pub method: String,
    /// What it promises, with its numbers.
    pub promise: String,
    /// Whether both were made from the same file.
    pub same_data: bool,
    /// Share of the people who were in it too; absent where only the file says so.
    pub share: Option<f64>,
    /// What both give away together; absent while that is being found out.
    pub together: Option<Together>,
}

/// What two releases give away together.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct Together {
    /// Why that is not known.
    pub unknown: Option<String>,
    /// The crowd that both promise.
    pub k: u64,
    /// People looked for.
    pub targets: u64,
    /// One point for each number of known events.
    pub points: Vec<TogetherPoint>,
    /// What the two break together though each keeps its promise, in plain words.
    #[serde(default)]
    pub broken: Vec<String>,
}

/// Shares of people, for attackers who know so many events.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TogetherPoint {
    /// How many events they know.
    pub known: u64,
    /// Whom fewer than `k` fit in the earlier release.
    pub below_in_first: f64,
    /// Whom fewer than `k` fit in this one.
    pub below_in_second: f64,
    /// Whom fewer than `k` fit in both.
    pub below_in_both: f64,
    /// Who are the only one that fits in both.
    pub singled_out: f64,
}

impl Together {
    fn of(attacked: &Attacked) -> Self {
        match attacked {
            Attacked::Not(why) => Together { unknown: Some(why.clone()), ..Together::default() },
            Attacked::Done(found) => Together {
                unknown: None,
                k: found.k,
                targets: found.targets,
                points: found
                    .points
                    .iter()
                    .map(|point| TogetherPoint {
                        known: point.known,
                        below_in_first: point.below_in_first.share,
                        below_in_second: point.below_in_second.share,
                        below_in_both: point.below_in_both.share,
                        singled_out: point.singled_out.share,
                    })
                    .collect(),
                broken: found.broken(),
            },
        }
    }
}

/// A finished release, its draft, and the ledger it may go into.
struct Book {
    ledger: Ledger,
    draft: Entry,
    /// Everything recorded before it.
    chain: Chain,
    /// Its number, if it is recorded.
    number: Option<u64>,
    /// What the ledger calls the data, or would: the project's name.
    dataset: Option<String>,
}

impl Book {
    fn open(ledgers: &Ledgers, job: &StoredJob) -> Result<Self, Failure> {
        let ledger = Ledger::at(place(None)?);
        let path = ledgers.jobs.folder(job).join(ENTRY);
        let draft = fs::read(path).ok().and_then(|text| serde_json::from_slice::<Entry>(&text).ok());
        let draft = draft.ok_or_else(|| {
            let message = "the run left nothing that could be recorded: the ledger could not be used then";
            Failure::new(Class::Refused, message).with_help("run the method again")
        })?;
        let project = ledgers.jobs.projects.store.project(&job.project).ok().flatten();
        let mut chain = ledger.read()?;
        let own = |entry: &&Entry| entry.directory == draft.directory && entry.same_release(&draft);
        let recorded = chain.entries.iter().find(own);
        let number = recorded.map(|entry| entry.number);
        let dataset = match recorded {
            Some(entry) => entry.dataset.clone(),
            None => project.map(|project| project.name),
        };
        // A name that the user did not choose yet may speak for the same people; it does not speak against them.
        let known = chain.entries.iter().any(|entry| entry.dataset == dataset);
        let draft = Entry { dataset: dataset.clone().filter(|_| known), ..draft };
        chain.entries.retain(|entry| number.is_none_or(|number| entry.number < number));
        Ok(Book { ledger, draft, chain, number, dataset })
    }
}

/// What the ledger says about the release of a finished job.
pub fn view(ledgers: &Ledgers, job: &StoredJob) -> Result<LedgerAnswer, Problem> {
    let book = match Book::open(ledgers, job) {
        Ok(book) => book,
        Err(failure) => return Ok(unavailable(&failure)),
    };
    let told = foresee(&book.draft, &book.chain);
    let together = together(ledgers, job, &book, &told)?;
    let ready = together.is_some();
    let together = together.unwrap_or_default();
    let earlier = told.earlier.iter().enumerate().map(|(place, earlier)| EarlierRelease {
        together: together.get(place).cloned(),
        ..EarlierRelease::of(earlier)
    });
    let earlier: Vec<EarlierRelease> = earlier.collect();
    Ok(LedgerAnswer {
        state: if ready { LedgerState::Ready } else { LedgerState::Preparing },
        place: Some(book.ledger.path().display().to_string()),
        dataset: book.dataset.clone(),
        number: book.number,
        warning: warning(&told, &earlier),
        earlier,
        same: told.same,
        unknown: told.unknown,
        epsilon: told.epsilon,
        faults: told.faults as u64,
        problem: None,
    })
}

/// Attacks the release together with the latest ones before it, once; `None` while that is under way.
fn together(
    ledgers: &Ledgers,
    job: &StoredJob,
    book: &Book,
    told: &Recorded,
) -> Result<Option<Vec<Together>>, Problem> {
    let number = |earlier: &Earlier| book.chain.entries.iter().find(|entry| entry.number == earlier.number);
    let before: Vec<Entry> = told.earlier.iter().filter_map(number).take(MAX_COMPARED).cloned().collect();
    if before.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let numbers: Vec<String> = before.iter().map(|entry| entry.number.to_string()).collect();
    let question = format!("together/{}/{}", job.id, numbers.join("-"));
    let draft = book.draft.clone();
    let ledger = book.ledger.clone();
    let workspace = ledgers.jobs.projects.workspace(&job.project)?;
    let answer = workspace.answer_within(&question, TIMELESS, PATIENCE, move |progress| {
        let attacked = before.iter().map(|before| attack_recorded(&ledger, before, &draft, progress));
        let attacked: Vec<Attacked> = attacked.collect::<Result<_, Failure>>()?;
        Ok(attacked.iter().map(Together::of).collect::<Vec<_>>())
    })?;
    match answer {
        Answer::Ready(text) => Ok(Some(serde_json::from_slice(&text)?)),
        Answer::Preparing(_) => Ok(None),
    }
}

impl EarlierRelease {
    fn of(earlier: &Earlier) -> Self {
        EarlierRelease {
            number: earlier.number,
            when: earlier.when.clone(),
            directory: earlier.directory.clone(),
            method: earlier.method.name.clone(),
            promise: in_words(&earlier.promise),
            same_data: earlier.same_data,
            share: earlier.overlap.filter(|overlap| overlap.is_some()).map(|overlap| overlap.share),
            together: None,
        }
    }
}

fn in_words(promise: &Named) -> String {
    let parameters = promise.parameters.keys().filter_map(|name| {
        let value = promise.parameter(name)?;
        Some(format!("{name} = {value}"))
    });
    let parameters: Vec<String> = parameters.collect();
    format!("{} ({})", promise.name, parameters.join(", "))
}

fn warning(told: &Recorded, earlier: &[EarlierRelease]) -> Option<String> {
    let mut words = Vec::new();
    if !told.earlier.is_empty() {
        words.push(
            "People of this release were released before, and promises do not add up: a reader who holds two releases may \
             find smaller crowds than either of them promises."
                .to_owned(),
        );
    }
    for (number, together) in earlier.iter().filter_map(|one| Some((one.number, one.together.as_ref()?))) {
        if let Some(worst) = together.points.last() {
            let known = match worst.known {
                0 => "the published columns".to_owned(),
                1 => "1 event".to_owned(),
                known => format!("{known} events"),
            };
            words.push(format!(
                "With release {number}, an attacker who knows {known} of a person finds fewer than {} people in {} of cases.",
                together.k,
                percent(worst.below_in_both)
            ));
        }
        if !together.broken.is_empty() {
            words.push(format!(
                "Together with release {number} it breaks its promise: {}.",
                together.broken.join("; ")
            ));
        }
    }
    if !told.doubtful.is_empty() {
        let numbers: Vec<String> = told.doubtful.iter().map(|earlier| earlier.number.to_string()).collect();
        words.push(format!(
            "In release {} people go by the same numbers, in other data: no evidence that they are the same.",
            numbers.join(", ")
        ));
    }
    if let Some(epsilon) = told.epsilon {
        words.push(format!("All releases of these people together cost epsilon {epsilon} of a person."));
    }
    if told.faults > 0 {
        words.push("The ledger is not as it was written; see `throng ledger check`.".to_owned());
    }
    Some(words.join(" ")).filter(|words| !words.is_empty())
}

fn unavailable(failure: &Failure) -> LedgerAnswer {
    LedgerAnswer {
        state: LedgerState::Unavailable,
        place: None,
        dataset: None,
        number: None,
        warning: None,
        earlier: Vec::new(),
        same: Vec::new(),
        unknown: Vec::new(),
        epsilon: None,
        faults: 0,
        problem: Some(failure.message.clone()),
    }
}

/// Adds the release of a finished job to the ledger, unless it is there. The data are called as the project is, unless they get a name here.
pub fn record(ledgers: &Ledgers, job: &StoredJob, dataset: Option<&str>) -> Result<(), Problem> {
    let way_out = "publish it without recording it, or put the ledger right: see `throng ledger check`";
    let refused = |failure: Failure| Problem::conflict(failure.message).with_help(way_out).at("ledger");
    let book = Book::open(ledgers, job).map_err(refused)?;
    if book.number.is_none() {
        let named = dataset.map(|name| name.trim().chars().take(LONGEST_DATASET).collect::<String>());
        let named = named.filter(|name| !name.is_empty()).or(book.dataset);
        let draft = Entry { dataset: named, ..book.draft };
        record_draft(&book.ledger, &draft, now()).map_err(refused)?;
    }
    Ok(())
}

/// What the release ledger says about a release: who was released before, and what that gives away.
#[utoipa::path(get, path = "/api/jobs/{job}/ledger", tag = "results",
    responses((status = 200, description = "What the ledger says", body = LedgerAnswer)))]
pub async fn get(
    principal: Principal,
    State(ledgers): State<Ledgers>,
    Path(job): Path<String>,
) -> Result<Json<LedgerAnswer>, Problem> {
    ledgers
        .ask(&principal, move |ledgers| {
            let stored = ledgers.jobs.need(&job)?;
            if stored.state != JobState::Done || stored.kind != "anonymize" {
                return Err(Problem::conflict("this job has no release that could be recorded"));
            }
            view(ledgers, &stored)
        })
        .await
        .map(Json)
}
