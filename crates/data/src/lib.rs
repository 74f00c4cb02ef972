//! Datasets, taxonomies and releases in memory.
//!
//! Strings are dictionary-coded once at the door; everything behind it works on dense numbers:
//!
//! * [`Dictionary`]: names to numbers and back, in first-seen order.
//! * [`Events`]: who did what in which order, four bytes an event (twelve with time).
//! * [`Dataset`]: what the publisher holds: subjects, events, places, attributes.
//! * [`Taxonomy`]: a tree over item names. [`Table`]: relational attributes with roles.
//! * [`Hierarchy`]: a tree with levels over a column; [`Domain`]: a column coded for methods.
//! * [`DeclaredRange`]: what a column may hold.
//! * [`Inputs`]: what a publisher gives beside the data, by name.
//! * [`Release`]: what is published: recoded events and [`RecodedTable`], what each value [covers](Cover), and what was
//!   suppressed, counted apart.
//! * [`Graph`]: one labelled graph.
//! * [`StagedDir`]: an output directory that appears whole or not at all.
//! * [`load`]: the data and what goes with it, read and fitted together.
//! * [`limits`]: what a run may hold; [`memory`]: how much there is.
//! * [`formats`]: the files all of this is read from and written to; [`recognize`]: what a file is, found by looking at it.

mod cover;
mod dataset;
mod declared;
mod dictionary;
mod domain;
mod events;
pub mod formats;
mod graph;
mod hierarchy;
mod inputs;
pub mod limits;
pub mod load;
pub mod memory;
mod places;
mod query;
mod recoded;
pub mod recognize;
mod release;
mod short_names;
mod staging;
mod table;
mod taxonomy;

pub use cover::Cover;
pub use dataset::Dataset;
pub use declared::DeclaredRange;
pub use dictionary::Dictionary;
pub use domain::Domain;
pub use events::{EventKind, Events, EventsBuilder};
pub use graph::{Edge, Graph, GraphBuilder, LeftOut};
pub use hierarchy::{Hierarchy, HierarchyError};
pub use inputs::{Inputs, SymbolCosts};
pub use places::{Coordinates, Places, Point};
pub use query::{Query, Wanted};
pub use recoded::{RecodedColumn, RecodedTable};
pub use release::{
    Body, ChunkKind, Chunks, Cluster, CountCell, CountTable, Counting, Counts, Forest, GeneralisedItem,
    Layout, Meaning, Mixed, Nature, Records, Release, Rows, Suppression, parse_item, render_item, start_of,
};
pub use short_names::{SHORT, SPELLED_OUT, is_short_name};
pub use staging::{Ended, Finishing, Passing, StagedDir, StagingError, abandon};
pub use table::{Column, ColumnKind, ColumnValues, Role, Table, position};
pub use taxonomy::{NodeId, Taxonomy, TaxonomyError};

/// An item of a dataset's or a release's alphabet.
pub type ItemId = u32;
