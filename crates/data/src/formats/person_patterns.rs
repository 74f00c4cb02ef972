//! Patterns to hide that are each one person's: CSV `subject,pattern`, a pattern a line.

use std::collections::BTreeMap;

use super::csv::CsvFile;
use super::error::{Defect, InputError, Shape};
use super::lists::{known, parse_pattern};
use super::role_names::{RoleName, SUBJECT};
use super::source::Source;
use crate::Dictionary;

/// The column that holds them.
const PATTERN: RoleName = RoleName { role: "pattern", flag: None, aliases: &["patterns"], weaker: &[] };

/// The column that says whose they are, which no flag names.
const PERSON: RoleName = RoleName { flag: None, ..SUBJECT };

/// Reads what must be hidden of whom; a person may have several lines, or none. People are called `own` in the file of events: a column of
/// that name is taken before any other. A person whom the data do not have is an error: a person with a misspelt name would go unprotected.
pub fn read_person_patterns(
    source: &Source,
    own: Option<&str>,
    subjects: &Dictionary,
    items: &Dictionary,
) -> Result<BTreeMap<String, Vec<Vec<String>>>, InputError> {
    let mut file = CsvFile::open(source, None)?;
    let subject = file.header.need(PERSON, own.filter(|own| file.header.holds(own)))?;
    let pattern = file.header.need(PATTERN, None)?;
    let mut lines: BTreeMap<(u32, Vec<u32>), u64> = BTreeMap::new();
    let mut patterns: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    file.for_each_row(|row| {
        let name = row.filled(subject, PERSON.role)?;
        let Some(person) = subjects.find(name) else {
            return Err(row.error(subject, Defect::UnknownSubject { shape: Shape::of(name) }));
        };
        let names = parse_pattern(row.filled(pattern, PATTERN.role)?);
        let ids = names.iter().map(|name| known(source, items, row.line(), name));
        let ids: Result<Vec<u32>, InputError> = ids.collect();
        let ids = ids.map_err(|error| error.column(PATTERN.role))?;
        if let Some(first) = lines.insert((person, ids), row.line()) {
            return Err(row.error(pattern, Defect::RepeatedPattern { first }));
        }
        patterns.entry(name.to_owned()).or_default().push(names);
        Ok(())
    })?;
    Ok(patterns)
}
