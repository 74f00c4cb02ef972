//! Reads the data and what a method asks for beside it, and fits them together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use throng_contract::{
    Class, DataKind, Descriptor, DescriptorKind, Failure, Input, Progress, Settings, did_you_mean,
};
use throng_data::formats::{
    Digest, Read, ReadOptions, Source, align_taxonomy, read_costs, read_dataset, read_item_sets, read_items,
    read_names, read_patterns, read_places, read_queries, read_records, read_taxonomy,
};
use throng_data::{Column, Dataset, EventKind, Events, EventsBuilder, ItemId, Role, Table, Taxonomy};
use throng_methods::{MethodError, Task, Variant};

use crate::{Files, catalogue};

/// Everything a method may look at, read and fitted together.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The data, with places and attributes if they were given.
    pub data: Dataset,
    /// Whether people have names of their own; otherwise they go by the numbers of their rows.
    pub named: bool,
    /// A generalisation hierarchy over items.
    pub taxonomy: Option<Taxonomy>,
    /// Sets of items that may be generalised together.
    pub constraints: Option<Vec<Vec<ItemId>>>,
    /// Items that must not be inferred.
    pub sensitive_items: Vec<ItemId>,
    /// Attribute values that must not be inferred: column, value.
    pub sensitive_values: Vec<(String, String)>,
    /// Sequences of items that must be hidden.
    pub patterns: Vec<Vec<ItemId>>,
    /// A public list of all items that may occur.
    pub alphabet: Option<Vec<String>>,
    /// Costs of symbols: item or taxonomy node, cost.
    pub costs: Option<BTreeMap<String, f64>>,
    /// COUNT queries the release should answer, by name: items need not occur in the data.
    pub queries: Option<Vec<Vec<String>>>,
    /// Files that were read, with their fingerprints.
    pub inputs: Vec<ReadFile>,
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
}

impl ReadFile {
    fn of(role: &str, source: &Source) -> Self {
        let base = source.path().and_then(Path::file_name);
        let name = base.map_or_else(|| source.name().into(), |name| name.to_string_lossy());
        ReadFile { role: role.to_owned(), name: name.into_owned(), digest: source.digest() }
    }
}

impl Loaded {
    /// The task of a method on this data.
    pub fn task<'a>(
        &'a self,
        settings: &'a Settings,
        variant: Variant,
        seed: u64,
        progress: &'a Progress,
    ) -> Task<'a> {
        Task {
            variant,
            seed,
            taxonomy: self.taxonomy.as_ref(),
            constraints: self.constraints.as_deref(),
            sensitive_items: &self.sensitive_items,
            sensitive_values: &self.sensitive_values,
            patterns: &self.patterns,
            alphabet: self.alphabet.as_deref(),
            costs: self.costs.as_ref(),
            ..Task::new(&self.data, settings, progress)
        }
    }

    /// Names of the sensitive items, as checkers want them.
    pub(crate) fn sensitive_names(&self) -> Vec<String> {
        self.names(&self.sensitive_items)
    }

    /// The patterns to hide by name, as checkers want them.
    pub(crate) fn pattern_names(&self) -> Vec<Vec<String>> {
        self.patterns.iter().map(|pattern| self.names(pattern)).collect()
    }

    fn names(&self, items: &[ItemId]) -> Vec<String> {
        items.iter().map(|item| self.data.items.name(*item).to_owned()).collect()
    }
}

/// Reads the data, and of the other files those that the method or promise uses; for a method also those that some
/// measure of its release uses. A required input that is missing is an error; a file that is not used is a note.
pub fn load(files: &Files, needs: &Descriptor, progress: &Progress) -> Result<Loaded, Failure> {
    refuse_missing(files, needs)?;
    let wants_records =
        needs.uses(Input::Records) || needs.uses(Input::SensitiveValues) || !files.publish.is_empty();
    let wanted = |input: Input| {
        let used = if input == Input::Records { wants_records } else { is_used(needs, input) };
        files.source(input).filter(|_| used)
    };
    let mut sources = vec![("data", &files.data)];
    sources.extend(Input::ALL.into_iter().filter_map(|input| Some((input.flag(), wanted(input)?))));
    refuse_shared_stdin(&sources)?;
    let Read { dataset: mut data, shape } = read_dataset(&files.data, &files.read, progress)?;
    let mut notes = unused(files, needs);
    if needs.takes == [DataKind::Sets] && data.events.kind() == EventKind::Sequence {
        data.events = as_sets(&data.events);
        notes.push(format!("`{}` works on sets: the order of events was dropped", needs.name));
    }
    let items = Arc::clone(&data.items);
    if let Some(source) = wanted(Input::Places) {
        data.places = Some(read_places(source, &items, progress)?);
    }
    let sensitive_values = sensitive_values(&files.sensitive_values)?;
    if let Some(source) = wanted(Input::Records) {
        let options = ReadOptions { subject: None, ..files.read.clone() };
        let mut table = read_records(source, &options, &data.subjects, progress)?;
        give_roles(&mut table, &files.roles, &sensitive_values)?;
        data.attributes = Some(table);
    }
    let taxonomy = match wanted(Input::Taxonomy) {
        Some(source) => {
            let taxonomy = read_taxonomy(source, progress)?;
            align_taxonomy(source, &taxonomy, &items)?;
            Some(taxonomy)
        }
        None => None,
    };
    let constraints = wanted(Input::Constraints).map(|source| read_item_sets(source, &items)).transpose()?;
    let sensitive_items =
        wanted(Input::SensitiveItems).map(|source| read_items(source, &items)).transpose()?;
    let patterns = wanted(Input::Patterns).map(|source| read_patterns(source, &items)).transpose()?;
    let alphabet = wanted(Input::Alphabet).map(read_names).transpose()?;
    let costs = wanted(Input::Costs).map(read_costs).transpose()?;
    let queries = wanted(Input::Queries).map(read_queries).transpose()?;
    refuse_other_files(files, &sources)?;
    Ok(Loaded {
        data,
        named: shape.roles.subject.is_some(),
        taxonomy,
        constraints,
        sensitive_items: sensitive_items.unwrap_or_default(),
        sensitive_values,
        patterns: patterns.unwrap_or_default(),
        alphabet,
        costs,
        queries,
        inputs: sources.iter().map(|(role, source)| ReadFile::of(role, source)).collect(),
        notes,
    })
}

/// Standard input can be read once, by one of the inputs.
fn refuse_shared_stdin(sources: &[(&str, &Source)]) -> Result<(), Failure> {
    let roles: Vec<&str> =
        sources.iter().filter(|(_, source)| source.is_stdin()).map(|(role, _)| *role).collect();
    match roles[..] {
        [first, second, ..] => Err(Failure::new(
            Class::Usage,
            format!("`{first}` and `{second}` cannot both be read from standard input"),
        )
        .with_help("give `-` once, and files or `<(command)` for the others")),
        _ => Ok(()),
    }
}

/// Refuses files that are not those a recipe was written for, by the bytes that were read.
fn refuse_other_files(files: &Files, sources: &[(&str, &Source)]) -> Result<(), Failure> {
    for (role, source) in sources {
        let expected = files.expected.iter().find(|(known, _)| known == role).map(|(_, sha256)| sha256);
        let found = source.digest().map(|digest| digest.to_string());
        if expected.is_some_and(|expected| found.as_ref() != Some(expected)) {
            let what = format!("`{}` is not the file that the recipe was written for", source.name());
            return Err(Failure::new(Class::BadInput, what)
                .with_help("bring back the earlier file, or take `sha256` out of the recipe"));
        }
    }
    Ok(())
}

fn refuse_missing(files: &Files, needs: &Descriptor) -> Result<(), Failure> {
    for need in needs.needs.iter().filter(|need| need.required) {
        if !files.is_given(need.input) {
            Err(MethodError::MissingInput { method: needs.name, input: need.input })?;
        }
    }
    Ok(())
}

/// Whether the method or promise looks at an input, or a measure of what the method makes.
fn is_used(needs: &Descriptor, input: Input) -> bool {
    let measured = || catalogue::measures().any(|measure| measure.descriptor().uses(input));
    needs.uses(input) || (needs.kind != DescriptorKind::Promise && measured())
}

/// A file that has no effect is pointed out: the user expects one.
fn unused(files: &Files, needs: &Descriptor) -> Vec<String> {
    let given = Input::ALL.into_iter().filter(|input| files.is_given(*input) && !is_used(needs, *input));
    let idle = given.filter(|input| *input != Input::Records || files.publish.is_empty());
    idle.map(|input| format!("`{}` makes no use of `--{}`", needs.name, input.flag())).collect()
}

/// The same records without order and repeats.
pub(crate) fn as_sets(events: &Events) -> Events {
    let mut sets = EventsBuilder::new(EventKind::Set, false);
    for subject in 0..events.subjects() {
        for record in events.records_of(subject) {
            sets.push(subject as u32, events.record(record), &[]);
        }
    }
    sets.finish(events.subjects())
}

/// `COLUMN=VALUE[,VALUE]`, each as typed.
pub(crate) fn sensitive_values(typed: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs = Vec::new();
    for text in typed {
        let Some((column, values)) = text.split_once('=').filter(|(column, _)| !column.trim().is_empty())
        else {
            return Err(Failure::new(Class::Usage, format!("`--sensitive-values {text}` names no column"))
                .with_help("write it as COLUMN=VALUE or COLUMN=VALUE,VALUE"));
        };
        let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
        pairs.extend(values.map(|value| (column.trim().to_owned(), value.to_owned())));
    }
    Ok(pairs)
}

/// Roles as given; a column with sensitive values is sensitive unless said otherwise.
fn give_roles(
    table: &mut Table,
    roles: &[(String, Role)],
    sensitive_values: &[(String, String)],
) -> Result<(), Failure> {
    for (name, _) in sensitive_values {
        column(table, name)?.role = Some(Role::Sensitive);
    }
    for (name, role) in roles {
        column(table, name)?.role = Some(*role);
    }
    Ok(())
}

fn column<'a>(table: &'a mut Table, name: &str) -> Result<&'a mut Column, Failure> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let Some(at) = names.iter().position(|known| *known == name) else {
        let help = match did_you_mean(name, names.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("the records have {}", names.join(", ")),
        };
        return Err(
            Failure::new(Class::Usage, format!("the records have no column `{name}`")).with_help(help)
        );
    };
    Ok(&mut table.columns[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitive_values_are_column_and_value_pairs() {
        let pairs = sensitive_values(&["status=welfare, none".to_owned()]).unwrap();
        let pair = |column: &str, value: &str| (column.to_owned(), value.to_owned());
        assert_eq!(pairs, [pair("status", "welfare"), pair("status", "none")]);
        assert_eq!(sensitive_values(&["welfare".to_owned()]).unwrap_err().class, Class::Usage);
    }

    #[test]
    fn order_and_repeats_are_dropped_for_sets() {
        let data = Dataset::from_words(["bab", "a"]);
        let sets = as_sets(&data.events);
        assert_eq!((sets.kind(), sets.record(0), sets.record(1)), (EventKind::Set, &[0, 1][..], &[1][..]));
    }
}
