//! A frame as a file, for another process: what it is, how many columns and rows; then for each column its name, its values and a
//! number for each row. Numbers are little-endian, those of values as short as their count allows.
//!
//! The form depends on what the frame says, not on how it came about: values stand in the order in which rows have them first, and
//! values that no row has are left out.

use std::io::{self, Read, Write};

use std::sync::Arc;

use super::{Frame, FrameColumn};
use crate::Dictionary;
use crate::formats::error::{Defect, InputError};
use crate::formats::stream::Stream;
use crate::limits::Limit;

/// How a file begins that holds a frame: no text does.
const MAGIC: &[u8; 16] = b"\0throng-frame/1\n";

/// Numbers that are converted at a time.
const AT_ONCE: usize = 1 << 14;

/// The frame that a stream holds; nothing is taken from a stream that holds something else.
pub fn of_stream(stream: &mut Stream, file: &str) -> Result<Option<Arc<Frame>>, InputError> {
    if !stream.peek(MAGIC.len())?.starts_with(MAGIC) {
        return Ok(None);
    }
    let read = |stream: &mut Stream| {
        let frame = Frame::read(&mut *stream)?;
        // To the end, which the fingerprint of the file waits for.
        match stream.read(&mut [0])? {
            0 => Ok(frame),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    };
    match read(stream) {
        Ok(frame) => Ok(Some(Arc::new(frame))),
        Err(source) => Err(InputError::file(file, Defect::Read { after: stream.delivered(), source })),
    }
}

impl Frame {
    /// Writes the frame as a file.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        write_number(self.columns.len() as u64, &mut out)?;
        write_number(self.rows as u64, &mut out)?;
        for column in &self.columns {
            self.write_column(column, &mut out)?;
        }
        out.flush()
    }

    fn write_column(&self, column: &FrameColumn, out: &mut impl Write) -> io::Result<()> {
        let mut numbers = vec![u32::MAX; column.values.len()];
        let mut used: Vec<u32> = Vec::new();
        for row in 0..self.rows {
            let code = column.codes.get(self.place(row)).copied().unwrap_or_default();
            if let Some(number) = numbers.get_mut(code as usize).filter(|number| **number == u32::MAX) {
                *number = used.len() as u32;
                used.push(code);
            }
        }
        write_text(&column.name, out)?;
        write_number(used.len() as u64, out)?;
        used.iter().try_for_each(|code| write_text(column.values.name(*code), out))?;
        let width = width(used.len());
        let mut bytes = Vec::with_capacity(width * AT_ONCE);
        for from in (0..self.rows).step_by(AT_ONCE) {
            bytes.clear();
            for row in from..(from + AT_ONCE).min(self.rows) {
                let code = column.codes.get(self.place(row)).copied().unwrap_or_default();
                let number = numbers.get(code as usize).copied().unwrap_or_default();
                bytes.extend_from_slice(&number.to_le_bytes()[..width]);
            }
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Reads one that was written. Everything is checked: a process that was ended in the middle of its work has written half of it.
    pub fn read(mut from: impl Read) -> io::Result<Frame> {
        let mut magic = [0; MAGIC.len()];
        from.read_exact(&mut magic)?;
        if &magic != MAGIC {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let (columns, rows) = (read_number(&mut from)?, read_number(&mut from)?);
        if !Limit::Columns.allows(columns) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let rows = usize::try_from(rows).map_err(|_| io::ErrorKind::InvalidData)?;
        let columns: Vec<FrameColumn> =
            (0..columns).map(|_| read_column(rows, &mut from)).collect::<io::Result<_>>()?;
        Ok(Frame { rows: if columns.is_empty() { 0 } else { rows }, ..Frame::new(columns) })
    }
}

fn read_column(rows: usize, from: &mut impl Read) -> io::Result<FrameColumn> {
    let mut bytes = Vec::new();
    let name = read_text(&mut bytes, from)?.to_owned();
    let count = read_number(from)?;
    let mut values = Dictionary::new();
    for number in 0..count {
        // A value that stands there twice would be two.
        if u64::from(values.intern(read_text(&mut bytes, from)?)) != number {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    let codes = read_codes(rows, values.len(), from)?;
    Ok(FrameColumn::new(name, values, codes))
}

/// So many numbers. Memory grows with what comes, not with what was announced.
fn read_codes(rows: usize, values: usize, from: &mut impl Read) -> io::Result<Vec<u32>> {
    let width = width(values);
    let mut codes = Vec::new();
    let mut bytes = vec![0; width * AT_ONCE.min(rows)];
    while codes.len() < rows {
        let some = &mut bytes[..width * AT_ONCE.min(rows - codes.len())];
        from.read_exact(some)?;
        for short in some.chunks_exact(width) {
            let mut code = [0; size_of::<u32>()];
            code[..width].copy_from_slice(short);
            let code = u32::from_le_bytes(code);
            if code as usize >= values {
                return Err(io::ErrorKind::InvalidData.into());
            }
            codes.push(code);
        }
    }
    Ok(codes)
}

/// Bytes of a number below `count`.
fn width(count: usize) -> usize {
    match count {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => size_of::<u32>(),
    }
}

fn write_number(number: u64, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

fn read_number(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; size_of::<u64>()];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn write_text(text: &str, out: &mut impl Write) -> io::Result<()> {
    let length = u32::try_from(text.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// A text, in a buffer that is used again.
fn read_text<'a>(buffer: &'a mut Vec<u8>, from: &mut impl Read) -> io::Result<&'a str> {
    let mut length = [0; size_of::<u32>()];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    buffer.clear();
    if from.take(u64::from(length)).read_to_end(buffer)? < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    std::str::from_utf8(buffer).map_err(|_| io::ErrorKind::InvalidData.into())
}
