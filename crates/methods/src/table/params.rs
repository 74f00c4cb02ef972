//! Parameters that the methods for tables have in common.

use throng_contract::{Setting, SettingKind};
use throng_models::ranges::PEOPLE;

use super::demands::{Distance, Form, Missing};

/// People who must share all quasi-identifying cells.
pub(super) const K: Setting = Setting {
    name: "k",
    kind: PEOPLE,
    default: Some("5"),
    help: "people who must share every combination of quasi-identifying cells",
};

/// Well represented sensitive values in every group; 1 asks for nothing.
pub(super) const L: Setting = Setting {
    name: "l",
    kind: PEOPLE,
    default: Some("1"),
    help: "ask for l-diversity too: sensitive values that must be well represented in every group (1: off)",
};

/// What well represented means.
pub(super) const FORM: Setting = Setting {
    name: "form",
    kind: SettingKind::Choice { words: Form::WORDS },
    default: Some("distinct"),
    help: "what l counts: distinct values, the exponential of their entropy, or recursive (c,l)-diversity",
};

/// The factor of recursive diversity.
pub(super) const C: Setting = Setting {
    name: "c",
    kind: SettingKind::Number { min: 0.000_001, max: 1_000_000.0 },
    default: Some("1"),
    help: "recursive diversity: the most frequent value stays below c times the values from the l-th on",
};

/// How far the sensitive values of a group may be from those of all people; 1 asks for nothing.
pub(super) const T: Setting = Setting {
    name: "t",
    kind: SettingKind::Share,
    default: Some("1"),
    help: "ask for t-closeness too: how far a group's sensitive values may be from those of everybody (1: off)",
};

/// The distance of t-closeness.
pub(super) const EMD: Setting = Setting {
    name: "emd",
    kind: SettingKind::Choice { words: Distance::WORDS },
    default: Some("by-type"),
    help: "distance between sensitive values: equal, ordered, or by the type of the column",
};

/// Where ranges and sets may end.
pub(crate) const BOUNDS: Setting = Setting {
    name: "bounds",
    kind: SettingKind::Choice { words: &["public", "tight"] },
    default: Some("public"),
    help: "ends of ranges, members of sets: public: round steps (of the `range` if one is declared) and blocks of values; tight: values of people in the group",
};

/// What a missing sensitive value counts as.
pub(super) const MISSING: Setting = Setting {
    name: "missing",
    kind: SettingKind::Choice { words: Missing::WORDS },
    default: Some("left-out"),
    help: "missing sensitive values: left-out: they do not count, known values must do alone; value: one more value",
};
