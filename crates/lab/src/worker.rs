//! What a child process of the program tells its parent: one JSON object a line on standard error, asked for with
//! `--progress json`.
//!
//! Results go to standard output or into files; this is only about how far the work is and why it ended. A line that is
//! not one of these objects is a message for people, or the last words of an allocator.

use serde::{Deserialize, Serialize};
use throng_contract::{Class, Failure, Help};

/// A message of a child.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Message {
    /// A phase began.
    Begin(Phase),
    /// A phase came further.
    Advance(Phase),
    /// What the phase is at.
    Now(Phase),
    /// A phase ended.
    End(Phase),
    /// The work ended without a result.
    Failed(Failed),
}

/// How far a phase is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub phase: String,
    /// How much was done.
    pub done: u64,
    /// Of how much, if that is known.
    pub total: Option<u64>,
    /// What it is at, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
}

/// Why the work ended without a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The exit code, which stands for a class of failures.
    pub code: u8,
    /// What went wrong.
    pub message: String,
    /// One way out, in the words of a terminal.
    pub help: Option<String>,
    /// The same for programs that word it themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way_out: Option<Help>,
}

impl Message {
    /// The message as a line.
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("text and numbers can be written as JSON");
        line.push('\n');
        line
    }

    /// The message of a line, if it is one.
    pub fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}

impl From<&Failure> for Failed {
    fn from(failure: &Failure) -> Self {
        let Failure { class, message, help } = failure.clone();
        Failed { code: class.code(), message, help: help.as_ref().map(Help::to_string), way_out: help }
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Self {
        let Failed { code, message, help, way_out } = failed;
        let class = Class::ALL.into_iter().find(|class| class.code() == code).unwrap_or(Class::Internal);
        Failure { class, message, help: way_out.or(help.map(Help::words)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_what_is_heard() {
        let failure = Failure::new(Class::Infeasible, "no").with_help("ask for less");
        let phase = Phase { phase: "count".to_owned(), done: 1, total: Some(2), now: None };
        for message in [Message::Failed(Failed::from(&failure)), Message::Advance(phase)] {
            assert_eq!(Message::read(&message.line()), Some(message));
        }
        assert_eq!(Failure::from(Failed::from(&failure)), failure);
        assert_eq!(Message::read("error: no"), None);
    }

    #[test]
    fn progress_is_written_as_people_know_it() {
        let phase = Phase { phase: "count".to_owned(), done: 10, total: Some(100), now: None };
        assert_eq!(
            Message::Advance(phase).line(),
            "{\"event\":\"advance\",\"phase\":\"count\",\"done\":10,\"total\":100}\n"
        );
    }
}
