//! `release.csv` and `clusters.csv` of records that were taken apart, as a reader finds them.

use std::collections::BTreeMap;
use std::path::Path;

use throng_contract::{Class, Failure};
use throng_data::formats::{Digest, Source};
use throng_data::{ChunkKind, Chunks, Cluster, Dictionary, ItemId};

use crate::directory::CLUSTERS;

/// Chunks, and what was read.
#[derive(Debug)]
pub struct ChunksFile {
    /// The chunks; items are numbered as in `items`.
    pub chunks: Chunks,
    /// The items as they are written.
    pub items: Dictionary,
    /// What was read of the list of clusters.
    pub digest: Option<Digest>,
}

/// Whether a directory holds records that were taken apart.
pub fn is_taken_apart(directory: &Path) -> bool {
    directory.join(CLUSTERS).is_file()
}

/// A file of which something is to be said.
struct Table<'a> {
    source: &'a Source,
    header: &'static [&'static str],
}

impl Table<'_> {
    fn bad(&self, what: String) -> Failure {
        Failure::new(Class::BadInput, format!("`{}`: {what}", self.source.name()))
            .with_help("fetch the whole release again: `release.csv` and `clusters.csv` belong together")
    }

    /// Calls back with every row and its line.
    fn each(
        &self,
        mut each: impl FnMut(u64, &csv::StringRecord) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let bytes = self.source.open().and_then(|mut stream| stream.read_all())?;
        let mut rows = csv::ReaderBuilder::new().from_reader(&bytes[..]);
        let header = rows.headers().map_err(|_| self.bad("its first line cannot be read".to_owned()))?;
        if header.iter().ne(self.header.iter().copied()) {
            return Err(self.bad(format!("its columns are not `{}`", self.header.join(","))));
        }
        let mut row = csv::StringRecord::new();
        let mut line = 1;
        loop {
            line += 1;
            match rows.read_record(&mut row) {
                Ok(true) => each(row.position().map_or(line, csv::Position::line), &row)?,
                Ok(false) => return Ok(()),
                Err(_) => return Err(self.bad(format!("line {line} cannot be read"))),
            }
        }
    }

    fn number(&self, line: u64, column: &str, text: &str) -> Result<u64, Failure> {
        let number = text.parse::<u64>().ok().filter(|number| (1..=u64::from(u32::MAX)).contains(number));
        number.ok_or_else(|| self.bad(format!("line {line}: `{column}` is not a whole number from 1 on")))
    }
}

impl ChunksFile {
    /// Reads both files.
    pub fn read(release: &Source, clusters: &Source) -> Result<Self, Failure> {
        let mut chunks = Chunks::new();
        let number = read_clusters(clusters, &mut chunks)?;
        let table = Table { source: release, header: &["cluster", "chunk", "kind", "record", "item"] };
        let mut items = Dictionary::new();
        // Chunks by cluster and number, with their kind and their parts.
        type Parts = BTreeMap<u64, Vec<ItemId>>;
        let mut found: BTreeMap<(u32, u64), (ChunkKind, Parts)> = BTreeMap::new();
        table.each(|line, row| {
            let cluster = table.number(line, "cluster", &row[0])?;
            let cluster = *number.get(&cluster).ok_or_else(|| {
                table.bad(format!("line {line}: cluster {cluster} is not listed in `{CLUSTERS}`"))
            })?;
            let chunk = table.number(line, "chunk", &row[1])?;
            let kind = ChunkKind::parse(&row[2]).ok_or_else(|| {
                table.bad(format!("line {line}: `kind` is not `record`, `shared` or `term`"))
            })?;
            let (known, parts) = found.entry((cluster, chunk)).or_insert_with(|| (kind, Parts::new()));
            if *known != kind {
                return Err(table.bad(format!("line {line}: a chunk has two kinds")));
            }
            // Term chunks have no records; an empty cell in place of the number says the same.
            let record = match (kind, &row[3]) {
                (ChunkKind::Term, _) => parts.len() as u64 + 1,
                (_, text) => table.number(line, "record", text)?,
            };
            let part = parts.entry(record).or_default();
            let item = items.intern(&row[4]);
            if part.contains(&item) {
                return Err(table.bad(format!("line {line}: a record has an item twice")));
            }
            part.push(item);
            Ok(())
        })?;
        for ((cluster, _), (kind, parts)) in found {
            chunks.push_chunk(cluster, kind);
            let mut parts: Vec<Vec<ItemId>> = parts.into_values().collect();
            if kind == ChunkKind::Term {
                parts.sort_unstable();
                parts.dedup();
            }
            parts.into_iter().for_each(|part| chunks.push_part(part));
        }
        Ok(ChunksFile { chunks, items, digest: clusters.digest() })
    }
}

/// Reads the clusters, and returns the place of each by its number in the file. Clusters stand in the order of their numbers.
fn read_clusters(source: &Source, chunks: &mut Chunks) -> Result<BTreeMap<u64, u32>, Failure> {
    let table = Table { source, header: &["cluster", "parent", "size"] };
    let mut rows: BTreeMap<u64, (Option<u64>, u64)> = BTreeMap::new();
    table.each(|line, row| {
        let number = table.number(line, "cluster", &row[0])?;
        let parent = match &row[1] {
            "" => None,
            parent => Some(table.number(line, "parent", parent)?),
        };
        let size = table.number(line, "size", &row[2])?;
        match rows.insert(number, (parent, size)) {
            None => Ok(()),
            Some(_) => Err(table.bad(format!("line {line}: cluster {number} is listed twice"))),
        }
    })?;
    let place: BTreeMap<u64, u32> = rows.keys().copied().zip(0..).collect();
    let mut parents = Vec::with_capacity(rows.len());
    for (number, (parent, size)) in &rows {
        let unknown = || table.bad(format!("the parent of cluster {number} is not listed"));
        let parent = parent.map(|parent| place.get(&parent).copied().ok_or_else(unknown)).transpose()?;
        chunks.push_cluster(Cluster { parent, size: *size });
        parents.push(parent);
    }
    refuse_circles(&parents).map_err(|()| table.bad("some clusters are above themselves".to_owned()))?;
    let people = chunks.clusters().iter().try_fold(0_u64, |sum, cluster| sum.checked_add(cluster.size));
    if people.is_none_or(|people| people > super::MAX_RECORDS) {
        return Err(table.bad("it counts more people than there can be".to_owned()));
    }
    Ok(place)
}

/// Whether every way up ends.
fn refuse_circles(parents: &[Option<u32>]) -> Result<(), ()> {
    // 0: not looked at, 1: on the way, 2: ends.
    let mut state = vec![0_u8; parents.len()];
    for start in 0..parents.len() {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(cluster) = at {
            match state[cluster] {
                0 => state[cluster] = 1,
                1 => return Err(()),
                _ => break,
            }
            way.push(cluster);
            at = parents[cluster].map(|parent| parent as usize);
        }
        way.into_iter().for_each(|cluster| state[cluster] = 2);
    }
    Ok(())
}
