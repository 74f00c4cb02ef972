//! Where a manifest contradicts the files it lies with.
//!
//! A manifest is written by the publisher. It may say by which promise to judge and what a name stands for, but
//! what it says of the files can be looked up in them, and a manifest that says otherwise is not that of these files.

use std::collections::BTreeSet;
use std::path::Path;

use throng_data::{EventKind, Nature, parse_item};

use crate::catalogue;
use crate::directory::{CLUSTERS, COUNTS, COUNTS_PARQUET, ITEMS, RECORDS, RECORDS_PARQUET, hash_file};
use crate::manifest::{GeneralisedEntry, Manifest};
use crate::published::Published;

/// What was found, each as a sentence for the reader.
#[derive(Debug, Default)]
pub(super) struct Contradictions {
    /// What the manifest says otherwise than the files.
    pub found: Vec<String>,
    /// What it speaks of that no verdict needs, and that is not there.
    pub notes: Vec<String>,
}

impl Contradictions {
    /// Holds a manifest against the files. `sensitive` are the names that must not be inferred.
    pub fn between(
        manifest: &Manifest,
        directory: &Path,
        published: &Published,
        sensitive: &[String],
    ) -> Self {
        let mut contradictions = Contradictions::default();
        contradictions.fingerprints(manifest, directory, published);
        contradictions.counts(manifest, published);
        contradictions.columns(manifest, published);
        contradictions.nature(manifest);
        contradictions.form(manifest, published);
        if (manifest.kind == EventKind::Absent) != published.is_table() {
            let found = if published.is_table() { "are a table without events" } else { "have events" };
            contradictions.say(format!("what it says of events is wrong: the files {found}"));
        }
        if published.is_table() && manifest.table.iter().map(|column| &column.name).ne(&manifest.columns) {
            contradictions.say("the columns it describes are not those that it lists as published");
        }
        if manifest.kind == EventKind::Set && !are_sets(published) {
            contradictions.say("it says that records are sets, but some repeat an item or are not sorted");
        }
        contradictions.names(manifest, published, sensitive);
        contradictions
    }

    fn say(&mut self, what: impl Into<String>) {
        self.found.push(what.into());
    }

    fn fingerprints(&mut self, manifest: &Manifest, directory: &Path, published: &Published) {
        let events = published.events.as_ref().and_then(|events| events.path()).and_then(Path::file_name);
        for entry in &manifest.outputs {
            let Some(expected) = &entry.sha256 else { continue };
            // Only base names are followed: a manifest cannot point outside its directory.
            let Some(name) = Path::new(&entry.name).file_name() else { continue };
            let judged = Some(name) == events
                || [RECORDS, RECORDS_PARQUET, ITEMS, CLUSTERS, COUNTS, COUNTS_PARQUET]
                    .iter()
                    .any(|own| name == *own);
            let digest = match (&published.attributes, name) {
                (_, name) if Some(name) == events => {
                    published.events.as_ref().and_then(|events| events.digest())
                }
                (_, name) if name == ITEMS => published.items.digest,
                (_, name) if name == CLUSTERS => published.chunks.as_ref().and_then(|read| read.digest),
                (_, name) if published.counts.as_ref().is_some_and(|counts| name == counts.name) => {
                    published.counts.as_ref().and_then(|counts| counts.digest)
                }
                (Some(attributes), name) if name == attributes.name => attributes.digest,
                _ => None,
            };
            // What was judged has the fingerprint of the bytes that were read.
            let found =
                digest.map(|digest| digest.to_string()).or_else(|| hash_file(&directory.join(name)).ok());
            let name = name.to_string_lossy();
            match found {
                Some(found) if found == *expected => {}
                Some(_) => {
                    self.say(format!("`{name}` is not the file that it speaks of: its SHA-256 differs"));
                }
                None if judged => self.say(format!("it lists `{name}`, which is not there")),
                None => self.notes.push(format!("the manifest lists `{name}`, which is not there")),
            }
        }
    }

    fn counts(&mut self, manifest: &Manifest, published: &Published) {
        let counts = &manifest.counts;
        let chunks = published.chunks.as_ref().map(|read| &read.chunks);
        let events = chunks.map_or(published.data.events.len(), |chunks| chunks.items().len()) as u64;
        if counts.events_after != events {
            self.say(format!("it counts {} events, the files have {events}", counts.events_after));
        }
        let items = published.data.items.len() as u64;
        if counts.items_after != items {
            self.say(format!("it counts {} different items, the files have {items}", counts.items_after));
        }
        // A record that lost all its events is in no events file; one with attributes keeps its row.
        let shown = published.shown();
        let highest = shown.names().filter_map(|name| name.parse().ok()).max().unwrap_or(0);
        let (least, most) = match published.attributes {
            _ if chunks.is_some() => {
                let people = chunks.map_or(0, |chunks| chunks.people());
                (people, people)
            }
            Some(_) => (shown.len() as u64, shown.len() as u64),
            None => (highest.max(shown.len() as u64), u64::MAX),
        };
        if !(least..=most).contains(&counts.records) {
            self.say(format!("it counts {} records, the files show {least}", counts.records));
        }
    }

    /// Whether the files are what it says they are: records, or counts of people.
    fn form(&mut self, manifest: &Manifest, published: &Published) {
        let said = manifest.form.as_ref();
        let found = published.counts.as_ref().map(|file| file.counts.cells.len() as u64);
        match (said, found) {
            (None, None) => {}
            (Some(said), Some(rows)) if said.name == "counts" => {
                if said.rows != rows {
                    self.say(format!("it counts {} rows of counts, the files have {rows}", said.rows));
                }
            }
            (Some(said), None) if said.name != "counts" => {}
            (_, Some(_)) => self.say("it speaks of records, the files have counts of people"),
            (_, None) => self.say("it speaks of counts of people, the files have none"),
        }
    }

    fn columns(&mut self, manifest: &Manifest, published: &Published) {
        let columns = published.attributes.as_ref().map_or(&[][..], |attributes| &attributes.columns);
        if manifest.columns != columns {
            let listed = |names: &[String]| match names {
                [] => "no column".to_owned(),
                names => format!("`{}`", names.join("`, `")),
            };
            let (said, found) = (listed(&manifest.columns), listed(columns));
            self.say(format!("it says that {said} of people is published, the files publish {found}"));
        }
    }

    /// Checked-up records keep promises about noise, records of people keep the others.
    fn nature(&mut self, manifest: &Manifest) {
        let Ok(promise) = catalogue::promise(&manifest.promise.name) else { return };
        let synthetic = manifest.nature == Nature::Synthetic;
        if synthetic != promise.rests_on_secret_noise() {
            let records = if synthetic { "made up" } else { "of people" };
            let name = &manifest.promise.name;
            self.say(format!(
                "it says that records are {records}, and promises `{name}`, which speaks of others"
            ));
        }
    }

    fn names(&mut self, manifest: &Manifest, published: &Published, sensitive: &[String]) {
        let mut original: BTreeSet<String> = sensitive.iter().cloned().collect();
        for name in published.data.items.names().filter(|name| name.starts_with('{')) {
            original.extend(parse_item(name).unwrap_or_default());
        }
        for name in published.data.items.names() {
            original.extend(published.items.short(name).into_iter().flatten().cloned());
        }
        original.extend(manifest.generalised.iter().flat_map(|entry| entry.members.iter().cloned()));
        for item in published.items.names().filter(|item| published.data.items.find(item).is_none()) {
            self.say(format!("`{ITEMS}` explains `{item}`, which does not occur"));
        }
        for (item, members) in published.items.explained() {
            let entry = GeneralisedEntry { item: item.to_owned(), members: members.to_vec() };
            if !explains_a_name(&entry, &original) {
                self.say(format!("`{ITEMS}` says that `{item}` stands for something else than is written"));
            }
        }
        for entry in &manifest.generalised {
            let item = &entry.item;
            if published.items.members(item).is_some_and(|listed| *listed != entry.members) {
                self.say(format!("it says that `{item}` stands for something else than `{ITEMS}` does"));
            }
            if published.data.items.find(item).is_none() {
                self.say(format!("it explains `{item}`, which does not occur"));
            } else if published.items.short(item).is_none() && !explains_a_name(entry, &original) {
                self.say(format!("it says that `{item}` stands for something else than is written"));
            }
        }
    }
}

/// Whether the entry says what is written already, or gives a meaning to a name that has none as an original item.
fn explains_a_name(entry: &GeneralisedEntry, original: &BTreeSet<String>) -> bool {
    let members: BTreeSet<&String> = entry.members.iter().collect();
    match parse_item(&entry.item) {
        Some(written) if written.iter().collect::<BTreeSet<_>>() == members => true,
        Some(written) => {
            let [name] = &written[..] else { return false };
            !members.is_empty() && !original.contains(name)
        }
        None => false,
    }
}

/// Whether the items of every record are sorted and distinct: then order says nothing.
pub(super) fn are_sets(published: &Published) -> bool {
    let (events, items) = (&published.data.events, &published.data.items);
    (0..events.records())
        .all(|record| events.record(record).windows(2).all(|pair| items.name(pair[0]) < items.name(pair[1])))
}
