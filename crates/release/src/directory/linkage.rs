//! `record,subject`: who is who, for evaluation. Never inside a release directory.
//!
//! Where a person has several records, a third column says which of them, from 1, each record is.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;
use throng_contract::Progress;
use throng_data::formats::{Sink, write_row};
use throng_data::{Dataset, Passing};

use super::records_csv::subjects_by_record;
use super::{DirectoryError, Shuffle, Target};

/// The column that says which of a person's records a record is.
pub const POSITION: &str = "position";

/// Begins the name of a file that is not whole yet.
const PREFIX: &str = ".linkage-";

/// A linkage file in the making; it appears under its name only when the release does.
#[derive(Debug)]
pub struct LinkageFile {
    temporary: NamedTempFile,
    _passing: Passing,
    path: PathBuf,
    force: bool,
}

impl LinkageFile {
    /// Refuses a path inside the release directory, or one that would overwrite a file.
    pub fn refuse(path: &Path, target: &Target) -> Result<(), DirectoryError> {
        refuse_inside("the linkage file", path, target)
    }

    /// Writes the rows to a hidden sibling of `path`.
    pub fn write(
        path: &Path,
        target: &Target,
        data: &Dataset,
        shuffle: &Shuffle,
        progress: &Progress,
    ) -> Result<Self, DirectoryError> {
        LinkageFile::refuse(path, target)?;
        let fail = |source| DirectoryError::io(path, source);
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Passing::sweep(parent, PREFIX, "");
        let temporary = tempfile::Builder::new().prefix(PREFIX).tempfile_in(parent).map_err(fail)?;
        let passing = Passing::of(&temporary);
        let mut file = Sink::new(temporary, path).map_err(fail)?;
        let phase = progress.phase("write linkage", Some(data.events.records() as u64));
        let subject_of = subjects_by_record(&data.events);
        let several = (0..data.events.subjects()).any(|subject| data.events.records_of(subject).len() > 1);
        let names = ["record", "subject", POSITION];
        let columns = if several { 3 } else { 2 };
        write_row(&mut file, names.into_iter().take(columns)).map_err(fail)?;
        for (number, record) in shuffle.numbered() {
            let subject = data.subjects.name(subject_of[record]);
            let position = record - data.events.records_of(subject_of[record] as usize).start + 1;
            let (mut written, mut placed) = (itoa::Buffer::new(), itoa::Buffer::new());
            let row = [written.format(number), subject, placed.format(position)];
            write_row(&mut file, row.into_iter().take(columns)).map_err(fail)?;
            if number % 4096 == 0 {
                phase.advance(4096)?;
            }
        }
        let temporary = file.finish().map_err(fail)?;
        // It is of no use half on the disk, and nothing may fail any more once the release has its name.
        temporary.as_file().sync_all().map_err(fail)?;
        Ok(LinkageFile { temporary, _passing: passing, path: path.to_path_buf(), force: target.force })
    }

    /// Gives the complete file its name. It stays readable by its owner only.
    pub fn commit(self) -> Result<(), DirectoryError> {
        let path = self.path;
        let kept =
            if self.force { self.temporary.persist(&path) } else { self.temporary.persist_noclobber(&path) };
        kept.map(drop).map_err(|error| DirectoryError::io(&path, error.error))
    }
}

/// Refuses to write `what` inside the release directory, or over a file.
pub fn refuse_inside(what: &'static str, path: &Path, target: &Target) -> Result<(), DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    if resolved(path).map_err(fail)?.starts_with(resolved(&target.directory).map_err(fail)?) {
        return Err(DirectoryError::Inside { what, path: path.to_path_buf() });
    }
    if path.exists() && !target.force {
        return Err(DirectoryError::Exists { what, path: path.to_path_buf() });
    }
    Ok(())
}

/// The absolute path with `..` and links resolved, also where it does not exist yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut real = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => {
                real.pop();
            }
            part => real.push(part),
        }
        if let Ok(linked) = fs::canonicalize(&real) {
            real = linked;
        }
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use throng_contract::Failing;

    use super::*;

    #[test]
    fn the_linkage_is_refused_inside_the_release_directory() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::new(folder.path().join("release"));
        let refused = LinkageFile::refuse(&folder.path().join("release/link.csv"), &target).unwrap_err();
        assert_eq!(refused.class().code(), 7);
        let around = folder.path().join("release/../release/deep/link.csv");
        assert!(LinkageFile::refuse(&around, &target).is_err());
        LinkageFile::refuse(&folder.path().join("link.csv"), &target).unwrap();
    }
}
