//! The start screen: what there is to choose from, and projects: made, opened, listed, renamed, deleted, packed.

pub mod bundle;
pub mod catalogue;
pub mod projects;
pub mod samples;
