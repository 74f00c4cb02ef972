//! What a user names on a command line or in a recipe: the data and the files that go with it.

use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_contract::{DataShape, EventShape, Input};
use throng_data::formats::{Format, ReadOptions, Source};
use throng_data::{DeclaredRange, Role};

use crate::usefulness::Limits;

/// What the hierarchy of a column is called among the files of a run.
pub(crate) fn hierarchy_role(column: &str) -> String {
    format!("{} {column}", Input::Hierarchies.flag())
}

/// The files of a run, as the user named them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Files {
    /// The data: events, or a table.
    pub data: Source,
    /// How to read the events.
    pub read: ReadOptions,
    /// Coordinates of items.
    pub places: Option<Source>,
    /// Attributes of subjects.
    pub records: Option<Source>,
    /// A generalisation hierarchy over items.
    pub taxonomy: Option<Source>,
    /// Sets of items that may be generalised together.
    pub constraints: Option<Source>,
    /// Items that must not be inferred.
    pub sensitive: Option<Source>,
    /// Sets of items that an attacker may know of a person.
    pub policy: Option<Source>,
    /// Generalisation hierarchies over columns: column, file.
    pub hierarchies: Vec<(String, Source)>,
    /// What columns of numbers or dates may hold: column, range.
    pub ranges: Vec<(String, DeclaredRange)>,
    /// Sequences of items that must be hidden.
    pub patterns: Option<Source>,
    /// Sequences of items that must be hidden, each of one person.
    pub person_patterns: Option<Source>,
    /// A public list of all items that may occur.
    pub alphabet: Option<Source>,
    /// Costs of generalising a symbol.
    pub costs: Option<Source>,
    /// COUNT queries that the release should still answer.
    pub queries: Option<Source>,
    /// Attribute values that must not be inferred, as typed: `COLUMN=VALUE[,VALUE]`.
    pub sensitive_values: Vec<String>,
    /// Attribute columns to publish; all others are withheld.
    pub publish: Vec<String>,
    /// Roles of attribute columns.
    pub roles: Vec<(String, Role)>,
    /// Whether columns may be published that single people out; it is recorded that they do.
    pub accept_exposed_columns: bool,
    /// Columns that may be published although they identify people directly; it is recorded that they do.
    pub accept_identifiers: Vec<String>,
    /// How usefulness is graded, where that is not as usual.
    pub limits: Limits,
    /// SHA-256 that files must have, by role, in hexadecimal; empty when anything goes.
    pub expected: Vec<(String, String)>,
}

impl Files {
    /// The events alone.
    pub fn of(data: Source) -> Self {
        Files {
            data,
            read: ReadOptions::default(),
            places: None,
            records: None,
            taxonomy: None,
            constraints: None,
            sensitive: None,
            policy: None,
            hierarchies: Vec::new(),
            ranges: Vec::new(),
            patterns: None,
            person_patterns: None,
            alphabet: None,
            costs: None,
            queries: None,
            sensitive_values: Vec::new(),
            publish: Vec::new(),
            roles: Vec::new(),
            accept_exposed_columns: false,
            accept_identifiers: Vec::new(),
            limits: Limits::default(),
            expected: Vec::new(),
        }
    }

    /// The same files, seen from outside of the folder in which their paths start.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        let place = |source: &mut Source| {
            if let Some(path) = source.path().filter(|path| path.is_relative()) {
                *source = Source::file(folder.join(path));
            }
        };
        place(&mut self.data);
        for input in Input::ALL {
            self.source_mut(input).into_iter().flatten().for_each(place);
        }
        self.hierarchies.iter_mut().for_each(|(_, source)| place(source));
        self
    }

    /// The file given for an input, if that input is a file.
    pub fn source(&self, input: Input) -> Option<&Source> {
        match input {
            Input::Places => self.places.as_ref(),
            Input::Records => self.records.as_ref(),
            Input::Taxonomy => self.taxonomy.as_ref(),
            Input::SensitiveItems => self.sensitive.as_ref(),
            Input::SensitiveValues | Input::Hierarchies => None,
            Input::Constraints => self.constraints.as_ref(),
            Input::Policy => self.policy.as_ref(),
            Input::Patterns => self.patterns.as_ref(),
            Input::PersonPatterns => self.person_patterns.as_ref(),
            Input::Alphabet => self.alphabet.as_ref(),
            Input::Costs => self.costs.as_ref(),
            Input::Queries => self.queries.as_ref(),
        }
    }

    /// Where the file for an input goes, if that input is a file.
    pub fn source_mut(&mut self, input: Input) -> Option<&mut Option<Source>> {
        match input {
            Input::Places => Some(&mut self.places),
            Input::Records => Some(&mut self.records),
            Input::Taxonomy => Some(&mut self.taxonomy),
            Input::SensitiveItems => Some(&mut self.sensitive),
            Input::SensitiveValues | Input::Hierarchies => None,
            Input::Constraints => Some(&mut self.constraints),
            Input::Policy => Some(&mut self.policy),
            Input::Patterns => Some(&mut self.patterns),
            Input::PersonPatterns => Some(&mut self.person_patterns),
            Input::Alphabet => Some(&mut self.alphabet),
            Input::Costs => Some(&mut self.costs),
            Input::Queries => Some(&mut self.queries),
        }
    }

    /// Whether the data are a table: columns have roles, and nothing says that there are events.
    pub fn is_table(&self) -> bool {
        let reading = &self.read;
        let events = [&reading.item, &reading.wide, &reading.time, &reading.record];
        match reading.format {
            Some(format) => format == Format::Table,
            None => {
                let roles = !self.roles.is_empty() || !self.hierarchies.is_empty();
                // Columns that belong to people or items are columns of events.
                let belong = !reading.attributes.is_empty() || reading.has_places();
                roles && !belong && self.records.is_none() && events.iter().all(|column| column.is_none())
            }
        }
    }

    /// What the data are, as far as can be told without reading them. Times are not ruled out.
    pub fn probable_shape(&self) -> DataShape {
        let with = |role| self.roles.iter().filter(|(_, given)| *given == role).count();
        let columns = DataShape {
            events: EventShape::Absent,
            columns: self.roles.len(),
            quasi: with(Role::QuasiIdentifying),
            sensitive: with(Role::Sensitive),
        };
        if self.is_table() {
            return columns;
        }
        let fimi = match self.read.format {
            Some(format) => matches!(format, Format::Fimi | Format::Matrix),
            None => matches!(self.data.extension().as_deref(), Some("dat" | "fimi")),
        };
        let events = if self.read.sets || fimi { EventShape::Set } else { EventShape::Timed };
        match self.is_given(Input::Records) {
            true => DataShape { events, ..columns },
            false => DataShape::events(events),
        }
    }

    /// Every file that is given beside the data, by what it is used as.
    pub fn beside(&self) -> Vec<(String, &Source)> {
        let inputs = Input::ALL.into_iter();
        let mut sources: Vec<(String, &Source)> =
            inputs.filter_map(|input| Some((input.flag().to_owned(), self.source(input)?))).collect();
        sources.extend(self.hierarchies.iter().map(|(column, source)| (hierarchy_role(column), source)));
        sources
    }

    /// Whether an input was given.
    pub fn is_given(&self, input: Input) -> bool {
        match input {
            Input::SensitiveValues => !self.sensitive_values.is_empty(),
            Input::Hierarchies => !self.hierarchies.is_empty(),
            Input::Places => self.places.is_some() || self.read.has_places(),
            Input::Records => self.records.is_some() || !self.read.attributes.is_empty(),
            input => self.source(input).is_some(),
        }
    }
}
