//! Every attack we know of, against releases made by the real program: one file an attacker.
//!
//! An attacker reads what is published and nothing else, and brings the knowledge that its file names. A test either shows that
//! the attack fails, or its name ends in `succeeds_and_is_not_covered`: then it is written down in `docs/THREATS.md` as something
//! that no promise of ours speaks about, and the test would fail on the day that this changed.

#![cfg(unix)]
#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod absence;
mod certificates;
mod chunks;
mod columns;
mod composition;
mod counting;
mod empty;
mod fingerprint;
mod forged;
mod identifiers;
mod lying_manifest;
mod measures;
mod membership;
mod minimality;
mod neighbours;
mod order;
mod original_words;
#[path = "../apps/cli/tests/cli/program.rs"]
#[allow(dead_code, reason = "the command line's own tests use the rest of it")]
mod program;
mod published;
mod seed;
mod sole_pattern;
mod spreadsheet;
mod threats;
mod unicity;
mod unjudged;
