//! Why points cannot be prepared.

use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing, Help, help};
use throng_data::StagingError;
use throng_data::formats::{InputError, Spot};

use crate::units::UnitError;

/// Why points cannot be prepared.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum PrepareError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{place}: {fault}")]
    Document { place: Box<Spot>, fault: Fault },
    #[error(transparent)]
    Unit(#[from] UnitError),
    #[error("the bounds {problem}")]
    Bounds { problem: &'static str },
    #[error("the grid would have more than {limit} cells{}", if *.regions { ", too many for regions" } else { "" })]
    GridTooLarge { limit: u32, regions: bool },
    #[error("the density threshold must be at least 1")]
    ZeroDensity,
    #[error(
        "a density threshold of {threshold} people is below k = {k}: fewer than k could be behind a region"
    )]
    BelowK { threshold: u64, k: u64 },
    #[error("k counts people, but the density counts trips")]
    KOfTrips,
    #[error("no cell reaches the density threshold of {threshold}; the densest has {densest}")]
    NoDenseCell { threshold: u64, densest: u64 },
    #[error(
        "of {points} points, {too_fast} could only be reached too fast and {outside} lie outside the bounds: 99% or more are dropped"
    )]
    NearlyAllDropped { too_fast: u64, outside: u64, points: u64 },
    #[error("all points fall into {places} of {columns} x {rows} cells: a few must lie far from the others")]
    FewPlaces { places: u64, columns: u32, rows: u32 },
    #[error("nothing is left of {points} points: {reason}")]
    NothingLeft { points: u64, reason: &'static str },
    #[error(transparent)]
    Output(#[from] StagingError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What is wrong in a GPX or GeoJSON file, or between files.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum Fault {
    #[error("the XML is broken: {what}")]
    Xml { what: String },
    #[error("a track point without {lacks}")]
    TrackPoint { lacks: &'static str },
    #[error("a track without a name")]
    UnnamedTrack,
    #[error("no track point in the file")]
    NoTrackPoint,
    #[error("the line is not JSON: {what}")]
    Json { what: String },
    #[error("a collection of features, where one feature a line is expected")]
    Collection,
    #[error("{what}")]
    Feature { what: &'static str },
    #[error("its points are {this}, those of the files before are {before}")]
    MixedSystems { this: &'static str, before: &'static str },
    #[error("its times are {this}, those of the files before are {before}")]
    MixedClocks { this: &'static str, before: &'static str },
    #[error("columns for latitude and longitude, and for x and y")]
    TwoSystems,
    #[error("no columns for latitude and longitude, nor for x and y; found {found}")]
    NoCoordinates { found: String },
    #[error("no known form of points has the extension of this name")]
    UnknownForm,
    #[error("more than 4294967295 records")]
    TooManyRecords,
}

impl Fault {
    fn help(&self) -> &'static str {
        match self {
            Fault::Xml { .. } => "export the track again; a GPX file ends with `</gpx>`",
            Fault::TrackPoint { .. } => "every `<trkpt lat= lon=>` needs both coordinates and a `<time>`",
            Fault::UnnamedTrack => "name every track, or leave {subject} out to take people from file names",
            Fault::NoTrackPoint => "routes and waypoints have no times; record or export a track",
            Fault::Json { .. } => "write one GeoJSON feature a line, without line breaks inside",
            Fault::Collection => "write one feature a line: `jq -c '.features[]' IN > OUT`",
            Fault::Feature { .. } => {
                "a feature is a Point with the properties `subject` and `time`, or a LineString with `subject` and \
                 one time a position in `coordTimes`"
            }
            Fault::MixedSystems { .. } | Fault::MixedClocks { .. } => "prepare the files one by one",
            Fault::TwoSystems => "choose with {lat COLUMN} {lon COLUMN} or {x COLUMN} {y COLUMN}",
            Fault::NoCoordinates { .. } => {
                "name the columns with {lat COLUMN} {lon COLUMN}, or {x COLUMN} {y COLUMN} on a plane"
            }
            Fault::UnknownForm => "name the form with {input-format csv}, `gpx` or `geojson`",
            Fault::TooManyRecords => "split the file by people and prepare the parts",
        }
    }
}

impl Failing for PrepareError {
    fn class(&self) -> Class {
        match self {
            PrepareError::Input(error) => error.class(),
            PrepareError::Document { .. }
            | PrepareError::NothingLeft { .. }
            | PrepareError::NearlyAllDropped { .. }
            | PrepareError::FewPlaces { .. } => Class::BadInput,
            PrepareError::Unit(error) => error.class(),
            PrepareError::Bounds { .. }
            | PrepareError::GridTooLarge { .. }
            | PrepareError::ZeroDensity
            | PrepareError::BelowK { .. }
            | PrepareError::KOfTrips => Class::Usage,
            PrepareError::NoDenseCell { .. } => Class::Infeasible,
            PrepareError::Output(error) => error.class(),
            PrepareError::Cancelled(error) => error.class(),
        }
    }

    fn help(&self) -> Option<Help> {
        Some(match self {
            PrepareError::Input(error) => return error.help(),
            PrepareError::Unit(error) => return error.help(),
            PrepareError::Output(error) => return error.help(),
            PrepareError::Cancelled(_) => return None,
            PrepareError::Document { fault, .. } => fault.help().into(),
            PrepareError::Bounds { .. } => {
                "give {bounds west,south,east,north}, for example `13.0,52.3,13.8,52.7`".into()
            }
            PrepareError::GridTooLarge { .. } => {
                "choose larger cells with {cell} or {grid}, or a smaller area with {bounds}".into()
            }
            PrepareError::ZeroDensity => {
                "give {min-density} a number of people or a share of them".into()
            }
            PrepareError::BelowK { k, .. } => help!("raise {min-density} to $ or more, or publish on a grid that does not depend on the data: \
                 {cell} with {bounds}, without {regions}", k),
            PrepareError::KOfTrips => "count people, or leave k out".into(),
            PrepareError::NoDenseCell { .. } => "lower {min-density}, or choose larger cells".into(),
            PrepareError::NearlyAllDropped { .. } => {
                "check the units of times and coordinates; {max-speed off} keeps fast points; if it is meant so, say \
                 {accept-loss}"
                    .into()
            }
            PrepareError::FewPlaces { .. } => {
                "give the area with {bounds west,south,east,north}, or the side of a cell with {cell}; if it is meant so, say \
                 {accept-loss}"
                    .into()
            }
            PrepareError::NothingLeft { .. } => {
                "check {bounds}, {stops} and {max-speed} against the data".into()
            }
        })
    }
}
