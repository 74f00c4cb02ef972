//! One run: a file in, a verified release directory out.
//!
//! # Guarantees
//! Nothing is written before the promise's own checker has judged the release, whatever the variant; a release that
//! fails its check is never written. A failed or cancelled run leaves nothing behind.

use std::path::PathBuf;

use throng_contract::{Failure, Input, Progress};
use throng_data::{Nature, Release};
use throng_methods::Method;
use throng_models::Promise;

use crate::catalogue;
use crate::directory::{
    DirectoryError, LinkageFile, MANIFEST, RECORDS, REPORT, ReleaseFormat, Shuffle, Target,
    published_columns, write_events_csv, write_events_parquet, write_records_csv, write_text,
};
use crate::job::{Clock, Job, Made, Timing, make_with, promise_of};
use crate::load::Loaded;
use crate::manifest::{
    Counts, FileEntry, Manifest, MethodEntry, PromiseEntry, SCHEMA, SuppressionEntry, VerdictEntry,
    distinct_items, generalised, parameters,
};
use crate::measures::measure;
use crate::report;

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
    /// Things the publisher should know.
    pub notes: Vec<String>,
    /// How long each step took, in order: `read`, `anonymise`, `check`, `measure`, `write`.
    pub timings: Vec<Timing>,
}

/// Reads, anonymises, checks, measures and writes.
pub fn anonymize(run: &Run, progress: &Progress) -> Result<Finished, Failure> {
    let method = catalogue::method(&run.job.method)?;
    let promise = promise_of(method)?;
    anonymize_with(method, promise, run, progress)
}

/// The same with a method and a promise that need not be in the catalogue. [`Job::method`] is not looked at.
pub fn anonymize_with(
    method: &dyn Method,
    promise: &dyn Promise,
    run: &Run,
    progress: &Progress,
) -> Result<Finished, Failure> {
    // What would be refused at the end is refused before the work begins.
    run.job.check(method, promise)?;
    let staged = run.out.stage()?;
    if let Some(linkage) = &run.linkage {
        LinkageFile::refuse(linkage, &run.out)?;
    }
    let mut made = make_with(method, promise, &run.job, progress)?;
    let mut clock = Clock::after(std::mem::take(&mut made.timings));

    let secret = promise.rests_on_secret_noise();
    let (measures, risk) = if secret { Default::default() } else { measure(&made, progress)? };
    clock.lap("measure");

    let publish = &run.job.files.publish;
    let mut notes = made.loaded.notes.clone();
    notes.extend(made.outcome.notes.iter().cloned());
    notes.extend(notes_on_columns(promise, publish));
    let Made { loaded, outcome, verdict, settings, promised, .. } = &made;
    let descriptor = method.descriptor();
    let mut manifest = Manifest {
        schema: SCHEMA.to_owned(),
        program: concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned(),
        promise: PromiseEntry {
            name: promise.descriptor().name.to_owned(),
            parameters: parameters(promised),
            sensitive_items: loaded.sensitive_names(),
            sensitive_values: loaded.sensitive_values.clone(),
            statement: promise.statement(promised),
        },
        method: MethodEntry {
            name: descriptor.name.to_owned(),
            paper: descriptor.paper.to_owned(),
            parameters: parameters(settings),
            variant: run.job.variant,
            seed: Some(made.seed),
        },
        counts: counts(loaded, &outcome.release),
        suppression: Some(SuppressionEntry::of(outcome.release.suppression)),
        kind: outcome.release.events.kind(),
        nature: outcome.release.nature,
        columns: publish.clone(),
        generalised: generalised(&outcome.release, &outcome.explanation),
        verdict: VerdictEntry { holds: verdict.holds, checked: verdict.checked },
        measures,
        risk,
        notes: notes.clone(),
        inputs: loaded.inputs.clone(),
        outputs: Vec::new(),
    };
    if secret {
        manifest.withhold_exact_numbers();
    }
    write(run, &made, promise, &mut manifest, staged, progress)?;
    clock.lap("write");
    Ok(Finished { manifest, made, notes, timings: clock.laps })
}

fn notes_on_columns(promise: &dyn Promise, publish: &[String]) -> Option<String> {
    if publish.is_empty() || promise.descriptor().uses(Input::Records) {
        return None;
    }
    Some(format!(
        "the promise speaks of events only; the published columns ({}) are not protected by it",
        publish.join(", ")
    ))
}

fn counts(loaded: &Loaded, release: &Release) -> Counts {
    let (before, after) = (&loaded.data.events, &release.events);
    Counts {
        subjects: Some(before.subjects() as u64),
        records: after.records() as u64,
        events_before: Some(before.len() as u64),
        events_after: after.len() as u64,
        items_before: Some(distinct_items(before.items(), loaded.data.items.len())),
        items_after: distinct_items(after.items(), release.alphabet.len()),
    }
}

/// Writes all files to the staged directory, then gives it its name.
fn write(
    run: &Run,
    made: &Made,
    promise: &dyn Promise,
    manifest: &mut Manifest,
    staged: throng_data::StagedDir,
    progress: &Progress,
) -> Result<(), DirectoryError> {
    let (loaded, release) = (&made.loaded, &made.outcome.release);
    let shuffle = Shuffle::new(&loaded.data, release.events.records(), made.seed);
    let mut wrote = |role: &str, name: &str, sha256: String| {
        let entry = FileEntry { role: role.to_owned(), name: name.to_owned(), sha256: Some(sha256) };
        manifest.outputs.push(entry);
    };
    let name = run.out.format.file_name();
    let path = staged.path().join(name);
    let sha256 = match run.out.format {
        ReleaseFormat::Csv => write_events_csv(&path, release, &shuffle, progress)?,
        ReleaseFormat::Parquet => write_events_parquet(&path, release, &shuffle, progress)?,
    };
    wrote("release", name, sha256);
    // A method that recodes attributes publishes its own; the others publish what was given, unless records are
    // nobody's.
    let given = loaded.data.attributes.as_ref().filter(|_| release.nature != Nature::Synthetic);
    let table = release.attributes.as_ref().or(given);
    let columns = published_columns(table, &run.job.files.publish)?;
    if !columns.is_empty() {
        let path = staged.path().join(RECORDS);
        wrote("records", RECORDS, write_records_csv(&path, &columns, &release.events, &shuffle, progress)?);
    }
    if release.nature == Nature::Synthetic && run.linkage.is_some() {
        return Err(DirectoryError::NobodysRecords);
    }
    let linkage = match &run.linkage {
        Some(path) => Some(LinkageFile::write(path, &run.out, &loaded.data, &shuffle, progress)?),
        None => None,
    };
    let places = loaded.data.places.as_ref().filter(|_| run.out.map && !promise.rests_on_secret_noise());
    let atlas = places.map(|places| report::Atlas::of(release, places));
    let evidence =
        report::Evidence { manifest: &*manifest, promise, promised: &made.promised, atlas: atlas.as_ref() };
    let page = report::publishable(&evidence);
    let sha256 = write_text(&staged.path().join(REPORT), &page)?;
    manifest.outputs.push(FileEntry {
        role: "report".to_owned(),
        name: REPORT.to_owned(),
        sha256: Some(sha256),
    });
    write_text(&staged.path().join(MANIFEST), &manifest.to_json())?;
    progress.check()?;
    staged.publish()?;
    linkage.map_or(Ok(()), LinkageFile::commit)
}
