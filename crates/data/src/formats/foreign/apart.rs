//! Workbooks that are read in a process of their own, with limits of time and memory: whatever is in the file, the program goes on and says which
//! limit was reached.
//!
//! The program says once how such a process is started ([`read_workbooks_apart`]). The process gets the file on its standard input, and answers on
//! standard output: a line of JSON, and CSV behind it ([`read_workbook_for_parent`]).

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use serde::{Deserialize, Serialize};

use super::archive::wrong;
use super::workbook;
use crate::formats::error::Defect;
use crate::limits::Limit;
use crate::memory;

/// Holds the name of the sheet that was asked for.
const SHEET: &str = "THRONG_SHEET";

/// How the process is started.
#[derive(Debug)]
pub(super) struct Apart {
    path: PathBuf,
    words: Vec<String>,
}

static PROGRAM: OnceLock<Apart> = OnceLock::new();

/// Has workbooks read by a process of their own from now on: this program with these words, which calls [`read_workbook_for_parent`].
pub fn read_workbooks_apart(path: PathBuf, words: Vec<String>) {
    // Said twice, the first stands.
    let _ = PROGRAM.set(Apart { path, words });
}

pub(super) fn program() -> Option<&'static Apart> {
    PROGRAM.get()
}

/// The first line of the answer.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Csv,
    Empty,
    Sheet { wanted: Option<String>, sheets: Vec<String> },
    Workbook { what: String },
    Limit { name: String },
}

impl Apart {
    /// A sheet as CSV.
    pub fn read(&self, bytes: Vec<u8>, sheet: Option<&str>) -> Result<Vec<u8>, Defect> {
        let failed = |error: io::Error| wrong(&format!("no process could be started for it: {error}"));
        let mut command = Command::new(&self.path);
        command.args(&self.words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Its own limits follow from its own memory: it is told those of this process.
        for limit in Limit::ALL {
            command.arg("--limit").arg(format!("{}={}", limit.name(), limit.now()));
        }
        // Drawing a backtrace needs memory; without any, the child would wait for itself.
        command.env("RUST_BACKTRACE", "0").env_remove(SHEET);
        if let Some(sheet) = sheet {
            command.env(SHEET, sheet);
        }
        let mut child = command.spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let mut told = Vec::new();
        thread::scope(|scope| {
            // One that has seen enough closes its end.
            scope.spawn(move || input.map(|mut input| input.write_all(&bytes)));
            output.map(|mut output| output.read_to_end(&mut told))
        });
        let status = child.wait().map_err(failed)?;
        let first = told.iter().position(|byte| *byte == b'\n').unwrap_or(told.len());
        match serde_json::from_slice(&told[..first]) {
            Ok(Answer::Csv) if status.success() => Ok(told.split_off(first + 1)),
            Ok(Answer::Empty) => Err(Defect::Empty),
            Ok(Answer::Sheet { wanted, sheets }) => Err(Defect::Sheet { wanted, sheets }),
            Ok(Answer::Workbook { what }) => Err(Defect::Workbook { what }),
            Ok(Answer::Limit { name }) => {
                let limit = Limit::ALL.into_iter().find(|limit| limit.name() == name);
                Err(Defect::Limit(limit.unwrap_or(Limit::Whole)))
            }
            _ => Err(ended(status)),
        }
    }
}

/// Why a process ended without an answer.
fn ended(status: std::process::ExitStatus) -> Defect {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let out_of_time = rustix::process::Signal::XCPU.as_raw() == signal;
        return Defect::Limit(if out_of_time { Limit::WorkbookSeconds } else { Limit::Workbook });
    }
    let _ = status;
    wrong("its parts do not fit each other")
}

/// The other side: reads a workbook from standard input within the limits, and answers on `out`. This process has no other work.
pub fn read_workbook_for_parent(mut input: impl Read, mut out: impl Write) -> io::Result<()> {
    memory::end_with_parent()?;
    memory::limit_seconds(Limit::WorkbookSeconds.now())?;
    memory::limit(Limit::Workbook.now())?;
    let mut bytes = Vec::new();
    let sheet = std::env::var(SHEET).ok();
    let read = match input.read_to_end(&mut bytes) {
        Ok(_) => workbook::here(bytes, sheet.as_deref(), true),
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(Defect::Limit(Limit::Workbook)),
        Err(error) => return Err(error),
    };
    let (answer, csv) = match read {
        Ok(csv) => (Answer::Csv, csv),
        Err(defect) => (told(defect), Vec::new()),
    };
    serde_json::to_writer(&mut out, &answer)?;
    out.write_all(b"\n")?;
    out.write_all(&csv)?;
    out.flush()
}

fn told(defect: Defect) -> Answer {
    match defect {
        Defect::Empty => Answer::Empty,
        Defect::Sheet { wanted, sheets } => Answer::Sheet { wanted, sheets },
        Defect::Workbook { what } => Answer::Workbook { what },
        Defect::Limit(limit) => Answer::Limit { name: limit.name().to_owned() },
        _ => Answer::Workbook { what: "its parts do not fit each other".to_owned() },
    }
}
