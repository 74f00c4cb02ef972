//! What data are like, what a release is still good for, and what it still gives away.

pub mod profile;

pub use profile::Profile;
