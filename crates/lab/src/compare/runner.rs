//! Who does the work of a cell: this process, or a child that may be stopped.

use std::panic::{AssertUnwindSafe, catch_unwind};

use throng_contract::{Cancelled, Class, Progress};

use super::cell::{CellJob, Outcome, work};
use super::limits::Limits;

/// Does the work of a cell. Whatever goes wrong is an outcome; only the user's wish to stop is not.
pub trait CellRunner: Sync {
    /// Runs the job; `tell` is told what is being done.
    fn run(
        &self,
        job: &CellJob,
        limits: &Limits,
        tell: &(dyn Fn(&str) + Sync),
        progress: &Progress,
    ) -> Result<Outcome, Cancelled>;
}

/// Does the work in this process, without limits.
#[derive(Debug, Clone, Copy, Default)]
pub struct InProcess;

impl CellRunner for InProcess {
    fn run(
        &self,
        job: &CellJob,
        _: &Limits,
        _: &(dyn Fn(&str) + Sync),
        progress: &Progress,
    ) -> Result<Outcome, Cancelled> {
        match catch_unwind(AssertUnwindSafe(|| work(job, &progress.muted()))) {
            Ok(Ok(outcome)) => Ok(outcome),
            Ok(Err(failure)) if failure.class == Class::Interrupted => Err(Cancelled),
            Ok(Err(failure)) => Ok(failure.into()),
            Err(_) => Ok(Outcome::Crashed { reason: "internal: this is a bug of the program".to_owned() }),
        }
    }
}
