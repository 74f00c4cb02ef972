//! Reads a file into the working table.
//!
//! A file with columns keeps all of them, whatever it is stored as. Other forms become the columns `subject`, `record`, `item` and `time`, as far as
//! they have them. What is wrong with a file does not hide what can be read of it: the rows before the defect are there.

use std::sync::Arc;

use throng_contract::Progress;
use throng_data::formats::{
    Blocks, Defect, Format, Framing, Header, InputError, Layout, ReadOptions, Source, Spot, parquet_rows,
    read_dataset,
};
use throng_data::recognize::open_rows;
use throng_data::{Dataset, Dictionary};

use super::{WorkingColumn, WorkingTable};

/// The table, and the defect that ended reading, if any.
pub fn read(
    source: &Source,
    delimiter: Option<u8>,
    progress: &Progress,
) -> (WorkingTable, Option<InputError>) {
    read_as(source, &ReadOptions { delimiter, ..ReadOptions::default() }, progress)
}

/// The same, told how the file is written.
pub fn read_as(
    source: &Source,
    options: &ReadOptions,
    progress: &Progress,
) -> (WorkingTable, Option<InputError>) {
    if options.format == Some(Format::Lines) {
        return match read_dataset(source, options, progress) {
            Ok(read) => (of_dataset(&read.dataset), None),
            Err(error) => (WorkingTable::default(), Some(error)),
        };
    }
    match open_rows(source, options) {
        Ok((proposal, blocks)) if !proposal.columns.is_empty() && proposal.format != Format::Matrix => {
            let (mut table, defect) = read_text(blocks, proposal.framing(), progress);
            table.notes = Arc::new(proposal.notes);
            (table, defect)
        }
        Err(error) if !matches!(*error.defect, Defect::UnknownFormat) => {
            (WorkingTable::default(), Some(error))
        }
        _ => match read_dataset(source, &ReadOptions::default(), progress) {
            Ok(read) => (of_dataset(&read.dataset), None),
            Err(error) => match parquet_rows(source).and_then(|rows| open_rows(&rows, options)) {
                Ok((proposal, blocks)) => read_text(blocks, proposal.framing(), progress),
                Err(_) => (WorkingTable::default(), Some(error)),
            },
        },
    }
}

fn read_text(
    mut blocks: Blocks,
    framing: Framing,
    progress: &Progress,
) -> (WorkingTable, Option<InputError>) {
    let total = blocks.stream().total();
    let (header, first) = match Header::read_as(&mut blocks, framing) {
        Ok(opened) => opened,
        Err(error) => return (WorkingTable::default(), Some(error)),
    };
    let mut columns: Vec<(Dictionary, Vec<u32>)> = vec![Default::default(); header.names.len()];
    let stored = blocks.foreign();
    let mut lines: Vec<u32> = Vec::new();
    let layout = Layout::all(header.delimiter, header.names.len());
    let phase = progress.phase("read the table", total);
    let mut consumed = 0;
    let fill = || -> Result<(), InputError> {
        let mut next = Some(first);
        while let Some(block) = next {
            let mut rows = block.rows(&header.file, &layout)?;
            let mut known = (0, block.line);
            let locate = |(at, defect)| InputError {
                place: Box::new(Spot {
                    file: header.file.clone(),
                    line: Some(block.line_at(at)),
                    column: None,
                }),
                defect: Box::new(defect),
            };
            while rows.advance().map_err(locate)? {
                for (number, (values, codes)) in columns.iter_mut().enumerate() {
                    let field = rows.field(number);
                    codes.push(values.intern(field.trim()));
                }
                known = (rows.start(), block.line_after(known, rows.start()));
                lines.push(u32::try_from(blocks.own_line(known.1)).unwrap_or(u32::MAX));
            }
            blocks.recycle(block);
            let now = blocks.stream().consumed();
            phase.advance(now - consumed)?;
            consumed = now;
            next = blocks.next_block()?;
        }
        Ok(())
    };
    let defect = fill().err();
    let column = |(number, (values, codes))| WorkingColumn::new(header.label(number), values, codes);
    let columns = columns.into_iter().enumerate().map(column).collect();
    let mut table = WorkingTable::new(columns, Some(header.delimiter));
    table.stored = stored;
    table.lines = (!lines.iter().copied().eq(2..lines.len() as u32 + 2)).then(|| Arc::new(lines));
    (table, defect)
}

fn of_dataset(data: &Dataset) -> WorkingTable {
    let events = &data.events;
    let several = events.records() != events.subjects();
    let (mut subjects, mut records, mut items, mut times) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut numbers, mut moments) = (Dictionary::new(), Dictionary::new());
    for person in 0..events.subjects() {
        for (number, at) in events.records_of(person).enumerate() {
            let name = numbers.intern(&(number + 1).to_string());
            let record = events.record(at);
            subjects.extend(record.iter().map(|_| person as u32));
            records.extend(record.iter().map(|_| name));
            items.extend_from_slice(record);
            for when in events.times_of(at).into_iter().flatten() {
                times.push(moments.intern(&when.to_string()));
            }
        }
    }
    let column = |name: &str, values, codes| WorkingColumn::new(name.to_owned(), values, codes);
    let mut columns = vec![column("subject", data.subjects.clone(), subjects)];
    if several {
        columns.push(column("record", numbers, records));
    }
    columns.push(column("item", (*data.items).clone(), items));
    if events.times().is_some() {
        columns.push(column("time", moments, times));
    }
    WorkingTable::new(columns, None)
}
