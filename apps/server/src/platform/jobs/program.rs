//! How child processes are started: the same program, with a limit of memory.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How children are started.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program.
    pub path: PathBuf,
    /// Words for all of them, in front of the command.
    pub words: Vec<String>,
    /// The most memory one may use, in bytes.
    pub memory: Option<u64>,
}

impl Program {
    /// A command with all that jobs are told; their standard input is a pipe that closes with this process.
    pub fn command(&self) -> Command {
        self.within(self.memory)
    }

    /// A command with another limit of memory.
    pub fn within(&self, memory: Option<u64>) -> Command {
        let mut command = Command::new(&self.path);
        command.arg("--with-parent").args(&self.words);
        if let Some(bytes) = memory {
            // Drawing a backtrace needs memory; without any, the child would wait for itself.
            command.arg("--own-memory").arg(bytes.to_string()).env("RUST_BACKTRACE", "0");
        }
        command.stdin(Stdio::piped());
        command
    }
}
