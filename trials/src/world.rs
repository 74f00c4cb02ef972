//! One random world: what a user would have on disk, and what they would type.

use std::fmt;
use throng_contract::{Input, InputKey};

use throng_data::Role;
use throng_data::formats::{ReadOptions, Source};
use throng_lab::{Files, Job, Limits};
use throng_methods::Variant;

/// Data, inputs and parameters of one trial.
#[derive(Debug, Clone)]
pub struct World {
    /// The method under trial.
    pub method: &'static str,
    /// `events.csv`.
    pub events: String,
    /// Whether the events are sets.
    pub sets: bool,
    /// The other files, by flag.
    pub places: Option<String>,
    pub records: Option<String>,
    pub taxonomy: Option<String>,
    pub constraints: Option<String>,
    pub policy: Option<String>,
    pub sensitive: Option<String>,
    pub patterns: Option<String>,
    pub person_patterns: Option<String>,
    pub alphabet: Option<String>,
    /// `COLUMN=VALUE[,VALUE]`.
    pub sensitive_values: Vec<String>,
    /// For tables, which lie in `events`: roles of columns, and their hierarchies.
    pub roles: Vec<(String, Role)>,
    pub hierarchies: Vec<(String, String)>,
    /// Parameters as typed.
    pub settings: Vec<(String, String)>,
    /// Why there is no world.
    pub note: Option<String>,
}

impl World {
    /// An empty world.
    pub fn new(method: &'static str) -> Self {
        World {
            method,
            events: String::new(),
            sets: false,
            places: None,
            records: None,
            taxonomy: None,
            constraints: None,
            policy: None,
            sensitive: None,
            patterns: None,
            person_patterns: None,
            alphabet: None,
            sensitive_values: Vec::new(),
            roles: Vec::new(),
            hierarchies: Vec::new(),
            settings: Vec::new(),
            note: None,
        }
    }

    /// Sets a parameter.
    pub fn set(&mut self, name: &str, value: impl ToString) {
        self.settings.push((name.to_owned(), value.to_string()));
    }

    /// The value of a parameter, as typed.
    pub fn value(&self, name: &str) -> &str {
        self.settings.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The value of a parameter that is a whole number; `max` and what is missing are as large as can be.
    pub fn number(&self, name: &str) -> usize {
        self.value(name).parse().unwrap_or(usize::MAX)
    }

    /// The run a user would start.
    pub fn job(&self, variant: Variant, seed: u64) -> Job {
        let mut files = Files {
            read: ReadOptions {
                sets: self.sets,
                // Said, not guessed: an awkward item may look like several.
                item: (self.roles.is_empty() || self.records.is_some()).then(|| "item".to_owned()),
                ..ReadOptions::default()
            },
            sensitive_values: self.sensitive_values.clone(),
            roles: self.roles.clone(),
            ..Files::of(Source::memory("events.csv", self.events.as_bytes()))
        };
        let inputs = [
            (Input::Places, &self.places),
            (Input::Records, &self.records),
            (Input::Taxonomy, &self.taxonomy),
            (Input::Constraints, &self.constraints),
            (Input::Policy, &self.policy),
            (Input::SensitiveItems, &self.sensitive),
            (Input::Patterns, &self.patterns),
            (Input::PersonPatterns, &self.person_patterns),
            (Input::Alphabet, &self.alphabet),
        ];
        for (input, text) in inputs {
            if let Some(text) = text {
                files.give(input, Source::memory(&format!("{}.csv", input.flag()), text.as_bytes()));
            }
        }
        for (column, text) in &self.hierarchies {
            let source = Source::memory(&format!("{column}.csv"), text.as_bytes());
            files.give(InputKey::hierarchy(column), source);
        }
        Job {
            limits: Limits::default(),
            files,
            method: self.method.to_owned(),
            settings: self.settings.clone(),
            variant,
            seed: Some(seed),
            salt: None,
            after: None,
        }
    }
}

/// Everything that is needed to repeat the trial by hand.
impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--method {}", self.method)?;
        if self.sets {
            write!(f, " --sets")?;
        }
        for (name, value) in &self.settings {
            write!(f, " --{name} {value}")?;
        }
        for values in &self.sensitive_values {
            write!(f, " --sensitive-values {values}")?;
        }
        for (column, role) in &self.roles {
            write!(f, " {column}: {}", role.name())?;
        }
        for (column, text) in &self.hierarchies {
            write!(f, "\n--- hierarchy of {column}\n{}", text.trim_end())?;
        }
        let files = [
            ("events.csv", Some(&self.events)),
            ("places.csv", self.places.as_ref()),
            ("records.csv", self.records.as_ref()),
            ("taxonomy.csv", self.taxonomy.as_ref()),
            ("constraints.csv", self.constraints.as_ref()),
            ("policy.csv", self.policy.as_ref()),
            ("sensitive.csv", self.sensitive.as_ref()),
            ("patterns.csv", self.patterns.as_ref()),
            ("person-patterns.csv", self.person_patterns.as_ref()),
            ("alphabet.csv", self.alphabet.as_ref()),
        ];
        for (name, text) in files {
            if let Some(text) = text {
                write!(f, "\n--- {name}\n{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}
