//! Patterns in what people do: frequent, closed and maximal sequences.
//!
//! Every support counts people: one person with three records that hold a pattern counts once.

pub mod doublets;
