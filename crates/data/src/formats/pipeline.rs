//! Reads a text file block by block: one batch of blocks is parsed by all cores while the batch before is put
//! into the dataset and the batch after is read.

use std::sync::Mutex;

use rayon::prelude::*;
use throng_contract::{Cancelled, Phase, Progress};

use super::assemble::Assembly;
use super::block::{Block, Blocks};
use super::columns::Columns;
use super::error::InputError;

/// Blocks of a batch for each thread: at the end of a batch threads wait for the last block, and with many blocks that is seldom.
const BLOCKS_A_THREAD: usize = 8;

/// Turns the rows of a block into events, without looking at any other block.
pub(super) trait Parse: Sync {
    /// Adds the events of a block to empty `columns`.
    fn parse(&self, block: &Block, columns: &mut Columns) -> Result<(), InputError>;
}

/// Parses all blocks, `first` before what `blocks` still holds, into `assembly`. The error reported is that of
/// the earliest block, with any number of threads.
pub(super) fn run(
    first: Block,
    blocks: &mut Blocks,
    parser: &impl Parse,
    assembly: &mut Assembly,
    progress: &Progress,
) -> Result<(), InputError> {
    let phase = progress.phase("read", blocks.stream().total());
    let batch_size = BLOCKS_A_THREAD * rayon::current_num_threads();
    let spare = Spare::default();
    let mut reported = 0;
    let mut batch = vec![first];
    let mut parsed: Vec<Result<Columns, InputError>> = Vec::new();
    while !batch.is_empty() {
        let shards = assembly.shards();
        let ((appended, next), now) = rayon::join(
            || (append(assembly, std::mem::take(&mut parsed), &spare), blocks.take(batch_size)),
            || batch.par_iter().map(|block| parse(parser, block, shards, &spare)).collect(),
        );
        appended?;
        parsed = now;
        report(&phase, blocks.stream().consumed(), &mut reported)?;
        for block in batch.drain(..) {
            blocks.recycle(block);
        }
        match next {
            Ok(next) => batch = next,
            Err(error) => {
                append(assembly, parsed, &spare)?;
                return Err(error);
            }
        }
    }
    append(assembly, parsed, &spare)
}

/// Emptied columns to use again: fresh memory for every block would cost more than parsing it.
type Spare = Mutex<Vec<Columns>>;

fn parse(parser: &impl Parse, block: &Block, shards: usize, spare: &Spare) -> Result<Columns, InputError> {
    let fitting = |spare: &mut Vec<Columns>| spare.pop().filter(|columns| columns.buckets.len() == shards);
    let mut columns =
        spare.lock().ok().and_then(|mut spare| fitting(&mut spare)).unwrap_or_else(|| Columns::new(shards));
    parser.parse(block, &mut columns)?;
    Ok(columns)
}

fn append(
    assembly: &mut Assembly,
    parsed: Vec<Result<Columns, InputError>>,
    spare: &Spare,
) -> Result<(), InputError> {
    for columns in parsed {
        for mut done in assembly.append(columns?) {
            done.clear();
            if let Ok(mut spare) = spare.lock() {
                spare.push(done);
            }
        }
    }
    Ok(())
}

fn report(phase: &Phase<'_>, consumed: u64, reported: &mut u64) -> Result<(), Cancelled> {
    let step = consumed - *reported;
    *reported = consumed;
    phase.advance(step)
}
