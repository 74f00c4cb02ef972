//! The working table as a CSV file that is safe to open in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use throng_data::formats::write_row;

use super::WorkingTable;

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
