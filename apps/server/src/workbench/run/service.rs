//! Jobs of the workbench: stored in the database, run in a folder of their own, their results put together when they end.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use throng_contract::{Change, Class, Failure, Help};

use super::spec::JobSpec;
use super::{command, verified};
use crate::platform::jobs::{JobProgress, JobState, Live, Outcome, Queue, Work, child, interrupted};
use crate::platform::principal::Right;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::project::Projects;
use crate::workbench::project::store::{JobEnd, StoredJob};
use crate::workbench::result;
use crate::workbench::result::releases::Releases;

/// Jobs of all projects, those that wait or run, and what came of the others.
#[derive(Debug, Clone)]
pub struct Jobs {
    /// What they work on.
    pub projects: Projects,
    /// Those that wait or run.
    pub queue: Arc<Queue>,
    /// The release that was looked at last.
    pub releases: Arc<Releases>,
}

impl Service for Jobs {
    const RIGHT: Right = Right::Jobs;
}

impl Jobs {
    /// The jobs of these projects; nothing runs yet.
    pub fn of(projects: Projects) -> Self {
        Jobs { projects, queue: Arc::default(), releases: Arc::default() }
    }

    /// Marks what a server that is gone left running, and ends its children if they are still there.
    pub fn mark_interrupted(&self) -> Result<(), Failure> {
        let store = &self.projects.store;
        for job in store.jobs_in(JobState::Running)? {
            if let Some(process) = job.process {
                child::end_left(process, &job.id);
            }
            let problem = serde_json::to_string(&interrupted()).ok();
            let (state, progress, problem) = (JobState::Interrupted, &job.progress, problem.as_deref());
            store.end_job(&job.id, &JobEnd { state, progress, problem, seconds: None })?;
            let _ = fs::remove_dir_all(self.folder(&job).join(command::RELEASE));
        }
        Ok(())
    }

    /// Begins to work through the queue; jobs that waited when an earlier server stopped are taken up again.
    pub fn start(&self) -> Result<(), Failure> {
        for job in self.projects.store.jobs_in(JobState::Queued)? {
            self.queue.submit(&job.id);
        }
        self.queue.start(self.clone());
        Ok(())
    }

    /// Stops a job and waits until it has stopped; nothing happens to one that is over.
    pub fn cancel(&self, id: &str) -> Result<(), Problem> {
        self.queue.cancel(self, id)
    }

    /// The job with that identifier.
    pub fn need(&self, id: &str) -> Result<StoredJob, Problem> {
        self.projects.store.job(id)?.ok_or_else(|| Problem::missing("job"))
    }

    /// The folder of a job.
    pub fn folder(&self, job: &StoredJob) -> PathBuf {
        self.projects.home.job(&job.project, &job.id)
    }

    /// How far a job is, or came.
    pub fn progress(&self, job: &StoredJob) -> JobProgress {
        match self.queue.live(&job.id) {
            Some(live) => live.progress(),
            None => serde_json::from_str(&job.progress).unwrap_or_default(),
        }
    }
}

impl Work for Jobs {
    fn run(&self, live: &Live) -> Result<(), Problem> {
        let (job, store) = (self.need(&live.id)?, &self.projects.store);
        let folder = self.folder(&job);
        store.start_job(&job.id, None)?;
        live.tell_state();
        tracing::info!(job = job.id, kind = job.kind, "job began");
        let spec: JobSpec = serde_json::from_str(&job.spec)?;
        let arguments: Vec<String> = serde_json::from_slice(&fs::read(folder.join(command::ARGUMENTS))?)?;
        let started = |process| {
            // The number only helps to clean up after a crash of the server.
            let _ = store.start_job(&job.id, Some(process));
        };
        let program = &self.projects.program;
        let ended = child::run(program, &arguments, &folder, live, started);
        let outcome = ended.and_then(|ended| judge(live, ended)).and_then(|()| {
            if matches!(spec, JobSpec::Anonymize(_)) {
                live.say("Verifying the files as a reader would");
                verified::verify(program, &folder, live)?;
            }
            if live.is_cancelled() {
                return Err(stopped());
            }
            live.say("Putting the result together");
            result::prepare(self, &job, &spec)
        });
        if outcome.is_err() {
            let _ = fs::remove_dir_all(folder.join(command::RELEASE));
        }
        outcome
    }

    fn keep(&self, live: &Live, outcome: &Outcome) -> Result<(), Problem> {
        let progress = serde_json::to_string(&live.progress())?;
        let problem = outcome.problem.as_ref().map(serde_json::to_string).transpose()?;
        let Outcome { state, seconds, .. } = *outcome;
        let end = JobEnd { state, progress: &progress, problem: problem.as_deref(), seconds };
        Ok(self.projects.store.end_job(&live.id, &end)?)
    }
}

fn stopped() -> Problem {
    Problem::conflict("the job was stopped")
}

fn judge(live: &Live, ended: child::Ended) -> Result<(), Problem> {
    if live.is_cancelled() {
        return Err(stopped());
    }
    match (ended.code, ended.failure) {
        (Some(0), _) => Ok(()),
        (_, Some(failure)) => {
            let field = failure.help.as_ref().and_then(|help| may_be_accepted(failure.class, help));
            Err(Problem { field, ..Problem::from(failure) })
        }
        (Some(code), None) => {
            Err(Problem::internal(format!("the run ended with code {code} and said nothing")))
        }
        (None, None) => {
            Err(Problem::internal("the run was ended from outside, perhaps because memory ran out"))
        }
    }
}

/// The field of a job that accepts what a run was refused for: the way out names its setting. Where that is a column, its name is behind a `/`.
fn may_be_accepted(class: Class, help: &Help) -> Option<String> {
    if !matches!(class, Class::Refused | Class::Infeasible) {
        return None;
    }
    if let Some(Change { value: Some(column), .. }) = help.change_of("accept-identifier") {
        return Some(format!("accept_identifiers/{column}"));
    }
    let fields = [("accept-exposed-columns", "accept_exposed_columns"), ("allow-empty", "allow_empty")];
    fields
        .into_iter()
        .find(|(setting, _)| help.change_of(setting).is_some())
        .map(|(_, field)| field.to_owned())
}
