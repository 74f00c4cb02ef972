//! From raw points to sequences, hierarchies, and synthetic worlds.
//!
//! * [`points`]: raw points, cleaned, cut into trips, and written as sequences of cells or regions.
//! * [`events`]: events made coarser or fewer: time bins, groups of items, conditions, shorter records.
//! * [`graphs`]: a made-up graph with planted motifs.
//! * [`item_graph`]: the graph of the items of a dataset.
//! * [`grid`]: a uniform grid. [`regions`]: regions of interest from a grid of densities, a bare one, too.
//! * [`hierarchies`]: generalisation hierarchies by rule, for columns and items.
//! * [`constraints`]: utility constraints by rule: sets of items that may stand for each other.
//! * [`units`]: distances, durations and speeds as people write them.
//! * [`worlds`]: synthetic data with the character of the papers' data, of any size.

pub mod constraints;
pub mod events;
pub mod graphs;
pub mod grid;
pub mod hierarchies;
pub mod item_graph;
pub mod points;
pub mod regions;
pub mod units;
pub mod worlds;
