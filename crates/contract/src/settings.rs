//! Parameter values that were checked against a descriptor: the only way a method receives parameters.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::descriptor::Descriptor;
use crate::failure::{Class, Failing};
use crate::fraction::{Fraction, Threshold};
use crate::help;
use crate::help::Help;
use crate::setting::Setting;
use crate::suggest::did_you_mean;

/// The value of one parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(u64),
    /// "No limit", for parameters that allow it.
    Max,
    /// A real number.
    Number(f64),
    /// An exact share between 0 and 1.
    Share(Fraction),
    /// A number or a share of people.
    Threshold(Threshold),
    /// One of the words the parameter allows.
    Choice(&'static str),
    /// On or off.
    Switch(bool),
    /// The name of a column, or nothing.
    Column(String),
    /// Text, names of columns, a character or a path.
    Text(String),
}

impl fmt::Display for Value {
    /// As a user types it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => value.fmt(f),
            Value::Max => f.write_str("max"),
            Value::Number(value) => value.fmt(f),
            Value::Share(value) => value.fmt(f),
            Value::Threshold(value) => value.fmt(f),
            Value::Choice(value) => f.write_str(value),
            Value::Switch(value) => value.fmt(f),
            Value::Column(value) | Value::Text(value) => f.write_str(value),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Integer(value) => serializer.serialize_u64(*value),
            Value::Max => serializer.serialize_str("max"),
            Value::Number(value) => serializer.serialize_f64(*value),
            Value::Share(value) => value.serialize(serializer),
            Value::Threshold(value) => value.serialize(serializer),
            Value::Choice(value) => serializer.serialize_str(value),
            Value::Switch(value) => serializer.serialize_bool(*value),
            Value::Column(value) | Value::Text(value) => serializer.serialize_str(value),
        }
    }
}

/// Checked values of one method, promise, measure or attacker: every setting of its descriptor has one, of the type it says.
///
/// Code reads them through the [`Key`](crate::Key)s they were declared with, most often as a struct of [`settings!`](macro@crate::settings).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Settings {
    values: BTreeMap<&'static str, Value>,
}

impl Settings {
    /// Checks what a user gave, as text, against the descriptor, and fills in defaults.
    pub fn parse<'a>(
        descriptor: &Descriptor,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, SettingsError> {
        let mut values = BTreeMap::new();
        for (name, text) in given {
            let Some(param) = descriptor.param(name) else {
                return Err(SettingsError::Unknown {
                    owner: descriptor.name,
                    name: name.to_owned(),
                    suggestion: did_you_mean(name, descriptor.params.iter().map(|param| param.name)),
                    known: descriptor.params.iter().map(|param| param.name).collect(),
                });
            };
            values.insert(param.name, parse_value(descriptor, param, text)?);
        }
        for param in descriptor.params {
            if values.contains_key(param.name) {
                continue;
            }
            let Some(default) = param.default else {
                return Err(SettingsError::Missing {
                    owner: descriptor.name,
                    name: param.name,
                    help: param.help,
                });
            };
            values.insert(param.name, parse_value(descriptor, param, default)?);
        }
        Ok(Settings { values })
    }

    /// The settings of the promise a method keeps: the method's values for the promise's parameters.
    pub fn for_promise(&self, promise: &Descriptor) -> Result<Settings, SettingsError> {
        let mut values = BTreeMap::new();
        for param in promise.params {
            let value = match (self.values.get(param.name), param.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => parse_value(promise, param, default)?,
                (None, None) => {
                    return Err(SettingsError::Missing {
                        owner: promise.name,
                        name: param.name,
                        help: param.help,
                    });
                }
            };
            values.insert(param.name, value);
        }
        Ok(Settings { values })
    }

    /// All values by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }

    /// A value by name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }
}

fn parse_value(descriptor: &Descriptor, setting: &Setting, text: &str) -> Result<Value, SettingsError> {
    setting.kind.parse(text).map_err(|wanted| SettingsError::Wrong {
        owner: descriptor.name,
        name: setting.name,
        wanted,
        given: text.trim().chars().take(40).collect(),
    })
}

/// Why parameter values were refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// The descriptor has no such parameter.
    #[error("`{owner}` has no parameter `{name}`")]
    Unknown {
        /// Method or promise.
        owner: &'static str,
        /// What was given.
        name: String,
        /// The closest parameter it has.
        suggestion: Option<&'static str>,
        /// All parameters it has.
        known: Vec<&'static str>,
    },
    /// A parameter without a default was not given.
    #[error("`{owner}` needs the parameter `{name}`: {help}")]
    Missing {
        /// Method or promise.
        owner: &'static str,
        /// The parameter.
        name: &'static str,
        /// Its help line.
        help: &'static str,
    },
    /// A value of the wrong type or out of range.
    #[error("`{name}` of `{owner}` must be {wanted}, not `{given}`")]
    Wrong {
        /// Method or promise.
        owner: &'static str,
        /// The parameter.
        name: &'static str,
        /// What is allowed.
        wanted: String,
        /// What was given, shortened.
        given: String,
    },
}

impl Failing for SettingsError {
    fn class(&self) -> Class {
        Class::Usage
    }

    fn help(&self) -> Option<Help> {
        Some(match self {
            SettingsError::Unknown { suggestion: Some(name), .. } => {
                help!("did you mean `$`?", name)
            }
            SettingsError::Unknown { owner, known, .. } => {
                help!("`$` takes $; see {throng methods $}", owner, known.join(", "), owner)
            }
            SettingsError::Missing { name, .. } => help!("add {$ VALUE}", name),
            SettingsError::Wrong { owner, .. } => help!("see {throng methods $}", owner),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices;
    use crate::descriptor::DescriptorKind;
    use crate::key::Key;

    choices! {
        enum Linkage {
            Average = "average",
            Single = "single",
        }
    }

    const K: Key<u64> = Key::integer("k", 2..=1000, "people");
    const C: Key<Fraction> = Key::share("C", "confidence").or("1");
    const LINKAGE: Key<Linkage> = Key::choice("linkage", "").or("average");

    const TOY: Descriptor = Descriptor {
        name: "toy",
        params: &[K.setting, C.setting, LINKAGE.setting],
        ..Descriptor::blank(DescriptorKind::Method)
    };

    #[test]
    fn defaults_fill_what_was_not_given() {
        let settings = Settings::parse(&TOY, [("k", "5")]).unwrap();
        assert_eq!(K.of(&settings), 5);
        assert_eq!(C.of(&settings), Fraction::ONE);
        assert_eq!(LINKAGE.of(&settings), Linkage::Average);
    }

    #[test]
    fn refusals_name_the_parameter_the_limit_and_a_way_out() {
        let missing = Settings::parse(&TOY, []).unwrap_err();
        assert_eq!(missing.to_string(), "`toy` needs the parameter `k`: people");
        assert_eq!(missing.help().unwrap().to_string(), "add `-k VALUE`");
        let range = Settings::parse(&TOY, [("k", "1")]).unwrap_err();
        assert_eq!(range.to_string(), "`k` of `toy` must be a whole number from 2 to 1000, not `1`");
        let unknown = Settings::parse(&TOY, [("k", "5"), ("linkgae", "single")]).unwrap_err();
        assert_eq!(unknown.help().unwrap().to_string(), "did you mean `linkage`?");
    }
}
