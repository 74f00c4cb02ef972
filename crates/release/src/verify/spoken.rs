//! What a promise speaks of beside the release: who must not be inferred, and what is known of people.

use throng_contract::{Class, Descriptor, Failure, Input, Progress};
use throng_data::formats::{
    Defect, ReadOptions, Source, parse_pattern, read_name_sets, read_names, read_record_names, read_taxonomy,
};
use throng_data::{Dictionary, Inputs, Release, Table};

use crate::manifest::PromiseEntry;
use crate::published::People;
use throng_data::load::Files;
use throng_data::load::sensitive_values;

/// So many names are listed in a note.
const SHOWN: usize = 5;

/// What a promise speaks of. Names are kept as they are: an item that must not be inferred may well be absent from
/// the release.
pub(super) struct PromiseInputs {
    pub inputs: Inputs,
    /// Whether the names that must not be inferred are the manifest's, and not the reader's own.
    pub believed: bool,
}

impl PromiseInputs {
    /// What the reader gave.
    pub fn read(files: &Files, promise: &Descriptor, progress: &Progress) -> Result<Self, Failure> {
        let wanted = |input| files.source(input).filter(|_| promise.uses(input));
        let names = |input| wanted(input).map(read_names).transpose().map(Option::unwrap_or_default);
        let pattern = |line: String| parse_pattern(&line);
        Ok(PromiseInputs {
            inputs: Inputs {
                taxonomy: wanted(Input::Taxonomy)
                    .map(|source| read_taxonomy(source, progress))
                    .transpose()?,
                sensitive_items: names(Input::SensitiveItems)?,
                sensitive_values: sensitive_values(&files.sensitive_values)?,
                patterns: names(Input::Patterns)?.into_iter().map(pattern).collect(),
                policy: wanted(Input::Policy).map(read_name_sets).transpose()?,
                ..Inputs::default()
            },
            believed: false,
        })
    }

    /// What the manifest says must not be inferred, where the reader said nothing.
    pub fn complete_from(&mut self, said: &PromiseEntry, promise: &Descriptor) {
        if promise.uses(Input::SensitiveItems) && self.inputs.sensitive_items.is_empty() {
            self.inputs.sensitive_items.clone_from(&said.sensitive_items);
            self.believed |= !said.sensitive_items.is_empty();
        }
        if promise.uses(Input::SensitiveValues) && self.inputs.sensitive_values.is_empty() {
            self.inputs.sensitive_values.clone_from(&said.sensitive_values);
            self.believed |= !said.sensitive_values.is_empty();
        }
    }

    /// Takes out the values of columns that were neither published nor given; returns those columns.
    pub fn without_hidden_columns(&mut self, table: Option<&Table>) -> Vec<String> {
        let known = |column: &str| table.is_some_and(|table| table.column(column).is_some());
        let mut hidden: Vec<String> = Vec::new();
        self.inputs.sensitive_values.retain(|(column, _)| {
            let keep = known(column);
            if !keep && !hidden.contains(column) {
                hidden.push(column.clone());
            }
            keep
        });
        hidden
    }

    /// Whose word it is that these must not be inferred, where it is not the reader's.
    pub fn in_words(&self) -> Option<String> {
        let values = self.inputs.sensitive_values.iter().map(|(column, value)| format!("{column}={value}"));
        let names: Vec<String> = self.inputs.sensitive_items.iter().cloned().chain(values).collect();
        let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let more = match names.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (self.believed && !names.is_empty())
            .then(|| format!("sensitive is what the manifest lists as sensitive: {shown}{more}"))
    }

    /// Takes out what the manifest names and the release does not have: an attacker cannot learn of anybody that they have it.
    pub fn without_absent(&mut self, release: &Release) {
        if !self.believed {
            return;
        }
        self.inputs.sensitive_items.retain(|name| release.base.find(name).is_some());
        let table = release.attributes();
        self.inputs.sensitive_values.retain(|(column, value)| {
            let column = table.and_then(|table| table.column(column));
            column.is_some_and(|column| (0..release.people()).any(|person| column.text(person) == *value))
        });
    }
}

/// The attributes a reader gave with `--records`: keyed by `record`, or by person where a linkage says whose records are.
pub(super) struct Given {
    held: Source,
    /// The records that have a row; `None` when the file is keyed by person.
    pub records: Option<Dictionary>,
}

impl Given {
    /// Looks at the file of attributes, if the promise uses one and it was given.
    pub fn read(files: &Files, promise: &Descriptor) -> Result<Option<Self>, Failure> {
        let Some(source) = files.source(Input::Records).filter(|_| promise.uses(Input::Records)) else {
            return Ok(None);
        };
        let held = source.held()?;
        let by_record = ReadOptions { subject: Some("record".to_owned()), ..files.read.clone() };
        let records = match read_record_names(&held, &by_record) {
            Ok((records, _)) => Some(records),
            Err(error) if matches!(*error.defect, Defect::MissingColumn { .. }) => None,
            Err(error) => Err(error)?,
        };
        Ok(Some(Given { held, records }))
    }

    /// The attributes by person.
    pub fn table(&self, files: &Files, people: &People, progress: &Progress) -> Result<Table, Failure> {
        if self.records.is_some() {
            return people.by_record(&self.held, progress);
        }
        let options = ReadOptions { subject: None, ..files.read.clone() };
        people.by_person(&self.held, &options, progress)?.ok_or_else(|| {
            let message = format!(
                "`{}` is keyed by person, and a release does not say whose records are",
                self.held.name()
            );
            Failure::new(Class::Usage, message)
                .with_help("add {linkage FILE}, or key the file by a column `record`")
        })
    }
}
