//! A release in memory: [`Checked`] by its promise's own checker, and [`Made`] whole, with everything that will be written.

use throng_contract::{Failure, Settings};
use throng_data::RecodedTable;
use throng_data::load::{Files, Loaded};
use throng_methods::Outcome;
use throng_methods::Variant;
use throng_models::{Assumes, Promise, Verdict};

use crate::clock::Timing;
use crate::directory::Target;
use crate::exact::Exact;
use crate::judge::as_they_are;
use crate::manifest::Manifest;
use crate::salt::Salt;

/// A release that was checked, and how it came about.
#[derive(Debug)]
pub struct Checked {
    /// The data the release was made from, with its item names.
    pub loaded: Loaded,
    /// The release and the reasons behind it; reasons are for the publisher's eyes only.
    pub outcome: Outcome,
    /// What the promise's checker answered.
    pub verdict: Verdict,
    /// The further promises that were asked for, each judged by its own checker.
    pub also: Vec<AlsoKept>,
    /// Promises that the release keeps without the columns published as they are, and breaks with them. Not empty only where the
    /// publisher accepted that.
    pub exposed: Vec<&'static str>,
    /// The method's parameters.
    pub settings: Settings,
    /// The promise's parameters.
    pub promised: Settings,
    /// What the promise assumes of an attacker.
    pub assumes: Assumes,
    /// The seed that was used.
    pub seed: u64,
    /// The salt that was used, if there was one.
    pub salt: Option<Salt>,
    /// How long each step took, in order: `read`, `anonymise`, `check`.
    pub timings: Vec<Timing>,
}

/// A further promise that a release keeps.
#[derive(Clone)]
pub struct AlsoKept {
    /// The promise.
    pub promise: &'static dyn Promise,
    /// Its parameters.
    pub settings: Settings,
    /// What its checker answered.
    pub verdict: Verdict,
}

impl std::fmt::Debug for AlsoKept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AlsoKept").field("promise", &self.promise.descriptor().name).finish_non_exhaustive()
    }
}

impl Checked {
    /// The columns that these files publish as they are beside the events, as attackers read them; nothing where none is.
    pub fn as_they_are(&self, files: &Files) -> Result<Option<RecodedTable>, Failure> {
        as_they_are(&self.loaded, &self.outcome.release, files)
    }
}

/// A whole release in memory: rows, verdict, usefulness, measures, manifest and page. Nothing of it is written yet.
#[derive(Debug)]
pub struct Made {
    /// The release and the data it was made from, the verdict, and the reasons behind it.
    pub checked: Checked,
    /// What was asked of the data: how they were read, and which columns are published as they are.
    pub files: Files,
    /// Sound, or as printed.
    pub variant: Variant,
    /// How it is to be written.
    pub target: Target,
    /// What will stand in the directory's manifest; the files of the directory are listed as they are written.
    pub manifest: Manifest,
    /// The page that may be published; the fingerprint of the released file is filled in when that is written.
    pub page: String,
    /// What only the publisher sees: exact numbers, and all notes.
    pub exact: Exact,
    /// The secret of the run: for the kept run and the ledger, never for publication.
    pub salt: Salt,
    /// How long each step took, in order: `read`, `anonymise`, `check`, `measure`, and `write` once it is written.
    pub timings: Vec<Timing>,
}
