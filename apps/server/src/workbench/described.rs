//! Descriptors as the API answers with them.
//!
//! The rooms below know nothing of HTTP. Every field is taken over by name, so that a descriptor with a further one does not compile
//! here until the page is told of it.

use serde::Serialize;
use throng_contract::{
    Better, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Need, Param, ParamKind, Scale,
};
use throng_lab::presets::Preset;
use utoipa::ToSchema;

/// The description of one method, promise, measure or attacker.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Descriptor)]
pub struct DescriptorView {
    /// The name that users type.
    name: &'static str,
    /// What it describes.
    #[schema(value_type = DescriptorKindName)]
    kind: DescriptorKind,
    /// One line: what it does and for whom.
    purpose: &'static str,
    /// Kinds of data it takes.
    #[schema(value_type = Vec<DataKindName>)]
    takes: &'static [DataKind],
    /// Inputs beside the data.
    needs: Vec<NeedView>,
    /// Parameters, in the order forms show them.
    params: Vec<ParamView>,
    /// For methods: the promise the release keeps.
    keeps: Option<&'static str>,
    /// For measures: the numbers they give.
    gauge: Option<GaugeView>,
    /// Whether the variant `as-printed` gives another answer than `sound`.
    variants: bool,
    /// Key of the paper.
    paper: &'static str,
    /// A command that works as typed.
    example: &'static str,
    /// What a user should know before relying on it.
    notes: &'static str,
}

/// What a descriptor describes.
#[derive(ToSchema)]
#[schema(as = DescriptorKind, rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes how the type of another room is written")]
enum DescriptorKindName {
    Method,
    Promise,
    Measure,
    Attacker,
    Miner,
}

/// A kind of data.
#[derive(ToSchema)]
#[schema(as = DataKind, rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes how the type of another room is written")]
pub enum DataKindName {
    /// One row a person.
    Table,
    /// Ordered events.
    Sequences,
    /// Ordered events whose times are published.
    Timed,
    /// Unordered items.
    Sets,
    /// Unordered items together with columns.
    Mixed,
}

/// Which way a number is better.
#[derive(ToSchema)]
#[schema(as = Better, rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes how the type of another room is written")]
pub enum BetterName {
    /// Less is better.
    Low,
    /// More is better.
    High,
    /// A size, for orientation.
    Neither,
}

/// An input, and whether it can be done without.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Need)]
pub struct NeedView {
    /// The input's name in the catalogue.
    #[schema(value_type = String)]
    input: throng_contract::Input,
    /// Whether nothing runs without it.
    required: bool,
    /// Another input that will do in its place.
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<throng_contract::Input>,
}

/// One parameter.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Param)]
pub struct ParamView {
    /// Its name in recipes and forms.
    name: &'static str,
    /// Type and range.
    kind: ParamKindView,
    /// Default as a user would type it; absent means that it must be given.
    default: Option<&'static str>,
    /// One line for people.
    help: &'static str,
}

/// The type and range of a parameter.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ParamKind)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ParamKindView {
    /// A whole number.
    Integer {
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed.
        max: u64,
    },
    /// A whole number, or `max` for no limit.
    IntegerOrMax {
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed.
        max: u64,
    },
    /// A real number.
    Number {
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
    },
    /// A share between 0 and 1.
    Share,
    /// A number of people, or a share of them.
    Threshold,
    /// One of a list of words.
    Choice {
        /// The words.
        words: Vec<&'static str>,
    },
    /// On or off.
    Switch,
    /// The name of a column.
    Column,
}

/// What a measure answers with, and what asking costs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Gauge)]
pub struct GaugeView {
    /// What asking costs: `pass`, `queries` or `mining`.
    #[schema(value_type = String)]
    cost: Cost,
    /// The numbers it gives, the most telling first.
    scales: Vec<ScaleView>,
}

/// One number of a measure, and how to read it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Scale)]
pub struct ScaleView {
    /// Its name in tables and recipes.
    pub name: String,
    /// What it says, in one line.
    pub help: String,
    /// Smallest value possible.
    pub min: Option<f64>,
    /// Largest value possible; absent where there is none.
    pub max: Option<f64>,
    /// Which way is better.
    #[schema(value_type = BetterName)]
    pub better: Better,
}

/// A promise in plain language.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Preset)]
pub struct PresetView {
    /// A name for programs.
    name: &'static str,
    /// What the publisher can say afterwards.
    title: &'static str,
    /// What that means, for a user who has never heard of k-anonymity.
    says: &'static str,
    /// The promise behind it.
    promise: &'static str,
    /// A method that keeps the promise.
    method: &'static str,
    /// Settings that differ from the method's defaults, as typed.
    settings: std::collections::BTreeMap<&'static str, &'static str>,
}

impl From<&'static Descriptor> for DescriptorView {
    fn from(descriptor: &'static Descriptor) -> Self {
        let Descriptor {
            name,
            kind,
            purpose,
            takes,
            needs,
            params,
            keeps,
            gauge,
            variants,
            paper,
            example,
            notes,
        } = *descriptor;
        DescriptorView {
            name,
            kind,
            purpose,
            takes,
            needs: needs
                .iter()
                .map(|Need { input, required, instead }| NeedView {
                    input: *input,
                    required: *required,
                    instead: *instead,
                })
                .collect(),
            params: params.iter().map(ParamView::from).collect(),
            keeps,
            gauge: gauge.map(|Gauge { cost, scales }| GaugeView {
                cost,
                scales: scales.iter().map(ScaleView::from).collect(),
            }),
            variants,
            paper,
            example,
            notes,
        }
    }
}

impl From<&Param> for ParamView {
    fn from(Param { name, kind, default, help }: &Param) -> Self {
        let kind = match *kind {
            ParamKind::Integer { min, max } => ParamKindView::Integer { min, max },
            ParamKind::IntegerOrMax { min, max } => ParamKindView::IntegerOrMax { min, max },
            ParamKind::Number { min, max } => ParamKindView::Number { min, max },
            ParamKind::Share => ParamKindView::Share,
            ParamKind::Threshold => ParamKindView::Threshold,
            ParamKind::Choice { words } => ParamKindView::Choice { words: words.to_vec() },
            ParamKind::Switch => ParamKindView::Switch,
            ParamKind::Column => ParamKindView::Column,
        };
        ParamView { name, kind, default: *default, help }
    }
}

impl From<&Scale> for ScaleView {
    fn from(Scale { name, help, min, max, better }: &Scale) -> Self {
        let finite = |end: f64| Some(end).filter(|end| end.is_finite());
        ScaleView {
            name: (*name).to_owned(),
            help: (*help).to_owned(),
            min: finite(*min),
            max: finite(*max),
            better: *better,
        }
    }
}

impl From<&Preset> for PresetView {
    fn from(Preset { name, title, says, promise, method, settings }: &Preset) -> Self {
        PresetView { name, title, says, promise, method, settings: settings.iter().copied().collect() }
    }
}
