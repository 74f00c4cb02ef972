//! Writes prepared events: the same files that any command reads; all of them or none.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use jiff::Timestamp;
use throng_data::formats::{TimeKind, write_row};
use throng_data::{Coordinates, Dataset, StagedDir, StagingError};

use super::{ReshapeError, Summary};

/// The files of a directory of prepared events.
pub const FILES: [&str; 4] = ["events.csv", "places.csv", "records.csv", "summary.json"];

/// Writes a directory; one that holds an earlier preparation is replaced only with `force`.
///
/// `events.csv` has the columns `subject,record,item` and `time` where there are times, as numbers where they were numbers, and `category` where items have one and no place; `places.csv` is there
/// where it is known where items are, `records.csv` where attributes were kept.
pub fn write(
    data: &Dataset,
    summary: &Summary,
    times: Option<TimeKind>,
    dir: &Path,
    force: bool,
) -> Result<Vec<&'static str>, ReshapeError> {
    let staged = StagedDir::create(dir, force, &FILES)?;
    let [events, places, records, counts] = FILES;
    let mut written = vec![events];
    file(&staged, events, |out| write_events(data, times, out))?;
    if data.places.is_some() {
        file(&staged, places, |out| write_places(data, out))?;
        written.push(places);
    }
    if data.attributes.is_some() {
        file(&staged, records, |out| write_records(data, out))?;
        written.push(records);
    }
    file(&staged, counts, |out| {
        serde_json::to_writer_pretty(&mut *out, summary).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    written.push(counts);
    staged.publish()?;
    Ok(written)
}

fn file(
    staged: &StagedDir,
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), ReshapeError> {
    let attempt = || -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 17, File::create(staged.path().join(name))?);
        write(&mut out)?;
        out.flush()
    };
    Ok(attempt().map_err(|error| StagingError::io(&staged.target().join(name), error))?)
}

fn write_events(data: &Dataset, kind: Option<TimeKind>, out: &mut impl Write) -> io::Result<()> {
    let timed = data.events.times().is_some();
    let categories = data.own_categories.as_ref();
    let header = [
        Some("subject"),
        Some("record"),
        Some("item"),
        timed.then_some("time"),
        categories.map(|_| "category"),
    ];
    write_row(out, header.into_iter().flatten())?;
    for person in 0..data.events.subjects() {
        let name = data.subjects.name(person as u32);
        for record in data.events.records_of(person) {
            let number = (record + 1).to_string();
            let times = data.events.times_of(record);
            for (at, item) in data.events.record(record).iter().enumerate() {
                let time = times.map(|times| time(times[at], kind));
                let category = categories.map(|all| all[*item as usize].as_str());
                let fields = [
                    Some(name),
                    Some(number.as_str()),
                    Some(data.items.name(*item)),
                    time.as_deref(),
                    category,
                ];
                write_row(out, fields.into_iter().flatten())?;
            }
        }
    }
    Ok(())
}

/// A time as it may be read again: a number, or a date.
fn time(time: i64, kind: Option<TimeKind>) -> String {
    match kind {
        None | Some(TimeKind::Whole | TimeKind::Fraction | TimeKind::Clock) => time.to_string(),
        Some(_) => match Timestamp::from_second(time) {
            Ok(at) => at.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
            Err(_) => time.to_string(),
        },
    }
}

fn write_places(data: &Dataset, out: &mut impl Write) -> io::Result<()> {
    let Some(places) = &data.places else { return Ok(()) };
    let axes = match places.system {
        Coordinates::Degrees => ["item", "lat", "lon", "category"],
        Coordinates::Plane => ["item", "x", "y", "category"],
    };
    let columns = if places.categories.is_some() { 4 } else { 3 };
    write_row(out, axes.into_iter().take(columns))?;
    for (item, name) in data.items.names().enumerate() {
        let [first, second] = places.points[item].map(|value| value.to_string());
        let category = places.categories.as_ref().map(|all| all[item].as_str());
        let fields = [Some(name), Some(first.as_str()), Some(second.as_str()), category];
        write_row(out, fields.into_iter().flatten())?;
    }
    Ok(())
}

fn write_records(data: &Dataset, out: &mut impl Write) -> io::Result<()> {
    let Some(table) = &data.attributes else { return Ok(()) };
    let names = table.columns.iter().map(|column| column.name.as_str());
    write_row(out, std::iter::once("subject").chain(names))?;
    for (person, name) in data.subjects.names().enumerate() {
        let cells: Vec<String> = table.columns.iter().map(|column| column.text(person).to_string()).collect();
        write_row(out, std::iter::once(name).chain(cells.iter().map(String::as_str)))?;
    }
    Ok(())
}
