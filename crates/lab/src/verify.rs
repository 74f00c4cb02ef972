//! Judges a release, or original data, by a promise - without trusting whoever made it.
//!
//! From a release directory only the published files are read. The manifest supplies defaults (which promise, with
//! which parameters) and a fingerprint to compare with; its verdict is not believed.

use std::path::Path;
use std::sync::Arc;

use throng_contract::{Class, Descriptor, Failure, Input, Progress, Settings};
use throng_data::formats::{Source, parse_pattern, read_names, read_taxonomy};
use throng_data::{EventKind, EventsBuilder, Nature, Release, Taxonomy};
use throng_models::{Evidence, Promise, Verdict};

use crate::directory::hash_file;
use crate::load::{load, sensitive_values};
use crate::manifest::Manifest;
use crate::published::read_release;
use crate::{Files, catalogue};

/// What to judge, and by which promise.
#[derive(Debug, Clone)]
pub struct Verification {
    /// A release directory or a data file as [`Files::data`], with what the promise needs beside it.
    pub files: Files,
    /// Name of the promise; the manifest's unless given.
    pub promise: Option<String>,
    /// Parameters as a user types them; what is not given comes from the manifest, if the promise is the same.
    pub settings: Vec<(String, String)>,
    /// Which record is whose, as `record,subject`: needed to count people where someone has several records.
    pub linkage: Option<Source>,
    /// How many broken cases to list; 0 stops at the first.
    pub list: usize,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Verified {
    /// What the checker found.
    pub verdict: Verdict,
    /// The promise in plain words.
    pub statement: String,
    /// The parameters it was judged with.
    pub settings: Settings,
    /// How far the answer can be relied on.
    pub notes: Vec<String>,
}

/// Judges. A promise that does not hold is an answer, not an error.
pub fn verify(verification: &Verification, progress: &Progress) -> Result<Verified, Failure> {
    let manifest = read_manifest(verification)?;
    let name =
        verification.promise.as_deref().or(manifest.as_ref().map(|manifest| manifest.promise.name.as_str()));
    let promise = catalogue::promise(name.ok_or_else(no_promise)?)?;
    judge(promise, manifest.as_ref(), verification, progress)
}

/// The same with a promise that need not be in the catalogue. [`Verification::promise`] is not looked at.
pub fn verify_with(
    promise: &dyn Promise,
    verification: &Verification,
    progress: &Progress,
) -> Result<Verified, Failure> {
    judge(promise, read_manifest(verification)?.as_ref(), verification, progress)
}

fn read_manifest(verification: &Verification) -> Result<Option<Manifest>, Failure> {
    match release_directory(&verification.files) {
        Some(directory) => Manifest::read(directory),
        None => Ok(None),
    }
}

fn release_directory(files: &Files) -> Option<&Path> {
    files.data.path().filter(|path| path.is_dir())
}

fn judge(
    promise: &dyn Promise,
    manifest: Option<&Manifest>,
    verification: &Verification,
    progress: &Progress,
) -> Result<Verified, Failure> {
    let settings = settings_of(promise.descriptor(), manifest, &verification.settings)?;
    let (verdict, notes) = match release_directory(&verification.files) {
        _ if promise.rests_on_secret_noise() => judge_nothing(promise, &settings, progress)?,
        Some(directory) => judge_directory(promise, &settings, directory, manifest, verification, progress)?,
        None => judge_data(promise, &settings, verification, progress)?,
    };
    Ok(Verified { verdict, statement: promise.statement(&settings), settings, notes })
}

/// Nothing in the files can settle a promise about noise. Asked without them, it says why itself.
fn judge_nothing(
    promise: &dyn Promise,
    settings: &Settings,
    progress: &Progress,
) -> Result<(Verdict, Vec<String>), Failure> {
    let nothing = EventsBuilder::new(EventKind::Sequence, false).finish(0);
    let release = Release::identity(Arc::default(), nothing);
    Ok((promise.check(&Evidence::of(&release), settings, 0, progress)?, Vec::new()))
}

fn judge_data(
    promise: &dyn Promise,
    settings: &Settings,
    verification: &Verification,
    progress: &Progress,
) -> Result<(Verdict, Vec<String>), Failure> {
    let loaded = load(&verification.files, promise.descriptor(), progress)?;
    // Data judged as they are, are their own original: some promises compare the two.
    let mut release = Release::identity(Arc::clone(&loaded.data.items), loaded.data.events.clone());
    release.attributes = loaded.data.attributes.clone();
    let evidence = Evidence {
        original: Some(&loaded.data),
        taxonomy: loaded.taxonomy.as_ref(),
        sensitive_items: &loaded.sensitive_names(),
        sensitive_values: &loaded.sensitive_values,
        patterns: &loaded.pattern_names(),
        ..Evidence::of(&release)
    };
    Ok((promise.check(&evidence, settings, verification.list, progress)?, loaded.notes))
}

fn judge_directory(
    promise: &dyn Promise,
    settings: &Settings,
    directory: &Path,
    manifest: Option<&Manifest>,
    verification: &Verification,
    progress: &Progress,
) -> Result<(Verdict, Vec<String>), Failure> {
    let mut notes = Vec::new();
    match manifest {
        Some(manifest) => compare_fingerprints(directory, manifest)?,
        None => notes
            .push("there is no manifest: the files cannot be compared with their fingerprints".to_owned()),
    }
    let release = read_release(directory, manifest, verification.linkage.as_ref(), progress)?;
    if let Some(Manifest { counts, .. }) = manifest
        && release.nature != Nature::Synthetic
        && let Some(subjects) = counts.subjects
        && counts.records > subjects
        && verification.linkage.is_none()
    {
        notes.push(format!(
            "the release has {} records of {subjects} people, and nothing in it says which records are one person's: \
             every record was counted as a person; give `--linkage FILE` to count people",
            counts.records
        ));
    }
    let mut spoken = SpokenOf::read(&verification.files, promise.descriptor(), progress)?;
    if let Some(manifest) = manifest.filter(|manifest| manifest.promise.name == promise.descriptor().name) {
        notes.extend(spoken.complete_from(manifest, &release));
    }
    let evidence = Evidence {
        taxonomy: spoken.taxonomy.as_ref(),
        sensitive_items: &spoken.sensitive_items,
        sensitive_values: &spoken.sensitive_values,
        patterns: &spoken.patterns,
        ..Evidence::of(&release)
    };
    let verdict = promise.check(&evidence, settings, verification.list, progress)?;
    Ok((verdict, notes))
}

fn no_promise() -> Failure {
    Failure::new(Class::Usage, "no promise to judge by")
        .with_help("name one, for example `--promise km -k 5 -m 2`; see `throng methods`")
}

/// What was given, and the manifest's values for the rest when it speaks of the same promise.
pub(crate) fn settings_of(
    promise: &Descriptor,
    manifest: Option<&Manifest>,
    given: &[(String, String)],
) -> Result<Settings, Failure> {
    let mut values: Vec<(String, String)> = Vec::new();
    if let Some(entry) = manifest.map(|manifest| &manifest.promise).filter(|entry| entry.name == promise.name)
    {
        for (name, value) in &entry.parameters {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            values.push((name.clone(), text));
        }
    }
    // A later value of the same name replaces an earlier one.
    values.extend(given.iter().cloned());
    Ok(Settings::parse(promise, values.iter().map(|(name, value)| (name.as_str(), value.as_str())))?)
}

/// What a promise speaks of beside the release. Names are kept as they are: an item that must not be inferred may
/// well be absent from the release.
struct SpokenOf {
    taxonomy: Option<Taxonomy>,
    sensitive_items: Vec<String>,
    sensitive_values: Vec<(String, String)>,
    patterns: Vec<Vec<String>>,
}

impl SpokenOf {
    fn read(files: &Files, promise: &Descriptor, progress: &Progress) -> Result<Self, Failure> {
        let wanted = |input| files.source(input).filter(|_| promise.uses(input));
        let names = |input| wanted(input).map(read_names).transpose().map(Option::unwrap_or_default);
        let pattern = |line: String| parse_pattern(&line);
        Ok(SpokenOf {
            taxonomy: wanted(Input::Taxonomy).map(|source| read_taxonomy(source, progress)).transpose()?,
            sensitive_items: names(Input::SensitiveItems)?,
            sensitive_values: sensitive_values(&files.sensitive_values)?,
            patterns: names(Input::Patterns)?.into_iter().map(pattern).collect(),
        })
    }

    /// What the manifest says must not be inferred, where nothing else was given. Values of a column that is not
    /// published cannot be looked up; that is a note.
    fn complete_from(&mut self, manifest: &Manifest, release: &Release) -> Option<String> {
        if self.sensitive_items.is_empty() {
            self.sensitive_items.clone_from(&manifest.promise.sensitive_items);
        }
        if !self.sensitive_values.is_empty() {
            return None;
        }
        let published =
            |column: &str| release.attributes.as_ref().is_some_and(|table| table.column(column).is_some());
        let (known, hidden): (Vec<_>, Vec<_>) =
            manifest.promise.sensitive_values.iter().cloned().partition(|(column, _)| published(column));
        self.sensitive_values = known;
        let (column, _) = hidden.first()?;
        Some(format!("column `{column}` is not published: what could be learned about it was not checked"))
    }
}

/// A file that is not the one the manifest speaks of makes the manifest worthless.
pub(crate) fn compare_fingerprints(directory: &Path, manifest: &Manifest) -> Result<(), Failure> {
    for entry in &manifest.outputs {
        let Some(expected) = &entry.sha256 else { continue };
        // Only base names are followed: a manifest cannot point outside its directory.
        let Some(name) = Path::new(&entry.name).file_name() else { continue };
        let path = directory.join(name);
        let found = hash_file(&path).map_err(|error| {
            Failure::new(Class::BadInput, format!("`{}` cannot be read: {error}", path.display()))
                .with_help("the manifest lists it; fetch the whole release again")
        })?;
        if found != *expected {
            let message =
                format!("`{}` is not the file the manifest speaks of: its SHA-256 differs", path.display());
            return Err(Failure::new(Class::NotVerified, message)
                .with_help("it was changed after the release was made; fetch the release again"));
        }
    }
    Ok(())
}
