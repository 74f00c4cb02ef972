//! Answers that were made once, and those being made.
//!
//! # Guarantees
//! Two requests that ask the same at the same time start the work once and both get the answer. Work on data that has changed
//! since is stopped.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;
use throng_contract::Progress;

use super::{LONG_PATIENCE, PhaseNow, Watch, Workspace};
use crate::platform::problem::Problem;

/// Answers kept, of one revision of the data.
const MOST_ANSWERS: usize = 64;

/// The revision of answers that do not depend on the table.
pub const TIMELESS: u64 = 0;

/// Answers by question.
#[derive(Debug, Default)]
pub struct Answers {
    kept: Mutex<BTreeMap<String, Arc<Work>>>,
}

/// An answer, or the work on it.
#[derive(Debug)]
struct Work {
    watch: Arc<Watch>,
    progress: Progress,
    answer: Mutex<Option<Result<Bytes, Problem>>>,
    answered: Condvar,
}

/// What can be said now.
#[derive(Debug)]
pub enum Answer {
    /// The answer, as JSON.
    Ready(Bytes),
    /// How far the work on it is.
    Preparing(PhaseNow),
}

impl Answers {
    /// Forgets what depends on the state of the data, and stops what is under way of it.
    pub fn forget(&self) {
        let stays = |key: &String| key.starts_with(&format!("{TIMELESS}/"));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().filter(|(key, _)| !stays(key)).for_each(|(_, work)| work.progress.cancel());
        kept.retain(|key, _| stays(key));
    }

    /// Stops everything that is under way.
    pub fn stop(&self) {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.values().for_each(|work| work.progress.cancel());
    }

    /// The work on a question, and whether it has just been put on the list.
    fn work(&self, key: String) -> (Arc<Work>, bool) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(work) = kept.get(&key) {
            return (Arc::clone(work), false);
        }
        if kept.len() >= MOST_ANSWERS {
            kept.clear();
        }
        let watch = Arc::new(Watch::default());
        let progress = Progress::observed(Arc::<Watch>::clone(&watch));
        let work = Arc::new(Work { watch, progress, answer: Mutex::new(None), answered: Condvar::new() });
        kept.insert(key, Arc::clone(&work));
        (work, true)
    }

    /// Forgets a failure: the next request tries again.
    fn drop_failure(&self, key: &str) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

/// Requests that wait for an answer must be told even if the thread at work on it dies.
struct Told<'a>(&'a Work);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.finish(Err(Problem::internal("the answer could not be worked out")));
        }
    }
}

impl Work {
    fn finish(&self, answer: Result<Bytes, Problem>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        self.answered.notify_all();
    }

    fn wait(&self, patience: Duration) -> Option<Result<Bytes, Problem>> {
        let deadline = Instant::now() + patience;
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        while answer.is_none() {
            let left = deadline.checked_duration_since(Instant::now())?;
            answer = self.answered.wait_timeout(answer, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        answer.clone()
    }
}

impl Workspace {
    /// Says that an input changed.
    pub fn inputs_changed(&self) {
        self.inputs.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts changes of the inputs.
    pub fn inputs_version(&self) -> u64 {
        self.inputs.load(Ordering::Relaxed)
    }

    fn key(&self, question: &str, revision: u64) -> String {
        format!("{revision}/{}/{question}", self.inputs_version())
    }

    /// An answer as JSON, made once for each revision of data and inputs.
    pub fn answer<T: Serialize>(
        &self,
        question: &str,
        revision: u64,
        make: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<Bytes, Problem> {
        let key = self.key(question, revision);
        let (work, fresh) = self.answers.work(key.clone());
        if !fresh {
            // Better twice than never.
            if let Some(answer) = work.wait(LONG_PATIENCE) {
                return answer;
            }
        }
        let _told = Told(&work);
        let answer = make().and_then(|made| Ok(Bytes::from(serde_json::to_vec(&made)?)));
        if answer.is_err() {
            self.answers.drop_failure(&key);
        }
        work.finish(answer.clone());
        answer
    }

    /// The same for what takes long: the work goes on, on a thread of its own, when the patience of the request is over.
    pub fn answer_within<T: Serialize>(
        &self,
        question: &str,
        revision: u64,
        patience: Duration,
        make: impl FnOnce(&Progress) -> Result<T, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let key = self.key(question, revision);
        let (work, fresh) = self.answers.work(key.clone());
        if fresh {
            let work = Arc::clone(&work);
            thread::spawn(move || {
                let _told = Told(&work);
                let answer =
                    make(&work.progress).and_then(|made| Ok(Bytes::from(serde_json::to_vec(&made)?)));
                work.finish(answer);
            });
        }
        match work.wait(patience) {
            None => Ok(Answer::Preparing(work.watch.now())),
            Some(Ok(answer)) => Ok(Answer::Ready(answer)),
            // The data changed meanwhile: the next request is told about the data as it is then.
            Some(Err(_)) if work.progress.is_cancelled() => Ok(Answer::Preparing(work.watch.now())),
            Some(Err(problem)) => {
                self.answers.drop_failure(&key);
                Err(problem)
            }
        }
    }
}
