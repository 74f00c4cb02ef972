//! The door for events: picks the reader for a file.

use throng_contract::Progress;

use super::block::BLOCK;
use super::error::InputError;
use super::options::{Format, Read, ReadOptions};
use super::source::Source;
use super::{lined, long, parquet, table, wide};
use crate::EventKind;

/// Reads events.
///
/// The format is taken from `options`, else from the file's extension; see [`Format`]. Reading streams: beside
/// the dataset itself only a few blocks of text are in memory. With any number of threads the result, and the
/// error if there is one, are the same.
pub fn read_dataset(source: &Source, options: &ReadOptions, progress: &Progress) -> Result<Read, InputError> {
    read_in_blocks(source, options, progress, BLOCK)
}

/// [`read_dataset`] with a chosen block size, so that tests can cut small files into many blocks.
pub(super) fn read_in_blocks(
    source: &Source,
    options: &ReadOptions,
    progress: &Progress,
    block_bytes: usize,
) -> Result<Read, InputError> {
    let mut read = match Format::guess(source, options)? {
        Format::LongCsv => long::read(source, options, progress, block_bytes),
        Format::WideCsv => wide::read(source, options, progress, block_bytes),
        Format::Spmf => lined::read_spmf(source, progress, block_bytes),
        Format::Fimi => lined::read_fimi(source, progress, block_bytes),
        Format::Parquet => parquet::read(source, options, progress),
        Format::Table => table::read(source, options, progress),
    }?;
    if options.sets && read.dataset.events.kind() == EventKind::Sequence {
        read.dataset.events = read.dataset.events.as_sets();
    }
    Ok(read)
}
