//! What a method is given, and what it gives back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use throng_contract::{
    Cancelled, Class, Descriptor, Failing, Help, Input, Progress, Settings, SettingsError, help,
};
use throng_data::load::Loaded;
use throng_data::{Dataset, Inputs, ItemId, Release};
use throng_mine::MineError;
use throng_models::BudgetLedger;

/// Our default, with the published algorithm's gaps closed; or the letter of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// The stated guarantee holds.
    Sound,
    /// The paper's own answer, for reproducing its results.
    AsPrinted,
}

impl Variant {
    /// Both variants.
    pub const ALL: [Variant; 2] = [Variant::Sound, Variant::AsPrinted];

    /// The word users type.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Sound => "sound",
            Variant::AsPrinted => "as-printed",
        }
    }

    /// The variant of that name.
    pub fn parse(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

/// Everything a method may look at.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The data to publish.
    pub data: &'a Dataset,
    /// Parameters, checked against the method's descriptor.
    pub settings: &'a Settings,
    /// Sound or as printed.
    pub variant: Variant,
    /// Seed of every random choice that may be repeated by anyone.
    pub seed: u64,
    /// The secret from which noise is drawn that hides people. Without one it is drawn from the seed: good for
    /// comparisons, not for a release.
    pub noise: Option<[u8; 32]>,
    /// What was given beside the data.
    pub inputs: &'a Inputs,
    /// Phases, counters, cancel.
    pub progress: &'a Progress,
}

impl<'a> Task<'a> {
    /// Data and parameters, and nothing else; seed 0, sound.
    pub fn new(data: &'a Dataset, settings: &'a Settings, progress: &'a Progress) -> Self {
        Task { data, settings, variant: Variant::Sound, seed: 0, noise: None, inputs: Inputs::NONE, progress }
    }

    /// What was loaded, with everything beside the data.
    pub fn on(
        loaded: &'a Loaded,
        settings: &'a Settings,
        variant: Variant,
        seed: u64,
        progress: &'a Progress,
    ) -> Self {
        Task { variant, seed, inputs: &loaded.inputs, ..Task::new(&loaded.data, settings, progress) }
    }
}

/// Turns a dataset into a release that keeps a promise.
///
/// # Example
/// The whole of a method that publishes the data as they are, and nothing if that breaks its promise. In this crate, the code is a file of
/// its own, and `&Unchanged` is one line in [`ALL`](crate::ALL); flags, help, recipes and the workbench follow from the descriptor.
/// ```
/// use throng_contract::{BodyKind, Product, DataKind, Descriptor, DescriptorKind, Key, Progress, Settings, settings};
/// use throng_data::{Dataset, Release};
/// use throng_methods::{Explanation, Method, MethodError, Outcome, Task};
/// use throng_models::{Evidence, KmAnonymity, Promise};
///
/// settings! {
///     /// What the method is asked for.
///     struct Asked {
///         k: u64 = Key::integer("k", 1..=1_000_000, "people who must fit").or("2"),
///         m: u64 = Key::integer("m", 1..=10, "events an attacker may know, in order").or("2"),
///     }
/// }
///
/// static DESCRIPTOR: Descriptor = Descriptor {
///     name: "unchanged",
///     purpose: "publish the data as they are, or nothing",
///     takes: &[DataKind::Sequences],
///     params: Asked::ALL,
///     keeps: Some("km"),
///     product: Some(Product::of(BodyKind::Records)),
///     example: "throng anonymize city/events.csv --method unchanged -k 5 -m 2 -o release",
///     ..Descriptor::blank(DescriptorKind::Method)
/// };
///
/// struct Unchanged;
///
/// impl Method for Unchanged {
///     fn descriptor(&self) -> &'static Descriptor {
///         &DESCRIPTOR
///     }
///
///     fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
///         task.progress.check()?;
///         Ok(Outcome {
///             release: Release::identity(task.data.items.clone(), task.data.events.clone()),
///             explanation: Explanation::default(),
///             notes: Vec::new(),
///             public_notes: Vec::new(),
///             ledger: None,
///             also: Vec::new(),
///         })
///     }
/// }
///
/// let (data, progress) = (Dataset::from_words(["ab", "ab", "ab"]), Progress::silent());
/// let settings = Settings::parse(&DESCRIPTOR, [("k", "3")])?;
/// let made = Unchanged.anonymize(&Task::new(&data, &settings, &progress))?;
/// // The caller judges every release by the promise that the descriptor names.
/// let asked = Settings::parse(KmAnonymity.descriptor(), [("k", "3"), ("m", "2")])?;
/// assert!(KmAnonymity.check(&Evidence::of(&made.release), &asked, 0, &progress).is_ok_and(|verdict| verdict.holds));
/// # Ok::<(), MethodError>(())
/// ```
pub trait Method: Sync {
    /// Name, parameters and purpose.
    fn descriptor(&self) -> &'static Descriptor;

    /// Does it. The caller has checked that the data's kind and the required inputs are there.
    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError>;
}

/// A release and how it came about.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What would be published, not yet verified.
    pub release: Release,
    /// Why the release looks the way it does, step by step. For the publisher's eyes: reasons name rare patterns.
    pub explanation: Explanation,
    /// Things the publisher should know, in plain words and without sensitive values. They may hold exact counts of the
    /// data, and are not published.
    pub notes: Vec<String>,
    /// Things a reader of the release should know. They are published, and constants: nothing that was counted can be
    /// among them.
    pub public_notes: Vec<&'static str>,
    /// What was spent of a privacy budget, for methods that add noise.
    pub ledger: Option<BudgetLedger>,
    /// Further promises that the release keeps because they were asked for, beside the one of the method's descriptor.
    pub also: Vec<Also>,
}

/// A promise kept beside the method's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Also {
    /// Name of the promise.
    pub promise: &'static str,
    /// Its parameters, as a user types them: name, value.
    pub settings: Vec<(String, String)>,
}

/// The steps of a method, in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// The steps.
    pub steps: Vec<Reason>,
}

/// One step of a method and what forced it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// What was done, for example `merge`, `suppress`, `cut`.
    pub action: &'static str,
    /// The items it was done to, as groups of original items: two groups that were merged, one that was removed.
    pub items: Vec<Vec<ItemId>>,
    /// The pattern that forced it, each element a group of original items.
    pub pattern: Vec<Vec<ItemId>>,
    /// How many people had the pattern.
    pub support: u64,
    /// How many were needed.
    pub needed: u64,
    /// What else mattered, for example the distance between the merged groups.
    pub details: BTreeMap<&'static str, String>,
}

/// Why a method did not give a release.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MethodError {
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Parameters that do not fit together.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// No release of this kind can keep the promise under the limits given.
    #[error("{why}")]
    Infeasible {
        /// What stands in the way, with numbers.
        why: String,
        /// One way out.
        help: Help,
    },
    /// A required input was not given.
    #[error("`{method}` needs {}", input.describe())]
    MissingInput {
        /// Name of the method.
        method: &'static str,
        /// What is missing.
        input: Input,
    },
    /// The data is not what the method takes.
    #[error("{what}")]
    BadData {
        /// What is wrong with it.
        what: String,
        /// One way out.
        help: Help,
    },
    /// Parameters or inputs contradict each other.
    #[error("{what}")]
    Usage {
        /// What is wrong.
        what: String,
        /// One way out.
        help: Help,
    },
}

impl From<MineError> for MethodError {
    fn from(error: MineError) -> Self {
        match error {
            MineError::Cancelled(cancelled) => MethodError::Cancelled(cancelled),
            MineError::TooMany { .. } => MethodError::Infeasible {
                why: error.to_string(),
                help: "cut long records first with {throng prepare events}, or choose another method".into(),
            },
        }
    }
}

impl Failing for MethodError {
    fn class(&self) -> Class {
        match self {
            MethodError::Cancelled(_) => Class::Interrupted,
            MethodError::Settings(_) | MethodError::MissingInput { .. } | MethodError::Usage { .. } => {
                Class::Usage
            }
            MethodError::Infeasible { .. } => Class::Infeasible,
            MethodError::BadData { .. } => Class::BadInput,
        }
    }

    fn help(&self) -> Option<Help> {
        match self {
            MethodError::Cancelled(_) => None,
            MethodError::Settings(error) => error.help(),
            MethodError::MissingInput { input, .. } => Some(help!("add {$ FILE}", input.flag())),
            MethodError::Infeasible { help, .. }
            | MethodError::BadData { help, .. }
            | MethodError::Usage { help, .. } => Some(help.clone()),
        }
    }
}
