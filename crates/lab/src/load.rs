//! Reads the data and what a method asks for beside it, and fits them together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use throng_contract::{
    Class, DataKind, Descriptor, DescriptorKind, Failure, Help, Input, Progress, Settings, did_you_mean, help,
};
use throng_data::formats::{
    Digest, Format, People, Read, ReadOptions, Shape, Source, align_taxonomy, read_alphabet, read_costs,
    read_dataset, read_hierarchy, read_item_sets, read_items, read_patterns, read_people,
    read_person_patterns, read_places_of, read_policy, read_queries, read_taxonomy,
};
use throng_data::recognize::{FoundRole, propose};
use throng_data::{
    Column, Dataset, DeclaredRange, Domain, Hierarchy, HierarchyError, Inputs, ItemId, Role, Table, position,
};
use throng_methods::{MethodError, Task, Variant};

use crate::directory::DirectoryError;
use crate::files::hierarchy_role;
use crate::{Files, catalogue};

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

impl Loaded {
    /// The task of a method on this data.
    pub fn task<'a>(
        &'a self,
        settings: &'a Settings,
        variant: Variant,
        seed: u64,
        progress: &'a Progress,
    ) -> Task<'a> {
        Task { variant, seed, inputs: &self.inputs, ..Task::new(&self.data, settings, progress) }
    }
}

/// Reads the data, and of the other files those that the method or promise uses; for a method also those that some
/// measure of its release uses. A required input that is missing is an error; a file that is not used is a note.
pub fn load(files: &Files, needs: &Descriptor, progress: &Progress) -> Result<Loaded, Failure> {
    refuse_missing(files, needs)?;
    refuse_two_of_one(files)?;
    refuse_absent(files)?;
    let table = files.is_table() || needs.takes == [DataKind::Table];
    // Columns that are recoded together with the events have hierarchies, and are published by their roles.
    let mixed = !table && (needs.takes.contains(&DataKind::Mixed) || measures_columns(files, needs));
    let wants_records = needs.uses(Input::Records)
        || needs.uses(Input::SensitiveValues)
        || !files.publish.is_empty()
        || measures_columns(files, needs);
    let wanted = |input: Input| {
        let used = if input == Input::Records { wants_records } else { is_used(needs, input) };
        files.source(input).filter(|_| used)
    };
    let mut sources = vec![("data".to_owned(), &files.data)];
    sources
        .extend(Input::ALL.into_iter().filter_map(|input| Some((input.flag().to_owned(), wanted(input)?))));
    if table || mixed {
        sources.extend(files.hierarchies.iter().map(|(column, source)| (hierarchy_role(column), source)));
    }
    refuse_shared_stdin(&sources)?;
    let mut options = files.read.clone();
    if table {
        options.format = Some(Format::Table);
    }
    let Read { dataset: mut data, shape } = read_dataset(&files.data, &options, progress)?;
    let mut notes = unused(files, needs);
    notes.extend(shape.notes.iter().cloned());
    let items = Arc::clone(&data.items);
    if let Some(source) = wanted(Input::Places) {
        data.places = Some(read_places_of(source, shape.roles.item.as_deref(), &items, progress)?);
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
        give_roles(&mut table, &files.roles, &sensitive_values)?;
        data.attributes = Some(table);
    } else if let Some(columns) = data.attributes.as_mut().filter(|_| !table) {
        give_roles(columns, &files.roles, &sensitive_values)?;
    }
    let (mut hierarchies, mut ranges) = (BTreeMap::new(), BTreeMap::new());
    if let Some(columns) = data.attributes.as_mut().filter(|_| table) {
        // The column that tells people apart names them: it is no column of the table, and never published.
        let is_id = |(name, role): &&(String, Role)| {
            *role == Role::Identifying && shape.roles.subject.as_deref() == Some(name.as_str())
        };
        let roles: Vec<(String, Role)> = files.roles.iter().filter(|role| !is_id(role)).cloned().collect();
        give_roles(columns, &roles, &sensitive_values)?;
        publish(columns, &files.publish)?;
        hierarchies = read_hierarchies(&files.hierarchies, columns, progress)?;
    }
    if let Some(columns) = data.attributes.as_mut().filter(|_| mixed) {
        publish(columns, &files.publish)?;
        hierarchies = read_hierarchies(&files.hierarchies, columns, progress)?;
    }
    if let Some(columns) = data.attributes.as_mut() {
        ranges = checked_ranges(&files.ranges, columns)?;
    } else if let Some((name, _)) = files.ranges.first() {
        let what = format!("`range` of `{name}` is for a column, and the data have events only");
        return Err(Failure::new(Class::Usage, what).with_help("leave it out, or give the columns of people"));
    }
    let taxonomy = match wanted(Input::Taxonomy) {
        Some(source) => {
            let taxonomy = read_taxonomy(source, progress)?;
            align_taxonomy(source, &taxonomy, &items)?;
            Some(taxonomy)
        }
        None => None,
    };
    let names = |ids: Vec<ItemId>| items.named(&ids);
    let sets = |sets: Vec<Vec<ItemId>>| sets.into_iter().map(names).collect::<Vec<_>>();
    let constraints = wanted(Input::Constraints).map(|source| read_item_sets(source, &items)).transpose()?;
    let policy = wanted(Input::Policy).map(|source| read_policy(source, &items)).transpose()?;
    let sensitive = wanted(Input::SensitiveItems).map(|source| read_items(source, &items)).transpose()?;
    let patterns = wanted(Input::Patterns).map(|source| read_patterns(source, &items)).transpose()?;
    let person_patterns = wanted(Input::PersonPatterns)
        .map(|source| read_person_patterns(source, shape.roles.subject.as_deref(), &data.subjects, &items))
        .transpose()?;
    let queries = wanted(Input::Queries).map(read_queries).transpose()?;
    let inputs = Inputs {
        taxonomy,
        hierarchies,
        ranges,
        constraints: constraints.map(sets),
        policy: policy.map(sets),
        sensitive_items: sensitive.map(names).unwrap_or_default(),
        sensitive_values,
        patterns: patterns.map(sets).unwrap_or_default(),
        person_patterns,
        alphabet: wanted(Input::Alphabet).map(read_alphabet).transpose()?,
        costs: wanted(Input::Costs).map(read_costs).transpose()?,
        queries,
    };
    refuse_other_files(files, &sources)?;
    Ok(Loaded {
        data,
        named: shape.roles.subject.is_some(),
        inputs,
        files: sources.iter().map(|(role, source)| ReadFile::of(role, source)).collect(),
        notes,
    })
}

/// Standard input can be read once, by one of the inputs.
fn refuse_shared_stdin(sources: &[(String, &Source)]) -> Result<(), Failure> {
    let roles: Vec<&String> =
        sources.iter().filter(|(_, source)| source.is_stdin()).map(|(role, _)| role).collect();
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
fn refuse_other_files(files: &Files, sources: &[(String, &Source)]) -> Result<(), Failure> {
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
    if let Some(input) = needs.lacking(|input| files.is_given(input)).next() {
        if input == Input::Places
            && let Some(help) = places_in_data(files)
        {
            let what = MethodError::MissingInput { method: needs.name, input }.to_string();
            return Err(Failure::new(Class::Usage, what).with_help(help));
        }
        let missing = Failure::from(MethodError::MissingInput { method: needs.name, input });
        let instead = needs.needs.iter().find(|need| need.input == input).and_then(|need| need.instead);
        return Err(match instead {
            Some(other) => missing.with_help(help!("add {$ FILE} or {$ FILE}", input.flag(), other.flag())),
            None => missing,
        });
    }
    refuse_idle_coordinates(files, needs)
}

/// A method that goes by names where nothing is known of its items does so unasked only where the data know nothing of them either.
fn refuse_idle_coordinates(files: &Files, needs: &Descriptor) -> Result<(), Failure> {
    let optional = |input| needs.needs.iter().any(|need| need.input == input && !need.required);
    let either = [Input::Places, Input::Taxonomy];
    if needs.kind != DescriptorKind::Method
        || !either.into_iter().all(optional)
        || either.into_iter().any(|input| files.is_given(input))
    {
        return Ok(());
    }
    match places_in_data(files) {
        None => Ok(()),
        Some(help) => Err(Failure::new(
            Class::Usage,
            format!("`{}` would go by names, though the data have coordinates", needs.name),
        )
        .with_help(help.and("; {throng taxonomy} makes groups by names for {taxonomy}"))),
    }
}

/// How to take coordinates from the data themselves, where they have such columns.
fn places_in_data(files: &Files) -> Option<Help> {
    let proposal = propose(&files.data, &files.read).ok().filter(|_| files.data.is_lasting())?;
    let pair = |first, second| Some((proposal.column(first)?, proposal.column(second)?));
    proposal.column(FoundRole::Item)?;
    let (flags, (first, second)) = match pair(FoundRole::Lat, FoundRole::Lon) {
        Some(pair) => (("lat", "lon"), pair),
        None => (("x", "y"), pair(FoundRole::X, FoundRole::Y)?),
    };
    Some(help!("the data have them: say {$ $} {$ $}", flags.0, first, flags.1, second))
}

/// A file that nothing reads may still be misspelt, and then something else is missing: it is looked for.
pub(crate) fn refuse_absent(files: &Files) -> Result<(), Failure> {
    let given = Input::ALL.into_iter().filter_map(|input| files.source(input));
    let hierarchies = files.hierarchies.iter().map(|(_, source)| source);
    for source in [&files.data].into_iter().chain(given).chain(hierarchies) {
        if source.path().is_some_and(|path| path.metadata().is_err()) {
            source.open()?;
        }
    }
    Ok(())
}

/// Coordinates and attributes come from one place each.
fn refuse_two_of_one(files: &Files) -> Result<(), Failure> {
    let places = files.places.is_some() && files.read.has_places();
    let records = files.records.is_some() && !files.read.attributes.is_empty();
    let (what, help) = match (places, records) {
        (true, _) => ("coordinates are given twice", "give {places FILE}, or columns of the data, not both"),
        (_, true) => ("attributes are given twice", "give {records FILE}, or {attributes}, not both"),
        _ => return Ok(()),
    };
    Err(Failure::new(Class::Usage, what).with_help(help))
}

/// Whether columns beside the events are to be measured: their roles are told.
fn measures_columns(files: &Files, needs: &Descriptor) -> bool {
    needs.kind == DescriptorKind::Measure && !files.roles.is_empty() && !files.is_table()
}

/// Whether the method or promise looks at an input, or a measure of what the method makes.
fn is_used(needs: &Descriptor, input: Input) -> bool {
    let measured = || catalogue::measures().any(|measure| measure.descriptor().uses(input));
    needs.uses(input) || (needs.kind != DescriptorKind::Promise && measured())
}

/// A file that has no effect is pointed out: the user expects one.
fn unused(files: &Files, needs: &Descriptor) -> Vec<String> {
    let file = |input: Input| files.source(input).is_some() || Input::WISHES.contains(&input);
    let given = Input::ALL.into_iter().filter(|input| files.is_given(*input) && !is_used(needs, *input));
    let given = given.filter(|input| file(*input));
    let idle = given.filter(|input| {
        *input != Input::Records || (files.publish.is_empty() && !measures_columns(files, needs))
    });
    idle.map(|input| format!("`{}` makes no use of `--{}`", needs.name, input.flag())).collect()
}

/// `COLUMN=VALUE[,VALUE]`, each as typed.
pub(crate) fn sensitive_values(typed: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs = Vec::new();
    for text in typed {
        let Some((column, values)) = text.split_once('=').filter(|(column, _)| !column.trim().is_empty())
        else {
            return Err(Failure::new(Class::Usage, format!("`sensitive-values`: `{text}` names no column"))
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

/// Columns of a table that are published as they are; those that an attacker knows or must not learn are published anyway.
fn publish(table: &mut Table, columns: &[String]) -> Result<(), Failure> {
    for name in columns {
        let column = column(table, name)?;
        match column.role {
            Some(Role::Identifying) => Err(DirectoryError::Identifying { column: name.clone() })?,
            Some(_) => {}
            None => column.role = Some(Role::Insensitive),
        }
    }
    Ok(())
}

/// Reads the hierarchies of columns, each against the values of its column.
fn read_hierarchies(
    files: &[(String, Source)],
    table: &mut Table,
    progress: &Progress,
) -> Result<BTreeMap<String, Hierarchy>, Failure> {
    let mut found = BTreeMap::new();
    for (name, source) in files {
        let column = column(table, name)?;
        let hierarchy = read_hierarchy(source, progress)?;
        if let Err(error) = Domain::of(column, Some(&hierarchy)) {
            return Err(misfit(column, source, &error));
        }
        if found.insert(name.clone(), hierarchy).is_some() {
            return Err(Failure::new(Class::Usage, format!("column `{name}` has two hierarchies"))
                .with_help("give one with {hierarchy COLUMN=FILE}"));
        }
    }
    Ok(found)
}

/// The declared ranges of columns, each against the values of its column.
fn checked_ranges(
    ranges: &[(String, DeclaredRange)],
    table: &mut Table,
) -> Result<BTreeMap<String, DeclaredRange>, Failure> {
    let mut found = BTreeMap::new();
    for (name, range) in ranges {
        let column = column(table, name)?;
        let kind = column.kind();
        let Some((low, high)) = range.ends(kind) else {
            let what =
                format!("the range {range} does not fit the column `{name}`, whose type is {}", kind.name());
            let help =
                help!("give two values of that type, or say what the column holds: {type $=number}", name);
            return Err(Failure::new(Class::Usage, what).with_help(help));
        };
        let outside =
            |row: &usize| position(&column.text(*row), kind).is_some_and(|value| value < low || value > high);
        if let Some(row) = (0..column.len()).find(outside) {
            let what = format!("row {} of column `{name}` lies outside the declared range {range}", row + 1);
            return Err(Failure::new(Class::BadInput, what)
                .with_help(help!("mend the row, or declare a wider range: {range $=LOW..HIGH}", name)));
        }
        if found.insert(name.clone(), range.clone()).is_some() {
            return Err(Failure::new(Class::Usage, format!("column `{name}` has two ranges"))
                .with_help("give one with {range COLUMN=LOW..HIGH}"));
        }
    }
    Ok(found)
}

/// Why a hierarchy does not fit its column. A value of the data is not repeated in an error: the row it stands in is named.
fn misfit(column: &Column, source: &Source, error: &HierarchyError) -> Failure {
    let (what, help) = match error {
        HierarchyError::MissingValue { value, others } => {
            let row = (0..column.len()).find(|row| column.text(*row) == *value).unwrap_or_default() + 1;
            let others = match others {
                0 => String::new(),
                1 => ", nor has it another one".to_owned(),
                others => format!(", nor has it {others} others"),
            };
            let what = format!(
                "has no leaf for {} in row {row} of column `{}`{others}",
                Shape::of(value),
                column.name
            );
            (
                what,
                "add a line `value;parent;...;root` for every value of the column, or intervals that hold all of them",
            )
        }
        other => (
            format!("does not fit column `{}`: {other}", column.name),
            "write intervals as `[low,high]`, both ends included, none of them overlapping another",
        ),
    };
    Failure::new(Class::BadInput, format!("hierarchy `{}` {what}", source.name())).with_help(help)
}

fn column<'a>(table: &'a mut Table, name: &str) -> Result<&'a mut Column, Failure> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let Some(at) = names.iter().position(|known| *known == name) else {
        let help = match did_you_mean(name, names.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            // Without a header columns go by their numbers.
            None if names.iter().any(|name| name.parse::<f64>().is_ok()) => format!(
                "the file has no line with names, so that columns go by their numbers, up to {}; put a line with names above \
                 the rows, or give numbers",
                names.len()
            ),
            None => format!("there are {}", names.join(", ")),
        };
        return Err(Failure::new(Class::Usage, format!("the data have no column `{name}`")).with_help(help));
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
}
