//! One column of a Parquet file: its type, and its cells as text or times.

use std::fmt::Write;
use std::ops::Range;

use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{DataType, Int96};
use ::parquet::file::reader::RowGroupReader;
use ::parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, SchemaDescriptor};

use super::super::row::name;
use super::failure;
use super::text_pages::{Broken, TextPages, Texts};
use crate::formats::error::{Defect, InputError};
use crate::formats::header::Header;
use crate::formats::options::TimeKind;
use crate::formats::time::TimeReader;

/// A column with plain values, or lists of them.
pub(super) struct Leaf {
    file: String,
    name: String,
    index: usize,
    descriptor: ColumnDescPtr,
}

/// Values of some rows; all rows have one, unless the column holds lists.
pub(super) struct Cells {
    values: Values,
    /// Where each row's values begin, and one more; empty when each row has one value.
    starts: Vec<usize>,
}

/// How the cells of a column are read.
pub(super) enum Reader {
    Text(TextPages),
    Other(Box<ColumnReader>),
}

enum Values {
    Text(Texts),
    Whole(Vec<i64>),
    Unsigned(Vec<u64>),
    Instant(Vec<Int96>),
}

impl Leaf {
    /// The values of a top-level column.
    pub fn find(
        header: &Header,
        schema: &SchemaDescriptor,
        column: usize,
        lists: bool,
    ) -> Result<Self, InputError> {
        let leaf = Leaf::of_any_type(header, schema, column, lists)?;
        let descriptor = &leaf.descriptor;
        if !matches!(
            descriptor.physical_type(),
            Physical::BYTE_ARRAY | Physical::INT32 | Physical::INT64 | Physical::INT96
        ) {
            let found = descriptor.physical_type().to_string().to_lowercase();
            return Err(leaf.of_type(&found, "text or whole numbers"));
        }
        // 12.34 is stored as 1234, and would be read as that.
        if descriptor.converted_type() == ConvertedType::DECIMAL {
            return Err(leaf.of_type("decimal", "text or whole numbers"));
        }
        Ok(leaf)
    }

    /// The values of a top-level column, whatever their type.
    pub(super) fn of_any_type(
        header: &Header,
        schema: &SchemaDescriptor,
        column: usize,
        lists: bool,
    ) -> Result<Self, InputError> {
        let name = header.label(column);
        let of_type = |found: &str, expected| {
            let defect = Defect::ParquetType { found: found.to_owned(), expected };
            InputError::file(&header.file, defect).column(&name)
        };
        let leaves: Vec<usize> =
            (0..schema.num_columns()).filter(|leaf| schema.get_column_root_idx(*leaf) == column).collect();
        let [index] = leaves[..] else {
            return Err(of_type("struct", "one value a row, or a list of values"));
        };
        let descriptor = schema.column(index);
        match (descriptor.max_rep_level(), lists) {
            (0, _) | (1, true) => {}
            (1, false) => return Err(of_type("list", "one value a row; name a list column as `wide`")),
            _ => return Err(of_type("list of lists", "a list of values")),
        }
        Ok(Leaf { file: header.file.clone(), name, index, descriptor })
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn index(&self) -> usize {
        self.index
    }

    pub fn is_list(&self) -> bool {
        self.descriptor.max_rep_level() > 0
    }

    /// The column in a group of rows.
    pub fn open(&self, group: &dyn RowGroupReader) -> Result<Reader, InputError> {
        let refused = |error| failure(&self.file, error);
        let chunk = group.metadata().column(self.index);
        if TextPages::can_read(chunk) {
            let pages = group.get_column_page_reader(self.index).map_err(refused)?;
            return Ok(Reader::Text(TextPages::new(pages, chunk)));
        }
        group.get_column_reader(self.index).map(|reader| Reader::Other(Box::new(reader))).map_err(refused)
    }

    /// Up to `limit` rows; `done` rows came before them in the file.
    pub fn read(&self, reader: &mut Reader, limit: usize, done: u64) -> Result<Cells, InputError> {
        match reader {
            Reader::Other(reader) => self.decoded(reader, limit, done),
            Reader::Text(pages) => match pages.read(limit) {
                Ok(texts) => Ok(Cells { values: Values::Text(texts), starts: Vec::new() }),
                Err(Broken::Library(error)) => Err(failure(&self.file, error)),
                Err(Broken::Damaged) => {
                    Err(self.error(Defect::Parquet { what: "a page does not hold what it says".into() }))
                }
                Err(Broken::Missing(before)) => {
                    Err(self.error(Defect::ParquetNull { row: done + before as u64 + 1 }))
                }
            },
        }
    }

    fn decoded(&self, reader: &mut ColumnReader, limit: usize, done: u64) -> Result<Cells, InputError> {
        let signed = !matches!(
            self.descriptor.converted_type(),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
        );
        let (values, starts) = match reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                let (values, starts) = self.decode(reader, limit, done)?;
                (Values::Text(Texts::of(&values)), starts)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                let (values, starts) = self.decode(reader, limit, done)?;
                let widen = |value: i32| if signed { i64::from(value) } else { i64::from(value as u32) };
                (Values::Whole(values.into_iter().map(widen).collect()), starts)
            }
            ColumnReader::Int64ColumnReader(reader) => {
                let (values, starts) = self.decode(reader, limit, done)?;
                match signed {
                    true => (Values::Whole(values), starts),
                    false => {
                        (Values::Unsigned(values.into_iter().map(|value| value as u64).collect()), starts)
                    }
                }
            }
            ColumnReader::Int96ColumnReader(reader) => {
                let (values, starts) = self.decode(reader, limit, done)?;
                (Values::Instant(values), starts)
            }
            _ => return Err(self.error(Defect::Parquet { what: "its schema does not fit its data".into() })),
        };
        Ok(Cells { values, starts })
    }

    /// As many rows as another column had.
    pub fn read_exactly(&self, reader: &mut Reader, rows: usize, done: u64) -> Result<Cells, InputError> {
        let cells = self.read(reader, rows, done)?;
        if cells.rows() != rows {
            return Err(self.error(Defect::Parquet { what: "columns of different lengths".into() }));
        }
        Ok(cells)
    }

    fn decode<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        limit: usize,
        done: u64,
    ) -> Result<(Vec<T::T>, Vec<usize>), InputError> {
        let (mut defined, mut repeated, mut values) = (Vec::new(), Vec::new(), Vec::new());
        reader
            .read_records(limit, Some(&mut defined), Some(&mut repeated), &mut values)
            .map_err(|error| failure(&self.file, error))?;
        let full = self.descriptor.max_def_level();
        let mut starts = Vec::new();
        if self.is_list() {
            let present = self.descriptor.repeated_ancestor_def_level();
            let mut seen = 0;
            for (level, repeat) in defined.iter().zip(&repeated) {
                if *repeat == 0 {
                    starts.push(seen);
                }
                if *level == full {
                    seen += 1;
                } else if *level >= present {
                    return Err(self.error(Defect::ParquetNull { row: done + starts.len() as u64 }));
                }
            }
            starts.push(seen);
        } else if let Some(row) = defined.iter().position(|level| *level < full) {
            return Err(self.error(Defect::ParquetNull { row: done + row as u64 + 1 }));
        }
        Ok((values, starts))
    }

    /// A value as a name; what is no text is written to `buffer`.
    pub fn text<'a>(
        &self,
        cells: &'a Cells,
        value: usize,
        row: u64,
        role: &'static str,
        buffer: &'a mut String,
    ) -> Result<&'a str, InputError> {
        buffer.clear();
        // Writing to a `String` cannot fail.
        let _ = match &cells.values {
            Values::Text(values) => {
                let text = std::str::from_utf8(values.get(value)).map_err(|_| {
                    self.error(Defect::Parquet { what: format!("row {} is not UTF-8 text", row + 1) })
                })?;
                let text = name(text);
                if text.is_empty() && !self.is_list() && role != "record" {
                    return Err(self.error(Defect::EmptyField { role }));
                }
                return Ok(text);
            }
            Values::Whole(values) => write!(buffer, "{}", values[value]),
            Values::Unsigned(values) => write!(buffer, "{}", values[value]),
            Values::Instant(values) => write!(buffer, "{}", values[value].to_seconds()),
        };
        Ok(buffer)
    }

    pub(super) fn of_type(&self, found: &str, expected: &'static str) -> InputError {
        self.error(Defect::ParquetType { found: found.to_owned(), expected })
    }

    pub(super) fn descriptor(&self) -> &ColumnDescriptor {
        &self.descriptor
    }

    pub(super) fn error(&self, defect: Defect) -> InputError {
        InputError::file(&self.file, defect).column(&self.name)
    }
}

impl Cells {
    /// The number of a value among those that are stored once, if it is one of them.
    pub fn code(&self, value: usize) -> Option<u32> {
        match &self.values {
            Values::Text(values) => values.code(value),
            _ => None,
        }
    }

    /// How many values are stored once.
    pub fn codes(&self) -> usize {
        match &self.values {
            Values::Text(values) => values.codes(),
            _ => 0,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self.starts.len() {
            0 => match &self.values {
                Values::Text(values) => values.len(),
                Values::Whole(values) => values.len(),
                Values::Unsigned(values) => values.len(),
                Values::Instant(values) => values.len(),
            },
            starts => starts - 1,
        }
    }

    /// The values of a row.
    pub fn of_row(&self, row: usize) -> Range<usize> {
        match self.starts.is_empty() {
            true => row..row + 1,
            false => self.starts[row]..self.starts[row + 1],
        }
    }
}

/// How the times of a column become numbers.
pub(super) struct TimeColumn {
    kind: Option<TimeKind>,
    /// What a stored number is divided by, and multiplied with, to give seconds.
    divisor: i64,
    factor: i64,
    format: Option<String>,
    reader: Option<TimeReader>,
}

impl TimeColumn {
    /// From the column's type; text is looked at when it comes.
    pub fn new(leaf: &Leaf, format: Option<&str>) -> Result<Self, InputError> {
        let descriptor = &leaf.descriptor;
        let (kind, divisor, factor) = match (descriptor.logical_type_ref(), descriptor.converted_type()) {
            (Some(LogicalType::Timestamp(stamp)), _) => {
                let kind = if stamp.is_adjusted_to_u_t_c { TimeKind::Zoned } else { TimeKind::Local };
                let divisor = match stamp.unit {
                    TimeUnit::MILLIS => 1_000,
                    TimeUnit::MICROS => 1_000_000,
                    TimeUnit::NANOS => 1_000_000_000,
                };
                (Some(kind), divisor, 1)
            }
            (None, ConvertedType::TIMESTAMP_MILLIS) => (Some(TimeKind::Zoned), 1_000, 1),
            (None, ConvertedType::TIMESTAMP_MICROS) => (Some(TimeKind::Zoned), 1_000_000, 1),
            (Some(LogicalType::Date), _) | (None, ConvertedType::DATE) => (Some(TimeKind::Local), 1, 86_400),
            _ => match descriptor.physical_type() {
                Physical::BYTE_ARRAY => (None, 1, 1),
                Physical::INT96 => (Some(TimeKind::Local), 1, 1),
                _ => (Some(TimeKind::Whole), 1, 1),
            },
        };
        Ok(TimeColumn { kind, divisor, factor, format: format.map(str::to_owned), reader: None })
    }

    /// How times are written; `None` when no row has been read.
    pub fn kind(&self) -> Option<TimeKind> {
        self.reader.as_ref().map(|reader| reader.kind).or(self.kind)
    }

    /// How times that are text are read; `None` when no row has been read.
    pub fn reader(&self) -> Option<&TimeReader> {
        self.reader.as_ref()
    }

    /// The times of some rows.
    pub fn numbers(&mut self, leaf: &Leaf, cells: &Cells, done: u64) -> Result<Vec<i64>, InputError> {
        let too_large = || leaf.error(Defect::Parquet { what: "a time out of range".into() });
        match &cells.values {
            Values::Whole(values) => {
                let number = |value: &i64| value.div_euclid(self.divisor).checked_mul(self.factor);
                values.iter().map(|value| number(value).ok_or_else(too_large)).collect()
            }
            Values::Unsigned(values) => {
                values.iter().map(|value| i64::try_from(*value).map_err(|_| too_large())).collect()
            }
            Values::Instant(values) => Ok(values.iter().map(Int96::to_seconds).collect()),
            Values::Text(values) => {
                let mut numbers = Vec::with_capacity(values.len());
                let mut buffer = String::new();
                for value in 0..values.len() {
                    let text = leaf.text(cells, value, done + value as u64, "time", &mut buffer)?;
                    if self.reader.is_none() {
                        let all = (0..values.len()).filter_map(|at| std::str::from_utf8(values.get(at)).ok());
                        let first = TimeReader::for_values(all, self.format.as_deref());
                        self.reader = Some(first.map_err(|defect| leaf.error(defect))?);
                    }
                    if let Some(reader) = &self.reader {
                        numbers.push(reader.read_finely(text).map_err(|defect| leaf.error(defect))?);
                    }
                }
                Ok(numbers)
            }
        }
    }
}
