//! What a user names on a command line or in a recipe: the data and the files that go with it.

use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_contract::{DataShape, EventShape, Input, InputKey};

use super::InputMap;
use crate::formats::{Format, ReadOptions, Source};
use crate::{DeclaredRange, Role};

/// The files of a run, as the user named them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Files {
    /// The data: events, or a table.
    pub data: Source,
    /// How to read the events.
    pub read: ReadOptions,
    /// What goes with the data, for all of it or for a column.
    pub inputs: InputMap,
    /// What columns of numbers or dates may hold: column, range.
    pub ranges: Vec<(String, DeclaredRange)>,
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
    /// SHA-256 that files must have, by role, in hexadecimal; empty when anything goes.
    pub expected: Vec<(String, String)>,
}

impl Files {
    /// The events alone.
    pub fn of(data: Source) -> Self {
        Files {
            data,
            read: ReadOptions::default(),
            inputs: InputMap::default(),
            ranges: Vec::new(),
            sensitive_values: Vec::new(),
            publish: Vec::new(),
            roles: Vec::new(),
            accept_exposed_columns: false,
            accept_identifiers: Vec::new(),
            expected: Vec::new(),
        }
    }

    /// The same files, seen from outside of the folder in which their paths start.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        for source in [&mut self.data].into_iter().chain(self.inputs.values_mut()) {
            if let Some(path) = source.path().filter(|path| path.is_relative()) {
                *source = Source::file(folder.join(path));
            }
        }
        self
    }

    /// The file given for an input of the whole dataset.
    pub fn source(&self, input: Input) -> Option<&Source> {
        self.inputs.get(&InputKey::from(input))
    }

    /// Gives a file for an input, in place of the one that was there.
    pub fn give(&mut self, key: impl Into<InputKey>, source: Source) {
        self.inputs.insert(key.into(), source);
    }

    /// The same with a file for an input.
    #[must_use]
    pub fn with(mut self, key: impl Into<InputKey>, source: Source) -> Self {
        self.give(key, source);
        self
    }

    /// Takes an input away, for all columns where it is for columns.
    pub fn take_away(&mut self, input: Input) {
        self.inputs.retain(|key| key.input != input);
        if input == Input::SensitiveValues {
            self.sensitive_values.clear();
        }
    }

    /// The hierarchies: column, file.
    pub fn hierarchies(&self) -> impl Iterator<Item = (&str, &Source)> {
        let of_columns = self.inputs.iter().filter(|(key, _)| key.input == Input::Hierarchies);
        of_columns.filter_map(|(key, source)| Some((key.column.as_deref()?, source)))
    }

    /// The hierarchy of a column.
    pub fn hierarchy(&self, column: &str) -> Option<&Source> {
        self.inputs.get(&InputKey::hierarchy(column))
    }

    /// Whether the data are a table: columns have roles, and nothing says that there are events.
    pub fn is_table(&self) -> bool {
        let reading = &self.read;
        let events = [&reading.item, &reading.wide, &reading.time, &reading.record];
        match reading.format {
            Some(format) => format == Format::Table,
            None => {
                let roles = !self.roles.is_empty() || self.is_given(Input::Hierarchies);
                // Columns that belong to people or items are columns of events.
                let belong = !reading.attributes.is_empty() || reading.has_places();
                roles
                    && !belong
                    && self.source(Input::Records).is_none()
                    && events.iter().all(|column| column.is_none())
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
    pub fn beside(&self) -> impl Iterator<Item = (String, &Source)> {
        self.inputs.iter().map(|(key, source)| (key.role(), source))
    }

    /// Whether an input was given.
    pub fn is_given(&self, input: Input) -> bool {
        let in_columns = match input {
            Input::SensitiveValues => !self.sensitive_values.is_empty(),
            Input::Places => self.read.has_places(),
            Input::Records => !self.read.attributes.is_empty(),
            _ => false,
        };
        in_columns || self.inputs.keys().any(|key| key.input == input)
    }
}
