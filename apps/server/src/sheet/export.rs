//! The working table as a CSV file: for a job, word for word, or for people, safe to open in a spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

use throng_data::formats::write_row;

use super::{Sheet, SheetColumn};

/// Writes some columns. With `protect`, no cell can be taken for a formula.
pub fn write_columns(
    out: &mut (impl Write + ?Sized),
    sheet: &Sheet,
    columns: &[usize],
    protect: bool,
) -> io::Result<()> {
    let chosen: Vec<&SheetColumn> = columns.iter().map(|column| &sheet.columns[*column]).collect();
    if !protect {
        write_row(out, chosen.iter().map(|column| column.name.as_str()))?;
        return sheet.rows().try_for_each(|row| write_row(out, chosen.iter().map(|column| column.text(row))));
    }
    let safe = |out: &mut _, cells: Vec<Cow<'_, str>>| write_row(out, cells.iter().map(|cell| &**cell));
    safe(out, chosen.iter().map(|column| protected(&column.name)).collect())?;
    for row in sheet.rows() {
        safe(out, chosen.iter().map(|column| protected(column.text(row))).collect())?;
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
