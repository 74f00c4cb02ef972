//! A column of numbers or dates: ranges are its cells.

use throng_data::{ColumnKind, Cover, DeclaredRange, position};

use super::super::public::{Cell, Grid};

/// Numbers or dates, ascending by code.
#[derive(Debug, Clone)]
pub struct Line {
    /// Where each value lies; a missing value, which is the last, is `NaN`.
    pub positions: Vec<f64>,
    width: f64,
    /// Where ranges may begin and end, if not with the values themselves.
    pub(super) public: Option<Public>,
}

/// The cells of a grid by code.
#[derive(Debug, Clone)]
pub(super) struct Public {
    cells: Vec<Option<Cell>>,
    /// Where the cell of each code begins and ends.
    ends: Vec<(f64, f64)>,
    /// The smallest and the largest code of each code's cell.
    codes: Vec<(u32, u32)>,
}

impl Line {
    pub(super) fn new(positions: Vec<f64>) -> Line {
        let mut known = positions.iter().copied().filter(|at| !at.is_nan());
        let low = known.next().unwrap_or(0.0);
        let width = known.next_back().unwrap_or(low) - low;
        Line { positions, width, public: None }
    }

    /// Whether the code stands for a missing value.
    pub fn is_missing(&self, code: u32) -> bool {
        self.positions[code as usize].is_nan()
    }

    pub(super) fn loss(&self, low: u32, high: u32) -> f64 {
        let (from, to) = match &self.public {
            Some(public) => (public.ends[low as usize].0, public.ends[high as usize].1),
            None => (self.positions[low as usize], self.positions[high as usize]),
        };
        let wide = to - from;
        // A cell that covers numbers and a missing value says nothing.
        if wide.is_nan() { 1.0 } else { (wide / self.width).min(1.0) }
    }

    /// The smallest and the largest code whose range begins and ends like that of this code alone.
    pub fn cell(&self, code: u32) -> (u32, u32) {
        self.public.as_ref().map_or((code, code), |public| public.codes[code as usize])
    }
}

impl Public {
    /// Without a grid, and for a value that is in no cell of it, a range says nothing.
    pub(super) fn of(declared: Option<&DeclaredRange>, values: &[String], kind: ColumnKind) -> Public {
        let grid = Grid::of(kind, values, declared);
        let cell = |value: &String| {
            let cell = grid?.cell(value)?;
            Some(match declared {
                Some(range) => cell.within(range, kind),
                None => cell,
            })
        };
        let cells: Vec<Option<Cell>> = values.iter().map(cell).collect();
        let at = |text: &String| position(text, kind).unwrap_or(f64::NAN);
        let ends = |cell: &Option<Cell>| match cell {
            Some(cell) => (at(&cell.low), at(&cell.high)),
            None => (f64::NAN, f64::NAN),
        };
        let ends = cells.iter().map(ends).collect();
        let mut codes: Vec<(u32, u32)> = Vec::with_capacity(cells.len());
        for run in cells.chunk_by(|a, b| a.is_some() && a == b) {
            let first = codes.len() as u32;
            codes.extend(run.iter().map(|_| (first, first + run.len() as u32 - 1)));
        }
        Public { cells, ends, codes }
    }

    /// The cells from one code to another.
    pub(super) fn range(&self, low: u32, high: u32) -> Cover {
        match (&self.cells[low as usize], &self.cells[high as usize]) {
            (Some(from), Some(to)) => Cover::Range { low: from.low.clone(), high: to.high.clone() },
            _ => Cover::Suppressed,
        }
    }
}
