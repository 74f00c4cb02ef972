//! Bytes that are on the disk, and two directories that change their names in one step.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Brings everything below a folder, and the folder itself, to the disk.
pub(super) fn tree(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => tree(&entry.path())?,
            false => File::open(entry.path())?.sync_all()?,
        }
    }
    folder(path)
}

/// Brings the names in a folder to the disk, where the system has a way to ask for that.
pub(super) fn folder(path: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(path)?.sync_all(),
        false => Ok(()),
    }
}

/// Lets two directories change their names in one step. `false` where this system or file system cannot; nothing is done then.
#[cfg(target_os = "linux")]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_directories_change_their_names() {
        let home = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| home.path().join(name));
        for path in [&one, &other] {
            fs::create_dir(path).unwrap();
            fs::write(path.join("name"), path.file_name().unwrap().to_str().unwrap()).unwrap();
        }
        tree(home.path()).unwrap();
        if exchange(&one, &other).unwrap() {
            assert_eq!(fs::read_to_string(one.join("name")).unwrap(), "other");
            assert_eq!(fs::read_to_string(other.join("name")).unwrap(), "one");
        }
    }
}
