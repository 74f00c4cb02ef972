//! Events in the long form: a header and one row an event.

use throng_contract::Progress;

use super::assemble::{Assembly, Keying};
use super::block::{Block, Blocks};
use super::columns::Columns;
use super::error::{Defect, InputError};
use super::header::{Header, ITEM, RECORD, SUBJECT, TIME};
use super::options::{Format, Read, ReadOptions, ReadShape, Roles};
use super::pipeline::{self, Parse};
use super::row::{Layout, Misread, Rows};
use super::source::Source;
use super::time::TimeReader;
use crate::EventKind;

const SUBJECT_SLOT: usize = 0;
const ITEM_SLOT: usize = 1;

/// Reads a long CSV file in blocks of about `block_bytes`.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    progress: &Progress,
    block_bytes: usize,
) -> Result<Read, InputError> {
    let mut blocks = Blocks::new(source.open()?, source.name(), block_bytes, true)?;
    let (header, first) = Header::read(&mut blocks, options.delimiter)?;
    let subject = header.need(SUBJECT, options.subject.as_deref())?;
    let item = header.need(ITEM, options.item.as_deref())?;
    let taken = [Some(subject), Some(item)];
    let record = header.find_apart(RECORD, options.record.as_deref(), &taken)?;
    let time = header.find_apart(TIME, options.time.as_deref(), &taken)?;
    header.distinct(&[
        (SUBJECT.role, Some(subject)),
        (ITEM.role, Some(item)),
        (RECORD.role, record),
        (TIME.role, time),
    ])?;

    let mut wanted = vec![subject, item];
    let mut slot_of = |column: Option<usize>| {
        column.map(|column| {
            wanted.push(column);
            wanted.len() - 1
        })
    };
    let (record_slot, time_slot) = (slot_of(record), slot_of(time));
    let layout = Layout::only(header.delimiter, header.names.len(), &wanted);
    let mut parser = LongRows { header: &header, layout, wanted, record: record_slot, time: None };
    let first = parser.first_row(first, &mut blocks)?;
    if let Some(slot) = time_slot {
        parser.time = Some((slot, parser.time_reader(&first, slot, options.time_format.as_deref())?));
    }

    let keying = if record.is_some() { Keying::SubjectAndRecord } else { Keying::Subject };
    let mut assembly = Assembly::new(keying, EventKind::Sequence, time.is_some());
    pipeline::run(first, &mut blocks, &parser, &mut assembly, progress)?;
    let name = |column: usize| header.names[column].clone();
    let shape = ReadShape {
        format: Format::LongCsv,
        bytes: blocks.stream().delivered(),
        roles: Roles {
            subject: Some(name(subject)),
            record: record.map(name),
            item: Some(name(item)),
            time: time.map(name),
        },
        ignored: header.others(&parser.wanted),
        time: parser.time.map(|(_, reader)| reader.kind),
    };
    Ok(Read { dataset: assembly.finish(), shape })
}

/// How rows become events.
struct LongRows<'a> {
    header: &'a Header,
    layout: Layout,
    /// The column of each slot.
    wanted: Vec<usize>,
    record: Option<usize>,
    time: Option<(usize, TimeReader)>,
}

impl LongRows<'_> {
    /// The first block that has a row.
    fn first_row(&self, mut block: Block, blocks: &mut Blocks) -> Result<Block, InputError> {
        loop {
            let text = block.text(&self.header.file)?;
            if !text.trim_start_matches(['\n', '\r']).is_empty() {
                return Ok(block);
            }
            let nothing = || InputError::file(&self.header.file, Defect::HeaderOnly);
            block = blocks.next_block()?.ok_or_else(nothing)?;
        }
    }

    /// The reader for times written like that of the first row.
    fn time_reader(
        &self,
        block: &Block,
        slot: usize,
        format: Option<&str>,
    ) -> Result<TimeReader, InputError> {
        let text = block.text(&self.header.file)?;
        let mut rows = Rows::new(text, &self.layout, block.quoted);
        rows.advance().map_err(|misread| self.locate(block, misread))?;
        TimeReader::for_file(rows.field(slot), format)
            .map_err(|defect| self.locate(block, (rows.start(), defect)).column(&self.label(slot)))
    }

    fn label(&self, slot: usize) -> String {
        self.header.label(self.wanted[slot])
    }

    fn locate(&self, block: &Block, (at, defect): Misread) -> InputError {
        InputError::line(&self.header.file, block.line_at(at), defect)
    }

    fn empty(&self, block: &Block, at: usize, slot: usize, role: &'static str) -> InputError {
        self.locate(block, (at, Defect::EmptyField { role })).column(&self.label(slot))
    }
}

impl Parse for LongRows<'_> {
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError> {
        let text = block.text(&self.header.file)?;
        let mut rows = Rows::new(text, &self.layout, block.quoted);
        while rows.advance().map_err(|misread| self.locate(block, misread))? {
            let (subject, item) = (rows.field(SUBJECT_SLOT), rows.field(ITEM_SLOT));
            if subject.is_empty() {
                return Err(self.empty(block, rows.start(), SUBJECT_SLOT, SUBJECT.role));
            }
            if item.is_empty() {
                return Err(self.empty(block, rows.start(), ITEM_SLOT, ITEM.role));
            }
            columns.continue_run(subject, self.record.map_or("", |slot| rows.field(slot)));
            match &self.time {
                None => columns.push(item),
                Some((slot, reader)) => {
                    let time = reader.read(rows.field(*slot)).map_err(|defect| {
                        self.locate(block, (rows.start(), defect)).column(&self.label(*slot))
                    })?;
                    columns.push_at(item, time);
                }
            }
        }
        Ok(())
    }
}
