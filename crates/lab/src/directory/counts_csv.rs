//! `counts.csv`: how many people are in each published cell, in the order of names.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use throng_data::formats::write_row;
use throng_data::{Counts, Release};

use super::DirectoryError;
use super::sink::HashingWriter;

/// The columns. `to` is empty for visits; `time` and `until`, where a span of time begins and where the next one does, are empty where times are not
/// counted.
pub(crate) const COLUMNS: [&str; 6] = ["table", "item", "to", "time", "until", "people"];

/// Writes the counts and returns the file's fingerprint.
pub(crate) fn write_counts_csv(
    path: &Path,
    release: &Release,
    counts: &Counts,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = BufWriter::with_capacity(1 << 18, HashingWriter::new(File::create(path).map_err(fail)?));
    write_row(&mut file, COLUMNS).map_err(fail)?;
    let names = release.names();
    let bin = i64::try_from(counts.bin).unwrap_or(i64::MAX);
    let mut rows: Vec<_> = counts
        .cells
        .iter()
        .map(|(cell, people)| {
            let to = cell.to.map_or("", |to| names[to as usize].as_str());
            (cell.table, names[cell.item as usize].as_str(), to, cell.time, *people)
        })
        .collect();
    rows.sort_unstable();
    for (table, item, to, time, people) in rows {
        let [time, until] = time.map_or([String::new(), String::new()], |time| {
            [time, time.saturating_add(bin)].map(|at| at.to_string())
        });
        write_row(&mut file, [table.name(), item, to, &time, &until, &people.to_string()]).map_err(fail)?;
    }
    Ok(file.into_inner().map_err(|error| fail(error.into_error()))?.fingerprint())
}
