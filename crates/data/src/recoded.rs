//! A released table: every published column, with what each cell covers.

use crate::table::ColumnKind;
use crate::{Column, Cover, Role, Table};

/// A column of a release.
#[derive(Debug, Clone, PartialEq)]
pub struct RecodedColumn {
    /// Header name.
    pub name: String,
    /// What it is to an attacker.
    pub role: Role,
    /// What its original values are.
    pub kind: ColumnKind,
    /// The distinct covers; `cells` refer to them.
    pub covers: Vec<Cover>,
    /// One cell for each subject.
    pub cells: Vec<u32>,
}

impl RecodedColumn {
    /// A column that is published as it is.
    pub fn intact(column: &Column, role: Role) -> Self {
        let domain = crate::Domain::of(column, None).expect("only a hierarchy can fail to fit");
        RecodedColumn {
            name: domain.name,
            role,
            kind: domain.kind,
            covers: domain.values.into_iter().map(Cover::Value).collect(),
            cells: domain.codes,
        }
    }

    /// What a subject's cell covers.
    pub fn cover(&self, subject: usize) -> &Cover {
        &self.covers[self.cells[subject] as usize]
    }
}

/// The released table, row `s` for subject `s`; columns in the order of the input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecodedTable {
    /// All published columns.
    pub columns: Vec<RecodedColumn>,
}

impl RecodedTable {
    /// The published columns of a table as they are: every column that has a role other than identifying.
    pub fn identity(table: &Table) -> Self {
        let published = table.columns.iter().filter_map(|column| {
            let role = column.role.filter(|role| *role != Role::Identifying)?;
            Some(RecodedColumn::intact(column, role))
        });
        RecodedTable { columns: published.collect() }
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&RecodedColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The columns of a role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &RecodedColumn> {
        self.columns.iter().filter(move |column| column.role == role)
    }

    /// The columns that attackers are taken to know; see [`Role::is_known`].
    pub fn known(&self) -> impl Iterator<Item = &RecodedColumn> {
        self.columns.iter().filter(|column| column.role.is_known())
    }

    /// The same table without its columns of a role.
    #[must_use]
    pub fn without_role(&self, role: Role) -> RecodedTable {
        let others = self.columns.iter().filter(|column| column.role != role);
        RecodedTable { columns: others.cloned().collect() }
    }

    /// Whether nothing is said of a subject: all cells are suppressed.
    pub fn is_suppressed(&self, subject: usize) -> bool {
        self.columns.iter().all(|column| column.cover(subject).is_suppressed())
    }

    /// Suppresses whole rows: all their cells, whatever the role. A row that kept its sensitive value alone would single out
    /// the person who fits no group.
    pub fn suppress(&mut self, rows: &[u32]) {
        if rows.is_empty() {
            return;
        }
        for column in &mut self.columns {
            let at = column.covers.iter().position(Cover::is_suppressed).unwrap_or_else(|| {
                column.covers.push(Cover::Suppressed);
                column.covers.len() - 1
            });
            for row in rows {
                column.cells[*row as usize] = at as u32;
            }
        }
    }

    /// The same cells for other subjects: row `s` is the present row `rows[s]`.
    #[must_use]
    pub fn pick(&self, rows: &[u32]) -> RecodedTable {
        let pick = |column: &RecodedColumn| RecodedColumn {
            cells: rows.iter().map(|row| column.cells[*row as usize]).collect(),
            ..column.clone()
        };
        RecodedTable { columns: self.columns.iter().map(pick).collect() }
    }
}
