//! A release as a reader of its directory sees it.

use std::path::Path;
use std::sync::Arc;

use throng_contract::{Class, Failure, Progress};
use throng_data::formats::{ReadOptions, Source, read_dataset, read_records};
use throng_data::{
    Dataset, Dictionary, EventKind, Events, EventsBuilder, GeneralisedItem, ItemId, Nature, Release,
    Suppression, Table, parse_item, render_item,
};

use crate::directory::{RECORDS, ReleaseFormat};
use crate::manifest::Manifest;

/// Reads the published files of a release directory. People are records, unless a linkage says otherwise.
pub fn read_release(
    directory: &Path,
    manifest: Option<&Manifest>,
    linkage: Option<&Source>,
    progress: &Progress,
) -> Result<Release, Failure> {
    read(directory, manifest, linkage, progress).map(|(release, _)| release)
}

/// The same with the names of its records, in their order; every record is a person.
pub(crate) fn read_published(
    directory: &Path,
    manifest: Option<&Manifest>,
    progress: &Progress,
) -> Result<(Release, Dictionary), Failure> {
    read(directory, manifest, None, progress)
}

/// Reads a file of events with items written as in a release. Its people are the records of a release, or those of a file
/// like the data's; their names come with it.
pub(crate) fn read_file(
    file: &Source,
    options: &ReadOptions,
    by_record: bool,
    progress: &Progress,
) -> Result<(Release, Dictionary), Failure> {
    let options = match by_record {
        true => ReadOptions { subject: Some("record".to_owned()), ..ReadOptions::default() },
        false => options.clone(),
    };
    let data = read_dataset(file, &options, progress)?.dataset;
    let (base, alphabet) = alphabet(&data.items, None, file.name())?;
    let release = Release { alphabet, ..Release::identity(Arc::new(base), data.events) };
    Ok((release, data.subjects))
}

fn read(
    directory: &Path,
    manifest: Option<&Manifest>,
    linkage: Option<&Source>,
    progress: &Progress,
) -> Result<(Release, Dictionary), Failure> {
    let file = events_file(directory)?;
    let options = ReadOptions {
        subject: Some("record".to_owned()),
        item: Some("item".to_owned()),
        ..ReadOptions::default()
    };
    let data = match manifest {
        // A header and no row is an empty file to the reader; here it is a release that lost everything.
        Some(manifest) if manifest.counts.events_after == 0 => {
            Dataset::from_records(manifest.kind, std::iter::empty::<(&str, [&str; 0])>())
        }
        _ => read_dataset(&file, &options, progress)?.dataset,
    };
    let (base, alphabet) = alphabet(&data.items, manifest, file.name())?;
    let people = match linkage {
        Some(linkage) => People::by_linkage(&data.subjects, linkage, progress)?,
        None => {
            let records = manifest.map_or(0, |manifest| manifest.counts.records as usize);
            People::by_record(&data.subjects, records)
        }
    };
    let attributes = match directory.join(RECORDS) {
        path if path.is_file() => Some(people.attributes(&path, progress)?),
        _ => None,
    };
    let kind = manifest.map_or(EventKind::Sequence, |manifest| manifest.kind);
    let before = manifest.and_then(|manifest| manifest.counts.events_before);
    let length = data.events.len() as u64;
    let nature = manifest.map_or(Nature::Truthful, |manifest| manifest.nature);
    let release = Release {
        base: Arc::new(base),
        alphabet,
        events: people.regroup(data.events, kind),
        attributes,
        suppression: Suppression { events_before: before.unwrap_or(length), ..Suppression::default() },
        nature,
    };
    Ok((release, people.records))
}

fn events_file(directory: &Path) -> Result<Source, Failure> {
    for format in [ReleaseFormat::Csv, ReleaseFormat::Parquet] {
        let path = directory.join(format.file_name());
        if path.is_file() {
            return Ok(Source::file(path));
        }
    }
    let message = format!("`{}` holds neither release.csv nor release.parquet", directory.display());
    Err(Failure::new(Class::BadInput, message)
        .with_help("give a directory that `throng anonymize` wrote, or a data file"))
}

/// What each written item stands for. An item with a name of its own is looked up in the manifest.
fn alphabet(
    written: &Dictionary,
    manifest: Option<&Manifest>,
    file: &str,
) -> Result<(Dictionary, Vec<GeneralisedItem>), Failure> {
    let mut base = Dictionary::new();
    let mut alphabet = Vec::with_capacity(written.len());
    for name in written.names() {
        let listed = manifest.and_then(|manifest| {
            let at = manifest.generalised.binary_search_by(|entry| entry.item.as_str().cmp(name)).ok()?;
            Some(manifest.generalised[at].members.clone())
        });
        let members = listed.or_else(|| parse_item(name)).ok_or_else(|| {
            Failure::new(Class::BadInput, format!("`{file}`: item `{name}` is not well formed")).with_help(
                "several names are written `{a|b|c}`; `{ } | \\` inside a name are escaped with `\\`",
            )
        })?;
        let spelled_out = render_item(members.iter().map(String::as_str)) == name;
        let ids: Vec<ItemId> = members.iter().map(|member| base.intern(member)).collect();
        let mut item = GeneralisedItem::of(ids);
        item.label = (!spelled_out).then(|| name.to_owned());
        alphabet.push(item);
    }
    Ok((base, alphabet))
}

/// All records of a release, those without events included, and whose they are.
struct People {
    /// Names of the records: first those of the events file, in its order, then those without events.
    records: Dictionary,
    /// The person of each record; `None` when every record is a person.
    of_record: Option<Vec<u32>>,
    /// People in all.
    people: usize,
}

impl People {
    /// Every record is a person. A release numbers its records from 1; those without events are in no events file.
    fn by_record(seen: &Dictionary, records: usize) -> Self {
        let mut names = seen.clone();
        for number in 1..=records {
            names.intern(itoa::Buffer::new().format(number));
        }
        People { people: names.len(), records: names, of_record: None }
    }

    /// A linkage reads like a file of events, in which every person has visited their records.
    fn by_linkage(seen: &Dictionary, linkage: &Source, progress: &Progress) -> Result<Self, Failure> {
        let options = ReadOptions {
            subject: Some("subject".to_owned()),
            item: Some("record".to_owned()),
            ..ReadOptions::default()
        };
        let links = read_dataset(linkage, &options, progress)?.dataset;
        let mut records = seen.clone();
        let mut of_record = vec![u32::MAX; seen.len()];
        for person in 0..links.events.subjects() {
            for number in links.events.records_of(person).flat_map(|record| links.events.record(record)) {
                let record = records.intern(links.items.name(*number)) as usize;
                of_record.resize(records.len(), u32::MAX);
                of_record[record] = person as u32;
            }
        }
        let missing = of_record.iter().filter(|person| **person == u32::MAX).count();
        if missing > 0 {
            let seen = seen.len();
            let message =
                format!("`{}` does not say whose {missing} of the {seen} records are", linkage.name());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("give the file that `--linkage` wrote together with this release"));
        }
        Ok(People { records, of_record: Some(of_record), people: links.subjects.len() })
    }

    fn person(&self, record: usize) -> u32 {
        self.of_record.as_ref().map_or(record as u32, |persons| persons[record])
    }

    /// The same records under the people they belong to.
    fn regroup(&self, events: Events, kind: EventKind) -> Events {
        if self.of_record.is_none() && self.records.len() == events.records() && kind == events.kind() {
            return events;
        }
        let timed = events.times().is_some() && kind == EventKind::Sequence;
        let mut builder = EventsBuilder::new(kind, timed);
        for record in 0..self.records.len() {
            if record < events.records() {
                let times = events.times_of(record).unwrap_or_default();
                builder.push(self.person(record), events.record(record), times);
            } else {
                builder.push(self.person(record), &[], &[]);
            }
        }
        builder.finish(self.people)
    }

    /// The published attributes by person. All records of a person have the same ones.
    fn attributes(&self, path: &Path, progress: &Progress) -> Result<Table, Failure> {
        let options = ReadOptions { subject: Some("record".to_owned()), ..ReadOptions::default() };
        let table = read_records(&Source::file(path), &options, &self.records, progress)?;
        let mut row_of = vec![0; self.people];
        for record in 0..self.records.len() {
            row_of[self.person(record) as usize] = record as u32;
        }
        Ok(table.pick(&row_of))
    }
}
