//! One random world: what a user would have on disk, and what they would type.

use std::fmt;

use throng_data::Role;
use throng_data::formats::{ReadOptions, Source};
use throng_lab::{Files, Job};
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
        let input = |name: &str, text: &Option<String>| {
            text.as_ref().map(|text| Source::memory(name, text.as_bytes()))
        };
        let hierarchy = |(column, text): &(String, String)| {
            (column.clone(), Source::memory(&format!("{column}.csv"), text.as_bytes()))
        };
        let files = Files {
            read: ReadOptions {
                sets: self.sets,
                // Said, not guessed: an awkward item may look like several.
                item: (self.roles.is_empty() || self.records.is_some()).then(|| "item".to_owned()),
                ..ReadOptions::default()
            },
            places: input("places.csv", &self.places),
            records: input("records.csv", &self.records),
            taxonomy: input("taxonomy.csv", &self.taxonomy),
            constraints: input("constraints.csv", &self.constraints),
            policy: input("policy.csv", &self.policy),
            sensitive: input("sensitive.csv", &self.sensitive),
            patterns: input("patterns.csv", &self.patterns),
            person_patterns: input("person-patterns.csv", &self.person_patterns),
            alphabet: input("alphabet.csv", &self.alphabet),
            sensitive_values: self.sensitive_values.clone(),
            roles: self.roles.clone(),
            hierarchies: self.hierarchies.iter().map(hierarchy).collect(),
            ..Files::of(Source::memory("events.csv", self.events.as_bytes()))
        };
        Job {
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
