//! A release as a reader of its directory sees it.

use std::path::Path;
use std::sync::Arc;

use throng_contract::{Class, Failure, Progress};
use throng_data::formats::{ReadOptions, Source, read_dataset};
use throng_data::{
    Dataset, Dictionary, EventKind, Events, EventsBuilder, GeneralisedItem, ItemId, Nature, Release,
    Suppression, parse_item, render_item,
};

use crate::directory::ReleaseFormat;
use crate::manifest::Manifest;

/// Reads the published files of a release directory. People are records, unless a linkage says otherwise.
pub fn read_release(
    directory: &Path,
    manifest: Option<&Manifest>,
    linkage: Option<&Source>,
    progress: &Progress,
) -> Result<Release, Failure> {
    let file = events_file(directory)?;
    let options = ReadOptions {
        subject: Some("record".to_owned()),
        item: Some("item".to_owned()),
        ..ReadOptions::default()
    };
    let data = read_dataset(&file, &options, progress)?.dataset;
    let (base, alphabet) = alphabet(&data.items, manifest, file.name())?;
    let people = People::new(&data, manifest, linkage, progress)?;
    let kind = manifest.map_or(EventKind::Sequence, |manifest| manifest.kind);
    let before = manifest.map_or(data.events.len() as u64, |manifest| manifest.counts.events_before);
    let nature = manifest.map_or(Nature::Truthful, |manifest| manifest.nature);
    Ok(Release {
        base: Arc::new(base),
        alphabet,
        events: people.regroup(data.events, kind),
        attributes: None,
        suppression: Suppression { events_before: before, ..Suppression::default() },
        nature,
    })
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

/// Which person each record of the file belongs to, and how many records the file does not show.
struct People {
    /// The person of each record; empty when record `r` is person `r`.
    of_record: Vec<u32>,
    /// People in all, those without events included.
    people: usize,
    /// The person of each record without events.
    unseen: Vec<u32>,
}

impl People {
    fn new(
        data: &Dataset,
        manifest: Option<&Manifest>,
        linkage: Option<&Source>,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let seen = data.subjects.len();
        let Some(linkage) = linkage else {
            let records = manifest.map_or(seen, |manifest| manifest.counts.records as usize).max(seen);
            let unseen = (seen as u32..records as u32).collect();
            return Ok(People { of_record: Vec::new(), people: records, unseen });
        };
        // A linkage is a file of events in which every subject has visited its records.
        let options = ReadOptions {
            subject: Some("subject".to_owned()),
            item: Some("record".to_owned()),
            ..ReadOptions::default()
        };
        let links = read_dataset(linkage, &options, progress)?.dataset;
        let mut of_record = vec![u32::MAX; seen];
        let mut unseen = Vec::new();
        for person in 0..links.events.subjects() {
            for record in links.events.records_of(person) {
                for number in links.events.record(record) {
                    match data.subjects.find(links.items.name(*number)) {
                        Some(record) => of_record[record as usize] = person as u32,
                        None => unseen.push(person as u32),
                    }
                }
            }
        }
        let missing = of_record.iter().filter(|person| **person == u32::MAX).count();
        if missing > 0 {
            let message =
                format!("`{}` does not say whose {missing} of the {seen} records are", linkage.name());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("give the file that `--linkage` wrote together with this release"));
        }
        Ok(People { of_record, people: links.subjects.len(), unseen })
    }

    /// The same records under the people they belong to.
    fn regroup(&self, events: Events, kind: EventKind) -> Events {
        if self.of_record.is_empty() && self.unseen.is_empty() && kind == events.kind() {
            return events;
        }
        let mut builder = EventsBuilder::new(kind, events.times().is_some() && kind == EventKind::Sequence);
        for record in 0..events.records() {
            let person = self.of_record.get(record).copied().unwrap_or(record as u32);
            builder.push(person, events.record(record), events.times_of(record).unwrap_or_default());
        }
        self.unseen.iter().for_each(|person| builder.push(*person, &[], &[]));
        builder.finish(self.people)
    }
}
