//! The files of one release directory while they are written.

use std::path::Path;

use throng_contract::Progress;
use throng_data::{Column, StagedDir};

use crate::directory::{DirectoryError, ITEMS, ITEMS_SPREADSHEET, Shuffle, Target, write_items_csv};
use crate::manifest::{FileEntry, GeneralisedEntry};
use crate::spreadsheet::write_defused;

/// The directory of a release that has no name yet, and everything that its files are made from beside the release.
pub struct OutputFiles<'a> {
    /// Where they lie.
    pub staged: &'a StagedDir,
    /// Which format, and which copies.
    pub target: &'a Target,
    /// The secret from which the order of records, clusters and chunks is drawn.
    pub key: [u8; 32],
    /// The order of records.
    pub shuffle: &'a Shuffle,
    /// The attribute columns that are published as they are.
    pub columns: &'a [&'a Column],
    /// What generalised items stand for.
    pub generalised: &'a [GeneralisedEntry],
    /// What was written so far, for the manifest.
    pub written: Vec<FileEntry>,
    /// Where progress is told.
    pub progress: &'a Progress,
}

impl OutputFiles<'_> {
    /// Writes a file and lists it with its fingerprint.
    pub fn write(
        &mut self,
        role: &str,
        name: &str,
        make: impl FnOnce(&Path) -> Result<String, DirectoryError>,
    ) -> Result<(), DirectoryError> {
        let sha256 = make(&self.staged.path().join(name))?;
        self.written.push(FileEntry { role: role.to_owned(), name: name.to_owned(), sha256: Some(sha256) });
        Ok(())
    }

    /// Writes a copy with formulas escaped, if copies are wanted: of the CSV file of that name where it was written, else of what `csv` writes.
    pub fn copy_for_spreadsheets(
        &mut self,
        role: &str,
        copy: &str,
        of: Option<&str>,
        csv: impl FnOnce(&Path) -> Result<String, DirectoryError>,
    ) -> Result<(), DirectoryError> {
        if !self.target.spreadsheet_safe {
            return Ok(());
        }
        let original = of.map(|name| self.staged.path().join(name));
        self.write(&format!("{role} for spreadsheets"), copy, |path| match original {
            Some(original) => write_defused(&original, path),
            None => {
                let passing =
                    tempfile::NamedTempFile::new().map_err(|error| DirectoryError::io(path, error))?;
                csv(passing.path())?;
                write_defused(passing.path(), path)
            }
        })
    }

    /// Lists what generalised items stand for, unless they are spelled out wherever they occur.
    pub fn items(&mut self) -> Result<(), DirectoryError> {
        if self.target.spell_out || self.generalised.is_empty() {
            return Ok(());
        }
        let generalised = self.generalised;
        self.write("items", ITEMS, |path| write_items_csv(path, generalised))?;
        self.copy_for_spreadsheets("items", ITEMS_SPREADSHEET, Some(ITEMS), |path| {
            write_items_csv(path, generalised)
        })
    }
}
