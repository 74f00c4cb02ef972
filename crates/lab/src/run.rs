//! One run: a file in, a verified release directory out.
//!
//! # Guarantees
//! Nothing is written before the promise's own checker has judged the release, whatever the variant; a release that
//! fails its check is never written. A failed or cancelled run leaves nothing behind. The order of records, and noise that
//! hides people, come from a secret [`Salt`] that is fresh unless an earlier run is repeated.

use std::path::PathBuf;

use throng_contract::{Failure, Progress};
use throng_data::{Column, StagedDir};
use throng_methods::Method;
use throng_models::Promise;

use crate::Salt;
use crate::body::{self, Beside, OutputFiles};
use crate::clock::{Clock, Timing};
use crate::directory::{
    DirectoryError, LinkageFile, MANIFEST, REPORT, Shuffle, Target, published_columns, write_text,
};
use crate::exact::Exact;
use crate::identifiers;
use crate::job::Job;
use crate::judge::{judged_columns, published_table};
use crate::manifest::{FileEntry, Manifest, Publication, parameters};
use crate::measures::{Risk, lengths, measure};
use crate::plan::{Made, Plan};
use crate::read_back::read_back;
use crate::report;
use crate::save::Saving;
use crate::seed::refuse_guessable;
use crate::spreadsheet;
use crate::usefulness::{Grade, advise, judge};

/// Everything that determines a release, and where it goes.
#[derive(Debug, Clone)]
pub struct Run {
    /// What determines the release.
    pub job: Job,
    /// Where the release goes.
    pub out: Target,
    /// Where to write which record is whose, if anywhere; never inside the release directory.
    pub linkage: Option<PathBuf>,
}

/// A release that was verified and written, and how it came about.
#[derive(Debug)]
pub struct Finished {
    /// What stands in the release directory.
    pub manifest: Manifest,
    /// The release in memory, the data it was made from, and the reasons behind it.
    pub made: Made,
    /// What only the publisher sees: exact numbers, and all notes.
    pub exact: Exact,
    /// The secret of the run: for the kept run and the ledger, never for publication.
    pub salt: Salt,
    /// How long each step took, in order: `read`, `anonymise`, `check`, `measure`, `write`.
    pub timings: Vec<Timing>,
}

/// A release that was verified and written under a hidden name. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct StagedRelease {
    finished: Finished,
    manifest_sha256: String,
    staged: StagedDir,
    linkage: Option<LinkageFile>,
    clock: Clock,
}

impl StagedRelease {
    /// What will stand in the directory, and how it came about.
    pub fn finished(&self) -> &Finished {
        &self.finished
    }

    /// The fingerprint of its manifest, by which it is told from any other release.
    pub fn manifest_sha256(&self) -> &str {
        &self.manifest_sha256
    }

    /// Gives the release its name, and the linkage behind it.
    pub(crate) fn publish(mut self) -> Result<Finished, Failure> {
        self.staged.publish()?;
        self.linkage.map_or(Ok(()), LinkageFile::commit)?;
        self.clock.lap("write");
        self.finished.timings = self.clock.laps;
        Ok(self.finished)
    }
}

/// Reads, anonymises, checks, measures and writes; nothing is recorded.
pub fn anonymize(run: &Run, progress: &Progress) -> Result<Finished, Failure> {
    Ok(stage(run, progress)?.save(run, Saving::default(), progress, &|_| ())?.finished)
}

/// The same up to the last step: the release has no name yet.
pub fn stage(run: &Run, progress: &Progress) -> Result<StagedRelease, Failure> {
    stage_planned(run.job.plan()?, run, progress)
}

/// [`anonymize`] with a method and a promise that need not be in the catalogue. [`Job::method`] is not looked at.
pub fn anonymize_with(
    method: &dyn Method,
    promise: &dyn Promise,
    run: &Run,
    progress: &Progress,
) -> Result<Finished, Failure> {
    let staged = stage_planned(run.job.plan_with(method, promise)?, run, progress)?;
    Ok(staged.save(run, Saving::default(), progress, &|_| ())?.finished)
}

/// Refuses before the work begins what would be refused at its end.
fn admit(plan: &Plan<'_>, run: &Run) -> Result<(), Failure> {
    if plan.promise.rests_on_secret_noise() {
        refuse_guessable(run.job.seed)?;
    }
    let Some(product) = plan.method.descriptor().product else { return Ok(()) };
    let beside = Beside {
        linkage: run.linkage.is_some(),
        columns: !run.job.files.publish.is_empty(),
        format: run.out.format,
    };
    body::admit(product, beside)
}

fn stage_planned(plan: Plan<'_>, run: &Run, progress: &Progress) -> Result<StagedRelease, Failure> {
    admit(&plan, run)?;
    let (method, promise) = (plan.method, plan.promise);
    let salt = run.job.salt.map_or_else(Salt::fresh, Ok)?;
    let staged = run.out.stage()?;
    if let Some(linkage) = &run.linkage {
        LinkageFile::refuse(linkage, &run.out)?;
    }
    let job = Job { salt: Some(salt), ..run.job.clone() };
    let plan = Plan { job: &job, ..plan };
    let (loaded, clock) = plan.read(progress)?;
    let identifiers = identifiers::admit(&loaded, &job.files, method.descriptor())?;
    let mut made = plan.make_from(loaded, clock, progress)?;
    made.outcome.release = match run.out.spell_out {
        true => made.outcome.release.spelled_out(),
        false => made.outcome.release.with_short_names(),
    };
    read_back(&made.outcome.release)?;
    let mut clock = Clock::after(std::mem::take(&mut made.timings));

    if !run.out.allow_empty {
        body::refuse_empty(&made.outcome.release, &made.loaded.data.events)?;
    }
    // What is written may be coarser than what was read: it is judged again.
    let judged = judged_columns(&made.loaded, Some(&made.outcome.release), &run.job, made.assumes)?;
    let judged = judged.map(|judged| judged.exposes(&made.exposed));
    if let Some(judged) = &judged {
        judged.admit()?;
    }

    let groups = judged.as_ref().and_then(|judged| judged.groups.as_deref()).unwrap_or_default();
    let secret = promise.rests_on_secret_noise();
    let (measures, risk) = match secret {
        true => (lengths(&made, progress)?, Risk::default()),
        false => measure(&made, &columns(&made, run)?, groups, progress)?,
    };
    clock.lap("measure");

    let on_files = spreadsheet::warnings(&made.outcome.release, &run.out, &columns(&made, run)?);
    let mut notes = made.loaded.notes.clone();
    notes.extend(identifiers::warning_of_items(&made.loaded));
    notes.extend(made.outcome.notes.iter().cloned());
    notes.extend(made.outcome.public_notes.iter().map(|note| (*note).to_owned()));
    notes.extend(on_files.iter().map(|note| match run.out.spreadsheet_safe {
        true => note.clone(),
        false => format!("{note}; `--spreadsheet-safe` writes a copy that is safe to open"),
    }));
    let (usefulness, survived) = judge(&made, &run.job.limits, progress)?;
    let advice = match run.out.advise && !secret && usefulness.grade != Grade::Good {
        // A sample of the data has too few people of every group of an earlier release.
        true => advise(promise, &Job { after: None, ..run.job.clone() }, &made.loaded, progress)?,
        false => Vec::new(),
    };
    let exact = Exact { survived, advice, ..Exact::of(&made, measures, risk, notes) };
    let publication = Publication {
        made: &made,
        method: method.descriptor(),
        promise,
        variant: run.job.variant,
        columns: &published_names(&made, &run.job.files.publish),
        columns_verdict: judged.as_ref().map(|judged| &judged.verdict),
        identifiers: &identifiers,
        exact: &exact,
        usefulness: &usefulness,
        on_files: &on_files,
        salt: &salt,
        after: run.job.after.as_deref(),
    };
    let mut manifest = publication.manifest();
    let parameters = parameters(&made.settings);
    let key = salt.order_key(method.descriptor().name, &parameters, run.job.variant, made.seed);
    let shuffle = Shuffle::new(key, made.outcome.release.records());
    let generalised = manifest.generalised.clone();
    let mut files = OutputFiles {
        staged: &staged,
        target: &run.out,
        key,
        shuffle: &shuffle,
        columns: &columns(&made, run)?,
        generalised: &generalised,
        written: Vec::new(),
        progress,
    };
    body::write(&made.outcome.release, &mut files)?;
    let (linkage, manifest_sha256) = finish(run, &made, promise, &mut manifest, files)?;
    let finished = Finished { manifest, made, exact, salt, timings: Vec::new() };
    Ok(StagedRelease { finished, manifest_sha256, staged, linkage, clock })
}

/// The attribute columns that are published as they are, beside events.
fn columns<'a>(made: &'a Made, run: &Run) -> Result<Vec<&'a Column>, DirectoryError> {
    match made.outcome.release.table() {
        Some(_) => Ok(Vec::new()),
        None => {
            let given = made.loaded.data.attributes.as_ref();
            published_columns(published_table(&made.outcome.release, given), &run.job.files.publish)
        }
    }
}

/// The names of all columns that are published.
fn published_names(made: &Made, asked: &[String]) -> Vec<String> {
    match made.outcome.release.table() {
        Some(table) => table.columns.iter().map(|column| column.name.clone()).collect(),
        None => asked.to_vec(),
    }
}

/// Writes the linkage beside the place of the release, the page about it, and last the manifest that lists everything. Gives back the fingerprint of the
/// manifest, too.
fn finish(
    run: &Run,
    made: &Made,
    promise: &dyn Promise,
    manifest: &mut Manifest,
    files: OutputFiles<'_>,
) -> Result<(Option<LinkageFile>, String), DirectoryError> {
    let (loaded, release) = (&made.loaded, &made.outcome.release);
    let OutputFiles { staged, shuffle, progress, mut written, .. } = files;
    manifest.outputs.append(&mut written);
    let linkage = match &run.linkage {
        Some(path) => Some(LinkageFile::write(path, &run.out, &loaded.data, shuffle, progress)?),
        None => None,
    };
    let mapped = run.out.map && !promise.rests_on_secret_noise() && release.body.has_rows();
    let places = loaded.data.places.as_ref().filter(|_| mapped);
    let atlas = places.map(|places| report::Atlas::of(release, places));
    let evidence = report::Evidence {
        manifest: &*manifest,
        exact: None,
        promise,
        promised: &made.promised,
        atlas: atlas.as_ref(),
        release: Some(release),
    };
    let page = report::publishable(&evidence);
    let sha256 = write_text(&staged.path().join(REPORT), &page)?;
    manifest.outputs.push(FileEntry {
        role: "report".to_owned(),
        name: REPORT.to_owned(),
        sha256: Some(sha256),
    });
    let sha256 = write_text(&staged.path().join(MANIFEST), &manifest.to_json())?;
    progress.check()?;
    Ok((linkage, sha256))
}
