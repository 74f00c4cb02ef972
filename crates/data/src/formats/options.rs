//! What a reader is told, and what it says it did.

use serde::{Deserialize, Serialize};

use super::encoding::Encoding;
use crate::{ColumnKind, Dataset};

/// The forms of events files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Items in order, a line a record, separated by blanks or another sign.
    Lines,
    /// A row a record and a column an item: how often it occurs.
    Matrix,
    /// An object a row.
    Json,
    /// An event log in XML.
    Xes,
    /// A sheet of a workbook.
    Workbook,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 11] = [
        Format::LongCsv,
        Format::WideCsv,
        Format::Spmf,
        Format::Fimi,
        Format::Parquet,
        Format::Table,
        Format::Lines,
        Format::Matrix,
        Format::Json,
        Format::Xes,
        Format::Workbook,
    ];

    /// The names that users type after `--input-format`, in the same order.
    pub const NAMES: [&'static str; Format::ALL.len()] = {
        let mut names = [""; Format::ALL.len()];
        let mut place = 0;
        while place < names.len() {
            names[place] = Format::ALL[place].name();
            place += 1;
        }
        names
    };

    /// The name users type after `--input-format`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::LongCsv => "long-csv",
            Format::WideCsv => "wide-csv",
            Format::Spmf => "spmf",
            Format::Fimi => "fimi",
            Format::Parquet => "parquet",
            Format::Table => "table",
            Format::Lines => "lines",
            Format::Matrix => "matrix",
            Format::Json => "json",
            Format::Xes => "xes",
            Format::Workbook => "workbook",
        }
    }

    /// The format of that name; `csv` means the long form, `xlsx` and `ods` a workbook, `jsonl` JSON.
    pub fn parse(name: &str) -> Option<Format> {
        match name {
            "csv" => return Some(Format::LongCsv),
            "xlsx" | "ods" | "xls" => return Some(Format::Workbook),
            "jsonl" | "json-lines" => return Some(Format::Json),
            _ => {}
        }
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// How to read a file; everything not given is guessed from its name and header.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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
    /// Column of the date, where the time is a time of day.
    pub date: Option<String>,
    /// Whether no column is a time: the order of the file is the order.
    pub no_time: bool,
    /// Whether the first line is a row.
    pub no_header: bool,
    /// How the letters of the file are stored.
    pub encoding: Option<Encoding>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// Columns of the events that belong to the person.
    pub attributes: Vec<String>,
    /// Column of the latitude of the item.
    pub lat: Option<String>,
    /// Column of the longitude of the item.
    pub lon: Option<String>,
    /// Column of the x coordinate of the item.
    pub x: Option<String>,
    /// Column of the y coordinate of the item.
    pub y: Option<String>,
    /// Column of the category of the item.
    pub category: Option<String>,
    /// Whether the first value counts where a person or an item has several.
    pub first_value: bool,
}

impl ReadOptions {
    /// Whether columns of the events say where items are.
    pub fn has_places(&self) -> bool {
        [&self.lat, &self.lon, &self.x, &self.y].iter().any(|column| column.is_some())
    }
}

/// How the times of a file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeKind {
    /// Whole numbers, in whatever unit.
    Whole,
    /// Numbers with fractions, which are cut off once events are in order.
    Fraction,
    /// ISO-8601 without a zone, read as UTC; seconds since 1970.
    Local,
    /// ISO-8601 with a zone; seconds since 1970.
    Zoned,
    /// Times of day; seconds since midnight.
    Clock,
    /// As `time_format` says, or in another form that was found; seconds since 1970.
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
    /// The form of the times in the letters of `strptime`, where it is neither a number nor ISO-8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_format: Option<String>,
    /// How the letters of the file are stored, unless in UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// What was decided while reading without having been told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl ReadShape {
    /// What was read, without columns.
    pub(super) fn of(format: Format, bytes: u64) -> Self {
        ReadShape {
            format,
            bytes,
            roles: Roles::default(),
            ignored: Vec::new(),
            time: None,
            time_format: None,
            encoding: None,
            notes: Vec::new(),
        }
    }
}

/// A dataset and what its file looked like.
#[derive(Debug, Clone)]
pub struct Read {
    /// The data.
    pub dataset: Dataset,
    /// How it was read.
    pub shape: ReadShape,
}
