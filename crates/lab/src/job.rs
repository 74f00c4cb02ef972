//! What determines a release, as it is asked for. [`Job::plan`] checks it.

use std::sync::Arc;

use throng_methods::Variant;

use crate::after::Before;
use throng_data::load::Files;
use throng_release::{Limits, Salt};

/// Everything that determines a release.
#[derive(Debug, Clone)]
pub struct Job {
    /// The data and what goes with it.
    pub files: Files,
    /// Name of the method.
    pub method: String,
    /// Parameters as a user types them: name, value.
    pub settings: Vec<(String, String)>,
    /// How usefulness is graded, where that is not as usual.
    pub limits: Limits,
    /// Sound, or as printed.
    pub variant: Variant,
    /// Seed of every random choice. Without one it is 0, or, where the promise rests on secret noise, a number from
    /// the operating system that is shown to no one.
    pub seed: Option<u64>,
    /// The secret of the run. A release that is written gets a fresh one where none is given; what is made to be compared
    /// and thrown away needs none.
    pub salt: Option<Salt>,
    /// The release of a table that this one has to be safe together with.
    pub after: Option<Arc<Before>>,
}
