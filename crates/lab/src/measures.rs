//! What a release is still good for, and what it still gives away: the numbers of the manifest and the report.

use std::collections::BTreeMap;

use throng_contract::{Failure, Progress};
use throng_data::{Dataset, Release};

use crate::risk::RiskPoint;

/// Measures of a release.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Measured {
    pub values: BTreeMap<String, f64>,
    pub risk: Vec<RiskPoint>,
}

pub(crate) fn measure(_: &Dataset, _: &Release, _: u64, progress: &Progress) -> Result<Measured, Failure> {
    progress.check()?;
    Ok(Measured::default())
}
