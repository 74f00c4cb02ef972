//! The header of a CSV file: which column plays which role.

use throng_contract::did_you_mean;

use super::block::{Block, Blocks};
use super::error::{Defect, InputError};
use super::row::split;

/// What a column can be, the flag that names it, and the names it goes by without a flag.
#[derive(Debug, Clone, Copy)]
pub struct RoleName {
    /// The word for messages, and the column's own name.
    pub role: &'static str,
    /// The flag that names the column, if there is one.
    pub flag: Option<&'static str>,
    /// Other names, as good as the role's own.
    pub aliases: &'static [&'static str],
}

/// The person.
pub const SUBJECT: RoleName =
    RoleName { role: "subject", flag: Some("subject"), aliases: &["user", "person", "id"] };
/// The trip, visit or basket.
pub const RECORD: RoleName =
    RoleName { role: "record", flag: Some("record"), aliases: &["trip", "trajectory"] };
/// What was visited or bought.
pub const ITEM: RoleName =
    RoleName { role: "item", flag: Some("item"), aliases: &["place", "location", "poi", "region"] };
/// When.
pub const TIME: RoleName = RoleName { role: "time", flag: Some("time"), aliases: &["timestamp"] };

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
}

impl Header {
    /// Columns that do not come from a line of text.
    pub fn of_columns(file: &str, names: Vec<String>) -> Self {
        Header { file: file.to_owned(), names, delimiter: b',', line: None }
    }

    /// Takes the header off the first block. Returns the rest of the block with it.
    pub fn read(blocks: &mut Blocks, delimiter: Option<u8>) -> Result<(Self, Block), InputError> {
        let file = blocks.file().to_owned();
        let empty = || InputError::file(&file, Defect::Empty);
        if delimiter.is_some_and(|byte| !byte.is_ascii() || matches!(byte, b'"' | b'\n' | b'\r' | 0)) {
            return Err(InputError::file(&file, Defect::Delimiter));
        }
        let mut block = blocks.next_block()?.ok_or_else(empty)?;
        let text = block.text(&file)?;
        let blank = text.len() - text.trim_start_matches(['\n', '\r']).len();
        block.skip(blank);
        while block.text.is_empty() {
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
        let first = &text[..end];
        if first.trim_end_matches(['\r', '\n']).contains('\r') && !first.contains('"') {
            return Err(InputError::file(&file, Defect::CarriageReturns));
        }
        let delimiter = delimiter.unwrap_or_else(|| guess_delimiter(first));
        let names = split(first, delimiter)
            .map_err(|(at, defect)| InputError::line(&file, block.line_at(at), defect))?;
        let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
        let header = Header { file, names, delimiter, line: Some(block.line) };
        header.refuse_duplicates()?;
        block.skip(end);
        Ok((header, block))
    }

    fn refuse_duplicates(&self) -> Result<(), InputError> {
        for (number, name) in self.names.iter().enumerate() {
            // Columns without a name cannot be asked for, so that they may be many.
            if !name.is_empty() && self.names[..number].contains(name) {
                return Err(self.error(Defect::DuplicateColumn).column(name));
            }
        }
        Ok(())
    }

    /// The column of a role: the one the user named, else the one with the role's name, else the only one
    /// with another of its names.
    pub fn find(&self, role: RoleName, named: Option<&str>) -> Result<Option<usize>, InputError> {
        if let Some(named) = named {
            return self.position(named).map(Some).ok_or_else(|| self.missing(role, Some(named)));
        }
        if let Some(column) = self.position(role.role) {
            return Ok(Some(column));
        }
        let found: Vec<usize> = role.aliases.iter().filter_map(|alias| self.position(alias)).collect();
        match found[..] {
            [] => Ok(None),
            [column] => Ok(Some(column)),
            _ => {
                let found = found.iter().map(|column| self.names[*column].clone()).collect();
                Err(self.error(Defect::AmbiguousColumn { role: role.role, flag: role.flag, found }))
            }
        }
    }

    /// [`Header::find`], but a column that already has a role is not guessed for another one: with `--subject
    /// record` the records are the people, and there is no further record column.
    pub fn find_apart(
        &self,
        role: RoleName,
        named: Option<&str>,
        taken: &[Option<usize>],
    ) -> Result<Option<usize>, InputError> {
        let found = self.find(role, named)?;
        Ok(found.filter(|column| named.is_some() || !taken.contains(&Some(*column))))
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
        self.names.iter().position(|name| name == wanted).or_else(alike)
    }

    fn missing(&self, role: RoleName, named: Option<&str>) -> InputError {
        let known = || self.names.iter().map(String::as_str).filter(|name| !name.is_empty());
        let words = [named.unwrap_or(role.role)];
        let aliases = if named.is_some() { &[][..] } else { role.aliases };
        let suggestion = words.iter().chain(aliases).find_map(|word| did_you_mean(word, known()));
        self.error(Defect::MissingColumn {
            role: role.role,
            flag: role.flag,
            wanted: named.map(str::to_owned),
            suggestion: suggestion.map(str::to_owned),
            found: (0..self.names.len()).map(|column| self.label(column)).collect(),
        })
    }

    fn error(&self, defect: Defect) -> InputError {
        let mut error = InputError::file(&self.file, defect);
        error.place.line = self.line;
        error
    }
}

/// The most frequent of the usual delimiters in the header, outside quotes; a comma if there is none.
fn guess_delimiter(header: &str) -> u8 {
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
