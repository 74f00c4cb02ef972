//! The ranges of parameters that a promise and the methods which keep it have in common.
//!
//! A value that a method takes and its promise does not would make a release that no reader can verify.

use std::ops::RangeInclusive;

/// A number of people, or one in so many: `k`, `K`, `l`.
pub const PEOPLE: RangeInclusive<u64> = 1..=u32::MAX as u64;

/// A crowd in words: `at least 1 person who fits`, `at least 5 people who fit`.
pub(crate) fn who_fit(k: u64) -> String {
    match k {
        1 => "at least 1 person who fits".to_owned(),
        k => format!("at least {k} people who fit"),
    }
}

/// How many events of a person an attacker knows, in promises about patterns of bounded length: `m`.
pub const KNOWN: RangeInclusive<u64> = 1..=MOST_KNOWN;

/// The same where it may be left unsaid, because something else says what is known.
pub const KNOWN_OR_NOT_SAID: RangeInclusive<u64> = 1..=MOST_KNOWN;

const MOST_KNOWN: u64 = 10;

/// The same where all of a record may be known: `L`.
pub const KNOWN_OR_ALL: RangeInclusive<u64> = 1..=u32::MAX as u64;
