//! Runs the program as a child process and listens to it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use throng_contract::Failure;

use super::{Live, Program};
use crate::platform::problem::Problem;

/// What the child prints on standard output, in the job's folder.
pub const OUTPUT: &str = "output.json";
/// What it prints on standard error.
pub const LOG: &str = "log.txt";

/// A process that is still there so long after it was killed hangs in the kernel, and is waited for no longer.
pub const UNENDING: Duration = Duration::from_secs(60);

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

/// Runs the program to its end for what it prints on standard output, into a file. How it ends is not told.
pub fn print(program: &Program, arguments: &[OsString], target: &Path, live: &Live) -> Result<(), Problem> {
    let mut child = program
        .command()
        .args(arguments)
        .current_dir(target.parent().unwrap_or(target))
        .stdout(File::create(target)?)
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

/// Ends a child that an earlier server left behind, and waits until it is gone and writes no longer. `job` stands in its command line.
pub fn end_left(process: i32, job: &str) {
    let Some(process) = Pid::from_raw(process).filter(|process| is_of(*process, job)) else { return };
    let _ = kill_process_group(process, Signal::KILL);
    // The server that started it is gone, so that the system tells its end to no process: only looking does.
    let asked = Instant::now();
    while is_of(process, job) && asked.elapsed() < UNENDING {
        thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process is the child of that job: its command line names the job's folder.
fn is_of(process: Pid, job: &str) -> bool {
    let path = format!("/proc/{}/cmdline", process.as_raw_nonzero());
    fs::read(path).is_ok_and(|line| String::from_utf8_lossy(&line).contains(job))
}
