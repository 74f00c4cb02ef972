//! Reads a file into the working table.
//!
//! A CSV file keeps all its columns. Other forms become the columns `subject`, `record`, `item` and `time`, as far as
//! they have them. What is wrong with a file does not hide what can be read of it: the rows before the defect are there.

use throng_contract::Progress;
use throng_data::formats::{
    BLOCK, Blocks, Header, InputError, Layout, ReadOptions, Rows, Source, Spot, read_dataset,
};
use throng_data::{Dataset, Dictionary};

use super::{Sheet, SheetColumn};

/// The table, and the defect that ended reading, if any.
pub fn read(source: &Source, delimiter: Option<u8>, progress: &Progress) -> (Sheet, Option<InputError>) {
    match source.extension().as_deref() {
        Some("csv" | "tsv") => read_text(source, delimiter, progress),
        _ => match read_dataset(source, &ReadOptions::default(), progress) {
            Ok(read) => (of_dataset(&read.dataset), None),
            Err(error) => (Sheet::default(), Some(error)),
        },
    }
}

fn read_text(source: &Source, delimiter: Option<u8>, progress: &Progress) -> (Sheet, Option<InputError>) {
    let opened = source.open().and_then(|stream| {
        let total = stream.total();
        let mut blocks = Blocks::new(stream, source.name(), BLOCK, true)?;
        let (header, first) = Header::read(&mut blocks, delimiter)?;
        Ok((header, first, blocks, total))
    });
    let (header, first, mut blocks, total) = match opened {
        Ok(opened) => opened,
        Err(error) => return (Sheet::default(), Some(error)),
    };
    let mut columns: Vec<SheetColumn> = (0..header.names.len())
        .map(|column| SheetColumn {
            name: header.label(column),
            values: Dictionary::new(),
            codes: Vec::new(),
        })
        .collect();
    let layout = Layout::all(header.delimiter, header.names.len());
    let phase = progress.phase("read the table", total);
    let mut consumed = 0;
    let fill = || -> Result<(), InputError> {
        let mut next = Some(first);
        while let Some(block) = next {
            let mut rows = Rows::new(block.text(&header.file)?, &layout, block.quoted);
            let locate = |(at, defect)| InputError {
                place: Box::new(Spot {
                    file: header.file.clone(),
                    line: Some(block.line_at(at)),
                    column: None,
                }),
                defect: Box::new(defect),
            };
            while rows.advance().map_err(locate)? {
                for (number, column) in columns.iter_mut().enumerate() {
                    let code = column.values.intern(rows.field(number));
                    column.codes.push(code);
                }
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
    (Sheet::new(columns, Some(header.delimiter)), defect)
}

fn of_dataset(data: &Dataset) -> Sheet {
    let events = &data.events;
    let column = |name: &str| SheetColumn {
        name: name.to_owned(),
        values: Dictionary::new(),
        codes: Vec::with_capacity(events.len()),
    };
    let several = events.records() != events.subjects();
    let mut subject = SheetColumn { values: data.subjects.clone(), ..column("subject") };
    let mut record = column("record");
    let mut item = SheetColumn { values: (*data.items).clone(), ..column("item") };
    let mut time = column("time");
    for person in 0..events.subjects() {
        for (number, at) in events.records_of(person).enumerate() {
            let name = record.values.intern(&(number + 1).to_string());
            let items = events.record(at);
            subject.codes.extend(items.iter().map(|_| person as u32));
            record.codes.extend(items.iter().map(|_| name));
            item.codes.extend_from_slice(items);
            for when in events.times_of(at).into_iter().flatten() {
                let code = time.values.intern(&when.to_string());
                time.codes.push(code);
            }
        }
    }
    let mut columns = vec![subject];
    if several {
        columns.push(record);
    }
    columns.push(item);
    if events.times().is_some() {
        columns.push(time);
    }
    Sheet::new(columns, None)
}
