//! Anonymisers: one module for each published algorithm.
//!
//! Data in, data out: no files, no clock, no printing. Randomness comes from [`Task::seed`].

pub mod counts;
mod method;
pub mod mixed;
pub mod sequence;
pub mod set;
pub mod table;
mod wait;

pub use method::{Also, Explanation, Method, MethodError, Outcome, Reason, Task, Variant};

/// Every method there is. A new method is one module and one line here.
pub const ALL: &[&dyn Method] = &[
    &sequence::BfP2ka,
    &sequence::MiBottomUp,
    &sequence::MiTopDown,
    &sequence::Seqanon,
    &sequence::SdSeqanon,
    &sequence::USeqanon,
    &sequence::Zga,
    &sequence::Sga,
    &sequence::Lkc,
    &sequence::LkcLocal,
    &sequence::Suppress,
    &sequence::LmSuppress,
    &sequence::Ngrams,
    &set::Apriori,
    &set::Direct,
    &set::Optimal,
    &set::Local,
    &set::Vertical,
    &set::LmApriori,
    &set::LmDirect,
    &set::LmOptimal,
    &set::LmLocal,
    &set::LmVertical,
    &set::Coat,
    &set::Pcta,
    &set::DiffPart,
    &set::Disassociation,
    &table::Incognito,
    &table::Mondrian,
    &table::TopDown,
    &table::BottomUp,
    &table::ClusterRows,
    &mixed::RumBound,
    &mixed::TumBound,
    &mixed::LmRumBound,
    &mixed::LmTumBound,
    &mixed::RelationalFirst,
    &mixed::TransactionFirst,
    &counts::Counted,
    &counts::NoisyCounts,
];

/// Methods that can be named and are offered nowhere: they are there for tests.
const UNLISTED: &[&dyn Method] = &[&wait::WaitForCancel];

/// The method of that name.
pub fn find(name: &str) -> Option<&'static dyn Method> {
    ALL.iter().chain(UNLISTED).copied().find(|method| method.descriptor().name == name)
}
