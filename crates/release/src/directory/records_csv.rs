//! `records.csv`: the attribute columns the publisher chose, one row a record.
//!
//! A column is published only when it was asked for by name, and never when it identifies people.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::iter;
use std::path::Path;

use throng_contract::{Progress, did_you_mean};
use throng_data::formats::{write_field, write_row};
use throng_data::{Column, Events, Role, Table};

use super::sink::HashingWriter;
use super::{DirectoryError, Shuffle};

/// The columns to publish, in the order asked for.
pub fn published_columns<'a>(
    table: Option<&'a Table>,
    asked: &[String],
) -> Result<Vec<&'a Column>, DirectoryError> {
    let find = |name: &String| {
        let column = table.and_then(|table| table.column(name)).ok_or_else(|| {
            let known =
                table.into_iter().flat_map(|table| table.columns.iter().map(|known| known.name.as_str()));
            let suggestion = did_you_mean(name, known).map(str::to_owned);
            DirectoryError::UnknownColumn { column: name.clone(), suggestion }
        })?;
        if column.role == Some(Role::Identifying) {
            return Err(DirectoryError::Identifying { column: name.clone() });
        }
        Ok(column)
    };
    asked.iter().map(find).collect()
}

/// Writes the columns and returns the file's fingerprint. Every record has a row, also when it has no event.
pub fn write_records_csv(
    path: &Path,
    columns: &[&Column],
    events: &Events,
    shuffle: &Shuffle,
    progress: &Progress,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = BufWriter::with_capacity(1 << 18, HashingWriter::new(File::create(path).map_err(fail)?));
    let phase = progress.phase("write attributes", Some(events.records() as u64));
    let header = iter::once("record").chain(columns.iter().map(|column| column.name.as_str()));
    write_row(&mut file, header).map_err(fail)?;
    let subject_of = subjects_by_record(events);
    for (number, record) in shuffle.numbered() {
        file.write_all(itoa::Buffer::new().format(number).as_bytes()).map_err(fail)?;
        for column in columns {
            file.write_all(b",").map_err(fail)?;
            write_field(&mut file, &column.text(subject_of[record] as usize)).map_err(fail)?;
        }
        file.write_all(b"\n").map_err(fail)?;
        if number % 4096 == 0 {
            phase.advance(4096)?;
        }
    }
    Ok(file.into_inner().map_err(|error| fail(error.into_error()))?.fingerprint())
}

/// The subject of every record, for walking records in any order.
pub(super) fn subjects_by_record(events: &Events) -> Vec<u32> {
    let mut subjects = Vec::with_capacity(events.records());
    for subject in 0..events.subjects() {
        subjects.extend(events.records_of(subject).map(|_| subject as u32));
    }
    subjects
}

#[cfg(test)]
mod tests {
    use throng_contract::Failing;
    use throng_data::ColumnValues;

    use super::*;

    fn column(name: &str, role: Option<Role>) -> Column {
        Column { name: name.to_owned(), role, values: ColumnValues::Numbers(vec![1.0]) }
    }

    #[test]
    fn nothing_is_published_unless_asked_and_names_of_people_never() {
        let columns = vec![column("age", None), column("name", Some(Role::Identifying))];
        let table = Table { columns };
        let ask = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            published_columns(Some(&table), &names).map(|columns| columns.len())
        };
        assert_eq!(ask(&[]).unwrap(), 0);
        assert_eq!(ask(&["age"]).unwrap(), 1);
        assert_eq!(ask(&["name"]).unwrap_err().class().code(), 7);
        let unknown = ask(&["aeg"]).unwrap_err();
        assert_eq!(
            (unknown.class().code(), unknown.help().unwrap().to_string().as_str()),
            (2, "did you mean `age`?")
        );
    }
}
