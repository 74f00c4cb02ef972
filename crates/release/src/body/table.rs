//! A table: `records.csv` or `records.parquet`, a row for each person.

use throng_data::{Events, RecodedTable, Release, Rows};

use super::OutputFiles;
use crate::directory::{
    DirectoryError, RECORDS_SPREADSHEET, ReleaseFormat, write_table_csv, write_table_parquet,
};

/// Why nothing is left, and what to do about it.
pub(super) fn nothing_left(
    table: &RecodedTable,
    release: &Release,
    before: &Events,
) -> Option<(String, &'static str)> {
    let is_left = release.suppression.rows < release.people() as u64 && !table.columns.is_empty();
    (!is_left).then(|| {
        (
            format!("not one of {} rows is left in the release", before.subjects()),
            "ask for less (a smaller k, fewer quasi-identifiers, coarser hierarchies), or try another method",
        )
    })
}

/// Writes the rows.
pub(super) fn write(
    rows: &Rows,
    release: &Release,
    files: &mut OutputFiles<'_>,
) -> Result<(), DirectoryError> {
    write_rows(&rows.table, release.events(), files)
}

/// Writes a table whose rows are those of these records, in the format that is wanted.
pub(super) fn write_rows(
    table: &RecodedTable,
    records: &Events,
    files: &mut OutputFiles<'_>,
) -> Result<(), DirectoryError> {
    let (shuffle, progress, format) = (files.shuffle, files.progress, files.target.format);
    let name = format.table_name();
    files.write("records", name, |path| match format {
        ReleaseFormat::Csv => write_table_csv(path, table, records, shuffle, progress),
        ReleaseFormat::Parquet => write_table_parquet(path, table, records, shuffle, progress),
    })?;
    let csv = (format == ReleaseFormat::Csv).then_some(name);
    files.copy_for_spreadsheets("records", RECORDS_SPREADSHEET, csv, |path| {
        write_table_csv(path, table, records, shuffle, progress)
    })
}
