//! Methods that publish sequences: trips, check-ins, click-streams.

pub mod feasibility;
pub mod groups;
pub mod proximity;
pub mod rare;
mod seqanon;

pub use seqanon::{SdSeqanon, Seqanon, USeqanon};
