//! What is wrong with a recipe: the file, the line, the key, and one way out.

use std::path::Path;

use thiserror::Error;
use throng_contract::{Class, Failing, Failure, Help};

/// A recipe that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: {what}", self.place())]
pub struct RecipeError {
    file: String,
    line: Option<usize>,
    key: String,
    what: String,
    help: Option<Help>,
    class: Class,
}

impl RecipeError {
    /// Something wrong with the file as a whole.
    pub(super) fn file(path: &Path, what: impl Into<String>) -> Self {
        RecipeError {
            file: path.display().to_string(),
            line: None,
            key: String::new(),
            what: what.into(),
            help: None,
            class: Class::BadInput,
        }
    }

    /// Something wrong at a key; an empty key is the line as a whole.
    pub(super) fn at(file: &str, line: usize, key: &str, what: impl Into<String>) -> Self {
        RecipeError {
            file: file.to_owned(),
            line: Some(line),
            key: key.to_owned(),
            what: what.into(),
            help: None,
            class: Class::Usage,
        }
    }

    /// The same failure as somewhere else in the program, with its place in the recipe.
    pub(crate) fn because(self, failure: impl Into<Failure>) -> Self {
        let failure = failure.into();
        RecipeError { what: failure.message, help: failure.help, class: failure.class, ..self }
    }

    /// Adds the way out.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<Help>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Gives it another class than a wrong recipe.
    #[must_use]
    pub(super) fn class(mut self, class: Class) -> Self {
        self.class = class;
        self
    }

    fn place(&self) -> String {
        let mut place = format!("`{}`", self.file);
        if let Some(line) = self.line {
            place.push_str(&format!(" line {line}"));
        }
        if !self.key.is_empty() {
            place.push_str(&format!(", key `{}`", self.key));
        }
        place
    }
}

impl Failing for RecipeError {
    fn class(&self) -> Class {
        self.class
    }

    fn help(&self) -> Option<Help> {
        self.help.clone()
    }
}
