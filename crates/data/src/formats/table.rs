//! Tables: CSV or Parquet with one row a person.
//!
//! Columns get the narrowest type that all their values have, or the one the user says. A column of people's names or numbers
//! (`--id`) names the subjects; without one, a subject goes by the number of their row. No column has a role yet.

use throng_contract::Progress;

use super::block::Blocks;
use super::csv::CsvFile;
use super::error::{Defect, InputError, Shape};
use super::options::{Format, Read, ReadShape, Roles};
use super::records::typed;
use super::role_names::RoleName;
use crate::recognize::Proposal;
use crate::table::{days, number};
use crate::{Column, ColumnKind, ColumnValues, Dataset, Dictionary, Table};

/// The person of a row. A table may have columns that are called `user` or `person` and identify no one, so fewer words are
/// taken for it than in a file of events.
const ID: RoleName = RoleName { role: "subject", flag: Some("id"), aliases: &["id"], weaker: &[] };

/// `--id -`: no column names people, every row is a person.
const ROWS: &str = "-";

/// Reads a table.
pub(super) fn read(blocks: Blocks, proposal: &Proposal, progress: &Progress) -> Result<Read, InputError> {
    let options = &proposal.read;
    let mut file = CsvFile::framed(blocks, proposal.framing)?;
    let id = match options.subject.as_deref() {
        Some(ROWS) => None,
        named => file.header.find(ID, named)?,
    };
    let others: Vec<usize> = (0..file.header.names.len()).filter(|column| Some(*column) != id).collect();
    for (name, _) in &options.types {
        file.header.need(RoleName { role: "such", flag: None, aliases: &[], weaker: &[] }, Some(name))?;
    }
    let phase = progress.phase("read", None);

    let mut subjects = Dictionary::new();
    let mut lines: Vec<u64> = Vec::new();
    let mut columns: Vec<(Dictionary, Vec<u32>)> =
        others.iter().map(|_| (Dictionary::new(), Vec::new())).collect();
    file.for_each_row(|row| {
        match id {
            Some(id) => {
                let name = row.filled(id, "id")?;
                let subject = subjects.intern(name) as usize;
                match lines.get(subject) {
                    Some(first) => return Err(row.error(id, Defect::RepeatedPerson { first: *first })),
                    None => lines.push(row.line()),
                }
            }
            None => {
                lines.push(row.line());
                subjects.intern(&lines.len().to_string());
            }
        }
        for ((values, codes), column) in columns.iter_mut().zip(&others) {
            let field = row.field(*column);
            codes.push(values.intern(field.trim()));
        }
        if lines.len().is_multiple_of(4096) {
            phase.advance(4096)?;
        }
        Ok(())
    })?;
    let mut table = Vec::with_capacity(others.len());
    for (column, (values, codes)) in others.iter().zip(columns) {
        let name = file.header.label(*column);
        let asked = options.types.iter().find(|(column, _)| *column == name).map(|(_, kind)| *kind);
        let values = match asked {
            None => typed(values, codes),
            Some(kind) => as_asked(kind, values, codes).map_err(|(row, defect)| {
                InputError::line(&file.header.file, lines[row], defect).column(&name)
            })?,
        };
        table.push(Column { name, role: None, values });
    }
    let shape = ReadShape {
        roles: Roles { subject: id.map(|id| file.header.label(id)), ..Roles::default() },
        ..ReadShape::of(Format::Table, file.bytes())
    };
    Ok(Read { dataset: Dataset::from_table(subjects, Table { columns: table }), shape })
}

/// The values as the type the user says, or the first row where they are not of it.
fn as_asked(kind: ColumnKind, values: Dictionary, codes: Vec<u32>) -> Result<ColumnValues, (usize, Defect)> {
    let wrong = |fits: &dyn Fn(&str) -> bool, defect: &dyn Fn(Shape) -> Defect| {
        let code = values.names().position(|value| !value.is_empty() && !fits(value))?;
        let row = codes.iter().position(|found| *found as usize == code)?;
        Some((row, defect(Shape::of(values.name(code as u32)))))
    };
    match kind {
        ColumnKind::Category => Ok(ColumnValues::Categories { values, codes }),
        ColumnKind::Number => {
            let refusal = wrong(&|text| number(text).is_some(), &|found| Defect::Number { found });
            match refusal {
                Some(refusal) => Err(refusal),
                None => {
                    let all: Vec<f64> = values.names().map(|text| number(text).unwrap_or(f64::NAN)).collect();
                    Ok(ColumnValues::Numbers(codes.iter().map(|code| all[*code as usize]).collect()))
                }
            }
        }
        ColumnKind::Date => {
            let refusal = wrong(&|text| days(text).is_some(), &|found| Defect::Time {
                expected: "a date `YYYY-MM-DD`",
                found,
                help: "write dates as year, month and day, for example 2024-02-29",
            });
            match refusal {
                Some(refusal) => Err(refusal),
                None => {
                    let all: Vec<Option<i32>> = values.names().map(days).collect();
                    Ok(ColumnValues::Dates(codes.iter().map(|code| all[*code as usize]).collect()))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Failing;

    use super::*;
    use crate::formats::{ReadOptions, Source, read_dataset};

    fn table(text: &str, options: &ReadOptions) -> Result<Read, InputError> {
        let options = ReadOptions { format: Some(Format::Table), ..options.clone() };
        read_dataset(&Source::memory("people.csv", text.as_bytes().to_vec()), &options, &Progress::silent())
    }

    #[test]
    fn a_row_is_a_person_and_columns_have_the_narrowest_type() {
        let read = table("id;age;zip;since\nann;39;01234;2020-01-31\nbob;;01235;\n", &ReadOptions::default())
            .unwrap();
        let data = read.dataset;
        assert_eq!(data.subjects.names().collect::<Vec<_>>(), ["ann", "bob"]);
        assert_eq!((data.events.records(), data.events.len()), (2, 0));
        let columns = data.attributes.unwrap().columns;
        let kinds: Vec<_> = columns.iter().map(|column| (column.name.as_str(), column.kind())).collect();
        use ColumnKind::{Category, Date, Number};
        assert_eq!(kinds, [("age", Number), ("zip", Category), ("since", Date)]);
        assert_eq!(read.shape.roles.subject.as_deref(), Some("id"));
    }

    #[test]
    fn two_rows_of_one_person_are_refused_with_a_way_out() {
        let error = table("id,age\nann,3\nbob,4\nann,5\n", &ReadOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`people.csv` line 4, column `id`: this person already has the row of line 2"
        );
        assert!(error.help().unwrap().to_string().contains("--id -"));
        let rows = ReadOptions { subject: Some("-".to_owned()), ..ReadOptions::default() };
        let read = table("id,age\nann,3\nann,5\n", &rows).unwrap();
        assert_eq!((read.dataset.subjects.len(), read.dataset.attributes.unwrap().columns.len()), (2, 2));
    }

    #[test]
    fn a_type_that_was_asked_for_is_kept_to() {
        let types = |kind| ReadOptions { types: vec![("age".to_owned(), kind)], ..ReadOptions::default() };
        let error = table("age\n3\nold\n", &types(ColumnKind::Number)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`people.csv` line 3, column `age`: expected a number, found text of 3 characters"
        );
        let read = table("age\n3\n5\n", &types(ColumnKind::Category)).unwrap();
        assert_eq!(read.dataset.attributes.unwrap().columns[0].kind(), ColumnKind::Category);
        assert!(table("name\nx\n", &types(ColumnKind::Number)).is_err());
    }
}
