//! Events in formats with one record a line and no names for people: SPMF sequences and FIMI transactions.
//!
//! Each line is a person of its own, named by the number of its record.

use throng_contract::Progress;

use super::assemble::{Assembly, Keying};
use super::block::{Block, Blocks};
use super::columns::Columns;
use super::error::{Defect, InputError};
use super::options::{Format, Read, ReadShape, Roles};
use super::pipeline::{self, Parse};
use super::source::Source;
use crate::EventKind;

/// Reads `3 -1 5 -1 -2` lines. Blank lines, `@` lines and `#` or `%` comments are passed over.
pub(super) fn read_spmf(
    source: &Source,
    progress: &Progress,
    block_bytes: usize,
) -> Result<Read, InputError> {
    read(source, &Sequences { file: source.name() }, Format::Spmf, EventKind::Sequence, progress, block_bytes)
}

/// Reads lines of items separated by blanks; a blank line is a record without items.
pub(super) fn read_fimi(
    source: &Source,
    progress: &Progress,
    block_bytes: usize,
) -> Result<Read, InputError> {
    read(source, &Transactions { file: source.name() }, Format::Fimi, EventKind::Set, progress, block_bytes)
}

fn read(
    source: &Source,
    parser: &impl Parse,
    format: Format,
    kind: EventKind,
    progress: &Progress,
    block_bytes: usize,
) -> Result<Read, InputError> {
    let mut blocks = Blocks::new(source.open()?, source.name(), block_bytes, false)?;
    let mut assembly = Assembly::new(Keying::Anonymous, kind, false);
    if let Some(first) = blocks.next_block()? {
        pipeline::run(first, &mut blocks, parser, &mut assembly, progress)?;
    }
    if assembly.is_empty() {
        return Err(InputError::file(source.name(), Defect::Empty));
    }
    let shape = ReadShape {
        format,
        bytes: blocks.stream().delivered(),
        roles: Roles::default(),
        ignored: Vec::new(),
        time: None,
    };
    Ok(Read { dataset: assembly.finish(), shape })
}

struct Transactions<'a> {
    file: &'a str,
}

impl Parse for Transactions<'_> {
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError> {
        for (_, line) in block.lines(self.file)? {
            columns.open_run("", "");
            line.split_ascii_whitespace().for_each(|item| columns.push(item));
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
                          or give sets as transactions (`--input-format fimi`)";
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
