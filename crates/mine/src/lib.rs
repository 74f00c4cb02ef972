//! Patterns in what people do.
//!
//! Every support counts people: one person with three records that hold a pattern counts once.

pub mod doublets;
pub mod sequences;
