//! Bundles: projects of the workbench as archives.
//!
//! The bytes are an archive as they are, or a text from which one is made (see [`crate::workbook`]). Whatever it says, opening it is no fault of
//! the server's, nothing lies outside the folder of the project, and what lies there is bounded.

use std::fs::{self, File};
use std::path::Path;

use crate::workbook::packed;

/// What may be uploaded.
const UPLOAD: u64 = 1 << 20;

/// Unpacks a bundle as the server does.
pub fn bundle(bytes: &[u8]) {
    is_taken(bytes);
}

/// Whether it was unpacked.
fn is_taken(bytes: &[u8]) -> bool {
    let archive = if bytes.starts_with(b"PK") { Some(bytes.to_vec()) } else { packed(bytes) };
    let (Some(archive), Ok(place)) = (archive, tempfile::tempdir()) else { return false };
    let (file, folder) = (place.path().join("bundle.zip"), place.path().join("project"));
    let Ok(opened) = fs::write(&file, archive).and_then(|()| File::open(&file)) else { return false };
    let unpacked = throng_server::unpack_bundle(opened, UPLOAD, &folder);
    if let Err((status, reason)) = &unpacked {
        assert!((400..500).contains(status), "{status}: {reason}");
        assert!(reason.chars().count() < 400, "an answer of {} letters", reason.chars().count());
    }
    let beside = fs::read_dir(place.path()).map_or(0, Iterator::count);
    assert!(beside <= 2, "something lies outside the project");
    assert!(size(&folder) <= 2 * UPLOAD, "more was unpacked than is allowed");
    unpacked.is_ok()
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => size(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    /// Mutations of a sample that is refused as a whole would try nothing.
    #[test]
    fn the_sample_is_a_bundle() {
        assert!(super::is_taken(include_bytes!("../corpus/bundle/project.txt")));
    }
}
