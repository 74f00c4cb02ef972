//! One run: a file in, a verified release directory out.
//!
//! # Guarantees
//! Nothing is written before the promise's own checker has judged the release, whatever the variant; a release that
//! fails its check is never written. A failed or cancelled run leaves nothing behind. The order of records, and noise that
//! hides people, come from a secret [`Salt`] that is fresh unless an earlier run is repeated.

use std::path::PathBuf;

use throng_contract::{Class, Failure, Progress};
use throng_data::{Body, Column, EventKind, Nature, StagedDir};
use throng_methods::Method;
use throng_models::Promise;

use crate::directory::{
    CLUSTERS, COUNTS_SPREADSHEET, ChunkOrder, DirectoryError, ITEMS, ITEMS_SPREADSHEET, LinkageFile,
    MANIFEST, RECORDS, RECORDS_SPREADSHEET, REPORT, ReleaseFormat, SPREADSHEET, Shuffle, Target,
    published_columns, write_chunks_csv, write_clusters_csv, write_counts_csv, write_counts_parquet,
    write_events_csv, write_events_parquet, write_items_csv, write_records_csv, write_table_csv,
    write_table_parquet, write_text,
};
use crate::exact::Exact;
use crate::identifiers;
use crate::job::{
    Clock, GUESSABLE, Job, Made, Timing, judged_columns, make_from, promise_of, published_table, read,
};
use crate::manifest::{FileEntry, Manifest, Publication, parameters};
use crate::measures::{Risk, lengths, measure};
use crate::read_back::read_back;
use crate::report;
use crate::spreadsheet::{self, write_defused};
use crate::usefulness::{Grade, advise, judge};
use crate::{Salt, catalogue};

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
    pub fn publish(mut self) -> Result<Finished, Failure> {
        self.staged.publish()?;
        self.linkage.map_or(Ok(()), LinkageFile::commit)?;
        self.clock.lap("write");
        self.finished.timings = self.clock.laps;
        Ok(self.finished)
    }
}

/// Reads, anonymises, checks, measures and writes.
pub fn anonymize(run: &Run, progress: &Progress) -> Result<Finished, Failure> {
    stage(run, progress)?.publish()
}

/// The same up to the last step: the release has no name yet.
pub fn stage(run: &Run, progress: &Progress) -> Result<StagedRelease, Failure> {
    let method = catalogue::method(&run.job.method)?;
    let promise = promise_of(method)?;
    stage_with(method, promise, run, progress)
}

/// [`anonymize`] with a method and a promise that need not be in the catalogue. [`Job::method`] is not looked at.
pub fn anonymize_with(
    method: &dyn Method,
    promise: &dyn Promise,
    run: &Run,
    progress: &Progress,
) -> Result<Finished, Failure> {
    stage_with(method, promise, run, progress)?.publish()
}

fn stage_with(
    method: &dyn Method,
    promise: &dyn Promise,
    run: &Run,
    progress: &Progress,
) -> Result<StagedRelease, Failure> {
    // What would be refused at the end is refused before the work begins.
    run.job.check(method, promise)?;
    if promise.rests_on_secret_noise() {
        refuse_guessable(run.job.seed)?;
    }
    let salt = run.job.salt.map_or_else(Salt::fresh, Ok)?;
    let staged = run.out.stage()?;
    if let Some(linkage) = &run.linkage {
        LinkageFile::refuse(linkage, &run.out)?;
    }
    let job = Job { salt: Some(salt), ..run.job.clone() };
    let (loaded, clock) = read(method, promise, &job, progress)?;
    let identifiers = identifiers::admit(&loaded, &job.files, method.descriptor())?;
    let mut made = make_from(method, promise, &job, loaded, clock, progress)?;
    made.outcome.release = match run.out.spell_out {
        true => made.outcome.release.spelled_out(),
        false => made.outcome.release.with_short_names(),
    };
    read_back(&made.outcome.release)?;
    let mut clock = Clock::after(std::mem::take(&mut made.timings));

    refuse_beside_counts(run, &made)?;
    refuse_empty(run, &made)?;
    refuse_beside_chunks(run, &made)?;
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
    let (usefulness, survived) = judge(&made, &run.job.files.limits, progress)?;
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
    let (linkage, manifest_sha256) =
        write(run, &made, promise, key, &shuffle, &mut manifest, &staged, progress)?;
    let finished = Finished { manifest, made, exact, salt, timings: Vec::new() };
    Ok(StagedRelease { finished, manifest_sha256, staged, linkage, clock })
}

/// A seed that somebody chose is small: whoever has the release would try them all, and take the noise away.
fn refuse_guessable(seed: Option<u64>) -> Result<(), Failure> {
    match seed {
        Some(seed) if seed < GUESSABLE => Err(Failure::new(
            Class::Refused,
            format!("the promise rests on secret noise, and the seed {seed} could be guessed: seeds below {GUESSABLE} are refused"),
        )
        .with_help("leave `--seed` out; to repeat a run, keep it with `--keep-run` and use its recipe")),
        _ => Ok(()),
    }
}

/// Counts have no records: no column of people belongs to them, and no linkage.
fn refuse_beside_counts(run: &Run, made: &Made) -> Result<(), Failure> {
    if made.outcome.release.body.counts().is_none() {
        return Ok(());
    }
    let (what, flag) = match (&run.job.files.publish[..], &run.linkage) {
        ([_, ..], _) => ("columns of people", "--publish"),
        (_, Some(_)) => ("a linkage", "--linkage"),
        _ => return Ok(()),
    };
    Err(Failure::new(Class::Usage, format!("a release of counts has no records, and so no {what}"))
        .with_help(format!("leave out `{flag}`, or choose a method that publishes records")))
}

/// Nothing empty is published unasked: it keeps every promise, and is good for nothing.
fn refuse_empty(run: &Run, made: &Made) -> Result<(), Failure> {
    let (before, after) = (&made.loaded.data.events, made.outcome.release.events());
    let is_left = match made.outcome.release.table() {
        Some(table) => {
            made.outcome.release.suppression.rows < after.subjects() as u64 && !table.columns.is_empty()
        }
        None => match &made.outcome.release.body {
            Body::Counts(counts) => !counts.cells.is_empty(),
            Body::Chunks(chunks) => !chunks.is_empty(),
            _ => !after.is_empty(),
        },
    };
    if is_left || run.out.allow_empty {
        return Ok(());
    }
    if made.outcome.release.table().is_some() {
        let message =
            format!("nothing was written: not one of {} rows is left in the release", before.subjects());
        return Err(Failure::new(Class::Refused, message).with_help(
            "ask for less (a smaller k, fewer quasi-identifiers, coarser hierarchies), or try another method; `--allow-empty` \
             writes it all the same",
        ));
    }
    if made.outcome.release.body.counts().is_some() {
        let message =
            format!("nothing was written: of {} people not one count can be published", before.subjects());
        return Err(Failure::new(Class::Refused, message).with_help(
            "ask for less (a smaller k, more epsilon, longer spans of time), or make items coarser with `throng prepare events`; \
             `--allow-empty` writes it all the same",
        ));
    }
    let message = format!(
        "nothing was written: of {} events of {} people not one is left in the release",
        before.len(),
        before.subjects()
    );
    Err(Failure::new(Class::Refused, message).with_help(
        "ask for less (a smaller crowd, fewer known events, more epsilon), make times or places coarser with `throng prepare`, or \
         try another method; `--allow-empty` writes it all the same",
    ))
}

/// Records that were taken apart have no numbers that anything beside them could refer to.
fn refuse_beside_chunks(run: &Run, made: &Made) -> Result<(), Failure> {
    if made.outcome.release.body.chunks().is_none() {
        return Ok(());
    }
    let refused = |what: &str, help: &str| {
        let message = format!("the records of this release were taken apart: {what}");
        Err(Failure::new(Class::Usage, message).with_help(help.to_owned()))
    };
    if run.linkage.is_some() {
        return refused("no linkage can say whose they are", "leave out `--linkage`");
    }
    if !run.job.files.publish.is_empty() {
        return refused("no column of people can be published beside them", "leave out `--publish`");
    }
    if run.out.format == ReleaseFormat::Parquet {
        return refused("they are written as CSV", "leave out `--format parquet`");
    }
    Ok(())
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

/// A file that is gone when it was copied from.
fn passing_file(copy: &std::path::Path) -> Result<tempfile::NamedTempFile, DirectoryError> {
    tempfile::NamedTempFile::new().map_err(|error| DirectoryError::io(copy, error))
}

/// Writes all files to the staged directory, and the linkage beside its place. Gives back the fingerprint of the manifest, too.
#[expect(clippy::too_many_arguments, reason = "everything that the files are made from")]
fn write(
    run: &Run,
    made: &Made,
    promise: &dyn Promise,
    key: [u8; 32],
    shuffle: &Shuffle,
    manifest: &mut Manifest,
    staged: &StagedDir,
    progress: &Progress,
) -> Result<(Option<LinkageFile>, String), DirectoryError> {
    let (loaded, release) = (&made.loaded, &made.outcome.release);
    let Manifest { outputs, generalised, .. } = &mut *manifest;
    let mut wrote = |role: &str, name: &str, sha256: String| {
        outputs.push(FileEntry { role: role.to_owned(), name: name.to_owned(), sha256: Some(sha256) });
    };
    if let Some(counts) = release.body.counts() {
        let name = run.out.format.counts_name();
        let path = staged.path().join(name);
        let sha256 = match run.out.format {
            ReleaseFormat::Csv => write_counts_csv(&path, release, counts)?,
            ReleaseFormat::Parquet => write_counts_parquet(&path, release, counts)?,
        };
        wrote("release", name, sha256);
        if run.out.spreadsheet_safe {
            let copy = staged.path().join(COUNTS_SPREADSHEET);
            let csv = passing_file(&copy)?;
            write_counts_csv(csv.path(), release, counts)?;
            wrote("release for spreadsheets", COUNTS_SPREADSHEET, write_defused(csv.path(), &copy)?);
        }
    } else if let Some(chunks) = release.body.chunks() {
        let mut order = ChunkOrder::new(key, chunks.clusters().len());
        let name = ReleaseFormat::Csv.file_name();
        let path = staged.path().join(name);
        wrote("release", name, write_chunks_csv(&path, release, chunks, &mut order, progress)?);
        if run.out.spreadsheet_safe {
            let copy = staged.path().join(SPREADSHEET);
            wrote("release for spreadsheets", SPREADSHEET, write_defused(&path, &copy)?);
        }
        let path = staged.path().join(CLUSTERS);
        wrote("clusters", CLUSTERS, write_clusters_csv(&path, chunks, &order)?);
    } else if release.event_kind() != EventKind::Absent {
        let name = run.out.format.file_name();
        let path = staged.path().join(name);
        let sha256 = match run.out.format {
            ReleaseFormat::Csv => write_events_csv(&path, release, shuffle, progress)?,
            ReleaseFormat::Parquet => write_events_parquet(&path, release, shuffle, progress)?,
        };
        wrote("release", name, sha256);
        if run.out.spreadsheet_safe {
            let copy = staged.path().join(SPREADSHEET);
            let sha256 = match run.out.format {
                ReleaseFormat::Csv => write_defused(&path, &copy)?,
                ReleaseFormat::Parquet => {
                    let csv = passing_file(&copy)?;
                    write_events_csv(csv.path(), release, shuffle, progress)?;
                    write_defused(csv.path(), &copy)?
                }
            };
            wrote("release for spreadsheets", SPREADSHEET, sha256);
        }
    }
    if !run.out.spell_out && !generalised.is_empty() {
        let path = staged.path().join(ITEMS);
        wrote("items", ITEMS, write_items_csv(&path, generalised)?);
        if run.out.spreadsheet_safe {
            let copy = staged.path().join(ITEMS_SPREADSHEET);
            wrote("items for spreadsheets", ITEMS_SPREADSHEET, write_defused(&path, &copy)?);
        }
    }
    let columns = columns(made, run)?;
    let name = if release.table().is_some() { run.out.format.table_name() } else { RECORDS };
    let path = staged.path().join(name);
    let records = match (release.table(), run.out.format) {
        (Some(table), ReleaseFormat::Csv) => {
            Some(write_table_csv(&path, table, release.events(), shuffle, progress)?)
        }
        (Some(table), ReleaseFormat::Parquet) => {
            Some(write_table_parquet(&path, table, release.events(), shuffle, progress)?)
        }
        (None, _) if columns.is_empty() => None,
        (None, _) => Some(write_records_csv(&path, &columns, release.events(), shuffle, progress)?),
    };
    if let Some(sha256) = records {
        wrote("records", name, sha256);
        if run.out.spreadsheet_safe {
            let copy = staged.path().join(RECORDS_SPREADSHEET);
            let sha256 = match (release.table(), run.out.format) {
                (Some(table), ReleaseFormat::Parquet) => {
                    let csv = passing_file(&copy)?;
                    write_table_csv(csv.path(), table, release.events(), shuffle, progress)?;
                    write_defused(csv.path(), &copy)?
                }
                _ => write_defused(&path, &copy)?,
            };
            wrote("records for spreadsheets", RECORDS_SPREADSHEET, sha256);
        }
    }
    if release.nature == Nature::Synthetic && run.linkage.is_some() {
        return Err(DirectoryError::NobodysRecords);
    }
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
