//! Releases on disk, from file to directory and back, with a toy method and promise.

#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod beside;
mod chunks;
mod counts;
mod mixed;
mod names;
mod private;
mod reports;
mod runs;
mod toy;
mod verify;
