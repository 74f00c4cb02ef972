//! A TOML file whose every key knows its line, so that whatever is wrong can be pointed at.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use throng_contract::{Class, did_you_mean};
use toml::de::{DeTable, DeValue};

use super::error::RecipeError;

/// The text of a recipe, and where it lies.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    name: String,
    text: String,
    /// Where relative paths start.
    home: PathBuf,
}

/// Longest recipe that is read: a file of this size is something else.
const LARGEST: u64 = 4 << 20;

impl Document {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, RecipeError> {
        let fail = |error: io::Error| {
            let what = match error.kind() {
                io::ErrorKind::NotFound => "there is no such file".to_owned(),
                _ => format!("cannot be read: {error}"),
            };
            RecipeError::file(path, what).help("give the path of a recipe or schema; see `docs/FORMATS.md`")
        };
        if fs::metadata(path).map_err(fail)?.len() > LARGEST {
            return Err(RecipeError::file(path, "too large for a recipe: at most 4 MB"));
        }
        let text = fs::read_to_string(path).map_err(fail)?;
        let home = path.parent().unwrap_or(Path::new(""));
        Ok(Document::of(&path.display().to_string(), text, home))
    }

    /// A text that is already in memory.
    pub fn of(name: &str, text: String, home: &Path) -> Self {
        Document { name: name.to_owned(), text, home: home.to_owned() }
    }

    /// The recipe as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The keys that stand in no section.
    pub fn root(&self) -> Result<Section<'_>, RecipeError> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            let line = self.line(error.span().map_or(0, |span| span.start));
            RecipeError::at(&self.name, line, "", error.message().to_owned())
                .help("a recipe is a TOML file; see `docs/FORMATS.md`")
        })?;
        Ok(Section { document: self, path: String::new(), at: 0, table: table.into_inner() })
    }

    fn line(&self, at: usize) -> usize {
        self.text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
    }
}

/// A section: keys and values.
#[derive(Debug, Clone)]
pub(crate) struct Section<'d> {
    document: &'d Document,
    path: String,
    at: usize,
    table: DeTable<'d>,
}

impl<'d> Section<'d> {
    /// Refuses keys that mean nothing here.
    pub fn only(&self, known: &[&str]) -> Result<(), RecipeError> {
        match self.entries().into_iter().find(|entry| !known.contains(&entry.name.as_str())) {
            None => Ok(()),
            Some(entry) => Err(entry.error("a recipe has no such key").help(suggestion(&entry.name, known))),
        }
    }

    /// All keys with their values, in the order of the file.
    pub fn entries(&self) -> Vec<KeyValue<'d>> {
        let mut entries: Vec<KeyValue<'d>> = self
            .table
            .iter()
            .map(|(name, value)| KeyValue {
                document: self.document,
                path: self.path_of(name.get_ref()),
                name: name.get_ref().to_string(),
                at: name.span().start,
                value: value.get_ref().clone(),
            })
            .collect();
        // Keys of dotted tables may be listed apart from where they stand.
        entries.sort_by_key(|entry| entry.at);
        entries
    }

    /// One key.
    pub fn get(&self, name: &str) -> Option<KeyValue<'d>> {
        self.entries().into_iter().find(|entry| entry.name == name)
    }

    /// One key that has to be there.
    pub fn need(&self, name: &str, example: &str) -> Result<KeyValue<'d>, RecipeError> {
        self.get(name).ok_or_else(|| {
            let missing = format!("the key `{name}` is missing");
            self.error(missing).help(format!("add it, for example `{name} = {example}`"))
        })
    }

    /// A value as a user would type it on a command line.
    pub fn text(&self, name: &str) -> Result<Option<String>, RecipeError> {
        self.get(name).map(|entry| entry.text()).transpose()
    }

    /// A section of sections, if it is there.
    pub fn section(&self, name: &str) -> Result<Option<Section<'d>>, RecipeError> {
        self.get(name).map(KeyValue::section).transpose()
    }

    /// Something wrong with the section as a whole.
    pub fn error(&self, what: impl Into<String>) -> RecipeError {
        RecipeError::at(&self.document.name, self.document.line(self.at), &self.path, what)
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct KeyValue<'d> {
    document: &'d Document,
    path: String,
    /// The key, without its section.
    pub name: String,
    at: usize,
    value: DeValue<'d>,
}

impl<'d> KeyValue<'d> {
    /// A number, word or switch as a user would type it on a command line.
    pub fn text(&self) -> Result<String, RecipeError> {
        match &self.value {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            DeValue::Boolean(switch) => Ok(switch.to_string()),
            other => Err(self.error(format!("expected a number, a word or a switch, not {}", kind(other)))),
        }
    }

    /// A whole number that is not negative.
    pub fn whole(&self) -> Result<u64, RecipeError> {
        let wrong = || self.error("expected a whole number");
        match &self.value {
            DeValue::Integer(number) => {
                u64::from_str_radix(number.as_str(), number.radix()).map_err(|_| wrong())
            }
            // Beyond what TOML calls a number.
            DeValue::String(text) => text.parse().map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }

    /// On or off.
    pub fn switch(&self) -> Result<bool, RecipeError> {
        self.value.as_bool().ok_or_else(|| self.error("expected true or false"))
    }

    /// A path, starting from the recipe; `-` is standard input.
    pub fn path(&self) -> Result<PathBuf, RecipeError> {
        let DeValue::String(text) = &self.value else {
            return Err(self.error(format!("expected a path in quotes, not {}", kind(&self.value))));
        };
        if text == "-" {
            return Ok(PathBuf::from("-"));
        }
        Ok(self.document.home.join(&**text))
    }

    /// The path of something that is there.
    pub fn existing_path(&self) -> Result<PathBuf, RecipeError> {
        let path = self.path()?;
        if path.exists() {
            return Ok(path);
        }
        let missing = format!("there is no file `{}`", path.display());
        let help = "paths start from the folder of the file that names them";
        Err(self.error(missing).help(help).class(Class::BadInput))
    }

    /// Several values; one alone is a list of one.
    pub fn list(&self) -> Vec<KeyValue<'d>> {
        let entry = |value: DeValue<'d>, at| KeyValue { value, at, ..self.clone() };
        match &self.value {
            DeValue::Array(values) => {
                values.iter().map(|value| entry(value.get_ref().clone(), value.span().start)).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// Several texts; one alone is a list of one.
    pub fn texts(&self) -> Result<Vec<String>, RecipeError> {
        self.list().iter().map(KeyValue::text).collect()
    }

    /// Whether it is a section.
    pub fn is_section(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    /// A section below this key.
    pub fn section(self) -> Result<Section<'d>, RecipeError> {
        match self.value {
            DeValue::Table(table) => {
                Ok(Section { document: self.document, path: self.path, at: self.at, table })
            }
            ref other => Err(self.error(format!("expected a section, not {}", kind(other)))),
        }
    }

    /// Something wrong with the value.
    pub fn error(&self, what: impl Into<String>) -> RecipeError {
        RecipeError::at(&self.document.name, self.document.line(self.at), &self.path, what)
    }
}

/// The nearest known key, or all of them.
pub(crate) fn suggestion(name: &str, known: &[&str]) -> String {
    match did_you_mean(name, known.iter().copied()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("the keys here are {}", known.join(", ")),
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a word",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a switch",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    }
}
