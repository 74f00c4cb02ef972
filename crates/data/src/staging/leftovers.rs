//! What a run that was killed left beside its target, and the hidden names by which it is known.
//!
//! Names are `.NAME.HEX.KIND`, with 16 random digits. Only such names, and only beside a target of that name, are ever touched.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{EARLIER, FRESH, GONE, PARTIAL, StagingError};

const DIGITS: usize = 16;

/// A hidden name that no other process chooses.
pub(super) fn hidden_name(parent: &Path, name: &OsStr, kind: &str) -> Result<PathBuf, StagingError> {
    let mut bytes = [0; DIGITS / 2];
    getrandom::fill(&mut bytes).map_err(|error| StagingError::io(parent, io::Error::other(error)))?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(parent.join(format!(".{}.{digits}.{kind}", name.to_string_lossy())))
}

/// Removes half-filled directories of runs that are gone, and puts back an earlier directory that lost its name. What cannot be done is left: it is
/// hidden, and in no one's way.
pub(super) fn sweep(parent: &Path, name: &OsStr, target: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    let prefix = format!(".{}.", name.to_string_lossy());
    for entry in entries.flatten() {
        let found = entry.file_name();
        let Some((digits, kind)) = found
            .to_str()
            .and_then(|found| found.strip_prefix(&prefix))
            .and_then(|rest| rest.split_once('.'))
        else {
            continue;
        };
        let ours = digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        match kind {
            // Renaming fails where a directory of that name holds something: then it is the earlier one of a run that came to its end.
            EARLIER if is_abandoned(&path) && fs::rename(&path, target).is_err() => {
                let _ = fs::remove_dir_all(&path);
            }
            PARTIAL | GONE if is_abandoned(&path) => {
                let _ = fs::remove_dir_all(&path);
            }
            // Nothing is in it yet. One that lives and is not locked yet is made again by its run.
            FRESH if is_abandoned(&path) => {
                let _ = fs::remove_dir(&path);
            }
            _ => {}
        }
    }
}

/// Whether no living run holds the directory.
fn is_abandoned(path: &Path) -> bool {
    File::open(path).is_ok_and(|folder| folder.try_lock().is_ok())
}
