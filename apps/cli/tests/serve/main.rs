//! The workbench's server, started as users start it and spoken to over HTTP.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bundles;
mod client;
mod data;
mod edited;
mod faults;
mod jobs;
mod publishing;
mod security;
mod tables;
