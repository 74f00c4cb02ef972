//! Promises against their definitions, by brute force.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod catalogue;
mod disassociated;
mod lkc;
mod mi;
mod original_words;
mod p2k;
