//! What each column of the data is: guessed as the command line guesses, confirmed or mended by the user.
//!
//! Default-deny: a column that is neither guessed nor given a role plays none and is not published.
//! [`guesses`] looks at values, [`found`] asks the reader, and [`Assignment`] puts both together with what the user said.

mod assignment;
mod found;
mod guesses;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_data::formats::{Encoding, Format, ReadOptions};
use throng_data::{ColumnKind, Role};
use utoipa::ToSchema;

pub use assignment::Assignment;

/// Rows that are looked at.
const LOOKED_AT: usize = 2_000;

/// What a column of the data is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnRole {
    /// The person.
    Subject,
    /// The trip, visit or basket.
    Record,
    /// What was visited or bought.
    Item,
    /// When.
    Time,
    /// Names a person: never published.
    Identifying,
    /// An attacker may know it.
    QuasiIdentifying,
    /// An attacker must not learn it.
    Sensitive,
    /// Neither known nor worth learning.
    Insensitive,
    /// Nothing: the column is withheld.
    #[default]
    None,
}

impl From<Role> for ColumnRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Identifying => ColumnRole::Identifying,
            Role::QuasiIdentifying => ColumnRole::QuasiIdentifying,
            Role::Sensitive => ColumnRole::Sensitive,
            Role::Insensitive => ColumnRole::Insensitive,
        }
    }
}

impl ColumnRole {
    /// The same for an attribute of people; `None` for roles of events, and for none.
    pub fn of_attribute(self) -> Option<Role> {
        match self {
            ColumnRole::Identifying => Some(Role::Identifying),
            ColumnRole::QuasiIdentifying => Some(Role::QuasiIdentifying),
            ColumnRole::Sensitive => Some(Role::Sensitive),
            ColumnRole::Insensitive => Some(Role::Insensitive),
            _ => None,
        }
    }
}

/// What a row of the data is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DataForm {
    /// An event, or a record of events in order.
    #[default]
    Sequences,
    /// An event, or a record of events, and order means nothing.
    Sets,
    /// A person.
    Table,
    /// A person, and one column holds all their items.
    Mixed,
}

/// What the user said about reading the data. Columns are numbered in file order: their names may change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// What a row is; guessed unless it is said.
    pub form: Option<DataForm>,
    /// Types of the columns of a table; guessed unless they are said.
    pub kinds: BTreeMap<usize, ColumnKind>,
    /// Roles of columns of the data.
    pub roles: BTreeMap<usize, ColumnRole>,
    /// Roles of columns of the records, by name.
    pub attributes: BTreeMap<String, ColumnRole>,
    /// What separates columns.
    pub delimiter: Option<char>,
    /// The column that holds all items of a record.
    pub wide: Option<usize>,
    /// What separates items in it.
    pub separator: Option<char>,
    /// How times are written.
    pub time_format: Option<String>,
    /// How the letters of the file are stored.
    pub encoding: Option<String>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// Whether the first line is a row.
    pub no_header: bool,
    /// Whether every line is a record: its items in order, without columns.
    pub lines: bool,
}

impl Reading {
    /// How the file is written, for a reader that knows nothing of roles yet.
    pub fn written(&self) -> ReadOptions {
        ReadOptions {
            delimiter: self.delimiter.and_then(|c| u8::try_from(c).ok()).filter(u8::is_ascii),
            encoding: self.encoding.as_deref().and_then(Encoding::parse),
            sheet: self.sheet.clone(),
            no_header: self.no_header,
            format: self.lines.then_some(Format::Lines),
            separator: self.separator.filter(|_| self.lines),
            ..ReadOptions::default()
        }
    }
}
