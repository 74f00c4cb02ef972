//! Parameters that the methods which merge places have in common.

use throng_contract::{Fraction, Key, settings};
use throng_models::choices::SecretForm;
use throng_models::ranges::{KNOWN, PEOPLE};

use super::feasibility::Policy;
use super::proximity::Linkage;

/// People who must share every pattern.
pub(super) const K: Key<u64> = Key::integer("k", PEOPLE, "people who must share every itinerary").or("5");

/// Longest pattern an attacker may know.
pub(super) const M: Key<u64> = Key::integer("m", KNOWN, "events an attacker may know, in order").or("2");

/// Distance between groups of places.
pub(super) const DISTANCE: Key<Linkage> =
    Key::choice("distance", "how far apart two groups of places are, from the distances of their members")
        .or("average");

/// What to do when lengths alone give people away.
pub(super) const INFEASIBLE: Key<Policy> =
    Key::choice("infeasible", "what to do with records longer than k people's: fail, truncate or drop them")
        .or("fail");

/// How much may be taken away.
pub(super) const MAX_SUPPRESSED: Key<Fraction> = Key::share(
    "max-suppressed",
    "largest share that may be suppressed: of the events by `infeasible`, of the places by `u-seqanon`",
)
.or("10%");

/// How `l` is read.
pub(super) const FORM: Key<SecretForm> = Key::choice(
    "form",
    "ratio: at most one in l people has a given sensitive item; count: at most l people have",
)
.or("ratio");

/// How uncertain a secret stays.
pub(super) const L: Key<u64> =
    Key::integer("l", PEOPLE, "how uncertain a sensitive item must stay: one in l").or("2");

settings! {
    /// The promise, and how places are merged to keep it.
    #[derive(Copy)]
    pub(super) struct Merging {
        k: u64 = K,
        m: u64 = M,
        distance: Linkage = DISTANCE,
    }
}

settings! {
    /// What may be taken away.
    #[derive(Copy)]
    pub(super) struct Limits {
        infeasible: Policy = INFEASIBLE,
        max_suppressed: Fraction = MAX_SUPPRESSED,
    }
}
