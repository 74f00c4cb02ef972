//! `manifest.json`: what a release promises, how it was made, and what was found - and no raw data.
//!
//! Everything here is meant for the public, and a manifest is *built* from a list of what may be said (`publish`): nothing
//! gets into it by being forgotten. There is no clock and no path in a manifest, so the same run gives the same bytes
//! anywhere.
//!
//! * What anyone can count in the released files is told exactly.
//! * What needs the data is told in steps, or not at all ([`crate::rounding`]).
//! * What forced a step of the method is not told, in no words: an attacker who knows why something was merged knows more of those
//!   who were in the way (specification 13.13). Reasons are the publisher's alone ([`crate::explain`]).
//! * Where a promise rests on secret noise, only what follows from the released files, from the parameters and from the
//!   program is told.

mod earlier;
mod entries;
mod generalised;
mod publish;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_contract::{Class, Failure, Settings};
use throng_data::{EventKind, ItemId, Nature};

pub use self::entries::{
    AfterEntry, AlsoEntry, ColumnEntry, Counts, FileEntry, FormEntry, GeneralisedEntry, InputEntry,
    MethodEntry, PromiseEntry, SuppressionEntry, VerdictEntry,
};
pub use self::publish::Publication;
use crate::columns::ColumnsVerdict;
use crate::directory::MANIFEST;
use crate::identifiers::AcceptedIdentifier;
use crate::risk::Risk;
use crate::rounding::Rounding;
use crate::usefulness::Usefulness;

/// Name and version of the manifest's form.
pub const SCHEMA: &str = "throng-release/2";

/// What is written to `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`SCHEMA`], also where an earlier form was read.
    pub schema: String,
    /// Program and version, for example `throng 0.2.0`.
    pub program: String,
    /// The promise the release keeps.
    pub promise: PromiseEntry,
    /// How the release was made.
    pub method: MethodEntry,
    /// What the promise's own checker answered.
    pub verdict: VerdictEntry,
    /// Further promises that the release keeps, each judged by its own checker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<AlsoEntry>,
    /// The release that it was made after, and what holds of both together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<AfterEntry>,
    /// What the release is still good for, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usefulness: Option<Usefulness>,
    /// Sizes.
    pub counts: Counts,
    /// What was taken away rather than made coarser; absent where noise hides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<SuppressionEntry>,
    /// What the rows are, where they are no events of records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<FormEntry>,
    /// Whether the order of events means something (`sequence`) or not (`set`), or there are none (`table`).
    pub kind: EventKind,
    /// Whether the events really happened.
    pub nature: Nature,
    /// Columns that are published.
    #[serde(default)]
    pub columns: Vec<String>,
    /// What the columns of a table are, and what the names of coarser values stand for; absent where there is no table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<ColumnEntry>,
    /// What these columns give away; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns_verdict: Option<ColumnsVerdict>,
    /// Columns that identify people directly, and are published because the publisher accepted each by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted_identifiers: Vec<AcceptedIdentifier>,
    /// Items that stand for several original ones, by name.
    #[serde(default)]
    pub generalised: Vec<GeneralisedEntry>,
    /// How readings that need the data were rounded; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
    /// What the release is still good for, by scale.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, f64>,
    /// What an attacker who knows some events of a person could do, before and after.
    #[serde(default, skip_serializing_if = "Risk::is_empty")]
    pub risk: Risk,
    /// Things a reader should know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Files the release was made from.
    #[serde(default)]
    pub inputs: Vec<InputEntry>,
    /// Files of the release.
    pub outputs: Vec<FileEntry>,
}

impl Manifest {
    /// The manifest of a release directory, if it has one. Earlier forms are read, too.
    pub fn read(directory: &Path) -> Result<Option<Self>, Failure> {
        let path = directory.join(MANIFEST);
        let bad = |what: String| Failure::new(Class::BadInput, format!("`{}` {what}", path.display()));
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(bad(format!("cannot be read: {error}"))),
            Ok(text) => text,
        };
        let mut value: Value =
            serde_json::from_str(&text).map_err(|error| bad(format!("is not JSON: {error}")))?;
        match value.get("schema").and_then(Value::as_str) {
            Some(SCHEMA) => {}
            Some(earlier::SCHEMA) => earlier::translate(&mut value),
            Some(other) => {
                return Err(bad(format!("has the schema `{other}`, not `{SCHEMA}`"))
                    .with_help("use the version of the program that wrote it"));
            }
            None => return Err(bad("is not the manifest of a release".to_owned())),
        }
        let manifest =
            serde_json::from_value(value).map_err(|error| bad(format!("is not complete: {error}")))?;
        Ok(Some(manifest))
    }

    /// Parts of the file that no manifest of this version has, as paths: nothing is known of what they say.
    pub fn unknown_parts(&self, directory: &Path) -> Vec<String> {
        let text = fs::read_to_string(directory.join(MANIFEST)).unwrap_or_default();
        let Ok(written) = serde_json::from_str::<Value>(&text) else { return Vec::new() };
        if written.get("schema").and_then(Value::as_str) != Some(SCHEMA) {
            return Vec::new();
        }
        let known = serde_json::to_value(self).unwrap_or_default();
        let mut parts = Vec::new();
        compare(&written, &known, "", &mut parts);
        parts
    }

    /// The text of `manifest.json`.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest has string keys only");
        text.push('\n');
        text
    }

    /// Whether version 0.1.0 wrote it: only that named its inputs.
    pub fn is_of_version_0_1_0(&self) -> bool {
        self.inputs.iter().any(|file| file.name.is_some())
    }

    /// The fingerprint a file of the release should have.
    pub fn output(&self, role: &str) -> Option<&FileEntry> {
        self.outputs.iter().find(|file| file.role == role)
    }
}

/// Lists the members of one value that the other does not have. What is empty in the other was left out of it.
fn compare(written: &Value, known: &Value, path: &str, parts: &mut Vec<String>) {
    match (written, known) {
        (Value::Object(written), Value::Object(known)) => {
            for (name, value) in written {
                let short: String = name.chars().take(40).collect();
                let path = if path.is_empty() { short } else { format!("{path}.{short}") };
                match known.get(name) {
                    Some(known) => compare(value, known, &path, parts),
                    None if is_empty(value) => {}
                    None => parts.push(path),
                }
            }
        }
        (Value::Array(written), Value::Array(known)) => {
            written.iter().zip(known).for_each(|(written, known)| compare(written, known, path, parts));
        }
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.values().all(is_empty),
    }
}

/// Parameter values as they stand in a manifest.
pub fn parameters(settings: &Settings) -> BTreeMap<String, Value> {
    let json = |value| serde_json::to_value(value).expect("parameter values are plain numbers and words");
    settings.iter().map(|(name, value)| (name.to_owned(), json(value))).collect()
}

/// The same as a user would type them.
pub fn as_typed(parameters: &BTreeMap<String, Value>) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    parameters.iter().map(|(name, value)| (name.clone(), text(value))).collect()
}

/// How many items of an alphabet of `size` occur among the events.
pub fn distinct_items(items: &[ItemId], size: usize) -> u64 {
    let mut seen = vec![false; size];
    items.iter().for_each(|item| seen[*item as usize] = true);
    seen.iter().filter(|seen| **seen).count() as u64
}
