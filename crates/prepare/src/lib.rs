//! From raw points to sequences, and synthetic worlds.
//!
//! * [`regions`]: regions of interest from a grid of densities; works on a bare grid, too.
//! * [`worlds`]: synthetic data with the character of the papers' data, of any size.

pub mod regions;
pub mod worlds;
