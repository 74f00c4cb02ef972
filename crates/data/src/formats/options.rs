//! What a reader is told, and what it says it did.

use serde::Serialize;

use super::error::{Defect, InputError};
use super::source::Source;
use crate::{ColumnKind, Dataset};

/// The forms of events files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A header and one row an event.
    LongCsv,
    /// A header and one row a record, one column holding its items.
    WideCsv,
    /// `3 -1 5 -1 -2` a line.
    Spmf,
    /// Items separated by blanks, a line a record.
    Fimi,
    /// Columns of the long form, or a list column.
    Parquet,
    /// A header and one row a person, without events.
    Table,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::LongCsv, Format::WideCsv, Format::Spmf, Format::Fimi, Format::Parquet, Format::Table];

    /// The name users type after `--input-format`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::LongCsv => "long-csv",
            Format::WideCsv => "wide-csv",
            Format::Spmf => "spmf",
            Format::Fimi => "fimi",
            Format::Parquet => "parquet",
            Format::Table => "table",
        }
    }

    /// The format of that name; `csv` means the long form.
    pub fn parse(name: &str) -> Option<Format> {
        if name == "csv" {
            return Some(Format::LongCsv);
        }
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format a source most likely has: by extension, and CSV for what comes through a pipe.
    pub(super) fn guess(source: &Source, options: &ReadOptions) -> Result<Format, InputError> {
        let csv = if options.wide.is_some() { Format::WideCsv } else { Format::LongCsv };
        if let Some(format) = options.format {
            return Ok(if format == Format::LongCsv { csv } else { format });
        }
        match source.extension().as_deref() {
            Some("csv" | "tsv") => Ok(csv),
            Some("txt" | "spmf") => Ok(Format::Spmf),
            Some("dat" | "fimi") => Ok(Format::Fimi),
            Some("parquet" | "pq") => Ok(Format::Parquet),
            _ if source.name() == "-" || source.is_unnamed() => Ok(csv),
            _ => Err(InputError::file(source.name(), Defect::UnknownFormat)),
        }
    }
}

/// How to read a file; everything not given is guessed from its name and header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format.
    pub format: Option<Format>,
    /// Column of the person.
    pub subject: Option<String>,
    /// Column of the record (trip, visit).
    pub record: Option<String>,
    /// Column of the item.
    pub item: Option<String>,
    /// Column of the time.
    pub time: Option<String>,
    /// Column that holds all items of a record: the file is in the wide form.
    pub wide: Option<String>,
    /// What separates items in the wide column; a blank unless given.
    pub separator: Option<char>,
    /// What separates columns; guessed from the header unless given.
    pub delimiter: Option<u8>,
    /// How times are written, in the letters of `strptime`.
    pub time_format: Option<String>,
    /// Whether order means nothing: events are read as sets.
    pub sets: bool,
    /// Types of the columns of a table, where they are not to be guessed.
    pub types: Vec<(String, ColumnKind)>,
}

/// How the times of a file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeKind {
    /// Whole numbers, in whatever unit.
    Whole,
    /// ISO-8601 without a zone, read as UTC; seconds since 1970.
    Local,
    /// ISO-8601 with a zone; seconds since 1970.
    Zoned,
    /// As `time_format` says; seconds since 1970.
    Formatted,
}

/// The columns that were used, by role.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Roles {
    /// The person; `None` when every record is a person of its own.
    pub subject: Option<String>,
    /// The record; `None` when all events of a person are one record.
    pub record: Option<String>,
    /// The item; `None` in formats without columns.
    pub item: Option<String>,
    /// The time; `None` when file order is the order.
    pub time: Option<String>,
}

/// What a reader did with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadShape {
    /// The format that was read.
    pub format: Format,
    /// Bytes read, after decompression.
    pub bytes: u64,
    /// The columns that were used.
    pub roles: Roles,
    /// Columns without a role: not read.
    pub ignored: Vec<String>,
    /// How times are written, if there are any.
    pub time: Option<TimeKind>,
}

/// A dataset and what its file looked like.
#[derive(Debug, Clone)]
pub struct Read {
    /// The data.
    pub dataset: Dataset,
    /// How it was read.
    pub shape: ReadShape,
}
