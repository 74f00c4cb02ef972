//! The queue and the thread that works through it.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use throng_contract::{Class, Failure};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{JobSpec, Live, ProgressView, child, command};
use crate::platform::problem::Problem;
use crate::workbench::Workbench;
use crate::workbench::project::home::Home;
use crate::workbench::project::store::{JobState, Store, StoredJob};
use crate::workbench::result;

/// How long a child that was asked to stop may take before it is killed.
const GRACE: Duration = Duration::from_millis(600);
/// A process that is still there so long after it was killed hangs in the kernel, and is waited for no longer.
const UNENDING: Duration = Duration::from_secs(60);

/// Pages that may listen at the same time.
const MOST_LISTENERS: usize = 64;

/// All jobs that wait or run.
#[derive(Debug)]
pub struct Jobs {
    waiting: Mutex<VecDeque<String>>,
    arrived: Condvar,
    live: Mutex<BTreeMap<String, Arc<Live>>>,
    closed: AtomicBool,
    seats: Arc<Semaphore>,
}

impl Default for Jobs {
    fn default() -> Self {
        Jobs {
            waiting: Mutex::default(),
            arrived: Condvar::new(),
            live: Mutex::default(),
            closed: AtomicBool::new(false),
            seats: Arc::new(Semaphore::new(MOST_LISTENERS)),
        }
    }
}

impl Jobs {
    /// A seat for somebody who listens; `None` when all are taken.
    pub fn seat(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.seats).try_acquire_owned().ok()
    }

    /// Marks what a server that is gone left running, and ends its children if they are still there.
    pub fn mark_interrupted(store: &Store, home: &Home) -> Result<(), Failure> {
        let internal = |error: rusqlite::Error| Failure::new(Class::Internal, error.to_string());
        for job in store.jobs_in(JobState::Running).map_err(internal)? {
            if let Some(process) = job.process.and_then(Pid::from_raw).filter(|pid| is_ours(*pid, &job)) {
                let _ = kill_process_group(process, Signal::KILL);
                // It is nobody's child any more: only looking tells when it is gone and writes no longer.
                let asked = Instant::now();
                while is_ours(process, &job) && asked.elapsed() < UNENDING {
                    thread::sleep(Duration::from_millis(10));
                }
            }
            let problem = Problem::conflict("the server stopped while this job was running")
                .with_help("start it again");
            let problem = serde_json::to_string(&problem).ok();
            store
                .end_job(&job.id, JobState::Interrupted, &job.progress, problem.as_deref(), None)
                .map_err(internal)?;
            let _ = fs::remove_dir_all(home.job(&job.project, &job.id).join(command::RELEASE));
        }
        Ok(())
    }

    /// Begins to work through the queue; jobs that waited when an earlier server stopped are taken up again.
    pub fn start(bench: &Arc<Workbench>) -> Result<(), Failure> {
        let left = bench.store.jobs_in(JobState::Queued);
        for job in left.map_err(|error| Failure::new(Class::Internal, error.to_string()))? {
            bench.jobs.submit(&job.id);
        }
        let weak = Arc::downgrade(bench);
        thread::spawn(move || work(&weak));
        Ok(())
    }

    /// Puts a stored job at the end of the queue.
    pub fn submit(&self, id: &str) {
        self.live
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.to_owned(), Arc::new(Live::new(id)));
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(id.to_owned());
        self.arrived.notify_one();
    }

    /// The job, if it waits or runs.
    pub fn live(&self, id: &str) -> Option<Arc<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Stops a job and waits until it has stopped; nothing happens to one that is over.
    pub fn cancel(&self, bench: &Workbench, id: &str) -> Result<(), Problem> {
        let Some(live) = self.live(id) else { return Ok(()) };
        let waited = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let place = waiting.iter().position(|waiting| waiting == id);
            place.and_then(|place| waiting.remove(place)).is_some()
        };
        if waited {
            self.end(bench, &live, JobState::Cancelled, None, None)?;
            return Ok(());
        }
        live.stop();
        let asked = Instant::now();
        while self.live(id).is_some() && asked.elapsed() < UNENDING {
            if asked.elapsed() > GRACE {
                live.kill();
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Stops everything; called when the server stops.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.arrived.notify_all();
        let running: Vec<Arc<Live>> = {
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
            live.values().filter(|live| !waiting.contains(&live.id)).cloned().collect()
        };
        running.iter().for_each(|live| live.stop());
        let asked = Instant::now();
        while running.iter().any(|live| self.live(&live.id).is_some()) && asked.elapsed() < UNENDING {
            if asked.elapsed() > GRACE {
                running.iter().for_each(|live| live.kill());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn next(&self) -> Option<Arc<Live>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(live) = waiting.pop_front().and_then(|id| self.live(&id)) {
                return Some(live);
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(
        &self,
        bench: &Workbench,
        live: &Live,
        state: JobState,
        problem: Option<&Problem>,
        seconds: Option<f64>,
    ) -> Result<(), Problem> {
        let progress = serde_json::to_string(&live.progress())?;
        let problem = problem.map(serde_json::to_string).transpose()?;
        bench.store.end_job(&live.id, state, &progress, problem.as_deref(), seconds)?;
        // Whoever hears of the end finds it in the database.
        self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&live.id);
        live.tell_state();
        Ok(())
    }
}

/// Whether a process is the child of that job: its command line names the job's folder.
fn is_ours(process: Pid, job: &StoredJob) -> bool {
    let path = format!("/proc/{}/cmdline", process.as_raw_nonzero());
    fs::read(path).is_ok_and(|line| String::from_utf8_lossy(&line).contains(&job.id))
}

fn work(bench: &Weak<Workbench>) {
    while let Some(bench) = bench.upgrade() {
        let Some(live) = bench.jobs.next() else { return };
        let began = Instant::now();
        let (state, problem) = match run(&bench, &live) {
            Ok(()) => (JobState::Done, None),
            Err(_) if live.is_cancelled() && bench.jobs.closed.load(Ordering::Relaxed) => {
                let problem = Problem::conflict("the server stopped while this job was running");
                (JobState::Interrupted, Some(problem.with_help("start it again")))
            }
            Err(_) if live.is_cancelled() => (JobState::Cancelled, None),
            Err(problem) => (JobState::Failed, Some(problem)),
        };
        tracing::info!(job = live.id, state = state.word(), "job ended");
        let seconds = (state == JobState::Done).then(|| began.elapsed().as_secs_f64());
        if let Err(problem) = bench.jobs.end(&bench, &live, state, problem.as_ref(), seconds) {
            live.say(&problem.detail);
        }
    }
}

fn run(bench: &Workbench, live: &Live) -> Result<(), Problem> {
    let job = bench.store.job(&live.id)?.ok_or_else(|| Problem::missing("job"))?;
    let folder = bench.home.job(&job.project, &job.id);
    bench.store.start_job(&job.id, None)?;
    live.tell_state();
    tracing::info!(job = job.id, kind = job.kind, "job began");
    let spec: JobSpec = serde_json::from_str(&job.spec)?;
    let arguments: Vec<String> = serde_json::from_slice(&fs::read(folder.join(command::ARGUMENTS))?)?;
    let started = |process| {
        // The number only helps to clean up after a crash of the server.
        let _ = bench.store.start_job(&job.id, Some(process));
    };
    let ended = child::run(&bench.program, &arguments, &folder, live, started);
    let outcome = ended.and_then(|ended| judge(live, ended)).and_then(|()| {
        if matches!(spec, JobSpec::Anonymize(_)) {
            live.say("Verifying the files as a reader would");
            child::verify(&bench.program, &folder, live)?;
        }
        if live.is_cancelled() {
            return Err(stopped());
        }
        live.say("Putting the result together");
        result::prepare(bench, &job, &spec)
    });
    if outcome.is_err() {
        let _ = fs::remove_dir_all(folder.join(command::RELEASE));
    }
    outcome
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
            let field = failure.help.as_deref().and_then(|help| may_be_accepted(failure.class, help));
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

/// The field of a job that accepts what a run was refused for: its flag is named in the way out. Where that is a column, its name is behind a `/`.
fn may_be_accepted(class: Class, help: &str) -> Option<String> {
    const IDENTIFIER: &str = "`--accept-identifier ";
    if !matches!(class, Class::Refused | Class::Infeasible) {
        return None;
    }
    if let Some((_, rest)) = help.split_once(IDENTIFIER) {
        let (column, _) = rest.split_once("` publishes")?;
        return Some(format!("accept_identifiers/{column}"));
    }
    let fields = [("--accept-exposed-columns", "accept_exposed_columns"), ("--allow-empty", "allow_empty")];
    fields.into_iter().find(|(flag, _)| help.contains(flag)).map(|(_, field)| field.to_owned())
}

/// The progress of a job that is over, as stored.
pub fn stored_progress(job: &StoredJob) -> ProgressView {
    serde_json::from_str(&job.progress).unwrap_or_default()
}
