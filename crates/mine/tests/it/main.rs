//! Miners against exhaustive search.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod doublets;
mod itemsets;
mod sequences;
mod subgraphs;
