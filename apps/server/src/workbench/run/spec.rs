//! What can be asked for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The value of a parameter as a form sends it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Scalar {
    /// A switch.
    Switch(bool),
    /// A number.
    #[schema(value_type = f64)]
    Number(serde_json::Number),
    /// A word, a share, a threshold, or a number as text.
    Text(String),
}

impl Scalar {
    /// The value as a user types it.
    pub fn text(&self) -> String {
        match self {
            Scalar::Switch(on) => on.to_string(),
            Scalar::Number(number) => number.to_string(),
            Scalar::Text(text) => text.clone(),
        }
    }
}

/// A job to be done.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum JobSpec {
    /// Makes a release.
    Anonymize(AnonymizeSpec),
    /// Runs methods over a range of settings.
    Compare(CompareSpec),
    /// Looks for the method that keeps most of what matters.
    Recommend(RecommendSpec),
}

impl JobSpec {
    /// The kind as a word.
    pub fn kind(&self) -> &'static str {
        match self {
            JobSpec::Anonymize(_) => "anonymize",
            JobSpec::Compare(_) => "compare",
            JobSpec::Recommend(_) => "recommend",
        }
    }

    /// The same with all values as texts, as a user types them.
    pub fn into_typed(mut self) -> Self {
        let type_out = |settings: &mut BTreeMap<String, Scalar>| {
            settings.values_mut().for_each(|value| *value = Scalar::Text(value.text()));
        };
        match &mut self {
            JobSpec::Anonymize(spec) => type_out(&mut spec.settings),
            JobSpec::Compare(spec) => {
                spec.methods.iter_mut().for_each(|method| type_out(&mut method.settings));
                let values = spec.vary.iter_mut().flat_map(|vary| &mut vary.values);
                values.for_each(|value| *value = Scalar::Text(value.text()));
            }
            JobSpec::Recommend(spec) => type_out(&mut spec.settings),
        }
        self
    }
}

/// A release to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct AnonymizeSpec {
    /// The method's name.
    pub method: String,
    /// Parameters that differ from the defaults.
    pub settings: BTreeMap<String, Scalar>,
    /// `sound` or `as-printed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Seed of every random choice; without one the run draws its own where it has to be secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The columns to publish: all others are withheld, whatever their role. Without a list, events are published without columns,
    /// and a table or mixed data with every column that has a role but an identifying one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publish: Option<Vec<String>>,
    /// Whether columns may be published that single people out; it is recorded that they do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accept_exposed_columns: bool,
    /// Columns that may be published although they identify people directly; it is recorded that they do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept_identifiers: Vec<String>,
    /// Whether a release without a single event may be made.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_empty: bool,
}

/// Methods to be compared.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CompareSpec {
    /// What the comparison is called, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The methods, with settings that differ from the defaults.
    pub methods: Vec<MethodSpec>,
    /// The parameter that varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vary: Option<Vary>,
    /// Measures by name; the usual ones when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<String>,
    /// Seed of every random choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How often each run is repeated, with one seed after the other: 1 to 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u32>,
}

/// A method with settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct MethodSpec {
    /// The method's name.
    pub name: String,
    /// What this configuration of it is called, where the method stands in several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Parameters that differ from the defaults.
    pub settings: BTreeMap<String, Scalar>,
    /// `sound` or `as-printed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

/// A parameter that varies: given values, or a range.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Vary {
    /// The parameter's name.
    pub param: String,
    /// The values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Scalar>,
    /// First value of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Last value of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Step of a range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

/// A recommendation to be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct RecommendSpec {
    /// The promise's name; empty where `attacker_knows` says what is meant.
    pub promise: String,
    /// How many events of a person an attacker may know, or `all`, in place of a promise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attacker_knows: Option<String>,
    /// Whether every released event must really have happened.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truthful: bool,
    /// Its parameters.
    pub settings: BTreeMap<String, Scalar>,
    /// What should be kept, by its name in the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
}
