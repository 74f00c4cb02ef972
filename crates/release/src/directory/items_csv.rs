//! `items.csv`: what every generalised item may stand for, a row for each pair of item and member.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use throng_data::formats::write_row;

use super::DirectoryError;
use super::sink::HashingWriter;
use crate::manifest::GeneralisedEntry;

/// Writes the list, in the order of the entries, and returns the file's fingerprint.
pub fn write_items_csv(path: &Path, entries: &[GeneralisedEntry]) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = BufWriter::with_capacity(1 << 18, HashingWriter::new(File::create(path).map_err(fail)?));
    write_row(&mut file, ["item", "member"]).map_err(fail)?;
    for entry in entries {
        for member in &entry.members {
            write_row(&mut file, [entry.item.as_str(), member]).map_err(fail)?;
        }
    }
    Ok(file.into_inner().map_err(|error| fail(error.into_error()))?.fingerprint())
}
