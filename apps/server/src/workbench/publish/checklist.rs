//! What a publisher has to confirm before a release leaves, in words that are true of that release.
//!
//! Every point is read off the release's own manifest and the run that made it: a synthetic release has no crowds, a
//! release without attribute columns has no point about them.

use std::fs;
use std::path::Path as FilePath;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_data::{Nature, Role};
use throng_lab::{Exact, Grade, Manifest, Recipe, Survived, catalogue};
use utoipa::ToSchema;

use crate::platform::extract::Path;
use crate::platform::jobs::JobState;
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::format::{count, counted, percent};
use crate::workbench::project::store::StoredJob;
use crate::workbench::result::reader::{self, ReaderVerdict};
use crate::workbench::run::{Jobs, OUTPUT, RELEASE, plan};

/// A point to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChecklistPoint {
    /// Its name in the request to publish.
    pub key: &'static str,
    /// What is confirmed.
    pub title: String,
    /// What is known about it, one sentence or more each.
    pub about: Vec<String>,
    /// Whether it is bad news.
    pub warns: bool,
}

impl ChecklistPoint {
    fn new(key: &'static str, title: &str, about: Vec<String>) -> Self {
        ChecklistPoint { key, title: title.to_owned(), about, warns: false }
    }

    fn warning(key: &'static str, title: &str, about: Vec<String>) -> Self {
        ChecklistPoint { warns: true, ..ChecklistPoint::new(key, title, about) }
    }
}

/// The points of the release in a job's folder.
pub fn points(folder: &FilePath) -> Result<Vec<ChecklistPoint>, Problem> {
    let directory = folder.join(RELEASE);
    let manifest =
        Manifest::read(&directory)?.ok_or_else(|| Problem::internal("the release has no manifest"))?;
    let printed: Option<Printed> =
        fs::read(folder.join(OUTPUT)).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let exact = printed.map(|printed| printed.exact);
    let recipe = plan::recipe(folder)?;
    let reader = reader::of(folder);
    let release = Described { noise: rests_on_noise(&manifest), manifest, exact, recipe, reader };
    Ok([
        Some(release.verified()),
        Some(release.useful()),
        release.columns(),
        Some(release.order()),
        Some(release.identifiers()),
        Some(release.residual()),
    ]
    .into_iter()
    .flatten()
    .collect())
}

fn rests_on_noise(manifest: &Manifest) -> bool {
    catalogue::promise(&manifest.promise.name).is_ok_and(|promise| promise.rests_on_secret_noise())
}

/// What the run printed for the publisher.
#[derive(Deserialize)]
struct Printed {
    exact: Exact,
}

struct Described {
    manifest: Manifest,
    exact: Option<Exact>,
    recipe: Recipe,
    noise: bool,
    /// What a reader of the published files can verify.
    reader: Option<ReaderVerdict>,
}

impl Described {
    fn verified(&self) -> ChecklistPoint {
        let statement = self.manifest.promise.statement.clone();
        let how = if self.noise {
            "It rests on secret noise and holds by the way the release was made: no look at the files can prove it. What can be \
             seen in the files was checked."
                .to_owned()
        } else {
            match self.manifest.verdict.checked {
                Some(cases) => {
                    let cases = counted(cases, "case", "cases");
                    format!("Judged with your data: {cases} checked by a program of its own, none broken.")
                }
                None => "Judged with your data by a program of its own; nothing is broken.".to_owned(),
            }
        };
        let mut about = vec![statement, how];
        about.extend(self.reader.iter().flat_map(|reader| reader.words.iter().cloned()));
        ChecklistPoint::new("verified", "The promise was verified", about)
    }

    fn useful(&self) -> ChecklistPoint {
        let title = "It is useful enough for its readers";
        let Some(usefulness) = &self.manifest.usefulness else {
            return ChecklistPoint::new("useful", title, vec!["Its usefulness was not graded.".to_owned()]);
        };
        let mut about = vec![format!("Usefulness: {}.", usefulness.grade.name())];
        let reasons: Vec<&str> =
            usefulness.reasons.iter().map(|reason| reason.trim_end_matches('.')).collect();
        about.push(format!("As published, rounded so that no single person shows: {}.", reasons.join("; ")));
        let left = self.exact.iter().flat_map(|exact| &exact.survived);
        let left: Vec<String> =
            left.map(|Survived { share, about, .. }| format!("{} {about}", percent(*share))).collect();
        if !left.is_empty() {
            about.push(format!("Exactly, and for you alone: {}.", left.join(", ")));
        }
        match usefulness.grade {
            Grade::Poor => {
                ChecklistPoint::warning("useful", "I publish it although it is of little use", about)
            }
            Grade::Good | Grade::Limited => ChecklistPoint::new("useful", title, about),
        }
    }

    /// Only where columns are published.
    fn columns(&self) -> Option<ChecklistPoint> {
        if self.manifest.columns.is_empty() {
            return None;
        }
        let verdict = self.manifest.columns_verdict.as_ref();
        let columns = self.manifest.columns.join(", ");
        let mut about = vec![match self.manifest.table.is_empty() {
            true => format!("Published with the events: {columns}."),
            false => format!("Published: {columns}. All other columns are withheld."),
        }];
        let named = self.manifest.accepted_identifiers.iter();
        about.extend(named.map(|one| format!("{} identifies people directly: {}.", one.column, one.holds)));
        Some(match verdict.filter(|verdict| verdict.accepted || !verdict.covered) {
            Some(exposed) => {
                about.push(format!(
                    "{} in groups of fewer than {} by these columns, {} of them alone.",
                    counted(exposed.people_below, "person is", "people are"),
                    count(exposed.crowd),
                    count(exposed.unique)
                ));
                let title = "I accept that the published columns do not keep the promise";
                ChecklistPoint::warning("columns", title, about)
            }
            None => {
                about.extend(verdict.map(|verdict| sentence(&verdict.statement)));
                ChecklistPoint::new("columns", "The published columns are meant to be published", about)
            }
        })
    }

    fn order(&self) -> ChecklistPoint {
        let about = match self.manifest.nature {
            _ if self.manifest.form.as_ref().is_some_and(|form| form.name == "counts") => {
                "There are no records: counts are in the order of names."
            }
            Nature::Synthetic => {
                "The records are synthetic: they were drawn, one after the other, and none belongs to a person."
            }
            _ => {
                "Records are numbered anew, in an order drawn from a secret that stays with you. Nothing in the release links a \
                 record to its person."
            }
        };
        ChecklistPoint::new("shuffled", "The order of the records says nothing", vec![about.to_owned()])
    }

    fn identifiers(&self) -> ChecklistPoint {
        let mut dropped: Vec<String> = self.recipe.data.files.read.subject.iter().cloned().collect();
        let roles = self.recipe.data.files.roles.iter();
        dropped
            .extend(roles.filter(|(_, role)| *role == Role::Identifying).map(|(column, _)| column.clone()));
        let mut about = vec![match dropped.is_empty() {
            true => "The names of people are not in the release.".to_owned(),
            false => format!("Not in the release: {}.", dropped.join(", ")),
        }];
        if self.manifest.columns.is_empty() {
            about.push("No attribute columns are published.".to_owned());
        }
        ChecklistPoint::new("identifiers", "Identifiers are dropped", about)
    }

    fn residual(&self) -> ChecklistPoint {
        let mut about = Vec::new();
        let risk = self.exact.as_ref().map_or(&self.manifest.risk, |exact| &exact.risk);
        if let Some(worst) = risk.points.last() {
            about.push(format!(
                "An attacker who knows {} of a person still finds exactly that person in {} of cases, and fewer than 5 people in {}.",
                counted(worst.known, self.clue().0, self.clue().1),
                percent(worst.after.singled_out),
                percent(worst.after.below_5)
            ));
        }
        if self.noise {
            about.push(
                "The noise covers this release alone: every further release of the same people spends more of their privacy \
                 budget. Below is what the ledger knows."
                    .to_owned(),
            );
        } else {
            about.push(
                "A second release of the same people can be compared with this one; no promise covers that. Below is what the \
                 ledger knows."
                    .to_owned(),
            );
            if self.changed() {
                about.push(
                    "Where something was made coarser or left out, it shows that this was needed there."
                        .to_owned(),
                );
            }
        }
        ChecklistPoint::new("residual", "I know what is not promised", about)
    }

    /// What an attacker knows of a person: one, several.
    fn clue(&self) -> (&'static str, &'static str) {
        match (self.manifest.table.is_empty(), self.recipe.data.files.read.sets) {
            (false, _) => ("attribute", "attributes"),
            (true, true) => ("item", "items"),
            (true, false) => ("event", "events"),
        }
    }

    /// Whether the method left a trace of where it was needed.
    fn changed(&self) -> bool {
        let suppression = self.exact.as_ref().and_then(|exact| exact.suppression);
        !self.manifest.generalised.is_empty()
            || !self.manifest.table.is_empty()
            || suppression.is_some_and(|lost| lost.events > 0 || lost.rows > 0)
    }
}

/// Words as a sentence of their own.
fn sentence(words: &str) -> String {
    let words = words.trim_end_matches('.');
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// What a publisher has to confirm.
#[utoipa::path(get, path = "/api/jobs/{job}/checklist", tag = "results",
    responses((status = 200, description = "The points", body = Vec<ChecklistPoint>)))]
pub async fn get(
    principal: Principal,
    State(jobs): State<Jobs>,
    Path(job): Path<String>,
) -> Result<Json<Vec<ChecklistPoint>>, Problem> {
    jobs.ask(&principal, move |jobs| {
        let stored: StoredJob = jobs.need(&job)?;
        if stored.state != JobState::Done || stored.kind != "anonymize" {
            return Err(Problem::conflict("this job has no release"));
        }
        points(&jobs.folder(&stored))
    })
    .await
    .map(Json)
}
