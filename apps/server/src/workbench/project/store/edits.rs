//! The log of edits of a project.

use rusqlite::params;

use super::Store;

impl Store {
    /// All edits of a project as JSON, the first one first, and how many of them are in force.
    pub fn edits(&self, project: &str) -> rusqlite::Result<(Vec<String>, u64)> {
        let connection = self.lock();
        let mut statement = connection.prepare("SELECT edit FROM edits WHERE project = ? ORDER BY number")?;
        let edits = statement.query_map([project], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let position: i64 =
            connection
                .query_row("SELECT position FROM projects WHERE id = ?", [project], |row| row.get(0))?;
        Ok((edits, position as u64))
    }

    /// Adds an edit behind those in force; what had been undone is forgotten.
    pub fn add_edit(&self, project: &str, position: u64, edit: &str) -> rusqlite::Result<()> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let number = position as i64;
        transaction
            .execute("DELETE FROM edits WHERE project = ? AND number >= ?", params![project, number])?;
        transaction.execute("INSERT INTO edits VALUES (?, ?, ?)", params![project, number, edit])?;
        transaction.execute("UPDATE projects SET position = ? WHERE id = ?", params![number + 1, project])?;
        transaction.commit()
    }

    /// Sets how many edits are in force.
    pub fn set_position(&self, project: &str, position: u64) -> rusqlite::Result<()> {
        let sql = "UPDATE projects SET position = ? WHERE id = ?";
        self.lock().execute(sql, params![position as i64, project])?;
        Ok(())
    }
}
