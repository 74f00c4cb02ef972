//! Measures against numbers that were worked out by hand or by brute force.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod by_hand;
mod catalogue;
mod possible_worlds;
