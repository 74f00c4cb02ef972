//! Methods that publish sequences: trips, check-ins, click-streams.

pub mod exposed;
pub mod feasibility;
pub mod groups;
pub mod proximity;
mod seqanon;

pub use seqanon::{SdSeqanon, Seqanon, USeqanon};
