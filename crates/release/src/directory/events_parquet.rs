//! `release.parquet`: the columns of `release.csv`, typed.

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
use throng_contract::Progress;
use throng_data::Release;

use super::sink::HashingWriter;
use super::{DirectoryError, Shuffle};

/// Events after which a row group is closed, at the end of a record.
const ROW_GROUP: usize = 1 << 20;

/// Writes the events in shuffled order and returns the file's fingerprint.
pub fn write_events_parquet(
    path: &Path,
    release: &Release,
    shuffle: &Shuffle,
    progress: &Progress,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::Parquet { path: path.to_path_buf(), source };
    let timed = release.events().times().is_some();
    let schema = if timed {
        "message release { required int64 record; required binary item (UTF8); required int64 time; }"
    } else {
        "message release { required int64 record; required binary item (UTF8); }"
    };
    let schema = Arc::new(parse_message_type(schema).map_err(fail)?);
    let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let file = HashingWriter::new(File::create(path).map_err(|source| DirectoryError::io(path, source))?);
    let mut writer = SerializedFileWriter::new(file, schema, properties).map_err(fail)?;
    let names: Vec<ByteArray> = release.names().iter().map(|name| ByteArray::from(name.as_str())).collect();
    let phase = progress.phase("write events", Some(release.events().len() as u64));
    let mut rows = Rows::default();
    for (number, record) in shuffle.numbered() {
        rows.push(release, &names, number, record);
        if rows.records.len() >= ROW_GROUP {
            phase.advance(rows.records.len() as u64)?;
            rows.flush(&mut writer, timed).map_err(fail)?;
        }
    }
    phase.advance(rows.records.len() as u64)?;
    rows.flush(&mut writer, timed).map_err(fail)?;
    Ok(writer.into_inner().map_err(fail)?.fingerprint())
}

/// The rows of one row group, by column.
#[derive(Default)]
struct Rows {
    records: Vec<i64>,
    items: Vec<ByteArray>,
    times: Vec<i64>,
}

impl Rows {
    fn push(&mut self, release: &Release, names: &[ByteArray], number: usize, record: usize) {
        let items = release.events().record(record);
        self.records.resize(self.records.len() + items.len(), number as i64);
        self.items.extend(items.iter().map(|item| names[*item as usize].clone()));
        self.times.extend(release.events().times_of(record).unwrap_or_default());
    }

    fn flush<W: Write + Send>(
        &mut self,
        writer: &mut SerializedFileWriter<W>,
        timed: bool,
    ) -> Result<(), ParquetError> {
        if self.records.is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        column::<W, Int64Type>(&mut group, &self.records)?;
        column::<W, ByteArrayType>(&mut group, &self.items)?;
        if timed {
            column::<W, Int64Type>(&mut group, &self.times)?;
        }
        group.close()?;
        self.records.clear();
        self.items.clear();
        self.times.clear();
        Ok(())
    }
}

/// Writes the next column of a row group.
pub(super) fn column<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the rows".to_owned()));
    };
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    use throng_data::Dataset;

    use super::*;

    #[test]
    fn a_parquet_release_has_the_rows_of_the_csv_release() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("release.parquet");
        let data = Dataset::from_words(["abc", "ca"]);
        let release = Release::identity(data.items.clone(), data.events.clone());
        let shuffle = Shuffle::new([3; 32], 2);
        let hash = write_events_parquet(&path, &release, &shuffle, &Progress::silent()).unwrap();
        assert_eq!(hash, super::super::hash_file(&path).unwrap());
        let csv = folder.path().join("release.csv");
        super::super::write_events_csv(&csv, &release, &shuffle, &Progress::silent()).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let mut text = "record,item\n".to_owned();
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            text.push_str(&format!("{},{}\n", row.get_long(0).unwrap(), row.get_string(1).unwrap()));
        }
        assert_eq!(text, std::fs::read_to_string(csv).unwrap());
    }
}
