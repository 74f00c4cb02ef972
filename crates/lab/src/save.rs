//! Gives a release its name and records it. The release, its linkage, its line in the ledger and what the publisher keeps of the run
//! belong together.
//!
//! # Guarantees
//! The entry is drafted before the release has its name, and an intent is left beside the ledger: whatever happens in between, the next
//! run finds it and finishes the ledger. From the moment the release has its name, no signal ends the process until all of it is written.

use std::path::{Path, PathBuf};

use throng_contract::{Class, Failure, Progress};
use throng_data::{Finishing, StagedDir};
use throng_release::Made;
use throng_release::clock::Clock;
use throng_release::directory::LinkageFile;

use crate::{KeptRun, Recipe};
use throng_ledger::{
    Intent, Ledger, Location, MAX_COMPARED, Note, Recorded, Settled, Together, compare_before_writing, draft,
    now, record,
};
use throng_report::{InternalReport, with_written_files};

/// The place of a release, reserved under a hidden name. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Place {
    pub(crate) staged: StagedDir,
    pub(crate) linkage: Option<PathBuf>,
}

/// What is written with a release, beside its directory.
#[derive(Default)]
pub struct Saving<'a> {
    /// The ledger that records it now.
    pub ledger: Option<&'a Ledger>,
    /// A file for the entry of a ledger that may record it later.
    pub later: Option<(&'a Path, &'a Ledger)>,
    /// What is said of the release for the ledger alone.
    pub note: Note,
    /// What happens to a release that breaks its promise together with an earlier one.
    pub together: Together,
    /// What the publisher keeps to repeat the run.
    pub kept: Option<(KeptRun, &'a Recipe)>,
    /// The publisher's own report.
    pub internal: Option<InternalReport>,
}

/// A release that was saved.
#[derive(Debug)]
pub struct Saved {
    /// The release, and how it came about.
    pub made: Made,
    /// Its line in the ledger, and what earlier releases make of it.
    pub recorded: Option<Recorded>,
    /// Holds signals back until it is dropped. A program that does nothing else calls [`Finishing::is_done`].
    pub finishing: Finishing,
}

/// Writes and records all of a release, or nothing. `warn` is told what the publisher should know before the release has its name, and
/// where something beside it failed.
pub fn save(
    mut made: Made,
    place: Place,
    saving: Saving<'_>,
    progress: &Progress,
    warn: &dyn Fn(&str),
) -> Result<Saved, Failure> {
    let Saving { ledger, later, note, together, kept, internal } = saving;
    let Place { staged, linkage } = place;
    let mut clock = Clock::after(std::mem::take(&mut made.timings));
    let linkage_file = made.write_rows(&staged, linkage.as_deref(), progress)?;
    let page = with_written_files(&made.page, &made.manifest);
    let manifest_sha256 = made.write_evidence(&staged, page, progress)?;
    let directory = made.target.directory.clone();
    let lies = Location { directory: &directory, linkage: linkage.as_deref() };
    let recording = match ledger {
        Some(ledger) => {
            let entry = draft(ledger, &made, lies, &note, now())?;
            let most = if together == Together::Refuse { usize::MAX } else { MAX_COMPARED };
            let compared = compare_before_writing(ledger, &made, &entry, most, progress)?;
            // A trial is not published.
            if !entry.trial {
                admit_together(&compared, together, warn)?;
            }
            let intent = ledger.intend(&entry, &manifest_sha256)?;
            Some((ledger, entry, compared, intent))
        }
        None => None,
    };
    // The last moment at which Ctrl-C is heard.
    let finishing = match Finishing::begin(progress) {
        Ok(finishing) => finishing,
        Err(cancelled) => {
            recording.into_iter().for_each(|(.., intent)| intent.settle());
            return Err(cancelled.into());
        }
    };
    if let Err(failure) = give_name(staged, linkage_file) {
        // The release may have its name all the same, where what belongs beside it failed: then it is recorded. What cannot
        // be settled now is settled by the next run.
        drop(recording);
        let settled = ledger.and_then(|ledger| ledger.settle().ok()).unwrap_or_default();
        for number in settled.iter().filter_map(Settled::number) {
            warn(&format!("note: the release itself was made, and is recorded as release {number}"));
        }
        return Err(failure);
    }
    clock.lap("write");
    made.timings = clock.laps;
    if let Some((kept, recipe)) = kept {
        kept.publish(recipe, &made)?;
    }
    let recorded = match recording {
        Some((ledger, entry, compared, intent)) => {
            let recorded =
                record(ledger, entry, compared).map_err(|failure| unrecorded(failure, &directory))?;
            Intent::settle(intent);
            Some(recorded)
        }
        None => None,
    };
    if let Some((file, ledger)) = later
        && let Err(failure) = draft_into(file, ledger, &made, lies, &note)
    {
        // A trial is worth something even where it cannot be recorded.
        warn(&format!("warning: the release cannot be recorded later: {}", failure.message));
    }
    if let Some(internal) = internal {
        internal.write(&made)?;
    }
    Ok(Saved { made, recorded, finishing })
}

/// Gives the release its name, and the linkage behind it.
fn give_name(staged: StagedDir, linkage: Option<LinkageFile>) -> Result<(), Failure> {
    staged.publish()?;
    Ok(linkage.map_or(Ok(()), LinkageFile::commit)?)
}

/// Says what the release breaks together with earlier ones of the same people, or refuses it for that.
fn admit_together(compared: &Recorded, together: Together, warn: &dyn Fn(&str)) -> Result<(), Failure> {
    for earlier in &compared.earlier {
        let broken = earlier.broken();
        let unknown = earlier.not_compared().filter(|_| together == Together::Refuse);
        let (number, directory) = (earlier.number, &earlier.directory);
        let why = match (broken.as_slice(), unknown) {
            ([], None) => continue,
            ([], Some(why)) => {
                format!("cannot be compared with release {number} (`{directory}`) of the same people: {why}")
            }
            (broken, _) => {
                let broken = broken.join("; ");
                format!("breaks its promise together with release {number} (`{directory}`): {broken}")
            }
        };
        if together == Together::Refuse {
            let message = format!("nothing was written: the release {why}");
            return Err(Failure::new(Class::Refused, message).with_help(
                "make it safe together with a table of before with {after DIRECTORY}, publish the earlier one again, or say {together warn}",
            ));
        }
        warn(&format!("warning: the release, which is not written yet, {why}"));
    }
    Ok(())
}

fn unrecorded(mut failure: Failure, directory: &Path) -> Failure {
    let directory = directory.display();
    failure.message = format!(
        "the release is in `{directory}`, but its ledger entry is incomplete, and the next run will finish it: {}",
        failure.message
    );
    failure
}

/// Writes down what a ledger may record later.
fn draft_into(
    file: &Path,
    ledger: &Ledger,
    made: &Made,
    lies: Location<'_>,
    note: &Note,
) -> Result<(), Failure> {
    ledger.prepare()?;
    let entry = draft(ledger, made, lies, note, now())?;
    let text = serde_json::to_string(&entry).expect("an entry has string keys only");
    std::fs::write(file, text).map_err(|error| {
        Failure::new(Class::Refused, format!("`{}` cannot be written: {error}", file.display()))
    })
}
