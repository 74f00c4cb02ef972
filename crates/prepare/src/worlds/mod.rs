//! Synthetic worlds: data with the character of the papers' data, of any size, to try everything on.
//!
//! A world is a fixed stage (a road map, a metro, a list of page categories) and a population that lives on
//! it. The stage never changes; the people are drawn from the seed.
//!
//! # Guarantees
//! The same world, size and seed give the same bytes with any number of threads: every person has a random
//! stream of their own. The first people of a larger world are the people of a smaller one with the same seed.
//! The directory appears whole or not at all.
//! # Cost
//! One pass, a few megabytes of memory whatever the size, several million events a second.

mod baskets;
mod character;
mod checkins;
mod city;
mod city80k;
mod clicks;
mod codes;
mod draw;
mod lines;
mod metro;
mod network;
mod oldenburg;
mod patients;
mod quest;
mod roads;
mod shelves;
mod stream;
mod towns;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing, Help, Progress, did_you_mean, help};
use throng_data::{Role, StagedDir, StagingError};

pub use character::Character;
pub(crate) use draw::{Draw, Weighted};

/// Every world, in the order shown to people.
pub const ALL: &[&World] = &[
    &city::CITY,
    &oldenburg::OLDENBURG,
    &checkins::CHECKINS,
    &metro::METRO,
    &city80k::CITY80K,
    &clicks::CLICKS,
    &baskets::BASKETS,
    &patients::PATIENTS,
    &quest::QUEST,
];

/// More people than anybody can store; keeps row numbers and totals far from overflow.
const MAX_SUBJECTS: u64 = 1_000_000_000_000;

/// Terms of a world with [`Sizes`]: as many as fit into memory with ease.
const MAX_TERMS: u32 = 10_000_000;

/// Events a person of a world with [`Sizes`], on average.
const MAX_MEAN_LENGTH: f64 = 1_000.0;

/// One world: what it is, what it writes, and what its data look like.
#[derive(Debug)]
pub struct World {
    /// The name used on the command line.
    pub name: &'static str,
    /// One line: what it is for.
    pub purpose: &'static str,
    /// The files it writes, and what each one holds.
    pub files: &'static [(&'static str, &'static str)],
    /// What the columns of `records.csv` are, besides the person.
    pub attributes: &'static [(&'static str, Role)],
    /// Number of people unless asked otherwise.
    pub subjects: u64,
    /// How many terms there are and how many a person has, for a world that can be asked for any.
    pub sizes: Option<Sizes>,
    /// What the default world with seed 0 was measured to be.
    pub character: Character,
    /// Prepares the stage.
    stage: fn(Option<Sizes>) -> Box<dyn Population>,
}

/// The sizes of a world that has no items of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizes {
    /// Number of different items.
    pub terms: u32,
    /// Events a person, on average.
    pub mean_length: f64,
}

/// How the people of a world live.
trait Population: Send + Sync {
    /// Files about the stage: name and content.
    fn tables(&self) -> Vec<(&'static str, String)>;

    /// Files with rows for each person: name and header line (empty where the form has none).
    fn streams(&self) -> &'static [(&'static str, &'static str)];

    /// Appends one person's rows to each stream and returns how many events they have.
    fn live(&self, subject: &str, draw: &mut Draw, rows: &mut [Vec<u8>]) -> u64;
}

/// What can be asked of a world.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorldOptions {
    /// Number of people; the world's default when `None`.
    pub subjects: Option<u64>,
    /// Draws the people.
    pub seed: u64,
    /// Number of different items, for a world with [`Sizes`]; its default when `None`.
    pub terms: Option<u32>,
    /// Events a person, for a world with [`Sizes`]; its default when `None`.
    pub mean_length: Option<f64>,
}

impl WorldOptions {
    /// The sizes asked for, checked.
    fn sizes(&self, world: &World) -> Result<Option<Sizes>, WorldError> {
        let Some(default) = world.sizes else {
            let asked = self.terms.is_some() || self.mean_length.is_some();
            return if asked { Err(WorldError::Sizes { world: world.name }) } else { Ok(None) };
        };
        let terms = self.terms.unwrap_or(default.terms);
        let mean_length = self.mean_length.unwrap_or(default.mean_length);
        if terms == 0 || terms > MAX_TERMS {
            return Err(WorldError::Terms { terms });
        }
        if !(1.0..=MAX_MEAN_LENGTH).contains(&mean_length) {
            return Err(WorldError::MeanLength { mean_length });
        }
        Ok(Some(Sizes { terms, mean_length }))
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The directory.
    pub directory: PathBuf,
    /// The files in it, in the order of [`World::files`].
    pub files: Vec<&'static str>,
    /// Number of people.
    pub subjects: u64,
    /// Number of events.
    pub events: u64,
    /// Events of the person with most.
    pub longest: u64,
}

impl Written {
    /// Events a person, on average.
    pub fn mean_length(&self) -> f64 {
        self.events as f64 / self.subjects as f64
    }
}

/// The world of that name.
pub fn find(name: &str) -> Result<&'static World, WorldError> {
    ALL.iter().copied().find(|world| world.name == name).ok_or_else(|| WorldError::Unknown {
        name: name.to_owned(),
        suggestion: did_you_mean(name, ALL.iter().map(|world| world.name)).map(str::to_owned),
    })
}

/// Writes the world of that name into the directory `dir`, replacing an earlier one if `force` is given.
pub fn generate(
    name: &str,
    options: &WorldOptions,
    dir: &Path,
    force: bool,
    progress: &Progress,
) -> Result<Written, WorldError> {
    let world = find(name)?;
    let subjects = options.subjects.unwrap_or(world.subjects);
    if subjects == 0 || subjects > MAX_SUBJECTS {
        return Err(WorldError::Size { subjects });
    }
    let sizes = options.sizes(world)?;
    let ours: Vec<&str> = ALL.iter().flat_map(|world| world.files).map(|(file, _)| *file).collect();
    let staged = StagedDir::create(dir, force, &ours)?;
    let population = (world.stage)(sizes);
    for (file, content) in population.tables() {
        let path = staged.path().join(file);
        let folder = path.parent().unwrap_or(staged.path());
        std::fs::create_dir_all(folder).map_err(|cause| StagingError::io(folder, cause))?;
        std::fs::write(&path, content).map_err(|cause| StagingError::io(&path, cause))?;
    }
    let (events, longest) = stream::write(&*population, subjects, options.seed, staged.path(), progress)?;
    staged.publish()?;
    let files = world.files.iter().map(|(file, _)| *file).collect();
    Ok(Written { directory: dir.to_owned(), files, subjects, events, longest })
}

/// Why a world was not written.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are what the messages say")]
pub enum WorldError {
    #[error("there is no world `{name}`")]
    Unknown { name: String, suggestion: Option<String> },
    #[error("a world of {subjects} people: expected 1 to {MAX_SUBJECTS}")]
    Size { subjects: u64 },
    #[error("the world `{world}` has items and lengths of its own")]
    Sizes { world: &'static str },
    #[error("{terms} terms: expected 1 to {MAX_TERMS}")]
    Terms { terms: u32 },
    #[error("a mean length of {mean_length}: expected 1 to {MAX_MEAN_LENGTH}")]
    MeanLength { mean_length: f64 },
    #[error(transparent)]
    Staging(#[from] StagingError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Failing for WorldError {
    fn class(&self) -> Class {
        match self {
            WorldError::Unknown { .. }
            | WorldError::Size { .. }
            | WorldError::Sizes { .. }
            | WorldError::Terms { .. }
            | WorldError::MeanLength { .. } => Class::Usage,
            WorldError::Staging(cause) => cause.class(),
            WorldError::Cancelled(cause) => cause.class(),
        }
    }

    fn help(&self) -> Option<Help> {
        match self {
            WorldError::Unknown { suggestion: Some(name), .. } => Some(help!("did you mean `$`?", name)),
            WorldError::Unknown { suggestion: None, .. } => {
                let names: Vec<&str> = ALL.iter().map(|world| world.name).collect();
                Some(help!("the worlds are $", names.join(", ")))
            }
            WorldError::Size { .. } => Some("give the number of people with {subjects}".into()),
            WorldError::Sizes { .. } => {
                let free: Vec<&str> =
                    ALL.iter().filter(|world| world.sizes.is_some()).map(|world| world.name).collect();
                Some(help!("the sizes can be chosen in $; leave them out here", free.join(", ")))
            }
            WorldError::Terms { .. } => Some("give the number of terms with {terms}".into()),
            WorldError::MeanLength { .. } => {
                Some("give how many terms a person has with {mean-length}".into())
            }
            WorldError::Staging(cause) => cause.help(),
            WorldError::Cancelled(_) => None,
        }
    }
}
