//! What DiffPart is asked for, and how it is described.

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, settings};
use throng_models::EPSILON;

settings! {
    /// What the method is asked for.
    pub(super) struct Asked {
        epsilon: f64 = EPSILON,
        fan_out: u64 = Key::integer(
            "fan-out",
            2..=12,
            "how many neighbours of the public list are told apart at a time",
        )
        .or("10"),
        c1: f64 = Key::number(
            "c1",
            0.0..=100.0,
            "a part of the people is divided further when it is so many standard deviations of the noise large",
        )
        .or("4"),
        c2: f64 = Key::number(
            "c2",
            0.0..=100.0,
            "a set is published when so many standard deviations of the noise seem to have it",
        )
        .or("4"),
    }
}

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    name: "diffpart",
    purpose: "publish synthetic sets with the frequent combinations of the real ones, differentially private",
    takes: &[DataKind::Sets],
    needs: &[Need::required(Input::Alphabet)],
    params: Asked::ALL,
    keeps: Some("dp"),
    product: Some(Product::of(BodyKind::Records).synthetic()),
    variants: true,
    paper: "CMFDX11",
    example: "throng anonymize baskets/events.csv --sets --method diffpart --epsilon 1 --alphabet baskets/alphabet.csv \
              -o release",
    notes: "Synthetic, not truthful: no record belongs to a person. Of each person only the first record is counted. The \
            alphabet must be public knowledge, not collected from the data; items that often occur together should stand \
            together in it. The noise is drawn from a secret of 256 bits, afresh for every release. Every further release \
            of the same people adds its epsilon.",
    ..Descriptor::blank(DescriptorKind::Method)
};
