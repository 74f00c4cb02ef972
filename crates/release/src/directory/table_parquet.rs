//! `records.parquet` of a table: the columns of `records.csv`, each cell as what it covers.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use throng_contract::Progress;
use throng_data::{Cover, Events, RecodedTable};

use super::events_parquet::column;
use super::records_csv::subjects_by_record;
use super::sink::HashingWriter;
use super::{DirectoryError, Shuffle};

/// Rows of a row group.
const ROW_GROUP: usize = 1 << 20;

/// Writes the table and returns the file's fingerprint. A row of which nothing is said keeps its number.
pub fn write_table_parquet(
    path: &Path,
    table: &RecodedTable,
    events: &Events,
    shuffle: &Shuffle,
    progress: &Progress,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::Parquet { path: path.to_path_buf(), source };
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let file = HashingWriter::new(File::create(path).map_err(|source| DirectoryError::io(path, source))?);
    let schema = Arc::new(schema(table).map_err(fail)?);
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(fail)?;
    let subject_of = subjects_by_record(events);
    let rows: Vec<(usize, usize)> =
        shuffle.numbered().map(|(number, record)| (number, subject_of[record] as usize)).collect();
    let phase = progress.phase("write table", Some(rows.len() as u64));
    // Covers are few and cells are many: each cover is written out once.
    let text = |cover: &Cover| ByteArray::from(cover.render().as_str());
    let written: Vec<Vec<ByteArray>> =
        table.columns.iter().map(|column| column.covers.iter().map(text).collect()).collect();
    for rows in rows.chunks(ROW_GROUP) {
        let mut group = writer.next_row_group().map_err(fail)?;
        let numbers: Vec<i64> = rows.iter().map(|(number, _)| *number as i64).collect();
        column::<_, Int64Type>(&mut group, &numbers).map_err(fail)?;
        for (of_table, written) in table.columns.iter().zip(&written) {
            let cells: Vec<ByteArray> =
                rows.iter().map(|(_, row)| written[of_table.cells[*row] as usize].clone()).collect();
            column::<_, ByteArrayType>(&mut group, &cells).map_err(fail)?;
        }
        group.close().map_err(fail)?;
        phase.advance(rows.len() as u64)?;
    }
    Ok(writer.into_inner().map_err(fail)?.fingerprint())
}

fn schema(table: &RecodedTable) -> Result<Type, ParquetError> {
    let record = Type::primitive_type_builder("record", Physical::INT64);
    let mut fields = vec![Arc::new(record.with_repetition(Repetition::REQUIRED).build()?)];
    for of_table in &table.columns {
        let column = Type::primitive_type_builder(&of_table.name, Physical::BYTE_ARRAY)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(Some(LogicalType::String));
        fields.push(Arc::new(column.build()?));
    }
    Type::group_type_builder("table").with_fields(fields).build()
}
