//! Writes what was prepared: events, places, areas and the summary; all files or none.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use jiff::Timestamp;
use throng_contract::{Cancelled, Progress};
use throng_data::formats::{write_field, write_row};
use throng_data::{Coordinates, StagedDir, StagingError};

use super::{Clock, PrepareError, Prepared};

/// The files of a prepared directory.
pub const FILES: [&str; 4] = ["events.csv", "places.csv", "regions.geojson", "summary.json"];

/// Areas that fewer people visited are drawn without their number.
const FEWEST_PEOPLE_SHOWN: u32 = 5;

/// Writes a directory; one that holds an earlier preparation is replaced only with `force`.
///
/// `events.csv` has the columns `subject,record,item,time`, records numbered from 1; `places.csv` `item,lat,lon` or
/// `item,x,y`, the middle of each area; `regions.geojson` the areas as polygons with `item` and `people`, which is
/// null below 5; `summary.json` the counts of the [`Summary`](super::Summary).
pub fn write(prepared: &Prepared, dir: &Path, force: bool, progress: &Progress) -> Result<(), PrepareError> {
    let staged = StagedDir::create(dir, force, &FILES)?;
    let phase = progress.phase("write", Some(prepared.dataset.events.len() as u64));
    let [events, places, regions, summary] = FILES;
    file(&staged, events, |out| {
        write_events(prepared, out, |written| phase.advance(written).map_err(|Cancelled| Stopped::Cancelled))
    })?;
    file(&staged, places, |out| Ok(write_places(prepared, out)?))?;
    file(&staged, regions, |out| Ok(write_areas(prepared, out)?))?;
    file(&staged, summary, |out| {
        serde_json::to_writer_pretty(&mut *out, &prepared.summary).map_err(io::Error::from)?;
        Ok(writeln!(out)?)
    })?;
    drop(phase);
    staged.publish()?;
    Ok(())
}

/// Why a file is not complete.
enum Stopped {
    Io(io::Error),
    Cancelled,
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Stopped::Io(error)
    }
}

fn file(
    staged: &StagedDir,
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), Stopped>,
) -> Result<(), PrepareError> {
    let attempt = || -> Result<(), Stopped> {
        let mut out = BufWriter::with_capacity(1 << 17, File::create(staged.path().join(name))?);
        write(&mut out)?;
        Ok(out.flush()?)
    };
    attempt().map_err(|stopped| match stopped {
        Stopped::Io(error) => StagingError::io(&staged.target().join(name), error).into(),
        Stopped::Cancelled => Cancelled.into(),
    })
}

fn write_events(
    prepared: &Prepared,
    out: &mut impl Write,
    advance: impl Fn(u64) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let (dataset, events) = (&prepared.dataset, &prepared.dataset.events);
    write_row(out, ["subject", "record", "item", "time"])?;
    let mut row = Vec::new();
    let mut record_number = itoa::Buffer::new();
    let mut unreported = 0;
    for subject in 0..events.subjects() {
        for record in events.records_of(subject) {
            row.clear();
            write_field(&mut row, dataset.subjects.name(subject as u32))?;
            row.push(b',');
            row.extend_from_slice(record_number.format(record + 1).as_bytes());
            row.push(b',');
            let same = row.len();
            let times = events.times_of(record).unwrap_or_default();
            for (item, time) in events.record(record).iter().zip(times) {
                row.truncate(same);
                // Names of cells and regions need no quotes.
                row.extend_from_slice(dataset.items.name(*item).as_bytes());
                row.push(b',');
                write_time(&mut row, *time, prepared.clock)?;
                row.push(b'\n');
                out.write_all(&row)?;
            }
            unreported += times.len() as u64;
            if unreported > 50_000 {
                advance(unreported)?;
                unreported = 0;
            }
        }
    }
    advance(unreported)
}

/// A time in the manner of the input.
fn write_time(out: &mut Vec<u8>, time: i64, clock: Clock) -> io::Result<()> {
    match (clock, Timestamp::from_second(time)) {
        // A bin may begin before the first year that can be written.
        (Clock::Seconds, _) | (_, Err(_)) => {
            out.extend_from_slice(itoa::Buffer::new().format(time).as_bytes());
            Ok(())
        }
        (Clock::Utc | Clock::Local, Ok(timestamp)) => {
            write!(out, "{timestamp}")?;
            if clock == Clock::Local {
                // Without the final Z: the input names no zone either.
                out.pop();
            }
            Ok(())
        }
    }
}

fn write_places(prepared: &Prepared, out: &mut impl Write) -> io::Result<()> {
    let Some(places) = &prepared.dataset.places else { return Ok(()) };
    match places.system {
        Coordinates::Degrees => write_row(out, ["item", "lat", "lon"])?,
        Coordinates::Plane => write_row(out, ["item", "x", "y"])?,
    }
    for (item, point) in places.points.iter().enumerate() {
        let [first, second] = point.map(|value| rounded(value, places.system));
        writeln!(out, "{},{first},{second}", prepared.dataset.items.name(item as u32))?;
    }
    Ok(())
}

fn write_areas(prepared: &Prepared, out: &mut impl Write) -> io::Result<()> {
    let system = prepared.dataset.places.as_ref().map_or(Coordinates::Plane, |places| places.system);
    writeln!(out, "{{\"type\":\"FeatureCollection\",\"features\":[")?;
    for (item, area) in prepared.areas.iter().enumerate() {
        let [w, s, e, n] = [area.bounds.west, area.bounds.south, area.bounds.east, area.bounds.north]
            .map(|value| rounded(value, system));
        // Names of cells and regions need no escapes.
        let name = prepared.dataset.items.name(item as u32);
        let shown = area.people >= FEWEST_PEOPLE_SHOWN;
        let people = if shown { area.people.to_string() } else { "null".to_owned() };
        let end = if item + 1 < prepared.areas.len() { "," } else { "" };
        writeln!(
            out,
            "{{\"type\":\"Feature\",\"properties\":{{\"item\":\"{name}\",\"people\":{people}}},\
             \"geometry\":{{\"type\":\"Polygon\",\
             \"coordinates\":[[[{w},{s}],[{e},{s}],[{e},{n}],[{w},{n}],[{w},{s}]]]}}}}{end}"
        )?;
    }
    writeln!(out, "]}}")
}

/// Degrees to about a centimetre; a plane's unit is not known, so that nothing is cut off.
fn rounded(value: f64, system: Coordinates) -> f64 {
    match system {
        Coordinates::Degrees => (value * 1e7).round() / 1e7,
        Coordinates::Plane => value,
    }
}
