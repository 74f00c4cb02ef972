//! Reads the data and what a method asks for beside it, and fits them together.

mod columns;
mod files;
mod input_map;
mod inputs;
mod refuse;

use std::path::Path;

use throng_contract::{Class, DataKind, Descriptor, DescriptorKind, Failure, Input, Progress};

pub use self::columns::{identifying, sensitive_values};
pub use self::files::Files;
pub use self::input_map::InputMap;
pub use self::inputs::{Beside, try_input};
pub use self::refuse::refuse_absent;
use crate::formats::{
    Digest, Format, People, Read, ReadOptions, Source, read_dataset, read_people, read_places_of,
};
use crate::{Dataset, Inputs, Role};

/// Everything a method may look at, read and fitted together.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The data, with places and attributes if they were given.
    pub data: Dataset,
    /// Whether people have names of their own; otherwise they go by the numbers of their rows.
    pub named: bool,
    /// What was given beside it.
    pub inputs: Inputs,
    /// Files that were read, with their fingerprints.
    pub files: Vec<ReadFile>,
    /// Things the publisher should know.
    pub notes: Vec<String>,
}

/// A file that was read. For the publisher's eyes only: its fingerprint tells whether a guess of its content is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    /// What it was used as: `data`, `places`, ...
    pub role: String,
    /// Base name, without its folder.
    pub name: String,
    /// SHA-256 of the bytes that were parsed.
    pub digest: Option<Digest>,
    /// Whether it says of itself that it was cut from the data.
    pub cut_from_data: bool,
}

impl ReadFile {
    fn of(role: &str, source: &Source) -> Self {
        let base = source.path().and_then(Path::file_name);
        let name = base.map_or_else(|| source.name().into(), |name| name.to_string_lossy());
        ReadFile {
            role: role.to_owned(),
            name: name.into_owned(),
            digest: source.digest(),
            cut_from_data: source.is_cut_from_data(),
        }
    }
}

/// Who uses what is given beside the data.
#[derive(Clone, Copy)]
pub struct Uses<'a> {
    /// The method, promise or measure that the data are read for.
    pub needs: &'a Descriptor,
    /// Whether some measure of what a method makes uses an input.
    pub measured: &'a dyn Fn(Input) -> bool,
}

impl Uses<'_> {
    /// Whether the method or promise looks at an input, or a measure of what the method makes.
    fn takes(&self, input: Input) -> bool {
        self.needs.uses(input) || (self.needs.kind != DescriptorKind::Promise && (self.measured)(input))
    }

    /// Whether columns beside the events are to be measured: their roles are told.
    fn measures_columns(&self, files: &Files) -> bool {
        self.needs.kind == DescriptorKind::Measure && !files.roles.is_empty() && !files.is_table()
    }

    /// A file that has no effect is pointed out: the user expects one.
    fn idle(&self, files: &Files) -> Vec<String> {
        let has_effect = |input: &Input| match input {
            // They are no input of the method, and may be published as they are.
            Input::Records => !files.publish.is_empty() || self.measures_columns(files),
            Input::Places => files.source(*input).is_none(),
            Input::Hierarchies => true,
            _ => false,
        };
        let given = Input::ALL.into_iter().filter(|input| files.is_given(*input) && !self.takes(*input));
        let idle = given.filter(|input| !has_effect(input));
        idle.map(|input| format!("`{}` makes no use of `{}`", self.needs.name, input.flag())).collect()
    }
}

/// Reads the data, and of the other files those that the method or promise uses; for a method also those that some
/// measure of its release uses. A required input that is missing is an error; a file that is not used is a note.
pub fn load(files: &Files, uses: Uses<'_>, progress: &Progress) -> Result<Loaded, Failure> {
    let needs = uses.needs;
    refuse::missing(files, needs)?;
    refuse::two_of_one(files)?;
    refuse_absent(files)?;
    let table = files.is_table() || needs.takes == [DataKind::Table];
    // Columns that are recoded together with the events have hierarchies, and are published by their roles.
    let mixed = !table && (needs.takes.contains(&DataKind::Mixed) || uses.measures_columns(files));
    let wants_records = needs.uses(Input::Records)
        || needs.uses(Input::SensitiveValues)
        || !files.publish.is_empty()
        || uses.measures_columns(files);
    let wanted = |input: Input| {
        let used = if input == Input::Records { wants_records } else { uses.takes(input) };
        files.source(input).filter(|_| used)
    };
    let used = files.inputs.iter().filter(|(key, _)| match key.column {
        None => wanted(key.input).is_some(),
        Some(_) => table || mixed,
    });
    let mut sources = vec![("data".to_owned(), &files.data)];
    sources.extend(used.map(|(key, source)| (key.role(), source)));
    refuse::shared_stdin(&sources)?;
    let mut options = files.read.clone();
    if table {
        options.format = Some(Format::Table);
    }
    let Read { dataset: mut data, shape } = read_dataset(&files.data, &options, progress)?;
    let mut notes = uses.idle(files);
    notes.extend(shape.notes.iter().cloned());
    if let Some(source) = wanted(Input::Places) {
        data.places = Some(read_places_of(source, shape.roles.item.as_deref(), &data.items, progress)?);
    }
    let sensitive_values = sensitive_values(&files.sensitive_values)?;
    if let Some(source) = wanted(Input::Records) {
        let options = ReadOptions { subject: None, ..files.read.clone() };
        let own = shape.roles.subject.as_deref();
        let People { mut table, others } = read_people(source, &options, own, &data.subjects, progress)?;
        if others > 0 {
            notes.push(format!(
                "{others} rows of `{}` are of people without events, and are left out",
                source.name()
            ));
        }
        columns::give_roles(&mut table, &files.roles, &sensitive_values)?;
        data.attributes = Some(table);
    } else if let Some(columns) = data.attributes.as_mut().filter(|_| !table) {
        columns::give_roles(columns, &files.roles, &sensitive_values)?;
    }
    let mut inputs = Inputs::default();
    if let Some(columns) = data.attributes.as_mut().filter(|_| table) {
        // The column that tells people apart names them: it is no column of the table, and never published.
        let is_id = |(name, role): &&(String, Role)| {
            *role == Role::Identifying && shape.roles.subject.as_deref() == Some(name.as_str())
        };
        let roles: Vec<(String, Role)> = files.roles.iter().filter(|role| !is_id(role)).cloned().collect();
        columns::give_roles(columns, &roles, &sensitive_values)?;
    }
    if let Some(columns) = data.attributes.as_mut().filter(|_| table || mixed) {
        columns::publish(columns, &files.publish)?;
        inputs.hierarchies = columns::read_hierarchies(files, columns, progress)?;
    }
    if let Some(columns) = data.attributes.as_mut() {
        inputs.ranges = columns::checked_ranges(&files.ranges, columns)?;
    } else if let Some((name, _)) = files.ranges.first() {
        let what = format!("`range` of `{name}` is for a column, and the data have events only");
        return Err(Failure::new(Class::Usage, what).with_help("leave it out, or give the columns of people"));
    }
    inputs.sensitive_values = sensitive_values;
    inputs::read(wanted, Beside { data: &data, shape: &shape, progress }, &mut inputs)?;
    refuse::other_files(files, &sources)?;
    Ok(Loaded {
        data,
        named: shape.roles.subject.is_some(),
        inputs,
        files: sources.iter().map(|(role, source)| ReadFile::of(role, source)).collect(),
        notes,
    })
}
