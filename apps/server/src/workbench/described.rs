//! How descriptors and presets are written: for the description of the API alone.
//!
//! They are sent as the crates below define them, which know nothing of HTTP. A test finds a field that is sent and not described here.

use serde::Serialize;
use throng_contract::{Better, Cost, DataKind, DescriptorKind, Scale};
use utoipa::ToSchema;

/// The description of one method, promise, measure or attacker.
#[derive(ToSchema)]
#[schema(as = Descriptor)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
pub struct DescriptorShape {
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
    needs: Vec<NeedShape>,
    /// Parameters, in the order forms show them.
    params: Vec<ParamShape>,
    /// For methods: the promise the release keeps.
    keeps: Option<&'static str>,
    /// For measures: the numbers they give.
    gauge: Option<GaugeShape>,
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
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
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
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
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
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
pub enum BetterName {
    /// Less is better.
    Low,
    /// More is better.
    High,
    /// A size, for orientation.
    Neither,
}

/// An input, and whether it can be done without.
#[derive(ToSchema)]
#[schema(as = Need)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
pub struct NeedShape {
    /// The input's name in the catalogue.
    #[schema(value_type = String)]
    input: throng_contract::Input,
    /// Whether nothing runs without it.
    required: bool,
    /// Another input that will do in its place.
    #[schema(value_type = Option<String>)]
    instead: Option<throng_contract::Input>,
}

/// One parameter.
#[derive(ToSchema)]
#[schema(as = Param)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
pub struct ParamShape {
    /// Its name in recipes and forms.
    name: &'static str,
    /// Type and range.
    kind: ParamKindShape,
    /// Default as a user would type it; absent means that it must be given.
    default: Option<&'static str>,
    /// One line for people.
    help: &'static str,
}

/// The type and range of a parameter.
#[derive(ToSchema)]
#[schema(as = ParamKind)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ParamKindShape {
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
#[derive(ToSchema)]
#[schema(as = Gauge)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
pub struct GaugeShape {
    /// What asking costs: `pass`, `queries` or `mining`.
    #[schema(value_type = String)]
    cost: Cost,
    /// The numbers it gives, the most telling first.
    scales: Vec<ReadScale>,
}

/// One number of a measure, and how to read it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Scale)]
pub struct ReadScale {
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
#[derive(ToSchema)]
#[schema(as = Preset)]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
pub struct PresetShape {
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

impl From<&Scale> for ReadScale {
    fn from(Scale { name, help, min, max, better }: &Scale) -> Self {
        let finite = |end: f64| Some(end).filter(|end| end.is_finite());
        ReadScale {
            name: (*name).to_owned(),
            help: (*help).to_owned(),
            min: finite(*min),
            max: finite(*max),
            better: *better,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use throng_lab::{catalogue, presets};
    use utoipa::PartialSchema;

    use super::*;

    /// The names of the fields that a shape describes.
    fn described<T: PartialSchema>() -> Vec<String> {
        let schema = serde_json::to_value(T::schema()).unwrap();
        names(&schema["properties"])
    }

    fn names(object: &Value) -> Vec<String> {
        object.as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn what_is_sent_is_what_is_described() {
        let methods = catalogue::methods().map(|method| method.descriptor());
        let measures = catalogue::measures().map(|measure| measure.descriptor());
        let mut variants = Vec::new();
        for descriptor in methods.chain(measures) {
            let sent = serde_json::to_value(descriptor).unwrap();
            assert_eq!(names(&sent), described::<DescriptorShape>(), "{}", descriptor.name);
            for need in sent["needs"].as_array().unwrap() {
                let known = described::<NeedShape>();
                assert!(names(need).iter().all(|name| known.contains(name)), "{need}");
            }
            for param in sent["params"].as_array().unwrap() {
                assert_eq!(names(param), described::<ParamShape>());
                variants.push((names(&param["kind"]), param["kind"]["type"].clone()));
            }
            if sent["gauge"].is_object() {
                assert_eq!(names(&sent["gauge"]), described::<GaugeShape>());
                for scale in sent["gauge"]["scales"].as_array().unwrap() {
                    assert_eq!(names(scale), described::<ReadScale>());
                }
            }
        }
        let kinds = serde_json::to_value(ParamKindShape::schema()).unwrap();
        let kinds: Vec<(Vec<String>, Value)> = kinds["oneOf"]
            .as_array()
            .unwrap()
            .iter()
            .map(|kind| (names(&kind["properties"]), kind["properties"]["type"]["enum"][0].clone()))
            .collect();
        assert!(variants.iter().all(|sent| kinds.contains(sent)), "{variants:?} {kinds:?}");
        for preset in presets::ALL {
            assert_eq!(names(&serde_json::to_value(preset).unwrap()), described::<PresetShape>());
        }
    }
}
