//! The one typed description of a method, a promise or a measure.
//!
//! Everything a user can see or set about a method is written here once, next to the method's code, as a
//! `static`. Front ends never name a method or a parameter themselves: they walk descriptors.

use serde::Serialize;

use crate::input::{Input, Need};
use crate::product::{OverParts, Product};
use crate::setting::Setting;

/// What a descriptor describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DescriptorKind {
    /// Turns a dataset into a release.
    Method,
    /// A privacy model: a statement about a release that anyone can check.
    Promise,
    /// Says what a release is still good for.
    Measure,
    /// Says what a release still gives away.
    Attacker,
    /// Finds patterns in data.
    Miner,
}

/// The kinds of data a method takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DataKind {
    /// One row a person: columns with roles and no events.
    Table,
    /// Ordered events: trips, check-ins, click-streams.
    Sequences,
    /// Ordered events that carry times, and whose times are published.
    Timed,
    /// Unordered items: market baskets, diagnoses.
    Sets,
    /// Events, ordered or not, together with columns, both of which an attacker may know.
    Mixed,
}

/// Which way a number is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Less is better: a loss, an error.
    Low,
    /// More is better: something kept.
    High,
    /// Neither: a size, for orientation.
    Neither,
}

/// What a measure costs, next to reading the data once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// One pass over the events.
    Pass,
    /// A pass for each query of a workload.
    Queries,
    /// Frequent patterns are mined, perhaps several times.
    Mining,
}

/// One number that a measure gives, and how to read it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scale {
    /// Name in tables and recipes, for example `are`.
    pub name: &'static str,
    /// What it says, in one line.
    pub help: &'static str,
    /// Smallest value possible.
    pub min: f64,
    /// Largest value possible; infinity where there is none.
    pub max: f64,
    /// Which way is better.
    pub better: Better,
}

impl Scale {
    /// Something lost, from 0.
    pub const fn loss(name: &'static str, help: &'static str, max: f64) -> Self {
        Scale { name, help, min: 0.0, max, better: Better::Low }
    }

    /// Something kept, from 0.
    pub const fn kept(name: &'static str, help: &'static str, max: f64) -> Self {
        Scale { name, help, min: 0.0, max, better: Better::High }
    }

    /// A number for orientation, neither good nor bad.
    pub const fn size(name: &'static str, help: &'static str) -> Self {
        Scale { name, help, min: 0.0, max: f64::INFINITY, better: Better::Neither }
    }
}

/// What a measure answers with, and what asking costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gauge {
    /// What asking costs.
    pub cost: Cost,
    /// The numbers it gives, the most telling first.
    pub scales: &'static [Scale],
}

/// The description of one method, promise or measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Descriptor {
    /// Name users type, for example `seqanon`.
    pub name: &'static str,
    /// What it describes.
    pub kind: DescriptorKind,
    /// One line: what it does and for whom.
    pub purpose: &'static str,
    /// Kinds of data it takes.
    pub takes: &'static [DataKind],
    /// Inputs beside the data.
    pub needs: &'static [Need],
    /// Parameters, in the order forms show them.
    pub params: &'static [Setting],
    /// For methods: the promise the release keeps. Its parameters are among the method's own.
    pub keeps: Option<&'static str>,
    /// For methods: what they publish. Not printed with the rest: users read it in words.
    #[serde(skip)]
    pub product: Option<Product>,
    /// For promises: whether a release keeps it whose parts keep it. Not printed with the rest.
    #[serde(skip)]
    pub over_parts: Option<OverParts>,
    /// For measures: the numbers they give.
    pub gauge: Option<Gauge>,
    /// Whether `variant = "as-printed"` gives a different answer from `sound`.
    pub variants: bool,
    /// Key of the paper, as in `docs/PAPERS.md`, for example `PSLG14`.
    pub paper: &'static str,
    /// A command that works as typed after `throng generate` made the files.
    pub example: &'static str,
    /// What a user should know before relying on it: cost, what is not covered.
    pub notes: &'static str,
}

impl Descriptor {
    /// Nothing but a kind: a descriptor names what differs, and takes the rest from here.
    pub const fn blank(kind: DescriptorKind) -> Self {
        Descriptor {
            name: "",
            kind,
            purpose: "",
            takes: &[],
            needs: &[],
            params: &[],
            keeps: None,
            product: None,
            over_parts: None,
            gauge: None,
            variants: false,
            paper: "",
            example: "",
            notes: "",
        }
    }

    /// The parameter of that name.
    pub fn param(&self, name: &str) -> Option<&'static Setting> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Whether the descriptor lists the input at all.
    pub fn uses(&self, input: Input) -> bool {
        self.needs.iter().any(|need| need.input == input)
    }

    /// The inputs that are required and not given, nor another one in their place.
    pub fn lacking(&self, given: impl Fn(Input) -> bool) -> impl Iterator<Item = Input> {
        let lacks =
            move |need: &&Need| need.required && !given(need.input) && !need.instead.is_some_and(&given);
        self.needs.iter().filter(lacks).map(|need| need.input)
    }
}
