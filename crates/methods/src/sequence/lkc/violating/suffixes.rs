//! What follows a doublet in the records that hold it, copied side by side.
//!
//! The records of one doublet lie far apart: visiting them costs a few cache misses each, for every doublet they hold.
//! One pass over all records, in order, copies what follows the doublets of a range into blocks that lie together.

use std::ops::Range;

use throng_mine::doublets::DoubletTable;

use super::super::requirement::Sensitive;

/// Doublets whose suffixes are copied together.
pub(super) struct Batch {
    /// The doublets.
    pub doublets: Range<u32>,
    /// How many visits follow each, all records together.
    lengths: Vec<usize>,
}

/// Visits copied at a time: small enough that every thread can hold some, large enough that passes are few.
const AT_A_TIME: usize = 1 << 21;

/// Cuts the doublets into batches of about equally many visits. Depends on the data only, so that results do not depend
/// on the number of threads.
pub(super) fn batches(table: &DoubletTable) -> Vec<Batch> {
    let mut lengths = vec![0_usize; table.len()];
    for record in 0..table.records() as u32 {
        let visits = table.record(record);
        for (position, doublet) in visits.iter().enumerate() {
            lengths[*doublet as usize] += visits.len() - position - 1;
        }
    }
    let mut batches = Vec::new();
    let (mut start, mut total) = (0, 0);
    for at in 0..=lengths.len() {
        let length = lengths.get(at).copied().unwrap_or(AT_A_TIME);
        if at > start && total + length > AT_A_TIME {
            let doublets = start as u32..at as u32;
            batches.push(Batch { doublets, lengths: lengths[start..at].to_vec() });
            (start, total) = (at, 0);
        }
        total += length;
    }
    batches
}

/// One record after a doublet.
#[derive(Clone, Default)]
struct Row<'a> {
    person: u32,
    start: u32,
    end: u32,
    held: &'a [u32],
}

/// The suffixes after each doublet of a batch.
pub(super) struct Suffixes<'a> {
    first: u32,
    /// The rows of each doublet, as a range of `rows`.
    of: Vec<Range<usize>>,
    rows: Vec<Row<'a>>,
    visits: Vec<u32>,
}

impl<'a> Suffixes<'a> {
    /// Copies the suffixes that are at least `shortest` long.
    pub fn copy(table: &DoubletTable, sensitive: &'a Sensitive, batch: &Batch, shortest: usize) -> Self {
        let first = batch.doublets.start;
        let (mut row, mut visit) = (0, 0);
        let mut of = Vec::with_capacity(batch.lengths.len());
        let mut free = Vec::with_capacity(batch.lengths.len());
        for (doublet, length) in batch.doublets.clone().zip(&batch.lengths) {
            of.push(row..row);
            free.push(visit);
            row += table.holders(doublet).len();
            visit += length;
        }
        let mut rows = vec![Row::default(); row];
        let mut copied = vec![0; visit];
        for record in 0..table.records() as u32 {
            let visits = table.record(record);
            let long_enough = visits.len().saturating_sub(shortest);
            for (position, doublet) in visits[..long_enough].iter().enumerate() {
                if !batch.doublets.contains(doublet) {
                    continue;
                }
                let number = (*doublet - first) as usize;
                let suffix = &visits[position + 1..];
                let start = free[number];
                let end = start + suffix.len();
                copied[start..end].copy_from_slice(suffix);
                free[number] = end;
                let person = table.person(record);
                let held = sensitive.of(person);
                rows[of[number].end] = Row { person, start: start as u32, end: end as u32, held };
                of[number].end += 1;
            }
        }
        Suffixes { first, of, rows, visits: copied }
    }

    /// The person of each record of a doublet of the batch, the sensitive values they hold, and what follows.
    pub fn of(&self, doublet: u32) -> impl Iterator<Item = (u32, &'a [u32], &[u32])> {
        let rows = &self.rows[self.of[(doublet - self.first) as usize].clone()];
        rows.iter().map(|row| (row.person, row.held, &self.visits[row.start as usize..row.end as usize]))
    }
}
