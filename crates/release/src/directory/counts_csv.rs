//! `counts.csv`: how many people are in each published cell, in the order of names.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use throng_data::formats::write_row;
use throng_data::{CountCell, CountTable, Counts, Release};

use super::DirectoryError;
use super::sink::HashingWriter;

/// The columns. `to` is empty for visits; `time` and `until`, where a span of time begins and where the next one does, are empty where times are not
/// counted.
pub const COLUMNS: [&str; 6] = ["table", "item", "to", "time", "until", "people"];

/// Writes the counts and returns the file's fingerprint.
pub fn write_counts_csv(path: &Path, release: &Release, counts: &Counts) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = BufWriter::with_capacity(1 << 18, HashingWriter::new(File::create(path).map_err(fail)?));
    write_row(&mut file, COLUMNS).map_err(fail)?;
    let names = release.names();
    for Row { table, item, to, span, people } in rows(&names, counts) {
        let [time, until] = span.map_or([String::new(), String::new()], |span| span.map(|at| at.to_string()));
        write_row(
            &mut file,
            [table.name(), item, to.unwrap_or_default(), &time, &until, &people.to_string()],
        )
        .map_err(fail)?;
    }
    Ok(file.into_inner().map_err(|error| fail(error.into_error()))?.fingerprint())
}

/// A published cell.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row<'a> {
    pub table: CountTable,
    pub item: &'a str,
    pub to: Option<&'a str>,
    /// Where a span of time begins, and where the next one does.
    pub span: Option<[i64; 2]>,
    pub people: u64,
}

/// The cells in the order in which they are written: that of names, which says nothing of the data.
pub(super) fn rows<'a>(names: &'a [String], counts: &Counts) -> Vec<Row<'a>> {
    let bin = i64::try_from(counts.bin).unwrap_or(i64::MAX);
    let row = |(cell, people): &(CountCell, u64)| Row {
        table: cell.table,
        item: &names[cell.item as usize],
        to: cell.to.map(|to| names[to as usize].as_str()),
        span: cell.time.map(|time| [time, time.saturating_add(bin)]),
        people: *people,
    };
    let mut rows: Vec<Row<'_>> = counts.cells.iter().map(row).collect();
    rows.sort_unstable();
    rows
}
