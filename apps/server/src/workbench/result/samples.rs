//! Some records before and after, side by side.

use serde::Serialize;
use throng_lab::{Sample, Samples};
use utoipa::ToSchema;

/// Some records before and after, for the publisher.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Samples)]
pub struct SamplesView {
    /// The columns of a table, or nothing: then a record is a list of items.
    columns: Vec<String>,
    /// The records.
    rows: Vec<SampleView>,
}

/// One record before and after.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Sample)]
struct SampleView {
    /// Items or cells as they were, the first of many.
    before: Vec<String>,
    /// How many there were.
    before_total: u64,
    /// As they are released.
    after: Vec<String>,
    /// How many there are.
    after_total: u64,
}

impl From<Samples> for SamplesView {
    fn from(samples: Samples) -> Self {
        let row = |sample: Sample| SampleView {
            before: sample.before,
            before_total: sample.before_total,
            after: sample.after,
            after_total: sample.after_total,
        };
        SamplesView { columns: samples.columns, rows: samples.rows.into_iter().map(row).collect() }
    }
}
