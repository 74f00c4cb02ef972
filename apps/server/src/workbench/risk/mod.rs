//! The risk screen: what attackers could do with the data as they are, as a curve and by trying.

pub mod curve;
pub mod play;
