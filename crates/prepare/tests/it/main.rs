//! Preparing data: points, graphs, hierarchies, worlds.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_points;
mod graphs;
mod hierarchies;
mod points;
mod worlds;
