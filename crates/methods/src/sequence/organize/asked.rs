//! What ZGA and SGA are asked for, and how they are described.

use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, choices, settings,
};
use throng_models::choices::SecretForm;

use super::super::params::{DISTANCE, FORM, K, L, Limits, M};
use super::super::proximity::Linkage;

const CLUSTERS: Key<u64> = Key::integer(
    "clusters",
    0..=1_000_000,
    "groups of similar people that are anonymised apart; 0 chooses the number from the data",
)
.or("5");

choices! {
    /// Which place is the most significant bit of a key.
    pub(super) enum PlaceOrder {
        /// The last in Z-order.
        Descending = "descending",
        /// The first in Z-order.
        Ascending = "ascending",
        /// The first of a public list.
        Alphabet = "alphabet",
    }
}

choices! {
    /// Which itinerary is the most significant bit of a key.
    pub(super) enum ItineraryOrder {
        /// The least frequent.
        Descending = "descending",
        /// The most frequent.
        Ascending = "ascending",
    }
}

settings! {
    /// The promise, and how many clusters there are.
    pub(super) struct Promised {
        k: u64 = K,
        l: u64 = L,
        m: u64 = M,
        clusters: u64 = CLUSTERS,
    }
}

settings! {
    /// How the places of a cluster are merged.
    pub(super) struct Within {
        distance: Linkage = DISTANCE,
        form: SecretForm = FORM,
        limits: Limits,
    }
}

settings! {
    /// What ZGA is asked for.
    pub(super) struct ZgaAsked {
        promised: Promised,
        key_order: PlaceOrder = Key::choice(
            "key-order",
            "which place is the most significant bit of a key: the last or first in Z-order, or the list's first",
        )
        .or("descending"),
        within: Within,
    }
}

settings! {
    /// What SGA is asked for.
    pub(super) struct SgaAsked {
        promised: Promised,
        itineraries: u64 = Key::integer(
            "itineraries",
            1..=10_000,
            "frequent itineraries that make up a key (the paper's K)",
        )
        .or("10"),
        key_order: ItineraryOrder = Key::choice(
            "key-order",
            "which itinerary is the most significant bit of a key: the least frequent, or the most frequent",
        )
        .or("descending"),
        within: Within,
    }
}

pub(super) static ZGA: Descriptor = Descriptor {
    name: "zga",
    kind: DescriptorKind::Method,
    purpose: "merge rare places within groups of people who move in the same area, hiding sensitive places too",
    takes: &[DataKind::Sequences],
    needs: &[
        Need::required(Input::Places),
        Need::optional(Input::SensitiveItems),
        Need::optional(Input::Alphabet),
    ],
    params: ZgaAsked::ALL,
    keeps: Some("klm"),
    product: Some(Product::of(BodyKind::Records).at(0.3, 40.0, 0.5)),
    over_parts: None,
    gauge: None,
    variants: true,
    paper: "PSLG-SOA",
    example: "throng anonymize city/events.csv --places city/places.csv --sensitive city/sensitive.csv --method zga \
              -k 5 -l 2 -m 2 -o release",
    notes: "The same place may be published intact for one group of people and merged for another. Sensitive places are \
            published as they are; an attacker who already knows one of them is not covered.",
};

pub(super) static SGA: Descriptor = Descriptor {
    name: "sga",
    purpose: "merge rare places within groups of people who share frequent itineraries, hiding sensitive places too",
    needs: &[Need::required(Input::Places), Need::optional(Input::SensitiveItems)],
    params: SgaAsked::ALL,
    example: "throng anonymize city/events.csv --places city/places.csv --sensitive city/sensitive.csv --method sga \
              -k 5 -l 2 -m 2 -o release",
    ..ZGA
};
