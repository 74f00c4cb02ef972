//! Events in the wide form: a header and one row a record, one column holding its items.

use throng_contract::Progress;

use super::assemble::{Assembly, Keying};
use super::belongings::Belongings;
use super::block::{Block, Blocks};
use super::columns::Columns;
use super::error::{Defect, InputError};
use super::header::Header;
use super::options::{Format, Read, ReadShape, Roles};
use super::pipeline::{self, Parse};
use super::role_names::{ITEM, RoleName, SUBJECT};
use super::row::{Layout, name};
use crate::EventKind;
use crate::recognize::Proposal;

/// The column that holds all items of a record.
pub(super) const WIDE: RoleName = RoleName { role: "items", flag: Some("wide"), aliases: &[], weaker: &[] };

/// Reads a wide CSV file. A row without items is an empty record; without a subject column every row is a
/// person of its own.
pub(super) fn read(mut blocks: Blocks, proposal: &Proposal, progress: &Progress) -> Result<Read, InputError> {
    let options = &proposal.read;
    let (header, first) = Header::read_as(&mut blocks, proposal.framing)?;
    let items = header.need(WIDE, options.wide.as_deref())?;
    let subject = header.find(SUBJECT, options.subject.as_deref())?;
    header.distinct(&[(ITEM.role, Some(items)), (SUBJECT.role, subject)])?;
    let belongings = Belongings::of_people(&header, options)?;
    let mut used: Vec<usize> = [items].into_iter().chain(subject).collect();
    let mut kept = Vec::new();
    for (column, _) in belongings.positions() {
        // One column may be used twice.
        kept.push(used.iter().position(|known| *known == column).unwrap_or_else(|| {
            used.push(column);
            used.len() - 1
        }));
    }
    let parser = WideRows {
        header: &header,
        layout: Layout::only(header.delimiter, header.names.len(), &used),
        subject,
        separator: options.separator.unwrap_or(' '),
        kept,
    };
    let keying = if subject.is_some() { Keying::Run } else { Keying::Anonymous };
    let mut assembly = Assembly::new(keying, EventKind::Sequence, false);
    assembly.keep(belongings);
    pipeline::run(first, &mut blocks, &parser, &mut assembly, progress)?;
    if assembly.is_empty() {
        return Err(InputError::file(&header.file, Defect::HeaderOnly));
    }
    let shape = ReadShape {
        roles: Roles {
            subject: subject.map(|column| header.label(column)),
            item: Some(header.label(items)),
            ..Roles::default()
        },
        ignored: header.others(&used),
        ..ReadShape::of(Format::WideCsv, blocks.stream().delivered())
    };
    let belongings = assembly.take_belongings();
    let mut dataset = assembly.finish();
    if let Some(belongings) = belongings {
        belongings.finish(&header, &mut dataset)?;
    }
    Ok(Read { dataset, shape })
}

const ITEMS_SLOT: usize = 0;
const SUBJECT_SLOT: usize = 1;

struct WideRows<'a> {
    header: &'a Header,
    layout: Layout,
    subject: Option<usize>,
    separator: char,
    /// Slots of the columns that belong to people.
    kept: Vec<usize>,
}

impl Parse for WideRows<'_> {
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError> {
        let file = &self.header.file;
        let mut rows = block.rows(file, &self.layout)?;
        let locate = |at, defect| InputError::line(file, block.line_at(at), defect);
        while rows.advance().map_err(|(at, defect)| locate(at, defect))? {
            let subject = match self.subject {
                Some(_) => name(rows.field(SUBJECT_SLOT)),
                None => "",
            };
            if let (Some(column), "") = (self.subject, subject) {
                let defect = Defect::EmptyField { role: SUBJECT.role };
                return Err(locate(rows.start(), defect).column(&self.header.label(column)));
            }
            columns.open_run(subject, "");
            push_items(rows.field(ITEMS_SLOT), self.separator, columns);
            if self.kept.is_empty() {
                continue;
            }
            let row = columns.runs().to_string();
            let owner = if self.subject.is_some() { subject } else { &row };
            for (number, slot) in self.kept.iter().enumerate() {
                columns.keep(number, owner, rows.field(*slot));
            }
        }
        Ok(())
    }
}

/// Adds the items of a cell. Blanks around items do not count, nor do separators without an item between.
pub(super) fn push_items(cell: &str, separator: char, columns: &mut Columns) {
    for item in cell.split(separator).map(str::trim).filter(|item| !item.is_empty()) {
        columns.push(item);
    }
}
