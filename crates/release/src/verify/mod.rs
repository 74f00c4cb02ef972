//! Judges a release, or original data, by a promise - without trusting its maker.
//!
//! A directory may come from anyone, in any state. What is judged are its files. The manifest is a witness, not a judge:
//!
//! * It says by which promises and parameters to judge, and what must not be inferred, where the reader did not. The answer
//!   says so. Every promise it claims is judged, the further ones (`also`) included.
//! * It cannot take a column out of what attackers know: every column that lies in the files is known unless the person who
//!   verifies types otherwise (`verify/taken`).
//! * Every file of the directory is looked at; what no promise speaks of is named (`verify/files`).
//! * It may say what a name stands for (a node of a taxonomy). The release is then judged twice, as it is written and
//!   with that meaning, and holds only if both do.
//! * It may say that records are sets. That is looked up: sorted and distinct items, or it is not so.
//! * Whatever else it says of the files is compared with them, and a manifest that says otherwise is reported as broken,
//!   after the judgement and not instead of it (`verify/contradictions`).
//! * One that is missing, unreadable or of an unknown form is noted, and the files are judged by what the reader typed.
//!
//! A verdict names what was not judged: a column that is not published, people with several records and no linkage, a
//! promise about noise or about the original data. What was judged decides first: broken is broken.

mod case;
pub mod certificate;
mod contradictions;
mod data;
mod files;
mod parameters;
mod spoken;
mod taken;

pub use self::data::compare_fingerprints;
use self::data::{judge_data, no_promise};
use std::path::Path;

use throng_contract::{Class, Failure, Progress, Settings};
use throng_data::RecodedTable;
use throng_data::formats::Source;
use throng_models::{Answer, Promise, Verdict};

use self::case::Case;
use self::contradictions::Contradictions;
use self::files::Lying;
pub use self::parameters::settings_of;
use self::parameters::{believed_parameters, settings_as_claimed};
use self::taken::{Taken, Typed};
use crate::catalogue;
use crate::columns::Judged;
use crate::manifest::{Manifest, PromiseEntry};
use crate::published::{People, Published};
use throng_data::load::Files;
use throng_data::load::{refuse_absent, sensitive_values};

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
    /// Columns that attackers do not know, as the person who verifies says. All others that are published are known.
    pub not_known: Vec<String>,
}

impl Verification {
    /// By the promises that the manifest claims.
    pub fn of(files: Files) -> Self {
        Verification {
            files,
            promise: None,
            settings: Vec::new(),
            linkage: None,
            list: 10,
            not_known: Vec::new(),
        }
    }
}

/// A promise, and the answer to it.
#[derive(Debug, Clone)]
pub struct JudgedPromise {
    /// What the checker found.
    pub verdict: Verdict,
    /// The promise in plain words.
    pub statement: String,
    /// The parameters it was judged with.
    pub settings: Settings,
    /// Items that must not be inferred, as they were typed or claimed.
    pub sensitive_items: Vec<String>,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Verified {
    /// What the checker of the first promise found.
    pub verdict: Verdict,
    /// Where the manifest says otherwise than the files, or files lie there that do not belong to the release.
    pub contradictions: Vec<String>,
    /// The first promise in plain words.
    pub statement: String,
    /// The parameters it was judged with.
    pub settings: Settings,
    /// Further promises that the manifest claims, each judged by its own checker.
    pub also: Vec<JudgedPromise>,
    /// Columns that attackers are taken to know.
    pub known: Vec<String>,
    /// Columns, values and items that must not be learned.
    pub sensitive: Vec<String>,
    /// Files and columns that no promise speaks of.
    pub unjudged: Vec<String>,
    /// How far the answer can be relied on.
    pub notes: Vec<String>,
}

impl Verified {
    fn of(first: JudgedPromise, notes: Vec<String>) -> Self {
        let JudgedPromise { verdict, statement, settings, sensitive_items } = first;
        Verified {
            verdict,
            contradictions: Vec::new(),
            statement,
            settings,
            also: Vec::new(),
            known: Vec::new(),
            sensitive: sensitive_items,
            unjudged: Vec::new(),
            notes,
        }
    }

    /// All promises that were judged, the first one first.
    pub fn promises(&self) -> impl Iterator<Item = JudgedPromise> + '_ {
        let first = JudgedPromise {
            verdict: self.verdict.clone(),
            statement: self.statement.clone(),
            settings: self.settings.clone(),
            sensitive_items: Vec::new(),
        };
        std::iter::once(first).chain(self.also.iter().cloned())
    }

    /// Everything that was not judged: parts of promises, columns, files.
    pub fn not_judged(&self) -> Vec<String> {
        let verdicts = std::iter::once(&self.verdict).chain(self.also.iter().map(|also| &also.verdict));
        let mut parts: Vec<String> = Vec::new();
        for part in verdicts.flat_map(|verdict| &verdict.not_judged).chain(&self.unjudged) {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        parts
    }

    /// The answer for all promises and files together, in one word.
    pub fn answer(&self) -> Answer {
        let answers = || {
            let also = self.also.iter().map(|also| also.verdict.answer());
            std::iter::once(self.verdict.answer()).chain(also)
        };
        if !self.contradictions.is_empty() || answers().any(|answer| answer == Answer::DoesNotHold) {
            return Answer::DoesNotHold;
        }
        if answers().all(|answer| answer == Answer::NotJudged) {
            return Answer::NotJudged;
        }
        match self.unjudged.is_empty() && answers().all(|answer| answer == Answer::Holds) {
            true => Answer::Holds,
            false => Answer::JudgedInPart,
        }
    }

    /// How a program that asked should end; `None` when all was judged and holds.
    pub fn class(&self) -> Option<Class> {
        match self.answer() {
            Answer::DoesNotHold => Some(Class::NotVerified),
            Answer::JudgedInPart | Answer::NotJudged => Some(Class::JudgedInPart),
            Answer::Holds => None,
        }
    }
}

/// Judges. A promise that does not hold is an answer, not an error.
pub fn verify(verification: &Verification, progress: &Progress) -> Result<Verified, Failure> {
    refuse_absent(&verification.files)?;
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
                    "the files can be judged without it: name a promise, for example {promise km} {k 5} {m 2}",
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
        let sensitive_items = Vec::new();
        return Ok(Verified::of(JudgedPromise { verdict, statement, settings, sensitive_items }, notes));
    };
    let manifest = witness.manifest.as_ref();
    let mut notes = witness.notes;
    let published = Published::read(directory, progress)?;
    let columns = published.attributes.as_ref().map_or(&[][..], |attributes| &attributes.columns);
    let values = sensitive_values(&verification.files.sensitive_values)?;
    let typed =
        Typed { roles: &verification.files.roles, not_known: &verification.not_known, values: &values };
    let taken = Taken::of(columns, &typed, manifest);
    for column in &taken.absent {
        notes.push(format!("`{column}` was typed, and is no published column"));
    }

    let mut given = verification.settings.clone();
    for (name, value) in promise.without_original() {
        if given.iter().all(|(other, _)| other != name) {
            given.push(((*name).to_owned(), (*value).to_owned()));
        }
    }
    let settings = settings_of(promise.descriptor(), manifest, &given)?;
    notes.extend(believed_parameters(promise.descriptor(), manifest, &given));
    let claim = manifest.map(|manifest| &manifest.promise);
    let claim = claim.filter(|claim| claim.name == promise.descriptor().name);
    // A reader who names a promise asks about that one; otherwise the directory answers for all that it claims.
    let also = manifest.filter(|_| verification.promise.is_none()).map_or(&[][..], |manifest| &manifest.also);
    let mut further: Vec<(&dyn Promise, Settings, &PromiseEntry)> = Vec::new();
    for claim in also.iter().map(|also| &also.promise) {
        let promise = catalogue::promise(&claim.name)?;
        further.push((promise, settings_as_claimed(promise.descriptor(), claim)?, claim));
    }
    let case = |promise, settings, claim| Case {
        promise,
        settings,
        published: &published,
        manifest,
        claim,
        taken: &taken,
        verification,
    };
    let first = case(promise, &settings, claim).judge(&mut notes, progress)?;
    let mut verified = Verified::of(first, Vec::new());
    for (promise, settings, claim) in &further {
        verified.also.push(case(*promise, settings, Some(claim)).judge(&mut notes, progress)?);
    }

    let lying = Lying::of(directory, &published, manifest);
    if let Some(manifest) = manifest {
        let found = Contradictions::between(manifest, directory, &published, &verified.sensitive);
        notes.extend(found.notes);
        verified.contradictions = found.found;
    }
    verified.contradictions.extend(lying.strays);
    verified.contradictions.extend(named_by(&taken, &published, promise, &settings, progress)?);
    verified.unjudged = lying.not_judged;
    let unknown = manifest.map(|manifest| manifest.unknown_parts(directory)).unwrap_or_default();
    if !unknown.is_empty() {
        let parts = taken::listed(&unknown[..unknown.len().min(5)]);
        verified.unjudged.push(format!("{parts} in the manifest: this version does not know such a part"));
    }
    if manifest.is_some_and(|manifest| manifest.after.is_some()) {
        verified.unjudged.push(
            "what the manifest says of an earlier release: that takes both of them, and which record is whose \
             (`throng ledger attack`)"
                .to_owned(),
        );
    }
    verified.known = taken.known.clone();
    let columns = taken.sensitive.iter().chain(&taken.claimed).cloned();
    verified.sensitive.splice(0..0, columns);
    notes.dedup();
    verified.notes = notes;
    Ok(verified)
}

/// Columns that only the manifest calls sensitive, and that have a value of their own for most people: they name them.
fn named_by(
    taken: &Taken,
    published: &Published,
    promise: &dyn Promise,
    settings: &Settings,
    progress: &Progress,
) -> Result<Vec<String>, Failure> {
    if taken.claimed.is_empty() {
        return Ok(Vec::new());
    }
    let people = People::each(published.shown());
    let table = published.columns_as_written(&people, |name| taken.role(name), progress)?;
    let assumes = promise.assumes(settings);
    let names = |column: &throng_data::RecodedColumn| {
        let alone = RecodedTable { columns: vec![column.clone()] };
        Judged::names_people(&alone, people.records.len(), assumes)
    };
    let columns = table.into_iter().flat_map(|table| table.columns);
    let naming = columns.filter(|column| taken.claimed.contains(&column.name)).filter(names);
    Ok(naming
        .map(|column| {
            format!("it calls `{}` sensitive, and most people have a value of their own in it", column.name)
        })
        .collect())
}
