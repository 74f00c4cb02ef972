//! What a table looks like: its columns, and how many people they single out.
//!
//! # Cost
//! A pass over each column, and one for each further column of the whole.

use std::collections::HashMap;

use serde::Serialize;
use throng_data::{Column, ColumnKind, Domain, Role, Table};

/// The shape of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableProfile {
    /// Rows: one a person.
    pub people: u64,
    /// The columns, in file order.
    pub columns: Vec<ColumnProfile>,
    /// What an attacker could do who knows all columns that may be known.
    pub together: Exposure,
    /// The columns that are counted as known.
    pub known: Vec<String>,
}

/// One column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// What its values are.
    #[serde(rename = "type")]
    pub kind: ColumnKind,
    /// Its role, if it has one.
    pub role: Option<Role>,
    /// How many different values it has.
    pub distinct: u64,
    /// People without a value.
    pub missing: u64,
    /// What an attacker could do who knows this column alone.
    pub alone: Exposure,
}

/// People by how many others look alike, as shares of all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Exposure {
    /// No one else looks alike.
    pub unique: f64,
    /// Fewer than 5 people look alike.
    pub below_5: f64,
}

impl TableProfile {
    /// Looks at a table. Where no column is quasi-identifying, every column counts as known that has no other role and does
    /// not name people by itself.
    pub fn of(table: &Table, people: usize) -> Self {
        let domains: Vec<Domain> = table
            .columns
            .iter()
            .map(|column| Domain::of(column, None).expect("only a hierarchy can fail to fit"))
            .collect();
        let columns: Vec<ColumnProfile> = table
            .columns
            .iter()
            .zip(&domains)
            .map(|(column, domain)| {
                let missing = domain.values.iter().position(String::is_empty);
                let missing = missing
                    .map_or(0, |code| domain.codes.iter().filter(|found| **found as usize == code).count());
                ColumnProfile {
                    name: column.name.clone(),
                    kind: domain.kind,
                    role: column.role,
                    distinct: domain.values.iter().filter(|value| !value.is_empty()).count() as u64,
                    missing: missing as u64,
                    alone: exposure(&domain.codes),
                }
            })
            .collect();
        let is_known = known(&table.columns, &columns);
        let mut groups = vec![0_u32; people];
        let mut names = Vec::new();
        for (domain, _) in domains.iter().zip(&is_known).filter(|(_, known)| **known) {
            let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
            for (group, code) in groups.iter_mut().zip(&domain.codes) {
                let next = numbers.len() as u32;
                *group = *numbers.entry((*group, *code)).or_insert(next);
            }
            names.push(domain.name.clone());
        }
        TableProfile { people: people as u64, columns, together: exposure(&groups), known: names }
    }
}

fn known(columns: &[Column], profiles: &[ColumnProfile]) -> Vec<bool> {
    let said = columns.iter().any(|column| column.role == Some(Role::QuasiIdentifying));
    let guess = |column: &Column, profile: &ColumnProfile| {
        column.role.is_none() && !(profile.kind == ColumnKind::Category && profile.alone.unique > 0.9)
    };
    let known = columns.iter().zip(profiles);
    known
        .map(|(column, profile)| match said {
            true => column.role == Some(Role::QuasiIdentifying),
            false => guess(column, profile),
        })
        .collect()
}

fn exposure(groups: &[u32]) -> Exposure {
    let mut sizes = vec![0_u64; groups.iter().max().map_or(0, |most| *most as usize + 1)];
    groups.iter().for_each(|group| sizes[*group as usize] += 1);
    let share = |limit: u64| {
        let people: u64 = sizes.iter().filter(|size| **size < limit).sum();
        people as f64 / groups.len().max(1) as f64
    };
    Exposure { unique: share(2), below_5: share(5) }
}

#[cfg(test)]
mod tests {
    use throng_data::{ColumnValues, Dictionary};

    use super::*;

    #[test]
    fn columns_that_are_harmless_alone_single_out_together() {
        let values: Dictionary = ["a", "b"].into_iter().collect();
        let sex = Column {
            name: "sex".to_owned(),
            role: None,
            values: ColumnValues::Categories { values, codes: vec![0, 0, 1, 1] },
        };
        let age = Column {
            name: "age".to_owned(),
            role: None,
            values: ColumnValues::Numbers(vec![1.0, 2.0, 1.0, f64::NAN]),
        };
        let profile = TableProfile::of(&Table { columns: vec![sex, age] }, 4);
        assert_eq!((profile.columns[0].alone.unique, profile.together.unique), (0.0, 1.0));
        assert_eq!((profile.columns[1].distinct, profile.columns[1].missing), (2, 1));
        assert_eq!(profile.known, ["sex", "age"]);
    }
}
