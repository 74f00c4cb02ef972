//! What COAT and PCTA are asked for, and how they are described.

use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Fraction, Input, Key, Need, Product, settings,
};
use throng_models::ranges::KNOWN_OR_NOT_SAID;

use super::super::params::K;

pub(super) const M: Key<u64> = Key::integer_or_max(
    "m",
    KNOWN_OR_NOT_SAID,
    "without a policy: every set of up to so many items is protected",
)
.or("max");

const MAX_SUPPRESSED: Key<Fraction> =
    Key::share("max-suppressed", "largest share of the items that may be suppressed").or("10%");

settings! {
    /// What is promised.
    #[derive(Copy)]
    pub(super) struct Promised {
        k: u64 = K,
        m: u64 = M,
    }
}

settings! {
    /// What COAT is asked for.
    pub(super) struct Asked {
        promised: Promised,
        max_suppressed: Fraction = MAX_SUPPRESSED,
    }
}

pub(super) static COAT: Descriptor = Descriptor {
    name: "coat",
    purpose: "join rare items within the publisher's utility constraints until no set of a privacy policy is rare",
    takes: &[DataKind::Sets],
    needs: &[Need::optional(Input::Policy), Need::optional(Input::Constraints)],
    params: Asked::ALL,
    keeps: Some("policy"),
    product: Some(Product::of(BodyKind::Records).at(1.0, 250.0, 0.1)),
    variants: true,
    paper: "LGM11",
    example: "throng anonymize baskets/events.csv --sets --policy baskets/policy.csv --constraints baskets/constraints.csv --method coat \
              -k 5 --max-suppressed 20% -o release",
    notes: "Needs a privacy policy (`policy`) or `m`. Without utility constraints any items may be joined. Truthful: every \
            published item covers one that was there.",
    ..Descriptor::blank(DescriptorKind::Method)
};

pub(super) static PCTA: Descriptor = Descriptor {
    name: "pcta",
    purpose: "join the items that lose least until no set of a privacy policy is rare",
    needs: &[Need::optional(Input::Policy)],
    params: Promised::ALL,
    paper: "GL12",
    example: "throng anonymize baskets/events.csv --sets --method pcta -k 5 -m 2 -o release",
    notes: "Needs a privacy policy (`policy`) or `m`. Nothing is suppressed, and any items may be joined.",
    ..COAT
};
