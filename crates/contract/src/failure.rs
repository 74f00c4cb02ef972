//! How an error of any room reaches a person: what went wrong, one way out, and a stable exit code.

use std::error::Error;
use std::fmt;

use crate::brief::brief;
use crate::help::Help;

/// Classes of failure; the discriminant is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// A bug of ours.
    Internal = 1,
    /// Wrong flags, parameters or recipe.
    Usage = 2,
    /// A file that cannot be read or does not make sense.
    BadInput = 3,
    /// The promise cannot be kept under the limits given.
    Infeasible = 4,
    /// The promise does not hold.
    NotVerified = 5,
    /// What could be judged holds, but not all of the promise could be judged.
    JudgedInPart = 6,
    /// Refused: would overwrite, or is against policy.
    Refused = 7,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 8] = [
        Class::Internal,
        Class::Usage,
        Class::BadInput,
        Class::Infeasible,
        Class::NotVerified,
        Class::JudgedInPart,
        Class::Refused,
        Class::Interrupted,
    ];

    /// The process exit code.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

/// Implemented by every error type that can reach a user.
pub trait Failing: Error {
    /// Which class, and so which exit code.
    fn class(&self) -> Class;

    /// One way out, as a sentence without a final stop.
    fn help(&self) -> Option<Help> {
        None
    }
}

/// A failure on its way to the user; carries no sensitive value, and little of any file ([`brief`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which class, and so which exit code.
    pub class: Class,
    /// What went wrong, where, and which limit; causes are chained with `: `.
    pub message: String,
    /// One way out.
    pub help: Option<Help>,
}

impl Failure {
    /// A failure with a message and no hint.
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Failure { class, message: brief(&message.into()), help: None }
    }

    /// Adds the way out.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Help>) -> Self {
        self.help = Some(help.into().briefly());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: Failing> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let text = inner.to_string();
            // A transparent wrapper repeats its cause word for word.
            if !message.ends_with(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = inner.source();
        }
        Failure { class: error.class(), message: brief(&message), help: error.help().map(Help::briefly) }
    }
}
