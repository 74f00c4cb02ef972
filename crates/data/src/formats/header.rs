//! The header of a CSV file: which column plays which role.

use std::collections::{HashMap, HashSet};

use memchr::memchr;
use throng_contract::did_you_mean;

use super::block::{Block, Blocks};
use super::error::{Defect, InputError};
use super::frame::Frame;
use super::role_names::RoleName;
use super::row::split;
use crate::limits::Limit;

/// The columns of a file.
#[derive(Debug, Clone)]
pub struct Header {
    /// The file, for messages.
    pub file: String,
    /// The names, in order.
    pub names: Vec<String>,
    /// What separates fields.
    pub delimiter: u8,
    line: Option<u64>,
    /// Names that several columns have: all but the first of these got a number.
    doubled: Vec<String>,
}

/// What comes before the rows of a file, and how its fields are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Framing {
    /// What separates fields; guessed from the first line unless it is known.
    pub delimiter: Option<u8>,
    /// Whether the first line names the columns. Where it does not, they go by their numbers.
    pub header: bool,
    /// Lines before that: comments and what stands among them.
    pub skipped: u64,
    /// Whether the names of the columns stand behind a `#`.
    pub hash: bool,
}

impl Default for Framing {
    fn default() -> Self {
        Framing { delimiter: None, header: true, skipped: 0, hash: false }
    }
}

impl Header {
    /// Columns that do not come from a line of text.
    pub fn of_columns(file: &str, names: Vec<String>) -> Self {
        Header { file: file.to_owned(), names, delimiter: b',', line: None, doubled: Vec::new() }
    }

    /// The columns of a frame, told apart like those of a line of names.
    fn of_frame(file: &str, frame: &Frame) -> Result<Self, InputError> {
        let columns = frame.columns();
        if columns.is_empty() {
            return Err(InputError::file(file, Defect::Empty));
        }
        if !Limit::Columns.allows(columns.len() as u64) {
            return Err(InputError::line(file, 1, Defect::Limit(Limit::Columns)));
        }
        let (names, doubled) = told_apart(frame.names());
        Ok(Header { file: file.to_owned(), names, delimiter: b',', line: Some(1), doubled })
    }

    /// Takes the header off the first block. Returns the rest of the block with it. No two columns may have one name.
    pub fn read(blocks: &mut Blocks, delimiter: Option<u8>) -> Result<(Self, Block), InputError> {
        let (header, block) = Header::read_as(blocks, Framing { delimiter, ..Framing::default() })?;
        match header.doubled.first() {
            Some(name) => Err(header.error(Defect::DuplicateColumn { flag: None }).column(name)),
            None => Ok((header, block)),
        }
    }

    /// [`Header::read`] of a file that is framed otherwise. Of columns with one name, all but the first get a number: `item.2`.
    pub fn read_as(blocks: &mut Blocks, framing: Framing) -> Result<(Self, Block), InputError> {
        let file = blocks.file().to_owned();
        if let Some(frame) = blocks.frame() {
            let header = Header::of_frame(&file, frame)?;
            let first = blocks.next_block()?.ok_or_else(|| InputError::file(&file, Defect::Empty))?;
            return Ok((header, first));
        }
        let empty = || InputError::file(&file, Defect::Empty);
        let delimiter = framing.delimiter;
        if delimiter.is_some_and(|byte| !byte.is_ascii() || matches!(byte, b'"' | b'\n' | b'\r' | 0)) {
            return Err(InputError::file(&file, Defect::Delimiter));
        }
        let mut block = blocks.next_block()?.ok_or_else(empty)?;
        let last = block.line + framing.skipped;
        loop {
            // Lines before the names, and blank ones after them.
            let mut end = 0;
            let mut line = block.line;
            while line < last && end < block.text.len() {
                end += memchr(b'\n', &block.text[end..]).map_or(block.text.len() - end, |at| at + 1);
                line += 1;
            }
            block.skip(end);
            let text = block.text(&file)?;
            let blank = text.len() - text.trim_start_matches(['\n', '\r']).len();
            block.skip(blank);
            if !block.text.is_empty() {
                break;
            }
            block = blocks.next_block()?.ok_or_else(empty)?;
        }
        let text = block.text(&file)?;
        // A quoted column name may hold a line end: the header ends at the first one outside quotes.
        let mut inside = false;
        let end = text.bytes().position(|byte| {
            inside ^= byte == b'"';
            byte == b'\n' && !inside
        });
        let end = end.map_or(text.len(), |at| at + 1);
        let mut first = &text[..end];
        if first.trim_end_matches(['\r', '\n']).contains('\r') && !first.contains('"') {
            return Err(InputError::file(&file, Defect::CarriageReturns));
        }
        if framing.hash {
            first = first.trim_start_matches('#').trim_start_matches([' ', '\t']);
        }
        let delimiter = delimiter.unwrap_or_else(|| guess_delimiter(first));
        let names = split(first, delimiter)
            .map_err(|(at, defect)| InputError::line(&file, block.line_at(at), defect))?;
        if !Limit::Columns.allows(names.len() as u64) {
            return Err(InputError::line(&file, block.line, Defect::Limit(Limit::Columns)));
        }
        let names: Vec<String> = match framing.header {
            true => names.iter().map(|name| name.trim().to_owned()).collect(),
            false => (1..=names.len()).map(|number| number.to_string()).collect(),
        };
        let (names, doubled) = told_apart(names);
        let line = Some(block.line);
        if framing.header {
            block.skip(end);
        }
        Ok((Header { file, names, delimiter, line, doubled }, block))
    }

    /// The column of a role: the one the user named, else the one with the role's name, else the only one
    /// with another of its names.
    pub fn find(&self, role: RoleName, named: Option<&str>) -> Result<Option<usize>, InputError> {
        self.find_apart(role, named, &[])
    }

    /// [`Header::find`], but a column that already has a role is not guessed for another one: with `--subject
    /// record` the records are the people, and there is no further record column.
    pub fn find_apart(
        &self,
        role: RoleName,
        named: Option<&str>,
        taken: &[Option<usize>],
    ) -> Result<Option<usize>, InputError> {
        if let Some(named) = named {
            return self.position(named).map(Some).ok_or_else(|| self.missing(role, Some(named)));
        }
        for sure in (1..=3).rev() {
            let fits = |column: &usize| role.fits(&self.names[*column]) == sure;
            let found: Vec<usize> = (0..self.names.len()).filter(fits).collect();
            if sure == 3
                && let Some(column) = found.first()
            {
                if let Some(name) = self.doubled.iter().find(|name| name.eq_ignore_ascii_case(role.role)) {
                    return Err(self.error(Defect::DuplicateColumn { flag: role.flag }).column(name));
                }
                return Ok(Some(*column).filter(|column| !taken.contains(&Some(*column))));
            }
            let found: Vec<usize> =
                found.into_iter().filter(|column| !taken.contains(&Some(*column))).collect();
            match found[..] {
                [] => {}
                [column] => return Ok(Some(column)),
                _ => {
                    let found = found.iter().map(|column| self.names[*column].clone()).collect();
                    return Err(self.error(Defect::AmbiguousColumn {
                        role: role.role,
                        flag: role.flag,
                        found,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Whether there is a column of that name.
    pub fn holds(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// The column of a role the file must have.
    pub fn need(&self, role: RoleName, named: Option<&str>) -> Result<usize, InputError> {
        self.find(role, named)?.ok_or_else(|| self.missing(role, None))
    }

    /// Refuses two roles with one column.
    pub fn distinct(&self, roles: &[(&'static str, Option<usize>)]) -> Result<(), InputError> {
        for (number, (second, column)) in roles.iter().enumerate() {
            let Some(column) = column else { continue };
            if let Some((first, _)) = roles[..number].iter().find(|(_, other)| *other == Some(*column)) {
                let defect = Defect::SameColumn { first, second };
                return Err(self.error(defect).column(&self.names[*column]));
            }
        }
        Ok(())
    }

    /// The names of the columns not listed.
    pub fn others(&self, used: &[usize]) -> Vec<String> {
        let unused = |column: &usize| !used.contains(column);
        (0..self.names.len()).filter(unused).map(|column| self.label(column)).collect()
    }

    /// The name of a column for messages: its number if it has none.
    pub fn label(&self, column: usize) -> String {
        match self.names[column].as_str() {
            "" => (column + 1).to_string(),
            name => name.to_owned(),
        }
    }

    /// The column of that name; where there is none, the first that differs in the case of letters only.
    fn position(&self, wanted: &str) -> Option<usize> {
        let alike = || self.names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
        // Columns without a name go by their number.
        let numbered = || {
            let column = wanted.parse::<usize>().ok()?.checked_sub(1)?;
            self.names.get(column).filter(|name| name.is_empty()).map(|_| column)
        };
        self.names.iter().position(|name| name == wanted).or_else(alike).or_else(numbered)
    }

    fn missing(&self, role: RoleName, named: Option<&str>) -> InputError {
        let known = || self.names.iter().map(String::as_str).filter(|name| !name.is_empty());
        let words = [named.unwrap_or(role.role)];
        let aliases = if named.is_some() { &[][..] } else { role.aliases };
        // Short names are like any others.
        let aliases = aliases.iter().filter(|alias| alias.len() > 3);
        let suggestion = words.iter().chain(aliases).find_map(|word| did_you_mean(word, known()));
        self.error(Defect::MissingColumn {
            role: role.role,
            flag: role.flag,
            wanted: named.map(str::to_owned),
            suggestion: suggestion.map(str::to_owned),
            found: (0..self.names.len()).map(|column| self.label(column)).collect(),
        })
    }

    pub(super) fn error(&self, defect: Defect) -> InputError {
        let mut error = InputError::file(&self.file, defect);
        error.place.line = self.line;
        error
    }
}

/// Names of columns with numbers behind those that were there before, and which names these are. Columns without a name cannot be
/// asked for, so that they may be many.
pub(crate) fn told_apart(names: Vec<String>) -> (Vec<String>, Vec<String>) {
    let (mut apart, mut doubled): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    // There may be half a million columns: each is looked up once, and numbers that were taken are not tried again.
    let mut taken: HashSet<String> = HashSet::with_capacity(names.len());
    let mut next: HashMap<String, u64> = HashMap::new();
    for name in names {
        if name.is_empty() || taken.insert(name.clone()) {
            apart.push(name);
            continue;
        }
        let first = next.get(&name).copied();
        let mut number = first.unwrap_or(2);
        while !taken.insert(format!("{name}.{number}")) {
            number += 1;
        }
        apart.push(format!("{name}.{number}"));
        next.insert(name.clone(), number + 1);
        if first.is_none() {
            doubled.push(name);
        }
    }
    (apart, doubled)
}

/// The most frequent of the usual delimiters in the header, outside quotes; a comma if there is none.
pub(crate) fn guess_delimiter(header: &str) -> u8 {
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut inside = false;
    for byte in header.bytes() {
        inside ^= byte == b'"';
        if !inside && let Some((_, count)) = counts.iter_mut().find(|(delimiter, _)| *delimiter == byte) {
            *count += 1;
        }
    }
    // `max_by_key` takes the last of equals; the comma is preferred.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(delimiter, _)| *delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_the_most_frequent_one_outside_quotes() {
        assert_eq!(guess_delimiter("a;\"b,c,d\";e"), b';');
        assert_eq!(guess_delimiter("a\tb"), b'\t');
        assert_eq!(guess_delimiter("a"), b',');
        assert_eq!(guess_delimiter("a,b;c"), b',');
    }
}
