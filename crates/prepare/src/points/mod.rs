//! Raw points to sequences of places.
//!
//! ```text
//! read ─► clean ─► trips ─► stops ─► grid ─► regions ─► collapse ─► time bins
//! ```
//!
//! Each step has its own file; all but reading and the grid are optional. What a step drops is counted in the
//! [`Summary`], never lost silently.
//!
//! # Reference
//! \[PMPG08\] Pensa, Monreale, Pinelli, Pedreschi. Pattern-preserving k-anonymization of sequences, 2008, section 5.1.
//! # Guarantees
//! Events of a record are in order of time. Each event's place holds the point (or the crossing) behind it. With
//! regions, and densities that count people, every region is visited by at least as many people as the threshold says.
//! The result does not depend on the number of threads.
//! # Cost
//! 32 bytes a point and a few passes over them; 16 bytes an event of the result. A file that is not sorted by
//! person and time takes half as much again while it is sorted.
//! # On the globe
//! Latitudes from -90 to 90 and longitudes from -180 to 180 are read, the poles included. Points on both sides of the
//! antimeridian are handled as neighbours; areas that hold it are written with longitudes past 180. Cells are equal
//! steps of degrees; square cells are square at the middle latitude of the area.
//! # Departs from the paper
//! Densities count people, not trips, unless [`Counting::Trips`] is chosen, so that one person who passes often does
//! not make a region. A grid or regions computed from the data depend on it: give bounds for a grid that does
//! not, and `k` for regions that at least `k` people stand behind.

mod cell_size;
mod clean;
mod error;
mod layout;
mod options;
mod point;
mod read;
mod sequences;
mod stops;
mod summary;
mod tidy;
mod trips;
mod visits;
mod write;

use std::slice;
use std::sync::Arc;

use throng_contract::Progress;
use throng_data::formats::Source;
use throng_data::{Coordinates, Dataset, Places};

pub use error::{Fault, PrepareError};
pub(crate) use layout::in_degrees as cell_in_degrees;
pub use options::{Counting, Extent, GridSize, MaxSpeed, Options, PointFormat, RegionOptions, Stops};
pub use read::Clock;
pub use summary::Summary;
pub use write::{FILES, write};

use self::options::USUAL_SPEED;
use self::point::{Point, Points};
use self::stops::StopRule;
use self::tidy::{Steps, tidy};
use self::trips::TripEnds;
use self::visits::{Translation, densities};
use crate::grid::Bounds;
use crate::regions::{Regions, extract};
use crate::units::Distance;

/// Sequences made from points.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// People, their records as sequences of places with times, and where the places are.
    pub dataset: Dataset,
    /// What the times are.
    pub clock: Clock,
    /// The area of each item, by item number.
    pub areas: Vec<PlaceArea>,
    /// What became of the points.
    pub summary: Summary,
}

/// The area of a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaceArea {
    /// A cell, or the rectangle of a region.
    pub bounds: Bounds,
    /// How many people have an event here.
    pub people: u32,
}

/// Prepares the points of one file.
pub fn prepare(source: &Source, options: &Options, progress: &Progress) -> Result<Prepared, PrepareError> {
    prepare_all(slice::from_ref(source), options, progress)
}

/// Prepares the points of several files together, for example one GPX file for each person.
pub fn prepare_all(
    sources: &[Source],
    options: &Options,
    progress: &Progress,
) -> Result<Prepared, PrepareError> {
    refuse_contradictions(options)?;
    let (points, clock) = read::read(sources, options, progress)?;
    arrange(points, clock, options, progress)
}

fn refuse_contradictions(options: &Options) -> Result<(), PrepareError> {
    match options.regions {
        Some(RegionOptions { counting: Counting::Trips, k: Some(_), .. }) => Err(PrepareError::KOfTrips),
        _ => Ok(()),
    }
}

/// All steps after reading.
fn arrange(
    mut input: Points,
    clock: Clock,
    options: &Options,
    progress: &Progress,
) -> Result<Prepared, PrepareError> {
    let system = input.system;
    let steps = steps(options, system)?;
    let extent = options.bounds.map(|extent| layout::extent(extent, system)).transpose()?;
    let mut summary = Summary {
        schema: "throng.prepare/1",
        points: input.points.len() as u64,
        people: input.subjects.len() as u64,
        ..Summary::default()
    };

    progress.check()?;
    input.unwrap_longitudes(extent.as_ref());
    input.sort();
    let tidied = tidy(&mut input.points, &steps, progress)?;
    summary.points_too_fast = tidied.too_fast;
    summary.trips = tidied.trips;
    summary.stops = steps.stops.map(|_| input.points.len() as u64);

    let nothing_left = |reason| PrepareError::NothingLeft { points: summary.points, reason };
    let around = Bounds::around(input.points.iter().map(|point| [point.x, point.y]));
    let around = around.ok_or_else(|| nothing_left("no stay is long enough for a stop"))?;
    let area = extent.unwrap_or(around);
    let mut options = options.clone();
    if options.choose_cell && options.grid.is_none() && options.regions.is_none() {
        let people: Vec<&[Point]> = input.points.chunk_by(|a, b| a.subject == b.subject).collect();
        let with_side = |side: f64| {
            let side = match system {
                Coordinates::Degrees => Distance::Metres(side),
                Coordinates::Plane => Distance::Plane(side),
            };
            let sized = Options { grid: Some(GridSize::Side(side)), ..options.clone() };
            layout::grid(&sized, area, system).ok()
        };
        if let Some(chosen) = cell_size::choose(&people, &area, system, with_side) {
            options.grid = Some(GridSize::Side(chosen.side));
            summary.cell = Some(chosen.side.to_string());
            summary.cell_because = Some(chosen.why);
        }
    }
    let options = &options;
    let grid = layout::grid(options, area, system)?;
    let outside = |point: &&Point| !grid.bounds().contains(point.x, point.y);
    summary.points_outside_bounds = input.points.iter().filter(outside).count() as u64;
    if summary.points_outside_bounds == input.points.len() as u64 {
        return Err(nothing_left("all lie outside the bounds"));
    }
    summary.grid_columns = grid.columns();
    summary.grid_rows = grid.rows();

    let people: Vec<&[Point]> = input.points.chunk_by(|a, b| a.subject == b.subject).collect();
    let interpolate = options.interpolate.unwrap_or(options.regions.is_some() && options.stops.is_none());
    let mut regions: Option<Regions> = None;
    if let Some(wanted) = &options.regions {
        let everybody = match wanted.counting {
            Counting::People => people.len() as u64,
            Counting::Trips => summary.trips,
        };
        let threshold = threshold(wanted, everybody)?;
        let density = densities(&people, &grid, interpolate, wanted.counting, progress)?;
        let densest = u64::from(density.densest());
        if densest < threshold {
            return Err(PrepareError::NoDenseCell { threshold, densest });
        }
        // The threshold is no larger than a count that fits.
        regions = Some(extract(&density, threshold as u32));
        summary.density_threshold = Some(threshold);
    }

    let translation = Translation {
        grid: &grid,
        regions: regions.as_ref(),
        interpolate,
        keep_repeats: options.keep_repeats,
        bins: options.time_bin.map(|bin| (bin.seconds(), options.utc_offset.seconds())),
    };
    let sequences = sequences::translate(&people, &translation, &input.subjects, progress)?;
    summary.visits_outside_regions = sequences.left_out.outside;
    summary.repeats_collapsed = sequences.left_out.repeats;
    summary.people_empty = summary.people - sequences.subjects.len() as u64;
    summary.trips_empty = summary.trips - sequences.events.records() as u64;
    summary.places = sequences.places.len() as u64;
    summary.records = sequences.events.records() as u64;
    summary.events = sequences.events.len() as u64;
    doubt(&summary, options)?;

    let layout = layout::Layout { grid: &grid, regions: regions.as_ref() };
    let areas: Vec<PlaceArea> = sequences
        .places
        .iter()
        .zip(sequences.visitors())
        .map(|(place, people)| PlaceArea { bounds: layout.bounds(*place), people })
        .collect();
    let names = layout.names(&sequences.places);
    let points = areas.iter().map(|area| layout::centre(&area.bounds, system)).collect();
    let dataset = Dataset {
        subjects: sequences.subjects,
        items: Arc::new(names),
        events: sequences.events,
        places: Some(Places { system, points, categories: None }),
        own_categories: None,
        attributes: None,
    };
    Ok(Prepared { dataset, clock, areas, summary })
}

/// Points from which on it says something that nearly all were dropped, or that few places are left.
const TELLING: u64 = 100;

/// Stops where the result is hardly what was meant: nearly all points gone, or next to no places on a grid that the user did not choose.
fn doubt(summary: &Summary, options: &Options) -> Result<(), PrepareError> {
    if options.accept_loss || summary.points < TELLING {
        return Ok(());
    }
    let (too_fast, outside) = (summary.points_too_fast, summary.points_outside_bounds);
    if (too_fast + outside) * 100 >= summary.points * 99 {
        return Err(PrepareError::NearlyAllDropped { too_fast, outside, points: summary.points });
    }
    if summary.places <= 2 && options.bounds.is_none() && options.regions.is_none() {
        let (columns, rows) = (summary.grid_columns, summary.grid_rows);
        return Err(PrepareError::FewPlaces { places: summary.places, columns, rows });
    }
    Ok(())
}

/// The steps on single people, with limits in the units of the points.
fn steps(options: &Options, system: Coordinates) -> Result<Steps, PrepareError> {
    let max_speed = match (options.max_speed, system) {
        (MaxSpeed::Off, _) | (MaxSpeed::Usual, Coordinates::Plane) => None,
        (MaxSpeed::Usual, Coordinates::Degrees) => Some(USUAL_SPEED),
        (MaxSpeed::At(speed), _) => Some(speed),
    };
    let stops = match options.stops {
        None => None,
        Some(stops) => {
            Some(StopRule { radius: stops.radius.on(system)?, duration: stops.duration.seconds() })
        }
    };
    Ok(Steps {
        system,
        max_speed: max_speed.map(|speed| speed.on(system)).transpose()?,
        ends: TripEnds {
            gap: options.trip_gap.map(|gap| gap.seconds()),
            midnight: options.per_day.then(|| options.utc_offset.seconds()),
        },
        stops,
    })
}

/// The number of people, or trips, that makes a cell dense.
fn threshold(wanted: &RegionOptions, everybody: u64) -> Result<u64, PrepareError> {
    let threshold = wanted.min_density.of(everybody);
    if threshold == 0 {
        return Err(PrepareError::ZeroDensity);
    }
    match wanted.k {
        Some(k) if threshold < k => Err(PrepareError::BelowK { threshold, k }),
        _ => Ok(threshold),
    }
}
