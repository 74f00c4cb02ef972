//! `counts.csv` or `counts.parquet` as a reader finds it.

use std::path::Path;

use throng_contract::{Class, Failure};
use throng_data::formats::{Digest, Source, parquet_rows};
use throng_data::{CountCell, CountTable, Counts, Dictionary, EventKind};

use crate::directory::{COUNTS, COUNTS_COLUMNS, COUNTS_PARQUET};

/// Counts of people, with items as they are written.
#[derive(Debug)]
pub struct CountsFile {
    /// The cells; items are numbers of `items`.
    pub counts: Counts,
    /// The written items.
    pub items: Dictionary,
    /// The name of the file.
    pub name: &'static str,
    /// What was read.
    pub digest: Option<Digest>,
}

/// The file of counts in a directory, if there is one.
pub fn counts_file(directory: &Path) -> Option<&'static str> {
    [COUNTS, COUNTS_PARQUET].into_iter().find(|name| directory.join(name).is_file())
}

impl CountsFile {
    /// Reads the counts of a directory, if there are any.
    pub fn read(directory: &Path) -> Result<Option<Self>, Failure> {
        let Some(name) = counts_file(directory) else { return Ok(None) };
        let path = directory.join(name);
        let bad = |what: String| {
            Failure::new(Class::BadInput, format!("`{}`: {what}", path.display())).with_help(
                "the columns are `table,item,to,time,until,people`; fetch the whole release again if it was changed",
            )
        };
        let source = Source::file(&path);
        let rows = if name == COUNTS { source.clone() } else { parquet_rows(&source)? };
        let bytes = rows.open().and_then(|mut stream| stream.read_all())?;
        let mut rows = csv::ReaderBuilder::new().from_reader(&bytes[..]);
        let header = rows.headers().map_err(|_| bad("its first line cannot be read".to_owned()))?;
        if header.iter().ne(COUNTS_COLUMNS) {
            return Err(bad("its columns are others".to_owned()));
        }
        let (mut counts, mut items) =
            (Counts { kind: EventKind::Sequence, cells: Vec::new(), bin: 0 }, Dictionary::new());
        for (number, row) in rows.records().enumerate() {
            let line = number + 2;
            let row = row.map_err(|_| bad(format!("line {line} cannot be read")))?;
            let table = CountTable::parse(&row[0])
                .ok_or_else(|| bad(format!("line {line}: a table is `visits`, `moves` or `ends`")))?;
            let people =
                row[5].parse().map_err(|_| bad(format!("line {line}: `people` is a whole number")))?;
            let time = match (&row[3], &row[4]) {
                ("", "") => None,
                (time, until) => {
                    let span = time.parse::<i64>().ok().zip(until.parse::<i64>().ok());
                    let (time, bin) = span
                        .and_then(|(time, until)| Some((time, u64::try_from(until.checked_sub(time)?).ok()?)))
                        .filter(|(_, bin)| *bin > 0 && [0, *bin].contains(&counts.bin))
                        .ok_or_else(|| {
                            bad(format!("line {line}: spans of time are whole numbers, all equally long"))
                        })?;
                    counts.bin = bin;
                    Some(time)
                }
            };
            let item = items.intern(&row[1]);
            let to = Some(&row[2]).filter(|to| !to.is_empty()).map(|to| items.intern(to));
            counts.cells.push((CountCell { table, item, to, time }, people));
        }
        Ok(Some(CountsFile { counts, items, name, digest: source.digest() }))
    }
}
