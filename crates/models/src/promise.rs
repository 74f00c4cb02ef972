//! What a promise is, and what its checker answers.

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;
use throng_contract::{
    BodyKind, Cancelled, Class, Descriptor, Failing, Help, Progress, Settings, SettingsError,
};
use throng_data::{Dataset, EventKind, Inputs, Release};

use crate::BudgetLedger;

/// What a checker may look at. Most promises need the release alone.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The release to judge.
    pub release: &'a Release,
    /// The data it was made from, for promises that compare with it.
    pub original: Option<&'a Dataset>,
    /// What was given beside the data.
    pub inputs: &'a Inputs,
    /// What the method spent of a privacy budget; known only while the release is made.
    pub ledger: Option<&'a BudgetLedger>,
}

impl<'a> Evidence<'a> {
    /// The release and nothing else.
    pub fn of(release: &'a Release) -> Self {
        Evidence { release, original: None, inputs: Inputs::NONE, ledger: None }
    }
}

/// A statement about a release that anyone can check without knowing how the release was made.
///
/// # Example
/// The whole of a promise that a release is about enough people. In this crate, the code is a file of its own, and `&Enough` is one line in
/// [`ALL`](crate::ALL); flags, help and `throng verify` follow from the descriptor.
/// ```
/// use throng_contract::{DataKind, Descriptor, DescriptorKind, Key, Progress, Settings, settings};
/// use throng_data::{Dataset, Release};
/// use throng_models::{CheckError, Evidence, Promise, Verdict, Violation};
///
/// settings! {
///     /// What the promise is asked for.
///     struct Asked {
///         k: u64 = Key::integer("k", 1..=1_000_000, "people that the release must be about").or("5"),
///     }
/// }
///
/// static DESCRIPTOR: Descriptor = Descriptor {
///     name: "enough",
///     purpose: "a release is about at least k people",
///     takes: &[DataKind::Sequences, DataKind::Sets],
///     params: Asked::ALL,
///     example: "throng verify release --promise enough -k 5",
///     ..Descriptor::blank(DescriptorKind::Promise)
/// };
///
/// struct Enough;
///
/// impl Promise for Enough {
///     fn descriptor(&self) -> &'static Descriptor {
///         &DESCRIPTOR
///     }
///
///     fn statement(&self, settings: &Settings) -> String {
///         format!("The release is about at least {} people.", Asked::of(settings).k)
///     }
///
///     fn symbols(&self, settings: &Settings) -> String {
///         format!("|people| >= {}", Asked::of(settings).k)
///     }
///
///     fn check(
///         &self,
///         evidence: &Evidence<'_>,
///         settings: &Settings,
///         list: usize,
///         progress: &Progress,
///     ) -> Result<Verdict, CheckError> {
///         progress.check()?;
///         let (support, needed) = (evidence.release.people() as u64, Asked::of(settings).k);
///         let broken = Violation { pattern: Vec::new(), support, needed, details: Default::default() };
///         let holds = support >= needed;
///         Ok(Verdict {
///             promise: DESCRIPTOR.name,
///             holds,
///             checked: 1,
///             violations: (!holds && list > 0).then_some(broken).into_iter().collect(),
///             violations_total: u64::from(!holds),
///             ..Verdict::default()
///         })
///     }
/// }
///
/// let data = Dataset::from_words(["ab", "ab", "b"]);
/// let release = Release::identity(data.items, data.events);
/// let judge = |k| -> Result<bool, CheckError> {
///     let settings = Settings::parse(&DESCRIPTOR, [("k", k)])?;
///     Ok(Enough.check(&Evidence::of(&release), &settings, 10, &Progress::silent())?.holds)
/// };
/// assert!(judge("3")? && !judge("4")?);
/// # Ok::<(), CheckError>(())
/// ```
pub trait Promise: Sync {
    /// Name, parameters and purpose.
    fn descriptor(&self) -> &'static Descriptor;

    /// The promise in plain words, with its parameters filled in.
    fn statement(&self, settings: &Settings) -> String;

    /// The same for events of a kind: sets have no order to know.
    fn statement_for(&self, settings: &Settings, _kind: EventKind) -> String {
        self.statement(settings)
    }

    /// The promise in symbols, with its parameters filled in: one line of plain text that says what its letters mean.
    fn symbols(&self, settings: &Settings) -> String;

    /// Whether it holds only while the random choices stay secret. Then neither the seed nor any exact number of the
    /// data may be published.
    fn rests_on_secret_noise(&self) -> bool {
        false
    }

    /// What it assumes of an attacker, with its parameters filled in. A promise that speaks of neither a crowd nor of known
    /// events assumes nothing.
    fn assumes(&self, _settings: &Settings) -> Assumes {
        Assumes::default()
    }

    /// Whether it compares the release with the original data, so that a release alone says nothing.
    fn needs_original(&self) -> bool {
        false
    }

    /// Parameters with another default where the original data is not at hand: name and value.
    fn without_original(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Whether it speaks of releases of this form. Where it does not, empty events would keep it without saying anything.
    fn speaks_of(&self, body: BodyKind) -> bool {
        body.has_rows()
    }

    /// Judges the release. Lists at most `list` broken cases (0 means: stop at the first), but counts all.
    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        progress: &Progress,
    ) -> Result<Verdict, CheckError>;
}

/// What a promise assumes of an attacker; `None` where it does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Assumes {
    /// How many people have to look alike.
    pub crowd: Option<u64>,
    /// How many events of a person the attacker knows at most; `u64::MAX` is all of them.
    pub known: Option<u64>,
}

impl Assumes {
    /// The crowd that is asked for where a promise speaks of none.
    pub const USUAL_CROWD: u64 = 5;

    /// How many people have to look alike, promised or not.
    pub fn crowd(self) -> u64 {
        self.crowd.unwrap_or(Self::USUAL_CROWD)
    }
}

/// What the checker found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// Name of the promise.
    pub promise: &'static str,
    /// Whether all that was judged holds; false when nothing was judged.
    pub holds: bool,
    /// The parts of the promise that were judged, where that is not all of it; empty when it is.
    pub judged: Vec<String>,
    /// The parts that were not, each with the reason; empty when all was judged.
    pub not_judged: Vec<String>,
    /// How many distinct cases were looked at.
    pub checked: u64,
    /// Broken cases, smallest pattern first, then lowest support, then by name; at most as many as asked for.
    pub violations: Vec<Violation>,
    /// How many broken cases there are in all.
    pub violations_total: u64,
    /// What a reader should know of how it was judged, in numbers of the release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A verdict in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// All of the promise was judged, and holds.
    Holds,
    /// Something that was judged is broken.
    DoesNotHold,
    /// What was judged holds; something was not judged.
    JudgedInPart,
    /// Nothing could be judged.
    NotJudged,
}

impl Verdict {
    /// That nothing could be judged, and why.
    pub fn not_judged(promise: &'static str, why: String) -> Self {
        Verdict { promise, not_judged: vec![why], ..Verdict::default() }
    }

    /// The verdict in one word. What is broken is broken, whatever else was not judged.
    pub fn answer(&self) -> Answer {
        match (self.holds, self.not_judged.is_empty()) {
            _ if self.violations_total > 0 => Answer::DoesNotHold,
            (true, true) => Answer::Holds,
            (true, false) => Answer::JudgedInPart,
            (false, true) => Answer::DoesNotHold,
            (false, false) => Answer::NotJudged,
        }
    }
}

/// One broken case, with evidence a person can act on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Violation {
    /// What an attacker would have to know, as written in the release.
    pub pattern: Vec<String>,
    /// How many people fit.
    pub support: u64,
    /// How many would have to.
    pub needed: u64,
    /// What else is wrong with it: what would be learned and how surely.
    #[serde(flatten, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<&'static str, String>,
}

/// Why a promise could not be judged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CheckError {
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Parameters outside what the promise can mean.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Something the promise speaks about was not given.
    #[error("the promise `{promise}` needs {what}")]
    Missing {
        /// Name of the promise.
        promise: &'static str,
        /// What is missing.
        what: &'static str,
        /// How to give it.
        help: &'static str,
    },
    /// The promise says nothing of a release of that form.
    #[error("the promise `{promise}` speaks of another form of release: this one has {form}")]
    OtherForm {
        /// Name of the promise.
        promise: &'static str,
        /// The form of the release, in a word.
        form: &'static str,
    },
    /// The evidence names something the release does not have.
    #[error("{what} `{name}` does not occur in the data")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// The check would take more memory or time than a limit allows.
    #[error("checking `{promise}` would go through {what}, more than {limit}")]
    TooLarge {
        /// Name of the promise.
        promise: &'static str,
        /// What is too many.
        what: String,
        /// The limit.
        limit: String,
    },
}

impl Failing for CheckError {
    fn class(&self) -> Class {
        match self {
            CheckError::Cancelled(_) => Class::Interrupted,
            CheckError::Settings(_)
            | CheckError::Missing { .. }
            | CheckError::OtherForm { .. }
            | CheckError::TooLarge { .. } => Class::Usage,
            CheckError::Unknown { .. } => Class::BadInput,
        }
    }

    fn help(&self) -> Option<Help> {
        match self {
            CheckError::Missing { help, .. } => Some((*help).into()),
            CheckError::OtherForm { .. } => {
                Some("leave out {promise}, to judge by the one that the manifest names".into())
            }
            CheckError::Unknown { .. } => Some("check the spelling against the data's own names".into()),
            CheckError::TooLarge { .. } => Some("lower `m`, or verify a sample of the records".into()),
            CheckError::Settings(error) => error.help(),
            CheckError::Cancelled(_) => None,
        }
    }
}
