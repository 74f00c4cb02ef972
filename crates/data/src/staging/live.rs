//! What this process has under hidden names right now, so that it can be cleared when the process has to end at once.
//!
//! A run that is asked to stop comes to its end by itself, and drops what it made. Where it cannot, because it waits for a pipe, a lock or a
//! disk, [`abandon`] clears in its place; the process ends then without another step.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{FRESH, remove_empty};

/// Paths with the parents that were made for them. The lock is held while a directory gets its name.
static HELD: Mutex<Vec<(PathBuf, Vec<PathBuf>)>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<(PathBuf, Vec<PathBuf>)>> {
    // A list of paths is whole whatever happened to whoever held it.
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Clears everything that is not finished. Nothing gets its name after that: whoever calls this ends the process.
pub fn abandon() {
    let mut held = held();
    for (path, parents) in held.drain(..) {
        clear(&path, &parents);
    }
    mem::forget(held);
}

fn clear(path: &Path, parents: &[PathBuf]) {
    // Nothing can be reported from here, and what is left is hidden.
    match path.is_dir() {
        true => drop(fs::remove_dir_all(path)),
        false => drop(fs::remove_file(path)),
    }
    let _ = fs::remove_dir(path.with_extension(FRESH));
    remove_empty(parents);
}

/// A hidden folder that is cleared when this is dropped, or when the process has to end.
#[derive(Debug)]
pub(super) struct Live {
    path: PathBuf,
    parents: Vec<PathBuf>,
}

impl Live {
    pub fn folder(path: PathBuf, parents: Vec<PathBuf>) -> Self {
        held().push((path.clone(), parents.clone()));
        Live { path, parents }
    }

    /// For as long as the answer lives, nobody ends the process.
    pub fn undisturbed(&mut self) -> Undisturbed<'_> {
        Undisturbed { held: held(), live: self }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            held().retain(|(path, _)| *path != self.path);
            clear(&self.path, &self.parents);
        }
    }
}

/// A time in which the process is not ended.
pub(super) struct Undisturbed<'a> {
    held: MutexGuard<'static, Vec<(PathBuf, Vec<PathBuf>)>>,
    live: &'a mut Live,
}

impl Undisturbed<'_> {
    /// The folder has another name: there is nothing to clear.
    pub fn is_done(&mut self) {
        self.held.retain(|(path, _)| *path != self.live.path);
        self.live.path = PathBuf::new();
    }
}

/// A temporary file that is removed when the process has to end at once. Whoever made it removes or renames it otherwise.
#[derive(Debug)]
pub struct Passing {
    path: PathBuf,
}

impl Passing {
    /// Remembers the file for as long as the answer lives.
    pub fn file(path: &Path) -> Self {
        held().push((path.to_owned(), Vec::new()));
        Passing { path: path.to_owned() }
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        held().retain(|(path, _)| *path != self.path);
    }
}
