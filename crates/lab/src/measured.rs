//! Measures a release that was read back, next to the data it was made from.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use throng_contract::{Class, Descriptor, DescriptorKind, Failure, Progress};
use throng_data::formats::Source;
use throng_data::{Dataset, Dictionary, EventKind, Events, GeneralisedItem, ItemId, Nature, Release};
use throng_measure::Comparison;

use crate::alignment::Alignment;
use crate::evaluate::{Evaluated, Wanted, ask, default_measures, fitting, reads};
use throng_data::load::Files;
use throng_release::directory::{MANIFEST, ReleaseFormat};
use throng_release::load::load;
use throng_release::manifest::{Manifest, as_typed};
use throng_release::published::{explain_cells, read_file, read_published};

/// What to measure, and by what.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// The original data, with what measures compare with.
    pub files: Files,
    /// A release directory, or a file of events.
    pub release: Source,
    /// Which record of the release is whose, as `record,subject[,position]`.
    pub linkage: Option<Source>,
    /// Measures asked for by name: one that does not apply is an error. Without any, the usual ones are asked.
    pub wanted: Vec<Wanted>,
    /// Parameters of the usual measures, used by those that have them.
    pub settings: Vec<(String, String)>,
    /// Seed of every random choice.
    pub seed: u64,
}

/// What measures answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// Whether each record of the release was matched with its original.
    pub aligned: bool,
    /// One answer for each measure, in the order of asking.
    pub measures: Vec<Evaluated>,
    /// How far the answers can be relied on.
    pub notes: Vec<String>,
}

/// Reads both and asks.
pub fn measure(measurement: &Measurement, progress: &Progress) -> Result<Measured, Failure> {
    let loaded = load(&measurement.files, &ANY_MEASURE, progress)?;
    let mut notes = loaded.notes;
    let mut data = loaded.data;
    let manifest = match measurement.release.path().and_then(directory_of) {
        Some(directory) => Manifest::read(directory)?,
        None => None,
    };
    let (mut release, aligned) =
        counterpart(measurement, manifest.as_ref(), &mut data, &mut notes, progress)?;
    explain_cells(&mut release, &loaded.inputs.hierarchies);
    let on = Comparison {
        original: &data,
        release: &release,
        aligned,
        inputs: &loaded.inputs,
        seed: measurement.seed,
        progress,
    };
    let usual = || {
        let fitting = fitting(default_measures(), &data).filter(|wanted| reads(wanted, release.body.kind()));
        fitting.map(|wanted| wanted.with_known(&measurement.settings))
    };
    // What the release promises holds for measuring it, where nothing else is said: how large its groups have to be.
    let promised =
        manifest.as_ref().map(|manifest| as_typed(&manifest.promise.parameters)).unwrap_or_default();
    let strict = !measurement.wanted.is_empty();
    let asked: Vec<Wanted> = if strict { measurement.wanted.clone() } else { usual().collect() };
    let measures = asked
        .into_iter()
        .map(|wanted| ask(&on, &wanted.or_known(&promised), strict))
        .collect::<Result<_, _>>()?;
    Ok(Measured { aligned, measures, notes })
}

/// Stands for all measures when data are read: what any of them uses is wanted.
static ANY_MEASURE: Descriptor = Descriptor { name: "measure", ..Descriptor::blank(DescriptorKind::Measure) };

/// The release in the numbers of the original, and whether its records stand where their originals do.
fn counterpart(
    measurement: &Measurement,
    manifest: Option<&Manifest>,
    data: &mut Dataset,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<(Release, bool), Failure> {
    let directory = measurement.release.path().and_then(directory_of);
    let by_record = directory.is_some() || measurement.linkage.is_some();
    let (release, names) = match directory {
        Some(directory) => read_published(directory, manifest, progress)?,
        None => read_file(&measurement.release, &measurement.files.read, by_record, progress)?,
    };
    let mut release = renumber(release, &data.items);
    if (data.events.kind() == EventKind::Absent) != (release.event_kind() == EventKind::Absent) {
        let (one, other) = match release.event_kind() {
            EventKind::Absent => ("a table", "the data have events"),
            _ => ("one of events", "the data are a table"),
        };
        return Err(Failure::new(Class::BadInput, format!("the release is {one}, and {other}")).with_help(
            "give the data that the release was made from; a table needs {quasi A,B,C} or {schema FILE}",
        ));
    }
    match (data.events.kind(), release.event_kind()) {
        (EventKind::Sequence, EventKind::Set) => data.events = data.events.as_sets(),
        (EventKind::Set, EventKind::Sequence) => {
            release.body = release.body.with_events(|events| events.as_sets());
        }
        _ => {}
    }
    if release.body.counts().is_some() {
        notes.push(
            "the release has counts of people, and no records: measures of records do not apply".to_owned(),
        );
    }
    if !release.body.has_rows() {
        // No part of a record, and no count, says whose it is: there is nothing to match.
        return match measurement.linkage {
            None => Ok((release, false)),
            Some(_) => {
                Err(Failure::new(Class::Usage, "this release has no whole records, and so no linkage")
                    .with_help("leave out {linkage}"))
            }
        };
    }
    if release.nature == Nature::Synthetic {
        return match measurement.linkage {
            None => Ok((release, false)),
            Some(_) => Err(Failure::new(Class::Usage, "the records of this release are synthetic")
                .with_help("leave out {linkage}")),
        };
    }
    let alignment = match &measurement.linkage {
        Some(linkage) => Some(Alignment::by_linkage(linkage, data, &names, progress)?),
        None if by_record => None,
        None => Alignment::by_name(data, &names, release.events()),
    };
    match alignment {
        Some(alignment) => {
            release.body = release
                .body
                .with_events(|events| alignment.reorder(&data.events, &events))
                .with_table(|table| table.pick(&alignment.order));
            if !alignment.exact {
                notes.push(
                    "the linkage does not say which record of a person is which: measures that compare record by \
                     record are left out; a new linkage has a column `position`"
                        .to_owned(),
                );
            }
            Ok((release, alignment.exact))
        }
        None => {
            notes.push(
                "records could not be matched with their originals: a measure that compares record by record is left \
                 out unless all events of an item became the same; give the `linkage` to match them"
                    .to_owned(),
            );
            if data.events.records() > data.events.subjects() {
                data.events = data.events.clone().one_subject_per_record();
                notes.push(
                    "records were counted, not people: the release does not say whose they are".to_owned(),
                );
            }
            Ok((release, false))
        }
    }
}

/// The release directory that is meant, also by the file of events inside it.
fn directory_of(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return Some(path);
    }
    let named = |format: ReleaseFormat| {
        path.file_name().is_some_and(|name| name == format.file_name() || name == format.counts_name())
    };
    let parent = path.parent()?;
    let inside = [ReleaseFormat::Csv, ReleaseFormat::Parquet].into_iter().any(named);
    (inside && parent.join(MANIFEST).is_file()).then_some(parent)
}

/// The same release with members numbered as the original's items are, and others after them.
fn renumber(release: Release, items: &Arc<Dictionary>) -> Release {
    let mut base = (**items).clone();
    let number: Vec<ItemId> = release.base.names().map(|name| base.intern(name)).collect();
    let renumbered = |item: GeneralisedItem| {
        let members = item.members.iter().map(|member| number[*member as usize]).collect();
        GeneralisedItem { label: item.label, ..GeneralisedItem::of(members) }
    };
    let alphabet = release.alphabet.into_iter().map(renumbered).collect();
    let base = if base.len() == items.len() { Arc::clone(items) } else { Arc::new(base) };
    Release { base, alphabet, ..release }
}

impl Alignment {
    /// The released records in the places of their originals, under the people they belong to.
    fn reorder(&self, original: &Events, released: &Events) -> Events {
        let mut offsets = Vec::with_capacity(self.order.len() + 1);
        let mut items = Vec::with_capacity(released.len());
        let mut times = released.times().map(|times| Vec::with_capacity(times.len()));
        offsets.push(0);
        for record in self.order.iter().map(|record| *record as usize) {
            items.extend_from_slice(released.record(record));
            if let (Some(times), Some(of_record)) = (&mut times, released.times_of(record)) {
                times.extend_from_slice(of_record);
            }
            offsets.push(items.len() as u64);
        }
        Events::from_parts(released.kind(), original.subject_offsets().to_vec(), offsets, items, times)
    }
}
