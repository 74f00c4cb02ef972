//! The files of a project beside its data.

use super::Store;
use crate::platform::storage::StorageError;

/// An input as stored; its file is in the project's folder.
#[derive(Debug, Clone)]
pub struct StoredInput {
    /// Which input, by the name of its flag.
    pub input: String,
    /// What the file was called where it came from.
    pub name: String,
    /// Lines with content.
    pub rows: u64,
    /// Why it cannot be used, as JSON.
    pub problem: Option<String>,
}

impl Store {
    /// All inputs of a project.
    pub fn inputs(&self, project: &str) -> Result<Vec<StoredInput>, StorageError> {
        let sql = "SELECT input, name, rows, problem FROM inputs WHERE project = $1 ORDER BY input";
        self.read(|connection| {
            connection.rows(sql, &[project.into()], |row| {
                Ok(StoredInput {
                    input: row.get(0)?,
                    name: row.get(1)?,
                    rows: row.get(2)?,
                    problem: row.get(3)?,
                })
            })
        })
    }

    /// Adds or replaces an input.
    pub fn set_input(&self, project: &str, input: &StoredInput) -> Result<(), StorageError> {
        self.execute(
            "INSERT INTO inputs (project, input, name, rows, problem) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (project, input) DO UPDATE SET name = $3, rows = $4, problem = $5",
            &[
                project.into(),
                (&input.input).into(),
                (&input.name).into(),
                input.rows.into(),
                input.problem.clone().into(),
            ],
        )
    }

    /// Removes an input.
    pub fn remove_input(&self, project: &str, input: &str) -> Result<(), StorageError> {
        self.execute("DELETE FROM inputs WHERE project = $1 AND input = $2", &[project.into(), input.into()])
    }
}
