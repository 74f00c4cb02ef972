//! One run: a file in, a verified release directory out.
//!
//! # Guarantees
//! Nothing is written before the promise's own checker has judged the release, whatever the variant; a release that
//! fails its check is never written. A failed or cancelled run leaves nothing behind.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use throng_contract::{Class, DataKind, Failure, Input, Progress, Settings};
use throng_data::{EventKind, Nature, Release};
use throng_methods::{Method, Outcome, Variant};
use throng_models::{Evidence, Promise, Verdict};

use crate::directory::{
    DirectoryError, LinkageFile, MANIFEST, RECORDS, REPORT, ReleaseFormat, Shuffle, Target,
    published_columns, write_events_csv, write_events_parquet, write_records_csv, write_text,
};
use crate::load::{Loaded, load};
use crate::manifest::{
    Counts, FileEntry, Manifest, MethodEntry, PromiseEntry, SCHEMA, SuppressionEntry, VerdictEntry,
    distinct_items, generalised, parameters,
};
use crate::measures::measure;
use crate::report;
use crate::{Files, catalogue};

/// Everything that determines a release, and where it goes.
#[derive(Debug, Clone)]
pub struct Run {
    /// The data and what goes with it.
    pub files: Files,
    /// Name of the method.
    pub method: String,
    /// Parameters as a user types them: name, value.
    pub settings: Vec<(String, String)>,
    /// Sound, or as printed.
    pub variant: Variant,
    /// Seed of every random choice. Without one it is 0, or, where the promise rests on secret noise, a number from
    /// the operating system that nobody gets to see.
    pub seed: Option<u64>,
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
    /// The data the release was made from, with its item names.
    pub loaded: Loaded,
    /// The release and the reasons behind it; reasons are for the publisher's eyes only.
    pub outcome: Outcome,
    /// What the promise's checker answered.
    pub verdict: Verdict,
    /// Things the publisher should know.
    pub notes: Vec<String>,
    /// How long each step took, in order.
    pub timings: Vec<Timing>,
}

/// How long a step took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The step: `read`, `anonymise`, `check`, `measure`, `write`.
    pub step: &'static str,
    /// Wall-clock time.
    pub took: Duration,
}

/// Reads, anonymises, checks, measures and writes.
pub fn anonymize(run: &Run, progress: &Progress) -> Result<Finished, Failure> {
    let method = catalogue::method(&run.method)?;
    let promise = promise_of(method)?;
    anonymize_with(method, promise, run, progress)
}

/// The promise a method keeps.
pub fn promise_of(method: &dyn Method) -> Result<&'static dyn Promise, Failure> {
    let descriptor = method.descriptor();
    let keeps = descriptor.keeps.ok_or_else(|| {
        Failure::new(Class::Internal, format!("`{}` does not say which promise it keeps", descriptor.name))
    })?;
    Ok(catalogue::promise(keeps)?)
}

/// The same with a method and a promise that need not be in the catalogue. [`Run::method`] is not looked at.
pub fn anonymize_with(
    method: &dyn Method,
    promise: &dyn Promise,
    run: &Run,
    progress: &Progress,
) -> Result<Finished, Failure> {
    let descriptor = method.descriptor();
    let given = run.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let settings = Settings::parse(descriptor, given)?;
    let promised = settings.for_promise(promise.descriptor())?;
    // What would be refused at the end is refused before the work begins.
    let secret = promise.rests_on_secret_noise();
    let seed = seed_of(run, secret)?;
    let staged = run.out.stage()?;
    if let Some(linkage) = &run.linkage {
        LinkageFile::refuse(linkage, &run.out)?;
    }

    let mut clock = Clock::start();
    let loaded = load(&run.files, descriptor, progress)?;
    check_kind(method, &loaded)?;
    published_columns(loaded.data.attributes.as_ref(), &run.files.publish)?;
    clock.lap("read");

    let outcome = method.anonymize(&loaded.task(&settings, run.variant, seed, progress))?;
    check_shape(method, &loaded, &outcome.release)?;
    clock.lap("anonymise");

    let verdict = check(promise, &loaded, &outcome, &promised, progress)?;
    if !verdict.holds {
        return Err(not_verified(method, promise, run.variant, &verdict));
    }
    clock.lap("check");

    let (measures, risk) =
        if secret { Default::default() } else { measure(&loaded, &outcome.release, seed, progress)? };
    clock.lap("measure");

    let mut notes = loaded.notes.clone();
    notes.extend(outcome.notes.iter().cloned());
    notes.extend(notes_on_columns(promise, &run.files.publish));
    let mut manifest = Manifest {
        schema: SCHEMA.to_owned(),
        program: concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned(),
        promise: PromiseEntry {
            name: promise.descriptor().name.to_owned(),
            parameters: parameters(&promised),
            sensitive_items: loaded.sensitive_names(),
            sensitive_values: loaded.sensitive_values.clone(),
            statement: promise.statement(&promised),
        },
        method: MethodEntry {
            name: descriptor.name.to_owned(),
            paper: descriptor.paper.to_owned(),
            parameters: parameters(&settings),
            variant: run.variant,
            seed: Some(seed),
        },
        counts: counts(&loaded, &outcome.release),
        suppression: Some(SuppressionEntry::of(outcome.release.suppression)),
        kind: outcome.release.events.kind(),
        nature: outcome.release.nature,
        columns: run.files.publish.clone(),
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
    write(run, seed, &loaded, &outcome.release, promise, &mut manifest, staged, progress)?;
    clock.lap("write");
    Ok(Finished { manifest, loaded, outcome, verdict, notes, timings: clock.laps })
}

/// The seed of a run. Noise that is meant to hide people is not drawn from a number that everybody would guess.
fn seed_of(run: &Run, secret: bool) -> Result<u64, Failure> {
    match run.seed {
        Some(seed) => Ok(seed),
        None if secret => getrandom::u64().map_err(|error| {
            Failure::new(Class::Internal, format!("the system gives no random numbers: {error}"))
                .with_help("give a secret number with `--seed`")
        }),
        None => Ok(0),
    }
}

/// The method must take events of the data's kind.
fn check_kind(method: &dyn Method, loaded: &Loaded) -> Result<(), Failure> {
    let descriptor = method.descriptor();
    let events = &loaded.data.events;
    let fits = descriptor.takes.iter().any(|kind| match kind {
        DataKind::Sequences => events.kind() == EventKind::Sequence,
        DataKind::Timed => events.kind() == EventKind::Sequence && events.times().is_some(),
        DataKind::Sets => events.kind() == EventKind::Set,
    });
    if fits {
        return Ok(());
    }
    let (what, help) = match events.kind() {
        EventKind::Set => ("unordered sets", "choose a method for sets; see `throng methods`"),
        EventKind::Sequence if descriptor.takes.contains(&DataKind::Timed) => {
            ("sequences without times", "name the column of times with `--time COLUMN`")
        }
        EventKind::Sequence => ("sequences", "choose a method for sequences; see `throng methods`"),
    };
    let message = format!("`{}` does not take {what}", descriptor.name);
    Err(Failure::new(Class::BadInput, message).with_help(help))
}

/// A truthful release has the records of the data: the linkage and the published attributes rely on it.
fn check_shape(method: &dyn Method, loaded: &Loaded, release: &Release) -> Result<(), Failure> {
    let same = release.events.subject_offsets() == loaded.data.events.subject_offsets();
    if release.nature == Nature::Synthetic || same {
        return Ok(());
    }
    let message = format!("`{}` gave a release with other records than the data", method.descriptor().name);
    Err(Failure::new(Class::Internal, message).with_help("this is a defect of the program; please report it"))
}

fn check(
    promise: &dyn Promise,
    loaded: &Loaded,
    outcome: &Outcome,
    settings: &Settings,
    progress: &Progress,
) -> Result<Verdict, Failure> {
    let evidence = Evidence {
        release: &outcome.release,
        original: Some(&loaded.data),
        taxonomy: loaded.taxonomy.as_ref(),
        sensitive_items: &loaded.sensitive_names(),
        sensitive_values: &loaded.sensitive_values,
        patterns: &loaded.pattern_names(),
        ledger: outcome.ledger.as_ref(),
    };
    Ok(promise.check(&evidence, settings, 1, progress)?)
}

/// The message says how many cases are broken, not which: logs are kept longer than secrets.
fn not_verified(method: &dyn Method, promise: &dyn Promise, variant: Variant, verdict: &Verdict) -> Failure {
    let (method, promise) = (method.descriptor().name, promise.descriptor().name);
    let cases = match verdict.violations_total {
        1 => "1 broken case".to_owned(),
        total => format!("{total} broken cases"),
    };
    match variant {
        Variant::Sound => Failure::new(
            Class::NotVerified,
            format!("nothing was written: the release of `{method}` does not keep `{promise}` ({cases})"),
        )
        .with_help("this is a defect of the program, not of your data; please report it"),
        Variant::AsPrinted => Failure::new(
            Class::NotVerified,
            format!(
                "nothing was written: followed to the letter, the paper's `{method}` does not keep `{promise}` on \
                 this data ({cases})"
            ),
        )
        .with_help("use `--variant sound`, which closes the gap"),
    }
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
#[allow(clippy::too_many_arguments, reason = "the parts of a release, each used once")]
fn write(
    run: &Run,
    seed: u64,
    loaded: &Loaded,
    release: &Release,
    promise: &dyn Promise,
    manifest: &mut Manifest,
    staged: throng_data::StagedDir,
    progress: &Progress,
) -> Result<(), DirectoryError> {
    let shuffle = Shuffle::new(&loaded.data, release.events.records(), seed);
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
    let columns = published_columns(table, &run.files.publish)?;
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
    let page = report::render(manifest, promise);
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

/// Measures the steps of a run.
struct Clock {
    last: Instant,
    laps: Vec<Timing>,
}

impl Clock {
    fn start() -> Self {
        Clock { last: Instant::now(), laps: Vec::new() }
    }

    fn lap(&mut self, step: &'static str) {
        self.laps.push(Timing { step, took: self.last.elapsed() });
        self.last = Instant::now();
    }
}
