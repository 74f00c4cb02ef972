//! Promises: what "safe" means, and the counter-example when it is not.
//!
//! A promise judges a release and knows nothing of the method that made it. Checkers share no counting code with
//! any method: this crate does not depend on `throng-methods` or `throng-mine`, and must not.

pub mod choices;
mod cover;
mod disassociated;
mod dp;
mod k_counts;
mod klm;
mod km;
mod lkc;
pub mod mi;
mod mixed;
mod p2k;
mod policy;
mod promise;
pub mod ranges;
mod table;

pub use disassociated::DisassociatedKm;
pub use dp::{Budget, BudgetLedger, DifferentialPrivacy, EPSILON, Entry, LedgerError, Spending};
pub use k_counts::KCounts;
pub use klm::KlmAnonymity;
pub use km::KmAnonymity;
pub use lkc::Lkc;
pub use mi::MutualInformation;
pub use mixed::beside::check_beside;
pub use mixed::diverse::KlmDiversity;
pub use mixed::kkm::KkmAnonymity;
pub use p2k::P2k;
pub use policy::Policy;
pub use promise::{Answer, Assumes, CheckError, Evidence, Promise, Verdict, Violation};
pub use table::k_anonymity::KAnonymity;
pub use table::l_diversity::LDiversity;
pub use table::t_closeness::TCloseness;

/// Every promise there is. A new promise is one module and one line here.
pub const ALL: &[&dyn Promise] = &[
    &DifferentialPrivacy,
    &DisassociatedKm,
    &KAnonymity,
    &KkmAnonymity,
    &KCounts,
    &KlmAnonymity,
    &KlmDiversity,
    &KmAnonymity,
    &LDiversity,
    &Lkc,
    &MutualInformation,
    &P2k,
    &Policy,
    &TCloseness,
];

/// The promise of that name.
pub fn find(name: &str) -> Option<&'static dyn Promise> {
    ALL.iter().copied().find(|promise| promise.descriptor().name == name)
}
