//! The queue and the thread that works through it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::child::UNENDING;
use super::{JobState, Live};
use crate::platform::problem::Problem;

/// How long a child that was asked to stop may take before it is killed.
const GRACE: Duration = Duration::from_millis(600);

/// Pages that may listen at the same time.
const MAX_LISTENERS: usize = 64;

/// What is done with the jobs of a queue.
pub trait Work: Send + Sync + 'static {
    /// Does a job to its end.
    fn run(&self, live: &Live) -> Result<(), Problem>;

    /// Stores how a job ended.
    fn keep(&self, live: &Live, outcome: &Outcome) -> Result<(), Problem>;
}

/// How a job ended.
#[derive(Debug)]
pub struct Outcome {
    /// In which state.
    pub state: JobState,
    /// Why it failed.
    pub problem: Option<Problem>,
    /// How long it ran, if it came to its end.
    pub seconds: Option<f64>,
}

/// All jobs that wait or run.
#[derive(Debug)]
pub struct Queue {
    waiting: Mutex<VecDeque<String>>,
    arrived: Condvar,
    live: Mutex<BTreeMap<String, Arc<Live>>>,
    closed: AtomicBool,
    seats: Arc<Semaphore>,
}

impl Default for Queue {
    fn default() -> Self {
        Queue {
            waiting: Mutex::default(),
            arrived: Condvar::new(),
            live: Mutex::default(),
            closed: AtomicBool::new(false),
            seats: Arc::new(Semaphore::new(MAX_LISTENERS)),
        }
    }
}

impl Queue {
    /// A seat for a page that listens; `None` when all are taken.
    pub fn seat(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.seats).try_acquire_owned().ok()
    }

    /// Begins to work through the queue.
    pub fn start(self: &Arc<Self>, work: impl Work) {
        let queue = Arc::clone(self);
        thread::spawn(move || queue.go_on(&work));
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
    pub fn cancel(&self, work: &impl Work, id: &str) -> Result<(), Problem> {
        let Some(live) = self.live(id) else { return Ok(()) };
        let waited = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let place = waiting.iter().position(|waiting| waiting == id);
            place.and_then(|place| waiting.remove(place)).is_some()
        };
        if waited {
            let outcome = Outcome { state: JobState::Cancelled, problem: None, seconds: None };
            self.end(work, &live, &outcome)?;
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

    fn end(&self, work: &impl Work, live: &Live, outcome: &Outcome) -> Result<(), Problem> {
        work.keep(live, outcome)?;
        // Those who hear of the end find it stored.
        self.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&live.id);
        live.tell_state();
        Ok(())
    }

    fn go_on(&self, work: &impl Work) {
        while let Some(live) = self.next() {
            let began = Instant::now();
            let (state, problem) = match work.run(&live) {
                Ok(()) => (JobState::Done, None),
                Err(_) if live.is_cancelled() && self.closed.load(Ordering::Relaxed) => {
                    (JobState::Interrupted, Some(interrupted()))
                }
                Err(_) if live.is_cancelled() => (JobState::Cancelled, None),
                Err(problem) => (JobState::Failed, Some(problem)),
            };
            tracing::info!(job = live.id, state = state.word(), "job ended");
            let seconds = (state == JobState::Done).then(|| began.elapsed().as_secs_f64());
            if let Err(problem) = self.end(work, &live, &Outcome { state, problem, seconds }) {
                live.say(&problem.detail);
            }
        }
    }
}

/// Why a job was not finished that ran when the server stopped.
pub fn interrupted() -> Problem {
    Problem::conflict("the server stopped while this job was running").with_help("start it again")
}
