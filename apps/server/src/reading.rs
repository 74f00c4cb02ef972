//! What each column of the data is: guessed as the command line guesses, confirmed or mended by the user.
//!
//! Default-deny: a column that is neither guessed nor given a role plays none and is not published.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_data::Role;
use throng_data::formats::{Header, ITEM, RECORD, ReadOptions, RoleName, SUBJECT, TIME};
use utoipa::ToSchema;

use crate::working_table::WorkingTable;

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

/// Roles of events, in the order in which the reader looks for them.
const EVENT_ROLES: [(ColumnRole, RoleName); 4] = [
    (ColumnRole::Subject, SUBJECT),
    (ColumnRole::Record, RECORD),
    (ColumnRole::Item, ITEM),
    (ColumnRole::Time, TIME),
];

/// What the user said about reading the data. Columns are numbered in file order: their names may change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
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
}

/// Which column plays which role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    /// Column of the person, the record, the item and the time.
    columns: [Option<usize>; 4],
    /// The column with all items of a record.
    wide: Option<usize>,
    /// What each column was guessed to be.
    pub guessed: Vec<ColumnRole>,
    /// What the user said each column is.
    pub said: Vec<Option<ColumnRole>>,
    /// Whether the reader, told these columns, would guess no further one.
    pub plain: bool,
}

impl Assignment {
    /// Guesses, then follows the user.
    pub fn of(working_table: &WorkingTable, reading: &Reading) -> Self {
        let names: Vec<String> = working_table.columns.iter().map(|column| column.name.clone()).collect();
        let count = names.len();
        let header = Header::of_columns("", names);
        let mut guesses = [None; 4];
        for (place, (_, name)) in EVENT_ROLES.iter().enumerate() {
            guesses[place] = header.find_apart(*name, None, &guesses).ok().flatten();
        }
        let wide = reading.wide.filter(|column| *column < count);
        let mut columns = [None; 4];
        for (place, (role, _)) in EVENT_ROLES.iter().enumerate() {
            let given = reading.roles.iter().find(|(column, given)| *given == role && **column < count);
            let guess = guesses[place].filter(|column| !reading.roles.contains_key(column));
            columns[place] =
                given.map(|(column, _)| *column).or(guess).filter(|column| Some(*column) != wide);
        }
        let taken: Vec<Option<usize>> = columns.to_vec();
        let plain = EVENT_ROLES.iter().enumerate().all(|(place, (_, name))| {
            columns[place].is_some()
                || header.find_apart(*name, None, &taken).is_ok_and(|found| found.is_none())
        });
        let mut guessed = vec![ColumnRole::None; count];
        let said = (0..count).map(|column| reading.roles.get(&column).copied()).collect();
        for (place, (role, _)) in EVENT_ROLES.iter().enumerate() {
            if let Some(column) = guesses[place] {
                guessed[column] = *role;
            }
        }
        Assignment { columns, wide, guessed, said, plain }
    }

    /// Column of the person.
    pub fn subject(&self) -> Option<usize> {
        self.columns[0]
    }

    /// Column of the record.
    pub fn record(&self) -> Option<usize> {
        self.columns[1]
    }

    /// Column of the item; in the wide form, of all items of a record.
    pub fn item(&self) -> Option<usize> {
        self.wide.or(self.columns[2])
    }

    /// Column of the time.
    pub fn time(&self) -> Option<usize> {
        self.columns[3]
    }

    /// Whether one column holds all items of a record.
    pub fn is_wide(&self) -> bool {
        self.wide.is_some()
    }

    /// The columns that a reader needs, in file order.
    pub fn used(&self) -> Vec<usize> {
        let mut used: Vec<usize> = match self.wide {
            Some(wide) => self.subject().into_iter().chain([wide]).collect(),
            None => self.columns.iter().flatten().copied().collect(),
        };
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The same for a reader of a file with these columns.
    pub fn options(&self, working_table: &WorkingTable, reading: &Reading) -> ReadOptions {
        let name = |column: Option<usize>| column.map(|column| working_table.columns[column].name.clone());
        let long = |column: Option<usize>| if self.wide.is_some() { None } else { name(column) };
        ReadOptions {
            format: None,
            subject: name(self.subject()),
            record: long(self.record()),
            item: long(self.columns[2]),
            time: long(self.time()),
            wide: name(self.wide),
            separator: reading.separator.filter(|_| self.wide.is_some()),
            delimiter: reading.delimiter.and_then(|c| u8::try_from(c).ok()).filter(u8::is_ascii),
            time_format: reading.time_format.clone(),
            sets: false,
            types: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::formats::Source;

    use super::*;
    use crate::working_table::read;

    fn working_table(header: &str) -> WorkingTable {
        let text = format!("{header}\n");
        read(&Source::memory("a.csv", text.into_bytes()), None, &Progress::silent()).0
    }

    #[test]
    fn names_are_guessed_and_the_user_has_the_last_word() {
        let working_table = working_table("user,trip,place,when");
        let guess = Assignment::of(&working_table, &Reading::default());
        assert_eq!(
            (guess.subject(), guess.record(), guess.item(), guess.time()),
            (Some(0), Some(1), Some(2), None)
        );
        assert!(guess.plain);
        let said = Reading {
            roles: BTreeMap::from([(1, ColumnRole::None), (3, ColumnRole::Time)]),
            ..Reading::default()
        };
        let told = Assignment::of(&working_table, &said);
        assert_eq!((told.record(), told.time()), (None, Some(3)));
        // The command line would take `trip` for the record: the file has to be written anew without it.
        assert!(!told.plain);
        assert_eq!(told.used(), [0, 2, 3]);
    }

    #[test]
    fn a_column_that_could_be_two_things_is_not_guessed() {
        let guess = Assignment::of(&working_table("user,person,place"), &Reading::default());
        assert_eq!(guess.subject(), None);
        assert!(!guess.plain);
    }
}
