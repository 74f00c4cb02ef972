//! One run: a file in, a verified release directory out.
//!
//! # Guarantees
//! What cannot be written is refused before the work begins. Nothing is written before the promise's own checker has judged the
//! release, whatever the variant; a release that fails its check is never written. A failed or cancelled run leaves nothing behind.
//! The order of records, and noise that hides people, come from a secret [`Salt`](crate::Salt) that is fresh unless an earlier run
//! is repeated.

use std::path::PathBuf;

use throng_contract::{Failure, Progress};
use throng_methods::Method;
use throng_models::Promise;
use throng_release::body::{self, Beside};
use throng_release::directory::LinkageFile;
use throng_release::{Made, Target};

use crate::job::Job;
use crate::plan::Plan;
use crate::save::{Place, Saving, save};
use crate::seed::refuse_guessable;

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

impl Run {
    /// Looks up the method and its promise, reads every value, and refuses what would be refused at the end of the work.
    pub fn check(&self) -> Result<Plan<'_>, Failure> {
        self.admit(self.job.plan()?)
    }

    /// The same with a method and a promise that need not be in the catalogue. [`Job::method`] is not looked at.
    pub fn check_with<'a>(
        &'a self,
        method: &'a dyn Method,
        promise: &'a dyn Promise,
    ) -> Result<Plan<'a>, Failure> {
        self.admit(self.job.plan_with(method, promise)?)
    }

    fn admit<'a>(&'a self, plan: Plan<'a>) -> Result<Plan<'a>, Failure> {
        if plan.promise.rests_on_secret_noise() {
            refuse_guessable(self.job.seed)?;
        }
        if let Some(product) = plan.method.descriptor().product {
            let beside = Beside {
                linkage: self.linkage.is_some(),
                columns: !self.job.files.publish.is_empty(),
                format: self.out.format,
            };
            body::admit(product, beside)?;
        }
        Ok(Plan { out: self.out.clone(), ..plan })
    }

    /// Reserves the place of the release; what would be overwritten is refused.
    pub fn reserve(&self) -> Result<Place, Failure> {
        let staged = self.out.stage()?;
        if let Some(linkage) = &self.linkage {
            LinkageFile::refuse(linkage, &self.out)?;
        }
        Ok(Place { staged, linkage: self.linkage.clone() })
    }
}

/// Reads, anonymises, checks, measures and writes; nothing is recorded.
pub fn anonymize(run: &Run, progress: &Progress) -> Result<Made, Failure> {
    finish(&run.check()?, run, progress)
}

/// The same with a method and a promise that need not be in the catalogue. [`Job::method`] is not looked at.
pub fn anonymize_with(
    method: &dyn Method,
    promise: &dyn Promise,
    run: &Run,
    progress: &Progress,
) -> Result<Made, Failure> {
    finish(&run.check_with(method, promise)?, run, progress)
}

fn finish(plan: &Plan<'_>, run: &Run, progress: &Progress) -> Result<Made, Failure> {
    let place = run.reserve()?;
    let made = plan.make(progress)?;
    Ok(save(made, place, Saving::default(), progress, &|_| ())?.made)
}
