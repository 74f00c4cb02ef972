//! Parameters that the methods which merge places have in common.

use throng_contract::{Setting, SettingKind};
use throng_models::ranges::{KNOWN, PEOPLE};

use super::feasibility::Policy;
use super::proximity::Linkage;

/// People who must share every pattern.
pub(super) const K: Setting =
    Setting { name: "k", kind: PEOPLE, default: Some("5"), help: "people who must share every itinerary" };

/// Longest pattern an attacker may know.
pub(super) const M: Setting =
    Setting { name: "m", kind: KNOWN, default: Some("2"), help: "events an attacker may know, in order" };

/// Distance between groups of places.
pub(super) const DISTANCE: Setting = Setting {
    name: "distance",
    kind: SettingKind::Choice { words: Linkage::WORDS },
    default: Some("average"),
    help: "how far apart two groups of places are, from the distances of their members",
};

/// What to do when lengths alone give people away.
pub(super) const INFEASIBLE: Setting = Setting {
    name: "infeasible",
    kind: SettingKind::Choice { words: Policy::WORDS },
    default: Some("fail"),
    help: "what to do with records longer than k people's: fail, truncate or drop them",
};

/// How much may be taken away.
pub(super) const MAX_SUPPRESSED: Setting = Setting {
    name: "max-suppressed",
    kind: SettingKind::Share,
    default: Some("10%"),
    help: "largest share that may be suppressed: of the events by `infeasible`, of the places by `u-seqanon`",
};

/// How `l` is read.
pub(super) const FORM: Setting = Setting {
    name: "form",
    kind: SettingKind::Choice { words: &["ratio", "count"] },
    default: Some("ratio"),
    help: "ratio: at most one in l people has a given sensitive item; count: at most l people have",
};

/// How uncertain a secret stays.
pub(super) const L: Setting = Setting {
    name: "l",
    kind: PEOPLE,
    default: Some("2"),
    help: "how uncertain a sensitive item must stay: one in l",
};
