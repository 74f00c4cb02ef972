//! A recommendation: what was chosen, why, and what came of the other candidates.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::problem::Problem;
use crate::workbench::run::OUTPUT;

/// What came of trying methods.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecommendResult)]
pub struct Recommended {
    /// What was chosen; absent where nothing can be recommended.
    choice: Option<Choice>,
    /// Why, in words.
    why: String,
    /// The scale that decided.
    scale: String,
    /// All that was tried, and what could not be.
    candidates: Vec<Candidate>,
}

/// A method with settings.
#[derive(Debug, Serialize, ToSchema)]
struct Choice {
    /// The method's name.
    method: String,
    /// Its settings, as typed.
    settings: BTreeMap<String, String>,
}

/// What came of one of the methods.
#[derive(Debug, Serialize, ToSchema)]
struct Candidate {
    /// The method's name.
    method: String,
    /// Its settings, as typed.
    settings: BTreeMap<String, String>,
    /// The numbers, by scale.
    values: BTreeMap<String, Option<f64>>,
    /// Why there are none.
    problem: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Printed {
    scale: String,
    chosen: Option<Trial>,
    reasons: Vec<String>,
    trials: Vec<Trial>,
    missing: Vec<Missing>,
    counts: Option<Trial>,
    #[serde(default)]
    untried: Vec<Untried>,
}

#[derive(Debug, Deserialize)]
struct Untried {
    method: String,
    settings: Vec<(String, String)>,
    people: u64,
}

#[derive(Debug, Deserialize)]
struct Trial {
    method: String,
    settings: Vec<(String, String)>,
    kept: Option<Kept>,
    failed: Option<String>,
    took: f64,
}

#[derive(Debug, Deserialize)]
struct Kept {
    reading: Option<f64>,
    suppressed: f64,
    singled_out: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Missing {
    method: String,
    needs: Vec<String>,
}

/// Reads a job's folder.
pub fn of(folder: &Path) -> Result<Recommended, Problem> {
    let printed: Printed = serde_json::from_slice(&fs::read(folder.join(OUTPUT))?)?;
    Ok(Recommended::of(printed))
}

impl Recommended {
    fn of(printed: Printed) -> Self {
        let scale = printed.scale;
        let values = |kept: Kept, seconds: f64| {
            BTreeMap::from([
                (scale.clone(), kept.reading),
                ("suppressed".to_owned(), Some(kept.suppressed)),
                ("singled_out".to_owned(), kept.singled_out),
                ("seconds".to_owned(), Some(seconds)),
            ])
        };
        let tried: Vec<Candidate> = printed
            .trials
            .into_iter()
            .chain(printed.counts)
            .map(|trial| Candidate {
                method: trial.method,
                settings: trial.settings.into_iter().collect(),
                values: trial.kept.map(|kept| values(kept, trial.took)).unwrap_or_default(),
                problem: trial.failed,
            })
            .collect();
        let missing = printed.missing.into_iter().map(|missing| Candidate {
            problem: Some(format!("not tried: it needs {}", missing.needs.join(" and "))),
            method: missing.method,
            settings: BTreeMap::new(),
            values: BTreeMap::new(),
        });
        let untried = printed.untried.into_iter().map(|untried| Candidate {
            problem: Some(format!("skipped on {} people: too slow", untried.people)),
            method: untried.method,
            settings: untried.settings.into_iter().collect(),
            values: BTreeMap::new(),
        });
        Recommended {
            choice: printed
                .chosen
                .map(|trial| Choice { method: trial.method, settings: trial.settings.into_iter().collect() }),
            why: printed.reasons.join(" "),
            scale,
            candidates: tried.into_iter().chain(untried).chain(missing).collect(),
        }
    }
}
