//! What a ledger remembers of a release: enough to warn of the next one, and no name of anybody.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_contract::Settings;
use throng_data::formats::{Digest, READING, ReadOptions, Source};
use throng_data::{ColumnKind, EventKind, Nature};
use throng_methods::{Method, Variant};
use throng_models::{EPSILON, Promise};

use super::sketch::Sketch;
use super::{Key, Numbering};
use throng_data::load::Files;
use throng_release::Made;
use throng_release::Salt;
use throng_release::directory::hash_file;
use throng_release::manifest::parameters;

/// Name and version of a line's form.
pub const SCHEMA: &str = "throng-ledger/2";
/// The form of version 0.1.0: plain hashes of inputs, and records ordered by data and seed.
pub const SCHEMA_0_1_0: &str = "throng-ledger/1";

/// One release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// [`SCHEMA`].
    pub schema: String,
    /// Its line, from 1.
    pub number: u64,
    /// Fingerprint of the line before.
    pub previous: String,
    /// When it was recorded, in UTC.
    pub when: String,
    /// Program and version.
    pub program: String,
    /// The promise it keeps.
    pub promise: Named,
    /// The name its publisher gives the data, if any: releases of one dataset are of the same people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// Whether it was a trial: recorded, and not published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trial: bool,
    /// Whether people go by running numbers: then the same ones in another file are no evidence of the same people.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub numbered: bool,
    /// How it was made.
    pub method: Named,
    /// Sound, or as printed.
    pub variant: Variant,
    /// Seed of every random choice; absent where it has to stay secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The secret of the run, by which the publisher finds out whose a record is. Absent where no person stands behind the
    /// records, and in releases of version 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Salt>,
    /// What every person's privacy budget paid, for promises that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Whether the events really happened.
    pub nature: Nature,
    /// Whether the order of events means something.
    pub kind: EventKind,
    /// Sizes.
    pub counts: Counts,
    /// Attribute columns that were published.
    pub columns: Vec<String>,
    /// Whether its publisher accepted that these columns single people out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exposed_columns: bool,
    /// Columns that identify people directly, as its publisher accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted_identifiers: Vec<String>,
    /// Files it was made from.
    pub inputs: Vec<InputFile>,
    /// How the data were read, where it was not guessed: flag, value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reading: BTreeMap<String, String>,
    /// Where it was written.
    pub directory: String,
    /// The released events.
    pub release: OutputFile,
    /// Which record is whose, if that was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linkage: Option<PrivateFile>,
    /// Who is in it; absent where people have no names but the numbers of their rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sketch: Option<Sketch>,
}

/// What a publisher says of a release for the ledger alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    /// The name of the data.
    pub dataset: Option<String>,
    /// Whether it is a trial that will not be shared.
    pub trial: bool,
}

/// A promise or method with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Name in the catalogue.
    pub name: String,
    /// Parameters.
    pub parameters: BTreeMap<String, Value>,
}

impl Named {
    fn of(name: &str, settings: &Settings) -> Self {
        Named { name: name.to_owned(), parameters: parameters(settings) }
    }

    /// A parameter as text, whatever the case of its name: `lkc` calls `K` what others call `k`.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let (_, value) = self.parameters.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }
}

/// Sizes of the data and of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// People in the data.
    pub people: u64,
    /// Records of the release.
    pub records: u64,
    /// Events of the data.
    pub events_before: u64,
    /// Events of the release.
    pub events_after: u64,
}

/// A file the release was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// What it was used as: `data`, `places`, ...
    pub role: String,
    /// Where it lay; absent for standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Fingerprint of its bytes under the ledger's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// SHA-256 of its bytes, as lines of version 0.1.0 have it; see [`Entry::keyed`].
    #[serde(default, rename = "sha256", skip_serializing)]
    plain: Option<String>,
}

/// A file that was written for the publisher alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivateFile {
    /// Whole path.
    pub path: String,
    /// Fingerprint of its bytes under the ledger's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// SHA-256 of its bytes, as lines of version 0.1.0 have it; see [`Entry::keyed`].
    #[serde(default, rename = "sha256", skip_serializing)]
    plain: Option<String>,
}

/// A file that was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Name inside the directory, or whole path.
    pub path: String,
    /// SHA-256 of its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Where a release lies, or will.
#[derive(Debug, Clone, Copy)]
pub struct Location<'a> {
    /// Its directory.
    pub directory: &'a Path,
    /// The file that says whose each record is, if there is one.
    pub linkage: Option<&'a Path>,
}

/// What an entry says beside the release.
pub(crate) struct Noted<'a> {
    pub note: &'a Note,
    pub key: &'a Key,
    pub when: String,
}

impl Entry {
    /// What to remember of a release that was just written. Number and link are given when it is appended.
    pub(crate) fn of(
        method: &dyn Method,
        promise: &dyn Promise,
        whole: &Made,
        place: Location<'_>,
        noted: &Noted<'_>,
    ) -> Self {
        let Noted { note, key, when } = noted;
        let (made, secret) = (&whole.checked, promise.rests_on_secret_noise());
        let (data, release) = (&made.loaded.data.events, &made.outcome.release);
        let written = whole.manifest.output("release").or_else(|| whole.manifest.output("records"));
        let names = &made.loaded.data.subjects;
        let files = &whole.files;
        Entry {
            schema: SCHEMA.to_owned(),
            number: 0,
            previous: String::new(),
            when: when.clone(),
            program: whole.manifest.program.clone(),
            promise: Named::of(promise.descriptor().name, &made.promised),
            dataset: note.dataset.clone(),
            trial: note.trial,
            numbered: made.loaded.named && super::counted::are_counted(names.names()),
            method: Named::of(method.descriptor().name, &made.settings),
            variant: whole.variant,
            seed: (!secret).then_some(made.seed),
            salt: (!secret).then_some(whole.salt),
            epsilon: EPSILON.find(&made.promised).filter(|_| secret),
            nature: release.nature,
            kind: release.event_kind(),
            counts: Counts {
                people: data.subjects() as u64,
                records: whole.manifest.counts.records,
                events_before: data.len() as u64,
                events_after: whole.manifest.counts.events_after,
            },
            columns: files.publish.clone(),
            exposed_columns: whole.manifest.columns_verdict.as_ref().is_some_and(|columns| !columns.covered),
            accepted_identifiers: whole
                .manifest
                .accepted_identifiers
                .iter()
                .map(|accepted| accepted.column.clone())
                .collect(),
            inputs: inputs(whole, key),
            reading: reading(&files.read),
            directory: absolute(place.directory),
            release: OutputFile {
                path: written.map_or_else(String::new, |file| file.name.clone()),
                sha256: written.and_then(|file| file.sha256.clone()),
            },
            linkage: place.linkage.map(|path| PrivateFile {
                path: absolute(path),
                fingerprint: None,
                plain: None,
            }),
            sketch: made.loaded.named.then(|| Sketch::of(names, key)),
        }
    }

    /// The linkage gets its name behind the release, which a draft does not wait for: its bytes are looked at when the line is written.
    pub(super) fn fingerprint_linkage(&mut self, key: &Key) {
        if let Some(linkage) = self.linkage.as_mut().filter(|linkage| linkage.fingerprint.is_none()) {
            let digest = hash_file(Path::new(&linkage.path)).ok().and_then(|digest| Digest::parse(&digest));
            linkage.fingerprint = digest.map(|digest| key.fingerprint_of(&digest));
        }
    }

    /// The data it was made from.
    pub fn data(&self) -> Option<&InputFile> {
        self.inputs.iter().find(|file| file.role == "data")
    }

    /// Whether it was made from the same file as another release.
    pub fn same_data(&self, other: &Entry) -> bool {
        let fingerprint = |entry: &Entry| entry.data().and_then(|file| file.fingerprint.clone());
        fingerprint(self).is_some_and(|known| fingerprint(other) == Some(known))
    }

    /// The same with the plain hashes of version 0.1.0 put under the ledger's key, so that lines of both versions can be
    /// compared, and no plain hash goes any further.
    pub fn keyed(mut self, key: Option<&Key>) -> Self {
        let put = |fingerprint: &mut Option<String>, plain: &mut Option<String>| {
            let digest = plain.take().and_then(|text| Digest::parse(&text));
            if let (None, Some(digest), Some(key)) = (&fingerprint, digest, key) {
                *fingerprint = Some(key.fingerprint_of(&digest));
            }
        };
        self.inputs.iter_mut().for_each(|file| put(&mut file.fingerprint, &mut file.plain));
        self.linkage.iter_mut().for_each(|file| put(&mut file.fingerprint, &mut file.plain));
        self
    }

    /// How its records were numbered, if that can be told from the entry.
    pub fn numbering(&self) -> Option<Numbering> {
        let (method, seed) = (&self.method, self.seed?);
        Some(match &self.salt {
            Some(salt) => {
                Numbering::Keyed(salt.order_key(&method.name, &method.parameters, self.variant, seed))
            }
            None => Numbering::Version010 { seed },
        })
    }

    /// Whether it is the same release, byte for byte: publishing it again tells an attacker nothing more.
    pub fn same_release(&self, other: &Entry) -> bool {
        self.release.sha256.is_some() && self.release.sha256 == other.release.sha256
    }

    /// The data as they were named, to be read again; `None` when they came from standard input.
    pub fn files(&self) -> Option<Files> {
        let source = Source::file(self.data()?.path.as_deref()?);
        Some(Files { read: options(&self.reading), ..Files::of(source) })
    }
}

/// The files that were read, where they lay. What came through a pipe lies nowhere.
fn inputs(made: &Made, key: &Key) -> Vec<InputFile> {
    let (files, read) = (&made.files, made.checked.loaded.files.iter());
    read.map(|file| {
        let source = match file.role.as_str() {
            "data" => Some(&files.data),
            flag => throng_contract::Input::ALL
                .into_iter()
                .find(|input| input.flag() == flag)
                .and_then(|input| files.source(input)),
        };
        InputFile {
            role: file.role.clone(),
            path: source.and_then(Source::path).filter(|path| path.is_file()).map(absolute),
            fingerprint: file.digest.as_ref().map(|digest| key.fingerprint_of(digest)),
            plain: None,
        }
    })
    .collect()
}

fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.to_string_lossy().into_owned()
}

/// What was said about how to read the data, under the names of the flags.
fn reading(options: &ReadOptions) -> BTreeMap<String, String> {
    let types =
        options.types.iter().map(|(column, kind)| (format!("{TYPE}{column}"), kind.name().to_owned()));
    options.given().map(|(option, value)| (option.setting.name.to_owned(), value)).chain(types).collect()
}

/// The same as options; what an entry of another version says that cannot be understood is left out.
fn options(reading: &BTreeMap<String, String>) -> ReadOptions {
    let mut options = ReadOptions::default();
    for option in &READING {
        let _ = reading.get(option.setting.name).map(|text| option.set(&mut options, text));
    }
    let types = reading
        .iter()
        .filter_map(|(flag, value)| Some((flag.strip_prefix(TYPE)?.to_owned(), ColumnKind::parse(value)?)));
    options.types = types.collect();
    options
}

/// Stands before the name of a column whose type was said.
const TYPE: &str = "type ";

#[cfg(test)]
pub mod tests;
