//! The working table: every cell of the file, dictionary-coded, as people see and edit it.
//!
//! Rows are numbered by their place in the file and keep their number whatever is deleted. Copies share what no edit
//! touched, so that an answer under way keeps what it looked at while the user edits, and so that whatever was derived from
//! an untouched column still holds.

mod child;
mod edit;
mod export;
mod read;
mod window;
mod wire;

use std::sync::Arc;

use throng_data::formats::{Format, Frame};

pub use child::{COMMAND as READ_TABLE, read_for_parent};
pub use edit::{Edit, Inverse};
pub use export::write_protected;
pub use read::{read, read_as};
pub use throng_data::formats::FrameColumn as WorkingColumn;
pub use window::{Order, Window};

/// A table of text.
#[derive(Debug, Clone, Default)]
pub struct WorkingTable {
    /// The columns, in file order.
    pub columns: Vec<WorkingColumn>,
    /// What separates fields, if the file has fields.
    pub delimiter: Option<u8>,
    /// What the file is stored as, where that is no text.
    pub stored: Option<Format>,
    /// What the program decided in reading it and the user did not say.
    pub notes: Arc<Vec<String>>,
    /// The line of the file on which each row begins, unless each row is a line below the names of the columns.
    lines: Option<Arc<Vec<u32>>>,
    rows: usize,
    /// Rows that were deleted; empty when none was.
    deleted: Arc<Vec<bool>>,
    alive: usize,
}

impl WorkingTable {
    /// A table with these columns, all of the same length.
    pub fn new(columns: Vec<WorkingColumn>, delimiter: Option<u8>) -> Self {
        let rows = columns.first().map_or(0, |column| column.codes.len());
        WorkingTable { columns, delimiter, rows, alive: rows, ..WorkingTable::default() }
    }

    /// Some columns, without deleted rows, for readers. Errors name the lines of the file.
    pub fn frame(&self, columns: impl IntoIterator<Item = usize>) -> Frame {
        let columns = columns.into_iter().filter_map(|column| self.columns.get(column).cloned());
        let frame = Frame::new(columns.collect());
        let frame = match &self.lines {
            Some(lines) => frame.at_lines(Arc::clone(lines)),
            None => frame,
        };
        match self.deleted.is_empty() {
            true => frame,
            false => frame.keep(self.rows().map(|row| row as u32).collect()),
        }
    }

    /// All columns, as [`WorkingTable::frame`].
    pub fn whole_frame(&self) -> Frame {
        self.frame(0..self.columns.len())
    }

    /// Rows that were not deleted.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Whether a row is there.
    pub fn holds(&self, row: usize) -> bool {
        row < self.rows && !self.deleted.get(row).copied().unwrap_or(false)
    }

    /// The rows that are there, in file order.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows).filter(|row| self.holds(*row))
    }

    /// Whether a column has the same cells, and the same rows are there, as in another state of the table.
    pub fn same_cells(&self, other: &WorkingTable, column: usize) -> bool {
        let (Some(own), Some(others)) = (self.columns.get(column), other.columns.get(column)) else {
            return false;
        };
        Arc::ptr_eq(&own.codes, &others.codes)
            && Arc::ptr_eq(&own.values, &others.values)
            && Arc::ptr_eq(&self.deleted, &other.deleted)
    }

    /// The column of that name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// How often each value of a column occurs.
    pub fn tally(&self, column: usize) -> Vec<u64> {
        let column = &self.columns[column];
        let mut counts = vec![0; column.values.len()];
        if self.deleted.is_empty() {
            column.codes.iter().for_each(|code| counts[*code as usize] += 1);
        } else {
            self.rows().for_each(|row| counts[column.codes[row] as usize] += 1);
        }
        counts
    }
}
