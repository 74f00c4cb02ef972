//! Parameters that methods for sets have in common.

use throng_contract::{Key, settings};
use throng_models::ranges::{KNOWN, PEOPLE};

/// People who must share every set.
pub(crate) const K: Key<u64> = Key::integer("k", PEOPLE, "people who must share every set of items").or("5");

/// Largest set an attacker may know.
pub(crate) const M: Key<u64> = Key::integer("m", KNOWN, "items of a person an attacker may know").or("2");

/// How uncertain a secret stays.
pub(crate) const L: Key<u64> =
    Key::integer("l", PEOPLE, "how uncertain a sensitive item must stay: one in l").or("2");

/// The hierarchy of items that come without one.
pub(crate) const FAN_OUT: Key<u64> = Key::integer(
    "fan-out",
    2..=1000,
    "without a taxonomy: how many neighbours in the order of names become one, level by level",
)
.or("5");

/// People of a part.
pub(super) const PART_SIZE: Key<u64> = Key::integer(
    "part-size",
    1..=1_000_000_000,
    "people of a part, about; similar people are in one part, and parts are generalised apart",
)
.or("50000");

settings! {
    /// The crowd that is promised.
    #[derive(Copy)]
    pub(super) struct Km {
        k: u64 = K,
        m: u64 = M,
    }
}

settings! {
    /// The crowd that is promised, and how uncertain sensitive items stay.
    #[derive(Copy)]
    pub(super) struct Klm {
        k: u64 = K,
        l: u64 = L,
        m: u64 = M,
    }
}

settings! {
    /// What a method over cuts is asked for.
    pub(super) struct ByCuts {
        crowd: Km,
        fan_out: u64 = FAN_OUT,
    }
}

settings! {
    /// What a method over cuts is asked for where items are sensitive.
    pub(super) struct DiverseByCuts {
        crowd: Klm,
        fan_out: u64 = FAN_OUT,
    }
}

/// What is promised of every set of items that an attacker may know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Promised {
    /// People who must share it.
    pub k: u64,
    /// Its largest size.
    pub m: u64,
    /// At most one in so many of these people may have a sensitive item, if there are any.
    pub l: Option<u64>,
}

impl From<Km> for Promised {
    fn from(Km { k, m }: Km) -> Self {
        Promised { k, m, l: None }
    }
}

impl From<Klm> for Promised {
    fn from(Klm { k, l, m }: Klm) -> Self {
        Promised { k, m, l: Some(l) }
    }
}
