//! The real binary, run as a user runs it. Printed output is pinned as snapshots; after an intended change, run
//! `INSTA_UPDATE=always cargo test -p throng-cli` and review the difference.

#![cfg(unix)]
#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod attack;
mod catalogue;
mod compare;
mod demo;
mod examples;
mod faults;
mod help;
mod hierarchies;
mod inspect;
mod interrupt;
mod items;
mod layers;
mod ledger;
mod limits;
mod long_values;
mod measure;
mod mine;
mod names;
mod person_patterns;
mod pipes;
mod points;
mod policies;
mod program;
mod real_files;
mod recipes;
mod recommend;
mod release;
mod reports;
mod sets;
mod tables;
mod usage;
mod usefulness;
mod verify;
mod wording;

mod workbooks;
mod worlds;
