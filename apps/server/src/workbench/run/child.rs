//! Runs the program as a child process and listens to it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;

use rustix::process::Pid;
use throng_contract::Failure;

use super::Live;
use super::command::RELEASE;
use crate::platform::problem::Problem;
use crate::workbench::result::reader;
use crate::workbench::working_table::Program;

/// What the child prints on standard output, in the job's folder.
pub const OUTPUT: &str = "output.json";
/// What it prints on standard error.
pub const LOG: &str = "log.txt";

/// What `throng verify` prints of a finished release, in the job's folder.
pub const VERIFIED: &str = "verified.json";

/// How a child ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Why it failed, as it told.
    pub failure: Option<Failure>,
}

/// Runs the program to its end. `started` is called with the number of the process.
pub fn run(
    program: &Program,
    arguments: &[String],
    folder: &Path,
    live: &Live,
    started: impl FnOnce(i32),
) -> Result<Ended, Problem> {
    let output = File::create(folder.join(OUTPUT))?;
    let mut log = File::create(folder.join(LOG))?;
    // A process group of its own: Ctrl-C in the terminal is for the server, which then decides.
    // The pipe to its standard input is never written to: the child ends when it closes, and it closes when the server is gone,
    // however that came about.
    let mut child = program
        .command()
        .args(arguments)
        .current_dir(folder)
        .stdout(output)
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let held = child.stdin.take();
    let number = i32::try_from(child.id()).unwrap_or(0);
    live.started(Pid::from_raw(number));
    started(number);
    let mut failure = None;
    if let Some(stderr) = child.stderr.take() {
        let mut lines = BufReader::new(stderr);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            let text = text.trim_end();
            failure = live.hear(text).or(failure);
            log.write_all(&line)?;
            line.clear();
        }
    }
    let status = live.reap(|| child.try_wait().transpose());
    drop(held);
    Ok(Ended { code: status?.code(), failure })
}

/// Has the program judge the release of a job as a reader of the published files would. What it answers is no reason for the job to
/// fail: the job's own verdict was given with the data at hand.
pub fn verify(program: &Program, folder: &Path, live: &Live) -> Result<(), Problem> {
    let mut child = program
        .command()
        // The whole path tells whose process it is, should the server crash.
        .arg("verify")
        .arg(folder.join(RELEASE))
        .args(reader::roles(folder))
        .arg("--json")
        .current_dir(folder)
        .stdout(File::create(folder.join(VERIFIED))?)
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let held = child.stdin.take();
    live.started(i32::try_from(child.id()).ok().and_then(Pid::from_raw));
    let status = live.reap(|| child.try_wait().transpose());
    drop(held);
    status?;
    Ok(())
}
