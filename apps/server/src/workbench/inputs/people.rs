//! What is known of people beside their events: columns of the data's own file, or of the records.

use std::borrow::Cow;
use std::path::Path;

use throng_contract::Progress;
use throng_data::formats::{ReadOptions, Source, read_people};
use throng_data::{Column, Dataset};

use crate::platform::problem::{self, Problem};
use crate::workbench::snapshots::Snapshot;

/// The data with what is known of people, who are described in the file `records` if they are not in the data itself.
pub fn described<'a>(snapshot: &'a Snapshot, records: &Path) -> Result<Cow<'a, Dataset>, Problem> {
    let data = snapshot.need_data()?;
    if data.attributes.is_some() || !records.is_file() {
        return Ok(Cow::Borrowed(data));
    }
    let (source, options) = (Source::file(records), ReadOptions::default());
    let people = read_people(&source, &options, None, &data.subjects, &Progress::silent());
    let mut table = people.map_err(problem::of)?.table;
    for column in &mut table.columns {
        column.role = snapshot.reading.attributes.get(&column.name).and_then(|role| role.of_attribute());
    }
    Ok(Cow::Owned(Dataset { attributes: Some(table), ..data.clone() }))
}

/// One of the columns by its name.
pub fn column<'a>(snapshot: &'a Snapshot, records: &Path, name: &str) -> Result<Cow<'a, Column>, Problem> {
    let missing = || Problem::missing("column");
    match described(snapshot, records)? {
        Cow::Borrowed(data) => {
            let table = data.attributes.as_ref();
            table.and_then(|table| table.column(name)).map(Cow::Borrowed).ok_or_else(missing)
        }
        Cow::Owned(data) => {
            let columns = data.attributes.into_iter().flat_map(|table| table.columns);
            columns.into_iter().find(|column| column.name == name).map(Cow::Owned).ok_or_else(missing)
        }
    }
}
