//! Why a file cannot be used: where, what, and one way out.
//!
//! Messages name files, lines, columns and items, never the value of a column that belongs to a person: such a
//! value is described by its [`Shape`].

mod help;

use std::fmt;
use std::io;

use thiserror::Error;
use throng_contract::{Cancelled, Help};

use crate::TaxonomyError;
use crate::limits::Limit;

/// A defect of an input file, and its place in it.
#[derive(Debug, Error)]
#[error("{place}{}{defect}", if matches!(**defect, Defect::Cancelled) { "" } else { ": " })]
pub struct InputError {
    /// Where.
    pub place: Box<Spot>,
    /// What.
    #[source]
    pub defect: Box<Defect>,
}

/// A place in an input file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spot {
    /// The file as the user named it; empty when the error belongs to no file.
    pub file: String,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column name, or number when it has none.
    pub column: Option<String>,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file.as_str() {
            "" => {}
            "-" => f.write_str("standard input")?,
            file => write!(f, "`{file}`")?,
        }
        if let Some(line) = self.line {
            write!(f, " line {line}")?;
        }
        match &self.column {
            Some(column) if self.line.is_some() => write!(f, ", column `{column}`"),
            Some(column) => write!(f, " column `{column}`"),
            None => Ok(()),
        }
    }
}

/// What may be said of a person's value without giving it away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Nothing there.
    Empty,
    /// Digits only, perhaps signed: so many characters.
    Digits(usize),
    /// Anything else: so many characters.
    Text(usize),
}

impl Shape {
    /// The shape of a value.
    pub fn of(value: &str) -> Self {
        let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
        match value.chars().count() {
            0 => Shape::Empty,
            length if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                Shape::Digits(length)
            }
            length => Shape::Text(length),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: &usize| if *count == 1 { "" } else { "s" };
        match self {
            Shape::Empty => f.write_str("nothing"),
            Shape::Digits(length) => write!(f, "a number of {length} digit{}", plural(length)),
            Shape::Text(length) => write!(f, "text of {length} character{}", plural(length)),
        }
    }
}

/// The kinds of defects.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum Defect {
    #[error("interrupted")]
    Cancelled,
    #[error("cannot be opened")]
    Open { source: io::Error },
    #[error("its bytes came once and were read already")]
    Spent,
    #[error("{0}")]
    Limit(Limit),
    #[error("reading stopped after {after} bytes")]
    Read { after: u64, source: io::Error },
    #[error("named as {named} data, but its content is not")]
    NotCompressed { named: &'static str },
    #[error("its content is of no known form")]
    UnknownFormat,
    #[error("the file is empty")]
    Empty,
    #[error("a header and no row after it")]
    HeaderOnly,
    #[error("not UTF-8 text: invalid byte at offset {offset}")]
    NotUtf8 { offset: u64 },
    #[error("no text: it looks like {what}")]
    Binary { what: &'static str, help: &'static str },
    #[error("lines end with a carriage return only")]
    CarriageReturns,
    #[error("a carriage return inside a line")]
    CarriageReturn,
    #[error("the delimiter must be one ASCII character other than a quote or a line end")]
    Delimiter,
    #[error("the name occurs twice in the header")]
    DuplicateColumn { flag: Option<&'static str> },
    #[error("no {role} column{}; found {}", of_name(.wanted), columns(.found))]
    MissingColumn {
        role: &'static str,
        flag: Option<&'static str>,
        wanted: Option<String>,
        found: Vec<String>,
        suggestion: Option<String>,
    },
    #[error("{} could each be the {role}", columns(.found))]
    AmbiguousColumn { role: &'static str, flag: Option<&'static str>, found: Vec<String> },
    #[error("one column cannot be both the {first} and the {second}")]
    SameColumn { first: &'static str, second: &'static str },
    #[error("{found} field{} where the header has {expected}", if *.found == 1 { "" } else { "s" })]
    Ragged { expected: usize, found: usize },
    #[error("a quote inside a field that does not begin with one, or text after a closing quote")]
    StrayQuote,
    #[error("a quoted field that begins here is never closed")]
    OpenQuote,
    #[error("the {role} is empty")]
    EmptyField { role: &'static str },
    #[error("expected {expected}, found {found}")]
    Time { expected: &'static str, found: Shape, help: &'static str },
    #[error("a first number in `{first}` and `{second}` may be a day or a month, and {}", decided(*.both))]
    DayOrMonth { both: bool, first: String, second: String },
    #[error("{what}")]
    Question { what: String, help: Help },
    #[error("{what} hold{} no data about people", if *.several { "" } else { "s" })]
    NoPeople { what: &'static str, several: bool, help: &'static str },
    #[error("an archive with {count} files in it")]
    SeveralFiles { count: usize },
    #[error("the archive cannot be read: {what}")]
    Zip { what: String },
    #[error("the workbook cannot be read: {what}")]
    Workbook { what: String },
    #[error("{}", no_sheet(.wanted, .sheets))]
    Sheet { wanted: Option<String>, sheets: Vec<String> },
    #[error("expected one JSON object a line: {what}")]
    Json { what: String },
    #[error("the event log cannot be read: {what}")]
    Xes { what: String },
    #[error("{count} {whose} {} more than one value of it", if *.count == 1 { "has" } else { "have" })]
    Varying { count: usize, whose: &'static str },
    #[error("expected a number, found {found}")]
    Number { found: Shape },
    #[error("{what} must lie between {min} and {max}")]
    Range { what: &'static str, min: f64, max: f64 },
    #[error("{what}")]
    Spmf { what: &'static str, help: &'static str },
    #[error("item `{name}` does not occur in the data")]
    UnknownItem { name: String, suggestion: Option<String> },
    #[error("item `{name}` of the data is not in this file{}", and_others(*.others))]
    MissingItem { name: String, others: usize, what: &'static str },
    #[error("`{name}` was already given on line {first}")]
    Repeated { name: String, first: u64 },
    #[error("the list has an empty entry")]
    EmptyEntry,
    #[error(transparent)]
    Taxonomy(TaxonomyError),
    #[error("this subject was already given on line {first}")]
    RepeatedSubject { first: u64 },
    #[error("this person already has the row of line {first}")]
    RepeatedPerson { first: u64 },
    #[error("this person already has the pattern of line {first}")]
    RepeatedPattern { first: u64 },
    #[error("this subject ({shape}) does not occur in the data")]
    UnknownSubject { shape: Shape },
    #[error("{missing} of the {all} subjects of the data have no row in this file")]
    MissingSubjects { missing: usize, all: usize },
    #[error("{what}")]
    Graph { what: String, help: &'static str },
    #[error("the Parquet file cannot be read: {what}")]
    Parquet { what: String },
    #[error("a column of type {found}; expected {expected}")]
    ParquetType { found: String, expected: &'static str },
    #[error("row {row} has no value")]
    ParquetNull { row: u64 },
}

fn decided(both: bool) -> &'static str {
    if both { "some rows decide for one, some for the other" } else { "no row decides" }
}

fn no_sheet(wanted: &Option<String>, sheets: &[String]) -> String {
    match wanted {
        Some(wanted) => format!("no sheet is called `{wanted}`; there {}", are(sheets)),
        None => format!("more than one sheet holds data: there {}", are(sheets)),
    }
}

fn are(sheets: &[String]) -> String {
    format!("{} {}", if sheets.len() == 1 { "is" } else { "are" }, columns(sheets))
}

fn of_name(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |name| format!(" named `{name}`"))
}

fn columns(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn and_others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", nor is another one".to_owned(),
        count => format!(", nor are {count} others"),
    }
}

/// The limit that a stream reached, which it can tell as a failure to read only.
fn over(error: &io::Error) -> Option<Limit> {
    error.get_ref()?.downcast_ref::<OverLimit>().map(|over| over.0)
}

/// What a stream says that has given as much as it may.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct OverLimit(pub Limit);

impl InputError {
    /// A defect of a file as a whole.
    pub(crate) fn file(file: &str, defect: Defect) -> Self {
        let defect = match defect {
            Defect::Read { source, .. } | Defect::Open { source } if over(&source).is_some() => {
                Defect::Limit(over(&source).unwrap_or(Limit::Unpacked))
            }
            defect => defect,
        };
        InputError {
            place: Box::new(Spot { file: file.to_owned(), line: None, column: None }),
            defect: Box::new(defect),
        }
    }

    /// A defect on a line.
    pub(super) fn line(file: &str, line: u64, defect: Defect) -> Self {
        let mut error = InputError::file(file, defect);
        error.place.line = Some(line);
        error
    }

    /// The same defect, in a named column.
    #[must_use]
    pub(super) fn column(mut self, column: &str) -> Self {
        self.place.column = Some(column.to_owned());
        self
    }
}

impl From<Cancelled> for InputError {
    fn from(_: Cancelled) -> Self {
        InputError::file("", Defect::Cancelled)
    }
}
