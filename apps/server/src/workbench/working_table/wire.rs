//! A working table as bytes, on its way from the process that read it to the one that shows it.
//!
//! A line of JSON says what there is; then come the columns as a frame, and the lines of the rows where they say more than their
//! order. The reader checks everything: a process that was ended in the middle of its work has sent half of it.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throng_data::formats::{Format, Frame};

use super::WorkingTable;
use crate::workbench::data::overview::DataProblem;

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    delimiter: Option<u8>,
    stored: Option<Format>,
    lines: bool,
    notes: Vec<String>,
    defect: Option<DataProblem>,
}

/// Numbers that are converted at a time.
const AT_ONCE: usize = 1 << 14;

/// Writes a table that was just read, and the defect that ended reading.
pub fn write(table: &WorkingTable, defect: Option<DataProblem>, mut out: impl Write) -> io::Result<()> {
    let head = Head {
        delimiter: table.delimiter,
        stored: table.stored,
        lines: table.lines.is_some(),
        notes: table.notes.to_vec(),
        defect,
    };
    serde_json::to_writer(&mut out, &head)?;
    out.write_all(b"\n")?;
    table.whole_frame().write(&mut out)?;
    write_numbers(table.lines.as_deref().map_or(&[], Vec::as_slice), &mut out)?;
    out.flush()
}

/// Reads it.
pub fn read(mut from: impl BufRead) -> io::Result<(WorkingTable, Option<DataProblem>)> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    let head: Head = serde_json::from_slice(&line)?;
    let columns = Frame::read(&mut from)?.columns().to_vec();
    let mut table = WorkingTable::new(columns, head.delimiter);
    if head.lines {
        table.lines = Some(Arc::new(read_numbers(table.rows, &mut from)?));
    }
    table.stored = head.stored;
    table.notes = Arc::new(head.notes);
    Ok((table, head.defect))
}

fn write_numbers(numbers: &[u32], out: &mut impl Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(4 * AT_ONCE.min(numbers.len()));
    for some in numbers.chunks(AT_ONCE) {
        bytes.clear();
        bytes.extend(some.iter().flat_map(|number| number.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// So many numbers. Memory grows with what comes, not with what was announced.
fn read_numbers(count: usize, from: &mut impl Read) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::new();
    let mut bytes = vec![0; 4 * AT_ONCE.min(count)];
    while numbers.len() < count {
        let some = &mut bytes[..4 * AT_ONCE.min(count - numbers.len())];
        from.read_exact(some)?;
        numbers.extend(
            some.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])),
        );
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::formats::Source;

    use super::*;

    #[test]
    fn what_is_sent_arrives_and_half_of_it_does_not() {
        let text = "who,what\nann,zoo\nbob,\n\"c,\n\",zoo\n".to_owned() + &"ann,pub\n".repeat(AT_ONCE + 3);
        let source = Source::memory("a.csv", text.into_bytes());
        let (table, _) = super::super::read(&source, None, &Progress::silent());
        let defect = DataProblem { detail: "d".to_owned(), help: "h".into(), line: Some(3), column: None };
        let mut sent = Vec::new();
        write(&table, Some(defect.clone()), &mut sent).unwrap();
        let (arrived, told) = read(sent.as_slice()).unwrap();
        assert_eq!((arrived.rows, arrived.delimiter, told), (table.rows, table.delimiter, Some(defect)));
        for (one, other) in arrived.columns.iter().zip(&table.columns) {
            assert_eq!((&one.name, &one.codes), (&other.name, &other.codes));
            assert!(one.values.names().eq(other.values.names()));
        }
        for cut in [0, 1, sent.len() / 2, sent.len() - 1] {
            assert!(read(&sent[..cut]).is_err(), "{cut}");
        }
    }
}
