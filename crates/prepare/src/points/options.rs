//! What can be asked of a preparation; the documentation of each field is its help text.

use std::fmt;
use std::str::FromStr;

use throng_contract::Threshold;

use crate::grid::Bounds;
use crate::units::{Distance, Span, Speed, UnitError, UtcOffset};

/// How raw points become sequences. The default is a grid of 10 x 10 cells, repeats collapsed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// The form of the input: `csv`, `gpx` or `geojson`. Default: by extension, CSV for standard input.
    pub format: Option<PointFormat>,
    /// Column of the person. Default: `subject`, `user`, `person` or `id`. In GPX, `name` takes the name of the
    /// track instead of the name of the file.
    pub subject: Option<String>,
    /// Column of the record (trip). Default: `record`, `trip` or `trajectory`, if there is one.
    pub record: Option<String>,
    /// Column of the time. Default: `time` or `timestamp`. Whole numbers are taken as seconds.
    pub time: Option<String>,
    /// Column of the latitude in degrees. Default: `lat` or `latitude`.
    pub lat: Option<String>,
    /// Column of the longitude in degrees. Default: `lon`, `lng` or `longitude`.
    pub lon: Option<String>,
    /// Column of the first coordinate on a plane. Default: `x`.
    pub x: Option<String>,
    /// Column of the second coordinate on a plane. Default: `y`.
    pub y: Option<String>,
    /// What separates the columns of a CSV file. Default: guessed from the header.
    pub delimiter: Option<u8>,
    /// How times are written, in the letters of `strptime`. Default: whole numbers or ISO-8601.
    pub time_format: Option<String>,
    /// Drop points that could only be reached faster than this, for example `150km/h` or `40m/s`; on a plane a bare
    /// number of units a second; `off` keeps everything. Default: 300km/h for latitude and longitude, which no
    /// surface traffic exceeds for long; off on a plane.
    pub max_speed: MaxSpeed,
    /// Begin another trip after a silence longer than this, for example `30min`. Default: never.
    pub trip_gap: Option<Span>,
    /// Begin another trip at midnight. Default: no.
    pub per_day: bool,
    /// The clock by which days and time bins begin, for example `+02:00`. Default: UTC.
    pub utc_offset: UtcOffset,
    /// Keep only places where a person stayed within a radius for a time, for example `200m,20min`. Default: keep
    /// every point.
    pub stops: Option<Stops>,
    /// The grid: a number of columns and rows over all points, `10x10`, or the size of a square cell, `500m`. Default:
    /// `10x10`; `100x100` below regions.
    pub grid: Option<GridSize>,
    /// The area of the grid as `west,south,east,north`, in degrees or the plane's unit; points outside are dropped.
    /// A grid with bounds does not depend on the data. Default: the smallest area that holds all points.
    pub bounds: Option<Extent>,
    /// Join dense cells into regions of interest, and drop what lies outside them. Default: cells are the places.
    pub regions: Option<RegionOptions>,
    /// Add the cells that the straight line between two points crosses. Default: with regions and without stops.
    pub interpolate: Option<bool>,
    /// Keep consecutive visits of the same place apart. Default: they become one, at the time of the first.
    pub keep_repeats: bool,
    /// Replace times by the beginning of their bin, for example `1h`. Default: seconds.
    pub time_bin: Option<Span>,
    /// Choose the side of a cell from the data where neither grid nor regions are given. Default: 10 x 10 cells.
    pub choose_cell: bool,
    /// Go on where nearly all points are dropped, or next to no places are left. Default: stop and ask.
    pub accept_loss: bool,
}

/// Options of regions of interest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionOptions {
    /// Cells that at least so many people (`30`) or such a share of them (`1%`) crossed are dense.
    pub min_density: Threshold,
    /// Refuse a density threshold below this number of people: fewer could be behind a region. Default: no check.
    pub k: Option<u64>,
    /// Whether `min_density` counts `people`, or `trips` as the paper does. Default: people.
    pub counting: Counting,
}

/// What the density of a cell counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    /// Each person once, however many trips they made.
    #[default]
    People,
    /// Each trip once.
    Trips,
}

/// The speed above which points are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum MaxSpeed {
    /// 300 km/h on the globe, off on a plane.
    #[default]
    Usual,
    /// Keep everything.
    Off,
    /// The given speed.
    At(Speed),
}

/// The default of [`Options::max_speed`] on the globe.
pub(super) const USUAL_SPEED: Speed = Speed::kilometres_per_hour(300.0);

impl FromStr for MaxSpeed {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        if text == "off" { Ok(MaxSpeed::Off) } else { text.parse().map(MaxSpeed::At) }
    }
}

/// Forms of raw points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointFormat {
    /// A header and one row a point.
    Csv,
    /// Tracks of GPS receivers.
    Gpx,
    /// One GeoJSON feature a line.
    GeoJson,
}

impl FromStr for PointFormat {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        match text {
            "csv" => Ok(PointFormat::Csv),
            "gpx" => Ok(PointFormat::Gpx),
            "geojson" => Ok(PointFormat::GeoJson),
            _ => Err(UnitError::new(text, "a form of raw points: `csv`, `gpx` or `geojson`")),
        }
    }
}

/// How near and for how long is a stop: `200m,20min`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stops {
    /// Largest distance from where the stop began.
    pub radius: Distance,
    /// Shortest stay.
    pub duration: Span,
}

impl FromStr for Stops {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let fail = || UnitError::new(text, "a radius and a duration such as `200m,20min`");
        let (radius, duration) = text.split_once(',').ok_or_else(fail)?;
        Ok(Stops { radius: radius.parse()?, duration: duration.parse()? })
    }
}

/// The size of a grid: `10x10` (columns x rows) or `500m` (side of a cell).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GridSize {
    /// So many columns and rows.
    Cells {
        /// From west to east.
        columns: u32,
        /// From north to south.
        rows: u32,
    },
    /// Square cells with this side. On the globe they are square at the middle latitude of the area.
    Side(Distance),
}

impl FromStr for GridSize {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let Some((columns, rows)) = text.split_once('x') else { return text.parse().map(GridSize::Side) };
        let count = |text: &str| text.trim().parse().ok().filter(|count: &u32| *count > 0);
        match (count(columns), count(rows)) {
            (Some(columns), Some(rows)) => Ok(GridSize::Cells { columns, rows }),
            _ => Err(UnitError::new(text, "a number of columns and rows such as `10x10`")),
        }
    }
}

impl fmt::Display for GridSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GridSize::Cells { columns, rows } => write!(f, "{columns}x{rows}"),
            GridSize::Side(side) => side.fmt(f),
        }
    }
}

/// An area as `west,south,east,north`. On the globe, west may be larger than east: it then holds the antimeridian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent(pub Bounds);

impl FromStr for Extent {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let fail = || UnitError::new(text, "four numbers `west,south,east,north` with south below north");
        let numbers: Vec<f64> =
            text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map_err(|_| fail())?;
        match numbers[..] {
            [west, south, east, north]
                if numbers.iter().all(|n| n.is_finite()) && south < north && west != east =>
            {
                Ok(Extent(Bounds { west, south, east, north }))
            }
            _ => Err(fail()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_they_are_typed() {
        assert_eq!("20x10".parse(), Ok(GridSize::Cells { columns: 20, rows: 10 }));
        assert_eq!("500m".parse(), Ok(GridSize::Side(Distance::Metres(500.0))));
        let stops = Stops { radius: Distance::Metres(200.0), duration: "20min".parse().unwrap() };
        assert_eq!("200m, 20min".parse(), Ok(stops));
        assert_eq!("off".parse(), Ok(MaxSpeed::Off));
        let area = Extent(Bounds { west: 13.0, south: 52.3, east: 13.8, north: 52.7 });
        assert_eq!("13.0,52.3,13.8,52.7".parse(), Ok(area));
    }

    #[test]
    fn nonsense_is_refused_with_the_form_expected() {
        for text in ["0x5", "10x", "x", "-1x3", "99999999999x1"] {
            assert!(text.parse::<GridSize>().is_err(), "{text}");
        }
        for text in ["200m", "200m,", "20min,200m"] {
            assert!(text.parse::<Stops>().is_err(), "{text}");
        }
        for text in ["1,2,3", "1,5,3,4", "a,b,c,d", "1,2,1,4", "nan,1,2,3"] {
            assert!(text.parse::<Extent>().is_err(), "{text}");
        }
        assert_eq!(
            "kml".parse::<PointFormat>().unwrap_err().to_string(),
            "`kml` is not a form of raw points: `csv`, `gpx` or `geojson`"
        );
    }
}
