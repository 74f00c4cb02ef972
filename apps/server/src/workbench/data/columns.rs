//! What the user says about the columns.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use throng_data::ColumnKind;
use throng_data::formats::Encoding;
use utoipa::ToSchema;

use crate::platform::extract::{Body, Path};
use crate::platform::principal::Principal;
use crate::platform::problem::Problem;
use crate::platform::service::Service;
use crate::workbench::data::overview::{DataAnswer, view};
use crate::workbench::project::Projects;
use crate::workbench::reading::{ColumnRole, DataForm, Reading};
use crate::workbench::working_table::WorkingTable;

/// What was said about reading the data.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnsChange {
    /// What a row is: an event or record of events in order, one without order, or a person.
    pub form: Option<DataForm>,
    /// Types of columns of a table, by name: `category`, `number` or `date`; empty for a guess.
    pub kinds: BTreeMap<String, String>,
    /// Roles of columns of the data, by name. Columns not named keep theirs.
    pub roles: BTreeMap<String, ColumnRole>,
    /// Roles of columns of the records, by name.
    pub attributes: BTreeMap<String, ColumnRole>,
    /// What separates columns; empty for a guess.
    pub delimiter: Option<String>,
    /// The column that holds all items of a record; empty for none.
    pub wide: Option<String>,
    /// What separates items in it, or on a line; empty for a blank.
    pub separator: Option<String>,
    /// How times are written, in the letters of `strptime`; empty for a guess.
    pub time_format: Option<String>,
    /// How letters are stored: `utf-8`, `utf-16le`, `windows-1252` and others; empty for a guess.
    pub encoding: Option<String>,
    /// The sheet of a workbook; empty for the only one.
    pub sheet: Option<String>,
    /// Whether the first line is a row, and columns go by number.
    pub no_header: Option<bool>,
    /// Whether every line is a record: its items in order, without columns.
    pub lines: Option<bool>,
}

/// Says what columns are.
#[utoipa::path(put, path = "/api/projects/{project}/columns", tag = "data", request_body = ColumnsChange,
    responses((status = 200, description = "The data read that way", body = DataAnswer)))]
pub async fn put(
    principal: Principal,
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Body(change): Body<ColumnsChange>,
) -> Result<Json<DataAnswer>, Problem> {
    projects
        .ask(&principal, move |projects| {
            let workspace = projects.workspace(&project)?;
            workspace.read_as(|table| changed(&table.reading, &table.working_table, &change))?;
            view(projects, &project)
        })
        .await
        .map(Json)
}

fn changed(
    reading: &Reading,
    working_table: &WorkingTable,
    change: &ColumnsChange,
) -> Result<Reading, Problem> {
    let column = |name: &str| {
        working_table.position(name).ok_or_else(|| {
            let known: Vec<&str> = working_table.columns.iter().map(|column| column.name.as_str()).collect();
            let shown: String = name.chars().take(60).collect();
            Problem::wrong(format!("the data has no column `{shown}`"))
                .with_help(format!("it has {}", known.join(", ")))
                .at("roles")
        })
    };
    let letter = |text: &str, field: &str| {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (None, _) => Ok(None),
            (Some(c), None) if c.is_ascii() && !matches!(c, '"' | '\n' | '\r' | '\0') => Ok(Some(c)),
            _ => Err(Problem::wrong(format!("the {field} must be one ASCII character")).at(field)),
        }
    };
    let mut reading = reading.clone();
    for (name, role) in &change.roles {
        let at = column(name)?;
        let unique =
            matches!(role, ColumnRole::Subject | ColumnRole::Record | ColumnRole::Item | ColumnRole::Time);
        if unique {
            // The role moves: its former holder keeps none, unless the same request says otherwise.
            for holder in reading.roles.values_mut().filter(|given| *given == role) {
                *holder = ColumnRole::None;
            }
        }
        reading.roles.insert(at, *role);
    }
    for (name, word) in &change.kinds {
        let at = column(name)?;
        match ColumnKind::parse(word) {
            Some(kind) => reading.kinds.insert(at, kind),
            None if word.is_empty() => reading.kinds.remove(&at),
            None => {
                return Err(Problem::wrong("there is no such type of column")
                    .with_help("a type is one of category, number, date")
                    .at("kinds"));
            }
        };
    }
    reading.form = change.form.or(reading.form);
    for (role, word) in [
        (ColumnRole::Subject, "subject"),
        (ColumnRole::Record, "record"),
        (ColumnRole::Item, "item"),
        (ColumnRole::Time, "time"),
    ] {
        if change.roles.values().filter(|given| **given == role).count() > 1 {
            return Err(Problem::wrong(format!("two columns cannot both be the {word}")).at("roles"));
        }
    }
    reading.attributes.extend(change.attributes.iter().map(|(name, role)| (name.clone(), *role)));
    if let Some(text) = &change.delimiter {
        reading.delimiter = letter(text, "delimiter")?;
    }
    if let Some(text) = &change.separator {
        reading.separator = letter(text, "separator")?;
    }
    if let Some(name) = &change.wide {
        reading.wide = if name.is_empty() { None } else { Some(column(name)?) };
    }
    if let Some(format) = &change.time_format {
        reading.time_format = Some(format.clone()).filter(|format| !format.is_empty());
    }
    if let Some(name) = &change.encoding {
        if !name.is_empty() && Encoding::parse(name).is_none() {
            return Err(Problem::wrong("there is no such way to store letters")
                .with_help("common ones are utf-8, utf-16le, windows-1252 and latin1")
                .at("encoding"));
        }
        reading.encoding = Some(name.clone()).filter(|name| !name.is_empty());
    }
    if let Some(name) = &change.sheet {
        let sheet = Some(name.clone()).filter(|name| !name.is_empty());
        if sheet != reading.sheet {
            // Another sheet has other columns.
            (reading.roles, reading.kinds, reading.wide) = Default::default();
        }
        reading.sheet = sheet;
    }
    let lines = change.lines.unwrap_or(reading.lines);
    if lines != reading.lines {
        // Lines have no columns, and columns are no lines.
        (reading.roles, reading.kinds, reading.wide) = Default::default();
    }
    reading.lines = lines;
    reading.no_header = change.no_header.unwrap_or(reading.no_header);
    Ok(reading)
}
