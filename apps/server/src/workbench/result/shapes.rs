//! How types of other crates are written that results hold as they are: for the description of the API alone.

use utoipa::ToSchema;

/// Some records before and after, for the publisher.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
#[schema(as = Samples)]
pub struct SamplesShape {
    /// The columns of a table, or nothing: then a record is a list of items.
    columns: Vec<String>,
    /// The records.
    rows: Vec<SampleShape>,
}

/// One record before and after.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
#[schema(as = Sample)]
struct SampleShape {
    /// Items or cells as they were, the first of many.
    before: Vec<String>,
    /// How many there were.
    before_total: u64,
    /// As they are released.
    after: Vec<String>,
    /// How many there are.
    after_total: u64,
}

/// Something of the data, and which share of it is left.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
#[schema(as = Survived)]
pub struct SurvivedShape {
    /// What: events, items, rows, cells, patterns or queries.
    what: String,
    /// The share that is left.
    share: f64,
    /// The words behind the percentage.
    about: String,
}

/// Exact sizes.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
#[schema(as = ReleaseCounts)]
pub struct CountsShape {
    /// People; absent where noise hides how many there are.
    subjects: Option<u64>,
    /// Records, those without events included.
    records: u64,
    /// Records of the release without events.
    empty_records: u64,
    /// Events of the data.
    events_before: Option<u64>,
    /// Events of the release.
    events_after: u64,
    /// Distinct items of the data.
    items_before: Option<u64>,
    /// Distinct items of the release.
    items_after: u64,
}
