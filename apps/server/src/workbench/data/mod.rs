//! The data screen: the file, its columns and their roles, rows and edits, maps, points that become places.

pub mod columns;
pub mod edits;
pub mod flows;
pub mod histogram;
pub mod items;
pub mod map;
pub mod overview;
pub mod points;
pub mod summary;
