//! `manifest.json`: what a release promises, how it was made, and what was found - and no raw data.
//!
//! Everything here is meant for the public. Reasons for a generalised item are given in *released* words and
//! without supports: the raw pattern that was too rare, with the number of people behind it, is exactly what the
//! promise hides. The full reasons are the publisher's alone ([`crate::explain`]). There is no clock and no path
//! in a manifest, so the same run gives the same bytes anywhere.
//!
//! Where a promise rests on secret noise, no exact number of the data is published, nor the seed, nor a fingerprint of
//! the data: each would tell apart what the noise makes look alike.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_contract::{Class, Failure, Settings};
use throng_data::{EventKind, ItemId, Nature, Release, Suppression};
use throng_methods::{Explanation, Variant};

use crate::directory::MANIFEST;
use crate::measures::Risk;

/// Name and version of the manifest's form.
pub const SCHEMA: &str = "throng-release/1";

/// What is written to `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: String,
    /// Program and version, for example `throng 0.1.0`.
    pub program: String,
    /// The promise the release keeps.
    pub promise: PromiseEntry,
    /// How the release was made.
    pub method: MethodEntry,
    /// Sizes, before and after.
    pub counts: Counts,
    /// What was taken away rather than made coarser; absent where noise hides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<SuppressionEntry>,
    /// Whether the order of events means something (`sequence`) or not (`set`).
    pub kind: EventKind,
    /// Whether the events really happened.
    pub nature: Nature,
    /// Attribute columns the publisher chose to publish.
    pub columns: Vec<String>,
    /// Items that stand for several original ones, by name.
    pub generalised: Vec<GeneralisedEntry>,
    /// What the promise's own checker answered.
    pub verdict: VerdictEntry,
    /// What the release is still good for.
    pub measures: BTreeMap<String, f64>,
    /// What an attacker who knows some events of a person could do, before and after.
    pub risk: Risk,
    /// Things a reader should know.
    pub notes: Vec<String>,
    /// Files the release was made from.
    pub inputs: Vec<FileEntry>,
    /// Files of the release.
    pub outputs: Vec<FileEntry>,
}

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

/// Sizes of the data and of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// People; absent where noise hides how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subjects: Option<u64>,
    /// Records, those without events included.
    pub records: u64,
    /// Events of the data; absent where noise hides them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events_before: Option<u64>,
    /// Events of the release.
    pub events_after: u64,
    /// Distinct items of the data; absent where noise hides them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items_before: Option<u64>,
    /// Distinct items of the release.
    pub items_after: u64,
}

/// What was taken away.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SuppressionEntry {
    /// Original items that no longer occur at all.
    pub items: u64,
    /// Events removed.
    pub events: u64,
    /// Removed events as a share of all events.
    pub events_share: f64,
    /// Records that had events and lost all of them.
    pub emptied_records: u64,
}

/// An item that stands for several original ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralisedEntry {
    /// As written in the release.
    pub item: String,
    /// Original items it may stand for, sorted.
    pub members: Vec<String>,
    /// The patterns that forced its merges, in released words and without supports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Vec<String>>,
}

/// The checker's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictEntry {
    /// Whether the promise holds; a release for which it does not is never written.
    pub holds: bool,
    /// How many distinct cases the checker looked at.
    pub checked: u64,
}

/// A file and its fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// What it was used as: `data`, `places`, `release`, `records`, ...
    pub role: String,
    /// Base name, without its folder.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal; absent for standard input, which cannot be read twice,
    /// and for data that noise hides: a fingerprint tells whether a guess is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Manifest {
    /// The manifest of a release directory, if it has one.
    pub fn read(directory: &Path) -> Result<Option<Self>, Failure> {
        let path = directory.join(MANIFEST);
        let bad = |what: String| Failure::new(Class::BadInput, format!("`{}` {what}", path.display()));
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(bad(format!("cannot be read: {error}"))),
            Ok(text) => text,
        };
        let value: Value =
            serde_json::from_str(&text).map_err(|error| bad(format!("is not JSON: {error}")))?;
        match value.get("schema").and_then(Value::as_str) {
            Some(SCHEMA) => {}
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

    /// The text of `manifest.json`.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest has string keys only");
        text.push('\n');
        text
    }

    /// Takes out whatever was counted in the data without noise.
    pub(crate) fn withhold_exact_numbers(&mut self) {
        self.method.seed = None;
        self.counts = Counts { subjects: None, events_before: None, items_before: None, ..self.counts };
        self.suppression = None;
        for input in self.inputs.iter_mut().filter(|input| input.role == "data") {
            input.sha256 = None;
        }
    }

    /// The fingerprint a file of the release should have.
    pub fn output(&self, role: &str) -> Option<&FileEntry> {
        self.outputs.iter().find(|file| file.role == role)
    }
}

impl SuppressionEntry {
    /// What was taken away, with its share of all events.
    pub fn of(suppression: Suppression) -> Self {
        let before = suppression.events_before.max(1);
        SuppressionEntry {
            items: suppression.items,
            events: suppression.events,
            events_share: suppression.events as f64 / before as f64,
            emptied_records: suppression.emptied_records,
        }
    }
}

/// Parameter values as they stand in a manifest.
pub(crate) fn parameters(settings: &Settings) -> BTreeMap<String, Value> {
    let json = |value| serde_json::to_value(value).expect("parameter values are plain numbers and words");
    settings.iter().map(|(name, value)| (name.to_owned(), json(value))).collect()
}

/// How many items of an alphabet of `size` occur among the events.
pub(crate) fn distinct_items(items: &[ItemId], size: usize) -> u64 {
    let mut seen = vec![false; size];
    items.iter().for_each(|item| seen[*item as usize] = true);
    seen.iter().filter(|seen| **seen).count() as u64
}

/// The generalised items that occur in a release, by name, with the patterns that forced them in released words.
pub(crate) fn generalised(release: &Release, explanation: &Explanation) -> Vec<GeneralisedEntry> {
    let mut occurs = vec![false; release.alphabet.len()];
    release.events.items().iter().for_each(|item| occurs[*item as usize] = true);
    let names = release.names();
    let images = images(release, &occurs);
    let mut because: Vec<BTreeSet<Vec<String>>> = vec![BTreeSet::new(); release.alphabet.len()];
    for step in &explanation.steps {
        let Some(image) = step.items.first().and_then(|group| image_of(group, &images)) else { continue };
        let Some(pattern) = released_words(&step.pattern, &images, &names) else { continue };
        because[image as usize].insert(pattern);
    }
    let mut entries: Vec<GeneralisedEntry> = Vec::new();
    for (item, reasons) in because.into_iter().enumerate() {
        let general = &release.alphabet[item];
        if !occurs[item] || (general.is_intact() && general.label.is_none()) {
            continue;
        }
        let mut members: Vec<String> =
            general.members.iter().map(|member| release.base.name(*member).to_owned()).collect();
        members.sort_unstable();
        entries.push(GeneralisedEntry {
            item: names[item].clone(),
            members,
            because: reasons.into_iter().collect(),
        });
    }
    entries.sort_by(|a, b| a.item.cmp(&b.item));
    entries
}

/// For each original item the one released item that covers it, if there is exactly one that occurs.
fn images(release: &Release, occurs: &[bool]) -> Vec<Option<ItemId>> {
    let mut images = vec![None; release.base.len()];
    let mut several = vec![false; release.base.len()];
    for (item, general) in release.alphabet.iter().enumerate().filter(|(item, _)| occurs[*item]) {
        for member in &general.members {
            let member = *member as usize;
            several[member] |= images[member].is_some();
            images[member] = Some(item as ItemId);
        }
    }
    images.iter().zip(several).map(|(image, several)| if several { None } else { *image }).collect()
}

fn image_of(group: &[ItemId], images: &[Option<ItemId>]) -> Option<ItemId> {
    let first = images[*group.first()? as usize]?;
    group.iter().all(|item| images[*item as usize] == Some(first)).then_some(first)
}

/// A pattern over original items as a reader of the release would see it; `None` when a part of it was
/// suppressed, because then its raw name is all there is to show.
fn released_words(
    pattern: &[Vec<ItemId>],
    images: &[Option<ItemId>],
    names: &[String],
) -> Option<Vec<String>> {
    pattern.iter().map(|group| image_of(group, images).map(|item| names[item as usize].clone())).collect()
}

#[cfg(test)]
mod tests {
    use throng_data::{Dataset, GeneralisedItem};
    use throng_methods::Reason;

    use super::*;

    fn reason(items: &[&[ItemId]], pattern: &[&[ItemId]]) -> Reason {
        let groups = |groups: &[&[ItemId]]| groups.iter().map(|group| group.to_vec()).collect();
        Reason {
            action: "merge",
            items: groups(items),
            pattern: groups(pattern),
            support: 1,
            needed: 2,
            details: BTreeMap::new(),
        }
    }

    /// Items a=0 b=1 c=2 d=3; a and b became one item, d was suppressed.
    fn merged() -> Release {
        let data = Dataset::from_words(["abcd", "bc"]);
        let mut release = Release::identity(data.items.clone(), data.events.clone());
        release.alphabet =
            vec![GeneralisedItem::of(vec![0, 1]), GeneralisedItem::of(vec![2]), GeneralisedItem::of(vec![3])];
        release.events =
            data.events.retain(|_, _, item| item != 3).recode(|item| [0, 0, 1, 2][item as usize], false);
        release
    }

    #[test]
    fn reasons_are_told_in_released_words_without_supports() {
        let steps = vec![reason(&[&[0], &[1]], &[&[0], &[2]]), reason(&[&[0], &[1]], &[&[1], &[2]])];
        let entries = generalised(&merged(), &Explanation { steps });
        let json = serde_json::to_string(&entries).unwrap();
        assert_eq!(json, r#"[{"item":"{a|b}","members":["a","b"],"because":[["{a|b}","c"]]}]"#);
    }

    #[test]
    fn a_pattern_with_a_suppressed_part_is_not_told() {
        let steps = vec![reason(&[&[0], &[1]], &[&[0], &[3]])];
        let entries = generalised(&merged(), &Explanation { steps });
        assert_eq!(entries.len(), 1);
        assert!(entries[0].because.is_empty());
    }

    #[test]
    fn items_that_no_longer_occur_are_not_counted() {
        let release = merged();
        assert_eq!(distinct_items(release.events.items(), release.alphabet.len()), 2);
    }
}
