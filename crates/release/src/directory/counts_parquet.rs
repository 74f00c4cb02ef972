//! `counts.parquet`: the columns of `counts.csv`, typed; what is empty there has no value here.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use throng_data::{Counts, Release};

use super::DirectoryError;
use super::counts_csv::rows;
use super::events_parquet::column;
use super::sink::HashingWriter;

const SCHEMA: &str = "message counts { required binary table (UTF8); required binary item (UTF8); \
                      optional binary to (UTF8); optional int64 time; optional int64 until; required int64 people; }";

/// Writes the counts and returns the file's fingerprint.
pub fn write_counts_parquet(
    path: &Path,
    release: &Release,
    counts: &Counts,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::Parquet { path: path.to_path_buf(), source };
    let schema = Arc::new(parse_message_type(SCHEMA).map_err(fail)?);
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let file = HashingWriter::new(File::create(path).map_err(|source| DirectoryError::io(path, source))?);
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(fail)?;
    let names: Vec<String> = release.names();
    let rows = rows(&names, counts);
    let mut group = writer.next_row_group().map_err(fail)?;
    let fill = |group: &mut SerializedRowGroupWriter<'_, _>| -> Result<(), ParquetError> {
        let tables: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(row.table.name())).collect();
        column::<_, ByteArrayType>(group, &tables)?;
        let items: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(row.item)).collect();
        column::<_, ByteArrayType>(group, &items)?;
        optional::<_, ByteArrayType>(group, rows.iter().map(|row| row.to.map(ByteArray::from)))?;
        optional::<_, Int64Type>(group, rows.iter().map(|row| row.span.map(|[time, _]| time)))?;
        optional::<_, Int64Type>(group, rows.iter().map(|row| row.span.map(|[_, until]| until)))?;
        let people: Vec<i64> = rows.iter().map(|row| i64::try_from(row.people).unwrap_or(i64::MAX)).collect();
        column::<_, Int64Type>(group, &people)
    };
    fill(&mut group).map_err(fail)?;
    group.close().map_err(fail)?;
    Ok(writer.into_inner().map_err(fail)?.fingerprint())
}

/// Writes the next column of a row group, in which some rows have nothing.
fn optional<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the rows".to_owned()));
    };
    let (mut given, mut levels) = (Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value.is_some()));
        given.extend(value);
    }
    column.typed::<T>().write_batch(&given, Some(&levels), None)?;
    column.close()
}
