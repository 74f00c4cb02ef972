//! A release as a reader of its directory sees it.
//!
//! [`Published`] is what lies in the directory and nothing else; [`read_release`] also believes what the manifest says of
//! it, for measures and attacks. Verdicts come from the first (see [`crate::verify()`]).

mod chunks;
mod counts;
mod items;
mod people;
mod places;

pub use self::people::People;
use self::places::{alphabet, events_file, kind_of, records_file};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use throng_contract::{BodyKind, Class, Failure, Progress};
use throng_data::formats::{
    Defect, Digest, InputError, ReadOptions, Source, parquet_rows, read_dataset, read_record_names,
};
use throng_data::{
    Body, Counts, Cover, Dataset, Dictionary, Domain, EventKind, Hierarchy, RecodedColumn, RecodedTable,
    Records, Release, Role, Rows, Table,
};

use self::chunks::{ChunksFile, is_taken_apart};
pub use self::counts::{CountsFile, counts_file};
pub use self::items::ItemsFile;
use crate::directory::{CLUSTERS, RECORDS};
use crate::manifest::Manifest;

/// More records than any file shows; a manifest that claims them is not followed.
const MAX_RECORDS: u64 = 1 << 28;

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
pub fn read_published(
    directory: &Path,
    manifest: Option<&Manifest>,
    progress: &Progress,
) -> Result<(Release, Dictionary), Failure> {
    read(directory, manifest, None, progress)
}

/// Reads a file of events with items written as in a release. Its people are the records of a release, or those of a file
/// like the data's; their names come with it.
pub fn read_file(
    file: &Source,
    options: &ReadOptions,
    by_record: bool,
    progress: &Progress,
) -> Result<(Release, Dictionary), Failure> {
    let options = match by_record {
        true => self::by_record(),
        false => options.clone(),
    };
    let data = read_dataset(file, &options, progress)?.dataset;
    let (base, alphabet) = alphabet(&data.items, |_| None, file.name())?;
    let release = Release { alphabet, ..Release::identity(Arc::new(base), data.events) };
    Ok((release, data.subjects))
}

fn read(
    directory: &Path,
    manifest: Option<&Manifest>,
    linkage: Option<&Source>,
    progress: &Progress,
) -> Result<(Release, Dictionary), Failure> {
    let published = Published::read(directory, progress)?;
    let people = match (linkage, manifest) {
        (Some(linkage), _) => People::by_linkage(&published.shown(), linkage, progress)?,
        (None, Some(manifest)) if manifest.counts.records > MAX_RECORDS => {
            let message =
                format!("the manifest of `{}` counts more records than there can be", directory.display());
            return Err(Failure::new(Class::BadInput, message)
                .with_help("{throng verify} judges the files without believing their manifest"));
        }
        (None, manifest) => {
            let mut records = published.shown();
            // Records without events are in no events file; a release numbers its records from 1.
            for number in 1..=manifest.map_or(0, |manifest| manifest.counts.records) {
                records.intern(itoa::Buffer::new().format(number));
            }
            People::each(records)
        }
    };
    let kind = match published.is_table() {
        true => EventKind::Absent,
        false if published.chunks.is_some() => EventKind::Set,
        false => manifest.map_or(EventKind::Sequence, |manifest| manifest.kind),
    };
    let members = |item: &str| {
        if let Some(members) = published.items.members(item) {
            return Some(members.clone());
        }
        let listed = &manifest?.generalised;
        let at = listed.binary_search_by(|entry| entry.item.as_str().cmp(item)).ok()?;
        Some(listed[at].members.clone())
    };
    let mut release = published.release(kind, &people, members, progress)?;
    let entries = manifest.map_or(&[][..], |manifest| &manifest.table);
    let entry = |name: &str| entries.iter().find(|entry| entry.name == name);
    let role = |name: &str| entry(name).map_or(Role::QuasiIdentifying, |entry| entry.role);
    let node = |column: &str, text: &str| {
        let nodes = &entry(column)?.nodes;
        let at = nodes.binary_search_by(|node| node.node.as_str().cmp(text)).ok()?;
        Some(nodes[at].members.clone())
    };
    if (published.is_table() || !entries.is_empty())
        && let Some(table) = published.table(&people, role, node, progress)?
    {
        release.body = release.body.beside(table);
    }
    release.suppression.rows = suppressed_rows(&release);
    if let Some(manifest) = manifest {
        release.nature = manifest.nature;
        release.suppression.events_before =
            manifest.counts.events_before.unwrap_or(release.suppression.events_before);
    }
    Ok((release, people.records))
}

/// Takes names in the cells of a table for the nodes of hierarchies that the reader has: a manifest does not list what would tell
/// which values are rare.
pub fn explain_cells(release: &mut Release, hierarchies: &BTreeMap<String, Hierarchy>) {
    for column in release.body.table_mut().into_iter().flat_map(|table| &mut table.columns) {
        let Some(tree) = hierarchies.get(&column.name).map(Hierarchy::tree) else { continue };
        for cover in &mut column.covers {
            let Cover::Value(name) = &*cover else { continue };
            let Some(node) = tree.find(name).filter(|node| !tree.is_leaf(*node)) else { continue };
            let leaves = tree.leaves_under(node).into_iter();
            let mut members: Vec<String> = leaves.map(|leaf| tree.name(leaf).to_owned()).collect();
            members.sort_unstable();
            *cover = Cover::Node { name: name.clone(), members: members.into() };
        }
    }
}

/// How many rows of a table say nothing.
pub fn suppressed_rows(release: &Release) -> u64 {
    let Some(table) = release.table() else { return 0 };
    (0..release.people()).filter(|subject| table.is_suppressed(*subject)).count() as u64
}

/// The files of a release directory. Items are as they are written, and every record stands for itself.
pub struct Published {
    /// The events; `items` are written items, `subjects` records.
    pub data: Dataset,
    /// The file they were read from; a table has none.
    pub events: Option<Source>,
    /// What generalised items stand for.
    pub items: ItemsFile,
    /// The published attributes, if there are any.
    pub attributes: Option<Attributes>,
    /// Clusters and chunks, where records were taken apart. The events are then empty.
    pub chunks: Option<ChunksFile>,
    /// Counts of people; where there are some, there is nothing else.
    pub counts: Option<CountsFile>,
}

/// The file of published attributes.
pub struct Attributes {
    /// Its name in the directory.
    pub name: &'static str,
    /// The records that have a row.
    pub records: Dictionary,
    /// The names of its columns but for `record`.
    pub columns: Vec<String>,
    /// What was read.
    pub digest: Option<Digest>,
    held: Source,
}

fn by_record() -> ReadOptions {
    ReadOptions { subject: Some("record".to_owned()), ..ReadOptions::default() }
}

impl Published {
    /// Reads the files, whatever any manifest says.
    pub fn read(directory: &Path, progress: &Progress) -> Result<Self, Failure> {
        let events = events_file(directory)?;
        // Counts beside records belong to no release: `verify` names them, and the records are judged.
        let counts = match events.is_some() || records_file(directory).is_some() {
            true => None,
            false => CountsFile::read(directory)?,
        };
        if let Some(release) = events.as_ref().filter(|_| is_taken_apart(directory)) {
            return Published::read_chunks(directory, release.clone());
        }
        let options = ReadOptions { item: Some("item".to_owned()), ..by_record() };
        let data = match &events {
            None => None,
            Some(events) => Some(match read_dataset(events, &options, progress) {
                Ok(read) => read.dataset,
                Err(error) if has_no_row(&error, events) => {
                    Dataset::from_records(EventKind::Sequence, std::iter::empty::<(&str, [&str; 0])>())
                }
                Err(error) => Err(error)?,
            }),
        };
        let attributes = match records_file(directory) {
            Some(name) => {
                let source = Source::file(directory.join(name));
                let held = if name == RECORDS { source.held()? } else { parquet_rows(&source)? };
                let (records, columns) = read_record_names(&held, &by_record())?;
                Some(Attributes { name, records, columns, digest: source.digest(), held })
            }
            None => None,
        };
        let data = match (data, &attributes) {
            (Some(data), _) => data,
            (None, attributes) => {
                let records = attributes.as_ref().map(|attributes| attributes.records.clone());
                Dataset::from_table(records.unwrap_or_default(), Table::default())
            }
        };
        let data = match &counts {
            Some(file) => {
                let no_people = std::iter::empty::<(&str, [&str; 0])>();
                let data = Dataset::from_records(EventKind::Sequence, no_people);
                Dataset { items: Arc::new(file.items.clone()), ..data }
            }
            None => data,
        };
        let items = ItemsFile::read(directory, &data.items)?;
        Ok(Published { data, events, items, attributes, chunks: None, counts })
    }

    /// Reads records that were taken apart.
    fn read_chunks(directory: &Path, release: Source) -> Result<Self, Failure> {
        let mut read = ChunksFile::read(&release, &Source::file(directory.join(CLUSTERS)))?;
        let no_people = std::iter::empty::<(&str, [&str; 0])>();
        let mut data = Dataset::from_records(EventKind::Set, no_people);
        data.items = Arc::new(std::mem::take(&mut read.items));
        let items = ItemsFile::read(directory, &data.items)?;
        let events = Some(release);
        Ok(Published { data, events, items, attributes: None, chunks: Some(read), counts: None })
    }

    /// Which body its files hold. Whether columns beside events were recoded with them is only known from a manifest: here they are records.
    pub fn body(&self) -> BodyKind {
        match (&self.chunks, &self.counts) {
            (Some(_), _) => BodyKind::Chunks,
            (None, Some(_)) => BodyKind::Counts,
            (None, None) if self.is_table() => BodyKind::Table,
            (None, None) => BodyKind::Records,
        }
    }

    /// Whether the release is a table, without events.
    pub fn is_table(&self) -> bool {
        self.events.is_none() && self.counts.is_none()
    }

    /// The cells of a table, alone or beside events, for a reader to whom `role` says what a column is, and `members` what a name in a column
    /// stands for. What a column holds is read off its cells.
    pub fn table(
        &self,
        people: &People,
        role: impl Fn(&str) -> Role,
        members: impl Fn(&str, &str) -> Option<Vec<String>>,
        progress: &Progress,
    ) -> Result<Option<RecodedTable>, Failure> {
        let Some(attributes) = &self.attributes else { return Ok(None) };
        let table = people.as_written(attributes, progress)?;
        let mut columns = Vec::with_capacity(table.columns.len());
        for column in &table.columns {
            let domain = Domain::of(column, None).expect("only a hierarchy can fail to fit");
            let cover = |text: &String| match members(&column.name, text) {
                Some(members) => Some(Cover::Node { name: text.clone(), members: members.into() }),
                None => Cover::parse(text),
            };
            let covers: Option<Vec<Cover>> = domain.values.iter().map(cover).collect();
            let covers = covers.ok_or_else(|| {
                let what = format!(
                    "`{}`: a cell of column `{}` is not well formed",
                    attributes.held.name(),
                    column.name
                );
                Failure::new(Class::BadInput, what).with_help(
                    "several values are written `{a|b|c}`; `{ } | \\` inside a value are escaped with `\\`",
                )
            })?;
            let (name, role) = (column.name.clone(), role(&column.name));
            let kind = kind_of(&covers);
            columns.push(RecodedColumn { name, role, kind, covers, cells: domain.codes });
        }
        Ok(Some(RecodedTable { columns }))
    }

    /// The columns beside events as they are written: every text is a value of its own.
    pub fn columns_as_written(
        &self,
        people: &People,
        role: impl Fn(&str) -> Role,
        progress: &Progress,
    ) -> Result<Option<RecodedTable>, Failure> {
        let Some(attributes) = &self.attributes else { return Ok(None) };
        let table = people.as_written(attributes, progress)?;
        let columns = table.columns.iter().map(|column| RecodedColumn::intact(column, role(&column.name)));
        Ok(Some(RecodedTable { columns: columns.collect() }))
    }

    /// The records that the files show: those with events, then those with attributes alone.
    pub fn shown(&self) -> Dictionary {
        let mut records = self.data.subjects.clone();
        for name in self.attributes.iter().flat_map(|attributes| attributes.records.names()) {
            records.intern(name);
        }
        records
    }

    /// The release, for a reader to whom `members` says what an item with a name of its own stands for. What a short name stands for is
    /// listed in the directory.
    pub fn release(
        &self,
        kind: EventKind,
        people: &People,
        members: impl Fn(&str) -> Option<Vec<String>>,
        progress: &Progress,
    ) -> Result<Release, Failure> {
        let counted = self.counts.as_ref().map_or(RECORDS, |counts| counts.name);
        let file = self.events.as_ref().map_or(counted, Source::name);
        let explained = |name: &str| self.items.short(name).cloned().or_else(|| members(name));
        let (base, alphabet) = alphabet(&self.data.items, explained, file)?;
        let body = match (&self.chunks, &self.counts) {
            (Some(read), _) => Body::Chunks(read.chunks.clone()),
            (None, Some(read)) => Body::Counts(Counts { kind, ..read.counts.clone() }),
            (None, None) if self.is_table() => Body::Table(Rows::of(RecodedTable::default(), people.people)),
            (None, None) => {
                let read = |attributes: &Attributes| people.by_record(&attributes.held, progress);
                let attributes = self.attributes.as_ref().map(read).transpose()?;
                Body::Records(Records { events: people.regroup(&self.data.events, kind), attributes })
            }
        };
        Ok(Release { alphabet, ..Release::of_items(Arc::new(base), body) })
    }
}

/// A header and no row: to the reader an empty file, here a release that lost everything.
fn has_no_row(error: &InputError, file: &Source) -> bool {
    match &*error.defect {
        Defect::HeaderOnly => true,
        // A Parquet file has its columns even without a row.
        Defect::Empty => file.extension().is_some_and(|extension| extension == "parquet"),
        _ => false,
    }
}
