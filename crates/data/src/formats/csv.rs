//! Small CSV files, a row at a time.

use super::block::{Block, Blocks};
use super::error::{Defect, InputError};
use super::header::{Framing, Header};
use super::row::{Layout, Rows, name};
use super::source::Source;

/// A CSV file whose header was read.
pub(super) struct CsvFile {
    pub header: Header,
    first: Option<Block>,
    blocks: Blocks,
}

/// The fields of one row.
pub(super) struct Row<'a> {
    header: &'a Header,
    line: u64,
    rows: &'a Rows<'a>,
}

impl CsvFile {
    /// Reads the header.
    pub fn open(source: &Source, delimiter: Option<u8>) -> Result<Self, InputError> {
        let mut blocks = Blocks::open(source)?;
        let (header, first) = Header::read(&mut blocks, delimiter)?;
        Ok(CsvFile { header, first: Some(first), blocks })
    }

    /// Takes the header off a file that was looked at.
    pub fn framed(mut blocks: Blocks, framing: Framing) -> Result<Self, InputError> {
        let (header, first) = Header::read_as(&mut blocks, framing)?;
        Ok(CsvFile { header, first: Some(first), blocks })
    }

    /// Decompressed bytes that were read.
    pub fn bytes(&self) -> u64 {
        self.blocks.stream().delivered()
    }

    /// Calls `each` with every row; no row at all is an error.
    pub fn for_each_row(
        &mut self,
        mut each: impl FnMut(&Row<'_>) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let header = &self.header;
        let layout = Layout::all(header.delimiter, header.names.len());
        let mut any = false;
        let mut next = self.first.take();
        while let Some(block) = next {
            let mut rows = block.rows(&header.file, &layout)?;
            let locate = |(at, defect)| InputError::line(&header.file, block.line_at(at), defect);
            let mut known = (0, block.line);
            while rows.advance().map_err(locate)? {
                any = true;
                let line = block.line_after(known, rows.start());
                known = (rows.start(), line);
                each(&Row { header, line, rows: &rows })?;
            }
            self.blocks.recycle(block);
            next = self.blocks.next_block()?;
        }
        if any { Ok(()) } else { Err(InputError::file(&header.file, Defect::HeaderOnly)) }
    }
}

impl Row<'_> {
    /// The text of a column.
    pub fn field(&self, column: usize) -> &str {
        self.rows.field(column)
    }

    /// The name in a column, which must not be empty.
    pub fn filled(&self, column: usize, role: &'static str) -> Result<&str, InputError> {
        match name(self.field(column)) {
            "" => Err(self.error(column, Defect::EmptyField { role })),
            text => Ok(text),
        }
    }

    /// The line the row begins on.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// A defect of a column of this row.
    pub fn error(&self, column: usize, defect: Defect) -> InputError {
        InputError::line(&self.header.file, self.line, defect).column(&self.header.label(column))
    }
}
