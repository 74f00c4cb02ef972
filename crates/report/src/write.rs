//! Pages on disk: whole or not at all, and never inside a release directory.
//!
//! The publisher's page must not be published by accident, and any page written over the one inside would no longer be the
//! file that the manifest speaks of.

use std::path::{Path, PathBuf};

use throng_contract::Failure;
use throng_data::Passing;

use super::{Atlas, Evidence, Insight, internal};
use crate::samples::samples;
use throng_release::directory::{DirectoryError, Target, refuse_inside};
use throng_release::{Made, catalogue, promise_of};

/// Where the publisher's page of a run will go.
#[derive(Debug, Clone)]
pub struct InternalReport {
    path: PathBuf,
    force: bool,
}

impl InternalReport {
    /// Refuses a path inside the release directory, or one that would overwrite a file; to be asked before the work
    /// begins.
    pub fn at(path: impl Into<PathBuf>, target: &Target) -> Result<Self, Failure> {
        let path = path.into();
        refuse_inside("the internal report", &path, target)?;
        Ok(InternalReport { path, force: target.force })
    }

    /// Writes the page of a run that is over.
    pub fn write(&self, whole: &Made) -> Result<(), Failure> {
        let made = &whole.checked;
        let promise = promise_of(catalogue::method(&whole.manifest.method.name)?)?;
        let places = made.loaded.data.places.as_ref().filter(|_| made.outcome.release.body.has_rows());
        let atlas = places
            .map(|places| Atlas::of(&made.outcome.release, places).with_original(&made.loaded.data, places));
        let evidence = Evidence {
            manifest: &whole.manifest,
            exact: Some(&whole.exact),
            promise,
            promised: &made.promised,
            atlas: atlas.as_ref(),
            release: Some(&made.outcome.release),
        };
        let insight = Insight {
            data: Some(&made.loaded.data),
            reasons: Some((&made.outcome.explanation, &made.outcome.release.base)),
            timings: &whole.timings,
            inputs: &made.loaded.files,
            seed: Some(made.seed),
            samples: samples(&made.loaded.data, &made.outcome.release, made.seed),
        };
        write_page(&self.path, &internal(&evidence, &insight), self.force)
    }
}

/// Writes a page about a release; its path must lie outside of the release directory.
pub fn write_report(path: &Path, page: &str, directory: &Path, force: bool) -> Result<(), Failure> {
    let target = Target { force, ..Target::new(directory) };
    refuse_inside("the report", path, &target)?;
    write_page(path, page, force)
}

/// Begins the name of a page that is not whole yet.
const PREFIX: &str = ".report-";

fn write_page(path: &Path, page: &str, force: bool) -> Result<(), Failure> {
    let fail = |source| DirectoryError::io(path, source);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Passing::sweep(parent, PREFIX, "");
    let file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(parent).map_err(fail)?;
    let _passing = Passing::of(&file);
    std::fs::write(file.path(), page).map_err(fail)?;
    let kept = if force { file.persist(path) } else { file.persist_noclobber(path) };
    kept.map(drop).map_err(|error| fail(error.error))?;
    Ok(())
}
