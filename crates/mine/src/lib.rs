//! Patterns in what people do.
//!
//! Every support counts people: one person with three records that hold a pattern counts once.
//!
//! * [`Search`]: what to look for; [`Search::sequences`] and [`Search::itemsets`] find it.
//! * [`Miner`], [`miner::ALL`]: the miners, by name.
//! * [`Patterns`]: what was found. [`write()`] prints it.

mod absorbed;
mod best;
mod budget;
pub mod doublets;
pub mod itemsets;
pub mod miner;
mod patterns;
mod search;
pub mod sequences;
pub mod subgraphs;
mod write;

pub use budget::MineError;
pub use miner::Miner;
pub use patterns::{Pattern, Patterns};
pub use search::{Keep, Search, Stop};
pub use write::{Form, Format, write};
