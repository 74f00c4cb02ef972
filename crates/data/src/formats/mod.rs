//! Files in and out.
//!
//! Every reader takes a [`Source`] (a path, standard input, memory, or a [`Frame`] of columns; compression is undone, [`Encoding`]s are found) and refuses what
//! it does not understand with an [`InputError`] that names file, line, column and a way out.
//!
//! * Events and tables: [`read_dataset`] and [`open_dataset`], in all [`Format`]s; options that are not given are found by
//!   [`recognize`](crate::recognize).
//! * What belongs to the items: [`read_places`], [`read_taxonomy`], [`read_hierarchy`], [`read_items`], [`read_item_sets`],
//!   [`read_patterns`], [`read_policy`], [`read_queries`], [`read_costs`], [`read_names`], [`read_alphabet`], [`read_name_sets`],
//!   [`read_written_sets`]. To the people: [`read_people`], [`read_records`], [`read_record_names`],
//!   [`read_person_patterns`].
//! * Labelled graphs: [`read_graph`].
//! * Out: [`write_file`] writes all or nothing; [`write_row`] quotes CSV fields that need it.
//! * Pieces for readers of other rooms: [`Blocks`] of whole rows, a [`Header`] with roles, [`Rows`] of fields,
//!   [`TimeReader`].

mod assemble;
mod belongings;
mod binary;
mod block;
mod columns;
mod csv;
mod dataset;
mod digest;
mod encoding;
mod error;
mod foreign;
mod frame;
mod gather;
mod graph;
mod header;
mod lined;
mod lists;
mod long;
mod matrix;
mod options;
mod parquet;
mod person_patterns;
mod pipeline;
mod places;
mod queries;
mod reading;
mod record_names;
mod records;
mod role_names;
mod row;
mod shard;
mod sink;
mod source;
mod stream;
mod table;
mod text;
mod time;
mod wide;
mod zipped;

pub use block::{BLOCK, Block, Blocks};
pub use dataset::{Opened, open_dataset, read_dataset};
pub use digest::Digest;
pub use encoding::Encoding;
pub use error::{Defect, InputError, Shape, Spot};
pub(crate) use foreign::open_text;
pub use foreign::{read_workbook_for_parent, read_workbooks_apart};
pub use frame::{Frame, FrameColumn};
pub use graph::{GraphOptions, read_graph};
pub use header::{Framing, Header};
pub(crate) use header::{guess_delimiter, told_apart};
pub use lists::{
    CUT_FROM_DATA, align_taxonomy, parse_pattern, read_alphabet, read_costs, read_hierarchy, read_item_sets,
    read_items, read_name_sets, read_names, read_patterns, read_policy, read_taxonomy, read_written_sets,
    render_pattern,
};
pub use options::{Format, Read, ReadOptions, ReadShape, Roles, TimeKind};
pub(crate) use parquet::propose as propose_parquet;
pub use parquet::{is_decoding_parquet, parquet_rows};
pub use person_patterns::read_person_patterns;
pub use places::{read_places, read_places_of};
pub use queries::{parse_query, read_queries, render_query};
pub use reading::{READING, READING_FORMAT, ReadingSetting};
pub use records::{People, read_people, read_record_names, read_records};
pub use role_names::{CATEGORY, DATE, ITEM, LAT, LON, RECORD, RoleName, SUBJECT, TIME, X, Y};
pub(crate) use row::split_row;
pub use row::{Layout, Misread, Rows};
pub use sink::{OutputError, Sink, write_field, write_file, write_row};
pub use source::Source;
pub use stream::Stream;
pub use time::TimeReader;

#[cfg(test)]
mod name_tests;
#[cfg(test)]
mod tests;
