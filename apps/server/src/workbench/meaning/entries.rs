//! Inputs that are lists, entry by entry: queries, policies, constraints, patterns, items.
//!
//! The page edits entries and never the text of a file: how an entry is written and quoted is known to `throng_data` alone. Every
//! change is one step of undo.

use crate::workbench::inputs::key::Kept as _;
use std::fs;
use std::path::Path as FilePath;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use throng_contract::Input;
use throng_data::formats::{
    CUT_FROM_DATA, Source, parse_pattern, read_names, read_queries, read_written_sets, render_pattern,
    render_query,
};
use throng_data::{Dictionary, EventKind, Query as CountQuery, Wanted};
use utoipa::{IntoParams, ToSchema};

use crate::platform::extract::{Body, Path, Query};
use crate::platform::principal::Principal;
use crate::platform::problem::{self, Problem};
use crate::platform::service::Service;
use crate::workbench::inputs::key::InputKey;
use crate::workbench::inputs::{InputFile, Inputs};
use crate::workbench::snapshots::Snapshot;

/// Entries in one answer.
const MAX_ENTRIES: u64 = 200;

/// One line of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Entry {
    /// Items, in this order where order means something.
    pub items: Vec<String>,
    /// Of a query: what is wanted of columns.
    pub conditions: Vec<Condition>,
}

/// What a query wants of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// One of these values; empty where a range is wanted.
    #[serde(default)]
    pub values: Vec<String>,
    /// The lowest and the highest number or date wanted, both included.
    #[serde(default)]
    pub between: Option<(String, String)>,
}

/// An entry, and where it stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = EntryView)]
pub struct ListEntry {
    /// Its place in the list, from 0.
    pub at: u64,
    /// The entry.
    pub entry: Entry,
}

/// A part of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EntriesPage {
    /// The entries.
    pub entries: Vec<ListEntry>,
    /// How many there are that fit what is searched for.
    pub total: u64,
    /// Whether items of an entry have an order.
    pub ordered: bool,
    /// Whether an entry is a single item.
    pub single: bool,
    /// Whether an entry may ask for values of columns.
    pub conditions: bool,
}

/// Which entries.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct EntriesQuery {
    /// Entries to pass over.
    #[param(minimum = 0)]
    offset: Option<u64>,
    /// Entries to show; 200 at most.
    #[param(minimum = 0)]
    limit: Option<u64>,
    /// Part of a name or value; case does not matter.
    search: Option<String>,
}

/// A change of a list.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub enum EntryEdit {
    /// Adds an entry at the end.
    Add {
        /// The entry.
        entry: Entry,
    },
    /// Puts another entry in one's place.
    Replace {
        /// Its place, from 0.
        at: u64,
        /// The entry.
        entry: Entry,
    },
    /// Removes an entry.
    Remove {
        /// Its place, from 0.
        at: u64,
    },
}

/// Whether an input is such a list.
fn is_list(input: Input) -> bool {
    use Input::{Alphabet, Constraints, Patterns, Policy, Queries, SensitiveItems};
    matches!(input, Queries | Policy | Constraints | Patterns | SensitiveItems | Alphabet)
}

fn list_key(text: &str) -> Result<InputKey, Problem> {
    let key = InputKey::of_text(text)?;
    match is_list(key.input) {
        true => Ok(key),
        false => Err(Problem::wrong("this input is no list of entries").at("input")),
    }
}

/// The entries of a file; none where there is no file yet.
fn read(key: &InputKey, path: &FilePath, items: &Dictionary) -> Result<Vec<Entry>, Problem> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let source = Source::file(path);
    let of_items = |items: Vec<String>| Entry { items, conditions: Vec::new() };
    Ok(match key.input {
        Input::Queries => read_queries(&source).map_err(problem::of)?.into_iter().map(Entry::from).collect(),
        Input::Patterns => {
            let text = fs::read_to_string(path)?;
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| of_items(parse_pattern(line.trim_end()))).collect()
        }
        Input::Policy | Input::Constraints => {
            let sets = read_written_sets(&source, items).map_err(problem::of)?;
            sets.into_iter().map(of_items).collect()
        }
        _ => {
            let names = read_names(&source).map_err(problem::of)?;
            names.into_iter().map(|name| of_items(vec![name])).collect()
        }
    })
}

/// The entries as the file has them, one a line.
fn render(key: &InputKey, entries: Vec<Entry>) -> String {
    let line = |entry: Entry| match key.input {
        Input::Queries => render_query(&entry.into()),
        Input::Patterns => render_pattern(entry.items.iter().map(String::as_str)),
        Input::Policy | Input::Constraints => set_line(&entry.items),
        _ => entry.items.concat(),
    };
    entries.into_iter().map(|entry| line(entry) + "\n").collect()
}

/// What a list that was cut from the data says of itself, which an edit does not change.
fn origin(path: &FilePath) -> String {
    let cut = fs::read(path).is_ok_and(|text| text.starts_with(CUT_FROM_DATA.as_bytes()));
    if cut { format!("{CUT_FROM_DATA}, and edited\n") } else { String::new() }
}

/// A set on a line; names that hold a separator are put in quotes.
pub fn set_line(set: &[String]) -> String {
    let quoted = |name: &String| match name.contains([',', ';', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    set.iter().map(quoted).collect::<Vec<_>>().join(",")
}

impl From<CountQuery> for Entry {
    fn from(query: CountQuery) -> Self {
        let condition = |(column, wanted)| match wanted {
            Wanted::Values(values) => Condition { column, values, between: None },
            Wanted::Between(low, high) => {
                Condition { column, values: Vec::new(), between: Some((low, high)) }
            }
        };
        Entry { items: query.items, conditions: query.cells.into_iter().map(condition).collect() }
    }
}

impl From<Entry> for CountQuery {
    fn from(entry: Entry) -> Self {
        let cell = |condition: Condition| {
            let wanted = match condition.between {
                Some((low, high)) => Wanted::Between(low, high),
                None => Wanted::Values(condition.values),
            };
            (condition.column, wanted)
        };
        CountQuery { items: entry.items, cells: entry.conditions.into_iter().map(cell).collect() }
    }
}

/// Why an entry cannot stand in the list.
fn refused(key: &InputKey, entry: &Entry) -> Option<Problem> {
    let texts = || {
        let conditions = entry.conditions.iter().flat_map(|condition| {
            let ends = condition.between.iter().flat_map(|(low, high)| [low, high]);
            std::iter::once(&condition.column).chain(&condition.values).chain(ends)
        });
        entry.items.iter().chain(conditions)
    };
    let single = matches!(key.input, Input::SensitiveItems | Input::Alphabet);
    let wrong = |detail: &str, help: &'static str| Some(Problem::wrong(detail).with_help(help).at("entry"));
    if texts().any(|text| text.contains(['\n', '\r'])) {
        return wrong(
            "a name or value holds a line end",
            "such a name cannot stand in a list; rename it first",
        );
    }
    if entry.items.iter().any(|item| item.trim().is_empty()) || (single && entry.items.len() != 1) {
        return wrong("an entry needs the name of an item", "add an item");
    }
    if key.input != Input::Queries && (!entry.conditions.is_empty() || entry.items.is_empty()) {
        return wrong("an entry of this list is made of items", "add an item");
    }
    if entry.items.is_empty() && entry.conditions.is_empty() {
        return wrong("the query asks for nothing", "add an item or a condition");
    }
    let empty = |condition: &Condition| {
        condition.column.is_empty()
            || match &condition.between {
                Some((low, high)) => {
                    [low, high].iter().any(|end| end.trim().is_empty() || end.contains(".."))
                }
                None => condition.values.is_empty(),
            }
    };
    if entry.conditions.iter().any(empty) {
        return wrong("a condition wants nothing", "give it a value, or both ends of a range");
    }
    None
}

/// Whether a query may ask for columns: a table's own, or those of the people.
fn with_columns(snapshot: &Snapshot, attributes: bool) -> bool {
    let assignment = &snapshot.assignment;
    attributes || assignment.is_table() || !assignment.attributes().is_empty()
}

/// A part of a list.
#[utoipa::path(get, path = "/api/projects/{project}/inputs/{input}/entries", tag = "meaning", params(EntriesQuery),
    responses((status = 200, description = "Entries; none while there is no such list", body = EntriesPage)))]
pub async fn get(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
    Query(query): Query<EntriesQuery>,
) -> Result<Json<EntriesPage>, Problem> {
    let key = list_key(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            let workspace = inputs.projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let data = snapshot.need_data()?;
            let all = read(&key, &inputs.projects.home.input(&project, key.clone()), &data.items)?;
            let text = query.search.unwrap_or_default().to_lowercase();
            let fits = |entry: &Entry| {
                let names = entry.conditions.iter().map(|one| &one.column);
                let values = entry.conditions.iter().flat_map(|one| &one.values);
                entry.items.iter().chain(names).chain(values).any(|name| name.to_lowercase().contains(&text))
            };
            let found: Vec<ListEntry> = (0..)
                .zip(all)
                .filter(|(_, entry)| text.is_empty() || fits(entry))
                .map(|(at, entry)| ListEntry { at, entry })
                .collect();
            let total = found.len() as u64;
            let (offset, limit) =
                (query.offset.unwrap_or(0).min(total), query.limit.unwrap_or(50).min(MAX_ENTRIES) as usize);
            let queries = key.input == Input::Queries;
            let records = inputs.projects.home.input(&project, Input::Records).is_file();
            Ok(EntriesPage {
                entries: found.into_iter().skip(offset as usize).take(limit).collect(),
                total,
                ordered: key.input == Input::Patterns
                    || (queries && data.events.kind() == EventKind::Sequence),
                single: matches!(key.input, Input::SensitiveItems | Input::Alphabet),
                conditions: queries && with_columns(&snapshot, records),
            })
        })
        .await
        .map(Json)
}

/// Changes a list by one entry; it is made by its first entry and taken away with its last.
#[utoipa::path(post, path = "/api/projects/{project}/inputs/{input}/entries", tag = "meaning", request_body = EntryEdit,
    responses((status = 200, description = "The list; absent where no entry is left", body = Option<InputFile>)))]
pub async fn post(
    principal: Principal,
    State(inputs): State<Inputs>,
    Path((project, input)): Path<(String, String)>,
    Body(edit): Body<EntryEdit>,
) -> Result<Json<Option<InputFile>>, Problem> {
    let key = list_key(&input)?;
    inputs
        .ask(&principal, move |inputs| {
            let workspace = inputs.projects.workspace(&project)?;
            let snapshot = workspace.snapshot()?;
            let items = &snapshot.need_data()?.items;
            let mut entries = read(&key, &inputs.projects.home.input(&project, key.clone()), items)?;
            let place = |at: u64| {
                let place = usize::try_from(at).ok().filter(|at| *at < entries.len());
                place.ok_or_else(|| Problem::missing("entry"))
            };
            if let EntryEdit::Add { entry } | EntryEdit::Replace { entry, .. } = &edit
                && let Some(problem) = refused(&key, entry)
            {
                return Err(problem);
            }
            match edit {
                EntryEdit::Add { entry } => entries.push(entry),
                EntryEdit::Replace { at, entry } => {
                    let at = place(at)?;
                    entries[at] = entry;
                }
                EntryEdit::Remove { at } => {
                    let at = place(at)?;
                    entries.remove(at);
                }
            }
            if entries.is_empty() {
                inputs.remove(&project, &key)?;
                return Ok(None);
            }
            let said = origin(&inputs.projects.home.input(&project, key.clone()));
            inputs.write_judged(&project, &key, &snapshot, &(said + &render(&key, entries)))?;
            inputs.one(&project, &key).map(Some)
        })
        .await
        .map(Json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(items: &[&str]) -> Entry {
        Entry { items: items.iter().map(|item| (*item).to_owned()).collect(), conditions: Vec::new() }
    }

    #[test]
    fn entries_are_read_as_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let range =
            Condition { column: "age".into(), values: Vec::new(), between: Some(("20".into(), "29".into())) };
        let one_of =
            Condition { column: "sex".into(), values: vec!["f".into(), "m|x".into()], between: None };
        let mut query = entry(&["a > b", "c"]);
        query.conditions = vec![range, one_of];
        let odd = entry(&["a,b", "c;d", "e f"]);
        let lists = [
            (Input::Queries, vec![query, entry(&["c"])]),
            (Input::Policy, vec![odd.clone(), entry(&["e f"])]),
            (Input::Constraints, vec![odd, entry(&["g"])]),
            (Input::Patterns, vec![entry(&["x > y", "z"])]),
            (Input::SensitiveItems, vec![entry(&["clinic, north"])]),
        ];
        let items: Dictionary = ["e f"].into_iter().collect();
        for (input, entries) in lists {
            let (key, path) = (InputKey::from(input), folder.path().join(input.flag()));
            assert!(read(&key, &path, &items).unwrap().is_empty());
            std::fs::write(&path, render(&key, entries.clone())).unwrap();
            assert!(entries.iter().all(|entry| refused(&key, entry).is_none()));
            assert_eq!(read(&key, &path, &items).unwrap(), entries, "{input:?}");
        }
    }

    #[test]
    fn what_no_file_could_hold_is_refused() {
        let queries = InputKey::from(Input::Queries);
        let wrong = |between: Option<(String, String)>| Entry {
            items: Vec::new(),
            conditions: vec![Condition { column: "age".into(), values: Vec::new(), between }],
        };
        for entry in [Entry::default(), entry(&["a\nb"]), wrong(None), wrong(Some(("1".into(), " ".into())))]
        {
            assert!(refused(&queries, &entry).is_some(), "{entry:?}");
        }
        assert!(refused(&InputKey::from(Input::SensitiveItems), &entry(&["a", "b"])).is_some());
        assert!(refused(&InputKey::from(Input::Policy), &wrong(None)).is_some());
    }
}
