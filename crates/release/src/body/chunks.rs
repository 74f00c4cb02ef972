//! Records taken apart: `release.csv` with the parts, `clusters.csv` with the groups of people. They have no numbers that anything
//! beside them could refer to.

use throng_contract::Failure;
use throng_data::{Chunks, Events, Release};

use super::{Beside, OutputFiles, records, refused};
use crate::directory::{
    CLUSTERS, ChunkOrder, DirectoryError, ReleaseFormat, SPREADSHEET, write_chunks_csv, write_clusters_csv,
};

/// Refuses what would refer to records, and other formats than CSV.
pub(super) fn admit(beside: Beside) -> Result<(), Failure> {
    let apart = |what: &str| format!("the records of this release were taken apart: {what}");
    match beside {
        Beside { linkage: true, .. } => Err(refused(&apart("no linkage can say whose they are"), "linkage")),
        Beside { columns: true, .. } => {
            Err(refused(&apart("no column of people can be published beside them"), "publish"))
        }
        Beside { format: ReleaseFormat::Parquet, .. } => {
            Err(refused(&apart("they are written as CSV"), "format parquet"))
        }
        _ => Ok(()),
    }
}

/// Why nothing is left, and what to do about it.
pub(super) fn nothing_left(chunks: &Chunks, before: &Events) -> Option<(String, &'static str)> {
    chunks.is_empty().then(|| records::all_lost(before))
}

/// Writes the parts, and the clusters they belong to.
pub(super) fn write(
    release: &Release,
    chunks: &Chunks,
    files: &mut OutputFiles<'_>,
) -> Result<(), DirectoryError> {
    let mut order = ChunkOrder::new(files.key, chunks.clusters().len());
    let (name, progress) = (ReleaseFormat::Csv.file_name(), files.progress);
    files.write("release", name, |path| write_chunks_csv(path, release, chunks, &mut order, progress))?;
    files.copy_for_spreadsheets("release", SPREADSHEET, Some(name), |path| {
        write_chunks_csv(path, release, chunks, &mut order, progress)
    })?;
    files.write("clusters", CLUSTERS, |path| write_clusters_csv(path, chunks, &order))?;
    files.items()
}
