//! Directories that appear whole or not at all.
//!
//! Files are written into a hidden sibling of the directory asked for, which takes its name only when all of
//! them are complete. A failed or cancelled run drops the [`StagedDir`] and leaves nothing behind.
//!
//! # Guarantees
//! * Every file, and the folder, is on the disk before the name appears; the name is on the disk before [`StagedDir::publish`] returns.
//! * An earlier directory is exchanged for the later one in one step where the system can: at no moment is there none. Elsewhere it is set
//!   aside for a moment, and put back by the next run if this one dies then.
//! * What a run that was killed left behind is removed by the next one beside it. A run that lives holds a lock on its folder, so that no other run
//!   takes it for a leftover; its name is random, so that two machines or containers never choose the same.
//! * Nothing is removed that no run of ours made: what lay in the earlier directory is looked at again after the exchange, which is undone where
//!   a file of another program has come into it.

mod error;
mod leftovers;
mod live;
mod sync;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

pub use error::StagingError;
pub use live::{Ended, Finishing, Passing, abandon};

use live::Live;

/// What hidden names end with: while it is filled; an earlier directory for the moment in which it has no name; before it is locked; while it is
/// removed.
const PARTIAL: &str = "partial";
const EARLIER: &str = "earlier";
const FRESH: &str = "fresh";
const GONE: &str = "gone";
/// How often a folder is made again that others took away before it was locked.
const TRIES: u32 = 8;

/// A directory under construction.
#[derive(Debug)]
pub struct StagedDir {
    target: PathBuf,
    staging: PathBuf,
    ours: Vec<String>,
    replaces: bool,
    live: Live,
    /// Held for as long as the run lives. Some network file systems lock no folders: there, leftovers stay.
    _lock: Option<File>,
}

impl StagedDir {
    /// Begins a directory that will be called `target`.
    ///
    /// An existing directory that holds anything is refused, unless `force` is given and it holds nothing but
    /// files among `ours`: what earlier runs write, as paths below `target` with `/`. Whatever the flags, a
    /// directory with files of other programs is never removed.
    pub fn create(target: &Path, force: bool, ours: &[&str]) -> Result<Self, StagingError> {
        let Some(name) = target.file_name() else {
            return Err(StagingError::Unnamed { target: target.to_owned() });
        };
        let parent = parent_of(target);
        leftovers::sweep(parent, name, target);
        let ours: Vec<String> = ours.iter().map(|name| (*name).to_owned()).collect();
        let replaces = check(target, target, force, &ours)?;
        let mut created_parents: Vec<PathBuf> =
            parent.ancestors().take_while(|path| !path.exists()).map(Path::to_owned).collect();
        created_parents.retain(|path| !path.as_os_str().is_empty());
        created_parents.reverse();
        let staging = leftovers::hidden_name(parent, name, PARTIAL)?;
        let fresh = staging.with_extension(FRESH);
        let mut live = Live::folder(staging.clone(), created_parents);
        // A process that ends now would clear nothing, and what is made a moment later would stay.
        let undisturbed = live.undisturbed();
        fs::create_dir_all(parent).map_err(|cause| StagingError::io(parent, cause))?;
        let mut tries = TRIES;
        let lock = loop {
            fs::create_dir(&fresh).map_err(|cause| StagingError::io(&fresh, cause))?;
            let lock = File::open(&fresh).ok().filter(|folder| folder.try_lock().is_ok());
            // Only now may it be taken for a half-filled one, and it is locked already.
            match fs::rename(&fresh, &staging) {
                Ok(()) => break lock,
                // A run beside this one took it for a leftover before it was locked.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound && tries > 0 => tries -= 1,
                Err(cause) => return Err(StagingError::io(&staging, cause)),
            }
        };
        drop(undisturbed);
        Ok(StagedDir { target: target.to_owned(), staging, ours, replaces, live, _lock: lock })
    }

    /// Where the files are written for now.
    pub fn path(&self) -> &Path {
        &self.staging
    }

    /// The name the directory will have.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Gives the directory its name, in place of an earlier one if that was allowed.
    pub fn publish(mut self) -> Result<(), StagingError> {
        sync::tree(&self.staging).map_err(|cause| StagingError::io(&self.target, cause))?;
        let (staging, target) = (&self.staging, &self.target);
        // From here to the end no signal may end the process: the name appears, or it does not.
        let mut undisturbed = self.live.undisturbed();
        match self.replaces {
            true => replace(staging, target, &self.ours)?,
            false => name(staging, target)?,
        }
        undisturbed.is_done();
        drop(undisturbed);
        // The release has its name. What cannot be cleared now is cleared by the next run.
        let _ = sync::folder(parent_of(target));
        if self.replaces {
            let _ = fs::remove_dir_all(staging);
        }
        Ok(())
    }
}

/// Gives a directory its name. An empty directory of that name is replaced; one that was filled meanwhile is not.
fn name(staging: &Path, target: &Path) -> Result<(), StagingError> {
    fs::rename(staging, target).map_err(|cause| match cause.kind() {
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
            StagingError::Exists { target: target.to_owned() }
        }
        _ => StagingError::io(target, cause),
    })
}

/// Lets both directories change their names. What lay there before is under the hidden name then.
fn replace(staging: &Path, target: &Path, ours: &[String]) -> Result<(), StagingError> {
    let fail = |cause| StagingError::io(target, cause);
    if sync::exchange(staging, target).map_err(fail)? {
        // It was looked at before the work began, perhaps hours ago.
        if let Err(foreign) = check(staging, target, true, ours) {
            sync::exchange(staging, target).map_err(fail)?;
            return Err(foreign);
        }
        return Ok(());
    }
    check(target, target, true, ours)?;
    let earlier = staging.with_extension(EARLIER);
    fs::rename(target, &earlier).map_err(fail)?;
    if let Err(cause) = fs::rename(staging, target) {
        fs::rename(&earlier, target).map_err(fail)?;
        return Err(fail(cause));
    }
    fs::rename(&earlier, staging).map_err(fail)
}

fn parent_of(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn remove_empty(parents: &[PathBuf]) {
    for parent in parents.iter().rev() {
        let _ = fs::remove_dir(parent);
    }
}

/// Whether there is an earlier directory that may be replaced. It lies at `path`, and is called `target`.
fn check(path: &Path, target: &Path, force: bool, ours: &[String]) -> Result<bool, StagingError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(cause) if cause.kind() == io::ErrorKind::NotADirectory => {
            return Err(StagingError::NotADirectory { target: target.to_owned() });
        }
        Err(cause) => return Err(StagingError::io(target, cause)),
    };
    let mut filled = false;
    for entry in entries {
        let entry = entry.map_err(|cause| StagingError::io(target, cause))?;
        if !force {
            return Err(StagingError::Exists { target: target.to_owned() });
        }
        refuse_foreign(target, &entry, "", ours)?;
        filled = true;
    }
    Ok(filled)
}

/// Refuses anything but files among `ours` and folders that hold nothing else.
fn refuse_foreign(
    target: &Path,
    entry: &fs::DirEntry,
    folder: &str,
    ours: &[String],
) -> Result<(), StagingError> {
    let fail = |cause| StagingError::io(target, cause);
    let name = format!("{folder}{}", entry.file_name().to_string_lossy());
    let kind = entry.file_type().map_err(fail)?;
    if kind.is_file() && ours.contains(&name) {
        return Ok(());
    }
    let inside = format!("{name}/");
    if !kind.is_dir() || !ours.iter().any(|path| path.starts_with(&inside)) {
        return Err(StagingError::Foreign { target: target.to_owned(), name });
    }
    for entry in fs::read_dir(entry.path()).map_err(fail)? {
        refuse_foreign(target, &entry.map_err(fail)?, &inside, ours)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use throng_contract::{Class, Failing};

    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_directory_appears_only_when_published() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("a/b/out");
        let staged = StagedDir::create(&target, false, &[]).unwrap();
        fs::write(staged.path().join("x.csv"), "1").unwrap();
        assert!(!target.exists());
        staged.publish().unwrap();
        assert_eq!(names(&target), ["x.csv"]);
        assert_eq!(names(target.parent().unwrap()), ["out"]);
    }

    #[test]
    fn a_folder_that_a_killed_run_had_just_made_is_removed() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join(".out.0123456789abcdef.fresh")).unwrap();
        StagedDir::create(&home.path().join("out"), false, &[]).unwrap().publish().unwrap();
        assert_eq!(names(home.path()), ["out"]);
    }

    #[test]
    fn a_dropped_directory_leaves_nothing_not_even_its_parents() {
        let home = tempfile::tempdir().unwrap();
        let staged = StagedDir::create(&home.path().join("a/b/out"), false, &[]).unwrap();
        fs::write(staged.path().join("x.csv"), "1").unwrap();
        drop(staged);
        assert!(names(home.path()).is_empty());
    }

    #[test]
    fn force_replaces_what_earlier_runs_wrote_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        fs::create_dir(&target).unwrap();
        StagedDir::create(&target, false, &[]).unwrap().publish().unwrap();

        fs::write(target.join("x.csv"), "1").unwrap();
        let refused = StagedDir::create(&target, false, &["x.csv"]).unwrap_err();
        assert_eq!((refused.class(), target.join("x.csv").exists()), (Class::Refused, true));
        StagedDir::create(&target, true, &["x.csv"]).unwrap().publish().unwrap();
        assert!(names(&target).is_empty());

        fs::write(target.join("thesis.doc"), "1").unwrap();
        let refused = StagedDir::create(&target, true, &["x.csv"]).unwrap_err();
        assert!(matches!(refused, StagingError::Foreign { ref name, .. } if name == "thesis.doc"));
        assert_eq!(names(home.path()), ["out"]);
    }

    #[test]
    fn folders_of_an_earlier_run_are_replaced_unless_a_foreign_file_is_in_them() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        fs::create_dir_all(target.join("city")).unwrap();
        fs::write(target.join("city/x.csv"), "1").unwrap();
        fs::write(target.join("city/thesis.doc"), "1").unwrap();
        let refused = StagedDir::create(&target, true, &["city/x.csv"]).unwrap_err();
        assert!(matches!(refused, StagingError::Foreign { ref name, .. } if name == "city/thesis.doc"));

        fs::remove_file(target.join("city/thesis.doc")).unwrap();
        assert!(StagedDir::create(&target, true, &["x.csv"]).is_err());
        StagedDir::create(&target, true, &["city/x.csv"]).unwrap().publish().unwrap();
        assert!(names(&target).is_empty());
    }

    #[test]
    fn a_file_in_the_way_and_a_path_without_a_name_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("out");
        fs::write(&file, "1").unwrap();
        let class = |target: &Path| StagedDir::create(target, true, &["out"]).unwrap_err().class();
        assert_eq!((class(&file), class(Path::new("/"))), (Class::Refused, Class::Usage));
        assert_eq!(fs::read_to_string(&file).unwrap(), "1");
    }

    #[test]
    fn a_file_that_came_into_the_earlier_directory_meanwhile_stays_where_it_is() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("x.csv"), "earlier").unwrap();
        let staged = StagedDir::create(&target, true, &["x.csv"]).unwrap();
        fs::write(staged.path().join("x.csv"), "later").unwrap();
        fs::write(target.join("thesis.doc"), "1").unwrap();
        assert!(matches!(staged.publish(), Err(StagingError::Foreign { .. })));
        assert_eq!(fs::read_to_string(target.join("x.csv")).unwrap(), "earlier");
        assert_eq!(
            (names(&target), names(home.path())),
            (vec!["thesis.doc".into(), "x.csv".into()], vec!["out".into()])
        );
    }

    #[test]
    fn a_directory_that_was_filled_meanwhile_is_not_replaced() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        let staged = StagedDir::create(&target, false, &["x.csv"]).unwrap();
        fs::create_dir(&target).unwrap();
        fs::write(target.join("x.csv"), "another run's").unwrap();
        assert!(matches!(staged.publish(), Err(StagingError::Exists { .. })));
        assert_eq!((names(&target), names(home.path())), (vec!["x.csv".into()], vec!["out".into()]));
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_what_a_living_one_holds_is_not() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        let left = home.path().join(".out.0123456789abcdef.partial");
        fs::create_dir(&left).unwrap();
        fs::write(left.join("x.csv"), "half").unwrap();
        for other in [".out.0123456789abcdef.notes", ".other.0123456789abcdef.partial", ".out.me.partial"] {
            fs::create_dir(home.path().join(other)).unwrap();
        }
        let living = StagedDir::create(&target, false, &[]).unwrap();
        assert!(!left.exists());
        let second = StagedDir::create(&target, false, &[]).unwrap();
        assert!(living.path().exists() && second.path().exists());
        assert_eq!(names(home.path()).len(), 5);
    }

    #[test]
    fn a_run_that_died_between_two_names_is_undone() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("out");
        let earlier = home.path().join(".out.0123456789abcdef.earlier");
        fs::create_dir(&earlier).unwrap();
        fs::write(earlier.join("x.csv"), "earlier").unwrap();
        let refused = StagedDir::create(&target, false, &["x.csv"]).unwrap_err();
        assert!(matches!(refused, StagingError::Exists { .. }));
        assert_eq!(fs::read_to_string(target.join("x.csv")).unwrap(), "earlier");
        assert_eq!(names(home.path()), ["out"]);
    }
}
