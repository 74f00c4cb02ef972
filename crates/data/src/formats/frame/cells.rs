//! The rows of a frame, block by block, for the readers of rows of fields.

use std::sync::Arc;

use super::{Frame, FrameColumn};

/// Cells in a block: as many as a block of text has, roughly.
const CELLS: usize = 1 << 17;

/// Some rows of a frame, one after the other.
#[derive(Debug, Clone)]
pub struct Cells {
    frame: Arc<Frame>,
    from: usize,
    to: usize,
}

impl Cells {
    /// The line of a row, counted from the first one.
    pub fn line_at(&self, row: usize) -> u64 {
        self.frame.line(self.from + row)
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// Walks the rows; `columns` says which column is read into each slot.
    pub fn rows(&self, columns: impl Iterator<Item = usize>) -> CellRows<'_> {
        let columns = columns.filter_map(|column| self.frame.columns.get(column)).collect();
        CellRows { frame: &self.frame, columns, next: self.from, cells: self, place: usize::MAX }
    }
}

/// Walks rows of a frame.
#[derive(Debug)]
pub struct CellRows<'a> {
    frame: &'a Frame,
    columns: Vec<&'a FrameColumn>,
    cells: &'a Cells,
    /// The row after this one.
    next: usize,
    /// Where the cells of this row are.
    place: usize,
}

impl CellRows<'_> {
    /// Moves to the next row; `false` at the end.
    pub fn advance(&mut self) -> bool {
        if self.next == self.cells.to {
            return false;
        }
        self.place = self.frame.place(self.next);
        self.next += 1;
        true
    }

    /// A cell of the current row.
    #[inline]
    pub fn field(&self, slot: usize) -> &str {
        self.columns.get(slot).map_or("", |column| column.text(self.place))
    }

    /// The number of the current row, counted from the first one.
    pub fn start(&self) -> usize {
        (self.next - self.cells.from).saturating_sub(1)
    }
}

/// The blocks of a frame, in order.
#[derive(Debug)]
pub struct CellBlocks {
    frame: Arc<Frame>,
    next: usize,
    /// Rows in a block.
    rows: usize,
    begun: bool,
}

impl CellBlocks {
    /// Starts before the first row. `bytes` is the size of blocks of text that tests make smaller.
    pub fn new(frame: Arc<Frame>, bytes: usize) -> Self {
        let rows = (CELLS / frame.columns.len().max(1)).clamp(1, bytes.max(1));
        CellBlocks { frame, next: 0, rows, begun: false }
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The next block, and how many bytes that is; `None` at the end. A frame without a row has one block without any.
    pub fn next_block(&mut self) -> Option<(Cells, u64)> {
        if self.begun && self.next == self.frame.len() {
            return None;
        }
        let (from, to) = (self.next, (self.next + self.rows).min(self.frame.len()));
        (self.begun, self.next) = (true, to);
        Some((Cells { frame: Arc::clone(&self.frame), from, to }, self.frame.size(to - from)))
    }

    /// Bytes of all blocks together.
    pub fn size(&self) -> u64 {
        self.frame.size(self.frame.len())
    }
}
