//! Workbooks: one sheet of an `.xlsx`, `.xlsb`, `.xls` or `.ods` file. Dates become ISO-8601, numbers lose a `.0` that the program put there.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, DataRef, ExcelDateTime, Range, Reader, Sheets, open_workbook_auto_from_rs};

use super::{Rows, refused};
use crate::formats::error::{Defect, InputError};
use crate::formats::parquet::guarded;

/// Cells of a sheet, empty ones included, beyond which it is no table. A sheet may say that its last cell is the sixteen-billionth.
const MOST_CELLS: u64 = 200_000_000;

/// The rows of a sheet: the one that was asked for, or the only one that is not empty. The first row names the columns.
pub(super) fn rows(file: &str, bytes: Vec<u8>, sheet: Option<&str>) -> Result<Rows, InputError> {
    guarded(|| read(file, bytes, sheet)).unwrap_or_else(|| {
        Err(refused(file, Defect::Workbook { what: "its parts do not fit each other".to_owned() }))
    })
}

type Cells = BTreeMap<u32, Vec<(u32, String)>>;

fn read(file: &str, bytes: Vec<u8>, wanted: Option<&str>) -> Result<Rows, InputError> {
    let damaged = |what: String| refused(file, Defect::Workbook { what });
    let mut book =
        open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| damaged(error.to_string()))?;
    let sheets = book.sheet_names();
    let names: Vec<String> = match wanted {
        Some(wanted) => sheets.iter().filter(|name| name.eq_ignore_ascii_case(wanted)).cloned().collect(),
        None => sheets.clone(),
    };
    let mut filled: Vec<(String, Cells)> = Vec::new();
    for name in names {
        let cells = cells(&mut book, &name).map_err(damaged)?;
        if !cells.is_empty() {
            filled.push((name, cells));
        }
    }
    match (filled.len(), wanted) {
        (1, _) => {}
        (0, None) => return Err(refused(file, Defect::Empty)),
        (0, Some(wanted)) if sheets.iter().any(|name| name.eq_ignore_ascii_case(wanted)) => {
            return Err(refused(file, Defect::Empty));
        }
        (0, Some(wanted)) => {
            return Err(refused(file, Defect::Sheet { wanted: Some(wanted.to_owned()), sheets }));
        }
        _ => {
            let sheets = filled.into_iter().map(|(name, _)| name).collect();
            return Err(refused(file, Defect::Sheet { wanted: None, sheets }));
        }
    }
    let cells = filled.remove(0).1;
    let first = cells.values().flatten().map(|(column, _)| *column).min().unwrap_or(0);
    let last = cells.values().flatten().map(|(column, _)| *column).max().unwrap_or(0);
    let width = u64::from(last - first) + 1;
    if width * cells.len() as u64 > MOST_CELLS {
        return Err(damaged(format!("more than {MOST_CELLS} cells")));
    }
    let mut rows = Rows::default();
    let mut lines = cells.into_values();
    let header: BTreeMap<u32, String> = lines.next().unwrap_or_default().into_iter().collect();
    // Columns without a name, or with that of another, are told apart later.
    rows.names = (first..=last).map(|column| header.get(&column).cloned().unwrap_or_default()).collect();
    for line in lines {
        rows.cells.push(line.into_iter().map(|(column, text)| ((column - first) as usize, text)).collect());
    }
    Ok(rows)
}

/// The cells of a sheet that are not empty, by row. In `.xlsx` they are read one by one, since a sheet may claim to be larger than any memory.
fn cells(book: &mut Sheets<Cursor<Vec<u8>>>, name: &str) -> Result<Cells, String> {
    let mut cells = Cells::new();
    let mut put = |row: u32, column: u32, text: String| {
        if !text.is_empty() {
            cells.entry(row).or_default().push((column, text));
        }
    };
    if let Sheets::Xlsx(book) = book {
        let mut reader = book.worksheet_cells_reader(name).map_err(|error| error.to_string())?;
        while let Some(cell) = reader.next_cell().map_err(|error| error.to_string())? {
            let (row, column) = cell.get_position();
            put(row, column, plain_ref(cell.get_value()));
        }
        return Ok(cells);
    }
    let range: Range<Data> = book.worksheet_range(name).map_err(|error| error.to_string())?;
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, value) in range.used_cells() {
        put(top + row as u32, left + column as u32, plain(value));
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
