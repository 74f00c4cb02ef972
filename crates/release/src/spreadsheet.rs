//! Cells that a spreadsheet would run.
//!
//! A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula, and may run what
//! an attacker wrote into the name of a place. A release is exact and stays so; its writer warns, and a *defused* copy has an
//! apostrophe before each such cell. Plain numbers (`-12.5`) are no formulas and are left alone.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use throng_data::{Column, Release};

use crate::directory::{DirectoryError, HashingWriter, Target};

/// Whether a spreadsheet would take the text of a cell for a formula.
pub fn is_run_by_spreadsheets(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_plain_number(cell)
}

/// Digits with a sign and a decimal point: no letters, no second sign.
fn is_plain_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['+', '-']).unwrap_or(cell);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.bytes().filter(|byte| *byte == b'.').count() <= 1
}

/// Copies a CSV stream with an apostrophe before each cell that a spreadsheet would run; says how many there were.
pub fn defuse(csv: impl Read, copy: impl Write) -> io::Result<u64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv);
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(copy);
    let mut row = csv::ByteRecord::new();
    let mut defused = 0;
    while reader.read_byte_record(&mut row)? {
        for cell in &row {
            // Only the first letters decide, and they are one byte each.
            if is_run_by_spreadsheets(&String::from_utf8_lossy(cell)) {
                defused += 1;
                writer.write_field([b"'", cell].concat())?;
            } else {
                writer.write_field(cell)?;
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()?;
    Ok(defused)
}

/// Writes the defused copy of a CSV file and returns the copy's fingerprint.
pub fn write_defused(file: &Path, copy: &Path) -> Result<String, DirectoryError> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |source| DirectoryError::io(&path, source)
    };
    let csv = BufReader::new(File::open(file).map_err(fail(file))?);
    let mut out = BufWriter::new(HashingWriter::new(File::create(copy).map_err(fail(copy))?));
    defuse(csv, &mut out).map_err(fail(copy))?;
    let out = out.into_inner().map_err(|error| fail(copy)(error.into_error()))?;
    Ok(out.fingerprint())
}

/// What the publisher and every reader should know of files that a spreadsheet would run.
pub fn warnings(release: &Release, out: &Target, columns: &[&Column]) -> Vec<String> {
    let occurs = release.occurring();
    let items =
        (0..).zip(&occurs).filter(|(item, occurs)| **occurs && is_run_by_spreadsheets(&release.name(*item)));
    let cells = columns.iter().map(|column| {
        let rows = (0..release.people()).filter(|row| is_run_by_spreadsheets(&column.text(*row)));
        rows.count() + usize::from(is_run_by_spreadsheets(&column.name))
    });
    let warning = |number: usize, what: &str, file: &str| {
        (number > 0).then(|| {
            format!(
                "{number} {what} in `{file}` begin with `=`, `+`, `-`, `@` or a tab, which a spreadsheet may run as a formula"
            )
        })
    };
    let generalised =
        release.alphabet.iter().zip(&occurs).filter(|(item, occurs)| **occurs && !item.is_intact());
    let mut members: Vec<u32> = generalised.flat_map(|(item, _)| item.members.iter().copied()).collect();
    members.sort_unstable();
    members.dedup();
    // Spelled out, members stand between braces.
    members.retain(|member| !out.spell_out && is_run_by_spreadsheets(release.base.name(*member)));
    let found = [
        warning(
            items.count(),
            "items",
            if release.body.counts().is_some() { out.format.counts_name() } else { out.format.file_name() },
        ),
        warning(members.len(), "members", crate::directory::ITEMS),
        warning(cells.sum(), "cells", crate::directory::RECORDS),
    ];
    found.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The attack: a place called `=HYPERLINK(...)` is run by a spreadsheet in which a reader opens the release.
    #[test]
    fn formulas_are_defused_and_everything_else_is_copied() {
        let csv = "record,item,time\n1,=1+1,-5\n2,\"+cmd|' /C calc'!A0,x\",7\n3,\"say \"\"hi\"\"\",8\n4,@sum,\"\ttab\"\n5,-12.5,-a\n";
        let mut copy = Vec::new();
        assert_eq!(defuse(csv.as_bytes(), &mut copy).unwrap(), 5);
        let expected = "record,item,time\n1,'=1+1,-5\n2,\"'+cmd|' /C calc'!A0,x\",7\n3,\"say \"\"hi\"\"\",8\n4,'@sum,'\ttab\n5,-12.5,'-a\n";
        assert_eq!(String::from_utf8(copy).unwrap(), expected);
    }

    #[test]
    fn nothing_that_a_spreadsheet_would_run_is_left() {
        for cell in ["=1", "+1+1", "-1-1", "@a", "\t=1", "\r=1", "-", "+", "--1", "-1.2.3", "+1e5"] {
            assert!(is_run_by_spreadsheets(cell), "{cell:?}");
        }
        for cell in ["", "a", "1", "-1", "+1.5", "a=1", "'=1", "{=a|b}", " =1"] {
            assert!(!is_run_by_spreadsheets(cell), "{cell:?}");
        }
    }
}
