//! Why a directory could not be written, and the way out.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use throng_contract::{Class, Failing, Help};

/// Why a directory could not be written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum StagingError {
    #[error("`{}` already exists", target.display())]
    Exists { target: PathBuf },
    #[error("`{}` holds `{name}`, which no earlier run of this command wrote", target.display())]
    Foreign { target: PathBuf, name: String },
    #[error("`{}` is a file, not a directory", target.display())]
    NotADirectory { target: PathBuf },
    #[error("`{}` cannot be an output directory", target.display())]
    Unnamed { target: PathBuf },
    #[error("cannot write `{}`", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl StagingError {
    /// A failure of the file system at `path`.
    pub fn io(path: &Path, source: io::Error) -> Self {
        StagingError::Io { path: path.to_owned(), source }
    }
}

impl Failing for StagingError {
    fn class(&self) -> Class {
        match self {
            StagingError::Exists { .. }
            | StagingError::Foreign { .. }
            | StagingError::NotADirectory { .. } => Class::Refused,
            StagingError::Unnamed { .. } => Class::Usage,
            StagingError::Io { .. } => Class::BadInput,
        }
    }

    fn help(&self) -> Option<Help> {
        Some(
            match self {
                StagingError::Exists { .. } => "give another directory, or replace this one with {force}",
                StagingError::Foreign { .. } | StagingError::NotADirectory { .. } => {
                    "give another directory, or remove this one by hand"
                }
                StagingError::Unnamed { .. } => "name a directory to be created, for example `out`",
                StagingError::Io { .. } => "check that the directory can be written and the disk is not full",
            }
            .into(),
        )
    }
}
