//! Parameters that methods for sets have in common.

use throng_contract::{Setting, SettingKind};
use throng_models::ranges::{KNOWN, PEOPLE};

/// People who must share every set.
pub(crate) const K: Setting =
    Setting { name: "k", kind: PEOPLE, default: Some("5"), help: "people who must share every set of items" };

/// Largest set an attacker may know.
pub(crate) const M: Setting =
    Setting { name: "m", kind: KNOWN, default: Some("2"), help: "items of a person an attacker may know" };

/// How uncertain a secret stays.
pub(crate) const L: Setting = Setting {
    name: "l",
    kind: PEOPLE,
    default: Some("2"),
    help: "how uncertain a sensitive item must stay: one in l",
};

/// The hierarchy of items that come without one.
pub(crate) const FAN_OUT: Setting = Setting {
    name: "fan-out",
    kind: SettingKind::Integer { min: 2, max: 1000 },
    default: Some("5"),
    help: "without a taxonomy: how many neighbours in the order of names become one, level by level",
};
