//! Records of events with a table of the same people: the files of both.

use throng_data::{Mixed, Release};

use super::{OutputFiles, records, table};
use crate::directory::DirectoryError;

/// Writes events, what items stand for, and rows.
pub(super) fn write(
    release: &Release,
    mixed: &Mixed,
    files: &mut OutputFiles<'_>,
) -> Result<(), DirectoryError> {
    records::write_events(release, files)?;
    files.items()?;
    table::write_rows(&mixed.table, &mixed.events, files)
}
