//! The log of edits of a project.

use super::Store;
use crate::platform::storage::StorageError;

impl Store {
    /// All edits of a project as JSON, the first one first, and how many of them are in force.
    pub fn edits(&self, project: &str) -> Result<(Vec<String>, u64), StorageError> {
        self.read(|connection| {
            let edits = connection.rows(
                "SELECT edit FROM edits WHERE project = $1 ORDER BY number",
                &[project.into()],
                |row| row.get(0),
            )?;
            let position =
                connection.row("SELECT position FROM projects WHERE id = $1", &[project.into()], |row| {
                    row.get(0)
                })?;
            Ok((edits, position.ok_or_else(|| StorageError::other("there is no such project"))?))
        })
    }

    /// Adds an edit behind those in force; what had been undone is forgotten.
    pub fn add_edit(&self, project: &str, position: u64, edit: &str) -> Result<(), StorageError> {
        self.write(|connection| {
            let place = [project.into(), position.into()];
            connection.execute("DELETE FROM edits WHERE project = $1 AND number >= $2", &place)?;
            connection.execute(
                "INSERT INTO edits (project, number, edit) VALUES ($1, $2, $3)",
                &[project.into(), position.into(), edit.into()],
            )?;
            connection.execute("UPDATE projects SET position = $2 + 1 WHERE id = $1", &place)?;
            Ok(())
        })
    }

    /// Sets how many edits are in force.
    pub fn set_position(&self, project: &str, position: u64) -> Result<(), StorageError> {
        self.execute("UPDATE projects SET position = $1 WHERE id = $2", &[position.into(), project.into()])
    }
}
