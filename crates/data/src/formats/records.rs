//! Relational attributes of people: CSV keyed by `subject`, one row a person.
//!
//! A column whose values are all numbers is read as numbers, one whose values are all `YYYY-MM-DD` as dates, any
//! other as categories. What a number would not keep as it is written stays a category: codes such as `01234` would lose
//! their zero, and numbers of more than fifteen digits their last ones.

use throng_contract::Progress;

use super::csv::CsvFile;
use super::error::{Defect, InputError, Shape};
use super::options::ReadOptions;
use super::role_names::SUBJECT;
use super::source::Source;
use crate::table::{days, number};
use crate::{Column, ColumnValues, Dictionary, Table};

/// Reads the attributes of every subject of a dataset. Of `options`, `subject` and `delimiter` are used. No
/// column has a role yet.
pub fn read_records(
    source: &Source,
    options: &ReadOptions,
    subjects: &Dictionary,
    progress: &Progress,
) -> Result<Table, InputError> {
    Ok(read(source, options, None, subjects, false, progress)?.table)
}

/// Attributes of the people of a dataset, from a file that may list others.
#[derive(Debug, Clone)]
pub struct People {
    /// Their attributes.
    pub table: Table,
    /// Rows of people whom the data do not have: they did nothing, and are left out.
    pub others: u64,
}

/// [`read_records`] of people who are called `own` in the file of events: a column of that name is taken before any other. The row of a person
/// without events is left out, and counted; it is an error where a person of the data has no row, for then it is likely theirs, misspelt.
pub fn read_people(
    source: &Source,
    options: &ReadOptions,
    own: Option<&str>,
    subjects: &Dictionary,
    progress: &Progress,
) -> Result<People, InputError> {
    read(source, options, own, subjects, true, progress)
}

fn read(
    source: &Source,
    options: &ReadOptions,
    own: Option<&str>,
    subjects: &Dictionary,
    others_allowed: bool,
    progress: &Progress,
) -> Result<People, InputError> {
    let mut file = CsvFile::open(source, options.delimiter)?;
    let named = options.subject.as_deref().or(own.filter(|own| file.header.holds(own)));
    let key = file.header.need(SUBJECT, named)?;
    let others: Vec<usize> = (0..file.header.names.len()).filter(|column| *column != key).collect();
    let phase = progress.phase("read records", Some(subjects.len() as u64));

    let mut lines = vec![0_u64; subjects.len()];
    let mut columns: Vec<(Dictionary, Vec<u32>)> =
        others.iter().map(|_| (Dictionary::new(), vec![0; subjects.len()])).collect();
    let mut rows = 0_u64;
    let mut unknown: Option<InputError> = None;
    let mut strangers = 0_u64;
    file.for_each_row(|row| {
        let name = row.filled(key, SUBJECT.role)?;
        let Some(subject) = subjects.find(name) else {
            let error = row.error(key, Defect::UnknownSubject { shape: Shape::of(name) });
            if !others_allowed {
                return Err(error);
            }
            unknown.get_or_insert(error);
            strangers += 1;
            return Ok(());
        };
        let subject = subject as usize;
        if lines[subject] != 0 {
            return Err(row.error(key, Defect::RepeatedSubject { first: lines[subject] }));
        }
        lines[subject] = row.line();
        for ((values, codes), column) in columns.iter_mut().zip(&others) {
            codes[subject] = values.intern(row.field(*column).trim());
        }
        rows += 1;
        if rows.is_multiple_of(4096) {
            phase.advance(4096)?;
        }
        Ok(())
    })?;
    let missing = lines.iter().filter(|line| **line == 0).count();
    if let Some(error) = unknown.filter(|_| missing > 0) {
        return Err(error);
    }
    if missing > 0 {
        let defect = Defect::MissingSubjects { missing, all: subjects.len() };
        return Err(InputError::file(source.name(), defect));
    }
    let named = others.iter().map(|column| file.header.label(*column)).zip(columns);
    let columns =
        named.map(|(name, (values, codes))| Column { name, role: None, values: typed(values, codes) });
    Ok(People { table: Table { columns: columns.collect() }, others: strangers })
}

/// Who has a row in such a file, in its order, and what its other columns are called.
pub fn read_record_names(
    source: &Source,
    options: &ReadOptions,
) -> Result<(Dictionary, Vec<String>), InputError> {
    let mut file = CsvFile::open(source, options.delimiter)?;
    let key = file.header.need(SUBJECT, options.subject.as_deref())?;
    let mut names = Dictionary::new();
    file.for_each_row(|row| {
        names.intern(row.filled(key, SUBJECT.role)?);
        Ok(())
    })?;
    let others = (0..file.header.names.len()).filter(|column| *column != key);
    Ok((names, others.map(|column| file.header.label(column)).collect()))
}

/// The narrowest type that all values of a column have. An empty value is a missing one, whatever the type.
pub(super) fn typed(values: Dictionary, codes: Vec<u32>) -> ColumnValues {
    let given = || values.names().filter(|value| !value.is_empty());
    if given().next().is_none() {
        return ColumnValues::Categories { values, codes };
    }
    if given().all(|value| number(value).is_some()) {
        let numbers: Vec<f64> = values.names().map(|value| number(value).unwrap_or(f64::NAN)).collect();
        return ColumnValues::Numbers(codes.iter().map(|code| numbers[*code as usize]).collect());
    }
    if given().all(|value| days(value).is_some()) {
        let dates: Vec<Option<i32>> = values.names().map(days).collect();
        return ColumnValues::Dates(codes.iter().map(|code| dates[*code as usize]).collect());
    }
    ColumnValues::Categories { values, codes }
}
