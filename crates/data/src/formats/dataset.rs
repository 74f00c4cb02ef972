//! The door for events and tables: looks at a file, and picks its reader.

use throng_contract::{Progress, help};

use super::block::BLOCK;
use super::encoding::Encoding;
use super::error::InputError;
use super::foreign::open_text;
use super::options::{Format, Read, ReadOptions};
use super::parquet::{self, Parquet};
use super::source::Source;
use super::{lined, long, matrix, table, wide};
use crate::EventKind;
use crate::recognize::{self, Proposal, Question, RowKind};

/// A file that was looked at, and read if it holds data of people.
#[derive(Debug, Clone)]
pub struct Opened {
    /// What it was found to be.
    pub proposal: Proposal,
    /// The data; `None` for points, which have to become events first.
    pub read: Option<Read>,
}

/// Reads events, or a table where `options` say that it is one.
///
/// What `options` leave open is found by looking at the file; see [`recognize`]. Reading streams: beside
/// the dataset itself only a few blocks of text are in memory. With any number of threads the result, and the
/// error if there is one, are the same.
pub fn read_dataset(source: &Source, options: &ReadOptions, progress: &Progress) -> Result<Read, InputError> {
    read_in_blocks(source, options, progress, BLOCK)
}

/// Reads events or a table, also where the options do not say which; reads nothing yet where the file holds points.
pub fn open_dataset(
    source: &Source,
    options: &ReadOptions,
    progress: &Progress,
) -> Result<Opened, InputError> {
    open_in_blocks(source, options, progress, BLOCK, true)
}

/// [`read_dataset`] with a chosen block size, so that tests can cut small files into many blocks.
pub(super) fn read_in_blocks(
    source: &Source,
    options: &ReadOptions,
    progress: &Progress,
    block_bytes: usize,
) -> Result<Read, InputError> {
    let opened = open_in_blocks(source, options, progress, block_bytes, false)?;
    opened.read.ok_or_else(|| points(source, &opened.proposal).into_error(source.name()))
}

fn open_in_blocks(
    source: &Source,
    options: &ReadOptions,
    progress: &Progress,
    block_bytes: usize,
    anything: bool,
) -> Result<Opened, InputError> {
    let mut text = open_text(source, options)?;
    if text.foreign == Some(Format::Parquet) {
        // What is left of the stream once its bytes were taken: how much was consumed.
        let (stream, bytes) = text.stream.drained()?;
        match parquet::read(source, bytes, options, anything, progress)? {
            Parquet::Events(events) => {
                let (read, proposal) = *events;
                return Ok(Opened { proposal, read: Some(as_asked(read, options)) });
            }
            Parquet::Rows(csv) => text.stream = stream.replaced(csv),
        }
    }
    let (foreign, lines) = (text.foreign, text.lines.clone());
    let mut blocks = text.blocks(source.name(), block_bytes)?;
    let proposal = recognize::look(&mut blocks, source, foreign, options)?;
    let encoding = options.encoding.unwrap_or(blocks.encoding());
    if let Some(question) = proposal.question.clone() {
        return Err(question.into_error(source.name()));
    }
    let said_table = options.format == Some(Format::Table);
    let read = match (proposal.format, proposal.row) {
        (_, RowKind::Point) => return Ok(Opened { proposal, read: None }),
        (Format::Table, _) if said_table || anything => table::read(blocks, &proposal, progress),
        // A table of which only the file's form was guessed.
        (_, RowKind::Person) if said_table || anything => table::read(blocks, &proposal, progress),
        (Format::Table, _) => return Err(table_question(source).into_error(source.name())),
        (Format::WideCsv, _) => wide::read(blocks, &proposal, progress),
        (Format::Spmf | Format::Fimi | Format::Lines, _) => {
            blocks.ignore_quotes();
            lined::read(blocks, &proposal, progress)
        }
        (Format::Matrix, _) => matrix::read(blocks, &proposal, progress),
        _ if options.wide.is_some() => wide::read(blocks, &proposal, progress),
        _ => long::read(blocks, &proposal, options.subject.as_deref(), progress),
    };
    let mut read = read.map_err(|error| lines.locate(error))?;
    read.shape.format = foreign.filter(|_| read.shape.format != Format::Table).unwrap_or(read.shape.format);
    read.shape.encoding = Some(encoding).filter(|encoding| *encoding != Encoding::UTF_8);
    read.shape.notes.clone_from(&proposal.notes);
    if let Some(encoding) = read.shape.encoding.filter(|_| options.encoding.is_none()) {
        read.shape.notes.push(format!(
            "letters are stored in {}, as far as can be told; the setting `encoding` says otherwise",
            encoding.name()
        ));
    }
    if let Some(format) = read.shape.time_format.clone().filter(|_| options.time_format.is_none()) {
        read.shape.notes.push(format!("times are written \"{format}\""));
    }
    Ok(Opened { proposal, read: Some(as_asked(read, options)) })
}

/// Drops the order where the user said that it means nothing.
fn as_asked(mut read: Read, options: &ReadOptions) -> Read {
    if options.sets && read.dataset.events.kind() == EventKind::Sequence {
        read.dataset.events = read.dataset.events.as_sets();
    }
    read
}

/// Why points are no data yet.
fn points(source: &Source, proposal: &Proposal) -> Question {
    Question {
        about: "item",
        what: "points with coordinates, and no column that could be the item".to_owned(),
        candidates: Vec::new(),
        answers: vec![
            help!("turn them into events first: `$`", proposal.prepare_command(source.name())),
            "if a column is the item, say {item COLUMN}".into(),
        ],
    }
}

/// Why a table has to be called one.
fn table_question(source: &Source) -> Question {
    let name = source.name();
    Question {
        about: "input-format",
        what: "a row seems to be a person: no item column found".to_owned(),
        candidates: Vec::new(),
        answers: vec![
            help!("say what attackers may know with {quasi COLUMNS}, and see {throng inspect $}", name),
            "if a row is an event, name its columns with {subject COLUMN} {item COLUMN}".into(),
        ],
    }
}
