//! Rows that become CSV: a first pass finds the columns, a second writes the rows.
//!
//! # Guarantees
//! Beside the file, memory holds the names of the columns, one row and the CSV, which is bounded by [`Limit::Whole`]: a file with a column
//! for each of its rows would be the square of its size.

use std::collections::HashMap;

use super::Lines;
use crate::formats::error::{Defect, InputError};
use crate::formats::sink::write_row;
use crate::limits::Limit;

/// A row: values by the names of their columns, and the line of the file at which it begins.
pub(super) struct Row {
    pub line: Option<u64>,
    pub cells: Vec<(String, String)>,
}

/// Takes rows, one after the other.
pub(super) type TakeRow<'a> = &'a mut dyn FnMut(Row) -> Result<(), Defect>;

/// All rows of a walk over a file as CSV below a header, and where its lines come from. The walk is made twice.
pub(super) fn to_csv(
    file: &str,
    walk: impl Fn(TakeRow<'_>) -> Result<(), InputError>,
) -> Result<(Vec<u8>, Lines), InputError> {
    let refused = |defect| InputError::file(file, defect);
    let (mut names, mut numbers) = (Vec::<String>::new(), HashMap::<String, usize>::new());
    let (mut rows, mut first_line) = (0_u64, None);
    walk(&mut |row| {
        for (name, _) in row.cells {
            if !numbers.contains_key(&name) {
                if !Limit::Columns.allows(names.len() as u64 + 1) {
                    return Err(Defect::Limit(Limit::Columns));
                }
                numbers.insert(name.clone(), names.len());
                names.push(name);
            }
        }
        first_line = first_line.or(row.line);
        rows += 1;
        Ok(())
    })?;
    if rows == 0 {
        return Err(refused(Defect::Empty));
    }
    // A row takes a byte a column at least: the delimiter, or the line end.
    let least = rows.saturating_mul(names.len() as u64);
    if !Limit::Whole.allows(least) {
        return Err(refused(Defect::Limit(Limit::Whole)));
    }
    let mut csv = Csv::new(least);
    csv.write(names.iter().map(String::as_str), first_line).map_err(refused)?;
    let mut fields = vec![String::new(); names.len()];
    walk(&mut |row| {
        fields.iter_mut().for_each(String::clear);
        for (name, value) in row.cells {
            if let Some(number) = numbers.get(&name) {
                fields[*number] = value;
            }
        }
        csv.write(fields.iter().map(String::as_str), row.line)
    })?;
    Ok(csv.finish())
}

/// CSV in memory, up to [`Limit::Whole`].
pub(super) struct Csv {
    text: Vec<u8>,
    lines: Vec<u64>,
    most: u64,
}

impl Csv {
    /// With room for so many bytes.
    pub fn new(least: u64) -> Self {
        let room = usize::try_from(least).unwrap_or(0);
        Csv { text: Vec::with_capacity(room), lines: Vec::new(), most: Limit::Whole.now() }
    }

    /// One row. A value that holds line ends takes several lines.
    pub fn write<'a>(
        &mut self,
        fields: impl IntoIterator<Item = &'a str>,
        line: Option<u64>,
    ) -> Result<(), Defect> {
        let begins = self.text.len();
        // Writing to a `Vec` cannot fail.
        let _ = write_row(&mut self.text, fields);
        if self.text.len() as u64 > self.most {
            return Err(Defect::Limit(Limit::Whole));
        }
        if let Some(line) = line {
            let count = memchr::memchr_iter(b'\n', &self.text[begins..]).count();
            self.lines.extend(std::iter::repeat_n(line, count));
        }
        Ok(())
    }

    /// The text, and where its lines come from.
    pub fn finish(self) -> (Vec<u8>, Lines) {
        (self.text, Lines(self.lines))
    }
}
