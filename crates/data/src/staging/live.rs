//! What this process has under hidden names right now, so that it can be cleared when the process has to end at once.
//!
//! A run that is asked to stop comes to its end by itself, and drops what it made. Where it cannot, because it waits for a pipe, a lock or a
//! disk, [`abandon`] clears in its place; the process ends then without another step. Clearing that has begun is never cut short: who clears holds the
//! lock that [`abandon`] waits for.
//!
//! A run that gives several things their names, one after the other, is [`Finishing`]: from then on no signal ends it before it is done.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{io, mem};

use tempfile::NamedTempFile;
use throng_contract::{Cancelled, Progress};

use super::{FRESH, GONE, remove_empty};

/// Paths with the parents that were made for them. The lock is held while a directory gets its name.
static HELD: Mutex<Vec<(PathBuf, Vec<PathBuf>)>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<(PathBuf, Vec<PathBuf>)>> {
    // A list of paths is whole even after a panic of the thread that held it.
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Held by a run while it gives its results their names. Taken before `HELD`, never after it.
static ENDING: Mutex<()> = Mutex::new(());
/// Whether the run has given its results their names.
static FINISHED: AtomicBool = AtomicBool::new(false);

/// How the work of a process ended that is to end at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Its results have their names: there was nothing to clear.
    Finished,
    /// What it had begun was cleared.
    Cleared,
}

/// Clears everything that has no name yet, unless a run has finished; waits for one that is [`Finishing`]. Nothing gets its name after
/// [`Ended::Cleared`]: the caller ends the process.
pub fn abandon() -> Ended {
    let ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    if FINISHED.load(Ordering::Relaxed) {
        return Ended::Finished;
    }
    let mut held = held();
    for (path, parents) in held.drain(..) {
        clear(&path, &parents);
    }
    mem::forget((ending, held));
    Ended::Cleared
}

/// A time in which a run gives its results their names. No signal ends the process meanwhile.
#[derive(Debug)]
pub struct Finishing {
    _ending: MutexGuard<'static, ()>,
}

impl Finishing {
    /// Begins to finish, unless the run was asked to stop: the last moment at which that is heard.
    pub fn begin(progress: &Progress) -> Result<Self, Cancelled> {
        let ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
        progress.check()?;
        Ok(Finishing { _ending: ending })
    }

    /// Everything has its name: whatever signal comes from now on, the run succeeded.
    pub fn is_done(self) {
        FINISHED.store(true, Ordering::Relaxed);
    }
}

fn clear(path: &Path, parents: &[PathBuf]) {
    // Nothing can be reported from here, and what is left is hidden.
    match path.is_dir() {
        true => {
            // Another thread may still write into it. Under another name it takes no new files, and can be emptied.
            let gone = path.with_extension(GONE);
            let place = if fs::rename(path, &gone).is_ok() { &gone } else { path };
            empty(place);
        }
        false => drop(fs::remove_file(path)),
    }
    let _ = fs::remove_dir(path.with_extension(FRESH));
    remove_empty(parents);
}

/// Removes a folder with all that is in it. A file that a thread began to make under the old name may appear while the folder is emptied: one for
/// each thread, and no more.
fn empty(folder: &Path) {
    for _ in 0..MAX_THREADS {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            _ => return,
        }
    }
}

/// More threads than write into one folder.
const MAX_THREADS: usize = 4_096;

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

    /// For as long as the answer lives, no signal ends the process.
    pub fn undisturbed(&mut self) -> Undisturbed<'_> {
        Undisturbed { held: held(), live: self }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // Held to the end: a process that is to end waits until all is cleared.
            let mut held = held();
            clear(&self.path, &self.parents);
            held.retain(|(path, _)| *path != self.path);
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

/// A temporary file that is removed when the process has to end at once. Otherwise its maker removes or renames it.
#[derive(Debug)]
pub struct Passing {
    path: PathBuf,
}

impl Passing {
    /// Remembers the file for as long as the answer lives, and locks it, so that no other run takes it for a leftover.
    pub fn of(file: &NamedTempFile) -> Self {
        // Where nothing can be locked, nothing is swept either.
        let _ = file.as_file().try_lock();
        let path = file.path().to_owned();
        held().push((path.clone(), Vec::new()));
        Passing { path }
    }

    /// Removes files that a run which was killed left in a folder: those named `PREFIX` and six letters or digits of chance, that
    /// hold something and that no living run holds.
    pub fn sweep(folder: &Path, prefix: &str, suffix: &str) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let chance = name.to_str().and_then(|name| name.strip_prefix(prefix)?.strip_suffix(suffix));
            let ours = chance.is_some_and(|chance| {
                chance.len() == CHANCE && chance.bytes().all(|letter| letter.is_ascii_alphanumeric())
            });
            // One that is empty may have been made a moment ago, and not be locked yet.
            let filled = entry.metadata().is_ok_and(|meta| meta.is_file() && meta.len() > 0);
            if ours && filled && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Letters that make the name of a temporary file one of its kind.
const CHANCE: usize = 6;

impl Drop for Passing {
    fn drop(&mut self) {
        held().retain(|(path, _)| *path != self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn files_of_runs_that_were_killed_are_removed_and_no_others() {
        let home = tempfile::tempdir().unwrap();
        let mut living = tempfile::Builder::new().prefix(".linkage-").tempfile_in(home.path()).unwrap();
        living.write_all(b"who").unwrap();
        let _passing = Passing::of(&living);
        for (name, text) in [
            (".linkage-abc123", "who"),
            (".linkage-abc124", ""),
            (".linkage-abc", "mine"),
            (".linkage-abc12!", "mine"),
            ("linkage-abc123", "mine"),
        ] {
            fs::write(home.path().join(name), text).unwrap();
        }
        Passing::sweep(home.path(), ".linkage-", "");
        assert!(living.path().exists());
        assert!(!home.path().join(".linkage-abc123").exists());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 5);
    }
}
