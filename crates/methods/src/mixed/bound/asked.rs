//! What the methods with a bound are asked for, and how they are described.

use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Fraction, Input, Need, Product, settings,
};

use super::super::items::ItemLoss;
use super::super::params::{
    Clustering, DELTA_COLUMNS, DELTA_ITEMS, DiversePublishing, Klm, Km, LOSS, Publishing,
};

settings! {
    /// What RUM-BOUND is asked for.
    pub(super) struct RumAsked {
        crowd: Km,
        delta: Fraction = DELTA_COLUMNS,
        clustering: Clustering,
        publishing: Publishing,
    }
}

settings! {
    /// What TUM-BOUND is asked for.
    pub(super) struct TumAsked {
        crowd: Km,
        delta: Fraction = DELTA_ITEMS,
        loss: ItemLoss = LOSS,
        clustering: Clustering,
        publishing: Publishing,
    }
}

settings! {
    /// What RUM-BOUND is asked for where items are sensitive.
    pub(super) struct LmRumAsked {
        crowd: Klm,
        delta: Fraction = DELTA_COLUMNS,
        clustering: Clustering,
        publishing: DiversePublishing,
    }
}

settings! {
    /// What TUM-BOUND is asked for where items are sensitive.
    pub(super) struct LmTumAsked {
        crowd: Klm,
        delta: Fraction = DELTA_ITEMS,
        loss: ItemLoss = LOSS,
        clustering: Clustering,
        publishing: DiversePublishing,
    }
}

pub(in crate::mixed) static RUM_BOUND: Descriptor = Descriptor {
    name: "rum-bound",
    purpose: "columns and events together: items lose as little as a bound on the loss of columns allows",
    takes: &[DataKind::Mixed],
    needs: &[
        Need::required(Input::Records),
        Need::optional(Input::Hierarchies),
        Need::optional(Input::Taxonomy),
        Need::optional(Input::Places),
        Need::optional(Input::Constraints),
    ],
    params: RumAsked::ALL,
    keeps: Some("kkm"),
    product: Some(Product::of(BodyKind::Mixed)),
    variants: true,
    paper: "PGLS13",
    example: "throng anonymize patients/codes.csv --sets --records patients/records.csv --quasi age,sex --taxonomy patients/codes-taxonomy.csv \
              --method rum-bound -k 5 -m 2 --delta 0.5 -o release",
    notes: "Truthful: every cell and every item covers what was there. An item may be published in different ways for different groups \
            of people. A small `delta` keeps columns precise, a large one items. Sets, or sequences: then `sequential` protects what \
            is known in order.",
    ..Descriptor::blank(DescriptorKind::Method)
};

pub(super) static TUM_BOUND: Descriptor = Descriptor {
    name: "tum-bound",
    purpose: "columns and events together: columns lose as little as a bound on the loss of items allows",
    params: TumAsked::ALL,
    example: "throng anonymize patients/codes.csv --sets --records patients/records.csv --quasi age,sex --taxonomy patients/codes-taxonomy.csv \
              --method tum-bound -k 5 -m 2 --delta 0.5 -o release",
    notes: "Truthful: every cell and every item covers what was there. An item may be published in different ways for different groups \
            of people. A small `delta` keeps items precise, a large one columns. Sets, or sequences: then `sequential` protects what \
            is known in order.",
    ..RUM_BOUND
};

pub(super) static LM_RUM_BOUND: Descriptor = Descriptor {
    name: "lm-rum-bound",
    purpose: "like rum-bound, and at most one in l of those who fit has any one sensitive item",
    needs: &[
        Need::required(Input::Records),
        Need::required(Input::SensitiveItems),
        Need::optional(Input::Hierarchies),
        Need::optional(Input::Taxonomy),
    ],
    params: LmRumAsked::ALL,
    keeps: Some("klm-diverse"),
    example: "throng anonymize patients/codes.csv --sets --records patients/records.csv --quasi age,sex --taxonomy patients/codes-taxonomy.csv \
              --sensitive patients/codes-sensitive.csv --method lm-rum-bound -k 5 -l 2 -m 2 --delta 0.5 -o release",
    notes: "Sensitive items are published as they are, and an attacker is assumed not to know them. Sequences are protected by suppression. \
            Otherwise like `rum-bound`.",
    ..RUM_BOUND
};

pub(super) static LM_TUM_BOUND: Descriptor = Descriptor {
    name: "lm-tum-bound",
    purpose: "like tum-bound, and at most one in l of those who fit has any one sensitive item",
    params: LmTumAsked::ALL,
    example: "throng anonymize patients/codes.csv --sets --records patients/records.csv --quasi age,sex --taxonomy patients/codes-taxonomy.csv \
              --sensitive patients/codes-sensitive.csv --method lm-tum-bound -k 5 -l 2 -m 2 --delta 0.9 -o release",
    notes: "Sensitive items are published as they are, and an attacker is assumed not to know them. Sequences are protected by suppression. \
            Otherwise like `tum-bound`.",
    ..LM_RUM_BOUND
};
