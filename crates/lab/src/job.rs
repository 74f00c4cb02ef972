//! What determines a release, and the release it makes, in memory and verified.
//!
//! # Guarantees
//! What [`make`] gives back was judged by the promise's own checker, whatever the variant; a release that fails its
//! check is an error.

use std::sync::Arc;
use std::time::{Duration, Instant};

use throng_contract::{Class, DataKind, Failure, Progress, Settings};
use throng_data::{Column, EventKind, Nature, RecodedColumn, RecodedTable, Release, Role, Table};
use throng_methods::table::after::anonymize_after;
use throng_methods::table::demands::Demands;
use throng_methods::{Method, Outcome, Task, Variant};
use throng_models::{Assumes, CheckError, Evidence, Promise, Verdict, check_beside};

use crate::after::{self, Before};
use crate::as_written::{as_written, inputs_for};
use crate::columns::{self, Judged};
use crate::cost::estimate;
use crate::directory::published_columns;
use crate::load::{Loaded, load};
use crate::{Files, Salt, catalogue};

/// Everything that determines a release.
#[derive(Debug, Clone)]
pub struct Job {
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
    /// The secret of the run. A release that is written gets a fresh one where none is given; what is made to be compared
    /// and thrown away needs none.
    pub salt: Option<Salt>,
    /// The release of a table that this one has to be safe together with.
    pub after: Option<Arc<Before>>,
}

impl Job {
    /// The method's parameters, and those of the promise it keeps.
    pub(crate) fn check(
        &self,
        method: &dyn Method,
        promise: &dyn Promise,
    ) -> Result<(Settings, Settings), Failure> {
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::parse(method.descriptor(), given)?;
        let promised = settings.for_promise(promise.descriptor())?;
        Ok((settings, promised))
    }
}

/// A release that was verified, and how it came about.
#[derive(Debug)]
pub struct Made {
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

/// How long a step took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The step.
    pub step: &'static str,
    /// Wall-clock time.
    pub took: Duration,
}

/// Reads, anonymises and checks.
pub fn make(job: &Job, progress: &Progress) -> Result<Made, Failure> {
    let method = catalogue::method(&job.method)?;
    make_with(method, promise_of(method)?, job, progress)
}

/// The same, but a release that follows a paper to the letter and breaks its promise is given back, too, with what is said
/// against it. It may be measured, so that the paper's figures can be drawn; it must never be written.
pub(crate) fn make_to_measure(job: &Job, progress: &Progress) -> Result<(Made, Option<Failure>), Failure> {
    let method = catalogue::method(&job.method)?;
    let promise = promise_of(method)?;
    let (loaded, clock) = read(method, promise, job, progress)?;
    match attempt(method, promise, job, loaded, clock, progress)? {
        (_, Some(failure)) if job.variant == Variant::Sound => Err(failure),
        attempt => Ok(attempt),
    }
}

/// The promise a method keeps.
pub fn promise_of(method: &dyn Method) -> Result<&'static dyn Promise, Failure> {
    let descriptor = method.descriptor();
    let keeps = descriptor.keeps.ok_or_else(|| {
        Failure::new(Class::Internal, format!("`{}` does not say which promise it keeps", descriptor.name))
    })?;
    Ok(catalogue::promise(keeps)?)
}

/// The same with a method and a promise that need not be in the catalogue. [`Job::method`] is not looked at.
pub fn make_with(
    method: &dyn Method,
    promise: &dyn Promise,
    job: &Job,
    progress: &Progress,
) -> Result<Made, Failure> {
    let (loaded, clock) = read(method, promise, job, progress)?;
    make_from(method, promise, job, loaded, clock, progress)
}

/// Reads what a job is about, and says so where it will take long.
pub(crate) fn read(
    method: &dyn Method,
    promise: &dyn Promise,
    job: &Job,
    progress: &Progress,
) -> Result<(Loaded, Clock), Failure> {
    let (settings, _) = job.check(method, promise)?;
    let mut clock = Clock::after(Vec::new());
    let loaded = load(&job.files, method.descriptor(), progress)?;
    clock.lap("read");
    let cost = estimate(method.descriptor(), &settings, &loaded.data);
    if cost.is_long() {
        progress.say(&cost.in_words(&job.files, &loaded.data));
    }
    Ok((loaded, clock))
}

/// The same on data that was read before; [`Job::files`] says only what to publish of it.
pub(crate) fn make_from(
    method: &dyn Method,
    promise: &dyn Promise,
    job: &Job,
    loaded: Loaded,
    clock: Clock,
    progress: &Progress,
) -> Result<Made, Failure> {
    match attempt(method, promise, job, loaded, clock, progress)? {
        (made, None) => Ok(made),
        (_, Some(failure)) => Err(failure),
    }
}

/// A release, and why it must not be written if it breaks a promise.
fn attempt(
    method: &dyn Method,
    promise: &dyn Promise,
    job: &Job,
    loaded: Loaded,
    mut clock: Clock,
    progress: &Progress,
) -> Result<(Made, Option<Failure>), Failure> {
    let (settings, promised) = job.check(method, promise)?;
    let seed = seed_of(job, promise.rests_on_secret_noise())?;
    let noise = job.salt.map(|salt| salt.noise_key(seed));
    method.descriptor().fits(&loaded.data.shape())?;
    // Columns that are recoded with the events are judged when they are.
    let mixed = method.descriptor().takes.contains(&DataKind::Mixed);
    if !mixed && let Some(judged) = judged_columns(&loaded, None, job, promise.assumes(&promised))? {
        judged.admit()?;
    }

    let task = Task { noise, ..loaded.task(&settings, job.variant, seed, progress) };
    let mut outcome = match &job.after {
        Some(before) => {
            before.refuse_more(promise, &promised, progress)?;
            again(method, &task, before)?
        }
        None => method.anonymize(&task)?,
    };
    outcome.release = outcome.release.with_names_apart();
    if outcome.release.event_kind() == EventKind::Set {
        outcome.release = outcome.release.in_order_of_names();
    }
    check_shape(method, &loaded, &outcome.release)?;
    clock.lap("anonymise");

    let as_they_are = as_they_are(&loaded, &outcome.release, &job.files)?;
    let judge = Judge { loaded: &loaded, outcome: &outcome, as_they_are: as_they_are.as_ref(), progress };
    let mut exposed = Vec::new();
    let (verdict, with_columns) = judge.both(promise, &promised)?;
    let mut broken = (!verdict.holds).then(|| not_verified(method, promise, job.variant, &verdict));
    if verdict.holds && !with_columns {
        exposed.push(promise.descriptor().name);
    }
    let mut also = Vec::new();
    for kept in &outcome.also {
        let promise = catalogue::promise(kept.promise)?;
        let given = kept.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::parse(promise.descriptor(), given)?;
        let (verdict, with_columns) = judge.both(promise, &settings)?;
        if !verdict.holds {
            broken = broken.or_else(|| Some(not_verified(method, promise, job.variant, &verdict)));
            continue;
        }
        if !with_columns {
            exposed.push(promise.descriptor().name);
        }
        also.push(AlsoKept { promise, settings, verdict });
    }
    if broken.is_none() && !exposed.is_empty() && !job.files.accept_exposed_columns {
        // Columns that are too much by themselves are refused with the numbers of people.
        if let Some(judged) =
            judged_columns(&loaded, Some(&outcome.release), job, promise.assumes(&promised))?
        {
            judged.admit()?;
        }
        broken = Some(columns::refused(&exposed, &columns_as_they_are(&outcome.release, job)));
    }
    if let Some(before) = job.after.as_ref().filter(|_| broken.is_none()) {
        let (data, release) = (&loaded.data, &outcome.release);
        after::check(before, data, release, promise, &promised, &outcome.also, progress)?;
    }
    clock.lap("check");
    let assumes = promise.assumes(&promised);
    let salt = job.salt;
    let timings = clock.laps;
    let made =
        Made { loaded, outcome, verdict, also, exposed, settings, promised, assumes, seed, salt, timings };
    Ok((made, broken))
}

/// Runs a method for tables within the groups of an earlier release.
fn again(method: &dyn Method, task: &Task<'_>, before: &Before) -> Result<Outcome, Failure> {
    if method.descriptor().takes != [DataKind::Table] {
        let what =
            format!("`{}` does not publish tables, and `--after` is for tables", method.descriptor().name);
        return Err(
            Failure::new(Class::Usage, what).with_help("choose a method for tables; see `throng methods`")
        );
    }
    let also = Demands::read(task.settings, task.data)?.also();
    let strata = before.strata(task.data, &also, task.progress)?;
    Ok(anonymize_after(method, task, &strata)?)
}

/// The seed of a run. Noise that is meant to hide people is not drawn from a number that everybody would guess.
fn seed_of(job: &Job, secret: bool) -> Result<u64, Failure> {
    match job.seed {
        Some(seed) => Ok(seed),
        None if secret => drawn_seed(),
        None => Ok(0),
    }
}

/// Seeds below this could be found by trying them all.
pub const GUESSABLE: u64 = 1 << 32;

fn drawn_seed() -> Result<u64, Failure> {
    loop {
        let seed = getrandom::u64().map_err(|error| {
            Failure::new(Class::Internal, format!("the system gives no random numbers: {error}"))
                .with_help("give a secret number with `--seed`")
        })?;
        if seed >= GUESSABLE {
            return Ok(seed);
        }
    }
}

/// What the columns that are to be published give away; nothing where none is.
pub(crate) fn judged_columns(
    loaded: &Loaded,
    release: Option<&Release>,
    job: &Job,
    assumes: Assumes,
) -> Result<Option<Judged>, Failure> {
    let people = loaded.data.events.subjects();
    let recoded = release.is_some_and(|release| release.table().is_some());
    if loaded.data.events.kind() == EventKind::Absent || recoded {
        // A table is recoded before it is published: only its release can be judged.
        return Ok(release
            .and_then(|release| release.table())
            .and_then(|table| Judged::of_table(table, people, assumes, job.files.accept_exposed_columns)));
    }
    let given = loaded.data.attributes.as_ref();
    let table = match release {
        Some(release) => published_table(release, given),
        None => given,
    };
    let columns = published_columns(table, &job.files.publish)?;
    Ok(Judged::of(&columns, people, assumes, job.files.accept_exposed_columns))
}

/// A truthful release has the records of the data: the linkage and the published attributes rely on it.
fn check_shape(method: &dyn Method, loaded: &Loaded, release: &Release) -> Result<(), Failure> {
    // Other forms than rows have no records.
    let same = !release.body.has_rows()
        || release.events().subject_offsets() == loaded.data.events.subject_offsets();
    if release.nature == Nature::Synthetic || same {
        return Ok(());
    }
    let message = format!("`{}` gave a release with other records than the data", method.descriptor().name);
    Err(Failure::new(Class::Internal, message).with_help("this is a defect of the program; please report it"))
}

/// Puts a release before the checkers: as the method made it, and with the columns that are published as they are.
struct Judge<'a> {
    loaded: &'a Loaded,
    outcome: &'a Outcome,
    /// The columns that lie beside the events as they are; a release with a table has them in it.
    as_they_are: Option<&'a RecodedTable>,
    progress: &'a Progress,
}

impl Judge<'_> {
    /// The verdict on what the method made, and whether the promise holds, too, for attackers who know every published column.
    fn both(&self, promise: &dyn Promise, settings: &Settings) -> Result<(Verdict, bool), Failure> {
        let release = &self.outcome.release;
        if !promise.speaks_of(release.body.kind()) {
            let message = format!("`{}` does not speak of releases of this form", promise.descriptor().name);
            return Err(Failure::new(Class::Usage, message)
                .with_help("ask for the promise that the method keeps; see `throng methods`"));
        }
        let evidence = Evidence {
            release,
            original: Some(&self.loaded.data),
            inputs: &self.loaded.inputs,
            ledger: self.outcome.ledger.as_ref(),
        };
        let insensitive =
            release.table().is_some_and(|table| table.with_role(Role::Insensitive).next().is_some());
        if insensitive {
            let body = release.body.clone().with_table(|table| table.without_role(Role::Insensitive));
            let covered = Release { body, ..release.clone() };
            let method = Evidence { release: &covered, ..evidence };
            let verdict = self.as_made_and_as_written(promise, &method, settings)?;
            let whole = check_promise(promise, &evidence, None, settings, 0, self.progress)?;
            return Ok((verdict, whole.holds));
        }
        let verdict = self.as_made_and_as_written(promise, &evidence, settings)?;
        let holds = match self.as_they_are {
            Some(columns) if verdict.holds => {
                check_promise(promise, &evidence, Some(columns), settings, 0, self.progress)?.holds
            }
            _ => true,
        };
        Ok((verdict, holds))
    }

    /// What `verify` judges by the files alone is judged here in the same way, before anything is written.
    fn as_made_and_as_written(
        &self,
        promise: &dyn Promise,
        evidence: &Evidence<'_>,
        settings: &Settings,
    ) -> Result<Verdict, Failure> {
        let verdict = check_promise(promise, evidence, None, settings, 1, self.progress)?;
        let alone = !promise.needs_original() && !promise.rests_on_secret_noise();
        let Some(written) = (verdict.holds && alone).then(|| as_written(evidence.release)).flatten() else {
            return Ok(verdict);
        };
        let inputs = inputs_for(&written, evidence.inputs);
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&written) };
        let read = check_promise(promise, &evidence, None, settings, 1, self.progress)?;
        Ok(if read.holds { verdict } else { read })
    }
}

impl Made {
    /// The columns that these files publish as they are beside the events, as attackers read them; nothing where none is.
    pub(crate) fn as_they_are(&self, files: &Files) -> Result<Option<RecodedTable>, Failure> {
        as_they_are(&self.loaded, &self.outcome.release, files)
    }
}

fn as_they_are(loaded: &Loaded, release: &Release, files: &Files) -> Result<Option<RecodedTable>, Failure> {
    if release.table().is_some() || release.nature == Nature::Synthetic || !release.body.has_rows() {
        return Ok(None);
    }
    let table = published_table(release, loaded.data.attributes.as_ref());
    let columns = published_columns(table, &files.publish)?;
    let intact = |column: &&Column| RecodedColumn::intact(column, column.role.unwrap_or(Role::Insensitive));
    let columns: Vec<RecodedColumn> = columns.iter().map(intact).collect();
    Ok((!columns.is_empty()).then_some(RecodedTable { columns }))
}

/// The names of the known columns that the method did not make safe.
fn columns_as_they_are(release: &Release, job: &Job) -> Vec<String> {
    match release.table() {
        Some(table) => table.with_role(Role::Insensitive).map(|column| column.name.clone()).collect(),
        None => job.files.publish.clone(),
    }
}

/// Asks a checker, for attackers who know the columns that are published beside events as well. A promise that says nothing of a
/// release of that form is not kept by it: there is nothing in it that could break it.
pub(crate) fn check_promise(
    promise: &dyn Promise,
    evidence: &Evidence<'_>,
    columns: Option<&RecodedTable>,
    settings: &Settings,
    list: usize,
    progress: &Progress,
) -> Result<Verdict, CheckError> {
    let body = evidence.release.body.kind();
    match promise.speaks_of(body) {
        true => match columns {
            Some(columns) => check_beside(promise, evidence, columns, settings, list, progress),
            None => promise.check(evidence, settings, list, progress),
        },
        false => Err(CheckError::OtherForm { promise: promise.descriptor().name, form: body.form() }),
    }
}

/// The attributes of a release: a method that recodes them publishes its own; the others publish what was given, unless
/// records are nobody's.
pub(crate) fn published_table<'a>(release: &'a Release, given: Option<&'a Table>) -> Option<&'a Table> {
    release.attributes().or(given.filter(|_| release.nature != Nature::Synthetic))
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

/// Measures the steps of a run.
#[derive(Debug)]
pub(crate) struct Clock {
    last: Instant,
    /// The steps so far.
    pub laps: Vec<Timing>,
}

impl Clock {
    /// Starts the next step after those that are over.
    pub fn after(laps: Vec<Timing>) -> Self {
        Clock { last: Instant::now(), laps }
    }

    /// Ends a step.
    pub fn lap(&mut self, step: &'static str) {
        self.laps.push(Timing { step, took: self.last.elapsed() });
        self.last = Instant::now();
    }
}
