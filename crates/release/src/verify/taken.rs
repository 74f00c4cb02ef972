//! What the published columns are taken for, and on whose word.
//!
//! Every column that lies in the files is known to attackers unless the person who verifies types otherwise. A manifest cannot take a
//! column out of what is known: one that it calls insensitive is known all the same, and one that it calls sensitive is judged both
//! ways. If the promise holds only as long as attackers do not know it, the answer is "in part", with what to type.

use std::collections::BTreeSet;

use throng_data::{RecodedTable, Role};

use crate::manifest::Manifest;

/// The columns of a release by what they are taken for.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// Known to attackers.
    pub known: Vec<String>,
    /// What must not be learned, as the verifier typed.
    pub sensitive: Vec<String>,
    /// What must not be learned, as only the manifest says.
    pub claimed: Vec<String>,
    /// What attackers do not know, as the verifier typed.
    pub not_known: Vec<String>,
    /// Columns that were typed and are not published.
    pub absent: Vec<String>,
}

/// What the person who verifies typed of columns.
pub(super) struct Typed<'a> {
    /// Roles, from flags or a schema.
    pub roles: &'a [(String, Role)],
    /// Columns that attackers do not know.
    pub not_known: &'a [String],
    /// Columns of sensitive values.
    pub values: &'a [(String, String)],
}

impl Taken {
    /// Sorts the columns that lie in the files.
    pub fn of(columns: &[String], typed: &Typed<'_>, manifest: Option<&Manifest>) -> Self {
        let mut taken = Taken::default();
        let claims: BTreeSet<&str> = manifest
            .iter()
            .flat_map(|manifest| {
                let table = manifest.table.iter().filter(|column| !column.role.is_known());
                let values = manifest.promise.sensitive_values.iter();
                table.map(|column| column.name.as_str()).chain(values.map(|(column, _)| column.as_str()))
            })
            .collect();
        for column in columns {
            let role = typed.roles.iter().rev().find(|(name, _)| name == column).map(|(_, role)| *role);
            let place = match role {
                _ if typed.not_known.contains(column) => &mut taken.not_known,
                Some(role) if role.is_known() => &mut taken.known,
                Some(_) => &mut taken.sensitive,
                None if typed.values.iter().any(|(name, _)| name == column) => &mut taken.sensitive,
                None if claims.contains(column.as_str()) => &mut taken.claimed,
                None => &mut taken.known,
            };
            place.push(column.clone());
        }
        let typed = typed.roles.iter().map(|(name, _)| name).chain(typed.not_known);
        taken.absent = typed.filter(|name| !columns.contains(name)).cloned().collect();
        taken.absent.dedup();
        taken
    }

    /// What a column is to the checkers where the manifest's word on sensitive columns is followed.
    pub fn role(&self, column: &str) -> Role {
        let is = |names: &[String]| names.iter().any(|name| name == column);
        match is(&self.sensitive) || is(&self.claimed) {
            true => Role::Sensitive,
            false => Role::QuasiIdentifying,
        }
    }

    /// The table without the columns that attackers do not know.
    pub fn judged(&self, mut table: RecodedTable) -> RecodedTable {
        table.columns.retain(|column| !self.not_known.contains(&column.name));
        table
    }

    /// The table in which nothing is sensitive on the manifest's word alone.
    pub fn strict(&self, table: &RecodedTable) -> RecodedTable {
        let mut table = table.clone();
        for column in table.columns.iter_mut().filter(|column| self.claimed.contains(&column.name)) {
            column.role = Role::QuasiIdentifying;
        }
        table
    }

    /// What was not judged because it rests on the manifest's word, or on the verifier's.
    pub fn not_judged(&self, holds_if_known: bool) -> Option<String> {
        if self.claimed.is_empty() || holds_if_known {
            return None;
        }
        let names = listed(&self.claimed);
        Some(format!(
            "attackers who know {names}: only the manifest calls it sensitive, and with it known the promise is broken; if attackers \
             cannot know it, say so with `--sensitive-attribute {}`",
            self.claimed.join(",")
        ))
    }
}

/// Names in backticks.
pub(super) fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
