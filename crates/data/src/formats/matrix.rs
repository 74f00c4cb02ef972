//! Sets as a matrix: a row a record, a column an item, a cell how often the record has it. Every row is a person of its own.

use throng_contract::Progress;

use super::assemble::{Assembly, Keying};
use super::block::{Block, Blocks};
use super::columns::Columns;
use super::error::{Defect, InputError, Shape};
use super::header::Header;
use super::options::{Format, Read, ReadShape};
use super::pipeline::{self, Parse};
use super::row::Layout;
use crate::EventKind;
use crate::recognize::Proposal;

/// Reads a matrix. What occurs is an item of the record, however often.
pub(super) fn read(mut blocks: Blocks, proposal: &Proposal, progress: &Progress) -> Result<Read, InputError> {
    let (header, first) = Header::read_as(&mut blocks, proposal.framing)?;
    let layout = Layout::all(header.delimiter, header.names.len());
    let items = (0..header.names.len()).map(|column| header.label(column)).collect();
    let parser = MatrixRows { header: &header, layout, items };
    let mut assembly = Assembly::new(Keying::Anonymous, EventKind::Set, false);
    pipeline::run(first, &mut blocks, &parser, &mut assembly, progress)?;
    if assembly.is_empty() {
        return Err(InputError::file(&header.file, Defect::HeaderOnly));
    }
    let shape = ReadShape::of(Format::Matrix, blocks.stream().delivered());
    Ok(Read { dataset: assembly.finish(), shape })
}

struct MatrixRows<'a> {
    header: &'a Header,
    layout: Layout,
    items: Vec<String>,
}

impl Parse for MatrixRows<'_> {
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError> {
        let file = &self.header.file;
        let mut rows = block.rows(file, &self.layout)?;
        let locate = |(at, defect)| InputError::line(file, block.line_at(at), defect);
        while rows.advance().map_err(locate)? {
            columns.open_run("", "");
            for (column, item) in self.items.iter().enumerate() {
                match rows.field(column).trim() {
                    "" | "0" => {}
                    "1" => columns.push(item),
                    text => match text.parse::<f64>() {
                        Ok(0.0) => {}
                        Ok(count) if count > 0.0 && count.is_finite() => columns.push(item),
                        _ => {
                            let defect = Defect::Number { found: Shape::of(text) };
                            return Err(locate((rows.start(), defect)).column(item));
                        }
                    },
                }
            }
        }
        Ok(())
    }
}
