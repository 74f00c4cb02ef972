//! A Parquet file with one row a person, as the CSV that says the same.
//!
//! Tables and published attributes are read row by row, with types guessed from the values; columns of events are read by
//! themselves (`leaf`). A row of the file becomes the line after it: the first line is the header.

use ::parquet::file::reader::FileReader;
use ::parquet::file::serialized_reader::SerializedFileReader;
use ::parquet::record::Field;
use bytes::Bytes;

use super::{failure, guarded};
use crate::formats::error::{Defect, InputError};
use crate::formats::sink::write_row;
use crate::formats::source::Source;
use crate::table::civil_date;

/// The rows of a Parquet file as CSV with commas. Its bytes are read once, and fingerprinted.
pub fn parquet_rows(source: &Source) -> Result<Source, InputError> {
    let bytes = Bytes::from(source.open()?.read_all()?);
    let text = guarded(|| csv(source.name(), bytes)).unwrap_or_else(|| {
        let what = "its pages do not fit its footer".into();
        Err(InputError::file(source.name(), Defect::Parquet { what }))
    })?;
    // The name says what messages count, and is no longer that of a Parquet file.
    Ok(Source::memory(&format!("{} (as lines)", source.name()), text))
}

/// The rows below a header.
pub(super) fn csv(file: &str, bytes: Bytes) -> Result<Vec<u8>, InputError> {
    let refused = |error| failure(file, error);
    let reader = SerializedFileReader::new(bytes).map_err(refused)?;
    let schema = reader.metadata().file_metadata().schema_descr().root_schema();
    let names: Vec<String> = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let mut text = Vec::new();
    write_row(&mut text, names.iter().map(String::as_str)).expect("memory can be written");
    for row in reader.get_row_iter(None).map_err(refused)? {
        let row = row.map_err(refused)?;
        let cells: Vec<String> = row
            .get_column_iter()
            .map(|(name, field)| {
                cell(field).map_err(|found| {
                    let defect = Defect::ParquetType { found: found.to_owned(), expected: "one value a row" };
                    InputError::file(file, defect).column(name)
                })
            })
            .collect::<Result<_, InputError>>()?;
        write_row(&mut text, cells.iter().map(String::as_str)).expect("memory can be written");
    }
    Ok(text)
}

/// A value as a CSV file would have it; the name of its type where none would.
fn cell(field: &Field) -> Result<String, &'static str> {
    let at = |moment: Result<jiff::Timestamp, jiff::Error>| match moment {
        Ok(moment) => Ok(moment.strftime("%Y-%m-%dT%H:%M:%S").to_string()),
        Err(_) => Err("time out of range"),
    };
    Ok(match field {
        Field::Null => String::new(),
        Field::Bool(value) => value.to_string(),
        Field::Byte(value) => value.to_string(),
        Field::Short(value) => value.to_string(),
        Field::Int(value) => value.to_string(),
        Field::Long(value) => value.to_string(),
        Field::UByte(value) => value.to_string(),
        Field::UShort(value) => value.to_string(),
        Field::UInt(value) => value.to_string(),
        Field::ULong(value) => value.to_string(),
        Field::Float(value) => value.to_string(),
        Field::Double(value) => value.to_string(),
        Field::Str(value) => value.clone(),
        Field::Date(days) => civil_date(*days),
        Field::TimestampMillis(value) => at(jiff::Timestamp::from_millisecond(*value))?,
        Field::TimestampMicros(value) => at(jiff::Timestamp::from_microsecond(*value))?,
        Field::Bytes(value) => match std::str::from_utf8(value.data()) {
            Ok(text) => text.to_owned(),
            Err(_) => return Err("bytes"),
        },
        Field::Decimal(_) => return Err("decimal"),
        Field::Float16(_) => return Err("float16"),
        Field::TimeMillis(_) | Field::TimeMicros(_) => return Err("time of day"),
        Field::Group(_) => return Err("struct"),
        Field::ListInternal(_) => return Err("list"),
        Field::MapInternal(_) => return Err("map"),
    })
}
