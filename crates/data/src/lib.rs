//! Datasets, taxonomies and releases in memory.
//!
//! Strings are dictionary-coded once at the door; everything behind it works on dense numbers:
//!
//! * [`Dictionary`]: names to numbers and back, in first-seen order.
//! * [`Events`]: who did what in which order, four bytes an event (twelve with time).
//! * [`Dataset`]: what the publisher holds: subjects, events, places, attributes.
//! * [`Taxonomy`]: a tree over item names. [`Table`]: relational attributes with roles.
//! * [`Release`]: what is published: recoded events, and what was suppressed, counted apart.
//! * [`StagedDir`]: an output directory that appears whole or not at all.
//! * [`formats`]: the files all of this is read from and written to.

mod dataset;
mod dictionary;
mod events;
pub mod formats;
mod places;
mod release;
mod staging;
mod table;
mod taxonomy;

pub use dataset::Dataset;
pub use dictionary::Dictionary;
pub use events::{EventKind, Events, EventsBuilder};
pub use places::{Coordinates, Places};
pub use release::{GeneralisedItem, Nature, Release, Suppression, parse_item, render_item};
pub use staging::{StagedDir, StagingError};
pub use table::{Column, ColumnValues, Role, Table};
pub use taxonomy::{NodeId, Taxonomy, TaxonomyError};

/// An item of a dataset's or a release's alphabet.
pub type ItemId = u32;
