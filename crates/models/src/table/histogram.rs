//! How often each value of a sensitive column occurs.
//!
//! A sensitive cell that is no single value (suppressed alone, or generalised) may be anything; checkers assume the worst
//! of it. A missing value is left out, unless a reader asks for it to count as a value ([`MISSING`]).

use throng_contract::Key;
use throng_data::{Cover, RecodedColumn, RecodedTable, Role};

use crate::choices::MissingValue;

/// What a missing sensitive value counts as.
pub(super) const MISSING: Key<MissingValue> =
    Key::choice(
        "missing",
        "missing sensitive values: left-out: they do not count, known values must do alone; value: one more value",
    )
    .or("left-out");

/// What a cell says.
#[derive(Clone, Copy)]
enum Cell {
    /// The value of that number.
    Value(u32),
    /// It may be several values.
    Unknown,
    /// It is missing, and left out.
    Missing,
}

/// The values of a sensitive column, numbered in order of their names.
pub(super) struct Values<'a> {
    pub column: &'a RecodedColumn,
    pub names: Vec<&'a str>,
    /// What each cover says.
    cells: Vec<Cell>,
}

/// The sensitive columns of a table.
pub(super) fn sensitive<'a>(
    table: &'a RecodedTable,
    missing: MissingValue,
) -> impl Iterator<Item = Values<'a>> {
    let leave_out = missing == MissingValue::LeftOut;
    let columns = table.columns.iter().filter(|column| column.role == Role::Sensitive);
    columns.map(move |column| Values::of(column, leave_out))
}

impl<'a> Values<'a> {
    fn of(column: &'a RecodedColumn, leave_out: bool) -> Self {
        let is_missing = |cover: &Cover| leave_out && matches!(cover, Cover::Value(name) if name.is_empty());
        let name = |cover: &'a Cover| match cover {
            Cover::Value(name) if !is_missing(cover) => Some(name.as_str()),
            _ => None,
        };
        let mut names: Vec<&str> = column.covers.iter().filter_map(name).collect();
        names.sort_unstable();
        names.dedup();
        let number = |name: &str| names.partition_point(|other| *other < name) as u32;
        let cell = |cover: &'a Cover| match name(cover) {
            Some(name) => Cell::Value(number(name)),
            None if is_missing(cover) => Cell::Missing,
            None => Cell::Unknown,
        };
        let cells = column.covers.iter().map(cell).collect();
        Values { column, names, cells }
    }

    /// What a reader should know of missing values; nothing where none was left out.
    pub fn note(&self, rows: &[u32], without_a_value: u64) -> Option<String> {
        let missing = self.count(rows).missing;
        let classes = match without_a_value {
            0 => String::new(),
            1 => "; 1 class has no other value".to_owned(),
            classes => format!("; {classes} classes have no other value"),
        };
        (missing > 0).then(|| {
            format!(
                "{missing} of {} values of `{}` are missing and left out{classes}",
                rows.len(),
                self.column.name
            )
        })
    }

    /// Counts the values in some rows.
    pub fn count(&self, rows: &[u32]) -> Histogram {
        let mut histogram =
            Histogram { counts: vec![0; self.names.len()], touched: Vec::new(), unknown: 0, missing: 0 };
        histogram.add(self, rows);
        histogram
    }
}

/// Counts of values. One is used for class after class: [`Histogram::recount`] clears only what was counted.
pub(super) struct Histogram {
    pub counts: Vec<u64>,
    /// The values that occur.
    pub touched: Vec<u32>,
    /// Cells that are no single value.
    pub unknown: u64,
    /// Cells that were left out because their value is missing.
    pub missing: u64,
}

impl Histogram {
    /// Counts anew, in other rows.
    pub fn recount(&mut self, values: &Values<'_>, rows: &[u32]) {
        for value in self.touched.drain(..) {
            self.counts[value as usize] = 0;
        }
        (self.unknown, self.missing) = (0, 0);
        self.add(values, rows);
    }

    fn add(&mut self, values: &Values<'_>, rows: &[u32]) {
        for row in rows {
            match values.cells[values.column.cells[*row as usize] as usize] {
                Cell::Value(value) => {
                    if self.counts[value as usize] == 0 {
                        self.touched.push(value);
                    }
                    self.counts[value as usize] += 1;
                }
                Cell::Unknown => self.unknown += 1,
                Cell::Missing => self.missing += 1,
            }
        }
    }

    /// Whether every value is missing: then there is no value to learn.
    pub fn is_all_missing(&self) -> bool {
        self.missing > 0 && self.unknown == 0 && self.touched.is_empty()
    }

    /// How often the most frequent value occurs, and which it is: the first by name among equals.
    pub fn most_frequent(&self) -> Option<(u32, u64)> {
        let count = |value: &u32| self.counts[*value as usize];
        let most = self.touched.iter().max_by_key(|value| (count(value), std::cmp::Reverse(**value)));
        most.map(|value| (*value, count(value)))
    }

    /// The counts, largest first, with every unknown cell taken for the most frequent value.
    pub fn worst_case(&self) -> Vec<u64> {
        let mut counts: Vec<u64> = self.touched.iter().map(|value| self.counts[*value as usize]).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        match counts.first_mut() {
            Some(most) => *most += self.unknown,
            None if self.unknown > 0 => counts.push(self.unknown),
            None => {}
        }
        counts
    }
}
