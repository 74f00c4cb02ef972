//! Reads raw points, in any of their forms, into one list.

mod csv;
mod geojson;
mod gpx;

use throng_contract::{Phase, Progress};
use throng_data::formats::{Defect, InputError, Source, Spot, Stream, TimeKind, TimeReader};
use throng_data::{Coordinates, Dictionary};

use super::error::{Fault, PrepareError};
use super::options::{Options, PointFormat};
use super::point::{Point, Points};

/// Reads all files; points of one person may lie in several.
pub(super) fn read(
    sources: &[Source],
    options: &Options,
    progress: &Progress,
) -> Result<(Points, Clock), PrepareError> {
    let mut reading = Reading::new(options);
    for source in sources {
        reading.before = reading.points.len();
        match format_of(source, options)? {
            PointFormat::Csv => csv::read(source, &mut reading, progress)?,
            PointFormat::Gpx => gpx::read(source, &mut reading, progress)?,
            PointFormat::GeoJson => geojson::read(source, &mut reading, progress)?,
        }
        if reading.points.len() == reading.before {
            return Err(at(source.name(), None, None, Defect::HeaderOnly).into());
        }
    }
    let system = reading.system.unwrap_or(Coordinates::Plane);
    let clock = reading.clock.unwrap_or(Clock::Seconds);
    Ok((Points { system, subjects: reading.subjects, points: reading.points }, clock))
}

fn format_of(source: &Source, options: &Options) -> Result<PointFormat, PrepareError> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    match source.extension().as_deref() {
        Some("csv" | "tsv" | "txt" | "dat" | "data" | "xlsx" | "ods" | "xls") => Ok(PointFormat::Csv),
        Some("gpx") => Ok(PointFormat::Gpx),
        Some("geojson" | "geojsonl" | "geojsons" | "ndjson" | "jsonl") => Ok(PointFormat::GeoJson),
        _ if source.name() == "-" || source.is_unnamed() => Ok(PointFormat::Csv),
        _ => Err(fault(source.name(), None, Fault::UnknownForm)),
    }
}

/// What the numbers of the time column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Whole numbers, taken as seconds.
    Seconds,
    /// Dates and times without a zone; seconds since 1970.
    Local,
    /// Dates and times with a zone; seconds since 1970 in UTC.
    Utc,
}

impl Clock {
    fn of(kind: TimeKind) -> Self {
        match kind {
            TimeKind::Whole | TimeKind::Fraction | TimeKind::Clock => Clock::Seconds,
            TimeKind::Local | TimeKind::Formatted => Clock::Local,
            TimeKind::Zoned => Clock::Utc,
        }
    }

    const fn describe(self) -> &'static str {
        match self {
            Clock::Seconds => "whole numbers",
            Clock::Local => "dates without a zone",
            Clock::Utc => "dates with a zone",
        }
    }
}

/// What was read so far.
struct Reading<'a> {
    options: &'a Options,
    subjects: Dictionary,
    records: Dictionary,
    points: Vec<Point>,
    system: Option<Coordinates>,
    clock: Option<Clock>,
    /// Number of points before the current file.
    before: usize,
}

impl<'a> Reading<'a> {
    fn new(options: &'a Options) -> Self {
        Reading {
            options,
            subjects: Dictionary::new(),
            records: Dictionary::new(),
            points: Vec::new(),
            system: None,
            clock: None,
            before: 0,
        }
    }

    /// All files must have the same kind of coordinates.
    fn agree_on_system(&mut self, file: &str, this: Coordinates) -> Result<(), PrepareError> {
        let describe = |system| match system {
            Coordinates::Degrees => "latitudes and longitudes",
            Coordinates::Plane => "on a plane",
        };
        match self.system.replace(this) {
            Some(before) if before != this => {
                let fault_ = Fault::MixedSystems { this: describe(this), before: describe(before) };
                Err(fault(file, None, fault_))
            }
            _ => Ok(()),
        }
    }

    /// The reader for the times of a file, by its first one; all files must have the same kind.
    fn time_reader(
        &mut self,
        file: &str,
        line: Option<u64>,
        column: &str,
        first: &str,
    ) -> Result<TimeReader, PrepareError> {
        let reader = TimeReader::for_file(first, self.options.time_format.as_deref())
            .map_err(|defect| at(file, line, Some(column), defect))?;
        let this = Clock::of(reader.kind);
        match self.clock.replace(this) {
            Some(before) if before != this => {
                let fault_ = Fault::MixedClocks { this: this.describe(), before: before.describe() };
                Err(fault(file, None, fault_))
            }
            _ => Ok(reader),
        }
    }

    /// A record that no other line or track belongs to.
    fn own_record(&mut self, file: &str) -> Result<u32, PrepareError> {
        let mut number = self.records.len();
        if number >= u32::MAX as usize {
            return Err(fault(file, None, Fault::TooManyRecords));
        }
        while self.records.find(&number.to_string()).is_some() {
            number += 1;
        }
        Ok(self.records.intern(&number.to_string()))
    }
}

/// A latitude and longitude that exist.
fn check_degrees(lat: f64, lon: f64) -> Result<(), (&'static str, Defect)> {
    if !(-90.0..=90.0).contains(&lat) {
        return Err(("lat", Defect::Range { what: "a latitude", min: -90.0, max: 90.0 }));
    }
    if !(-180.0..=180.0).contains(&lon) {
        return Err(("lon", Defect::Range { what: "a longitude", min: -180.0, max: 180.0 }));
    }
    Ok(())
}

/// A defect with its place.
fn at(file: &str, line: Option<u64>, column: Option<&str>, defect: Defect) -> InputError {
    let place = Spot { file: file.to_owned(), line, column: column.map(str::to_owned) };
    InputError { place: Box::new(place), defect: Box::new(defect) }
}

/// A fault with its place.
fn fault(file: &str, line: Option<u64>, fault: Fault) -> PrepareError {
    let place = Spot { file: file.to_owned(), line, column: None };
    PrepareError::Document { place: Box::new(place), fault }
}

/// Tells a phase how much of the stored input was consumed.
struct Meter<'a> {
    phase: Phase<'a>,
    told: u64,
}

impl<'a> Meter<'a> {
    fn new(progress: &'a Progress, stream: &Stream) -> Self {
        Meter { phase: progress.phase("read points", stream.total()), told: 0 }
    }

    fn tell(&mut self, consumed: u64) -> Result<(), PrepareError> {
        self.phase.advance(consumed - self.told)?;
        self.told = consumed;
        Ok(())
    }
}
