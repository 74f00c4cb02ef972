//! The method screen: what fits the data, whether a run makes sense, and the same as a recipe and a command.

pub mod check;
pub mod copy;
pub mod fit;
