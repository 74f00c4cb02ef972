//! The release ledger: a local, append-only record of releases, which warns when the same people are released again.
//!
//! Promises do not add up: two releases that each keep a crowd of five may leave a crowd of one to an attacker who holds both.
//! So every release is recorded with what it was made from and a sketch of who is in it, and the next one is compared
//! with all before it.
//!
//! * [`Ledger`]: the file. [`Chain`]: its lines, each tied to the one before. [`Entry`]: one release.
//! * [`Intent`]: a line that was drafted before its release got its name, so that a crash in between is found.
//! * [`Sketch`]: who is in a release, under a key that stays at home; no name is in the ledger.
//! * [`compare_before_writing`]: what a release and the earlier ones give away together, before it gets its name. [`record()`]: adds it.
//!   [`draft`], [`foresee`] and [`record_draft`]: the same in steps, for a trial that is published later.
//! * [`LinkedRelease`]: a release beside the data it was made from, which is what two of them are attacked with.
//!
//! # Reference
//! GKS08: Ganta, Kasiviswanathan, Smith. Composition attacks and auxiliary information in data privacy. KDD 2008.
//! # Guarantees
//! A release never depends on the ledger: not one byte of it. People are the same when they have the same names, and names that are mere
//! numbers are no evidence of that; [`Evidence`] says how sure it is.

mod both;
mod chain;
mod counted;
mod entry;
mod evidence;
mod file;
mod intent;
mod key;
mod linked_release;
mod place;
mod record;
mod sketch;
mod together;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use throng_contract::{Class, Failing, Help, help};
use throng_data::limits::Limit;

pub use both::attack;
pub use chain::{Chain, Fault};
pub use entry::{Counts, Entry, InputFile, Location, Named, Note, OutputFile, PrivateFile, SCHEMA};
pub use evidence::Evidence;
pub use file::Ledger;
pub use intent::{Intent, Settled};
pub use key::Key;
pub use linked_release::Numbering;
pub use linked_release::{LinkedRelease, Whose};
pub use place::place;
pub use record::{
    Attacked, Earlier, MAX_COMPARED, Recorded, attack_recorded, compare_before_writing, draft, foresee, now,
    record, record_draft,
};
pub use sketch::{Overlap, Sketch};
pub use together::Together;

/// Why a ledger cannot be used.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// There is no folder to put it in.
    #[error("there is no place for the release ledger: neither THRONG_LEDGER, XDG_DATA_HOME nor HOME is set")]
    NoPlace,
    /// The file system refuses.
    #[error("the release ledger `{}` cannot be used", path.display())]
    Io {
        /// The ledger or a file beside it.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is more of it than is read.
    #[error("`{}`: {}", path.display(), Limit::Ledger)]
    Long {
        /// The ledger.
        path: PathBuf,
    },
    /// Its last line is not complete.
    #[error(
        "the last line of the release ledger `{}` is torn: {bytes} bytes without an end, from a run that crashed",
        path.display()
    )]
    Torn {
        /// The ledger.
        path: PathBuf,
        /// How much there is of the line.
        bytes: usize,
    },
    /// The key is not one.
    #[error("`{}` is not the key of a ledger", path.display())]
    BadKey {
        /// The key file.
        path: PathBuf,
    },
    /// The key can be read by others.
    #[error("the key `{}` can be read by others: they could ask the ledger for names", path.display())]
    OpenKey {
        /// The key file.
        path: PathBuf,
    },
}

impl LedgerError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        LedgerError::Io { path: path.to_owned(), source }
    }
}

impl Failing for LedgerError {
    fn class(&self) -> Class {
        match self {
            LedgerError::Long { .. } => Class::Infeasible,
            _ => Class::Refused,
        }
    }

    fn help(&self) -> Option<Help> {
        Some(match self {
            LedgerError::NoPlace => "name a file with {ledger FILE}, or leave the release out with {no-ledger}".into(),
            LedgerError::Io { .. } => {
                "name another file with {ledger FILE}, or leave the release out with {no-ledger}".into()
            }
            LedgerError::Long { .. } => {
                Help::from("begin another one with {ledger FILE}, or ").and(Limit::Ledger.way_out())
            }
            LedgerError::Torn { .. } => "{throng ledger check --mend} sets it aside".into(),
            LedgerError::BadKey { .. } => {
                "put the right one back, or remove it: people of earlier releases can then no longer be compared".into()
            }
            LedgerError::OpenKey { path } => help!("take that away with `chmod 600 $`", path.display()),
        })
    }
}
