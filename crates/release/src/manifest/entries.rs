//! The parts of a manifest.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_data::{ColumnKind, Role};
use throng_methods::Variant;

/// A promise with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromiseEntry {
    /// Name in the catalogue.
    pub name: String,
    /// Parameters.
    pub parameters: BTreeMap<String, Value>,
    /// Items that must not be inferred, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive_items: Vec<String>,
    /// Attribute values that must not be inferred: column, value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive_values: Vec<(String, String)>,
    /// The promise in plain words.
    pub statement: String,
}

/// A method with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MethodEntry {
    /// Name in the catalogue.
    pub name: String,
    /// Key of the paper it comes from.
    pub paper: String,
    /// Parameters.
    pub parameters: BTreeMap<String, Value>,
    /// `sound` or `as-printed`.
    pub variant: Variant,
    /// Seed of every random choice; absent where it has to stay secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Sizes. How many events and items the data had is not told: an attacker who knows everybody else would learn how many of one
/// person's were suppressed. How many people there are is what a crowd is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// People; absent where noise hides how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subjects: Option<u64>,
    /// Records, those without events included.
    pub records: u64,
    /// Records of the release without events.
    #[serde(default)]
    pub empty_records: u64,
    /// Events of the data; only in manifests of version 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events_before: Option<u64>,
    /// Events of the release.
    pub events_after: u64,
    /// Distinct items of the data; only in manifests of version 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items_before: Option<u64>,
    /// Distinct items of the release.
    pub items_after: u64,
}

/// What the rows of a release are, where they are no events of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormEntry {
    /// `counts`: people in cells.
    pub name: String,
    /// How many rows there are.
    pub rows: u64,
}

/// What was taken away.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SuppressionEntry {
    /// Whether anything was.
    pub any: bool,
    /// Suppressed events as a share of all events of the data, in steps; absent where it is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events_share: Option<f64>,
    /// Rows of a table of which nothing is said: anyone can count them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rows: u64,
}

/// An item that stands for several original ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralisedEntry {
    /// As written in the release.
    pub item: String,
    /// Original items it may stand for, sorted.
    pub members: Vec<String>,
}

/// A further promise, and what its checker answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlsoEntry {
    /// The promise.
    pub promise: PromiseEntry,
    /// What its checker answered.
    pub verdict: VerdictEntry,
}

/// A published column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnEntry {
    /// Its name.
    pub name: String,
    /// What it is to an attacker.
    pub role: Role,
    /// What its original values are.
    #[serde(rename = "type")]
    pub kind: ColumnKind,
    /// Names in its cells that stand for several values, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeEntry>,
}

/// A name that stands for several values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeEntry {
    /// As written in cells.
    pub node: String,
    /// The values it may stand for, sorted: all that its hierarchy has, whether or not they occur. Names of a hierarchy that was cut from the
    /// data are listed only where all its values are frequent.
    pub members: Vec<String>,
}

/// The checker's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictEntry {
    /// Whether the promise holds; a release for which it does not is never written.
    pub holds: bool,
    /// How many distinct cases the checker looked at; absent where noise decided how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<u64>,
}

/// A file the release was made from. Its name is the publisher's business, and its fingerprint is keyed with the secret of
/// the run: a plain one would tell whether a guess of the data is right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// What it was used as: `data`, `places`, ...
    pub role: String,
    /// `hmac-sha256:HEX`, see [`Salt::fingerprint`](crate::Salt::fingerprint).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Whether it was cut from the data, as it says itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut_from_data: bool,
    /// Base name, as version 0.1.0 published it; never written.
    #[serde(default, skip_serializing)]
    pub name: Option<String>,
    /// Plain SHA-256, as version 0.1.0 published it; never written.
    #[serde(default, skip_serializing)]
    pub sha256: Option<String>,
}

/// A file of the release and its fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// What it is: `release`, `records`, ...
    pub role: String,
    /// Base name, without its folder.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What a manifest says of the release it was made after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AfterEntry {
    /// SHA-256 of the rows of the earlier release.
    pub sha256: String,
    /// What holds of both together.
    pub statement: String,
}
