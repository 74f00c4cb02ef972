//! Parameters that methods for sets have in common.

use throng_contract::{Param, ParamKind};
use throng_models::ranges::{KNOWN, PEOPLE};

/// People who must share every set.
pub(crate) const K: Param =
    Param { name: "k", kind: PEOPLE, default: Some("5"), help: "people who must share every set of items" };

/// Largest set an attacker may know.
pub(crate) const M: Param =
    Param { name: "m", kind: KNOWN, default: Some("2"), help: "items of a person an attacker may know" };

/// How uncertain a secret stays.
pub(crate) const L: Param = Param {
    name: "l",
    kind: PEOPLE,
    default: Some("2"),
    help: "how uncertain a sensitive item must stay: one in l",
};

/// The hierarchy of items that come without one.
pub(crate) const FAN_OUT: Param = Param {
    name: "fan-out",
    kind: ParamKind::Integer { min: 2, max: 1000 },
    default: Some("5"),
    help: "without a taxonomy: how many neighbours in the order of names become one, level by level",
};
