//! A release beside the data it was made from, record by record or at least person by person.
//!
//! Nothing in a release says whose a record is. The publisher can tell all the same: the order of records follows from
//! the secret salt of the run, which the ledger keeps. Where that is not known, or the data were put in another order
//! since, a linkage file has to say it. Releases of version 0.1.0 had no salt: their order follows from data and seed.
//!
//! Where records were taken apart no part says whose it is; the release is made again from the data, with the parameters of its
//! manifest, and compared with its files: then it is known who is in which cluster. Counts have no records: their files are compared as they are.
//!
//! # Guarantees
//! The files of the release are those its manifest speaks of. Where nothing was made up, every released record was found
//! to stand for a record of its person; a release that does not fit is refused.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use throng_contract::{Class, Failure, Fraction, Progress, Settings};
use throng_data::formats::{ReadOptions, Source, read_dataset};
use throng_data::{
    Body, ChunkKind, Chunks, Dataset, Dictionary, EventKind, EventsBuilder, GeneralisedItem, Inputs, ItemId,
    Mixed, Nature, RecodedTable, Release, Rows, Table,
};
use throng_measure::composition::{Demand, DiversityForm, Side};
use throng_methods::Task;
use throng_models::Assumes;

use super::{Entry, Named};
use throng_release::catalogue;
use throng_release::directory::{Shuffle, version_0_1_0};
use throng_release::manifest::{Manifest, as_typed};
use throng_release::published::read_published;
use throng_release::verify::compare_fingerprints;

/// What an attacker knows when a promise speaks of no limit.
const SOME_EVENTS: usize = 3;

/// A release and its data.
#[derive(Debug)]
pub struct LinkedRelease<'a> {
    /// The data.
    pub data: Cow<'a, Dataset>,
    /// The release, over the items and people of the data.
    pub release: Cow<'a, Release>,
    /// The attributes published with it.
    pub attributes: Option<Table>,
    /// Whether each record stands at the place of its original.
    pub by_record: bool,
    /// The promise it makes.
    pub promise: Named,
    /// What it promises beside: l-diversity, t-closeness.
    pub also: Vec<Named>,
}

/// What says whose the records of a release are.
#[derive(Debug, Clone, Copy)]
pub enum Whose<'a> {
    /// The file that was written with it.
    Linkage(&'a Source),
    /// Its entry in the ledger.
    Entry(&'a Entry),
    /// Its manifest, which is enough for releases of version 0.1.0 alone.
    Manifest,
}

/// How records were numbered.
pub enum Numbering {
    /// In the order of a key.
    Keyed([u8; 32]),
    /// As version 0.1.0 did it.
    Version010 {
        /// The seed in the manifest.
        seed: u64,
    },
}

impl Numbering {
    fn shuffle(&self, data: &Dataset, records: usize) -> Shuffle {
        match self {
            Numbering::Keyed(key) => Shuffle::new(*key, records),
            Numbering::Version010 { seed } => version_0_1_0::shuffle(data, records, *seed),
        }
    }
}

impl<'a> LinkedRelease<'a> {
    /// Reads a release directory and finds out whose its records are.
    pub fn read(
        directory: &Path,
        data: Cow<'a, Dataset>,
        whose: Whose<'_>,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let name = directory.display();
        let Some(manifest) = Manifest::read(directory)? else {
            return Err(Failure::new(Class::BadInput, format!("`{name}` has no manifest"))
                .with_help("give a directory that {throng anonymize} wrote"));
        };
        compare_fingerprints(directory, &manifest)?;
        if manifest.nature == Nature::Synthetic {
            return Err(Failure::new(
                Class::Usage,
                format!("the records of `{name}` are synthetic: no person stands behind them"),
            )
            .with_help("budgets of such releases add up instead; see {throng ledger list}"));
        }
        let (published, numbers) = read_published(directory, Some(&manifest), progress)?;
        let also = also_promised(&manifest);
        match &published.body {
            Body::Records(_) | Body::Table(_) | Body::Mixed(_) => {}
            Body::Chunks(chunks) => {
                let release = made_again(directory, &manifest, &published, chunks, &data, progress)?;
                let promise = Named { name: manifest.promise.name, parameters: manifest.promise.parameters };
                return Ok(LinkedRelease {
                    data,
                    release: Cow::Owned(release),
                    attributes: None,
                    by_record: false,
                    promise,
                    also,
                });
            }
            Body::Counts(_) => {
                let promise = Named { name: manifest.promise.name, parameters: manifest.promise.parameters };
                return Ok(LinkedRelease {
                    data,
                    release: Cow::Owned(published),
                    attributes: None,
                    by_record: false,
                    promise,
                    also,
                });
            }
        }
        let numbering = match whose {
            Whose::Linkage(_) => None,
            Whose::Entry(entry) => entry.numbering(),
            Whose::Manifest => of_version_0_1_0(&manifest),
        };
        let owners = match (whose, numbering) {
            (Whose::Linkage(linkage), _) => Owners::by_linkage(linkage, &numbers, &data, progress)?,
            (_, Some(numbering)) => Owners::by_number(&numbering, &manifest, &numbers, &data)
                .ok_or_else(|| does_not_fit(directory))?,
            (_, None) => return Err(no_link_to_people(directory)),
        };
        let by_record = !matches!(whose, Whose::Linkage(_));
        let release = owners.arrange(&published, manifest.kind, &data, by_record);
        let release = release.ok_or_else(|| does_not_fit(directory))?;
        if release.nature == Nature::Truthful && !stands_for(&release, &data, by_record) {
            return Err(does_not_fit(directory));
        }
        let attributes = published.attributes().map(|table| table.pick(&owners.row_of_person(&data)));
        let promise = Named { name: manifest.promise.name, parameters: manifest.promise.parameters };
        Ok(LinkedRelease { data, release: Cow::Owned(release), attributes, by_record, promise, also })
    }

    /// Reads a release of a table, and whose its rows are from the linkage alone: the data are not needed for that.
    pub fn read_table_by_linkage(
        directory: &Path,
        linkage: &Source,
        progress: &Progress,
    ) -> Result<LinkedRelease<'static>, Failure> {
        let names = linked_names(linkage, progress)?;
        let data = Dataset::from_table(names, Table::default());
        LinkedRelease::read(directory, Cow::Owned(data), Whose::Linkage(linkage), progress)
    }

    pub(super) fn side(&self) -> Side<'_> {
        Side {
            original: &self.data,
            release: &self.release,
            attributes: self.attributes.as_ref(),
            by_record: self.by_record,
        }
    }

    /// What its promise assumes of an attacker; nothing where the promise is not known.
    pub(super) fn assumes(&self) -> Assumes {
        let values = self.promise.parameters.iter().map(|(name, value)| {
            (name.as_str(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        });
        let values: Vec<(&str, String)> = values.collect();
        let given = values.iter().map(|(name, value)| (*name, value.as_str()));
        let known = catalogue::promise(&self.promise.name).ok();
        let settings = known.map(|promise| Settings::parse(promise.descriptor(), given));
        match (known, settings) {
            (Some(promise), Some(Ok(settings))) => promise.assumes(&settings),
            _ => Assumes::default(),
        }
    }

    /// What it promises of sensitive values.
    pub(super) fn demand(&self) -> Demand {
        let mut demand = Demand::default();
        for named in self.also.iter().chain([&self.promise]) {
            let number = |name: &str| named.parameter(name).and_then(|text| text.parse::<f64>().ok());
            match named.name.as_str() {
                "l-diversity" => {
                    let form = match named.parameter("form").as_deref() {
                        Some("entropy") => DiversityForm::Entropy,
                        Some("recursive") => DiversityForm::Recursive,
                        _ => DiversityForm::Distinct,
                    };
                    let l = named.parameter("l").and_then(|text| text.parse().ok()).unwrap_or(1);
                    demand.diversity = Some((form, l, number("c").unwrap_or(1.0)));
                }
                "t-closeness" => {
                    let t = named.parameter("t").and_then(|text| text.parse::<Fraction>().ok());
                    let ordered = match named.parameter("emd").as_deref() {
                        Some("ordered") => Some(true),
                        Some("equal") => Some(false),
                        _ => None,
                    };
                    demand.closeness = t.map(|t| (t.to_f64(), ordered));
                }
                _ => {}
            }
        }
        demand
    }

    /// How many events the attackers know whom it speaks of.
    pub(super) fn events(&self) -> usize {
        let limit = self.assumes().known.filter(|known| *known != u64::MAX);
        limit.and_then(|known| usize::try_from(known).ok()).unwrap_or(SOME_EVENTS)
    }
}

/// The promises beside the first one.
fn also_promised(manifest: &Manifest) -> Vec<Named> {
    let named = manifest
        .also
        .iter()
        .map(|also| Named { name: also.promise.name.clone(), parameters: also.promise.parameters.clone() });
    named.collect()
}

/// The people whom a linkage speaks of, in the order of the file.
fn linked_names(linkage: &Source, progress: &Progress) -> Result<Dictionary, Failure> {
    Ok(read_links(linkage, progress)?.subjects)
}

fn read_links(linkage: &Source, progress: &Progress) -> Result<Dataset, Failure> {
    let options = ReadOptions {
        subject: Some("subject".to_owned()),
        item: Some("record".to_owned()),
        ..ReadOptions::default()
    };
    Ok(read_dataset(linkage, &options, progress)?.dataset)
}

/// A release whose records were taken apart, made again from its data: files do not say who is in which cluster.
fn made_again(
    directory: &Path,
    manifest: &Manifest,
    published: &Release,
    chunks: &Chunks,
    data: &Dataset,
    progress: &Progress,
) -> Result<Release, Failure> {
    let method = catalogue::method(&manifest.method.name)?;
    let typed = as_typed(&manifest.method.parameters);
    let given = typed.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let settings = Settings::parse(method.descriptor(), given)?;
    let inputs = Inputs { sensitive_items: manifest.promise.sensitive_items.clone(), ..Inputs::default() };
    let task = Task {
        inputs: &inputs,
        seed: manifest.method.seed.unwrap_or(0),
        variant: manifest.method.variant,
        ..Task::new(data, &settings, progress)
    };
    let Ok(outcome) = method.anonymize(&task) else {
        progress.check()?;
        return Err(does_not_fit(directory));
    };
    let again = outcome.release;
    let everybody = (0..data.events.subjects())
        .filter(|person| data.events.records_of(*person).any(|record| !data.events.record(record).is_empty()))
        .count() as u64;
    let number = |release: &Release, item: ItemId| match release.alphabet[item as usize].members[..] {
        [member] => data.items.find(release.base.name(member)),
        _ => None,
    };
    let of_files = contents(chunks, |item| number(published, item));
    let same = again.body.chunks().is_some_and(|made| {
        made.people() == everybody && contents(made, |item| number(&again, item)) == of_files
    });
    if same { Ok(again) } else { Err(does_not_fit(directory)) }
}

/// What each cluster holds, in no order of clusters and parts; an item that the data do not have is nothing.
fn contents(chunks: &Chunks, number: impl Fn(ItemId) -> Option<ItemId>) -> Vec<(u64, u64, Vec<Held>)> {
    let clusters = chunks.clusters();
    let above = |parent: u32| clusters[parent as usize].size;
    let mut contents: Vec<(u64, u64, Vec<Held>)> =
        clusters.iter().map(|cluster| (cluster.size, cluster.parent.map_or(0, above), Vec::new())).collect();
    for chunk in 0..chunks.len() {
        let part = |part: usize| {
            let mut items: Vec<Option<ItemId>> = chunks.part(part).iter().map(|item| number(*item)).collect();
            items.sort_unstable();
            items
        };
        let mut parts: Vec<Vec<Option<ItemId>>> = chunks.parts(chunk).map(part).collect();
        parts.sort_unstable();
        contents[chunks.cluster(chunk) as usize].2.push((chunks.kind(chunk), parts));
    }
    contents.iter_mut().for_each(|(.., held)| held.sort_unstable());
    contents.sort_unstable();
    contents
}

/// A chunk: its kind and its parts.
type Held = (ChunkKind, Vec<Vec<Option<ItemId>>>);

fn of_version_0_1_0(manifest: &Manifest) -> Option<Numbering> {
    let seed = manifest.method.seed.filter(|_| manifest.is_of_version_0_1_0())?;
    Some(Numbering::Version010 { seed })
}

fn no_link_to_people(directory: &Path) -> Failure {
    Failure::new(
        Class::BadInput,
        format!("nothing at hand says whose the records of `{}` are", directory.display()),
    )
    .with_help("give its linkage file, or the ledger in which it was recorded")
}

fn does_not_fit(directory: &Path) -> Failure {
    Failure::new(
        Class::BadInput,
        format!("the records of `{}` do not fit the data: they were made from others", directory.display()),
    )
    .with_help("give the data exactly as the release was made from them, or its linkage file")
}

/// Whose each record of a release is.
struct Owners {
    /// By published record: the record of the data, if that is known.
    record: Vec<usize>,
    /// By published record: the subject.
    subject: Vec<u32>,
}

impl Owners {
    /// Numbers the records of the data again; `None` when there are not as many.
    fn by_number(
        numbering: &Numbering,
        manifest: &Manifest,
        numbers: &Dictionary,
        data: &Dataset,
    ) -> Option<Self> {
        let records = data.events.records();
        if records != numbers.len() || records as u64 != manifest.counts.records {
            return None;
        }
        let shuffle = numbering.shuffle(data, records);
        let number = |name: &str| name.parse::<usize>().ok()?.checked_sub(1);
        let record: Vec<usize> = numbers
            .names()
            .map(|name| shuffle.order().get(number(name)?).map(|record| *record as usize))
            .collect::<Option<_>>()?;
        let subject = record.iter().map(|record| data.events.subject_of(*record) as u32).collect();
        Some(Owners { record, subject })
    }

    /// Believes a linkage file.
    fn by_linkage(
        linkage: &Source,
        numbers: &Dictionary,
        data: &Dataset,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let links = read_links(linkage, progress)?;
        let mut subject = vec![None; numbers.len()];
        for person in 0..links.events.subjects() {
            let known = data.subjects.find(links.subjects.name(person as u32));
            for number in links.events.records_of(person).flat_map(|record| links.events.record(record)) {
                if let Some(record) = numbers.find(links.items.name(*number)) {
                    subject[record as usize] = known;
                }
            }
        }
        let subject: Option<Vec<u32>> = subject.into_iter().collect();
        let Some(subject) = subject else {
            let message =
                format!("`{}` does not say which people of the data all records belong to", linkage.name());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("give the file that {linkage} wrote together with this release"));
        };
        Ok(Owners { record: (0..subject.len()).collect(), subject })
    }

    /// The release over the items and subjects of the data; `None` when it speaks of items the data do not have.
    fn arrange(
        &self,
        published: &Release,
        kind: EventKind,
        data: &Dataset,
        by_record: bool,
    ) -> Option<Release> {
        let mut order: Vec<usize> = (0..self.record.len()).collect();
        order.sort_by_key(|published| {
            if by_record { (0, self.record[*published]) } else { (self.subject[*published], *published) }
        });
        let people = data.events.subjects();
        let table = published.table().map(|table| self.rows(table, data));
        let events = || {
            let mut builder = EventsBuilder::new(kind, false);
            for record in order {
                builder.push(self.subject[record], published.events().record(record), &[]);
            }
            builder.finish(people)
        };
        let body = match (kind, table) {
            (EventKind::Absent, table) => Body::Table(Rows::of(table.unwrap_or_default(), people)),
            (_, Some(table)) => Body::Mixed(Mixed { events: events(), table }),
            (_, None) => Body::of_events(events()),
        };
        let members = |item: &GeneralisedItem| -> Option<GeneralisedItem> {
            let names = item.members.iter().map(|member| published.base.name(*member));
            let members: Vec<ItemId> = names.map(|name| data.items.find(name)).collect::<Option<_>>()?;
            Some(GeneralisedItem { label: item.label.clone(), ..GeneralisedItem::of(members) })
        };
        Some(Release {
            base: Arc::clone(&data.items),
            alphabet: published.alphabet.iter().map(members).collect::<Option<_>>()?,
            body,
            suppression: published.suppression,
            nature: published.nature,
        })
    }

    /// The rows of a published table in the order of the data; nothing is said of people without a row.
    fn rows(&self, table: &RecodedTable, data: &Dataset) -> RecodedTable {
        let mut picked = table.pick(&self.row_of_person(data));
        let mut absent = vec![true; data.events.subjects()];
        self.subject.iter().for_each(|subject| absent[*subject as usize] = false);
        let absent: Vec<u32> =
            (0..).zip(&absent).filter(|(_, absent)| **absent).map(|(row, _)| row).collect();
        picked.suppress(&absent);
        picked
    }

    /// A published record of each person; all records of a person have the same attributes.
    fn row_of_person(&self, data: &Dataset) -> Vec<u32> {
        let mut rows = vec![0; data.events.subjects()];
        for (record, subject) in (0..).zip(&self.subject) {
            rows[*subject as usize] = record;
        }
        rows
    }
}

/// Whether every released record may stand for its original, or for some record of its person.
fn stands_for(release: &Release, data: &Dataset, by_record: bool) -> bool {
    (0..release.people()).all(|person| {
        release.events().records_of(person).all(|record| {
            let released = release.events().record(record);
            if by_record {
                return may_stand_for(release, released, data.events.record(record));
            }
            let mut originals = data.events.records_of(person);
            originals.any(|original| may_stand_for(release, released, data.events.record(original)))
        })
    })
}

fn may_stand_for(release: &Release, released: &[ItemId], original: &[ItemId]) -> bool {
    let covers = |event: &ItemId, item: &ItemId| release.alphabet[*event as usize].covers(*item);
    match release.event_kind() {
        EventKind::Set => released.iter().all(|event| original.iter().any(|item| covers(event, item))),
        EventKind::Sequence | EventKind::Absent => {
            let mut rest = original.iter();
            released.iter().all(|event| rest.any(|item| covers(event, item)))
        }
    }
}
