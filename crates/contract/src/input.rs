//! What a publisher may give beside the data: one row for each kind of input.
//!
//! A new kind of input is a name and a row here, a field and its reader in `throng_data::load`, and the method that uses it. Flags,
//! recipe keys, HTTP and forms walk the rows.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::failure::{Class, Failing};
use crate::help;
use crate::help::Help;

/// A kind of input. What users see of it is in its [row](Input::row).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Coordinates of items.
    Places,
    /// Relational attributes of subjects.
    Records,
    /// A generalisation hierarchy over items.
    Taxonomy,
    /// A generalisation hierarchy over a column.
    Hierarchies,
    /// Items that must not be inferred.
    SensitiveItems,
    /// Attribute values that must not be inferred.
    SensitiveValues,
    /// Sets of items that may be generalised together.
    Constraints,
    /// Sets of items that an attacker may know of a person.
    Policy,
    /// Sequences of items that must be hidden.
    Patterns,
    /// Sequences of items that must be hidden, each of one person.
    PersonPatterns,
    /// A public list of all items that may occur.
    Alphabet,
    /// Costs of generalising a symbol.
    Costs,
    /// COUNT queries that the release should still answer.
    Queries,
}

/// How an input is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// A file for the dataset.
    File,
    /// A file for a column of it.
    FileOfColumn,
    /// Values of columns, as typed.
    Values,
}

/// Everything a user sees of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputRow {
    /// The input.
    pub input: Input,
    /// The flag that supplies it, without the dashes; the key in recipes.
    pub flag: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// A line or two of such a file, or what to type.
    pub example: &'static str,
    /// How it is given.
    pub given: Given,
    /// Whether it constrains the result: a publisher who gives one expects it to be honoured. The others may serve measures and
    /// publication, whatever the method.
    pub constrains: bool,
}

const fn file(input: Input, flag: &'static str, title: &'static str, example: &'static str) -> InputRow {
    InputRow { input, flag, title, example, given: Given::File, constrains: false }
}

const fn wish(input: Input, flag: &'static str, title: &'static str, example: &'static str) -> InputRow {
    InputRow { constrains: true, ..file(input, flag, title, example) }
}

/// A row for each input, in the order of their numbers.
#[rustfmt::skip]
static ROWS: [InputRow; 13] = [
    file(Input::Places, "places", "the coordinates of the items", "item,lat,lon\nLibrary,51.5,-0.1"),
    file(Input::Records, "records", "the attributes of the subjects", "subject,age\nann,34"),
    file(Input::Taxonomy, "taxonomy", "a taxonomy of the items", "Library;Culture;*"),
    InputRow {
        given: Given::FileOfColumn,
        ..file(Input::Hierarchies, "hierarchy", "hierarchies of the columns", "34;[30,39];*")
    },
    wish(Input::SensitiveItems, "sensitive", "a list of sensitive items", "Clinic"),
    InputRow {
        given: Given::Values,
        ..wish(Input::SensitiveValues, "sensitive-values", "sensitive attribute values", "status=on-welfare")
    },
    wish(Input::Constraints, "constraints", "utility constraints", "Library,Museum"),
    wish(Input::Policy, "policy", "privacy constraints", "Library,Clinic"),
    wish(Input::Patterns, "patterns", "a list of patterns to hide", "Library > Clinic"),
    wish(Input::PersonPatterns, "person-patterns", "each person's own patterns to hide", "subject,pattern\nann,Library > Clinic"),
    wish(Input::Alphabet, "alphabet", "a public list of all items", "Library"),
    wish(Input::Costs, "costs", "a table of costs", "item,node,cost\nLibrary,Culture,0.5"),
    file(Input::Queries, "queries", "a workload of COUNT queries", "Library,Clinic"),
];

impl Input {
    /// All inputs.
    pub const ALL: [Input; ROWS.len()] = {
        let mut all = [Input::Places; ROWS.len()];
        let mut at = 0;
        while at < ROWS.len() {
            all[at] = ROWS[at].input;
            at += 1;
        }
        all
    };

    /// Its row.
    pub fn row(self) -> &'static InputRow {
        &ROWS[self as usize]
    }

    /// The flag that supplies this input, without the dashes.
    pub fn flag(self) -> &'static str {
        self.row().flag
    }

    /// What the input is, in a few words.
    pub fn describe(self) -> &'static str {
        self.row().title
    }

    /// Whether it constrains the result.
    pub fn constrains(self) -> bool {
        self.row().constrains
    }

    /// Inputs that constrain the result.
    pub fn wishes() -> impl Iterator<Item = Input> {
        Input::ALL.into_iter().filter(|input| input.constrains())
    }

    /// The input of that flag.
    pub fn of_flag(flag: &str) -> Option<Input> {
        Input::ALL.into_iter().find(|input| input.flag() == flag)
    }
}

/// One input of a dataset: for all of it, or for a column. The inputs of columns come last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputKey {
    /// The column it is for, where an input is for a column.
    pub column: Option<String>,
    /// What it is.
    pub input: Input,
}

impl InputKey {
    /// The hierarchy of a column.
    pub fn hierarchy(column: &str) -> Self {
        InputKey { input: Input::Hierarchies, column: Some(column.to_owned()) }
    }

    /// The key that is written so.
    pub fn parse(text: &str) -> Option<Self> {
        let (flag, column) = match text.split_once(':') {
            Some((flag, column)) => (flag, Some(column.to_owned())),
            None => (text, None),
        };
        let fits = |input: &Input| (input.row().given == Given::FileOfColumn) == column.is_some();
        let input = Input::of_flag(flag).filter(fits)?;
        Some(InputKey { column, input })
    }

    /// What it is called among the files of a run: `places`, `hierarchy age`.
    pub fn role(&self) -> String {
        match &self.column {
            None => self.input.flag().to_owned(),
            Some(column) => format!("{} {column}", self.input.flag()),
        }
    }
}

/// The flag of the input, and for a column `hierarchy:NAME`.
impl fmt::Display for InputKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            None => f.write_str(self.input.flag()),
            Some(column) => write!(f, "{}:{column}", self.input.flag()),
        }
    }
}

/// As text, so that it may be the key of a map.
impl Serialize for InputKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for InputKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        InputKey::parse(&text).ok_or_else(|| de::Error::custom("there is no such input"))
    }
}

impl From<Input> for InputKey {
    fn from(input: Input) -> Self {
        InputKey { column: None, input }
    }
}

/// An input together with whether the method can do without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Need {
    /// Which input.
    pub input: Input,
    /// Whether the method refuses to run without it.
    pub required: bool,
    /// Another input that will do in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<Input>,
}

impl Need {
    /// An input the method cannot do without.
    pub const fn required(input: Input) -> Self {
        Need { input, required: true, instead: None }
    }

    /// An input the method uses when it is there.
    pub const fn optional(input: Input) -> Self {
        Need { input, required: false, instead: None }
    }

    /// An input the method cannot do without, unless it has the other one; both may be given.
    pub const fn either(input: Input, instead: Input) -> Self {
        Need { input, required: true, instead: Some(instead) }
    }
}

/// A method cannot do without an input that was not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("`{owner}` needs {}", input.describe())]
pub struct MissingInput {
    /// Name of the method.
    pub owner: &'static str,
    /// What is missing.
    pub input: Input,
    /// What would do in its place.
    pub instead: Option<Input>,
}

impl Failing for MissingInput {
    fn class(&self) -> Class {
        Class::Usage
    }

    fn help(&self) -> Option<Help> {
        Some(match self.instead {
            Some(other) => help!("add {$ FILE} or {$ FILE}", self.input.flag(), other.flag()),
            None => help!("add {$ FILE}", self.input.flag()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_stands_in_the_row_of_its_number() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!((row.input as usize, row.input.row().flag), (at, row.flag));
            assert_eq!(Input::of_flag(row.flag), Some(row.input));
        }
    }

    #[test]
    fn a_key_is_read_as_it_is_written() {
        for key in [InputKey::from(Input::Taxonomy), InputKey::hierarchy("zip: code")] {
            assert_eq!(InputKey::parse(&key.to_string()), Some(key));
        }
        for text in ["hierarchy", "taxonomy:age", "nothing", "../x"] {
            assert!(InputKey::parse(text).is_none(), "{text}");
        }
    }
}
