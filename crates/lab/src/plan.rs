//! A job that was checked once: its method, its promise and their settings, and the release it makes in memory.
//!
//! # Guarantees
//! What [`Plan::make_checked`] gives back was judged by the promise's own checker, whatever the variant; a release that fails its
//! check is an error.

use throng_contract::{Class, DataKind, Failure, Progress, Settings};
use throng_data::EventKind;
use throng_methods::table::after::anonymize_after;
use throng_methods::table::demands::Demands;
use throng_methods::{Method, Outcome, Task, Variant};
use throng_models::Promise;

use crate::after::{self, Before};
use crate::cost::estimate;
use crate::job::Job;
use crate::seed::seed_of;
use throng_data::load::Loaded;
use throng_release::clock::Clock;
use throng_release::columns;
use throng_release::judge::{
    Judge, as_they_are, check_shape, columns_as_they_are, judged_columns, not_verified,
};
use throng_release::load::load;
use throng_release::{AlsoKept, Checked, Target, catalogue, promise_of};

/// A job with everything that it names looked up and every value read.
#[derive(Clone)]
pub struct Plan<'a> {
    /// What was asked for: data, inputs, what to publish, variant, seed and salt.
    pub job: &'a Job,
    /// The method.
    pub method: &'a dyn Method,
    /// The promise it keeps.
    pub promise: &'a dyn Promise,
    /// The method's parameters.
    pub settings: Settings,
    /// The promise's parameters.
    pub promised: Settings,
    /// How the release is to be written.
    pub out: Target,
}

impl Job {
    /// Looks up the method and its promise and reads every value. Nothing is read from the data yet.
    pub fn plan(&self) -> Result<Plan<'_>, Failure> {
        let method = catalogue::method(&self.method)?;
        self.plan_with(method, promise_of(method)?)
    }

    /// The same with a method and a promise that need not be in the catalogue. [`Job::method`] is not looked at.
    pub fn plan_with<'a>(
        &'a self,
        method: &'a dyn Method,
        promise: &'a dyn Promise,
    ) -> Result<Plan<'a>, Failure> {
        let given = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::parse(method.descriptor(), given)?;
        let promised = settings.for_promise(promise.descriptor())?;
        let out = Target::new("");
        Ok(Plan { job: self, method, promise, settings, promised, out })
    }
}

impl Plan<'_> {
    /// Reads, anonymises and checks, and measures nothing.
    pub fn make_checked(&self, progress: &Progress) -> Result<Checked, Failure> {
        let (loaded, clock) = self.read(progress)?;
        self.checked_from(loaded, clock, progress)
    }

    /// The same, but a release that follows a paper to the letter and breaks its promise is given back, too, with what is said
    /// against it. It may be measured, so that the paper's figures can be drawn; it must never be written.
    pub(crate) fn make_to_measure(&self, progress: &Progress) -> Result<(Checked, Option<Failure>), Failure> {
        let (loaded, clock) = self.read(progress)?;
        match self.attempt(loaded, clock, progress)? {
            (_, Some(failure)) if self.job.variant == Variant::Sound => Err(failure),
            attempt => Ok(attempt),
        }
    }

    /// Reads the data, and says so where the work will take long.
    pub(crate) fn read(&self, progress: &Progress) -> Result<(Loaded, Clock), Failure> {
        let mut clock = Clock::after(Vec::new());
        let loaded = load(&self.job.files, self.method.descriptor(), progress)?;
        clock.lap("read");
        let cost = estimate(self.method.descriptor(), &self.settings, &loaded.data);
        if cost.is_long() {
            progress.say(&cost.in_words(&self.job.files, &loaded.data));
        }
        Ok((loaded, clock))
    }

    /// Makes the release of data that were read before; [`Job::files`] says only what to publish of them.
    pub(crate) fn checked_from(
        &self,
        loaded: Loaded,
        clock: Clock,
        progress: &Progress,
    ) -> Result<Checked, Failure> {
        match self.attempt(loaded, clock, progress)? {
            (made, None) => Ok(made),
            (_, Some(failure)) => Err(failure),
        }
    }

    /// A release, and why it must not be written if it breaks a promise.
    fn attempt(
        &self,
        loaded: Loaded,
        mut clock: Clock,
        progress: &Progress,
    ) -> Result<(Checked, Option<Failure>), Failure> {
        let Plan { job, method, promise, settings, promised, .. } = self.clone();
        let seed = seed_of(job, promise.rests_on_secret_noise())?;
        let noise = job.salt.map(|salt| salt.noise_key(seed));
        method.descriptor().fits(&loaded.data.shape())?;
        // Columns that are recoded with the events are judged when they are.
        let mixed = method.descriptor().takes.contains(&DataKind::Mixed);
        if !mixed && let Some(judged) = judged_columns(&loaded, None, &job.files, promise.assumes(&promised))?
        {
            judged.admit()?;
        }

        let task = Task { noise, ..Task::on(&loaded, &settings, job.variant, seed, progress) };
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
                judged_columns(&loaded, Some(&outcome.release), &job.files, promise.assumes(&promised))?
            {
                judged.admit()?;
            }
            broken = Some(columns::refused(&exposed, &columns_as_they_are(&outcome.release, &job.files)));
        }
        if let Some(before) = job.after.as_ref().filter(|_| broken.is_none()) {
            let (data, release) = (&loaded.data, &outcome.release);
            let asked = after::Asked { promise, promised: &promised, also: &outcome.also };
            after::check(before, data, release, asked, progress)?;
        }
        clock.lap("check");
        let assumes = promise.assumes(&promised);
        let salt = job.salt;
        let timings = clock.laps;
        let made = Checked {
            loaded,
            outcome,
            verdict,
            also,
            exposed,
            settings,
            promised,
            assumes,
            seed,
            salt,
            timings,
        };
        Ok((made, broken))
    }
}

/// Runs a method for tables within the groups of an earlier release.
fn again(method: &dyn Method, task: &Task<'_>, before: &Before) -> Result<Outcome, Failure> {
    if method.descriptor().takes != [DataKind::Table] {
        let what =
            format!("`{}` does not publish tables, and `after` is for tables", method.descriptor().name);
        return Err(
            Failure::new(Class::Usage, what).with_help("choose a method for tables; see {throng methods}")
        );
    }
    let also = Demands::read(task.settings, task.data)?.also();
    let strata = before.strata(task.data, &also, task.progress)?;
    Ok(anonymize_after(method, task, &strata)?)
}
