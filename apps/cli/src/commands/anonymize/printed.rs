//! What `--json` prints of a run.

use std::path::Path;

use serde::Serialize;
use throng_lab::ledger::Recorded;
use throng_lab::manifest::Manifest;
use throng_lab::{Exact, Made, Samples, explain, samples};

/// The manifest as it is published, and what belongs to this run and its publisher rather than to the release.
#[derive(Serialize)]
pub(super) struct Printed<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    exact: &'a Exact,
    directory: &'a Path,
    seconds: Vec<(&'static str, f64)>,
    #[serde(flatten)]
    why: Option<Why>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<&'a Recorded>,
}

/// What was done and why; for the publisher's eyes only.
#[derive(Serialize)]
pub(super) struct Why {
    reasons: Vec<explain::Step>,
    lost_items: Vec<explain::LostItem>,
    samples: Samples,
}

impl Why {
    pub(super) fn of(made: &Made) -> Self {
        let outcome = &made.checked.outcome;
        Why {
            reasons: explain::steps(&outcome.explanation, &outcome.release.base),
            lost_items: explain::lost_items(&made.checked.loaded.data, &outcome.release),
            samples: samples(&made.checked.loaded.data, &outcome.release, made.checked.seed),
        }
    }
}

impl<'a> Printed<'a> {
    pub(super) fn of(
        made: &'a Made,
        directory: &'a Path,
        why: Option<Why>,
        ledger: Option<&'a Recorded>,
    ) -> Self {
        let seconds = made.timings.iter().map(|timing| (timing.step, timing.took.as_secs_f64())).collect();
        Printed { manifest: &made.manifest, exact: &made.exact, directory, seconds, why, ledger }
    }
}
