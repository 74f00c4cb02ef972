//! Rows of fields, of a text or of a frame: the names of the columns, and the rows to look at.

use super::HEAD;
use super::form::{Sample, Shaped, is_role_name};
use crate::formats::{
    Defect, Format, Frame, Framing, InputError, ReadOptions, Source, split_row, told_apart,
};

/// Rows that are kept to look at.
const ROWS: usize = 10_000;

/// Columns of a matrix, at least.
const WIDE_MATRIX: usize = 10;

/// Rows of fields: splits them, and finds whether the first names the columns.
pub(super) fn of_rows(
    text: &str,
    whole: bool,
    format: Format,
    mut framing: Framing,
    mut notes: Vec<String>,
    options: &ReadOptions,
) -> Shaped {
    let delimiter = framing.delimiter.unwrap_or(b',');
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut rest = text;
    for _ in 0..framing.skipped {
        rest = rest.split_once('\n').map_or("", |(_, after)| after);
    }
    let mut all = whole;
    while !rest.is_empty() {
        if rows.len() > ROWS {
            all = false;
            break;
        }
        // A row that cannot be split is for the reader to report, with its line.
        match split_row(rest, delimiter) {
            Some((fields, step)) if step > 0 => {
                if !fields.is_empty() {
                    rows.push(fields);
                }
                rest = &rest[step..];
            }
            _ => break,
        }
    }
    if framing.hash
        && let Some(name) = rows.first_mut().and_then(|row| row.first_mut())
    {
        *name = name.trim_start_matches('#').trim_start().to_owned();
    }
    let width = rows.first().map_or(0, Vec::len);
    rows.retain(|row| row.len() == width);
    if framing.header && !framing.hash && !has_header(&rows) {
        framing.header = false;
        notes.push("the first line is a row and no header: columns go by their numbers".to_owned());
    }
    let (names, doubled) = match framing.header && !rows.is_empty() {
        true => labels(rows.remove(0).iter().map(|name| name.trim().to_owned()).collect()),
        false => ((1..=width).map(|number| number.to_string()).collect(), Vec::new()),
    };
    let shaped = Shaped {
        format,
        framing,
        rows: rows.len(),
        columns: Some(Sample { names, doubled, rows, whole: all }),
        notes,
    };
    perhaps_matrix(shaped, options)
}

/// The form of a frame: its rows of fields have names.
pub(super) fn form_of_frame(
    frame: &Frame,
    source: &Source,
    options: &ReadOptions,
) -> Result<Shaped, InputError> {
    let format = match options.format {
        Some(Format::Spmf | Format::Fimi | Format::Lines) => {
            return Err(InputError::file(source.name(), Defect::UnknownFormat));
        }
        Some(format @ (Format::Table | Format::Matrix | Format::WideCsv)) => format,
        _ if options.wide.is_some() => Format::WideCsv,
        _ => Format::LongCsv,
    };
    let (names, doubled) = labels(frame.names());
    let rows = frame.sample(ROWS, HEAD);
    let sample = Sample { names, doubled, whole: rows.len() == frame.len(), rows };
    let framing = Framing { delimiter: Some(b','), ..Framing::default() };
    let shaped =
        Shaped { format, framing, rows: sample.rows.len(), columns: Some(sample), notes: Vec::new() };
    Ok(perhaps_matrix(shaped, options))
}

/// Names of columns, numbers where they have none, and those that several have.
fn labels(names: Vec<String>) -> (Vec<String>, Vec<String>) {
    let (names, doubled) = told_apart(names);
    let label = |(at, name): (usize, String)| if name.is_empty() { (at + 1).to_string() } else { name };
    (names.into_iter().enumerate().map(label).collect(), doubled)
}

/// A matrix where the columns look like one and the user did not say what they are.
fn perhaps_matrix(mut shaped: Shaped, options: &ReadOptions) -> Shaped {
    let Shaped { format, framing, columns: Some(sample), notes, .. } = &mut shaped else { return shaped };
    let width = sample.names.len();
    if *format == Format::LongCsv
        && options.format.is_none()
        && is_matrix(&sample.rows, &sample.names, framing)
    {
        *format = Format::Matrix;
        notes.push(format!(
            "{width} columns of small whole numbers, most of them 0: how often each item occurs in a record"
        ));
        notes.push("no ID column: each row counts as one person".to_owned());
    }
    shaped
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok()
}

/// Whether the first row names the columns. It does unless something speaks against it: a number above numbers, or a word that occurs below it
/// again; and where one of the names is that of a role, it does.
fn has_header(rows: &[Vec<String>]) -> bool {
    let Some((first, below)) = rows.split_first() else { return true };
    if first.iter().any(|name| is_role_name(name)) || below.is_empty() {
        return true;
    }
    let number = |column: usize| {
        is_number(&first[column])
            && below.iter().all(|row| row[column].trim().is_empty() || is_number(&row[column]))
    };
    let again = |column: usize| {
        let name = first[column].trim();
        !name.is_empty() && !is_number(name) && below.iter().any(|row| row[column].trim() == name)
    };
    let columns = 0..first.len();
    !columns.clone().any(number) && columns.filter(|column| again(*column)).count() * 2 <= first.len()
}

/// Whether each column is an item and each cell says how often a record has it.
fn is_matrix(rows: &[Vec<String>], names: &[String], framing: &Framing) -> bool {
    if names.len() < WIDE_MATRIX || rows.len() < 2 {
        return false;
    }
    if framing.header && names.iter().any(|name| is_role_name(name)) {
        return false;
    }
    let mut zeros = 0_usize;
    for field in rows.iter().flatten() {
        match field.trim().parse::<u32>() {
            Ok(0) => zeros += 1,
            Ok(1..=99) => {}
            _ => return false,
        }
    }
    zeros * 2 > rows.len() * names.len()
}
