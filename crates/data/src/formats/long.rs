//! Events in the long form: a header and one row an event.

use std::borrow::Cow;

use throng_contract::Progress;

use super::assemble::{Assembly, Keying};
use super::belongings::Belongings;
use super::block::{Block, Blocks};
use super::columns::Columns;
use super::error::{Defect, InputError};
use super::header::Header;
use super::options::{Format, Read, ReadShape, Roles};
use super::pipeline::{self, Parse};
use super::role_names::{DATE, ITEM, RECORD, SUBJECT, TIME};
use super::row::{Layout, Misread, Rows, name};
use super::time::TimeReader;
use crate::EventKind;
use crate::recognize::{Proposal, one_row_each};

const SUBJECT_SLOT: usize = 0;
const ITEM_SLOT: usize = 1;

/// Reads events of the long form: `proposal` says what the columns are.
pub(super) fn read(
    mut blocks: Blocks,
    proposal: &Proposal,
    named: Option<&str>,
    progress: &Progress,
) -> Result<Read, InputError> {
    let options = &proposal.read;
    let (header, first) = Header::read_as(&mut blocks, proposal.framing)?;
    let subject = header.need(SUBJECT, options.subject.as_deref())?;
    let item = header.need(ITEM, options.item.as_deref())?;
    let find = |role, named: &Option<String>| match named {
        Some(named) => header.find(role, Some(named)),
        None => Ok(None),
    };
    let record = find(RECORD, &options.record)?;
    let time = if options.no_time { None } else { find(TIME, &options.time)? };
    let date = if time.is_some() { find(DATE, &options.date)? } else { None };
    header.distinct(&[
        (SUBJECT.role, Some(subject)),
        (ITEM.role, Some(item)),
        (RECORD.role, record),
        (TIME.role, time),
        (DATE.role, date),
    ])?;
    let belongings = Belongings::of(&header, options)?;

    let mut wanted = vec![subject, item];
    let mut slot_of = |column: usize| {
        // One column may be used twice: the item and its category.
        wanted.iter().position(|known| *known == column).unwrap_or_else(|| {
            wanted.push(column);
            wanted.len() - 1
        })
    };
    let (record_slot, time_slot, date_slot) =
        (record.map(&mut slot_of), time.map(&mut slot_of), date.map(&mut slot_of));
    let kept = belongings.positions().map(|(column, of_item)| (slot_of(column), of_item)).collect();
    let layout = Layout::only(header.delimiter, header.names.len(), &wanted);
    let mut parser =
        LongRows { header: &header, layout, wanted, record: record_slot, time: None, date: date_slot, kept };
    let first = parser.first_row(first, &mut blocks)?;
    if let Some(slot) = time_slot {
        parser.time = Some((slot, parser.time_reader(&first, slot, options.time_format.as_deref())?));
    }

    let keying = if record.is_some() { Keying::SubjectAndRecord } else { Keying::Subject };
    let mut assembly = Assembly::new(keying, EventKind::Sequence, time.is_some());
    assembly.keep(belongings);
    pipeline::run(first, &mut blocks, &parser, &mut assembly, progress)?;
    let name = |column: usize| header.label(column);
    let reader = parser.time.as_ref().map(|(_, reader)| reader);
    let shape = ReadShape {
        roles: Roles {
            subject: Some(name(subject)),
            record: record.map(name),
            item: Some(name(item)),
            time: time.map(name),
        },
        ignored: header.others(&parser.wanted),
        time: reader.map(|reader| reader.kind),
        ..ReadShape::of(Format::LongCsv, blocks.stream().delivered())
    };
    let belongings = assembly.take_belongings();
    let mut dataset = assembly.finish_timed(reader).map_err(|defect| {
        InputError::file(&header.file, defect).column(&time.map(name).unwrap_or_default())
    })?;
    let events = dataset.events.len();
    if named.is_none() && SUBJECT.fits(&name(subject)) < 3 && dataset.subjects.len() == events && events > 2 {
        return Err(one_row_each(&name(subject), events).into_error(&header.file));
    }
    if let Some(belongings) = belongings {
        belongings.finish(&header, &mut dataset)?;
    }
    let time_format = reader.and_then(|reader| reader.format()).map(str::to_owned);
    Ok(Read { dataset, shape: ReadShape { time_format, ..shape } })
}

/// How rows become events.
struct LongRows<'a> {
    header: &'a Header,
    layout: Layout,
    /// The column of each slot.
    wanted: Vec<usize>,
    record: Option<usize>,
    time: Option<(usize, TimeReader)>,
    /// The date of a time of day.
    date: Option<usize>,
    /// Columns that belong to people, or to items where that is so.
    kept: Vec<(usize, bool)>,
}

/// Rows that are looked at to tell the form of times.
const TIMES: usize = 1000;

impl LongRows<'_> {
    /// The first block that has a row.
    fn first_row(&self, mut block: Block, blocks: &mut Blocks) -> Result<Block, InputError> {
        loop {
            if !block.is_blank(&self.header.file)? {
                return Ok(block);
            }
            let nothing = || InputError::file(&self.header.file, Defect::HeaderOnly);
            block = blocks.next_block()?.ok_or_else(nothing)?;
        }
    }

    /// The reader for times written like those of the first rows.
    fn time_reader(
        &self,
        block: &Block,
        slot: usize,
        format: Option<&str>,
    ) -> Result<TimeReader, InputError> {
        let mut rows = block.rows(&self.header.file, &self.layout)?;
        let mut times = Vec::new();
        let mut first = 0;
        // Where a later row is at fault, reading it will tell.
        while times.len() < TIMES {
            match rows.advance() {
                Ok(true) => {}
                Ok(false) => break,
                Err(misread) if times.is_empty() => return Err(self.locate(block, misread)),
                Err(_) => break,
            }
            if times.is_empty() {
                first = rows.start();
            }
            times.push(self.time_text(&rows, slot).into_owned());
        }
        TimeReader::for_values(times.iter().map(String::as_str), format)
            .map_err(|defect| self.locate(block, (first, defect)).column(&self.label(slot)))
    }

    /// The time of a row, behind its date where that stands in a column of its own.
    fn time_text<'r>(&self, rows: &'r Rows<'_>, slot: usize) -> Cow<'r, str> {
        match self.date {
            None => Cow::Borrowed(rows.field(slot)),
            Some(date) => Cow::Owned(format!("{} {}", rows.field(date).trim(), rows.field(slot).trim())),
        }
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
        let mut rows = block.rows(&self.header.file, &self.layout)?;
        while rows.advance().map_err(|misread| self.locate(block, misread))? {
            let text = |slot: usize| name(rows.field(slot));
            let (subject, item) = (text(SUBJECT_SLOT), text(ITEM_SLOT));
            if subject.is_empty() {
                return Err(self.empty(block, rows.start(), SUBJECT_SLOT, SUBJECT.role));
            }
            if item.is_empty() {
                return Err(self.empty(block, rows.start(), ITEM_SLOT, ITEM.role));
            }
            columns.continue_run(subject, self.record.map_or("", text));
            for (number, (slot, of_item)) in self.kept.iter().enumerate() {
                columns.keep(number, if *of_item { item } else { subject }, rows.field(*slot));
            }
            match &self.time {
                None => columns.push(item),
                Some((slot, reader)) => {
                    let time = reader.read_finely(&self.time_text(&rows, *slot)).map_err(|defect| {
                        self.locate(block, (rows.start(), defect)).column(&self.label(*slot))
                    })?;
                    columns.push_at(item, time);
                }
            }
        }
        Ok(())
    }
}
