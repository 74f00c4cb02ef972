//! The methods for tables on thousands of small random tables, judged by the definitions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod after;
mod draw;
mod examples;
mod incognito;
mod judge;
mod keeps;
