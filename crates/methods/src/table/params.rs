//! Parameters that the methods for tables have in common.

use throng_contract::{Fraction, Key, choices, settings};
use throng_models::choices::{Emd, MissingValue, Variety};
use throng_models::ranges::PEOPLE;

/// People who must share all quasi-identifying cells.
pub(crate) const K: Key<u64> =
    Key::integer("k", PEOPLE, "people who must share every combination of quasi-identifying cells").or("5");

/// Well represented sensitive values in every group; 1 asks for nothing.
const L: Key<u64> = Key::integer(
    "l",
    PEOPLE,
    "ask for l-diversity too: sensitive values that must be well represented in every group (1: off)",
)
.or("1");

/// What well represented means.
const FORM: Key<Variety> = Key::choice(
    "form",
    "what l counts: distinct values, the exponential of their entropy, or recursive (c,l)-diversity",
)
.or("distinct");

/// The factor of recursive diversity.
const C: Key<f64> = Key::number(
    "c",
    0.000_001..=1_000_000.0,
    "recursive diversity: the most frequent value stays below c times the values from the l-th on",
)
.or("1");

/// How far the sensitive values of a group may be from those of all people; 1 asks for nothing.
const T: Key<Fraction> = Key::share(
    "t",
    "ask for t-closeness too: how far a group's sensitive values may be from those of everybody (1: off)",
)
.or("1");

/// The distance of t-closeness.
const EMD: Key<Emd> =
    Key::choice("emd", "distance between sensitive values: equal, ordered, or by the type of the column")
        .or("by-type");

choices! {
    /// Where ranges and sets may end.
    pub enum Bounds {
        /// At round steps, and at the ends of blocks of values.
        Public = "public",
        /// At values of people in the group.
        Tight = "tight",
    }
}

/// Where ranges and sets may end.
pub(crate) const BOUNDS: Key<Bounds> =
    Key::choice(
        "bounds",
        "ends of ranges, members of sets: public: round steps (of the `range` if one is declared) and blocks of values; tight: values of people in the group",
    )
    .or("public");

/// What a missing sensitive value counts as.
const MISSING: Key<MissingValue> =
    Key::choice(
        "missing",
        "missing sensitive values: left-out: they do not count, known values must do alone; value: one more value",
    )
    .or("left-out");

settings! {
    /// What is asked of the sensitive values of a group.
    pub(super) struct OfSecrets {
        l: u64 = L,
        form: Variety = FORM,
        c: f64 = C,
        t: Fraction = T,
        emd: Emd = EMD,
        missing: MissingValue = MISSING,
    }
}
