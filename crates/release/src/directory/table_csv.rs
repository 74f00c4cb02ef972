//! `records.csv` of a table: every published column, one row a record, each cell as what it covers. Without events a person is a
//! record; with events all records of a person have the same cells.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::iter;
use std::path::Path;

use throng_contract::Progress;
use throng_data::formats::{write_field, write_row};
use throng_data::{Cover, Events, RecodedTable};

use super::records_csv::subjects_by_record;
use super::sink::HashingWriter;
use super::{DirectoryError, Shuffle};

/// Writes the table and returns the file's fingerprint. A row of which nothing is said keeps its number.
pub fn write_table_csv(
    path: &Path,
    table: &RecodedTable,
    events: &Events,
    shuffle: &Shuffle,
    progress: &Progress,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = BufWriter::with_capacity(1 << 18, HashingWriter::new(File::create(path).map_err(fail)?));
    let phase = progress.phase("write table", None);
    let header = iter::once("record").chain(table.columns.iter().map(|column| column.name.as_str()));
    write_row(&mut file, header).map_err(fail)?;
    // Covers are few and cells are many: each cover is written out once.
    let mut written: Vec<Vec<Vec<u8>>> = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        let field = |cover: &Cover| {
            let mut bytes = vec![b','];
            write_field(&mut bytes, &cover.render()).map(|()| bytes)
        };
        written.push(column.covers.iter().map(field).collect::<Result<_, _>>().map_err(fail)?);
    }
    let subject_of = subjects_by_record(events);
    for (number, record) in shuffle.numbered() {
        let person = subject_of[record] as usize;
        file.write_all(itoa::Buffer::new().format(number).as_bytes()).map_err(fail)?;
        for (column, written) in table.columns.iter().zip(&written) {
            file.write_all(&written[column.cells[person] as usize]).map_err(fail)?;
        }
        file.write_all(b"\n").map_err(fail)?;
        if number % 4096 == 0 {
            phase.advance(4096)?;
        }
    }
    Ok(file.into_inner().map_err(|error| fail(error.into_error()))?.fingerprint())
}
