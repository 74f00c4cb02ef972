//! Files in and out.
//!
//! Every reader takes a [`Source`] (a path, standard input or memory; `.gz` and `.zst` are undone) and refuses what
//! it does not understand with an [`InputError`] that names file, line, column and a way out.
//!
//! * Events: [`read_dataset`], in the [`Format`]s long and wide CSV, SPMF, FIMI and Parquet.
//! * What belongs to the items: [`read_places`], [`read_taxonomy`], [`read_hierarchy`], [`read_items`], [`read_item_sets`],
//!   [`read_patterns`], [`read_policy`], [`read_queries`], [`read_costs`], [`read_names`], [`read_name_sets`],
//!   [`read_written_sets`]. To the people: [`read_records`], [`read_record_names`].
//! * Labelled graphs: [`read_graph`].
//! * Out: [`write_file`] writes all or nothing; [`write_row`] quotes CSV fields that need it.
//! * Pieces for readers of other rooms: [`Blocks`] of whole rows, a [`Header`] with roles, [`Rows`] of fields,
//!   [`TimeReader`].

mod assemble;
mod block;
mod columns;
mod csv;
mod dataset;
mod digest;
mod error;
mod gather;
mod graph;
mod header;
mod lined;
mod lists;
mod long;
mod options;
mod parquet;
mod pipeline;
mod places;
mod queries;
mod reading;
mod record_names;
mod records;
mod row;
mod shard;
mod sink;
mod source;
mod table;
mod text;
mod time;
mod wide;

pub use block::{BLOCK, Block, Blocks};
pub use dataset::read_dataset;
pub use digest::Digest;
pub use error::{Defect, InputError, Shape, Spot};
pub use graph::{GraphOptions, read_graph};
pub use header::{Header, ITEM, RECORD, RoleName, SUBJECT, TIME};
pub use lists::{
    CUT_FROM_DATA, align_taxonomy, parse_pattern, read_costs, read_hierarchy, read_item_sets, read_items,
    read_name_sets, read_names, read_patterns, read_policy, read_taxonomy, read_written_sets, render_pattern,
};
pub use options::{Format, Read, ReadOptions, ReadShape, Roles, TimeKind};
pub use parquet::{is_decoding_parquet, parquet_rows};
pub use places::read_places;
pub use queries::{parse_query, read_queries, render_query};
pub use reading::{OptionKind, READING, ReadingOption};
pub use records::{read_record_names, read_records};
pub use row::{Layout, Misread, Rows};
pub use sink::{OutputError, Sink, write_field, write_file, write_row};
pub use source::{Source, Stream};
pub use time::TimeReader;

#[cfg(test)]
mod tests;
