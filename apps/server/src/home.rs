//! Where things lie in the data directory.
//!
//! ```text
//! workbench.sqlite
//! projects/ID/data.csv        the data as it came
//!             inputs/         places, taxonomy, ...
//!             inputs/earlier/ what was there before a change, for undo
//!             jobs/ID/        what a job was given, its release, its result
//! ```
//!
//! # Guarantees
//! Every part of a path is a word of ours or an identifier that the database knows: names that users give are labels and
//! never reach a path.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use throng_contract::{Class, Failure, Input};

use crate::input_key::InputKey;

/// The data directory.
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// Opens the directory, or makes it for the eyes of its owner only.
    pub fn open(root: &Path) -> Result<Self, Failure> {
        make(&root.join("projects")).and_then(|()| own(root)).map_err(|error| {
            let what = format!("the data directory `{}` cannot be made: {error}", root.display());
            Failure::new(Class::BadInput, what).with_help("give another one with `--data-dir`")
        })?;
        Ok(Home { root: root.to_owned() })
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.root.join("workbench.sqlite")
    }

    /// The folder of a project.
    pub fn project(&self, project: &str) -> PathBuf {
        self.root.join("projects").join(project)
    }

    /// The folder of a project's inputs.
    pub fn inputs(&self, project: &str) -> PathBuf {
        self.project(project).join("inputs")
    }

    /// The file of an input.
    pub fn input(&self, project: &str, key: impl Into<InputKey>) -> PathBuf {
        self.inputs(project).join(key.into().file())
    }

    /// The folder of a job.
    pub fn job(&self, project: &str, job: &str) -> PathBuf {
        self.project(project).join("jobs").join(job)
    }
}

/// The name of an input's file.
pub fn input_file(input: Input) -> String {
    format!("{}.csv", input.flag())
}

/// Makes a directory and those above it.
pub fn make(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

#[cfg(unix)]
fn own(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn own(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The data directory when none is given: where the system keeps data of its user.
pub fn usual() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = folder("XDG_DATA_HOME").filter(|path| path.is_absolute());
    Some(base.or_else(|| Some(folder("HOME")?.join(".local/share")))?.join("throng"))
}
