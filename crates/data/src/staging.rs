//! Directories that appear whole or not at all.
//!
//! Files are written into a hidden sibling of the directory asked for, which takes its name only when all of
//! them are complete. A failed or cancelled run drops the [`StagedDir`] and leaves nothing behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use thiserror::Error;
use throng_contract::{Class, Failing};

/// A directory under construction.
#[derive(Debug)]
pub struct StagedDir {
    target: PathBuf,
    staging: PathBuf,
    /// Parents that did not exist before, outermost first.
    created_parents: Vec<PathBuf>,
    replaces: bool,
    published: bool,
}

impl StagedDir {
    /// Begins a directory that will be called `target`.
    ///
    /// An existing directory that holds anything is refused, unless `force` is given and it holds nothing but
    /// files among `ours`: what earlier runs write, as paths below `target` with `/`. Whatever the flags, a
    /// directory of somebody else's files is never removed.
    pub fn create(target: &Path, force: bool, ours: &[&str]) -> Result<Self, StagingError> {
        let Some(name) = target.file_name() else {
            return Err(StagingError::Unnamed { target: target.to_owned() });
        };
        let replaces = check_target(target, force, ours)?;
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut created_parents: Vec<PathBuf> =
            parent.ancestors().take_while(|path| !path.exists()).map(Path::to_owned).collect();
        created_parents.retain(|path| !path.as_os_str().is_empty());
        created_parents.reverse();
        fs::create_dir_all(parent).map_err(|cause| StagingError::io(parent, cause))?;

        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let unique = format!("{}-{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed));
        let staging = parent.join(format!(".{}.{unique}.partial", name.to_string_lossy()));
        let staged =
            StagedDir { target: target.to_owned(), staging, created_parents, replaces, published: false };
        fs::create_dir(&staged.staging).map_err(|cause| StagingError::io(&staged.staging, cause))?;
        Ok(staged)
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
        let fail = |cause| StagingError::io(&self.target, cause);
        if self.replaces {
            // The earlier directory is kept until the later one has its name.
            let earlier = self.staging.with_extension("earlier");
            fs::rename(&self.target, &earlier).map_err(fail)?;
            if let Err(cause) = fs::rename(&self.staging, &self.target) {
                fs::rename(&earlier, &self.target).map_err(fail)?;
                return Err(fail(cause));
            }
            self.published = true;
            fs::remove_dir_all(&earlier).map_err(|cause| StagingError::io(&earlier, cause))
        } else {
            // Renaming onto an empty directory replaces it; onto one that was filled meanwhile, fails.
            fs::rename(&self.staging, &self.target).map_err(fail)?;
            self.published = true;
            Ok(())
        }
    }
}

impl Drop for StagedDir {
    fn drop(&mut self) {
        if self.published {
            return;
        }
        // Nothing can be reported from here, and what is left is hidden and named `.partial`.
        let _ = fs::remove_dir_all(&self.staging);
        for parent in self.created_parents.iter().rev() {
            let _ = fs::remove_dir(parent);
        }
    }
}

/// Whether there is an earlier directory that may be replaced.
fn check_target(target: &Path, force: bool, ours: &[&str]) -> Result<bool, StagingError> {
    let entries = match fs::read_dir(target) {
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
    ours: &[&str],
) -> Result<(), StagingError> {
    let fail = |cause| StagingError::io(target, cause);
    let name = format!("{folder}{}", entry.file_name().to_string_lossy());
    let kind = entry.file_type().map_err(fail)?;
    if kind.is_file() && ours.contains(&name.as_str()) {
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

    fn help(&self) -> Option<String> {
        Some(
            match self {
                StagingError::Exists { .. } => "give another directory, or replace this one with `--force`",
                StagingError::Foreign { .. } | StagingError::NotADirectory { .. } => {
                    "give another directory, or remove this one by hand"
                }
                StagingError::Unnamed { .. } => "name a directory to be created, for example `out`",
                StagingError::Io { .. } => "check that the directory can be written and the disk is not full",
            }
            .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
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
    fn folders_of_an_earlier_run_are_replaced_unless_somebody_elses_file_is_in_them() {
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
}
