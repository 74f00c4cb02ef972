//! Rows that show the same in every column that attackers know: all that are published but the sensitive ones.
//!
//! # Cost
//! One look-up for each row and known column: classes by the first columns are split by the next one.

use std::cmp::Ordering;

use hashbrown::HashMap;
use throng_contract::{Cancelled, Progress};
use throng_data::{Cover, RecodedColumn, RecodedTable};

/// The class of a row that says nothing.
const SUPPRESSED: u32 = u32::MAX;

/// A column's cells, numbered by how they are written: cells written alike are the same to a reader, and numbers compare as
/// what is written does.
struct Written<'a> {
    column: &'a RecodedColumn,
    names: Vec<String>,
    /// The number of each cover.
    numbers: Vec<u32>,
}

impl<'a> Written<'a> {
    fn of(column: &'a RecodedColumn) -> Self {
        let written: Vec<String> = column.covers.iter().map(Cover::render).collect();
        let mut names = written.clone();
        names.sort_unstable();
        names.dedup();
        let number = |name: &String| names.partition_point(|other| other < name) as u32;
        let numbers = written.iter().map(number).collect();
        Written { column, names, numbers }
    }

    fn number(&self, row: usize) -> u32 {
        self.numbers[self.column.cells[row] as usize]
    }
}

/// The classes of a table, numbered by their first row.
pub(crate) struct Classes<'a> {
    known: Vec<Written<'a>>,
    /// The first row of each class.
    first: Vec<u32>,
    /// `rows[starts[c]..starts[c + 1]]` are the rows of class `c`, ascending.
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl<'a> Classes<'a> {
    /// Puts the rows of a table that are not suppressed into classes.
    pub fn of(table: &'a RecodedTable, progress: &Progress) -> Result<Self, Cancelled> {
        let known: Vec<Written<'a>> = table.known().map(Written::of).collect();
        let mut class_of = unsuppressed(table);
        let phase = progress.phase("group rows", Some(known.len() as u64));
        let mut numbers: HashMap<u64, u32, foldhash::fast::FixedState> = HashMap::default();
        for column in &known {
            numbers.clear();
            for (row, class) in class_of.iter_mut().enumerate().filter(|(_, class)| **class != SUPPRESSED) {
                let key = u64::from(*class) << 32 | u64::from(column.number(row));
                let next = numbers.len() as u32;
                *class = *numbers.entry(key).or_insert(next);
            }
            phase.advance(1)?;
        }
        Ok(Classes::collect(known, &class_of))
    }

    fn collect(known: Vec<Written<'a>>, class_of: &[u32]) -> Self {
        let classes = class_of.iter().filter(|class| **class != SUPPRESSED).max().map_or(0, |last| last + 1);
        let mut starts = vec![0_u32; classes as usize + 1];
        let placed = || class_of.iter().enumerate().filter(|(_, class)| **class != SUPPRESSED);
        placed().for_each(|(_, class)| starts[*class as usize + 1] += 1);
        for class in 0..classes as usize {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; starts[classes as usize] as usize];
        for (row, class) in placed() {
            rows[next[*class as usize] as usize] = row as u32;
            next[*class as usize] += 1;
        }
        let first = starts.iter().take(classes as usize).map(|start| rows[*start as usize]).collect();
        Classes { known, first, starts, rows }
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// The rows of a class, ascending.
    pub fn rows(&self, class: u32) -> &[u32] {
        &self.rows[self.starts[class as usize] as usize..self.starts[class as usize + 1] as usize]
    }

    /// The rows of all classes.
    pub fn all_rows(&self) -> &[u32] {
        &self.rows
    }

    /// How many people are in a class.
    pub fn size(&self, class: u32) -> u64 {
        self.rows(class).len() as u64
    }

    /// What the rows of a class show, as written: `age=[20,29]`.
    pub fn pattern(&self, class: u32) -> Vec<String> {
        self.shown(self.first[class as usize] as usize)
    }

    /// What a row shows in its known cells, as written.
    pub fn shown(&self, row: usize) -> Vec<String> {
        let cell = |column: &Written<'_>| {
            format!("{}={}", column.column.name, column.names[column.number(row) as usize])
        };
        self.known.iter().map(cell).collect()
    }

    /// The order in which broken classes are listed: size, then what is written.
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        let cells = |class: u32| {
            let row = self.first[class as usize] as usize;
            self.known.iter().map(move |column| column.number(row))
        };
        self.size(a).cmp(&self.size(b)).then_with(|| cells(a).cmp(cells(b)))
    }
}

/// All rows in one class, but for those in which every published cell is suppressed.
fn unsuppressed(table: &RecodedTable) -> Vec<u32> {
    let rows = table.columns.first().map_or(0, |column| column.cells.len());
    let mut class_of = vec![SUPPRESSED; rows];
    for column in &table.columns {
        let suppressed: Vec<bool> =
            column.covers.iter().map(|cover| matches!(cover, Cover::Suppressed)).collect();
        for (class, cell) in class_of.iter_mut().zip(&column.cells) {
            if !suppressed[*cell as usize] {
                *class = 0;
            }
        }
    }
    class_of
}
