//! What the child of a job is to do: put together and checked here, written into the job's folder, and not parsed again.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use throng_lab::Recipe;
use throng_lab::compare::Comparing;
use throng_lab::recommend::Request;

use crate::platform::problem::{self, Problem};

/// The plan, in a job's folder. Its paths start there.
pub const PLAN: &str = "plan.json";
/// What an earlier version of the program wrote in its place: a recipe.
const EARLIER: &str = "run.toml";

/// What is to be done, in the words of the laboratory.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Plan {
    /// Makes a release.
    Anonymize(Box<Recipe>),
    /// Runs methods over a range of settings.
    Compare(Box<Comparing>),
    /// Looks for the method that keeps most of what matters.
    Recommend(Box<Request>),
}

impl Plan {
    /// Writes the plan into a job's folder.
    pub fn write(&self, folder: &Path) -> Result<(), Problem> {
        Ok(fs::write(folder.join(PLAN), serde_json::to_vec(self)?)?)
    }
}

/// The release that the job of a folder makes. Its files are in that folder.
pub fn recipe(folder: &Path) -> Result<Recipe, Problem> {
    match read::<Recipe>(folder)? {
        None => Recipe::read(&folder.join(EARLIER)).map_err(problem::of),
        Some(mut recipe) => {
            recipe.data.files = recipe.data.files.in_folder(folder);
            Ok(recipe)
        }
    }
}

/// What the job of a folder compares. Its files are in that folder.
pub fn comparing(folder: &Path) -> Result<Comparing, Problem> {
    match read::<Comparing>(folder)? {
        None => Comparing::read(&folder.join(EARLIER)).map_err(problem::of),
        Some(mut comparing) => {
            for (_, data) in &mut comparing.data {
                data.files = data.files.clone().in_folder(folder);
            }
            Ok(comparing)
        }
    }
}

fn read<T: DeserializeOwned>(folder: &Path) -> Result<Option<T>, Problem> {
    match fs::read(folder.join(PLAN)) {
        Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use throng_data::formats::Source;
    use throng_lab::{Files, Job, Limits, ReleaseFormat};
    use throng_methods::Variant;

    use super::*;

    #[test]
    fn a_plan_is_found_again_wherever_its_folder_is_and_so_is_that_of_an_earlier_version() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("data.csv"), "subject,item\na,b\n").unwrap();
        let job = Job {
            limits: Limits::default(),
            files: Files::of(Source::file("data.csv")),
            method: "suppress".to_owned(),
            settings: vec![("k".to_owned(), "2".to_owned()), ("m".to_owned(), "1".to_owned())],
            variant: Variant::Sound,
            seed: None,
            salt: None,
            after: None,
        };
        let wanted = Recipe::of(&job, ReleaseFormat::Csv);
        fs::write(folder.path().join(EARLIER), wanted.to_toml()).unwrap();
        let earlier = recipe(folder.path()).unwrap();
        Plan::Anonymize(Box::new(wanted)).write(folder.path()).unwrap();
        let planned = recipe(folder.path()).unwrap();
        assert_eq!(planned.data.files.data, Source::file(folder.path().join("data.csv")));
        assert_eq!(format!("{planned:?}"), format!("{earlier:?}"));
    }
}
