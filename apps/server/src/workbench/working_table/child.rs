//! Reads a file in a process of its own, with a limit of memory: whatever is in the file, the workbench goes on.
//!
//! The workbench starts the hidden command [`COMMAND`] with the file; how the file is written comes in the environment, which
//! no other user can read. The table comes back on standard output ([`wire`]), how far it is on standard error, as of a
//! job. A process that is not wanted any longer is killed.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use throng_contract::{Cancelled, Class, Failure, Progress};
use throng_data::formats::Source;
use throng_lab::worker::Message;

use super::{WorkingTable, read_as, wire};
use crate::platform::jobs::Program;
use crate::workbench::data::overview::DataProblem;
use crate::workbench::reading::Reading;

/// The hidden command.
pub const COMMAND: &str = "read-table";
/// Holds how the file is written, and what it is called.
const ORDER: &str = "THRONG_READING";
/// How often is looked whether the process is still wanted.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

impl Program {
    /// The table of a file, and the defect that ended reading, if any.
    pub fn read_table(
        &self,
        file: &Path,
        reading: &Reading,
        label: &str,
        progress: &Progress,
    ) -> (WorkingTable, Option<DataProblem>) {
        let failed = |problem: DataProblem| (WorkingTable::default(), Some(problem));
        match self.start(file, reading, label) {
            Err(error) => failed(broken(&format!("no process could be started: {error}"))),
            Ok(child) => watch(child, progress).unwrap_or_else(|ended| {
                failed(match ended {
                    Broken::Cancelled => broken("reading was stopped"),
                    Broken::Failed(failure) => DataProblem {
                        detail: failure.message,
                        help: failure.help.unwrap_or_default(),
                        line: None,
                        column: None,
                    },
                    Broken::Ended(status) => self.ended(label, status),
                })
            }),
        }
    }

    fn for_reading(&self) -> Option<u64> {
        self.memory.map(|bytes| bytes / 2)
    }

    fn start(&self, file: &Path, reading: &Reading, label: &str) -> io::Result<Child> {
        let mut command = self.within(self.for_reading());
        command.args([COMMAND, "--progress", "json"]).arg(file);
        // How it is written; a role for each of many columns would not fit, and says nothing of that.
        let written = Reading {
            kinds: BTreeMap::new(),
            roles: BTreeMap::new(),
            attributes: BTreeMap::new(),
            ..reading.clone()
        };
        command.env(ORDER, serde_json::to_string(&(written, label))?);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    /// What is told of a process that ended without a word.
    fn ended(&self, label: &str, status: Option<ExitStatus>) -> DataProblem {
        let most = self.for_reading().map_or(String::new(), |bytes| format!(" ({} MB)", bytes / 1_000_000));
        match status.and_then(|status| status.code()) {
            // An allocation that fails ends a process by a signal.
            None => DataProblem {
                detail: format!("`{label}` needs more memory than reading a file may use{most}"),
                help: "start the workbench with more, by {max-memory MB}, or take fewer rows or columns"
                    .into(),
                line: None,
                column: None,
            },
            Some(code) => broken(&format!("the process that read it ended with code {code}")),
        }
    }
}

fn broken(detail: &str) -> DataProblem {
    let help = "open the project again".into();
    DataProblem { detail: format!("the file was not read: {detail}"), help, line: None, column: None }
}

/// How a process ended that sent no table.
enum Broken {
    Cancelled,
    Failed(Failure),
    Ended(Option<ExitStatus>),
}

type Told = (WorkingTable, Option<DataProblem>);

/// Takes the table from a process, unless it ends before, or is not wanted any longer.
fn watch(mut child: Child, progress: &Progress) -> Result<Told, Broken> {
    // Closed at the end, whatever it is.
    let _held = child.stdin.take();
    let (out, messages) = (child.stdout.take(), child.stderr.take());
    let over = AtomicBool::new(false);
    let (told, failure, status) = thread::scope(|scope| {
        let taken = scope.spawn(|| {
            let told = out.map(|out| wire::read(BufReader::with_capacity(1 << 16, out)));
            over.store(true, Ordering::Relaxed);
            told
        });
        let heard = scope.spawn(|| messages.and_then(|messages| listen(BufReader::new(messages), progress)));
        while !over.load(Ordering::Relaxed) && !progress.is_cancelled() {
            thread::sleep(BETWEEN_LOOKS);
        }
        if progress.is_cancelled() {
            let _ = child.kill();
        }
        let status = child.wait().ok();
        (taken.join().ok().flatten(), heard.join().ok().flatten(), status)
    });
    if progress.check().is_err() {
        return Err(Broken::Cancelled);
    }
    match (told, failure) {
        (Some(Ok(told)), _) => Ok(told),
        (_, Some(failure)) => Err(Broken::Failed(failure)),
        _ => Err(Broken::Ended(status)),
    }
}

/// Passes on how far the work is; returns why it failed.
fn listen(messages: impl BufRead, progress: &Progress) -> Option<Failure> {
    let mut failure = None;
    let mut phase: Option<(String, throng_contract::Phase<'_>, u64)> = None;
    for line in messages.lines() {
        let Ok(line) = line else { break };
        match Message::read(&line) {
            Some(Message::Begin(at) | Message::Advance(at) | Message::Now(at)) => {
                if phase.as_ref().is_none_or(|(name, ..)| *name != at.phase) {
                    phase = Some((at.phase.clone(), progress.phase(&at.phase, at.total), 0));
                }
                if let Some((_, open, done)) = &mut phase {
                    let _: Result<(), Cancelled> = open.advance(at.done.saturating_sub(*done));
                    *done = at.done.max(*done);
                }
            }
            Some(Message::End(_)) => phase = None,
            Some(Message::Failed(failed)) => failure = Some(failed.into()),
            None => {}
        }
    }
    failure
}

/// The other side: reads the file and prints the table.
pub fn read_for_parent(file: &Path, out: impl io::Write, progress: &Progress) -> Result<(), Failure> {
    let order = std::env::var(ORDER).ok().and_then(|order| serde_json::from_str(&order).ok());
    let Some((reading, label)): Option<(Reading, String)> = order else {
        return Err(Failure::new(Class::Usage, "nothing says how the file is to be read")
            .with_help("this command is for the workbench; see `throng inspect`"));
    };
    let (table, defect) = read_as(&Source::file(file), &reading.written(), progress);
    progress.check().map_err(Failure::from)?;
    let defect = defect.map(|error| DataProblem::of(error, file, &label));
    wire::write(&table, defect, BufWriter::with_capacity(1 << 16, out))
        .map_err(|error| Failure::new(Class::Interrupted, format!("the workbench does not listen: {error}")))
}
