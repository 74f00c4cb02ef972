//! Methods that publish sequences: trips, check-ins, click-streams.

mod bf_p2ka;
pub mod exposed;
pub mod feasibility;
pub mod groups;
mod kin;
pub mod lkc;
pub mod mutual_information;
mod neighbours;
pub mod ngrams;
pub mod organize;
mod params;
mod patterns;
pub mod proximity;
mod seqanon;
mod suppress;

pub use bf_p2ka::BfP2ka;
pub use lkc::{Lkc, LkcLocal};
pub use mutual_information::{MiBottomUp, MiTopDown};
pub use ngrams::Ngrams;
pub use organize::{Sga, Zga};
pub use seqanon::{SdSeqanon, Seqanon, USeqanon};
pub use suppress::{LmSuppress, Suppress};
