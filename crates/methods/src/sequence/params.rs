//! Parameters that the methods which merge places have in common.

use throng_contract::{Param, ParamKind};
use throng_models::ranges::{KNOWN, PEOPLE};

use super::feasibility::Policy;
use super::proximity::Linkage;

/// People who must share every pattern.
pub(super) const K: Param =
    Param { name: "k", kind: PEOPLE, default: Some("5"), help: "people who must share every itinerary" };

/// Longest pattern an attacker may know.
pub(super) const M: Param =
    Param { name: "m", kind: KNOWN, default: Some("2"), help: "events an attacker may know, in order" };

/// Distance between groups of places.
pub(super) const DISTANCE: Param = Param {
    name: "distance",
    kind: ParamKind::Choice { words: Linkage::WORDS },
    default: Some("average"),
    help: "how far apart two groups of places are, from the distances of their members",
};

/// What to do when lengths alone give people away.
pub(super) const INFEASIBLE: Param = Param {
    name: "infeasible",
    kind: ParamKind::Choice { words: Policy::WORDS },
    default: Some("fail"),
    help: "what to do with records longer than k people's: fail, truncate or drop them",
};

/// How much may be taken away.
pub(super) const MAX_SUPPRESSED: Param = Param {
    name: "max-suppressed",
    kind: ParamKind::Share,
    default: Some("10%"),
    help: "largest share that may be suppressed: of the events by `infeasible`, of the places by `u-seqanon`",
};

/// How `l` is read.
pub(super) const FORM: Param = Param {
    name: "form",
    kind: ParamKind::Choice { words: &["ratio", "count"] },
    default: Some("ratio"),
    help: "ratio: at most one in l people has a given sensitive item; count: at most l people have",
};

/// How uncertain a secret stays.
pub(super) const L: Param = Param {
    name: "l",
    kind: PEOPLE,
    default: Some("2"),
    help: "how uncertain a sensitive item must stay: one in l",
};
