//! Judges a release, or original data, by a promise - without trusting whoever made it.
//!
//! A directory may come from anybody, in any state. What is judged are its files. The manifest is a witness, not a judge:
//!
//! * It says by which promise and parameters to judge, and who must not be inferred, where the reader did not. The answer
//!   says so.
//! * It may say what a name stands for (a node of a taxonomy). The release is then judged twice, as it is written and
//!   with that meaning, and holds only if both do.
//! * It may say that records are sets. That is looked up: sorted and distinct items, or it is not so.
//! * Whatever else it says of the files is compared with them, and a manifest that says otherwise is reported as broken,
//!   after the judgement and not instead of it ([`contradictions`]).
//! * One that is missing, unreadable or of an unknown form is noted, and the files are judged by what the reader typed.
//!
//! A verdict names what was not judged: a column that is not published, people with several records and no linkage, a
//! promise about noise or about the original data. What was judged decides first: broken is broken.

mod contradictions;
mod spoken;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use throng_contract::{Class, DataKind, Descriptor, Failure, Progress, Settings};
use throng_data::formats::Source;
use throng_data::{EventKind, Form, Nature, RecodedTable, Release, Role, Table, render_item};
use throng_models::{Answer, CheckError, Evidence, Promise, Verdict};

use self::contradictions::{Contradictions, are_sets};
use self::spoken::{Given, PromiseInputs};
use crate::directory::hash_file;
use crate::job::check_promise;
use crate::load::load;
use crate::manifest::Manifest;
use crate::published::{People, Published, suppressed_rows};
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
    /// Where the manifest says otherwise than the files; empty when it does not, or there is none.
    pub contradictions: Vec<String>,
    /// The promise in plain words.
    pub statement: String,
    /// The parameters it was judged with.
    pub settings: Settings,
    /// How far the answer can be relied on.
    pub notes: Vec<String>,
}

impl Verified {
    /// How a program that asked should end; `None` when all of the promise was judged and holds.
    pub fn class(&self) -> Option<Class> {
        match self.verdict.answer() {
            Answer::DoesNotHold => Some(Class::NotVerified),
            _ if !self.contradictions.is_empty() => Some(Class::NotVerified),
            Answer::JudgedInPart | Answer::NotJudged => Some(Class::JudgedInPart),
            Answer::Holds => None,
        }
    }
}

/// Judges. A promise that does not hold is an answer, not an error.
pub fn verify(verification: &Verification, progress: &Progress) -> Result<Verified, Failure> {
    let mut witness = Witness::call(verification, verification.promise.is_some())?;
    let promise = match (&verification.promise, &witness.manifest) {
        (Some(name), _) => catalogue::promise(name)?,
        (None, Some(manifest)) => {
            witness.notes.push("the promise is the one that the manifest names".to_owned());
            catalogue::promise(&manifest.promise.name)?
        }
        (None, None) => return Err(no_promise()),
    };
    judge(promise, witness, verification, progress)
}

/// The same with a promise that need not be in the catalogue. [`Verification::promise`] is not looked at.
pub fn verify_with(
    promise: &dyn Promise,
    verification: &Verification,
    progress: &Progress,
) -> Result<Verified, Failure> {
    judge(promise, Witness::call(verification, true)?, verification, progress)
}

/// The manifest, if it can be read, and what is to be said about it.
struct Witness {
    manifest: Option<Manifest>,
    notes: Vec<String>,
}

impl Witness {
    /// Reads the manifest of a directory. One that cannot be read is an error only where nothing else names a promise.
    fn call(verification: &Verification, promise_is_named: bool) -> Result<Self, Failure> {
        let mut witness = Witness { manifest: None, notes: Vec::new() };
        let Some(directory) = release_directory(&verification.files) else { return Ok(witness) };
        match Manifest::read(directory) {
            Ok(Some(manifest)) => witness.manifest = Some(manifest),
            Ok(None) => witness.notes.push(
                "there is no manifest: the files cannot be compared with their fingerprints".to_owned(),
            ),
            Err(failure) if promise_is_named => {
                witness.notes.push(format!("the manifest was not used: {}", failure.message));
            }
            Err(failure) => {
                return Err(failure.with_help(
                    "the files can be judged without it: name a promise, for example `--promise km -k 5 -m 2`",
                ));
            }
        }
        Ok(witness)
    }
}

fn release_directory(files: &Files) -> Option<&Path> {
    files.data.path().filter(|path| path.is_dir())
}

fn judge(
    promise: &dyn Promise,
    witness: Witness,
    verification: &Verification,
    progress: &Progress,
) -> Result<Verified, Failure> {
    let Some(directory) = release_directory(&verification.files) else {
        let settings = settings_of(promise.descriptor(), None, &verification.settings)?;
        let (verdict, kind, notes) = judge_data(promise, &settings, verification, progress)?;
        let statement = promise.statement_for(&settings, kind);
        return Ok(Verified { verdict, contradictions: Vec::new(), statement, settings, notes });
    };
    let mut given = verification.settings.clone();
    for (name, value) in promise.without_original() {
        if given.iter().all(|(other, _)| other != name) {
            given.push(((*name).to_owned(), (*value).to_owned()));
        }
    }
    let settings = settings_of(promise.descriptor(), witness.manifest.as_ref(), &given)?;
    let mut notes = witness.notes;
    notes.extend(believed_parameters(promise.descriptor(), witness.manifest.as_ref(), &given));
    let case =
        Case { promise, settings: &settings, directory, manifest: witness.manifest.as_ref(), verification };
    let (verdict, kind, contradictions) = case.judge(&mut notes, progress)?;
    Ok(Verified {
        verdict,
        contradictions,
        statement: promise.statement_for(&settings, kind),
        settings,
        notes,
    })
}

fn judge_data(
    promise: &dyn Promise,
    settings: &Settings,
    verification: &Verification,
    progress: &Progress,
) -> Result<(Verdict, EventKind, Vec<String>), Failure> {
    if promise.rests_on_secret_noise() {
        let verdict = Verdict::not_judged(promise.descriptor().name, NOISE.to_owned());
        return Ok((verdict, EventKind::Sequence, Vec::new()));
    }
    let loaded = load(&verification.files, promise.descriptor(), progress)?;
    // Data judged as they are, are their own original: some promises compare the two.
    let mut release = Release::identity(Arc::clone(&loaded.data.items), loaded.data.events.clone());
    release.attributes = loaded.data.attributes.clone();
    let mixed = promise.descriptor().takes.contains(&DataKind::Mixed);
    if loaded.data.events.kind() == EventKind::Absent || mixed {
        release.table = loaded.data.attributes.as_ref().map(RecodedTable::identity);
    }
    let evidence =
        Evidence { original: Some(&loaded.data), inputs: &loaded.inputs, ..Evidence::of(&release) };
    let verdict = check_promise(promise, &evidence, settings, verification.list, progress)?;
    Ok((verdict, loaded.data.events.kind(), loaded.notes))
}

const NOISE: &str = "how much noise there is, and that nothing went around it: no file can show that; it was judged by \
                     whoever ran the method, and has to be believed or repeated";
const ORIGINAL: &str = "what can be learned about the original data: it is not at hand; `throng anonymize` judges this \
                        before it writes a release";

/// A release directory before the judge.
struct Case<'a> {
    promise: &'a dyn Promise,
    settings: &'a Settings,
    directory: &'a Path,
    manifest: Option<&'a Manifest>,
    verification: &'a Verification,
}

impl Case<'_> {
    /// The verdict, what the events were judged as, and where the manifest contradicts the files.
    fn judge(
        &self,
        notes: &mut Vec<String>,
        progress: &Progress,
    ) -> Result<(Verdict, EventKind, Vec<String>), Failure> {
        let descriptor = self.promise.descriptor();
        let files = &self.verification.files;
        let published = Published::read(self.directory, progress)?;
        let mut spoken = PromiseInputs::read(files, descriptor, progress)?;
        if let Some(manifest) = self.manifest.filter(|manifest| manifest.promise.name == descriptor.name) {
            spoken.complete_from(manifest, descriptor);
        }
        let contradictions = match self.manifest {
            Some(manifest) => {
                let sensitive = &spoken.inputs.sensitive_items;
                Contradictions::between(manifest, self.directory, &published, sensitive)
            }
            None => Contradictions::default(),
        };
        notes.extend(contradictions.notes);
        if self.promise.rests_on_secret_noise() || self.promise.needs_original() {
            let why = if self.promise.rests_on_secret_noise() { NOISE } else { ORIGINAL };
            let verdict = Verdict::not_judged(descriptor.name, why.to_owned());
            return Ok((verdict, EventKind::Sequence, contradictions.found));
        }

        let form = published.form();
        if !self.promise.speaks_of(&form) {
            let why = "all of it: the promise does not speak of releases of this form".to_owned();
            let note = match form {
                Form::Chunks(_) => "records were taken apart: `disassociated-km` speaks of such releases",
                Form::Counts(_) => "the release has counts of people: `k-counts` speaks of such releases",
                Form::Rows => "the promise is about records that were taken apart, or published otherwise",
            };
            notes.push(note.to_owned());
            let verdict = Verdict::not_judged(descriptor.name, why);
            return Ok((verdict, self.kind(&published), contradictions.found));
        }
        let given = Given::read(files, descriptor)?;
        let mut records = published.shown();
        for name in given.iter().filter_map(|given| given.records.as_ref()).flat_map(|names| names.names()) {
            records.intern(name);
        }
        let people = match &self.verification.linkage {
            Some(linkage) => People::by_linkage(&records, linkage, progress)?,
            None => People::each(records),
        };
        let attributes = given.as_ref().map(|given| given.table(files, &people, progress)).transpose()?;
        let with_attributes = |mut release: Release| {
            let published = release.attributes.take();
            release.attributes = beside(attributes.clone(), published);
            release
        };
        let kind = self.kind(&published);
        let mut written = with_attributes(published.release(kind, &people, |_| None, progress)?);
        // Recoded columns are read as such where the promise speaks of them; beside events they are no plain attributes then.
        let mut recoded = None;
        if published.is_table() || self.speaks_of_columns() {
            let (role, said) = self.roles(&published);
            recoded = published.table(&people, |name| role(name), |_, _| None, progress)?;
            notes.extend(said.filter(|_| recoded.is_some()));
        }
        let with_table = |mut release: Release| {
            if recoded.is_some() {
                release.attributes = release.attributes.filter(|_| published.is_table());
                release.table.clone_from(&recoded);
                release.suppression.rows = suppressed_rows(&release);
            }
            release
        };
        written = with_table(written);
        let meanings = self.meanings(&published);
        let meant = match meanings.is_empty() {
            true => None,
            false => {
                let meaning = |item: &str| meanings.get(item).map(|members| members.to_vec());
                Some(with_table(with_attributes(published.release(kind, &people, meaning, progress)?)))
            }
        };

        let hidden = match (&given, spoken.believed) {
            // A column that is not in a file that was given for it is misspelt.
            (Some(_), false) => Vec::new(),
            _ => spoken.without_hidden_columns(written.attributes.as_ref()),
        };
        spoken.without_absent(meant.as_ref().unwrap_or(&written));
        notes.extend(spoken.in_words());
        let mut verdict = self.check(&written, meant.as_ref(), &spoken, progress)?;
        if let Some(meant) = meant.as_ref().filter(|_| verdict.holds) {
            verdict = self.check(meant, Some(&written), &spoken, progress)?;
            notes.push("judged as written, and with what the manifest says that names stand for".to_owned());
        }
        notes.append(&mut verdict.notes);
        self.say_what_was_not_judged(&mut verdict, &hidden);
        Ok((verdict, kind, contradictions.found))
    }

    /// Whether the promise is about columns beside events: about both together, or about rows that the manifest says are recoded.
    fn speaks_of_columns(&self) -> bool {
        let takes = self.promise.descriptor().takes;
        let recoded = self.manifest.is_some_and(|manifest| !manifest.table.is_empty());
        takes.contains(&DataKind::Mixed) || (recoded && takes.contains(&DataKind::Table))
    }

    /// What the columns of a table are: as the reader says, else as the manifest does. A column of which nobody says anything
    /// may be known.
    fn roles(&self, published: &Published) -> (impl Fn(&str) -> Role, Option<String>) {
        let mut roles: BTreeMap<String, Role> = self.verification.files.roles.iter().cloned().collect();
        let mut said = None;
        if let (true, Some(manifest)) = (roles.is_empty(), self.manifest) {
            roles = manifest.table.iter().map(|column| (column.name.clone(), column.role)).collect();
            let columns = published.attributes.iter().flat_map(|attributes| &attributes.columns);
            let of = |role: Role| {
                let names = columns.clone().filter(|name| roles.get(*name) == Some(&role));
                names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            };
            let mut text =
                format!("taken from the manifest: what may be known is {}", of(Role::QuasiIdentifying));
            for (role, words) in [(Role::Sensitive, "sensitive"), (Role::Insensitive, "published as it is")] {
                let names = of(role);
                if !names.is_empty() {
                    text.push_str(&format!("; {words} is {names}"));
                }
            }
            said = Some(text);
        }
        (move |name: &str| roles.get(name).copied().unwrap_or(Role::QuasiIdentifying), said)
    }

    /// Sets only where the manifest says so, the rows agree, and the promise speaks of sets.
    fn kind(&self, published: &Published) -> EventKind {
        if published.is_table() {
            return EventKind::Absent;
        }
        if published.chunks.is_some() {
            return EventKind::Set;
        }
        let said = self.manifest.is_some_and(|manifest| manifest.kind == EventKind::Set);
        let takes = self.promise.descriptor().takes;
        let spoken_of = takes.contains(&DataKind::Sets) || takes.contains(&DataKind::Mixed);
        if said && spoken_of && are_sets(published) { EventKind::Set } else { EventKind::Sequence }
    }

    /// What the manifest or the list of items says that written items stand for, where it is not what is written.
    fn meanings<'b>(&'b self, published: &'b Published) -> BTreeMap<&'b str, &'b [String]> {
        let entries = self.manifest.iter().flat_map(|manifest| &manifest.generalised);
        let said = entries.map(|entry| (entry.item.as_str(), entry.members.as_slice()));
        said.chain(published.items.explained())
            .filter(|(item, members)| !members.is_empty() && published.data.items.find(item).is_some())
            .filter(|(item, _)| published.items.short(item).is_none())
            .filter(|(item, members)| render_item(members.iter().map(String::as_str)) != *item)
            .collect()
    }

    /// Judges one reading of the release. Names that must not be inferred may occur in the other reading alone.
    fn check(
        &self,
        release: &Release,
        other: Option<&Release>,
        spoken: &PromiseInputs,
        progress: &Progress,
    ) -> Result<Verdict, CheckError> {
        let occurs = |release: &Release, name: &String| release.base.find(name).is_some();
        let elsewhere =
            other.is_some_and(|other| spoken.inputs.sensitive_items.iter().any(|name| occurs(other, name)));
        let mut inputs = spoken.inputs.clone();
        if elsewhere {
            inputs.sensitive_items.retain(|name| occurs(release, name));
        }
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(release) };
        check_promise(self.promise, &evidence, self.settings, self.verification.list, progress)
    }

    fn say_what_was_not_judged(&self, verdict: &mut Verdict, hidden: &[String]) {
        if !hidden.is_empty() {
            verdict.not_judged.retain(|part| !part.ends_with("none was named"));
            verdict.not_judged.push(format!(
                "what could be learned about `{}`: the column is not published; give `--records FILE`",
                hidden.join("`, `")
            ));
            if verdict.judged.is_empty() {
                verdict.judged.push("how many people fit".to_owned());
            }
        }
        if let Some(Manifest { counts, nature, .. }) = self.manifest
            && *nature != Nature::Synthetic
            && let Some(subjects) = counts.subjects
            && counts.records > subjects
            && self.verification.linkage.is_none()
        {
            verdict.judged.push("records, each counted as a person".to_owned());
            verdict.not_judged.push(format!(
                "people: the {} records are of {subjects}, and nothing says which are one person's; give `--linkage FILE`",
                counts.records
            ));
        }
    }
}

/// The columns that were given, and those published columns that were not.
fn beside(given: Option<Table>, published: Option<Table>) -> Option<Table> {
    match (given, published) {
        (Some(mut given), Some(published)) => {
            let others = published.columns.into_iter().filter(|column| given.column(&column.name).is_none());
            let others: Vec<_> = others.collect();
            given.columns.extend(others);
            Some(given)
        }
        (given, published) => given.or(published),
    }
}

/// Which parameters are the manifest's.
fn believed_parameters(
    promise: &Descriptor,
    manifest: Option<&Manifest>,
    given: &[(String, String)],
) -> Option<String> {
    let entry = manifest.map(|manifest| &manifest.promise).filter(|entry| entry.name == promise.name)?;
    let taken = promise.params.iter().filter(|param| given.iter().all(|(name, _)| name != param.name));
    let names: Vec<&str> =
        taken.map(|param| param.name).filter(|name| entry.parameters.contains_key(*name)).collect();
    (!names.is_empty()).then(|| format!("taken from the manifest: {}", names.join(", ")))
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
    let mut values: Vec<(String, String)> = given.to_vec();
    let entry = manifest.map(|manifest| &manifest.promise).filter(|entry| entry.name == promise.name);
    for (name, value) in entry.iter().flat_map(|entry| &entry.parameters) {
        let known = promise.params.iter().any(|param| param.name == name);
        if known && given.iter().all(|(other, _)| other != name) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            values.push((name.clone(), text));
        }
    }
    Ok(Settings::parse(promise, values.iter().map(|(name, value)| (name.as_str(), value.as_str())))?)
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
