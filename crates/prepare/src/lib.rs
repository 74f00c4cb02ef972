//! From raw points to sequences, and synthetic worlds.
//!
//! * [`regions`]: regions of interest from a grid of densities; works on a bare grid, too.

pub mod regions;
