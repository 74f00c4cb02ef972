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

mod owners;
use self::owners::{Owners, stands_for};
use std::borrow::Cow;
use std::path::Path;

use throng_contract::{Class, Failure, Fraction, Progress, Settings};
use throng_data::formats::{ReadOptions, Source, read_dataset};
use throng_data::{Body, ChunkKind, Chunks, Dataset, Dictionary, Inputs, ItemId, Nature, Release, Table};
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
