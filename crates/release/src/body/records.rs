//! Records of events: `release.csv` or `release.parquet`, with the columns that are published as they are in `records.csv`.

use throng_data::{Events, Records, Release};

use super::OutputFiles;
use crate::directory::{
    DirectoryError, RECORDS, RECORDS_SPREADSHEET, ReleaseFormat, SPREADSHEET, write_events_csv,
    write_events_parquet, write_records_csv,
};

/// Why nothing is left, and what to do about it.
pub(super) fn nothing_left(after: &Events, before: &Events) -> Option<(String, &'static str)> {
    after.is_empty().then(|| all_lost(before))
}

/// Says that every event was lost, and what to do about it.
pub(super) fn all_lost(before: &Events) -> (String, &'static str) {
    let (events, people) = (before.len(), before.subjects());
    (
        format!("of {events} events of {people} people not one is left in the release"),
        "ask for less (a smaller crowd, fewer known events, more epsilon), make times or places coarser with {throng prepare}, or \
         try another method",
    )
}

/// Writes events, what items stand for, and attributes.
pub(super) fn write(
    release: &Release,
    records: &Records,
    files: &mut OutputFiles<'_>,
) -> Result<(), DirectoryError> {
    write_events(release, files)?;
    files.items()?;
    if files.columns.is_empty() {
        return Ok(());
    }
    let (columns, shuffle, progress) = (files.columns, files.shuffle, files.progress);
    files.write("records", RECORDS, |path| {
        write_records_csv(path, columns, &records.events, shuffle, progress)
    })?;
    files.copy_for_spreadsheets("records", RECORDS_SPREADSHEET, Some(RECORDS), |path| {
        write_records_csv(path, columns, &records.events, shuffle, progress)
    })
}

/// Writes the events in the format that is wanted.
pub(super) fn write_events(release: &Release, files: &mut OutputFiles<'_>) -> Result<(), DirectoryError> {
    let (shuffle, progress, format) = (files.shuffle, files.progress, files.target.format);
    let name = format.file_name();
    files.write("release", name, |path| match format {
        ReleaseFormat::Csv => write_events_csv(path, release, shuffle, progress),
        ReleaseFormat::Parquet => write_events_parquet(path, release, shuffle, progress),
    })?;
    let csv = (format == ReleaseFormat::Csv).then_some(name);
    files.copy_for_spreadsheets("release", SPREADSHEET, csv, |path| {
        write_events_csv(path, release, shuffle, progress)
    })
}
