//! Splits text into rows and fields.
//!
//! Strict about quotes: a field is quoted from its first to its last character or not at all, blanks around it aside. This makes the
//! number of quotes before a line end tell whether the line end is inside a field, which is what lets blocks be
//! cut and read in parallel, and it never guesses what a stray quote meant. Nor what a carriage return means that stands
//! inside a line and not in quotes: it may well end a row, and then two people would be read as one.

use memchr::{memchr, memchr2};

use super::block::stray_return;
use super::error::Defect;
use super::frame::{CellRows, Cells};

/// A name as every input writes it: blanks around it do not count, in quotes or not. Most have none, which is seen by their ends.
pub fn name(text: &str) -> &str {
    match (text.as_bytes().first(), text.as_bytes().last()) {
        (Some(b'!'..=b'~'), Some(b'!'..=b'~')) => text,
        _ => text.trim(),
    }
}

/// Where the fields that are wanted go.
#[derive(Debug, Clone)]
pub struct Layout {
    /// What separates fields.
    pub delimiter: u8,
    /// For each column the slot it is read into; columns that are not wanted share the last slot.
    slots: Vec<usize>,
    used: usize,
}

impl Layout {
    /// Reads every column into the slot of its own number.
    pub fn all(delimiter: u8, columns: usize) -> Self {
        Layout { delimiter, slots: (0..columns).collect(), used: columns }
    }

    /// Reads column `wanted[slot]` into each slot.
    pub fn only(delimiter: u8, columns: usize, wanted: &[usize]) -> Self {
        let mut slots = vec![wanted.len(); columns];
        for (slot, column) in wanted.iter().enumerate() {
            slots[*column] = slot;
        }
        Layout { delimiter, slots, used: wanted.len() }
    }

    /// The column that is read into each slot.
    fn columns(&self) -> impl Iterator<Item = usize> {
        let mut columns = vec![usize::MAX; self.used];
        for (column, slot) in self.slots.iter().enumerate().filter(|(_, slot)| **slot < self.used) {
            columns[*slot] = column;
        }
        columns.into_iter()
    }
}

/// A defect and the byte it was found at.
pub type Misread = (usize, Defect);

/// Walks rows of fields: of a text, or of a frame.
#[derive(Debug)]
pub struct Rows<'a>(Walk<'a>);

#[derive(Debug)]
enum Walk<'a> {
    Text(TextRows<'a>),
    Cells(CellRows<'a>),
}

impl<'a> Rows<'a> {
    /// Starts before the first row of a text; `quoted` says whether it has any quote.
    pub fn new(text: &'a str, layout: &'a Layout, quoted: bool) -> Self {
        Rows(Walk::Text(TextRows::new(text, layout, quoted)))
    }

    /// Starts before the first row of some of a frame.
    pub(super) fn of_cells(cells: &'a Cells, layout: &Layout) -> Self {
        Rows(Walk::Cells(cells.rows(layout.columns())))
    }

    /// Moves to the next row; `false` at the end.
    #[inline]
    pub fn advance(&mut self) -> Result<bool, Misread> {
        match &mut self.0 {
            Walk::Text(rows) => rows.advance(),
            Walk::Cells(rows) => Ok(rows.advance()),
        }
    }

    /// A field of the current row.
    #[inline]
    pub fn field(&self, slot: usize) -> &str {
        match &self.0 {
            Walk::Text(rows) => rows.field(slot),
            Walk::Cells(rows) => rows.field(slot),
        }
    }

    /// Where the current row begins: a byte of a text, the number of a row of a frame.
    pub fn start(&self) -> usize {
        match &self.0 {
            Walk::Text(rows) => rows.start,
            Walk::Cells(rows) => rows.start(),
        }
    }
}

/// Walks the rows of a text. Empty lines are passed over.
#[derive(Debug)]
struct TextRows<'a> {
    text: &'a str,
    layout: &'a Layout,
    quoted: bool,
    /// Whether there is a carriage return that ends no line.
    returns: bool,
    at: usize,
    start: usize,
    spans: Vec<(usize, usize)>,
    /// Text of fields with doubled quotes, by slot.
    undoubled: Vec<Option<String>>,
}

impl<'a> TextRows<'a> {
    fn new(text: &'a str, layout: &'a Layout, quoted: bool) -> Self {
        TextRows {
            text,
            layout,
            quoted,
            returns: stray_return(text.as_bytes()).is_some(),
            at: 0,
            start: 0,
            spans: vec![(0, 0); layout.used + 1],
            undoubled: vec![None; layout.used + 1],
        }
    }

    fn advance(&mut self) -> Result<bool, Misread> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                None => return Ok(false),
                Some(b'\n') => self.at += 1,
                Some(b'\r') if matches!(bytes.get(self.at + 1), Some(b'\n') | None) => self.at += 1,
                Some(_) => break,
            }
        }
        self.start = self.at;
        let found = if self.quoted { self.quoted_row()? } else { self.plain_row()? };
        let expected = self.layout.slots.len();
        if found != expected {
            return Err((self.start, Defect::Ragged { expected, found }));
        }
        Ok(true)
    }

    fn field(&self, slot: usize) -> &str {
        if self.quoted
            && let Some(text) = &self.undoubled[slot]
        {
            return text;
        }
        let (from, to) = self.spans[slot];
        &self.text[from..to]
    }

    /// Splits a row without quotes; returns the number of fields.
    fn plain_row(&mut self) -> Result<usize, Misread> {
        let bytes = self.text.as_bytes();
        let mut column = 0;
        loop {
            let from = self.at;
            let (to, last) = match memchr2(self.layout.delimiter, b'\n', &bytes[from..]) {
                Some(step) => (from + step, bytes[from + step] == b'\n'),
                None => (bytes.len(), true),
            };
            let end = if last && to > from && bytes[to - 1] == b'\r' { to - 1 } else { to };
            self.refuse_return(from, end)?;
            self.keep(column, from, end);
            column += 1;
            self.at = (to + 1).min(bytes.len());
            if last {
                return Ok(column);
            }
        }
    }

    fn quoted_row(&mut self) -> Result<usize, Misread> {
        let bytes = self.text.as_bytes();
        let mut column = 0;
        loop {
            let from = self.at + self.blanks_before_quote(self.at);
            let end = if bytes.get(from) == Some(&b'"') {
                self.quoted_field(column, from)?
            } else {
                let step = memchr2(self.layout.delimiter, b'\n', &bytes[from..]);
                let to = step.map_or(bytes.len(), |step| from + step);
                if memchr(b'"', &bytes[from..to]).is_some() {
                    return Err((from, Defect::StrayQuote));
                }
                let last = bytes.get(to) != Some(&self.layout.delimiter);
                let cut = usize::from(last && to > from && bytes[to - 1] == b'\r');
                self.refuse_return(from, to - cut)?;
                self.keep(column, from, to - cut);
                to
            };
            column += 1;
            self.at = (end + 1).min(bytes.len());
            if bytes.get(end) != Some(&self.layout.delimiter) {
                return Ok(column);
            }
        }
    }

    /// Reads a field that begins with a quote; returns where its delimiter or line end is.
    fn quoted_field(&mut self, column: usize, from: usize) -> Result<usize, Misread> {
        let bytes = self.text.as_bytes();
        let mut close = from + 1;
        let mut doubled = false;
        loop {
            let Some(step) = memchr(b'"', &bytes[close..]) else {
                return Err((from, Defect::OpenQuote));
            };
            close += step;
            if bytes.get(close + 1) != Some(&b'"') {
                break;
            }
            doubled = true;
            close += 2;
        }
        self.keep(column, from + 1, close);
        if doubled && let Some(slot) = self.layout.slots.get(column) {
            self.undoubled[*slot] = Some(self.text[from + 1..close].replace("\"\"", "\""));
        }
        let after = close + 1 + bytes[close + 1..].iter().take_while(|byte| self.is_padding(**byte)).count();
        match (bytes.get(after), bytes.get(after + 1)) {
            (None | Some(b'\n'), _) => Ok(after),
            (Some(b'\r'), None | Some(b'\n')) => Ok(after + 1),
            (Some(other), _) if *other == self.layout.delimiter => Ok(after),
            _ => Err((close, Defect::StrayQuote)),
        }
    }

    /// Blanks around quotes belong to no field.
    fn is_padding(&self, byte: u8) -> bool {
        byte == b' ' && self.layout.delimiter != b' '
    }

    /// How many blanks stand before a field's opening quote; none where there is no quote.
    fn blanks_before_quote(&self, at: usize) -> usize {
        let bytes = &self.text.as_bytes()[at..];
        let blanks = bytes.iter().take_while(|byte| self.is_padding(**byte)).count();
        if bytes.get(blanks) == Some(&b'"') { blanks } else { 0 }
    }

    /// Refuses a carriage return in a field without quotes.
    #[inline]
    fn refuse_return(&self, from: usize, to: usize) -> Result<(), Misread> {
        match self.returns.then(|| memchr(b'\r', &self.text.as_bytes()[from..to])).flatten() {
            Some(step) => Err((from + step, Defect::CarriageReturn)),
            None => Ok(()),
        }
    }

    fn keep(&mut self, column: usize, from: usize, to: usize) {
        if let Some(slot) = self.layout.slots.get(column) {
            self.spans[*slot] = (from, to);
            if self.quoted {
                self.undoubled[*slot] = None;
            }
        }
    }
}

/// The fields of one row, however many there are.
pub(super) fn split(text: &str, delimiter: u8) -> Result<Vec<String>, Misread> {
    // More columns than any row can have, so that none is out of range.
    let layout = Layout::all(delimiter, text.len() + 2);
    let mut rows = Rows::new(text, &layout, text.contains('"'));
    let found = match rows.advance() {
        Err((_, Defect::Ragged { found, .. })) => found,
        Err(misread) => return Err(misread),
        Ok(more) => usize::from(more),
    };
    Ok((0..found).map(|slot| rows.field(slot).to_owned()).collect())
}

/// The fields of the first row of a text and the number of bytes it takes; `None` if it cannot be split.
pub(crate) fn split_row(text: &str, delimiter: u8) -> Option<(Vec<String>, usize)> {
    let mut inside = false;
    let end = text.bytes().position(|byte| {
        inside ^= byte == b'"';
        byte == b'\n' && !inside
    });
    let end = end.map_or(text.len(), |at| at + 1);
    split(&text[..end], delimiter).ok().map(|fields| (fields, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Result<Vec<String>, Misread> {
        split(text, b',')
    }

    #[test]
    fn quotes_hide_delimiters_line_ends_and_doubled_quotes() {
        assert_eq!(fields("a,\"b,c\"\r\n").unwrap(), ["a", "b,c"]);
        assert_eq!(fields("\"5\"\" pipe\",\"x\ny\"").unwrap(), ["5\" pipe", "x\ny"]);
        assert_eq!(fields("a,,\n").unwrap(), ["a", "", ""]);
        assert_eq!(fields("\"\"").unwrap(), [""]);
        assert_eq!(fields("a, \"b, c\" ,d\n").unwrap(), ["a", "b, c", "d"]);
        assert!(fields("").unwrap().is_empty());
    }

    #[test]
    fn quotes_out_of_place_are_refused() {
        assert!(matches!(fields("a,5\" pipe"), Err((2, Defect::StrayQuote))));
        assert!(matches!(fields("a,\"b\"c"), Err((4, Defect::StrayQuote))));
        assert!(matches!(fields("a,\"b\n"), Err((2, Defect::OpenQuote))));
    }

    #[test]
    fn a_carriage_return_ends_a_line_with_a_line_feed_or_stands_in_quotes() {
        assert_eq!(fields("a,b\r\n").unwrap(), ["a", "b"]);
        assert_eq!(fields("a,b\r").unwrap(), ["a", "b"]);
        assert_eq!(fields("a,\"b\rc\"\r\n").unwrap(), ["a", "b\rc"]);
        for text in ["a,b\rc,d\n", "\"a\",b\rc,d\n", "a\r,b\n", "a,b\r\r\n"] {
            assert!(matches!(fields(text), Err((_, Defect::CarriageReturn))), "{text:?}");
        }
    }
}
