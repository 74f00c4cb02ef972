//! What became of the points, step by step.

use serde::Serialize;

/// Counts of a preparation: everything that went in is accounted for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// The form of this summary.
    pub schema: &'static str,
    /// Points read.
    pub points: u64,
    /// People read.
    pub people: u64,
    /// Points dropped because they could not be reached below the speed limit.
    pub points_too_fast: u64,
    /// Trips, after cutting at gaps, midnights and impossible jumps.
    pub trips: u64,
    /// Stops found, if stops were asked for; all other points were dropped.
    pub stops: Option<u64>,
    /// Points (or stops) dropped because they lie outside the bounds given.
    pub points_outside_bounds: u64,
    /// The side of a cell, if it was chosen from the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// Why it was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell_because: Option<String>,
    /// Columns of the grid.
    pub grid_columns: u32,
    /// Rows of the grid.
    pub grid_rows: u32,
    /// People (or trips) that make a cell dense, if regions were asked for.
    pub density_threshold: Option<u64>,
    /// Visits dropped because they lie in no region.
    pub visits_outside_regions: u64,
    /// Consecutive visits of the same place that became one.
    pub repeats_collapsed: u64,
    /// Trips dropped because nothing was left of them.
    pub trips_empty: u64,
    /// People dropped because nothing was left of them.
    pub people_empty: u64,
    /// Places: cells that were visited, or regions.
    pub places: u64,
    /// Records written.
    pub records: u64,
    /// Events written.
    pub events: u64,
}
