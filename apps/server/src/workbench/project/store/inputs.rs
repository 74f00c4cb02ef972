//! The files of a project beside its data.

use rusqlite::params;

use super::Store;

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
    pub fn inputs(&self, project: &str) -> rusqlite::Result<Vec<StoredInput>> {
        let connection = self.lock();
        let sql = "SELECT input, name, rows, problem FROM inputs WHERE project = ? ORDER BY input";
        let mut statement = connection.prepare(sql)?;
        let read = statement.query_map([project], |row| {
            Ok(StoredInput {
                input: row.get(0)?,
                name: row.get(1)?,
                rows: row.get::<_, i64>(2)? as u64,
                problem: row.get(3)?,
            })
        });
        read?.collect()
    }

    /// Adds or replaces an input.
    pub fn set_input(&self, project: &str, input: &StoredInput) -> rusqlite::Result<()> {
        self.lock().execute(
            "INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?, ?)",
            params![project, input.input, input.name, input.rows as i64, input.problem],
        )?;
        Ok(())
    }

    /// Removes an input.
    pub fn remove_input(&self, project: &str, input: &str) -> rusqlite::Result<()> {
        self.lock().execute("DELETE FROM inputs WHERE project = ? AND input = ?", params![project, input])?;
        Ok(())
    }
}
