//! Files and folders as the program meets them, from outside the crate.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_files;
mod ending;
mod forms;
mod read_once;
