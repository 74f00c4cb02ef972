//! Reads the data for a method, a promise or a measure of the catalogue.

use throng_contract::{Descriptor, Failure, Progress};
use throng_data::load::{Files, Loaded, Uses};

use crate::catalogue;

/// Reads the data and what goes with it, see [`throng_data::load::load`]; measures are those of the catalogue.
pub fn load(files: &Files, needs: &Descriptor, progress: &Progress) -> Result<Loaded, Failure> {
    let measured = |input| catalogue::measures().any(|measure| measure.descriptor().uses(input));
    throng_data::load::load(files, Uses { needs, measured: &measured }, progress)
}
