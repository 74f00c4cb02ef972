//! A run directory: everything the publisher needs to repeat a run, kept apart from what is published.
//!
//! `recipe.toml` has paths that are good from any folder, the seed and the secret salt that were used, and the
//! fingerprints of the files: with it the run can be repeated byte for byte. `run.json` says which program made which
//! files, and how long it took. Both may name private files, and the salt says whose each record is: the directory is not
//! for publication, and its recipe is readable by its owner only.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use throng_contract::{Class, Failure};
use throng_data::StagedDir;

use crate::Recipe;
use throng_data::load::ReadFile;
use throng_release::Made;
use throng_release::Target;
use throng_release::directory::{DirectoryError, write_text};
use throng_release::manifest::FileEntry;

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
    inputs: Vec<FileEntry>,
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
    pub fn publish(self, recipe: &Recipe, made: &Made) -> Result<(), Failure> {
        let inputs = &made.checked.loaded.files;
        let named = |file: &ReadFile| FileEntry {
            role: file.role.clone(),
            name: file.name.clone(),
            sha256: file.digest.map(|digest| digest.to_string()),
        };
        let mut recipe = recipe.clone();
        recipe.seed = Some(made.checked.seed);
        recipe.salt = Some(made.salt);
        if recipe.data.world.is_none() {
            let known = inputs.iter().filter_map(|file| Some((file.role.clone(), file.digest?.to_string())));
            recipe.data.fingerprints = known.collect();
        }
        let kept = Kept {
            schema: SCHEMA,
            program: &made.manifest.program,
            release: std::path::absolute(&made.target.directory)
                .unwrap_or_else(|_| made.target.directory.clone()),
            seed: made.checked.seed,
            threads: rayon::current_num_threads(),
            seconds: made.timings.iter().map(|t| (t.step, t.took.as_secs_f64())).collect(),
            notes: &made.exact.notes,
            inputs: inputs.iter().map(named).collect(),
            outputs: &made.manifest.outputs,
        };
        let mut json = serde_json::to_string_pretty(&kept).expect("a run has string keys only");
        json.push('\n');
        let place = self.staged.path().join(RECIPE);
        write_text(&place, &recipe.to_toml_anywhere())?;
        keep_private(&place).map_err(|error| DirectoryError::io(&place, error))?;
        write_text(&self.staged.path().join(RUN), &json)?;
        Ok(self.staged.publish().map_err(DirectoryError::from)?)
    }
}

/// The salt is in it: only the owner may read it.
fn keep_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    let _ = path;
    Ok(())
}
