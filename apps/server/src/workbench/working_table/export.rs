//! The working table as a CSV file: for a job, word for word, or for people, safe to open in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use rayon::prelude::*;
use throng_data::formats::write_row;

use super::{WorkingColumn, WorkingTable};

/// Rows that one thread writes at a time.
const CHUNK: usize = 1 << 15;

/// Some columns as a CSV file, word for word.
pub fn render(working_table: &WorkingTable, columns: &[usize]) -> Vec<u8> {
    let chosen: Vec<&WorkingColumn> = columns.iter().map(|column| &working_table.columns[*column]).collect();
    let chunk = |chunk: usize| {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(working_table.bound());
        let mut text = Vec::with_capacity(rows.len() * 12 * chosen.len());
        for row in rows.filter(|row| working_table.holds(*row)) {
            write_row(&mut text, chosen.iter().map(|column| column.text(row)))
                .expect("memory takes every byte");
        }
        text
    };
    let mut header = Vec::new();
    write_row(&mut header, chosen.iter().map(|column| column.name.as_str()))
        .expect("memory takes every byte");
    let chunks: Vec<Vec<u8>> =
        (0..working_table.bound().div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
    let mut text = Vec::with_capacity(header.len() + chunks.iter().map(Vec::len).sum::<usize>());
    text.append(&mut header);
    chunks.iter().for_each(|chunk| text.extend_from_slice(chunk));
    text
}

/// Writes all columns so that no cell can be taken for a formula.
pub fn write_protected(out: &mut (impl Write + ?Sized), working_table: &WorkingTable) -> io::Result<()> {
    let safe = |out: &mut _, cells: Vec<Cow<'_, str>>| write_row(out, cells.iter().map(|cell| &**cell));
    safe(out, working_table.columns.iter().map(|column| protected(&column.name)).collect())?;
    for row in working_table.rows() {
        safe(out, working_table.columns.iter().map(|column| protected(column.text(row))).collect())?;
    }
    Ok(())
}

/// A cell that a spreadsheet would run gets a leading apostrophe; a plain number keeps its sign.
pub fn protected(cell: &str) -> Cow<'_, str> {
    let risky = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let number = || {
        cell.bytes().skip(1).all(|byte| byte.is_ascii_digit() || byte == b'.') && cell.parse::<f64>().is_ok()
    };
    if risky && !number() { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_defused_and_numbers_are_not() {
        for (cell, safe) in [
            ("=1+1", "'=1+1"),
            ("+1", "+1"),
            ("-12.5", "-12.5"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\tx", "'\tx"),
            ("\rx", "'\rx"),
            ("-", "'-"),
            ("-inf", "'-inf"),
            ("+1e5", "'+1e5"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(protected(cell), safe);
        }
    }
}
