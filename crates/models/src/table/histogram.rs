//! How often each value of a sensitive column occurs.
//!
//! A sensitive cell that is no single value (suppressed alone, or generalised) may be anything; checkers assume the worst
//! of it.

use throng_data::{Cover, RecodedColumn, RecodedTable, Role};

/// The values of a sensitive column, numbered in order of their names.
pub(super) struct Values<'a> {
    pub column: &'a RecodedColumn,
    pub names: Vec<&'a str>,
    /// The value of each cover; `None` when it may be several.
    numbers: Vec<Option<u32>>,
}

/// The sensitive columns of a table.
pub(super) fn sensitive(table: &RecodedTable) -> impl Iterator<Item = Values<'_>> {
    table.columns.iter().filter(|column| column.role == Role::Sensitive).map(Values::of)
}

impl<'a> Values<'a> {
    fn of(column: &'a RecodedColumn) -> Self {
        let name = |cover: &'a Cover| match cover {
            Cover::Value(name) => Some(name.as_str()),
            _ => None,
        };
        let mut names: Vec<&str> = column.covers.iter().filter_map(name).collect();
        names.sort_unstable();
        names.dedup();
        let number = |name: &str| names.partition_point(|other| *other < name) as u32;
        let numbers = column.covers.iter().map(|cover| name(cover).map(number)).collect();
        Values { column, names, numbers }
    }

    /// Counts the values in some rows.
    pub fn count(&self, rows: &[u32]) -> Histogram {
        let mut histogram = Histogram { counts: vec![0; self.names.len()], touched: Vec::new(), unknown: 0 };
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
}

impl Histogram {
    /// Counts anew, in other rows.
    pub fn recount(&mut self, values: &Values<'_>, rows: &[u32]) {
        for value in self.touched.drain(..) {
            self.counts[value as usize] = 0;
        }
        self.unknown = 0;
        self.add(values, rows);
    }

    fn add(&mut self, values: &Values<'_>, rows: &[u32]) {
        for row in rows {
            match values.numbers[values.column.cells[*row as usize] as usize] {
                Some(value) => {
                    if self.counts[value as usize] == 0 {
                        self.touched.push(value);
                    }
                    self.counts[value as usize] += 1;
                }
                None => self.unknown += 1,
            }
        }
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
