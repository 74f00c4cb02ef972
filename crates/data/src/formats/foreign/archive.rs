//! The parts of a workbook, looked at before the library reads them.
//!
//! The library reserves what a part claims, and waits for an end that may never come. So every part is unpacked here, within [`Limit::Whole`],
//! and goes through an XML reader once; a new archive holds the parts that are sound, and nothing else.
//!
//! # Guarantees
//! In every part that the library sees, elements are closed in their order and at most [`MAX_NESTED`] deep; strings are claimed that are
//! there; and the cells of a sheet, with the repeats that the `.ods` form allows, fit into memory.

use std::io::{Cursor, ErrorKind, Read, Write};

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::formats::error::Defect;
use crate::limits::Limit;

/// Elements inside each other.
const MAX_NESTED: usize = 256;
/// Strings that a part may claim beyond those it has: writers forget to count those they removed.
const CLAIMED_BEYOND: u64 = 100_000;
/// Bytes of memory for a cell of an `.ods` sheet: the library holds its value and its formula, and a copy of both.
const ODS_CELL: u64 = 192;
/// Rows and columns beyond which the library cuts repeats off.
const MAX_ROWS: u64 = 1_048_576;
const MAX_COLUMNS: u64 = 16_384;

/// What a workbook in an archive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Xlsx,
    Ods,
}

/// An archive with the sound XML parts of a workbook, as stored.
pub(super) fn checked(bytes: Vec<u8>) -> Result<(Kind, Vec<u8>), Defect> {
    let damaged = |_| wrong("its archive is damaged");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut sound = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let (mut kind, mut left) = (None, Limit::Whole.now());
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).map_err(damaged)?;
        let name = part.name().map_err(damaged)?.into_owned();
        let is_mark = name == "mimetype";
        if !is_mark && !is_xml(&name) {
            continue;
        }
        let mut content = Vec::new();
        (&mut part).take(left.saturating_add(1)).read_to_end(&mut content).map_err(|error| {
            match error.kind() {
                ErrorKind::OutOfMemory => Defect::Limit(Limit::Workbook),
                _ => wrong("its archive is damaged"),
            }
        })?;
        left = left.checked_sub(content.len() as u64).ok_or(Defect::Limit(Limit::Whole))?;
        match name.as_str() {
            "xl/workbook.xml" => kind = Some(Kind::Xlsx),
            "content.xml" => kind = Some(Kind::Ods),
            _ => {}
        }
        if !is_mark {
            Part::default().check(&content)?;
        }
        sound.start_file(name, options).and_then(|()| Ok(sound.write_all(&content)?)).map_err(damaged)?;
    }
    let kind = kind.ok_or_else(|| wrong("no sheets are in it"))?;
    Ok((kind, sound.finish().map_err(damaged)?.into_inner()))
}

pub(super) fn wrong(what: &str) -> Defect {
    Defect::Workbook { what: what.to_owned() }
}

/// By its name. The library opens parts by name, too, and finds no others in the new archive.
fn is_xml(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".xml") || name.ends_with(".rels")
}

/// What was seen of a part so far.
#[derive(Default)]
struct Part {
    open: Vec<String>,
    /// Strings that the part claims, and those it has.
    claimed: u64,
    strings: u64,
    table: Table,
}

/// The `.ods` sheet that is open.
#[derive(Default)]
struct Table {
    /// Rows with their repeats: all up to the last one that holds something.
    rows: u64,
    empty_rows: u64,
    /// Columns up to the last one that holds something, in any row and in this one.
    width: u64,
    column: u64,
    filled: u64,
    repeats: u64,
    /// Cells that the library makes before it cuts off what is empty.
    made: u64,
}

impl Part {
    fn check(mut self, content: &[u8]) -> Result<(), Defect> {
        let text = std::str::from_utf8(content).map_err(|_| wrong("a part is not UTF-8"))?;
        let mut xml = Reader::from_str(text.trim_start_matches('\u{feff}'));
        loop {
            match xml.read_event().map_err(|_| wrong("a part is not well-formed"))? {
                Event::Start(tag) => {
                    self.start(&tag)?;
                    self.open.push(tag.name().as_ref().to_owned());
                    if self.open.len() > MAX_NESTED {
                        return Err(wrong("its elements are nested too deeply"));
                    }
                }
                Event::Empty(tag) => {
                    self.start(&tag)?;
                    self.end(tag.name().as_ref())?;
                }
                Event::End(tag) => {
                    if self.open.pop().as_deref() != Some(tag.name().as_ref()) {
                        return Err(wrong("an element ends that did not begin"));
                    }
                    self.end(tag.name().as_ref())?;
                }
                Event::Eof if self.open.is_empty() => break,
                Event::Eof => return Err(wrong("a part ends inside an element")),
                _ => {}
            }
        }
        match self.claimed > self.strings.saturating_add(CLAIMED_BEYOND) {
            true => Err(Defect::Workbook {
                what: format!("it claims {} strings, and has {}", self.claimed, self.strings),
            }),
            false => Ok(()),
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), Defect> {
        match tag.local_name().as_ref() {
            "sst" => self.claimed = self.claimed.max(number(tag, "uniqueCount")?.unwrap_or(0)),
            "si" => self.strings += 1,
            "table" => self.table = Table::default(),
            "table-row" => {
                let repeats = number(tag, "table:number-rows-repeated")?.unwrap_or(1);
                self.table.begin_row(repeats.min(MAX_ROWS));
            }
            "table-cell" | "covered-table-cell" => {
                let repeats = number(tag, "table:number-columns-repeated")?.unwrap_or(1);
                // One that has a value, or text inside: nothing but a style says that it is empty.
                let is_filled = tag.attributes().flatten().any(|attribute| {
                    let name = attribute.key.as_ref();
                    name.starts_with("office:") || name == "table:formula" || name.starts_with("calcext:")
                });
                self.table.cell(repeats.min(MAX_COLUMNS), is_filled);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), Defect> {
        if name == "table:table-row" {
            self.table.end_row();
            let cells = self.table.rows.saturating_mul(self.table.width).saturating_add(self.table.made);
            if !Limit::Whole.allows(cells.saturating_mul(ODS_CELL)) {
                return Err(Defect::Limit(Limit::Whole));
            }
        }
        Ok(())
    }
}

impl Table {
    fn begin_row(&mut self, repeats: u64) {
        (self.column, self.filled, self.repeats) = (0, 0, repeats);
    }

    fn cell(&mut self, repeats: u64, is_filled: bool) {
        self.column = (self.column + repeats).min(MAX_COLUMNS);
        if is_filled {
            self.filled = self.column;
        }
    }

    fn end_row(&mut self) {
        self.made = self.made.saturating_add(self.filled);
        self.width = self.width.max(self.filled);
        match self.filled {
            0 => self.empty_rows += self.repeats,
            _ => {
                self.rows += self.empty_rows + self.repeats;
                self.empty_rows = 0;
            }
        }
    }
}

/// An attribute that is a count.
fn number(tag: &BytesStart<'_>, name: &str) -> Result<Option<u64>, Defect> {
    let attribute = tag.try_get_attribute(name).map_err(|_| wrong("a part is not well-formed"))?;
    let Some(attribute) = attribute else { return Ok(None) };
    let count = attribute.value.as_ref().trim().parse();
    count.map(Some).map_err(|_| wrong("a count is not a number"))
}
