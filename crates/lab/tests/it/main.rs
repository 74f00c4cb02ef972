//! Whole runs of the laboratory: from files to releases, comparisons, recommendations and back.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod any_directory;
mod attacks;
mod compare;
mod ledger_0_1_0;
mod pipes;
mod recipes;
mod recommend;
mod releases;
mod same_bytes;
mod secrets;
mod version_0_1_0;
