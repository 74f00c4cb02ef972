//! Events in formats with one record a line and no names for people: SPMF sequences, FIMI transactions, plain lines of items.
//!
//! Each line is a person of its own, named by the number of its record.

use throng_contract::Progress;

use super::assemble::{Assembly, Keying};
use super::block::{Block, Blocks};
use super::columns::Columns;
use super::error::{Defect, InputError};
use super::options::{Format, Read, ReadShape};
use super::pipeline::{self, Parse};
use super::wide::push_items;
use crate::EventKind;
use crate::recognize::Proposal;

/// Reads records of one of the forms with a line each:
///
/// * SPMF, `3 -1 5 -1 -2`. Blank lines, `@` lines and `#` or `%` comments are passed over.
/// * FIMI, items separated by blanks; a blank line is a record without items.
/// * Lines of items in order. Blank lines and comments are passed over, and so are the lines before the first record that `proposal` names.
pub(super) fn read(mut blocks: Blocks, proposal: &Proposal, progress: &Progress) -> Result<Read, InputError> {
    let file = blocks.file().to_owned();
    let skipped = proposal.framing.skipped;
    let (format, delimiter) = (proposal.format, proposal.framing.delimiter);
    let kind = if format == Format::Fimi { EventKind::Set } else { EventKind::Sequence };
    let mut assembly = Assembly::new(Keying::Anonymous, kind, false);
    if let Some(first) = blocks.next_block()? {
        match format {
            Format::Fimi => pipeline::run(
                first,
                &mut blocks,
                &Transactions { file: &file, skipped },
                &mut assembly,
                progress,
            ),
            Format::Lines => {
                let parser = ItemLines { file: &file, skipped, delimiter };
                pipeline::run(first, &mut blocks, &parser, &mut assembly, progress)
            }
            _ => pipeline::run(first, &mut blocks, &Sequences { file: &file }, &mut assembly, progress),
        }?;
    }
    if assembly.is_empty() {
        return Err(InputError::file(&file, Defect::Empty));
    }
    let shape = ReadShape::of(format, blocks.stream().delivered());
    Ok(Read { dataset: assembly.finish(), shape })
}

struct ItemLines<'a> {
    file: &'a str,
    /// Lines before the first record.
    skipped: u64,
    /// What separates items; blanks where nothing else does.
    delimiter: Option<u8>,
}

impl Parse for ItemLines<'_> {
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError> {
        for (number, line) in block.lines(self.file)? {
            let line = line.trim();
            if number <= self.skipped || line.is_empty() || line.starts_with(['#', '%']) {
                continue;
            }
            columns.open_run("", "");
            match self.delimiter {
                None => line.split_whitespace().for_each(|item| columns.push(item)),
                Some(delimiter) => push_items(line, char::from(delimiter), columns),
            }
        }
        Ok(())
    }
}

struct Transactions<'a> {
    file: &'a str,
    skipped: u64,
}

impl Parse for Transactions<'_> {
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError> {
        for (number, line) in block.lines(self.file)? {
            if number <= self.skipped {
                continue;
            }
            columns.open_run("", "");
            line.split_whitespace().for_each(|item| columns.push(item));
        }
        Ok(())
    }
}

struct Sequences<'a> {
    file: &'a str,
}

impl Parse for Sequences<'_> {
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError> {
        for (number, line) in block.lines(self.file)? {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['@', '#', '%']) {
                continue;
            }
            columns.open_run("", "");
            sequence(line, columns).map_err(|defect| InputError::line(self.file, number, defect))?;
        }
        Ok(())
    }
}

/// Reads one sequence: every item is followed by `-1`, the last `-1` by `-2`.
fn sequence(line: &str, columns: &mut Columns) -> Result<(), Defect> {
    const FORM: &str = "write a sequence as `3 -1 5 -1 -2`: each item ends with -1, the line with -2";
    const SINGLE: &str = "sequences hold one item at each step; write the items of one step one after the other, \
                          or give sets as transactions ({input-format fimi})";
    let wrong = |what| Err(Defect::Spmf { what, help: FORM });
    let mut open = false;
    let mut tokens = line.split_ascii_whitespace();
    for token in tokens.by_ref() {
        match token {
            "-2" if open => return wrong("the sequence ends inside an element: -1 is missing before -2"),
            "-2" => {
                return match tokens.next() {
                    None => Ok(()),
                    Some(_) => wrong("text after the end of the sequence (-2)"),
                };
            }
            "-1" if open => open = false,
            "-1" => return wrong("an element without items"),
            _ if !token.bytes().all(|byte| byte.is_ascii_digit()) => {
                return wrong("an item that is not a whole number of at least 0");
            }
            _ if open => {
                return Err(Defect::Spmf { what: "an element with two items", help: SINGLE });
            }
            item => {
                columns.push(item);
                open = true;
            }
        }
    }
    wrong("the line does not end with -2")
}
