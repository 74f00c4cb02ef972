//! The methods for columns and events on thousands of small random datasets, judged by the definitions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod judge;
mod keeps;
mod merging;
mod sequences;
mod world;
