//! Timed visits: a doublet is an item together with its time, and a record is a set of doublets.
//!
//! Times strictly increase inside a record and belong to the doublet, so that the order of a sequence is implied and
//! "contains as a subsequence" is the same as "contains as a set". [`DoubletTable`] numbers doublets by time and
//! keeps both views: the doublets of a record, and the records of a doublet. [`maximal()`] finds the maximal frequent
//! sets.

mod maximal;
mod table;

pub use maximal::{FrequentSet, maximal};
pub use table::{Doublet, DoubletError, DoubletTable, Ties};
