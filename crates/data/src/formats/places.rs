//! Where items are: `item,x,y` or `item,lat,lon`, perhaps with a `category`.
//!
//! The file may list more places than the data visits, as gazetteers do. But if it also lacks an item of the
//! data, a place that does not occur in the data is reported first: it is likely the lacking one, misspelt.

use throng_contract::{Progress, did_you_mean};

use super::csv::{CsvFile, Row};
use super::error::{Defect, InputError, Shape};
use super::role_names::{self, CATEGORY, ITEM, RoleName};
use super::source::Source;
use crate::limits::Limit;
use crate::{Coordinates, Dictionary, Places};

/// No flag names a column of this file.
const X: RoleName = RoleName { flag: None, ..role_names::X };
const Y: RoleName = RoleName { flag: None, ..role_names::Y };
const LAT: RoleName = RoleName { flag: None, ..role_names::LAT };
const LON: RoleName = RoleName { flag: None, ..role_names::LON };

/// Reads the coordinates of the items of a dataset; every item must have them.
pub fn read_places(source: &Source, items: &Dictionary, progress: &Progress) -> Result<Places, InputError> {
    read_places_of(source, None, items, progress)
}

/// [`read_places`] of items that are called `own` in the file of events: a column of that name is taken before any other.
pub fn read_places_of(
    source: &Source,
    own: Option<&str>,
    items: &Dictionary,
    progress: &Progress,
) -> Result<Places, InputError> {
    progress.check()?;
    let mut file = CsvFile::open(source, None)?;
    let item = file.header.need(ITEM, own.filter(|own| file.header.holds(own)))?;
    let (lat, lon) = (file.header.find(LAT, None)?, file.header.find(LON, None)?);
    let (system, columns) = match (lat, lon) {
        (Some(lat), Some(lon)) => (Coordinates::Degrees, [lat, lon]),
        (Some(_), None) => (Coordinates::Degrees, [0, file.header.need(LON, None)?]),
        (None, Some(_)) => (Coordinates::Degrees, [file.header.need(LAT, None)?, 0]),
        (None, None) => (Coordinates::Plane, [file.header.need(X, None)?, file.header.need(Y, None)?]),
    };
    let category = file.header.find(CATEGORY, None)?;

    let mut seen = Dictionary::new();
    let mut lines: Vec<u64> = Vec::new();
    let mut points = vec![[f64::NAN; 2]; items.len()];
    let mut categories = vec![String::new(); if category.is_some() { items.len() } else { 0 }];
    let mut unknown: Option<(u64, String)> = None;
    file.for_each_row(|row| {
        let name = row.filled(item, ITEM.role)?;
        let number = seen.intern(name) as usize;
        if let Some(first) = lines.get(number) {
            return Err(row.error(item, Defect::Repeated { name: name.to_owned(), first: *first }));
        }
        lines.push(row.line());
        if !Limit::Places.allows(lines.len() as u64) {
            return Err(row.error(item, Defect::Limit(Limit::Places)));
        }
        let point = [coordinate(row, columns[0])?, coordinate(row, columns[1])?];
        if system == Coordinates::Degrees {
            within(row, columns[0], point[0], "a latitude", 90.0)?;
            within(row, columns[1], point[1], "a longitude", 180.0)?;
        } else {
            within(row, columns[0], point[0], "a coordinate", Coordinates::FARTHEST)?;
            within(row, columns[1], point[1], "a coordinate", Coordinates::FARTHEST)?;
        }
        match items.find(name) {
            Some(id) => {
                points[id as usize] = point;
                if let Some(column) = category {
                    categories[id as usize] = row.field(column).to_owned();
                }
            }
            None if unknown.is_none() => unknown = Some((row.line(), name.to_owned())),
            None => {}
        }
        Ok(())
    })?;

    let missing: Vec<&str> = items.names().filter(|name| seen.find(name).is_none()).collect();
    if let Some(first) = missing.first() {
        if let Some((line, name)) = unknown {
            let suggestion = did_you_mean(&name, missing.iter().copied()).map(str::to_owned);
            let error = InputError::line(source.name(), line, Defect::UnknownItem { name, suggestion });
            return Err(error.column(&file.header.label(item)));
        }
        let others = missing.len() - 1;
        let defect = Defect::MissingItem { name: (*first).to_owned(), others, what: "coordinates" };
        return Err(InputError::file(source.name(), defect).column(&file.header.label(item)));
    }
    Ok(Places { system, points, categories: category.map(|_| categories) })
}

fn coordinate(row: &Row<'_>, column: usize) -> Result<f64, InputError> {
    let text = row.field(column).trim();
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(row.error(column, Defect::Number { found: Shape::of(text) })),
    }
}

fn within(
    row: &Row<'_>,
    column: usize,
    value: f64,
    what: &'static str,
    limit: f64,
) -> Result<(), InputError> {
    if value.abs() <= limit {
        return Ok(());
    }
    Err(row.error(column, Defect::Range { what, min: -limit, max: limit }))
}
