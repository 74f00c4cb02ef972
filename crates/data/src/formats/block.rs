//! Cuts a text stream into blocks of whole rows, or the rows of a frame.
//!
//! A block ends at a line end outside quotes, so that blocks can be split into rows independently of each
//! other. Where a quote is out of place the cut may be wrong, but never before the block that holds the quote, and
//! the row splitter refuses that block.

use std::sync::Arc;

use memchr::{memchr_iter, memrchr};

use super::binary;
use super::encoding::Encoding;
use super::error::{Defect, InputError};
use super::foreign::Lines;
use super::frame::{self, CellBlocks, Cells, Frame};
use super::options::Format;
use super::row::{Layout, Rows};
use super::source::Source;
use super::stream::Stream;
use crate::limits::Limit;

/// Bytes in a block, unless one row is longer: large enough to share out, small enough for a core's cache. Some dozens are in
/// memory at a time, as text or parsed.
pub const BLOCK: usize = 1 << 18;

/// Bytes that are looked at to tell the encoding.
const HEAD: usize = 1 << 20;

/// The byte order mark of UTF-8.
const MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// Whole rows of a text file or a frame.
#[derive(Debug)]
pub struct Block {
    /// The rows. Not yet known to be UTF-8.
    pub text: Vec<u8>,
    /// Number of the first line, counted from 1.
    pub line: u64,
    /// Offset of the first byte in the stream.
    pub offset: u64,
    /// Whether there is any quote.
    pub quoted: bool,
    /// The rows in place of text, where they come from a frame.
    cells: Option<Cells>,
}

impl Block {
    /// Walks the rows.
    pub fn rows<'a>(&'a self, file: &str, layout: &'a Layout) -> Result<Rows<'a>, InputError> {
        match &self.cells {
            Some(cells) => Ok(Rows::of_cells(cells, layout)),
            None => Ok(Rows::new(self.text(file)?, layout, self.quoted)),
        }
    }

    /// Whether there is no row.
    pub(super) fn is_blank(&self, file: &str) -> Result<bool, InputError> {
        match &self.cells {
            Some(cells) => Ok(cells.is_empty()),
            None => Ok(self.text(file)?.trim_start_matches(['\n', '\r']).is_empty()),
        }
    }

    /// The text, if it is UTF-8.
    pub fn text(&self, file: &str) -> Result<&str, InputError> {
        std::str::from_utf8(&self.text).map_err(|error| {
            let at = error.valid_up_to();
            InputError::line(file, self.line_at(at), Defect::NotUtf8 { offset: self.offset + at as u64 })
        })
    }

    /// The lines with their numbers, without line ends, for formats without quotes. A carriage return inside a line is
    /// refused: where lines end with it alone, several of them would be read as one.
    pub fn lines(&self, file: &str) -> Result<impl Iterator<Item = (u64, &str)>, InputError> {
        if let Some(at) = stray_return(&self.text) {
            return Err(InputError::line(file, self.line_at(at), Defect::CarriageReturn));
        }
        Ok((self.line..).zip(self.text(file)?.lines()))
    }

    /// The line of a byte of the block, or of a row by its number in the block: of where [`Rows::start`] says that a row begins.
    pub fn line_at(&self, at: usize) -> u64 {
        if let Some(cells) = &self.cells {
            return cells.line_at(at);
        }
        self.line + memchr_iter(b'\n', &self.text[..at]).count() as u64
    }

    /// [`Block::line_at`], where the line of an earlier place is known already.
    pub fn line_after(&self, (known, line): (usize, u64), at: usize) -> u64 {
        match &self.cells {
            Some(cells) => cells.line_at(at),
            None => line + memchr_iter(b'\n', &self.text[known..at]).count() as u64,
        }
    }

    /// Drops the first `bytes` bytes, which end with a line end.
    pub fn skip(&mut self, bytes: usize) {
        self.line = self.line_at(bytes);
        self.offset += bytes as u64;
        self.text.drain(..bytes);
    }
}

/// The first carriage return that is neither before a line feed nor the last byte.
pub(super) fn stray_return(text: &[u8]) -> Option<usize> {
    let ends = |at: usize| text.get(at + 1).is_none_or(|next| *next == b'\n');
    memchr_iter(b'\r', text).find(|at| !ends(*at))
}

/// The blocks of a stream, in order.
#[derive(Debug)]
pub struct Blocks {
    stream: Stream,
    file: String,
    size: usize,
    /// Whether quotes may hide line ends.
    quotes: bool,
    /// The beginning of a row whose end is not read yet.
    rest: Vec<u8>,
    line: u64,
    offset: u64,
    /// Emptied buffers to use again.
    spare: Vec<Vec<u8>>,
    encoding: Encoding,
    /// A row must be in memory as a whole, and a quote that is still open after so many bytes was never meant to be one.
    longest_row: usize,
    /// The rows of a frame, in place of the stream's.
    cells: Option<CellBlocks>,
    /// What the text was made from, and the lines behind its own.
    foreign: Option<Format>,
    lines: Lines,
}

impl Blocks {
    /// The blocks of an input: of CSV, or of a frame.
    pub fn open(source: &Source) -> Result<Self, InputError> {
        if let Some(frame) = source.columns() {
            return Ok(Blocks::of_frame(frame, source.name(), BLOCK));
        }
        let mut stream = source.open()?;
        match frame::of_stream(&mut stream, source.name())? {
            Some(frame) => Ok(Blocks::of_frame(frame, source.name(), BLOCK)),
            None => Blocks::new(stream, source.name(), BLOCK, true),
        }
    }

    /// Starts at the beginning of a stream: finds out how its letters are stored, skips a byte order mark, refuses what is empty.
    pub fn new(mut stream: Stream, file: &str, size: usize, quotes: bool) -> Result<Self, InputError> {
        let head = stream.peek(HEAD)?;
        if head.is_empty() {
            return Err(InputError::file(file, Defect::Empty));
        }
        let encoding = Encoding::guess(&head, head.len() < HEAD);
        if encoding == Encoding::UTF_8 {
            binary::refuse(&head, file)?;
        }
        if encoding != Encoding::UTF_8 {
            stream = stream.decoded(encoding);
        }
        let mut offset = 0;
        if head.starts_with(MARK) {
            offset = MARK.len() as u64;
            stream.read_some(&mut Vec::new(), MARK.len())?;
        }
        let (size, file) = (size.max(1), file.to_owned());
        let longest_row = usize::try_from(Limit::Row.now()).unwrap_or(usize::MAX);
        let (rest, spare) = (Vec::new(), Vec::new());
        Ok(Blocks {
            stream,
            file,
            size,
            quotes,
            rest,
            line: 1,
            offset,
            spare,
            encoding,
            longest_row,
            cells: None,
            foreign: None,
            lines: Lines::default(),
        })
    }

    /// The blocks of a frame.
    pub(super) fn of_frame(frame: Arc<Frame>, file: &str, size: usize) -> Self {
        let cells = CellBlocks::new(frame, size);
        Blocks {
            stream: Stream::of_columns(file, cells.size()),
            file: file.to_owned(),
            size,
            quotes: false,
            rest: Vec::new(),
            line: 1,
            offset: 0,
            spare: Vec::new(),
            encoding: Encoding::UTF_8,
            longest_row: 0,
            cells: Some(cells),
            foreign: None,
            lines: Lines::default(),
        }
    }

    /// Remembers what the text was made from.
    pub(super) fn came_from(&mut self, foreign: Option<Format>, lines: Lines) {
        (self.foreign, self.lines) = (foreign, lines);
    }

    /// What the file is stored as, where that is no text.
    pub fn foreign(&self) -> Option<Format> {
        self.foreign
    }

    /// The line of the file behind a line of the text.
    pub fn own_line(&self, line: u64) -> u64 {
        self.lines.own(line)
    }

    /// The frame whose rows these are.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.cells.as_ref().map(CellBlocks::frame)
    }

    /// The first bytes of the text, at most `limit` of them, which are still to be read.
    pub(crate) fn head(&mut self, limit: usize) -> Result<Vec<u8>, InputError> {
        self.stream.peek(limit)
    }

    /// How the letters of the file are stored.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Says that quotes are letters like others, before anything was read.
    pub(super) fn ignore_quotes(&mut self) {
        self.quotes = false;
    }

    /// Counts lines from another number on: where what is read was made of something else, one line of it an entry.
    pub(super) fn count_lines_from(&mut self, line: u64) {
        self.line = line;
    }

    /// The next block; `None` at the end.
    pub fn next_block(&mut self) -> Result<Option<Block>, InputError> {
        if let Some(cells) = &mut self.cells {
            let Some((cells, bytes)) = cells.next_block() else { return Ok(None) };
            self.stream.count(bytes);
            let line = cells.line_at(0);
            let block = Block { text: Vec::new(), line, offset: 0, quoted: false, cells: Some(cells) };
            return Ok(Some(block));
        }
        let mut text = self.spare.pop().unwrap_or_default();
        text.clear();
        text.append(&mut self.rest);
        let mut wanted = self.size;
        loop {
            let missing = wanted.saturating_sub(text.len()).max(1);
            let ended = self.stream.read_some(&mut text, missing)? < missing;
            if ended && text.is_empty() {
                return Ok(None);
            }
            let end = if ended { Some(text.len()) } else { self.cut(&text) };
            if end.is_none() && text.len() >= self.longest_row {
                return Err(InputError::line(&self.file, self.line, Defect::Limit(Limit::Row)));
            }
            if let Some(end) = end {
                self.rest.extend_from_slice(&text[end..]);
                text.truncate(end);
                let quoted = self.quotes && memchr::memchr(b'"', &text).is_some();
                let block = Block { line: self.line, offset: self.offset, quoted, text, cells: None };
                self.line = block.line_at(block.text.len());
                self.offset += block.text.len() as u64;
                return Ok(Some(block));
            }
            wanted = wanted.saturating_mul(2).min(self.longest_row.max(self.size));
        }
    }

    /// Up to `count` blocks; none at the end.
    pub fn take(&mut self, count: usize) -> Result<Vec<Block>, InputError> {
        let mut blocks = Vec::with_capacity(count);
        while blocks.len() < count {
            match self.next_block()? {
                Some(block) => blocks.push(block),
                None => break,
            }
        }
        Ok(blocks)
    }

    /// Gives a block's buffer back.
    pub fn recycle(&mut self, block: Block) {
        self.spare.push(block.text);
    }

    /// The name for messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The stream underneath.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Just after the last line end outside quotes.
    fn cut(&self, text: &[u8]) -> Option<usize> {
        if !self.quotes {
            return memrchr(b'\n', text).map(|at| at + 1);
        }
        let mut quotes = memchr_iter(b'"', text).count();
        let mut end = text.len();
        while let Some(at) = memrchr(b'\n', &text[..end]) {
            quotes -= memchr_iter(b'"', &text[at..end]).count();
            if quotes.is_multiple_of(2) {
                return Some(at + 1);
            }
            end = at;
        }
        None
    }
}
