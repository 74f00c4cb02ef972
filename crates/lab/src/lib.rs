//! The catalogue, runs and releases on disk.
//!
//! * [`catalogue`]: every method and promise by name.
//! * [`explain`]: why a release looks the way it does, for the publisher's eyes.

pub mod catalogue;
pub mod explain;
