//! Which input beside the data: one for the dataset, or one for a column of it.
//!
//! In addresses and in the database a key is the name of the input's flag, and for a column `hierarchy:NAME`. Names that users
//! give never reach a path: the file of a column is called by a fingerprint of its name.

use std::fmt;

use throng_contract::Input;

use crate::platform::problem::Problem;
use crate::workbench::project::home::input_file;

/// One input of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputKey {
    /// What it is.
    pub input: Input,
    /// The column it is for, where an input is for a column.
    pub column: Option<String>,
}

impl InputKey {
    /// The hierarchy of a column.
    pub fn hierarchy(column: &str) -> Self {
        InputKey { input: Input::Hierarchies, column: Some(column.to_owned()) }
    }

    /// The key that is written so.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let (flag, column) = match text.split_once(':') {
            Some((flag, column)) => (flag, Some(column.to_owned())),
            None => (text, None),
        };
        Input::ALL
            .into_iter()
            .find(|input| input.flag() == flag && (*input == Input::Hierarchies) == column.is_some())
            .map(|input| InputKey { input, column })
            .ok_or_else(|| Problem::missing("input"))
    }

    /// The name of its file in a project's and in a job's folder.
    pub fn file(&self) -> String {
        match &self.column {
            None => input_file(self.input),
            Some(column) => format!("{}-{:016x}.csv", self.input.flag(), fingerprint(column)),
        }
    }

    /// What a file made here is called for people.
    pub fn label(&self) -> String {
        match &self.column {
            None => input_file(self.input),
            Some(column) => format!("{column}.csv"),
        }
    }
}

impl fmt::Display for InputKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            None => f.write_str(self.input.flag()),
            Some(column) => write!(f, "{}:{column}", self.input.flag()),
        }
    }
}

impl From<Input> for InputKey {
    fn from(input: Input) -> Self {
        InputKey { input, column: None }
    }
}

/// FNV-1a: files must be found again by every later version of the program.
fn fingerprint(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_is_written() {
        for key in [InputKey::from(Input::Taxonomy), InputKey::hierarchy("zip: code")] {
            assert_eq!(InputKey::parse(&key.to_string()).unwrap(), key);
        }
        for text in ["hierarchy", "taxonomy:age", "nothing", "../x"] {
            assert!(InputKey::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_name_of_a_column_never_reaches_a_path() {
        let file = InputKey::hierarchy("../../etc/passwd").file();
        assert!(file.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte)), "{file}");
        assert_ne!(file, InputKey::hierarchy("age").file());
    }
}
