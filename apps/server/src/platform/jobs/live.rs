//! A job that waits or runs: how far it is, who listens, and the process to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};
use throng_contract::Failure;
use throng_lab::worker::{Message, Phase};
use tokio::sync::broadcast;
use utoipa::ToSchema;

/// Messages kept.
const MAX_MESSAGES: usize = 50;
/// Events a slow listener may be behind before it gets the whole state again.
const BACKLOG: usize = 256;

/// How far a job is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ProgressView)]
pub struct JobProgress {
    /// The phase under way.
    pub phase: Option<String>,
    /// How much of it was done.
    pub done: u64,
    /// Of how much, if that is known.
    pub total: Option<u64>,
    /// Seconds until the phase ends, as far as one can tell.
    pub eta_seconds: Option<f64>,
    /// Phases that ended, with seconds.
    pub phases: Vec<(String, f64)>,
    /// What the job said; left out of `progress` events.
    pub messages: Vec<String>,
}

/// Something that happened to a job.
#[derive(Debug, Clone)]
pub enum Event {
    /// It came further.
    Progress(JobProgress),
    /// It said something.
    Message(String),
    /// It began or ended.
    State,
}

/// A job that waits or runs.
#[derive(Debug)]
pub struct Live {
    /// Its identifier.
    pub id: String,
    now: Mutex<Now>,
    events: broadcast::Sender<Event>,
    cancelled: AtomicBool,
    process: Mutex<Option<Pid>>,
}

#[derive(Debug)]
struct Now {
    progress: JobProgress,
    began: Instant,
}

impl Live {
    /// A job that waits.
    pub fn new(id: &str) -> Self {
        Live {
            id: id.to_owned(),
            now: Mutex::new(Now { progress: JobProgress::default(), began: Instant::now() }),
            events: broadcast::Sender::new(BACKLOG),
            cancelled: AtomicBool::new(false),
            process: Mutex::new(None),
        }
    }

    /// How far it is.
    pub fn progress(&self) -> JobProgress {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).progress.clone()
    }

    /// Listens from now on.
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Tells that it began or ended.
    pub fn tell_state(&self) {
        // A job without listeners goes on.
        let _ = self.events.send(Event::State);
    }

    /// Takes in a line that the child printed on standard error; gives back the failure it tells, if it tells one.
    pub fn hear(&self, text: &str) -> Option<Failure> {
        match Message::read(text) {
            Some(Message::Failed(failed)) => {
                self.say(&failed.message);
                return Some(failed.into());
            }
            Some(Message::Begin(at)) => self.advance(at, |now, _| now.began = Instant::now()),
            Some(Message::Advance(at)) => self.advance(at, |now, at| {
                let left = at.total.and_then(|total| total.checked_sub(at.done)).filter(|_| at.done > 0);
                let took = now.began.elapsed().as_secs_f64();
                now.progress.eta_seconds = left.map(|left| took * left as f64 / at.done as f64);
            }),
            Some(Message::Now(at)) => self.advance(at, |_, _| {}),
            Some(Message::End(at)) => self.advance(at, |now, at| {
                let took = now.began.elapsed().as_secs_f64();
                now.progress.phases.push((at.phase.clone(), took));
            }),
            None if text.trim().is_empty() => {}
            None => self.say(text.trim()),
        }
        None
    }

    fn advance(&self, at: Phase, also: impl FnOnce(&mut Now, &Phase)) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.progress.eta_seconds = None;
        also(&mut now, &at);
        let progress = &mut now.progress;
        (progress.phase, progress.done, progress.total) = (Some(at.phase), at.done, at.total);
        let _ = self.events.send(Event::Progress(JobProgress { messages: Vec::new(), ..progress.clone() }));
    }

    /// Adds a message.
    pub fn say(&self, message: &str) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let messages = &mut now.progress.messages;
        if messages.len() == MAX_MESSAGES {
            messages.remove(0);
        }
        messages.push(message.to_owned());
        let _ = self.events.send(Event::Message(message.to_owned()));
    }

    /// Whether it was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Remembers its process; one that was asked to stop meanwhile is stopped.
    pub fn started(&self, process: Option<Pid>) {
        *self.process.lock().unwrap_or_else(PoisonError::into_inner) = process;
        if self.is_cancelled() {
            self.signal(Signal::TERM);
        }
    }

    /// Looks whether the process ended, while no other thread can signal it: its number may belong to another one afterwards.
    pub fn reap<T>(&self, mut look: impl FnMut() -> Option<T>) -> T {
        loop {
            let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(ended) = look() {
                *process = None;
                return ended;
            }
            drop(process);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Asks it to stop.
    pub fn stop(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.signal(Signal::TERM);
    }

    /// Ends it.
    pub fn kill(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        if let Some(process) = *self.process.lock().unwrap_or_else(PoisonError::into_inner) {
            // A process that has just ended cannot be signalled, and need not be.
            let _ = kill_process_group(process, signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Class;

    use super::*;

    #[test]
    fn lines_become_progress_and_messages() {
        let live = Live::new("a");
        live.hear(r#"{"event":"begin","phase":"count","done":0,"total":100}"#);
        live.hear(r#"{"event":"advance","phase":"count","done":50,"total":100}"#);
        live.hear("a message for people");
        let failure =
            live.hear(r#"{"event":"failed","code":3,"message":"`trips.csv` line 18: no","help":null}"#);
        assert_eq!(failure, Some(Failure::new(Class::BadInput, "`trips.csv` line 18: no")));
        let progress = live.progress();
        assert_eq!(
            (progress.phase.as_deref(), progress.done, progress.total),
            (Some("count"), 50, Some(100))
        );
        assert!(progress.eta_seconds.is_some());
        assert_eq!(progress.messages, ["a message for people", "`trips.csv` line 18: no"]);
        live.hear(r#"{"event":"end","phase":"count","done":100,"total":100}"#);
        assert_eq!(live.progress().phases.len(), 1);
        assert_eq!(live.progress().eta_seconds, None);
    }
}
