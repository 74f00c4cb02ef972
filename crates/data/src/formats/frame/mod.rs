//! A table in memory: named, dictionary-coded columns of text. A source of data like a file.
//!
//! Readers take the cells of a frame where they would take the fields of a line, so that one set of rules reads both: no text is
//! rendered or split. A frame also has a form as a file (`file`), in which it goes to another process.
//!
//! # Guarantees
//! Read as a dataset, a frame gives what its rendering as CSV gives ([`Frame::to_csv`]); but its first row is never taken for the
//! names of the columns, nor they for a row.

mod cells;
mod csv;
mod file;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(super) use cells::{CellBlocks, CellRows, Cells};
pub(super) use file::of_stream;

use super::digest::Digest;
use crate::Dictionary;

/// A column of text.
#[derive(Debug, Clone)]
pub struct FrameColumn {
    /// Its name; empty where it has none.
    pub name: String,
    /// The distinct values, perhaps with some that no row has.
    pub values: Arc<Dictionary>,
    /// The number of the value of each row.
    pub codes: Arc<Vec<u32>>,
}

impl FrameColumn {
    /// A column of that name.
    pub fn new(name: String, values: Dictionary, codes: Vec<u32>) -> Self {
        FrameColumn { name, values: Arc::new(values), codes: Arc::new(codes) }
    }

    /// The text of a cell; empty where there is no such row.
    #[inline]
    pub fn text(&self, row: usize) -> &str {
        self.codes.get(row).map_or("", |code| self.values.name(*code))
    }
}

/// Columns of one length. Copies share them.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    columns: Vec<FrameColumn>,
    /// The rows that are there, ascending, unless all are.
    kept: Option<Arc<Vec<u32>>>,
    /// The line of each row in the file that the columns were read from, unless each row is a line below a line of names.
    lines: Option<Arc<Vec<u32>>>,
    rows: usize,
}

impl Frame {
    /// All rows of some columns, as far as all of them go.
    pub fn new(columns: Vec<FrameColumn>) -> Self {
        let rows = columns.iter().map(|column| column.codes.len()).min().unwrap_or(0);
        Frame { columns, kept: None, lines: None, rows }
    }

    /// The same without the other rows. Numbers of rows ascend.
    #[must_use]
    pub fn keep(mut self, kept: Vec<u32>) -> Self {
        self.rows = kept.len();
        self.kept = Some(Arc::new(kept));
        self
    }

    /// The same with the line of each row, dropped ones included, in the file that it was read from: errors name it.
    #[must_use]
    pub fn at_lines(mut self, lines: Arc<Vec<u32>>) -> Self {
        self.lines = Some(lines);
        self
    }

    /// The columns. Some of their rows may have been dropped.
    pub fn columns(&self) -> &[FrameColumn] {
        &self.columns
    }

    /// The names of the columns, as a reader of a line of names takes them.
    pub(crate) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.trim().to_owned()).collect()
    }

    /// The first rows, at most so many, and about as many as a text of so many bytes has.
    pub(crate) fn sample(&self, rows: usize, bytes: usize) -> Vec<Vec<String>> {
        let mut left = bytes;
        let rows = (0..self.rows.min(rows)).map_while(|row| {
            let place = self.place(row);
            let cells: Vec<String> =
                self.columns.iter().map(|column| column.text(place).to_owned()).collect();
            left = left.checked_sub(cells.iter().map(|cell| cell.len() + 1).sum())?;
            Some(cells)
        });
        rows.collect()
    }

    /// How many rows are there.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// SHA-256 of the frame as a file. Frames with the same names and the same text in the same order have the same, however they came about.
    pub fn digest(&self) -> Digest {
        Digest::of_written(|out| self.write(out))
    }

    /// The place in the columns of the `n`th row that is there.
    #[inline]
    fn place(&self, n: usize) -> usize {
        match &self.kept {
            None => n,
            Some(kept) => kept.get(n).map_or(usize::MAX, |row| *row as usize),
        }
    }

    /// The line of the `n`th row that is there.
    fn line(&self, n: usize) -> u64 {
        let place = self.place(n);
        match self.lines.as_ref().and_then(|lines| lines.get(place)) {
            Some(line) => u64::from(*line),
            None => (place as u64).saturating_add(FIRST_LINE),
        }
    }

    /// Bytes of the codes of so many rows: what there is to read.
    fn size(&self, rows: usize) -> u64 {
        (rows * self.columns.len() * size_of::<u32>()) as u64
    }
}

/// The line of the first row below a line of names.
const FIRST_LINE: u64 = 2;
