//! Methods for sets, against code written for the tests alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod constrained;
mod cuts;
mod diffpart;
mod disassociation;
mod policy;
mod world;
