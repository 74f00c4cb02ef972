//! One setting: its name, its type and range, its default and one line of help.

use serde::Serialize;

use crate::fraction::{Fraction, Threshold};
use crate::settings::Value;

/// The type and range of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SettingKind {
    /// A whole number in `min..=max`.
    Integer {
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed.
        max: u64,
    },
    /// A whole number in `min..=max`, or the word `max` for "no limit".
    IntegerOrMax {
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed, `max` aside.
        max: u64,
    },
    /// A real number in `min..=max`.
    Number {
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
    },
    /// A share between 0 and 1, kept exactly: `0.6`, `60%` and `3/5` are the same.
    Share,
    /// A number of people (`30`) or a share of them (`1%`).
    Threshold,
    /// One of a list of words.
    Choice {
        /// The words.
        words: &'static [&'static str],
    },
    /// On or off.
    Switch,
    /// The name of a column of the data, or nothing. Whether there is such a column is the method's to see.
    Column,
    /// Names of columns, with commas between them.
    Columns,
    /// Any text.
    Text {
        /// What stands for it in help: `NAME`.
        value: &'static str,
    },
    /// One character.
    Letter,
    /// A file or directory.
    Path {
        /// What stands for it in help: `FILE`.
        value: &'static str,
    },
}

/// One setting of a method, promise, measure, attacker or miner.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Setting {
    /// Name in recipes and, with dashes before it, on the command line. One letter means `-k`, unless upper case.
    pub name: &'static str,
    /// Type and range.
    pub kind: SettingKind,
    /// Default as a user would type it; `None` means the setting must be given.
    pub default: Option<&'static str>,
    /// One line for people.
    pub help: &'static str,
}

impl SettingKind {
    /// What stands for a value in a help text; nothing for a switch.
    pub fn value_name(self) -> String {
        match self {
            SettingKind::Switch => String::new(),
            SettingKind::Integer { .. } => "N".to_owned(),
            SettingKind::IntegerOrMax { .. } => "N|max".to_owned(),
            SettingKind::Number { .. } => "X".to_owned(),
            SettingKind::Share => "SHARE".to_owned(),
            SettingKind::Threshold => "PEOPLE".to_owned(),
            SettingKind::Choice { words } => words.join("|"),
            SettingKind::Column => "COLUMN".to_owned(),
            SettingKind::Columns => "COLUMN[,COLUMN]".to_owned(),
            SettingKind::Text { value } | SettingKind::Path { value } => value.to_owned(),
            SettingKind::Letter => "CHAR".to_owned(),
        }
    }

    /// The value that a text stands for, or what is wanted in its place.
    pub fn parse(self, given: &str) -> Result<Value, String> {
        let text = given.trim();
        match self {
            SettingKind::Integer { min, max } => match text.parse::<u64>() {
                Ok(value) if (min..=max).contains(&value) => Ok(Value::Integer(value)),
                _ => Err(integer_range(min, max)),
            },
            SettingKind::IntegerOrMax { .. } if text == "max" => Ok(Value::Max),
            SettingKind::IntegerOrMax { min, max } => match text.parse::<u64>() {
                Ok(value) if (min..=max).contains(&value) => Ok(Value::Integer(value)),
                _ => Err(format!("{}, or `max`", integer_range(min, max))),
            },
            SettingKind::Number { min, max } => match text.parse::<f64>() {
                Ok(value) if (min..=max).contains(&value) => Ok(Value::Number(value)),
                _ if max.is_infinite() => Err(format!("a number of at least {min}")),
                _ => Err(format!("a number from {min} to {max}")),
            },
            SettingKind::Share => match text.parse::<Fraction>() {
                Ok(value) if value <= Fraction::ONE => Ok(Value::Share(value)),
                _ => Err("a share from 0 to 1, such as 0.6, 60% or 3/5".to_owned()),
            },
            SettingKind::Threshold => match text.parse::<Threshold>() {
                Ok(value) => Ok(Value::Threshold(value)),
                Err(()) => Err("a number of people such as 30, or a share of them such as 1%".to_owned()),
            },
            SettingKind::Choice { words } => match words.iter().find(|word| **word == text) {
                Some(word) => Ok(Value::Choice(word)),
                None => Err(format!("one of {}", words.join(", "))),
            },
            SettingKind::Switch => match text {
                "true" | "" => Ok(Value::Switch(true)),
                "false" => Ok(Value::Switch(false)),
                _ => Err("true or false".to_owned()),
            },
            SettingKind::Column => Ok(Value::Column(text.to_owned())),
            SettingKind::Letter if given.chars().count() != 1 => Err("one character".to_owned()),
            SettingKind::Letter => Ok(Value::Text(given.to_owned())),
            SettingKind::Columns | SettingKind::Text { .. } | SettingKind::Path { .. } => {
                Ok(Value::Text(given.to_owned()))
            }
        }
    }
}

fn integer_range(min: u64, max: u64) -> String {
    if max >= u64::from(u32::MAX) {
        format!("a whole number of at least {min}")
    } else {
        format!("a whole number from {min} to {max}")
    }
}
