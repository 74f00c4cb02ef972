//! What disassociation is asked for, and how it is described.

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, settings};

use super::super::params::{K, L, M};

settings! {
    /// What the method is asked for.
    pub(super) struct Asked {
        k: u64 = K,
        m: u64 = M,
        max_cluster: u64 = Key::integer(
            "max-cluster",
            2..=u32::MAX as u64,
            "clusters are divided until they have fewer people; several times k is sensible",
        )
        .or("50"),
        refine: bool = Key::switch(
            "refine",
            "leave clusters apart that have rare items in common, and could publish those together",
        )
        .or("true"),
        safe: bool = Key::switch(
            "safe",
            "let no item follow from an item of another chunk more surely than one in l",
        ),
        l: u64 = L,
    }
}

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    name: "disassociation",
    purpose: "publish all items as they are, and hide which of them few people have together",
    takes: &[DataKind::Sets],
    needs: &[Need::optional(Input::SensitiveItems)],
    params: Asked::ALL,
    keeps: Some("disassociated-km"),
    product: Some(Product::of(BodyKind::Chunks)),
    variants: true,
    paper: "TLMS12",
    example: "throng anonymize baskets/events.csv --sets --method disassociation -k 5 -m 2 -o release",
    notes: "The release is not a list of records but clusters of people and chunks of their records; `throng reconstruct` draws \
            possible datasets from it. It promises a possible world, not a probability: supports in different chunks may still \
            link items surely, which `safe` bounds. All records of a person are taken as one set.",
    ..Descriptor::blank(DescriptorKind::Method)
};
