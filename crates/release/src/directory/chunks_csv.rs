//! `release.csv` and `clusters.csv` of records that were taken apart.
//!
//! `release.csv` has `cluster,chunk,kind,record,item`: chunks are numbered from 1 in each cluster, and records, the parts of people's records, from 1 in
//! each chunk. An item of a term chunk is a record of its own: it occurs, and nothing says with what. `clusters.csv` has
//! `cluster,parent,size`, with no parent at the top.
//!
//! # Guarantees
//! Clusters, and the parts of every chunk, are in a random order that comes from the run's key and from nothing in the data. The same place in
//! two chunks says nothing.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use throng_contract::Progress;
use throng_data::formats::write_field;
use throng_data::{ChunkKind, Chunks, Release};

use super::DirectoryError;
use super::sink::HashingWriter;

/// Which number each cluster gets, and the chance that numbers the parts.
pub struct ChunkOrder {
    /// Clusters in the order of their numbers.
    order: Vec<u32>,
    /// The number of each cluster, from 1.
    number: Vec<usize>,
    chance: ChaCha20Rng,
}

impl ChunkOrder {
    /// The order under a key.
    pub fn new(key: [u8; 32], clusters: usize) -> Self {
        let mut chance = ChaCha20Rng::from_seed(key);
        let mut order: Vec<u32> = (0..clusters as u32).collect();
        order.shuffle(&mut chance);
        let mut number = vec![0; clusters];
        for (place, cluster) in order.iter().enumerate() {
            number[*cluster as usize] = place + 1;
        }
        ChunkOrder { order, number, chance }
    }
}

/// Writes the chunks and returns the file's fingerprint.
pub fn write_chunks_csv(
    path: &Path,
    release: &Release,
    chunks: &Chunks,
    order: &mut ChunkOrder,
    progress: &Progress,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = BufWriter::with_capacity(1 << 18, HashingWriter::new(File::create(path).map_err(fail)?));
    let phase = progress.phase("write chunks", Some(order.order.len() as u64));
    file.write_all(b"cluster,chunk,kind,record,item\n").map_err(fail)?;
    let mut cells = Vec::with_capacity(release.alphabet.len());
    for name in release.names() {
        let mut cell = Vec::new();
        write_field(&mut cell, &name).map_err(fail)?;
        cells.push(cell);
    }
    let of_cluster = chunks.by_cluster();
    let (mut prefix, mut rows) = (Vec::new(), Vec::new());
    let mut digits = [itoa::Buffer::new(), itoa::Buffer::new(), itoa::Buffer::new()];
    for cluster in &order.order {
        let [first, second, third] = &mut digits;
        let number = first.format(order.number[*cluster as usize]);
        for (place, chunk) in of_cluster[*cluster as usize].iter().enumerate() {
            let chunk = *chunk as usize;
            let mut parts: Vec<usize> = chunks.parts(chunk).collect();
            // The items of a term chunk stand in the order of their names, which says nothing.
            match chunks.kind(chunk) {
                ChunkKind::Term => parts.sort_by_key(|part| chunks.part(*part).first().copied()),
                ChunkKind::Record | ChunkKind::Shared => parts.shuffle(&mut order.chance),
            }
            prefix.clear();
            for word in [number, second.format(place + 1), chunks.kind(chunk).name()] {
                prefix.extend_from_slice(word.as_bytes());
                prefix.push(b',');
            }
            rows.clear();
            for (record, part) in parts.into_iter().enumerate() {
                let record = third.format(record + 1).as_bytes();
                for item in chunks.part(part) {
                    rows.extend_from_slice(&prefix);
                    rows.extend_from_slice(record);
                    rows.push(b',');
                    rows.extend_from_slice(&cells[*item as usize]);
                    rows.push(b'\n');
                }
            }
            file.write_all(&rows).map_err(fail)?;
        }
        phase.advance(1)?;
    }
    Ok(file.into_inner().map_err(|error| fail(error.into_error()))?.fingerprint())
}

/// Writes the clusters and returns the file's fingerprint.
pub fn write_clusters_csv(
    path: &Path,
    chunks: &Chunks,
    order: &ChunkOrder,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let mut file = BufWriter::with_capacity(1 << 16, HashingWriter::new(File::create(path).map_err(fail)?));
    file.write_all(b"cluster,parent,size\n").map_err(fail)?;
    for cluster in &order.order {
        let at = chunks.clusters()[*cluster as usize];
        let parent = at.parent.map(|parent| order.number[parent as usize].to_string()).unwrap_or_default();
        writeln!(file, "{},{parent},{}", order.number[*cluster as usize], at.size).map_err(fail)?;
    }
    Ok(file.into_inner().map_err(|error| fail(error.into_error()))?.fingerprint())
}

#[cfg(test)]
mod tests {
    use throng_data::{Cluster, Dataset, EventKind};

    use super::*;

    #[test]
    fn parts_and_clusters_are_numbered_by_the_key_alone() {
        let data = Dataset::from_records(EventKind::Set, [("p", ["a", "b", "c,d"])]);
        let release = Release::identity(data.items.clone(), data.events.clone()).in_order_of_names();
        let mut chunks = Chunks::new();
        let joint = chunks.push_cluster(Cluster { parent: None, size: 4 });
        let one = chunks.push_cluster(Cluster { parent: Some(joint), size: 4 });
        chunks.push_chunk(one, ChunkKind::Record);
        chunks.push_part([0, 1]);
        chunks.push_part([1]);
        chunks.push_chunk(one, ChunkKind::Term);
        chunks.push_part([2]);
        let written = |key: u8| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file.csv");
            let mut order = ChunkOrder::new([key; 32], 2);
            write_chunks_csv(&path, &release, &chunks, &mut order, &Progress::silent()).unwrap();
            let rows = std::fs::read_to_string(&path).unwrap();
            write_clusters_csv(&path, &chunks, &order).unwrap();
            (rows, std::fs::read_to_string(&path).unwrap())
        };
        assert_eq!(written(1), written(1));
        let different: std::collections::BTreeSet<_> = (0..20).map(written).collect();
        assert_eq!(different.len(), 4, "two orders of clusters, and two of parts");
        for (rows, clusters) in different {
            assert!(rows.starts_with("cluster,chunk,kind,record,item\n"), "{rows}");
            assert!(rows.contains(",2,term,1,\"c,d\"\n"), "{rows}");
            assert!(clusters.contains(",,4\n") && clusters.lines().count() == 3, "{clusters}");
        }
    }
}
