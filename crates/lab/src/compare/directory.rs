//! The directory of a comparison: cells as they are decided, then tables and plots.
//!
//! A cell is one file, named by the fingerprint of everything that determines its numbers and written whole or not at
//! all. So a comparison that was interrupted resumes, and one whose recipe has changed uses again
//! what it can.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use throng_contract::{Class, Failure};
use throng_data::{Passing, StagingError};

use super::cell::{self, Cell, Outcome};
use super::grid::Planned;
use super::limits::Limits;

/// Name and version of the form of the directory.
const SCHEMA: &str = "throng-sweep/1";
const MARK: &str = "sweep.json";
const CELLS: &str = "cells";
const PLAN: &str = "plan.json";
/// What is written when all cells are decided.
const RESULTS: [&str; 6] =
    ["table.csv", "table.json", "table.md", "timings.csv", "index.html", "recipe.toml"];
const PLOTS: &str = "plots";

/// The directory of a comparison.
#[derive(Debug, Clone)]
pub struct SweepDirectory {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Mark {
    schema: String,
}

impl SweepDirectory {
    /// Opens the directory of an earlier comparison, or makes one. A directory of other files is refused.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let fail = |cause: io::Error| Failure::from(StagingError::io(path, cause));
        let directory = SweepDirectory { path: path.to_owned() };
        match fs::read_to_string(path.join(MARK)) {
            Ok(text) => {
                let mark: Option<Mark> = serde_json::from_str(&text).ok();
                if mark.is_none_or(|mark| mark.schema != SCHEMA) {
                    return Err(directory.refusal("was written by another version of the program"));
                }
            }
            Err(_) => {
                fs::create_dir_all(path).map_err(fail)?;
                if fs::read_dir(path).map_err(fail)?.next().is_some() {
                    return Err(directory.refusal("holds files that no comparison wrote"));
                }
                let mark = serde_json::to_string(&Mark { schema: SCHEMA.to_owned() });
                let mark = mark.expect("a mark has string keys only") + "\n";
                directory.write(MARK, mark.as_bytes())?;
            }
        }
        fs::create_dir_all(path.join(CELLS)).map_err(fail)?;
        Ok(directory)
    }

    fn refusal(&self, why: &str) -> Failure {
        Failure::new(Class::Refused, format!("`{}` {why}", self.path.display()))
            .with_help("give another directory with {o}")
    }

    /// Where made-up worlds go.
    pub fn worlds(&self) -> PathBuf {
        self.path.join("data")
    }

    /// Where everything is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An earlier answer that is still good under these limits.
    pub fn find(&self, key: &str, limits: &Limits, retry: bool) -> Option<Cell> {
        let cell = self.kept(key)?;
        let good = match &cell.outcome {
            Outcome::Done(_) | Outcome::Broken { .. } => true,
            _ if retry => false,
            // With more time or memory the answer may be another.
            Outcome::TimedOut { seconds } => limits.time.is_some_and(|time| time.as_secs_f64() <= *seconds),
            Outcome::OutOfMemory { bytes } => limits.memory.is_some_and(|memory| memory <= *bytes),
            Outcome::Failed { .. } | Outcome::Crashed { .. } => true,
        };
        good.then_some(cell)
    }

    /// The answer with that key, whatever the limits were.
    pub(super) fn kept(&self, key: &str) -> Option<Cell> {
        let text = fs::read_to_string(self.path.join(CELLS).join(format!("{key}.json"))).ok()?;
        serde_json::from_str(&text).ok().filter(|cell: &Cell| cell.schema == cell::SCHEMA)
    }

    /// Keeps what is going to be decided, for readers that follow it.
    pub(super) fn keep_plan(&self, planned: &[Planned]) -> Result<(), Failure> {
        let mut text = serde_json::to_string(planned).expect("a plan has string keys only");
        text.push('\n');
        self.write(PLAN, text.as_bytes())
    }

    /// What was going to be decided, if anything was.
    pub(super) fn planned(&self) -> Option<Vec<Planned>> {
        serde_json::from_str(&fs::read_to_string(self.path.join(PLAN)).ok()?).ok()
    }

    /// The directory of a comparison that another process writes.
    pub fn follow(path: &Path) -> Self {
        SweepDirectory { path: path.to_owned() }
    }

    /// Keeps an answer.
    pub fn keep(&self, key: &str, cell: &Cell) -> Result<(), Failure> {
        let mut text = serde_json::to_string_pretty(cell).expect("a cell has string keys only");
        text.push('\n');
        self.write(&format!("{CELLS}/{key}.json"), text.as_bytes())
    }

    /// Takes away the tables and plots of an earlier recipe, which would say something else than the cells.
    pub fn forget_results_unless(&self, recipe: &str) {
        if fs::read_to_string(self.path.join("recipe.toml")).is_ok_and(|earlier| earlier == recipe) {
            return;
        }
        self.forget_results();
    }

    fn forget_results(&self) {
        for name in RESULTS {
            // What is not there needs no removing.
            let _ = fs::remove_file(self.path.join(name));
        }
        let _ = fs::remove_dir_all(self.path.join(PLOTS));
    }

    /// Writes tables and plots: name below the directory, content.
    pub fn write_results(&self, files: &[(String, String)]) -> Result<(), Failure> {
        self.forget_results();
        let plots = self.path.join(PLOTS);
        fs::create_dir_all(&plots).map_err(|cause| StagingError::io(&plots, cause))?;
        files.iter().try_for_each(|(name, content)| self.write(name, content.as_bytes()))
    }

    /// A file appears whole or not at all.
    fn write(&self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        let parent = path.parent().unwrap_or(&self.path);
        let write = || {
            let mut file = NamedTempFile::new_in(parent)?;
            let _passing = Passing::of(&file);
            file.write_all(content)?;
            file.persist(&path).map_err(|error| error.error)
        };
        write().map(drop).map_err(|cause| StagingError::io(&path, cause).into())
    }
}
