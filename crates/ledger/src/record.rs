//! Adds a release to the ledger, and says what the earlier ones make of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use throng_contract::{Class, Descriptor, Failure, Progress};
use throng_data::formats::Source;
use throng_data::{Dataset, Nature, Table};
use throng_measure::Composition;
use throng_methods::Method;

use super::entry::{Location, Noted};
use super::linked_release::{LinkedRelease, Whose};
use super::{Chain, Entry, Evidence, Key, Ledger, Named, Note, Overlap, attack};
use throng_release::catalogue;
use throng_release::directory::{COUNTS, COUNTS_PARQUET, hash_file};
use throng_release::load::load;
use throng_release::{Made, Manifest, promise_of};

/// The attack is run against so many earlier releases, the latest first.
pub const MAX_COMPARED: usize = 3;

/// A release that is in the ledger now.
#[derive(Debug, Clone, Serialize)]
pub struct Recorded {
    /// What was written down.
    #[serde(skip)]
    pub entry: Entry,
    /// Its number.
    pub number: u64,
    /// Earlier releases of people who are in this one, the latest first.
    pub earlier: Vec<Earlier>,
    /// Earlier releases in which people go by the same numbers, in other files: no evidence that they are the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<Earlier>,
    /// Numbers of earlier releases with the same bytes: publishing them again tells an attacker nothing more.
    pub same: Vec<u64>,
    /// Numbers of earlier releases of which it cannot be told whether they have people in common with this one.
    pub unknown: Vec<u64>,
    /// What all releases of these people cost a person's privacy budget together, where several have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Lines of the ledger that were changed, or cannot be read.
    pub faults: usize,
}

/// An earlier release of the same people.
#[derive(Debug, Clone, Serialize)]
pub struct Earlier {
    /// Its number.
    pub number: u64,
    /// When it was recorded.
    pub when: String,
    /// Where it was written.
    pub directory: String,
    /// What it promises.
    pub promise: Named,
    /// How it was made.
    pub method: Named,
    /// The name of its data, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// Whether both were made from the same file.
    pub same_data: bool,
    /// Why the people are taken to be the same, and how sure that is.
    pub evidence: Evidence,
    /// How many of the people are in both; absent where only the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<Overlap>,
    /// What both give away together.
    pub attack: Attacked,
}

/// What became of the attack on both releases.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "a handful at a time: one for each earlier release")]
pub enum Attacked {
    /// It was run.
    Done(Composition),
    /// It was not, because something it needs is not at hand.
    Not(String),
}

/// Records a release that was drafted and has its name now. What [`compare_before_writing`] found stays with it.
pub fn record(ledger: &Ledger, mut draft: Entry, compared: Recorded) -> Result<Recorded, Failure> {
    draft.fingerprint_linkage(&Key::beside(ledger.path())?);
    let (entry, chain) = ledger.append(draft)?;
    let mut recorded = compare(entry, &chain);
    let mut found: BTreeMap<u64, Attacked> =
        compared.earlier.into_iter().map(|earlier| (earlier.number, earlier.attack)).collect();
    for earlier in &mut recorded.earlier {
        if let Some(attack) = found.remove(&earlier.number) {
            earlier.attack = attack;
        }
    }
    Ok(recorded)
}

/// What a release that is not written yet gives away together with the releases of the ledger: the latest `most` of the same people are
/// attacked together with it.
pub fn compare_before_writing(
    ledger: &Ledger,
    made: &Made,
    draft: &Entry,
    most: usize,
    progress: &Progress,
) -> Result<Recorded, Failure> {
    let chain = ledger.read()?;
    let mut compared = foresee(draft, &chain);
    for earlier in compared.earlier.iter_mut().take(most) {
        let Some(before) = chain.entries.iter().find(|entry| entry.number == earlier.number) else {
            continue;
        };
        earlier.attack = match attack_both(ledger, before, draft, made, progress) {
            Ok(found) => Attacked::Done(found),
            Err(failure) if failure.class == Class::Interrupted => return Err(failure),
            Err(failure) => Attacked::Not(failure.message),
        };
    }
    Ok(compared)
}

impl Earlier {
    /// What the release breaks together with this one though each keeps its promise; empty when nothing was found.
    pub fn broken(&self) -> Vec<String> {
        match &self.attack {
            Attacked::Done(found) => found.broken(),
            Attacked::Not(_) => Vec::new(),
        }
    }

    /// Why the two could not be compared, where there was something to compare.
    pub fn not_compared(&self) -> Option<&str> {
        match &self.attack {
            Attacked::Not(why) if why != SYNTHETIC => Some(why),
            _ => None,
        }
    }
}

/// What is to be recorded of a release: one that is about to get its name, or a trial that the publisher may publish later. `when` is the time, in UTC.
pub fn draft(
    ledger: &Ledger,
    made: &Made,
    place: Location<'_>,
    note: &Note,
    when: String,
) -> Result<Entry, Failure> {
    let method = catalogue::method(&made.manifest.method.name)?;
    let promise = promise_of(method)?;
    let key = Key::beside(ledger.path())?;
    Ok(Entry::of(method, promise, made, place, &Noted { note, key: &key, when }))
}

/// What the releases of a ledger make of one that may be added to it. Nothing is attacked.
pub fn foresee(draft: &Entry, chain: &Chain) -> Recorded {
    compare(Entry { number: chain.lines as u64 + 1, ..draft.clone() }, chain)
}

/// Records a release that was drafted earlier. Nothing is attacked.
pub fn record_draft(ledger: &Ledger, draft: &Entry, when: String) -> Result<Recorded, Failure> {
    let mut entry = Entry { when, ..draft.clone() };
    entry.fingerprint_linkage(&Key::beside(ledger.path())?);
    let (entry, chain) = ledger.append(entry)?;
    Ok(compare(entry, &chain))
}

/// What a release and an earlier one give away together, if both are still at hand.
pub fn attack_recorded(
    ledger: &Ledger,
    before: &Entry,
    entry: &Entry,
    progress: &Progress,
) -> Result<Attacked, Failure> {
    let attacked = || -> Result<Composition, Failure> {
        attack(
            &before.linked(ledger, progress)?,
            &entry.linked(ledger, progress)?,
            entry.seed.unwrap_or_default(),
            progress,
        )
    };
    match attacked() {
        Ok(found) => Ok(Attacked::Done(found)),
        Err(failure) if failure.class == Class::Interrupted => Err(failure),
        Err(failure) => Ok(Attacked::Not(failure.message)),
    }
}

/// The time as a ledger writes it, in UTC and to the second.
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}

/// What the entries say about each other.
fn compare(entry: Entry, chain: &Chain) -> Recorded {
    let mut recorded = Recorded {
        number: entry.number,
        earlier: Vec::new(),
        doubtful: Vec::new(),
        same: Vec::new(),
        unknown: Vec::new(),
        epsilon: None,
        faults: chain.faults.len(),
        entry,
    };
    let entry = &recorded.entry;
    let mut budgets = Vec::from_iter(entry.epsilon);
    // A trial was not published: it gives nothing away.
    for before in chain.entries.iter().rev().filter(|before| !before.trial) {
        let sketches = entry.sketch.as_ref().zip(before.sketch.as_ref());
        let overlap = sketches.and_then(|(later, earlier)| later.overlap(earlier));
        if entry.same_release(before) {
            recorded.same.push(before.number);
        } else if let Some(evidence) = Evidence::between(entry, before, overlap) {
            let list = match evidence.is_enough() {
                true => {
                    budgets.extend(before.epsilon);
                    &mut recorded.earlier
                }
                false => &mut recorded.doubtful,
            };
            list.push(Earlier {
                number: before.number,
                when: before.when.clone(),
                directory: before.directory.clone(),
                promise: before.promise.clone(),
                method: before.method.clone(),
                dataset: before.dataset.clone(),
                same_data: entry.same_data(before),
                evidence,
                overlap,
                attack: Attacked::Not(format!("only the latest {MAX_COMPARED} are looked at")),
            });
        } else if sketches.is_some() && overlap.is_none_or(|overlap| overlap.is_unknown()) {
            recorded.unknown.push(before.number);
        }
    }
    if budgets.len() > 1 {
        // Budgets are read off in the order of lines, so that the sum is always the same.
        recorded.epsilon = Some(budgets.iter().sum());
    }
    recorded
}

fn attack_both(
    ledger: &Ledger,
    before: &Entry,
    entry: &Entry,
    made: &Made,
    progress: &Progress,
) -> Result<Composition, Failure> {
    let (files, also, made) = (&made.files, also_kept(&made.manifest), &made.checked);
    let release = &made.outcome.release;
    if release.nature == Nature::Synthetic || before.nature == Nature::Synthetic {
        return Err(not_at_hand(SYNTHETIC));
    }
    // The columns of a table are in the table.
    let given = made.loaded.data.attributes.as_ref().filter(|_| release.table().is_none());
    let later = LinkedRelease {
        data: Cow::Borrowed(&made.loaded.data),
        release: Cow::Borrowed(release),
        attributes: release.attributes().or(given).map(|table| published(table, &files.publish)),
        by_record: true,
        promise: entry.promise.clone(),
        also,
    };
    let same = before.same_data(entry) && before.reading == entry.reading && before.kind == entry.kind;
    let data = match same {
        true => Cow::Borrowed(&made.loaded.data),
        false => Cow::Owned(data_of(ledger, before, progress)?),
    };
    attack(&hold(ledger, before, data, progress)?, &later, made.seed, progress)
}

impl Entry {
    /// Whether a file that was read is the data the release was made from.
    pub fn is_made_from(&self, ledger: &Ledger, data: &Source) -> Result<bool, Failure> {
        let recorded = self.data().and_then(|file| file.fingerprint.clone());
        Ok(recorded.is_some() && fingerprint(ledger, data)? == recorded)
    }

    /// The release, if it still lies where it was written and the data are what they were.
    pub fn linked(&self, ledger: &Ledger, progress: &Progress) -> Result<LinkedRelease<'static>, Failure> {
        if self.nature == Nature::Synthetic {
            return Err(not_at_hand(SYNTHETIC));
        }
        hold(ledger, self, Cow::Owned(data_of(ledger, self, progress)?), progress)
    }
}

fn hold<'a>(
    ledger: &Ledger,
    entry: &Entry,
    data: Cow<'a, Dataset>,
    progress: &Progress,
) -> Result<LinkedRelease<'a>, Failure> {
    let directory = Path::new(&entry.directory);
    let found = hash_file(&directory.join(&entry.release.path)).ok();
    if found.is_none() || found != entry.release.sha256 {
        return Err(not_at_hand("its directory is gone, or holds another release now"));
    }
    if [COUNTS, COUNTS_PARQUET].contains(&entry.release.path.as_str()) {
        return LinkedRelease::read(directory, data, Whose::Manifest, progress);
    }
    // The numbering says more than a linkage: which record of a person is which.
    if entry.numbering().is_some() {
        return LinkedRelease::read(directory, data, Whose::Entry(entry), progress);
    }
    let Some(file) = entry.linkage.as_ref().filter(|file| Path::new(&file.path).is_file()) else {
        return Err(not_at_hand("nothing says whose its records are"));
    };
    let linkage = Source::file(&file.path);
    let linked = LinkedRelease::read(directory, data, Whose::Linkage(&linkage), progress)?;
    match fingerprint(ledger, &linkage)? == file.fingerprint {
        true => Ok(linked),
        false => Err(not_at_hand("its linkage was changed")),
    }
}

/// The fingerprint of what was read, as the ledger writes it.
fn fingerprint(ledger: &Ledger, source: &Source) -> Result<Option<String>, Failure> {
    let key = Key::beside(ledger.path())?;
    Ok(source.digest().map(|digest| key.fingerprint_of(&digest)))
}

/// Reads the data of an entry again, if they are still what they were.
fn data_of(ledger: &Ledger, entry: &Entry, progress: &Progress) -> Result<Dataset, Failure> {
    let gone = || not_at_hand("the data it was made from are gone, or were changed");
    let files = entry.files().ok_or_else(gone)?;
    // Opening a pipe of that name would wait until another process writes to it.
    files.data.path().filter(|path| path.is_file()).ok_or_else(gone)?;
    let method: &'static dyn Method = catalogue::method(&entry.method.name)?;
    // Places, taxonomies and the like are not needed to see whose a record is.
    let needs = Descriptor { needs: &[], ..*method.descriptor() };
    let loaded = load(&files, &needs, progress).map_err(|failure| match failure.class {
        Class::Interrupted => failure,
        _ => gone(),
    })?;
    match entry.is_made_from(ledger, &files.data)? {
        true => Ok(loaded.data),
        false => Err(gone()),
    }
}

/// Records that were drawn from a model.
const SYNTHETIC: &str = "no person stands behind synthetic records, so there is no crowd to look for";

/// The promises that a release keeps beside the first one.
fn also_kept(manifest: &Manifest) -> Vec<Named> {
    let also = manifest.also.iter();
    let named = also
        .map(|also| Named { name: also.promise.name.clone(), parameters: also.promise.parameters.clone() });
    named.collect()
}

fn not_at_hand(why: &str) -> Failure {
    Failure::new(Class::BadInput, why)
}

fn published(table: &Table, columns: &[String]) -> Table {
    let chosen = table.columns.iter().filter(|column| columns.contains(&column.name));
    Table { columns: chosen.cloned().collect() }
}
