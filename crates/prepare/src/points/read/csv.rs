//! Points in a table: a header and one row a point. Blocks of rows are parsed in parallel.

use rayon::prelude::*;
use throng_contract::Progress;
use throng_data::formats::{
    Block, Defect, Header, InputError, LAT, LON, Layout, RECORD, ReadOptions, SUBJECT, Shape, Source, TIME,
    TimeReader, X, Y,
};
use throng_data::recognize::{FoundRole, open_rows};
use throng_data::{Coordinates, Dictionary};

use super::{Meter, Reading, at, check_degrees, fault};
use crate::points::error::{Fault, PrepareError};
use crate::points::options::Options;
use crate::points::point::Point;

const SUBJECT_SLOT: usize = 0;
const TIME_SLOT: usize = 1;
const X_SLOT: usize = 2;
const Y_SLOT: usize = 3;
const RECORD_SLOT: usize = 4;

pub(super) fn read(
    source: &Source,
    reading: &mut Reading<'_>,
    progress: &Progress,
) -> Result<(), PrepareError> {
    let options = reading.options;
    let (proposal, mut blocks) = open_rows(source, &reading_options(options))?;
    let mut meter = Meter::new(progress, blocks.stream());
    // What people visited is not asked here.
    if let Some(question) =
        proposal.question.clone().filter(|question| matches!(question.about, "subject" | "time" | "record"))
    {
        return Err(question.into_error(source.name()).into());
    }
    let (header, first) = Header::read_as(&mut blocks, proposal.framing())?;
    let found =
        |named: &Option<String>, role| named.as_deref().or_else(|| proposal.column(role)).map(str::to_owned);
    let subject = header.need(SUBJECT, found(&options.subject, FoundRole::Subject).as_deref())?;
    let time = header.need(TIME, found(&options.time, FoundRole::Time).as_deref())?;
    let record = match found(&options.record, FoundRole::Record) {
        Some(named) => header.find(RECORD, Some(&named))?,
        None => None,
    };
    let (mut system, mut x, mut y) = coordinates(&header, options)?;
    // Numbers beyond all degrees lie on a plane, whatever they are called.
    if let (Some(right), Some(up)) = (proposal.column(FoundRole::X), proposal.column(FoundRole::Y))
        && options.lat.is_none()
    {
        (system, x, y) = (Coordinates::Plane, header.need(X, Some(right))?, header.need(Y, Some(up))?);
    }
    reading.agree_on_system(source.name(), system)?;
    let roles = [("subject", Some(subject)), ("time", Some(time)), ("record", record)];
    let axes = match system {
        Coordinates::Degrees => [("lon", Some(x)), ("lat", Some(y))],
        Coordinates::Plane => [("x", Some(x)), ("y", Some(y))],
    };
    header.distinct(&[&roles[..], &axes[..]].concat())?;

    let mut wanted = vec![subject, time, x, y];
    wanted.extend(record);
    let layout = Layout::only(header.delimiter, header.names.len(), &wanted);
    let mut table = Table { header: &header, layout, wanted, system, times: None };
    let threads = rayon::current_num_threads();
    let mut batch = vec![first];
    loop {
        if table.times.is_none()
            && let Some((line, text)) = table.first_time(&batch)?
        {
            let column = table.label(TIME_SLOT);
            table.times = Some(reading.time_reader(source.name(), Some(line), &column, &text)?);
        }
        if let Some(times) = &table.times {
            let parsed: Vec<Result<Parsed, InputError>> =
                batch.par_iter().map(|block| table.parse(block, times)).collect();
            for parsed in parsed {
                parsed?.join(reading, source.name())?;
            }
        }
        meter.tell(blocks.stream().consumed())?;
        for block in batch {
            blocks.recycle(block);
        }
        batch = blocks.take(2 * threads)?;
        if batch.is_empty() {
            break;
        }
    }
    if let Some(times) = &table.times {
        let column = table.label(TIME_SLOT);
        let points = &mut reading.points[reading.before..];
        times
            .settle(points.iter_mut().map(|point| &mut point.time))
            .map_err(|defect| at(source.name(), None, Some(&column), defect))?;
    }
    Ok(())
}

/// What the user said of columns, for the code that recognises them.
fn reading_options(options: &Options) -> ReadOptions {
    ReadOptions {
        subject: options.subject.clone(),
        record: options.record.clone(),
        time: options.time.clone(),
        lat: options.lat.clone(),
        lon: options.lon.clone(),
        x: options.x.clone(),
        y: options.y.clone(),
        delimiter: options.delimiter,
        time_format: options.time_format.clone(),
        ..ReadOptions::default()
    }
}

/// The kind of coordinates and their columns: `x` (or longitude) first.
fn coordinates(header: &Header, options: &Options) -> Result<(Coordinates, usize, usize), PrepareError> {
    let degrees_named = options.lat.is_some() || options.lon.is_some();
    let plane_named = options.x.is_some() || options.y.is_some();
    let two_systems = || fault(&header.file, None, Fault::TwoSystems);
    if degrees_named && plane_named {
        return Err(two_systems());
    }
    let find = |role, named: &Option<String>| header.find(role, named.as_deref());
    let degrees =
        if plane_named { (None, None) } else { (find(LON, &options.lon)?, find(LAT, &options.lat)?) };
    let plane = if degrees_named { (None, None) } else { (find(X, &options.x)?, find(Y, &options.y)?) };
    match (degrees, plane) {
        ((Some(_), Some(_)), (Some(_), Some(_))) => Err(two_systems()),
        ((Some(lon), Some(lat)), _) => Ok((Coordinates::Degrees, lon, lat)),
        (_, (Some(x), Some(y))) => Ok((Coordinates::Plane, x, y)),
        _ => {
            let found = header.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            Err(fault(&header.file, None, Fault::NoCoordinates { found }))
        }
    }
}

/// How rows become points.
struct Table<'a> {
    header: &'a Header,
    layout: Layout,
    /// The column of each slot.
    wanted: Vec<usize>,
    system: Coordinates,
    times: Option<TimeReader>,
}

/// The points of a block; people and records have numbers of the block's own.
#[derive(Default)]
struct Parsed {
    subjects: Dictionary,
    records: Dictionary,
    points: Vec<Point>,
}

impl Table<'_> {
    fn label(&self, slot: usize) -> String {
        self.header.label(self.wanted[slot])
    }

    /// Line and text of the first time in these blocks.
    fn first_time(&self, blocks: &[Block]) -> Result<Option<(u64, String)>, InputError> {
        for block in blocks {
            let mut rows = block.rows(&self.header.file, &self.layout)?;
            if rows.advance().map_err(|(at, defect)| self.error(block, at, None, defect))? {
                return Ok(Some((block.line_at(rows.start()), rows.field(TIME_SLOT).to_owned())));
            }
        }
        Ok(None)
    }

    fn parse(&self, block: &Block, times: &TimeReader) -> Result<Parsed, InputError> {
        let mut parsed = Parsed::default();
        let mut rows = block.rows(&self.header.file, &self.layout)?;
        let has_record = self.wanted.len() > RECORD_SLOT;
        while rows.advance().map_err(|(at, defect)| self.error(block, at, None, defect))? {
            let fail = |slot, defect| self.error(block, rows.start(), Some(slot), defect);
            let subject = rows.field(SUBJECT_SLOT);
            if subject.is_empty() {
                return Err(fail(SUBJECT_SLOT, Defect::EmptyField { role: SUBJECT.role }));
            }
            let time = times.read(rows.field(TIME_SLOT)).map_err(|defect| fail(TIME_SLOT, defect))?;
            let [x, y] =
                [X_SLOT, Y_SLOT].map(|slot| number(rows.field(slot)).map_err(|defect| fail(slot, defect)));
            let (x, y) = (x?, y?);
            if self.system == Coordinates::Degrees {
                check_degrees(y, x)
                    .map_err(|(axis, defect)| fail(if axis == "lat" { Y_SLOT } else { X_SLOT }, defect))?;
            }
            let record = if has_record { rows.field(RECORD_SLOT) } else { "" };
            parsed.points.push(Point {
                subject: parsed.subjects.intern(subject),
                record: parsed.records.intern(record),
                time,
                x,
                y,
            });
        }
        Ok(parsed)
    }

    fn error(&self, block: &Block, offset: usize, slot: Option<usize>, defect: Defect) -> InputError {
        let column = slot.map(|slot| self.label(slot));
        at(&self.header.file, Some(block.line_at(offset)), column.as_deref(), defect)
    }
}

/// A number that distances can be reckoned with.
fn number(text: &str) -> Result<f64, Defect> {
    let text = text.trim();
    let value: Option<f64> = text.parse().ok();
    let value =
        value.filter(|value| value.is_finite()).ok_or_else(|| Defect::Number { found: Shape::of(text) })?;
    if value.abs() > Coordinates::FARTHEST {
        let (min, max) = (-Coordinates::FARTHEST, Coordinates::FARTHEST);
        return Err(Defect::Range { what: "a coordinate", min, max });
    }
    Ok(value)
}

impl Parsed {
    /// Appends the points under the numbers of all blocks.
    fn join(self, reading: &mut Reading<'_>, file: &str) -> Result<(), PrepareError> {
        let subjects: Vec<u32> = self.subjects.names().map(|name| reading.subjects.intern(name)).collect();
        if reading.records.len() + self.records.len() > u32::MAX as usize {
            return Err(fault(file, None, Fault::TooManyRecords));
        }
        let records: Vec<u32> = self.records.names().map(|name| reading.records.intern(name)).collect();
        reading.points.extend(self.points.into_iter().map(|point| Point {
            subject: subjects[point.subject as usize],
            record: records[point.record as usize],
            ..point
        }));
        Ok(())
    }
}
