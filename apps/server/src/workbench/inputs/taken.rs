//! Inputs that stand in the events' own file: columns that belong to the person become the attributes of people, columns that belong to the item
//! its place and category.
//!
//! One file is often all there is. A person or an item has the first value that is not empty; where one has two, it is refused, unless the
//! first is to be taken. What is taken is an input like any other: it is edited, undone and exported as one. Beside it lies how it was taken, so that
//! it can be told when the rows were edited since; an input that was itself edited or replaced is no longer a copy of anything.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use throng_contract::Input;
use throng_data::Dictionary;
use throng_data::formats::write_row;
use utoipa::ToSchema;

use crate::platform::problem::Problem;
use crate::workbench::format::counted;
use crate::workbench::snapshots::Snapshot;

/// How columns are taken.
#[derive(Debug, Clone, Copy)]
pub struct Taking<'a> {
    /// The columns: of attributes any, of places the two coordinates and perhaps the category.
    pub columns: &'a [String],
    /// Whether coordinates are x and y of a plane, rather than latitude and longitude.
    pub plane: bool,
    /// Whether the first value counts where a person or an item has several.
    pub first_value: bool,
}

/// The columns that an input was taken from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TakenColumns {
    /// Their names, as they were.
    pub columns: Vec<String>,
    /// Whether coordinates are x and y of a plane.
    pub plane: bool,
    /// Whether the first value counted.
    pub first_value: bool,
}

/// What lies beside an input that was taken.
#[derive(Debug, Serialize, Deserialize)]
struct Copied {
    from: TakenColumns,
    text: String,
}

fn beside(place: &Path) -> PathBuf {
    place.with_extension("taken.json")
}

/// Remembers how the input in this place was taken.
pub fn remember(place: &Path, taking: &Taking<'_>, text: String) -> io::Result<()> {
    let from = TakenColumns {
        columns: taking.columns.to_vec(),
        plane: taking.plane,
        first_value: taking.first_value,
    };
    fs::write(beside(place), serde_json::to_vec(&Copied { from, text })?)
}

/// How the input in this place was taken, where it is still the copy that it was then, and the rows say something else by now.
pub fn outdated(place: &Path, snapshot: &Snapshot, input: Input) -> Option<TakenColumns> {
    let Copied { from, text } = serde_json::from_slice(&fs::read(beside(place)).ok()?).ok()?;
    if fs::read(place).ok()? != text.as_bytes() {
        return None;
    }
    let taking = Taking { columns: &from.columns, plane: from.plane, first_value: from.first_value };
    let now = render(snapshot, input, &taking);
    if now.is_ok_and(|now| now == text) { None } else { Some(from) }
}

/// The file of an input, made of columns of the events.
pub fn render(snapshot: &Snapshot, input: Input, taking: &Taking<'_>) -> Result<String, Problem> {
    let assignment = &snapshot.assignment;
    if assignment.is_table() || assignment.is_wide() {
        return Err(Problem::wrong("columns can be taken only where a row is an event")
            .with_help("say so on the Data screen, or import a file")
            .at("take"));
    }
    let places = input == Input::Places;
    let owner = if places { assignment.item() } else { assignment.subject() };
    let owner = owner.ok_or_else(|| {
        let whose = if places { "what happened" } else { "the person" };
        Problem::wrong(format!("no column says {whose}")).with_help("choose it on the Data screen").at("take")
    })?;
    let table = &snapshot.working_table;
    let columns: Vec<usize> =
        taking.columns.iter().map(|name| find(snapshot, name)).collect::<Result<_, _>>()?;
    let header: Vec<&str> = match (places, taking.plane) {
        (false, _) => ["subject"].into_iter().chain(taking.columns.iter().map(String::as_str)).collect(),
        (true, true) => vec!["item", "x", "y", "category"],
        (true, false) => vec!["item", "lat", "lon", "category"],
    };
    let header = &header[..header.len().min(columns.len() + 1)];
    if columns.is_empty() || (places && !(2..=3).contains(&columns.len())) || columns.contains(&owner) {
        let help = match places {
            true => "choose two columns of coordinates, and perhaps one of categories",
            false => "choose at least one column that is not the person's",
        };
        return Err(Problem::wrong("these columns cannot be taken").with_help(help).at("take"));
    }
    let mut owners = Dictionary::new();
    let mut values: Vec<Vec<&str>> = vec![Vec::new(); columns.len()];
    let mut varying = vec![Vec::new(); columns.len()];
    for row in table.rows() {
        let whose = owners.intern(table.columns[owner].text(row)) as usize;
        for ((column, values), varying) in columns.iter().zip(&mut values).zip(&mut varying) {
            if whose == values.len() {
                values.push("");
                varying.push(false);
            }
            let value = table.columns[*column].text(row).trim();
            match values[whose] {
                "" => values[whose] = value,
                known => varying[whose] |= !value.is_empty() && known != value,
            }
        }
    }
    if let Some(at) =
        varying.iter().position(|varying| varying.contains(&true)).filter(|_| !taking.first_value)
    {
        let several = varying[at].iter().filter(|varying| **varying).count() as u64;
        let whose =
            if places { counted(several, "item", "items") } else { counted(several, "person", "people") };
        let has = if several == 1 { "has" } else { "have" };
        return Err(Problem::wrong(format!(
            "{whose} {has} several values in the column `{}`",
            taking.columns[at]
        ))
        .with_help("take the first value of each, leave the column out, or mend the rows")
        .at("first_value"));
    }
    let mut text = Vec::new();
    write_row(&mut text, header.iter().copied()).expect("memory takes every byte");
    for (whose, name) in owners.names().enumerate() {
        let cells = [name].into_iter().chain(values.iter().map(|values| values[whose]));
        write_row(&mut text, cells).expect("memory takes every byte");
    }
    String::from_utf8(text).map_err(|_| Problem::internal("cells that are text became something else"))
}

fn find(snapshot: &Snapshot, name: &str) -> Result<usize, Problem> {
    snapshot.working_table.position(name).ok_or_else(|| {
        let shown: String = name.chars().take(60).collect();
        Problem::wrong(format!("the data has no column `{shown}`")).at("take")
    })
}
