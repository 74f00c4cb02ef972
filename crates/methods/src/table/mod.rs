//! Methods that publish tables: one row a person.
//!
//! * [`quasi`]: a quasi-identifier as codes, with the cost and the name of every cell it may become.
//! * [`demands`]: what is asked of every group: a size, l-diversity, t-closeness.
//! * [`after`]: a second release of a table, safe together with the first, by any of the methods.
//! * [`rows`]: rows that are moved so that groups lie together. [`release`]: from groups to released cells.

pub mod after;
mod bottom_up;
pub mod cluster;
pub mod demands;
mod incognito;
mod mondrian;
pub(crate) mod params;
pub mod public;
pub mod quasi;
pub mod release;
pub mod rows;
pub mod top_down;

pub use bottom_up::BottomUp;
pub use cluster::ClusterRows;
pub use incognito::Incognito;
pub use mondrian::Mondrian;
pub use params::Bounds;
pub use top_down::TopDown;
