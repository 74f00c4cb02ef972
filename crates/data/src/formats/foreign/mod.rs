//! Forms that are rows and columns without being CSV: workbooks, JSON, XES event logs. They become CSV in memory, with a header, and are read
//! as that: one splitter, one set of rules and of errors. What they may take of memory is limited; workbooks are read in a process of their own.

mod apart;
mod archive;
mod json;
mod rows;
mod workbook;
mod xes;

pub use apart::{read_workbook_for_parent, read_workbooks_apart};

use super::encoding::Encoding;
use super::error::{Defect, InputError};
use super::options::{Format, ReadOptions};
use super::source::Source;
use super::stream::Stream;

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
    let (csv, lines) = match foreign {
        Format::Workbook => workbook::to_csv(source.name(), bytes, options.sheet.as_deref()),
        Format::Xes => xes::to_csv(source.name(), &bytes),
        _ => json::to_csv(source.name(), &bytes),
    }?;
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

/// A defect of a file as a whole.
fn refused(file: &str, defect: Defect) -> InputError {
    InputError::file(file, defect)
}
