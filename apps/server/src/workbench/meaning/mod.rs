//! The meaning screen: what items and values mean, entry by entry, row by row, as a tree, or made from the data.

pub mod entries;
pub mod generate;
pub mod input_rows;
pub mod taxonomy;
