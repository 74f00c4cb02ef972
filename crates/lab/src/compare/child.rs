//! A cell as a process of its own: it can be stopped at once, and a crash loses one cell.
//!
//! The job goes to the child's standard input as one line of JSON, and the pipe stays open: when it closes, the parent
//! is gone and the child stops. Progress comes back on standard error, the outcome on standard output. The child sets its
//! own limit of memory, so that reaching it is an allocation that fails in the child and nowhere else.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use throng_contract::{Cancelled, Class, Failure, Progress};
use throng_data::memory;

use super::cell::{CellJob, Outcome, work};
use super::limits::Limits;
use super::runner::CellRunner;
use crate::worker::Message;

/// What a child is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// What to do.
    pub job: CellJob,
    /// Most memory, in bytes.
    pub memory: Option<u64>,
}

impl Order {
    /// Reads an order from the first line of a stream, and stops the work when the stream ends.
    pub fn receive(progress: &Progress) -> Result<Self, Failure> {
        let bad = |what: String| Failure::new(Class::Usage, format!("standard input holds no cell: {what}"));
        let mut line = String::new();
        io::stdin().read_line(&mut line).map_err(|error| bad(error.to_string()))?;
        let order = serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?;
        let progress = progress.clone();
        thread::spawn(move || {
            // Nothing more is ever sent: this returns when the parent is gone.
            let _ = io::stdin().read(&mut [0]);
            progress.cancel();
        });
        Ok(order)
    }

    /// Does the work under the limit of memory.
    pub fn follow(&self, progress: &Progress) -> Result<Outcome, Failure> {
        if let Some(bytes) = self.memory {
            // Threads that cannot start are a crash; they start while there is memory.
            let _ = rayon::current_num_threads();
            memory::limit(bytes).map_err(|error| {
                Failure::new(Class::BadInput, format!("the limit of memory cannot be set: {error}"))
                    .with_help("leave out `memory`")
            })?;
        }
        match work(&self.job, progress) {
            Ok(outcome) => Ok(outcome),
            Err(failure) if failure.class == Class::Interrupted => Err(failure),
            Err(failure) => Ok(failure.into()),
        }
    }
}

/// Runs each cell as a process.
#[derive(Debug, Clone)]
pub struct ChildProcess {
    /// The program that takes orders.
    pub program: PathBuf,
    /// The command by which it takes them.
    pub command: &'static str,
    /// Threads of each child.
    pub threads: usize,
}

/// Signals by which people stop a process: interrupt, terminate.
const STOPPING: [i32; 2] = [2, 15];
/// How often a child is looked after.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// What is said when memory is at its limit: by the allocator, or in the standard library where a thread could not start.
const NO_MEMORY: [&str; 3] = ["memory allocation of", "library/std/src/", "Cannot allocate memory"];

impl CellRunner for ChildProcess {
    fn run(
        &self,
        job: &CellJob,
        limits: &Limits,
        tell: &(dyn Fn(&str) + Sync),
        progress: &Progress,
    ) -> Result<Outcome, Cancelled> {
        let order = Order { job: job.clone(), memory: limits.memory };
        match self.start(&order) {
            Ok(child) => watch(child, limits, tell, progress),
            Err(error) => Ok(Outcome::Crashed { reason: format!("the cell could not be started: {error}") }),
        }
    }
}

impl ChildProcess {
    fn start(&self, order: &Order) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        if order.memory.is_some() {
            // Drawing a backtrace needs memory; without any, the child would wait for itself.
            command.env("RUST_BACKTRACE", "0");
        }
        let mut child = command
            .args([self.command, "--progress", "json"])
            .args(throng_data::limits::said().iter().flat_map(|limit| ["--limit", limit]))
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut line = serde_json::to_string(order)?;
        line.push('\n');
        match child.stdin.as_mut().map(|pipe| pipe.write_all(line.as_bytes())) {
            Some(Err(error)) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
            _ => Ok(child),
        }
    }
}

/// Waits for the end of a child, of its time, or of the user's patience.
fn watch(
    mut child: Child,
    limits: &Limits,
    tell: &(dyn Fn(&str) + Sync),
    progress: &Progress,
) -> Result<Outcome, Cancelled> {
    let started = Instant::now();
    let (out, messages) = (child.stdout.take(), child.stderr.take());
    let said = Mutex::new(String::new());
    let printed = Mutex::new(String::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut text = String::new();
            let _ = out.map(|mut out| out.read_to_string(&mut text));
            if let Ok(mut printed) = printed.lock() {
                *printed = text;
            }
        });
        scope.spawn(|| {
            for line in messages.into_iter().flat_map(|messages| BufReader::new(messages).lines()) {
                let Ok(line) = line else { break };
                let line = match Message::read(&line) {
                    Some(Message::Begin(at) | Message::Advance(at) | Message::Now(at) | Message::End(at)) => {
                        tell(&at.phase);
                        continue;
                    }
                    Some(Message::Failed(failed)) => failed.message,
                    None => line,
                };
                if let Ok(mut said) = said.lock() {
                    said.push_str(&line);
                    said.push('\n');
                }
            }
        });
        loop {
            if progress.is_cancelled() {
                stop(&mut child);
                return Err(Cancelled);
            }
            // Looked at first: a cell that ended too late is too late.
            if limits.time.is_some_and(|limit| started.elapsed() > limit) {
                stop(&mut child);
                return Ok(None);
            }
            match child.try_wait() {
                Ok(Some(status)) if was_asked_to_stop(status) => return Err(Cancelled),
                Ok(Some(status)) => return Ok(Some(status)),
                Ok(None) => {}
                Err(_) => stop(&mut child),
            }
            thread::sleep(BETWEEN_LOOKS);
        }
    })
    .map(|status| {
        let text = |held: Mutex<String>| held.into_inner().unwrap_or_default();
        match status {
            Some(status) => ended(status, &text(printed), &text(said), limits),
            None => Outcome::TimedOut { seconds: limits.time.unwrap_or_default().as_secs_f64() },
        }
    })
}

/// Whether a signal asked the child to end: a signal to all processes at once may arrive here a moment later, and what was
/// stopped has decided nothing.
fn was_asked_to_stop(status: ExitStatus) -> bool {
    let interrupted = i32::from(Class::Interrupted.code());
    status.code() == Some(interrupted) || by_signal(status).is_some_and(|signal| STOPPING.contains(&signal))
}

#[cfg(unix)]
fn by_signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn by_signal(_: ExitStatus) -> Option<i32> {
    None
}

fn stop(child: &mut Child) {
    // One that has ended meanwhile needs no stopping.
    let _ = child.kill();
    let _ = child.wait();
}

fn ended(status: ExitStatus, printed: &str, said: &str, limits: &Limits) -> Outcome {
    if let (true, Ok(outcome)) = (status.success(), serde_json::from_str(printed)) {
        return match (outcome, limits.memory) {
            // A reader whose buffer could not grow says so instead of crashing.
            (Outcome::Failed { reason, .. }, Some(bytes)) if reason.ends_with("out of memory") => {
                Outcome::OutOfMemory { bytes }
            }
            (outcome, _) => outcome,
        };
    }
    match limits.memory {
        Some(bytes) if NO_MEMORY.iter().any(|words| said.contains(words)) => Outcome::OutOfMemory { bytes },
        _ => {
            let reason = match said.lines().next() {
                Some(line) => line.chars().take(200).collect(),
                None => format!("the cell ended with {status}"),
            };
            Outcome::Crashed { reason }
        }
    }
}
