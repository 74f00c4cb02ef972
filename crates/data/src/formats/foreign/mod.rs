//! Forms that are rows and columns without being CSV: workbooks, JSON, XES event logs. They become CSV in memory, with a header, and are read
//! as that: one splitter, one set of rules and of errors. What they may take of memory is limited.

mod json;
mod workbook;
mod xes;

use std::collections::BTreeMap;

use super::encoding::Encoding;
use super::error::{Defect, InputError};
use super::options::{Format, ReadOptions};
use super::sink::write_row;
use super::source::{Source, Stream};

/// Bytes that are looked at to tell the form.
const HEAD: usize = 64 << 10;

/// A file opened as text: CSV or lines.
pub struct OpenText {
    /// The text.
    pub stream: Stream,
    /// What it was, if it was something else.
    pub foreign: Option<Format>,
    /// The line of the file behind each line of the text, where it is another one; for messages.
    pub(crate) lines: Lines,
}

/// Which lines of a file the lines of a text were made from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines(Vec<u64>);

impl Lines {
    /// The same error at the line of the file itself.
    pub fn locate(&self, mut error: InputError) -> InputError {
        if let Some(line) = error.place.line
            && let Some(own) = usize::try_from(line).ok().and_then(|line| self.0.get(line.checked_sub(1)?))
        {
            error.place.line = Some(*own);
        }
        error
    }

    /// Whether lines of the text are those of the file, or nothing is known of them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Opens a file of events or a table as text, whatever it is stored as; Parquet alone stays what it is. Of `options`, `format`, `encoding` and
/// `sheet` are used.
pub fn open_text(source: &Source, options: &ReadOptions) -> Result<OpenText, InputError> {
    let mut stream = source.open()?;
    // UTF-8 is what is read: bytes that are none are to be refused, and not replaced.
    if let Some(encoding) = options.encoding.filter(|encoding| *encoding != Encoding::UTF_8) {
        stream = stream.decoded(encoding);
    }
    let head = stream.peek(HEAD)?;
    let Some(foreign) =
        options.format.filter(|format| is_foreign(*format)).or_else(|| guess(&head, source, options))
    else {
        return Ok(OpenText { stream, foreign: None, lines: Lines::default() });
    };
    if foreign == Format::Parquet {
        return Ok(OpenText { stream, foreign: Some(foreign), lines: Lines::default() });
    }
    let bytes = stream.read_within()?;
    let rows = match foreign {
        Format::Workbook => workbook::rows(source.name(), bytes, options.sheet.as_deref()),
        Format::Xes => xes::rows(source.name(), &bytes),
        _ => json::rows(source.name(), &bytes),
    }?;
    let (csv, lines) = rows.into_csv();
    Ok(OpenText { stream: stream.replaced(csv), foreign: Some(foreign), lines })
}

fn is_foreign(format: Format) -> bool {
    matches!(format, Format::Workbook | Format::Xes | Format::Json | Format::Parquet)
}

/// By the first bytes, unless the user said that it is something else.
fn guess(head: &[u8], source: &Source, options: &ReadOptions) -> Option<Format> {
    // What the user said stands; that it is a table says nothing of how it is stored.
    if options.format.is_some_and(|format| format != Format::Table) {
        return None;
    }
    if head.starts_with(b"PAR1") || matches!(source.extension().as_deref(), Some("parquet" | "pq")) {
        return Some(Format::Parquet);
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return Some(Format::Workbook);
    }
    let text = head.trim_ascii_start();
    let text = text.strip_prefix(&[0xef, 0xbb, 0xbf][..]).unwrap_or(text);
    match text.first() {
        Some(b'{') => Some(Format::Json),
        Some(b'[') if text[1..].trim_ascii_start().starts_with(b"{") => Some(Format::Json),
        Some(b'<') => {
            let log = memchr::memmem::find(text, b"<log").is_some();
            log.then_some(Format::Xes)
        }
        _ => None,
    }
}

/// Rows with values by the names of their columns.
#[derive(Default)]
struct Rows {
    names: Vec<String>,
    numbers: BTreeMap<String, usize>,
    cells: Vec<Vec<(usize, String)>>,
    /// The line of the file at which each row begins; empty where the form has no lines.
    lines: Vec<u64>,
}

impl Rows {
    /// The number of a column, which is there from now on.
    fn column(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// All rows as CSV below a header, and where its lines come from. A name or value may hold anything, and is quoted where it has to be.
    fn into_csv(self) -> (Vec<u8>, Lines) {
        let (mut csv, mut lines) = (Vec::new(), Vec::new());
        let mut fields = vec![String::new(); self.names.len()];
        // A value that holds line ends takes several lines.
        let mut written = 0;
        let mut from = |line: Option<&u64>, csv: &[u8]| {
            let count = memchr::memchr_iter(b'\n', &csv[written..]).count();
            lines.extend(line.into_iter().flat_map(|line| std::iter::repeat_n(*line, count)));
            written = csv.len();
        };
        // Writing to a `Vec` cannot fail.
        let _ = write_row(&mut csv, self.names.iter().map(String::as_str));
        from(self.lines.first(), &csv);
        for (number, row) in self.cells.into_iter().enumerate() {
            fields.iter_mut().for_each(String::clear);
            for (column, value) in row {
                fields[column] = value;
            }
            let _ = write_row(&mut csv, fields.iter().map(String::as_str));
            from(self.lines.get(number), &csv);
        }
        (csv, Lines(lines))
    }
}

/// A defect of a file as a whole.
fn refused(file: &str, defect: Defect) -> InputError {
    InputError::file(file, defect)
}
