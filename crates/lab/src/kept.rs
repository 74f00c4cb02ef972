//! A run directory: everything the publisher needs to repeat a run, kept apart from what is published.
//!
//! `recipe.toml` has paths that are good from any folder, the seed that was used and the fingerprints of the files;
//! `run.json` says which program made which files, and how long it took. Both may name private files, and the seed
//! may be what hides people: the directory is not for publication.

use std::path::{Path, PathBuf};

use serde::Serialize;
use throng_contract::{Class, Failure};
use throng_data::StagedDir;

use crate::directory::{DirectoryError, write_text};
use crate::manifest::FileEntry;
use crate::{Finished, Recipe, Target};

/// Name and version of the form of `run.json`.
pub const SCHEMA: &str = "throng-run/1";

const RECIPE: &str = "recipe.toml";
const RUN: &str = "run.json";

/// A run directory under construction.
#[derive(Debug)]
pub struct KeptRun {
    staged: StagedDir,
}

#[derive(Serialize)]
struct Kept<'a> {
    schema: &'a str,
    program: &'a str,
    release: PathBuf,
    seed: u64,
    threads: usize,
    seconds: Vec<(&'static str, f64)>,
    notes: &'a [String],
    inputs: &'a [FileEntry],
    outputs: &'a [FileEntry],
}

impl KeptRun {
    /// Begins a run directory; one that would be overwritten is refused, before the work begins.
    pub fn stage(directory: &Path, release: &Target) -> Result<Self, Failure> {
        let inside = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if inside(directory).starts_with(inside(&release.directory)) {
            let what = format!("the run directory `{}` would lie inside the release", directory.display());
            return Err(Failure::new(Class::Refused, what)
                .with_help("keep it elsewhere: the release is made to be published"));
        }
        Ok(KeptRun { staged: StagedDir::create(directory, release.force, &[RECIPE, RUN])? })
    }

    /// Writes the run down once its release is there.
    pub fn publish(self, recipe: &Recipe, finished: &Finished, release: &Target) -> Result<(), Failure> {
        let inputs = &finished.made.loaded.inputs;
        let mut recipe = recipe.clone();
        recipe.seed = Some(finished.made.seed);
        if recipe.data.world.is_none() {
            let known = inputs.iter().filter_map(|file| Some((file.role.clone(), file.sha256.clone()?)));
            recipe.data.fingerprints = known.collect();
        }
        let kept = Kept {
            schema: SCHEMA,
            program: &finished.manifest.program,
            release: std::path::absolute(&release.directory).unwrap_or_else(|_| release.directory.clone()),
            seed: finished.made.seed,
            threads: rayon::current_num_threads(),
            seconds: finished.timings.iter().map(|t| (t.step, t.took.as_secs_f64())).collect(),
            notes: &finished.exact.notes,
            inputs,
            outputs: &finished.manifest.outputs,
        };
        let mut json = serde_json::to_string_pretty(&kept).expect("a run has string keys only");
        json.push('\n');
        write_text(&self.staged.path().join(RECIPE), &recipe.to_toml_anywhere())?;
        write_text(&self.staged.path().join(RUN), &json)?;
        Ok(self.staged.publish().map_err(DirectoryError::from)?)
    }
}
