//! Columns that belong to people or items, as text: any plain type, and what is missing is empty.
//!
//! What makes an event has to be there and to keep its letters; a value of a person or an item may be a number with a fraction, a date or nothing.

use ::parquet::basic::ConvertedType;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;

use super::failure;
use super::leaf::Leaf;
use crate::formats::error::{Defect, InputError};
use crate::table::civil_date;

/// Reads `rows` values of a column; `done` rows came before them in the file.
pub(super) fn texts(
    leaf: &Leaf,
    reader: &mut ColumnReader,
    rows: usize,
    done: u64,
) -> Result<Vec<String>, InputError> {
    let converted = leaf.descriptor().converted_type();
    let unsigned = matches!(
        converted,
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
    );
    if converted == ConvertedType::DECIMAL {
        return Err(leaf.of_type("decimal", "text, numbers, dates or yes and no"));
    }
    let texts =
        match reader {
            ColumnReader::BoolColumnReader(reader) => cells(leaf, reader, rows, |value| value.to_string()),
            ColumnReader::Int32ColumnReader(reader) => cells(leaf, reader, rows, |value| match converted {
                ConvertedType::DATE => civil_date(*value),
                _ if unsigned => (*value as u32).to_string(),
                _ => value.to_string(),
            }),
            ColumnReader::Int64ColumnReader(reader) => cells(leaf, reader, rows, |value| {
                if unsigned { (*value as u64).to_string() } else { value.to_string() }
            }),
            ColumnReader::FloatColumnReader(reader) => cells(leaf, reader, rows, |value| value.to_string()),
            ColumnReader::DoubleColumnReader(reader) => cells(leaf, reader, rows, |value| value.to_string()),
            ColumnReader::ByteArrayColumnReader(reader) => {
                let mut misread = None;
                let mut row = 0;
                let texts = cells(leaf, reader, rows, |value| {
                    row += 1;
                    let text = std::str::from_utf8(value.data());
                    text.map_or_else(
                        |_| {
                            misread.get_or_insert(done + row);
                            String::new()
                        },
                        str::to_owned,
                    )
                });
                if let Some(row) = misread {
                    return Err(
                        leaf.error(Defect::Parquet { what: format!("value {row} is not UTF-8 text") })
                    );
                }
                texts
            }
            _ => {
                let found = leaf.descriptor().physical_type().to_string().to_lowercase();
                return Err(leaf.of_type(&found, "text, numbers, dates or yes and no"));
            }
        }?;
    match texts.len() == rows {
        true => Ok(texts),
        false => Err(leaf.error(Defect::Parquet { what: "columns of different lengths".into() })),
    }
}

/// The values that are there as text, and nothing for the others.
fn cells<T: DataType>(
    leaf: &Leaf,
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    mut text: impl FnMut(&T::T) -> String,
) -> Result<Vec<String>, InputError> {
    let (mut defined, mut values) = (Vec::new(), Vec::new());
    let failed = |error| failure(leaf.file(), error);
    reader.read_records(rows, Some(&mut defined), None, &mut values).map_err(failed)?;
    let full = leaf.descriptor().max_def_level();
    if full == 0 {
        return Ok(values.iter().map(text).collect());
    }
    let mut values = values.iter();
    let cell = |level: &i16| match (*level == full).then(|| values.next()).flatten() {
        Some(value) => text(value),
        None => String::new(),
    };
    Ok(defined.iter().map(cell).collect())
}
