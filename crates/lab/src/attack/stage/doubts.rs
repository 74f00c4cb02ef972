//! What makes the numbers of an attack doubtful.

use throng_data::load::Loaded;
use throng_data::{Nature, Release};
use throng_release::manifest::Manifest;

/// What stands between the answers and certainty.
pub(super) fn doubts(release: &Release, manifest: Option<&Manifest>, linked: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if release.nature == Nature::Synthetic {
        notes.push(
            "the records of the release are synthetic, so no person can be looked for in it".to_owned(),
        );
        return notes;
    }
    if linked {
        return notes;
    }
    let several = manifest.and_then(|manifest| {
        let people = manifest.counts.subjects?;
        (manifest.counts.records > people).then_some((manifest.counts.records, people))
    });
    match (several, manifest) {
        (Some((records, people)), _) => notes.push(format!(
            "the release has {records} records of {people} people, and nothing in it says which records are one \
             person's: every record was counted as a person; give the `linkage` to count people"
        )),
        (None, None) => notes.push("there is no manifest: every record was counted as a person".to_owned()),
        (None, Some(_)) => {}
    }
    if manifest.and_then(|manifest| manifest.suppression.as_ref()).is_none_or(|lost| lost.any) {
        notes.push(
            "events were removed, and nothing says which record is whose: attackers were taken to use as many known \
             events as any record holds; give the `linkage` to use what is left of each person's own"
                .to_owned(),
        );
    }
    notes
}

pub(super) fn made_from_other_data(loaded: &Loaded, manifest: Option<&Manifest>) -> Option<String> {
    let counts = manifest?.counts;
    let events = &loaded.data.events;
    let other = |published: Option<u64>, here: usize| published.is_some_and(|there| there != here as u64);
    // Fingerprints are keyed; those of version 0.1.0 were not.
    let published = manifest?.inputs.iter().find(|input| input.role == "data")?.sha256.as_ref();
    let here = loaded.files.iter().find(|input| input.role == "data")?.digest?.to_string();
    let differs = published.is_some_and(|there| *there != here)
        || other(counts.subjects, events.subjects())
        || other(counts.events_before, events.len());
    differs.then(|| "the release was made from another file than these data".to_owned())
}
