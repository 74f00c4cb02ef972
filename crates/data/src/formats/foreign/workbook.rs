//! Workbooks: one sheet of an `.xlsx`, `.ods` or `.xls` file. Dates become ISO-8601, numbers lose a `.0` that the program put there.
//!
//! # Guarantees
//! `.xlsx` and `.ods` are looked through first ([`archive`]): what the library could wait or reserve memory for without end is refused. `.xls`
//! is a binary form that cannot be looked through so: it is read [`apart`] only, by a process with limits.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, DataRef, ExcelDateTime, Ods, Range, Reader, Sheets, Xls, Xlsx};

use super::archive::{self, Kind, wrong};
use super::rows::Csv;
use super::{Lines, apart, refused};
use crate::formats::error::{Defect, InputError};
use crate::formats::parquet::guarded;
use crate::limits::Limit;

/// Cells of a sheet, empty ones included, beyond which it is no table. A sheet may say that its last cell is the sixteen-billionth.
const MAX_CELLS: u64 = 200_000_000;
/// Bytes that a cell takes beside its text.
const CELL: u64 = 96;

/// A sheet as CSV: the one that was asked for, or the only one that is not empty. The first row names the columns. Read in a process of its own
/// where the program said how.
pub(super) fn to_csv(
    file: &str,
    bytes: Vec<u8>,
    sheet: Option<&str>,
) -> Result<(Vec<u8>, Lines), InputError> {
    let read = match apart::program() {
        Some(program) => program.read(bytes, sheet),
        None => here(bytes, sheet, false),
    };
    Ok((read.map_err(|defect| refused(file, defect))?, Lines::default()))
}

/// The same in this process. Without `limited`, which says that this process has limits of time and memory, `.xls` is refused.
pub(super) fn here(bytes: Vec<u8>, sheet: Option<&str>, limited: bool) -> Result<Vec<u8>, Defect> {
    let read = || {
        if !bytes.starts_with(b"PK") && !limited {
            return Err(wrong("the form .xls is read by the program `throng` alone"));
        }
        csv(bytes, sheet)
    };
    guarded(read).unwrap_or_else(|| Err(unfitting()))
}

fn unfitting() -> Defect {
    wrong("its parts do not fit each other")
}

type Cells = BTreeMap<u32, Vec<(u32, String)>>;

/// The library's own words may repeat what stands in a cell.
fn open(bytes: Vec<u8>) -> Result<Sheets<Cursor<Vec<u8>>>, Defect> {
    if !bytes.starts_with(b"PK") {
        return Xls::new(Cursor::new(bytes)).map(Sheets::Xls).map_err(|_| unfitting());
    }
    let (kind, parts) = archive::checked(bytes)?;
    match kind {
        Kind::Xlsx => Xlsx::new(Cursor::new(parts)).map(Sheets::Xlsx).map_err(|_| unfitting()),
        Kind::Ods => match Ods::new(Cursor::new(parts)) {
            Ok(book) => Ok(Sheets::Ods(book)),
            Err(calamine::OdsError::Password) => Err(wrong("it is protected by a password")),
            Err(_) => Err(unfitting()),
        },
    }
}

fn csv(bytes: Vec<u8>, wanted: Option<&str>) -> Result<Vec<u8>, Defect> {
    let mut book = open(bytes)?;
    let sheets = book.sheet_names();
    let names: Vec<String> = match wanted {
        Some(wanted) => sheets.iter().filter(|name| name.eq_ignore_ascii_case(wanted)).cloned().collect(),
        None => sheets.clone(),
    };
    let mut held = 0;
    let mut filled: Vec<(String, Cells)> = Vec::new();
    for name in names {
        let cells = cells(&mut book, &name, &mut held)?;
        if !cells.is_empty() {
            filled.push((name, cells));
        }
    }
    drop(book);
    match (filled.len(), wanted) {
        (1, _) => {}
        (0, None) => return Err(Defect::Empty),
        (0, Some(wanted)) if sheets.iter().any(|name| name.eq_ignore_ascii_case(wanted)) => {
            return Err(Defect::Empty);
        }
        (0, Some(wanted)) => {
            return Err(Defect::Sheet { wanted: Some(wanted.to_owned()), sheets });
        }
        _ => {
            let sheets = filled.into_iter().map(|(name, _)| name).collect();
            return Err(Defect::Sheet { wanted: None, sheets });
        }
    }
    let cells = filled.remove(0).1;
    let first = cells.values().flatten().map(|(column, _)| *column).min().unwrap_or(0);
    let last = cells.values().flatten().map(|(column, _)| *column).max().unwrap_or(0);
    let width = u64::from(last - first) + 1;
    if !Limit::Columns.allows(width) {
        return Err(Defect::Limit(Limit::Columns));
    }
    let all = width * cells.len() as u64;
    if all > MAX_CELLS {
        return Err(Defect::Workbook { what: format!("more than {MAX_CELLS} cells") });
    }
    if !Limit::Whole.allows(all) {
        return Err(Defect::Limit(Limit::Whole));
    }
    // Columns without a name, or with that of another, are told apart later.
    let mut csv = Csv::new(all);
    let mut fields = vec![String::new(); width as usize];
    for line in cells.into_values() {
        fields.iter_mut().for_each(String::clear);
        for (column, text) in line {
            fields[(column - first) as usize] = text;
        }
        csv.write(fields.iter().map(String::as_str), None)?;
    }
    Ok(csv.finish().0)
}

/// The cells of a sheet that are not empty, by row. In `.xlsx` they are read one by one, since a sheet may claim to be larger than any memory.
/// `held` is what all sheets take so far.
fn cells(book: &mut Sheets<Cursor<Vec<u8>>>, name: &str, held: &mut u64) -> Result<Cells, Defect> {
    let mut cells = Cells::new();
    let most = Limit::Whole.now();
    let mut put = |row: u32, column: u32, text: String| {
        if text.is_empty() {
            return Ok(());
        }
        *held += text.len() as u64 + CELL;
        if *held / 2 > most {
            return Err(Defect::Limit(Limit::Whole));
        }
        cells.entry(row).or_default().push((column, text));
        Ok(())
    };
    if let Sheets::Xlsx(book) = book {
        let mut reader = book.worksheet_cells_reader(name).map_err(|_| unfitting())?;
        while let Some(cell) = reader.next_cell().map_err(|_| unfitting())? {
            let (row, column) = cell.get_position();
            put(row, column, plain_ref(cell.get_value()))?;
        }
        return Ok(cells);
    }
    let range: Range<Data> = book.worksheet_range(name).map_err(|_| unfitting())?;
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, value) in range.used_cells() {
        put(top + row as u32, left + column as u32, plain(value))?;
    }
    Ok(cells)
}

fn plain_ref(value: &DataRef<'_>) -> String {
    match value {
        DataRef::SharedString(text) => (*text).to_owned(),
        other => plain(&Data::from(other.clone())),
    }
}

fn plain(value: &Data) -> String {
    match value {
        Data::Int(value) => value.to_string(),
        Data::Float(value) => value.to_string(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(at) => moment(at),
        // What could not be computed says nothing.
        Data::Error(_) | Data::Empty => String::new(),
    }
}

/// A moment as ISO-8601; a day without its midnight, a time of day or a span as `H:MM:SS`.
fn moment(at: &ExcelDateTime) -> String {
    let days = at.as_f64();
    let (year, month, day, hour, minute, second, milli) = at.to_ymd_hms_milli();
    if at.is_duration() || (0.0..1.0).contains(&days) {
        let seconds = (days * 86_400.0).round() as i64;
        return format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    match (hour, minute, second, milli) {
        (0, 0, 0, 0) => date,
        (_, _, _, 0) => format!("{date} {hour:02}:{minute:02}:{second:02}"),
        _ => format!("{date} {hour:02}:{minute:02}:{second:02}.{milli:03}"),
    }
}
