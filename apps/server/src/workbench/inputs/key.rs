//! Which input beside the data: one for the dataset, or one for a column of it.
//!
//! In addresses and in the database a key is the name of the input's flag, and for a column `hierarchy:NAME`. Names that users
//! give never reach a path: the file of a column is called by a fingerprint of its name.

pub use throng_contract::InputKey;

use crate::platform::problem::Problem;
use crate::workbench::project::home::input_file;

/// How an input is kept.
pub trait Kept {
    /// The key that is written so.
    fn of_text(text: &str) -> Result<InputKey, Problem>;
    /// The name of its file in a project's and in a job's folder.
    fn file(&self) -> String;
    /// What a file made here is called for people.
    fn label(&self) -> String;
}

impl Kept for InputKey {
    fn of_text(text: &str) -> Result<InputKey, Problem> {
        InputKey::parse(text).ok_or_else(|| Problem::missing("input"))
    }

    fn file(&self) -> String {
        match &self.column {
            None => input_file(self.input),
            Some(column) => format!("{}-{:016x}.csv", self.input.flag(), fingerprint(column)),
        }
    }

    fn label(&self) -> String {
        match &self.column {
            None => input_file(self.input),
            Some(column) => format!("{column}.csv"),
        }
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
    fn the_name_of_a_column_never_reaches_a_path() {
        let file = InputKey::hierarchy("../../etc/passwd").file();
        assert!(file.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte)), "{file}");
        assert_ne!(file, InputKey::hierarchy("age").file());
    }
}
