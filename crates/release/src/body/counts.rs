//! Counts of people: `counts.csv` or `counts.parquet`. There are no records, so that no column of people and no linkage belongs to them.

use throng_contract::{Class, Failure, help};
use throng_data::{Counts, Events, Release};

use super::{Beside, OutputFiles};
use crate::directory::{
    COUNTS_SPREADSHEET, DirectoryError, ReleaseFormat, write_counts_csv, write_counts_parquet,
};

/// Refuses what would refer to records.
pub(super) fn admit(beside: Beside) -> Result<(), Failure> {
    let (what, setting) = match beside {
        Beside { columns: true, .. } => ("columns of people", "publish"),
        Beside { linkage: true, .. } => ("linkage", "linkage"),
        _ => return Ok(()),
    };
    Err(Failure::new(Class::Usage, format!("a release of counts has no records, and so no {what}"))
        .with_help(help!("leave out {$}, or choose a method that publishes records", setting)))
}

/// Why nothing is left, and what to do about it.
pub(super) fn nothing_left(counts: &Counts, before: &Events) -> Option<(String, &'static str)> {
    counts.cells.is_empty().then(|| {
        (
            format!("of {} people not one count can be published", before.subjects()),
            "ask for less (a smaller k, more epsilon, longer spans of time), or make items coarser with {throng prepare events}",
        )
    })
}

/// Writes the cells.
pub(super) fn write(
    release: &Release,
    counts: &Counts,
    files: &mut OutputFiles<'_>,
) -> Result<(), DirectoryError> {
    let format = files.target.format;
    let name = format.counts_name();
    files.write("release", name, |path| match format {
        ReleaseFormat::Csv => write_counts_csv(path, release, counts),
        ReleaseFormat::Parquet => write_counts_parquet(path, release, counts),
    })?;
    let csv = (format == ReleaseFormat::Csv).then_some(name);
    files.copy_for_spreadsheets("release", COUNTS_SPREADSHEET, csv, |path| {
        write_counts_csv(path, release, counts)
    })?;
    files.items()
}
