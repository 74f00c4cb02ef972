//! Edits of the working table, each with the edit that takes it back.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{WorkingColumn, WorkingTable};
use crate::workbench::inputs::earlier::Version;

/// A change of the table, as the log keeps it. Columns are numbered in file order, added ones behind; no edit changes a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Edit {
    /// Gives a cell another value.
    Set {
        /// The row.
        row: u32,
        /// The column.
        column: usize,
        /// The value.
        value: String,
    },
    /// Deletes rows.
    Delete {
        /// The rows, ascending.
        rows: Vec<u32>,
    },
    /// Gives a column another name.
    Rename {
        /// The column.
        column: usize,
        /// The name.
        name: String,
    },
    /// Gives a value of a column another name wherever it occurs.
    RenameValue {
        /// The column.
        column: usize,
        /// The value.
        from: String,
        /// What it becomes.
        to: String,
    },
    /// Gives cells of a column another value.
    Fill {
        /// The rows, ascending.
        rows: Vec<u32>,
        /// The column.
        column: usize,
        /// The value.
        value: String,
    },
    /// Replaces a part of the text of cells.
    ReplaceText {
        /// The rows, ascending.
        rows: Vec<u32>,
        /// The column.
        column: usize,
        /// The part, as it is written.
        find: String,
        /// What it becomes.
        with: String,
    },
    /// Adds a row at the end.
    AddRow {
        /// One value for each column.
        cells: Vec<String>,
    },
    /// Adds a column at the end.
    AddColumn {
        /// Its name.
        name: String,
        /// The value of all its cells.
        value: String,
    },
    /// Changes an input beside the table; no cell is touched.
    Input {
        /// Which one.
        input: String,
        /// What was there.
        before: Option<Version>,
        /// What is there afterwards.
        after: Option<Version>,
    },
}

/// What takes an edit back.
#[derive(Debug, Clone)]
pub enum Inverse {
    /// The cell had this code.
    Set(u32, usize, u32),
    /// These rows were there.
    Restore(Vec<u32>),
    /// The column had this name.
    Rename(usize, String),
    /// These rows had this code.
    Recode(usize, Vec<u32>, u32),
    /// These cells of a column had these codes.
    Codes(usize, Vec<(u32, u32)>),
    /// The last row was not there.
    DropRow,
    /// The last column was not there.
    DropColumn,
    /// The input was this one.
    Input(String, Option<Version>),
}

impl WorkingTable {
    /// Carries out an edit. `None`, and nothing done, when it does not fit the table.
    pub fn apply(&mut self, edit: &Edit) -> Option<Inverse> {
        match edit {
            Edit::Set { row, column, value } => {
                if !self.holds(*row as usize) {
                    return None;
                }
                let cells = self.columns.get_mut(*column)?;
                let code = code_of(cells, value);
                let codes = Arc::make_mut(&mut cells.codes);
                let before = std::mem::replace(&mut codes[*row as usize], code);
                Some(Inverse::Set(*row, *column, before))
            }
            Edit::Delete { rows } => {
                if rows.iter().any(|row| !self.holds(*row as usize)) {
                    return None;
                }
                let deleted = Arc::make_mut(&mut self.deleted);
                deleted.resize(self.rows, false);
                rows.iter().for_each(|row| deleted[*row as usize] = true);
                self.alive -= rows.len();
                Some(Inverse::Restore(rows.clone()))
            }
            Edit::Rename { column, name } => {
                if self.position(name).is_some() {
                    return None;
                }
                let before = std::mem::replace(&mut self.columns.get_mut(*column)?.name, name.clone());
                Some(Inverse::Rename(*column, before))
            }
            Edit::RenameValue { column, from, to } => {
                let cells = self.columns.get_mut(*column)?;
                let before = cells.values.find(from)?;
                let after = code_of(cells, to);
                let mut rows = Vec::new();
                for (row, code) in Arc::make_mut(&mut cells.codes).iter_mut().enumerate() {
                    if *code == before {
                        *code = after;
                        rows.push(row as u32);
                    }
                }
                Some(Inverse::Recode(*column, rows, before))
            }
            Edit::Fill { rows, column, value } => {
                self.recode(*column, rows, |cells, _| Some(code_of(cells, value)))
            }
            Edit::ReplaceText { rows, column, find, with } => {
                if find.is_empty() {
                    return None;
                }
                // Each value is looked at once, however many rows have it.
                let mut becomes: HashMap<u32, Option<u32>> = HashMap::new();
                self.recode(*column, rows, |cells, code| {
                    *becomes.entry(code).or_insert_with(|| {
                        let text = cells.values.name(code);
                        text.contains(find)
                            .then(|| text.replace(find, with))
                            .map(|text| code_of(cells, &text))
                    })
                })
            }
            Edit::AddRow { cells } => {
                if cells.len() != self.columns.len() || cells.is_empty() {
                    return None;
                }
                for (column, value) in self.columns.iter_mut().zip(cells) {
                    let code = code_of(column, value);
                    Arc::make_mut(&mut column.codes).push(code);
                }
                if !self.deleted.is_empty() {
                    Arc::make_mut(&mut self.deleted).push(false);
                }
                (self.rows, self.alive) = (self.rows + 1, self.alive + 1);
                Some(Inverse::DropRow)
            }
            Edit::AddColumn { name, value } => {
                if self.position(name).is_some() {
                    return None;
                }
                let values = [value.as_str()].into_iter().collect();
                self.columns.push(WorkingColumn::new(name.clone(), values, vec![0; self.rows]));
                Some(Inverse::DropColumn)
            }
            Edit::Input { input, before, .. } => Some(Inverse::Input(input.clone(), before.clone())),
        }
    }

    /// Takes an edit back; it must be the last one in force.
    pub fn revert(&mut self, inverse: Inverse) {
        match inverse {
            Inverse::Set(row, column, code) => {
                Arc::make_mut(&mut self.columns[column].codes)[row as usize] = code;
            }
            Inverse::Restore(rows) => {
                let deleted = Arc::make_mut(&mut self.deleted);
                rows.iter().for_each(|row| deleted[*row as usize] = false);
                self.alive += rows.len();
                if self.alive == self.rows {
                    deleted.clear();
                }
            }
            Inverse::Rename(column, name) => self.columns[column].name = name,
            Inverse::Recode(column, rows, code) => {
                let codes = Arc::make_mut(&mut self.columns[column].codes);
                rows.iter().for_each(|row| codes[*row as usize] = code);
            }
            Inverse::Codes(column, cells) => {
                let codes = Arc::make_mut(&mut self.columns[column].codes);
                cells.iter().for_each(|(row, code)| codes[*row as usize] = *code);
            }
            Inverse::DropRow => {
                for column in &mut self.columns {
                    Arc::make_mut(&mut column.codes).pop();
                }
                if !self.deleted.is_empty() {
                    Arc::make_mut(&mut self.deleted).pop();
                }
                (self.rows, self.alive) = (self.rows - 1, self.alive - 1);
            }
            Inverse::DropColumn => {
                self.columns.pop();
            }
            Inverse::Input(..) => {}
        }
    }

    /// Gives cells of a column other codes, where there is another one.
    fn recode(
        &mut self,
        column: usize,
        rows: &[u32],
        mut other: impl FnMut(&mut WorkingColumn, u32) -> Option<u32>,
    ) -> Option<Inverse> {
        if rows.iter().any(|row| !self.holds(*row as usize)) {
            return None;
        }
        let cells = self.columns.get_mut(column)?;
        let mut before = Vec::new();
        let mut after = Vec::new();
        for row in rows {
            let code = cells.codes[*row as usize];
            if let Some(next) = other(cells, code).filter(|next| *next != code) {
                before.push((*row, code));
                after.push(next);
            }
        }
        let codes = Arc::make_mut(&mut cells.codes);
        before.iter().zip(after).for_each(|((row, _), code)| codes[*row as usize] = code);
        Some(Inverse::Codes(column, before))
    }
}

/// The code of a value, which is added if it is not there.
fn code_of(column: &mut WorkingColumn, value: &str) -> u32 {
    match column.values.find(value) {
        Some(code) => code,
        None => Arc::make_mut(&mut column.values).intern(value),
    }
}

#[cfg(test)]
mod tests {
    use throng_contract::Progress;
    use throng_data::formats::Source;

    use super::*;
    use crate::workbench::working_table::read;

    fn cells(working_table: &WorkingTable) -> Vec<Vec<String>> {
        let header = working_table.columns.iter().map(|column| column.name.clone()).collect();
        let row = |row| working_table.columns.iter().map(|column| column.text(row).to_owned()).collect();
        std::iter::once(header).chain(working_table.rows().map(row)).collect()
    }

    #[test]
    fn every_edit_can_be_taken_back() {
        let text = "subject,item\nann,zoo\nbob,zoo\nbob,pub\n";
        let (mut working_table, defect) =
            read(&Source::memory("a.csv", text.as_bytes()), None, &Progress::silent());
        assert!(defect.is_none());
        let edits = [
            Edit::Set { row: 1, column: 1, value: "pub".to_owned() },
            Edit::RenameValue { column: 1, from: "pub".to_owned(), to: "zoo".to_owned() },
            Edit::Delete { rows: vec![0, 2] },
            Edit::AddRow { cells: vec!["cid".to_owned(), "mall".to_owned()] },
            Edit::AddColumn { name: "day".to_owned(), value: "1".to_owned() },
            Edit::Fill { rows: vec![3], column: 2, value: "2".to_owned() },
            Edit::ReplaceText { rows: vec![1, 3], column: 1, find: "oo".to_owned(), with: "OO".to_owned() },
            Edit::Rename { column: 1, name: "place".to_owned() },
        ];
        let mut states = vec![cells(&working_table)];
        let mut inverses = Vec::new();
        for edit in &edits {
            inverses.push(working_table.apply(edit).unwrap());
            states.push(cells(&working_table));
        }
        let last = [vec!["subject", "place", "day"], vec!["bob", "zOO", "1"], vec!["cid", "mall", "2"]];
        assert_eq!(states.last().unwrap(), &last);
        while let Some(inverse) = inverses.pop() {
            states.pop();
            working_table.revert(inverse);
            assert_eq!(&cells(&working_table), states.last().unwrap());
        }
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let text = "subject,item\nann,zoo\n";
        let (mut working_table, _) =
            read(&Source::memory("a.csv", text.as_bytes()), None, &Progress::silent());
        let before = cells(&working_table);
        let wrong = [
            Edit::Set { row: 7, column: 0, value: String::new() },
            Edit::Set { row: 0, column: 7, value: String::new() },
            Edit::Delete { rows: vec![0, 1] },
            Edit::Rename { column: 0, name: "item".to_owned() },
            Edit::RenameValue { column: 1, from: "mall".to_owned(), to: "zoo".to_owned() },
            Edit::AddRow { cells: vec!["bob".to_owned()] },
            Edit::AddColumn { name: "item".to_owned(), value: String::new() },
            Edit::Fill { rows: vec![9], column: 0, value: String::new() },
            Edit::ReplaceText { rows: vec![0], column: 9, find: "a".to_owned(), with: String::new() },
        ];
        for edit in wrong {
            assert!(working_table.apply(&edit).is_none(), "{edit:?}");
        }
        assert_eq!(cells(&working_table), before);
    }
}
