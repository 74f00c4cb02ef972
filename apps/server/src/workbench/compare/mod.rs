//! The compare screen, and recommendations: methods over a range of settings, side by side. Both are jobs: what they are asked for and
//! started with is in [`commands`], what came of them in [`compared`] and [`recommended`].

pub mod commands;
pub mod compared;
pub mod recommended;
