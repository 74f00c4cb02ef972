//! Events in Parquet files: the columns of the long form, or one row a record with a list column.

mod belonging;
mod hybrid;
mod leaf;
mod rows;
#[cfg(test)]
mod tests;
mod text_pages;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::parquet::basic::Type as Physical;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ColumnChunkMetaData;
use ::parquet::file::reader::{ChunkReader, FileReader};
use ::parquet::file::serialized_reader::SerializedFileReader;
use bytes::Bytes;
use throng_contract::Progress;

use self::leaf::{Leaf, TimeColumn};
pub use self::rows::parquet_rows;
use super::assemble::{Assembly, Keying};
use super::belongings::Belongings;
use super::columns::Columns;
use super::error::{Defect, InputError};
use super::header::Header;
use super::options::{Format, Read, ReadOptions, ReadShape, Roles};
use super::role_names::{ITEM, RECORD, SUBJECT, TIME};
use super::source::Source;
use super::stream::Stream;
use super::wide::{WIDE, push_items};
use crate::limits::Limit;
use crate::recognize::{Proposal, RowKind, recognize_columns};
use crate::{EventKind, ItemId};

/// Rows decoded at a time.
const BATCH: usize = 1 << 16;

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is decoding a Parquet file or a workbook, so that a panic means a damaged file and not a bug of ours.
///
/// For panic hooks, which run before the panic is caught.
pub fn is_decoding_parquet() -> bool {
    DECODING.get()
}

/// Runs a decoder of another library, which may panic on a damaged file instead of refusing it; `None` where it did.
pub(super) fn guarded<T>(decode: impl FnOnce() -> T) -> Option<T> {
    DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    decoded.ok()
}

/// Reads a Parquet file. The library panics on some damaged files instead of refusing them; that is an error like any other.
pub(super) fn read(
    source: &Source,
    bytes: Vec<u8>,
    options: &ReadOptions,
    anything: bool,
    progress: &Progress,
) -> Result<Parquet, InputError> {
    undamaged(source, || {
        let bytes = Bytes::from(bytes);
        let (reader, size) = open(source, bytes.clone())?;
        let proposal = recognized(source, &reader, options);
        let table = options.format == Some(Format::Table);
        if table || (anything && proposal.row == RowKind::Person) {
            return rows::csv(source.name(), bytes).map(Parquet::Rows);
        }
        if let Some(question) = proposal.question.clone() {
            return Err(question.into_error(source.name()));
        }
        let read = read_file(source, reader, size, &proposal.read, progress)?;
        Ok(Parquet::Events(Box::new((read, proposal))))
    })
}

/// What a Parquet file holds.
pub(super) enum Parquet {
    /// Events, and what its columns were found to be.
    Events(Box<(Read, Proposal)>),
    /// A row a person: the same as CSV.
    Rows(Vec<u8>),
}

/// What the columns of a Parquet file are, by their names and first rows.
pub(crate) fn propose(
    source: &Source,
    stream: Stream,
    options: &ReadOptions,
) -> Result<Proposal, InputError> {
    let (_, bytes) = stream.drained()?;
    undamaged(source, || Ok(recognized(source, &open(source, Bytes::from(bytes))?.0, options)))
}

fn undamaged<T>(source: &Source, read: impl FnOnce() -> Result<T, InputError>) -> Result<T, InputError> {
    guarded(read).unwrap_or_else(|| {
        let what = "its pages do not fit its footer".into();
        Err(InputError::file(source.name(), Defect::Parquet { what }))
    })
}

/// The format needs random access, and every input is opened once: the file is in memory.
fn open(source: &Source, bytes: Bytes) -> Result<(SerializedFileReader<Bytes>, u64), InputError> {
    let size = bytes.len() as u64;
    let reader = SerializedFileReader::new(bytes).map_err(|error| failure(source.name(), error))?;
    // Equal values are stored once, however many rows they fill, and each row takes four bytes of memory a column.
    let chunks = reader.metadata().row_groups().iter().flat_map(|group| group.columns());
    let bytes = |chunk: &ColumnChunkMetaData| {
        let rows = u64::try_from(chunk.num_values()).unwrap_or(u64::MAX).saturating_mul(4);
        rows.max(u64::try_from(chunk.uncompressed_size()).unwrap_or(u64::MAX))
    };
    let unpacked = chunks.fold(0_u64, |sum, chunk| sum.saturating_add(bytes(chunk)));
    if !Limit::Unpacked.allows(unpacked) {
        return Err(InputError::file(source.name(), Defect::Limit(Limit::Unpacked)));
    }
    Ok((reader, size))
}

/// Rows that are looked at.
const SAMPLE: usize = 5_000;

/// Looks at the names and first values of plain columns; what cannot be text looks empty.
fn recognized(source: &Source, reader: &SerializedFileReader<Bytes>, options: &ReadOptions) -> Proposal {
    let meta = reader.metadata();
    let schema = meta.file_metadata().schema_descr();
    let names: Vec<String> =
        schema.root_schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let header = Header::of_columns(source.name(), names.clone());
    let rows = usize::try_from(meta.file_metadata().num_rows()).unwrap_or(0);
    let shown = match meta.num_row_groups() {
        0 => 0,
        _ => rows.min(SAMPLE).min(usize::try_from(meta.row_group(0).num_rows()).unwrap_or(0)),
    };
    let mut sample = vec![vec![String::new(); names.len()]; shown];
    let mut fill = |column: usize| -> Result<(), InputError> {
        let refused = |error| failure(source.name(), error);
        let leaf = Leaf::of_any_type(&header, schema, column, false)?;
        let group = reader.get_row_group(0).map_err(refused)?;
        if leaf.descriptor().physical_type() != Physical::INT96 {
            let mut values = group.get_column_reader(leaf.index()).map_err(refused)?;
            let texts = belonging::texts(&leaf, &mut values, shown, 0)?;
            sample.iter_mut().zip(texts).for_each(|(fields, text)| fields[column] = text);
            return Ok(());
        }
        let cells = leaf.read(&mut leaf.open(&*group)?, shown, 0)?;
        let mut buffer = String::new();
        for (row, fields) in sample.iter_mut().enumerate().take(cells.rows()) {
            fields[column] = leaf.text(&cells, row, row as u64, RECORD.role, &mut buffer)?.to_owned();
        }
        Ok(())
    };
    for column in (0..names.len()).filter(|_| shown > 0) {
        // The reader says what is wrong with a column that is used.
        let _ = fill(column);
    }
    recognize_columns(names, sample, rows <= shown, Format::Parquet, options)
}

fn failure(file: &str, error: ParquetError) -> InputError {
    let what = match error {
        ParquetError::General(what) | ParquetError::NYI(what) | ParquetError::EOF(what) => what,
        other => other.to_string(),
    };
    InputError::file(file, Defect::Parquet { what })
}

/// The columns of a file that play a role.
struct Chosen {
    subject: Option<Leaf>,
    record: Option<Leaf>,
    /// One item a row, or all items of a record.
    item: Leaf,
    time: Option<(Leaf, TimeColumn)>,
    separator: char,
    wide: bool,
    /// Columns that belong to people, or to items where that is so.
    kept: Vec<(Leaf, bool)>,
}

fn read_file<R: ChunkReader + 'static>(
    source: &Source,
    reader: SerializedFileReader<R>,
    bytes: u64,
    options: &ReadOptions,
    progress: &Progress,
) -> Result<Read, InputError> {
    let meta = reader.metadata();
    let schema = meta.file_metadata().schema_descr();
    let names = schema.root_schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let header = Header::of_columns(source.name(), names);
    let wide = options.wide.is_some();
    let item = match wide {
        true => header.need(WIDE, options.wide.as_deref())?,
        false => header.need(ITEM, options.item.as_deref())?,
    };
    let subject = match wide {
        true => header.find(SUBJECT, options.subject.as_deref())?,
        false => Some(header.need(SUBJECT, options.subject.as_deref())?),
    };
    let find = |role, named: &Option<String>| match named {
        Some(named) if !wide => header.find(role, Some(named)),
        _ => Ok(None),
    };
    let record = find(RECORD, &options.record)?;
    let time = if options.no_time { None } else { find(TIME, &options.time)? };
    header.distinct(&[
        (SUBJECT.role, subject),
        (ITEM.role, Some(item)),
        (RECORD.role, record),
        (TIME.role, time),
    ])?;

    let leaf = |column, lists| Leaf::find(&header, schema, column, lists);
    let belongings = if wide { None } else { Some(Belongings::of(&header, options)?) };
    let kept = belongings.iter().flat_map(Belongings::positions);
    let kept: Vec<(usize, bool)> = kept.collect();
    let mut chosen = Chosen {
        subject: subject.map(|column| leaf(column, false)).transpose()?,
        record: record.map(|column| leaf(column, false)).transpose()?,
        item: leaf(item, wide)?,
        time: None,
        separator: options.separator.unwrap_or(' '),
        wide,
        kept: kept
            .iter()
            .map(|(column, of_item)| Ok((Leaf::of_any_type(&header, schema, *column, false)?, *of_item)))
            .collect::<Result<_, InputError>>()?,
    };
    if let Some(column) = time {
        let leaf = leaf(column, false)?;
        let times = TimeColumn::new(&leaf, options.time_format.as_deref())?;
        chosen.time = Some((leaf, times));
    }
    let keying = match (wide, subject.is_some(), record.is_some()) {
        (true, true, _) => Keying::Run,
        (true, false, _) => Keying::Anonymous,
        (false, _, true) => Keying::SubjectAndRecord,
        (false, _, false) => Keying::Subject,
    };
    let mut assembly = Assembly::new(keying, EventKind::Sequence, time.is_some());
    if let Some(belongings) = belongings {
        assembly.keep(belongings);
    }
    chosen.read_rows(&reader, source.name(), &mut assembly, progress)?;
    if assembly.is_empty() {
        return Err(InputError::file(source.name(), Defect::Empty));
    }
    let name = |column: usize| header.names[column].clone();
    let used = [item].into_iter().chain(subject).chain(record).chain(time);
    let used: Vec<usize> = used.chain(kept.iter().map(|(column, _)| *column)).collect();
    let shape = ReadShape {
        roles: Roles {
            subject: subject.map(name),
            record: record.map(name),
            item: Some(name(item)),
            time: time.map(name),
        },
        ignored: header.others(&used),
        time: chosen.time.as_ref().and_then(|(_, times)| times.kind()),
        ..ReadShape::of(Format::Parquet, bytes)
    };
    let reader = chosen.time.as_ref().and_then(|(_, times)| times.reader());
    let time_format = reader.and_then(|reader| reader.format()).map(str::to_owned);
    let belongings = assembly.take_belongings();
    let mut dataset = assembly.finish_timed(reader).map_err(|defect| {
        InputError::file(source.name(), defect).column(&time.map(name).unwrap_or_default())
    })?;
    if let Some(belongings) = belongings {
        belongings.finish(&header, &mut dataset)?;
    }
    Ok(Read { dataset, shape: ReadShape { time_format, ..shape } })
}

impl Chosen {
    fn read_rows<R: ChunkReader + 'static>(
        &mut self,
        reader: &SerializedFileReader<R>,
        file: &str,
        assembly: &mut Assembly,
        progress: &Progress,
    ) -> Result<(), InputError> {
        let refused = |error| failure(file, error);
        let rows = u64::try_from(reader.metadata().file_metadata().num_rows()).ok();
        let phase = progress.phase("read", rows);
        let mut done = 0_u64;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).map_err(refused)?;
            let open = |leaf: &Leaf| leaf.open(&*group);
            let mut subjects = self.subject.as_ref().map(open).transpose()?;
            let mut records = self.record.as_ref().map(open).transpose()?;
            let mut items = open(&self.item)?;
            let mut times = self.time.as_ref().map(|(leaf, _)| open(leaf)).transpose()?;
            let kept = self.kept.iter().map(|(leaf, _)| group.get_column_reader(leaf.index()));
            let mut kept = kept.collect::<Result<Vec<_>, _>>().map_err(refused)?;
            loop {
                let item_cells = self.item.read(&mut items, BATCH, done)?;
                let count = item_cells.rows();
                if count == 0 {
                    break;
                }
                let cells = |leaf: &Option<Leaf>, reader: &mut Option<_>| match (leaf, reader) {
                    (Some(leaf), Some(reader)) => leaf.read_exactly(reader, count, done).map(Some),
                    _ => Ok(None),
                };
                let subject_cells = cells(&self.subject, &mut subjects)?;
                let record_cells = cells(&self.record, &mut records)?;
                let time_values = match (&mut self.time, &mut times) {
                    (Some((leaf, times)), Some(reader)) => {
                        times.numbers(leaf, &leaf.read_exactly(reader, count, done)?, done)?
                    }
                    _ => Vec::new(),
                };
                let kept_cells = self.kept.iter().zip(&mut kept);
                let kept_cells = kept_cells
                    .map(|((leaf, _), reader)| belonging::texts(leaf, reader, count, done))
                    .collect::<Result<Vec<_>, _>>()?;
                let mut columns = Columns::new(assembly.shards());
                let mut buffers = [String::new(), String::new(), String::new()];
                let [subject_buffer, record_buffer, item_buffer] = &mut buffers;
                // An item that is stored once is looked up once a batch.
                let by_code = !self.wide && self.kept.is_empty();
                let mut known: Vec<Option<ItemId>> = vec![None; if by_code { item_cells.codes() } else { 0 }];
                for row in 0..count {
                    let at = done + row as u64;
                    let subject_text = match (&self.subject, &subject_cells) {
                        (Some(leaf), Some(cells)) => {
                            leaf.text(cells, row, at, SUBJECT.role, subject_buffer)?
                        }
                        _ => "",
                    };
                    let record_text = match (&self.record, &record_cells) {
                        (Some(leaf), Some(cells)) => leaf.text(cells, row, at, RECORD.role, record_buffer)?,
                        _ => "",
                    };
                    if self.wide {
                        columns.open_run(subject_text, "");
                    } else {
                        columns.continue_run(subject_text, record_text);
                    }
                    let time = time_values.get(row).copied();
                    for value in item_cells.of_row(row) {
                        let code = item_cells.code(value).filter(|_| by_code).map(|code| code as usize);
                        if let Some(item) = code.and_then(|code| known[code]) {
                            columns.push_known(item, time);
                            continue;
                        }
                        let item_text = self.item.text(&item_cells, value, at, ITEM.role, item_buffer)?;
                        if self.wide && !self.item.is_list() {
                            push_items(item_text, self.separator, &mut columns);
                            continue;
                        }
                        // A list may have an empty place.
                        if item_text.is_empty() {
                            continue;
                        }
                        let item = columns.items.intern(item_text);
                        columns.push_known(item, time);
                        if let Some(code) = code {
                            known[code] = Some(item);
                        }
                        for (number, ((_, of_item), cells)) in self.kept.iter().zip(&kept_cells).enumerate() {
                            columns.keep(
                                number,
                                if *of_item { item_text } else { subject_text },
                                &cells[row],
                            );
                        }
                    }
                }
                assembly.append(columns);
                done += count as u64;
                phase.advance(count as u64)?;
            }
        }
        Ok(())
    }
}
