//! From raw points to sequences, and synthetic worlds.
//!
//! * [`points`]: raw points, cleaned, cut into trips, and written as sequences of cells or regions.
//! * [`grid`]: a uniform grid. [`regions`]: regions of interest from a grid of densities, a bare one, too.
//! * [`units`]: distances, durations and speeds as people write them.
//! * [`worlds`]: synthetic data with the character of the papers' data, of any size.

pub mod grid;
pub mod points;
pub mod regions;
pub mod units;
pub mod worlds;
