//! What a measure is given, and what it answers.

use thiserror::Error;
use throng_contract::{
    Cancelled, Class, Descriptor, Failing, Help, Input, Progress, Settings, SettingsError, help,
};
use throng_data::{Dataset, Inputs, Nature, Release};
use throng_mine::MineError;

/// A dataset and its release, side by side.
///
/// Members of released items are numbered as the items of the original are.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// The data.
    pub original: &'a Dataset,
    /// What was made of it.
    pub release: &'a Release,
    /// Whether each record of the release stands at the place of its original. It does not when a release was read
    /// back without its linkage, or when its records are synthetic.
    pub aligned: bool,
    /// What was given beside the data. Without queries a measure draws its own.
    pub inputs: &'a Inputs,
    /// Seed of every random choice.
    pub seed: u64,
    /// Phases, counters, cancel.
    pub progress: &'a Progress,
}

impl<'a> Comparison<'a> {
    /// Data and a release whose records stand at the places of their originals, and nothing beside.
    pub fn of(original: &'a Dataset, release: &'a Release, progress: &'a Progress) -> Self {
        let aligned = release.nature != Nature::Synthetic;
        Comparison { original, release, aligned, inputs: Inputs::NONE, seed: 0, progress }
    }
}

/// Says what a release is still good for.
///
/// # Example
/// The whole of a measure that tells which share of the people is left. In this crate, the code is a file of its own, and `&PeopleLeft` is
/// one line in [`ALL`](crate::ALL); `throng measure`, comparisons and the workbench follow from the descriptor.
/// ```
/// use throng_contract::{Cost, DataKind, Descriptor, DescriptorKind, Gauge, Progress, Scale, Settings};
/// use throng_data::{Dataset, Release};
/// use throng_measure::{Comparison, Measure, MeasureError, Readings};
///
/// static DESCRIPTOR: Descriptor = Descriptor {
///     name: "people-left",
///     purpose: "how many of the people are left",
///     takes: &[DataKind::Sequences, DataKind::Sets],
///     params: &[],
///     gauge: Some(Gauge { cost: Cost::Pass, scales: &[Scale::kept("left", "share of the people", 1.0)] }),
///     example: "throng measure city/events.csv release --measure people-left",
///     ..Descriptor::blank(DescriptorKind::Measure)
/// };
///
/// struct PeopleLeft;
///
/// impl Measure for PeopleLeft {
///     fn descriptor(&self) -> &'static Descriptor {
///         &DESCRIPTOR
///     }
///
///     fn measure(&self, on: &Comparison<'_>, _: &Settings) -> Result<Readings, MeasureError> {
///         let people = on.original.events.subjects();
///         if people == 0 {
///             return Err(MeasureError::NotApplicable { measure: DESCRIPTOR.name, reason: "the data have no people" });
///         }
///         let events = on.release.events();
///         let has_events = |subject: &usize| events.records_of(*subject).any(|record| !events.record(record).is_empty());
///         let left = (0..events.subjects()).filter(has_events).count();
///         Ok(vec![("left", left as f64 / people as f64)])
///     }
/// }
///
/// let data = Dataset::from_words(["ab", "b"]);
/// let release = Release::identity(data.items.clone(), data.events.clone());
/// let settings = Settings::parse(&DESCRIPTOR, [])?;
/// let progress = Progress::silent();
/// assert_eq!(PeopleLeft.measure(&Comparison::of(&data, &release, &progress), &settings)?, [("left", 1.0)]);
/// # Ok::<(), MeasureError>(())
/// ```
pub trait Measure: Sync {
    /// Name, parameters, and the scales of its numbers.
    fn descriptor(&self) -> &'static Descriptor;

    /// Whether it reads counts of people, and nothing else. The caller checks this.
    fn on_counts(&self) -> bool {
        false
    }

    /// What it does where records were taken apart. The caller checks this.
    fn on_chunks(&self) -> OnChunks {
        OnChunks::NotApplicable
    }

    /// One number for each scale that applies, by the scale's name, in the order of the scales.
    fn measure(&self, on: &Comparison<'_>, settings: &Settings) -> Result<Readings, MeasureError>;
}

/// What a measure does with a release whose records were taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnChunks {
    /// It reads records, and possible ones would tell nothing: it does not apply.
    NotApplicable,
    /// It is asked about a possible dataset.
    Reconstructed,
    /// It reads chunks.
    AsTheyAre,
}

/// The numbers of a measure: scale, value.
pub type Readings = Vec<(&'static str, f64)>;

/// Why a measure has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MeasureError {
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A parameter is wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// More patterns are frequent than fit.
    #[error(transparent)]
    TooMany(MineError),
    /// Something it compares with was not given.
    #[error("`{measure}` needs {}", input.describe())]
    MissingInput {
        /// The measure.
        measure: &'static str,
        /// What is missing.
        input: Input,
    },
    /// It means nothing for such a release.
    #[error("`{measure}` does not apply: {reason}")]
    NotApplicable {
        /// The measure.
        measure: &'static str,
        /// Why, in plain words.
        reason: &'static str,
    },
}

impl MeasureError {
    /// Why there is no answer, for a reader who sees the measure's name beside it.
    pub fn reason(&self) -> String {
        match self {
            MeasureError::MissingInput { input, .. } => {
                format!("needs {} (`--{}`)", input.describe(), input.flag())
            }
            MeasureError::NotApplicable { reason, .. } => (*reason).to_owned(),
            other => other.to_string(),
        }
    }
}

impl From<MineError> for MeasureError {
    fn from(error: MineError) -> Self {
        match error {
            MineError::Cancelled(cancelled) => MeasureError::Cancelled(cancelled),
            MineError::TooMany { .. } => MeasureError::TooMany(error),
        }
    }
}

impl Failing for MeasureError {
    fn class(&self) -> Class {
        match self {
            MeasureError::Cancelled(_) => Class::Interrupted,
            MeasureError::Settings(error) => error.class(),
            MeasureError::TooMany(error) => error.class(),
            MeasureError::MissingInput { .. } | MeasureError::NotApplicable { .. } => Class::Usage,
        }
    }

    fn help(&self) -> Option<Help> {
        match self {
            MeasureError::Cancelled(_) => None,
            MeasureError::Settings(error) => error.help(),
            MeasureError::TooMany(error) => error.help(),
            MeasureError::MissingInput { input, .. } => Some(help!("give it with {$}", input.flag())),
            MeasureError::NotApplicable { .. } => Some("choose another measure; see {throng methods}".into()),
        }
    }
}
