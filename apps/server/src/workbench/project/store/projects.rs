//! Projects in the database.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, now};

/// A project as stored.
#[derive(Debug, Clone)]
pub struct StoredProject {
    /// Its identifier.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// When it was made.
    pub created: String,
    /// When it was last looked at.
    pub opened: String,
    /// What the data was called where it came from.
    pub source: String,
    /// The data's file in the project's folder.
    pub file: String,
    /// How the data is read, as JSON.
    pub reading: String,
    /// People, once counted.
    pub subjects: Option<u64>,
    /// Events, once counted.
    pub events: Option<u64>,
    /// How many edits are in force; those after it were undone.
    pub position: u64,
}

const COLUMNS: &str = "id, name, created, opened, source, file, reading, subjects, events, position";

fn read(row: &Row<'_>) -> rusqlite::Result<StoredProject> {
    Ok(StoredProject {
        id: row.get(0)?,
        name: row.get(1)?,
        created: row.get(2)?,
        opened: row.get(3)?,
        source: row.get(4)?,
        file: row.get(5)?,
        reading: row.get(6)?,
        subjects: row.get::<_, Option<i64>>(7)?.map(|count| count as u64),
        events: row.get::<_, Option<i64>>(8)?.map(|count| count as u64),
        position: row.get::<_, i64>(9)? as u64,
    })
}

impl Store {
    /// Adds a project.
    pub fn add_project(&self, project: &StoredProject) -> rusqlite::Result<()> {
        self.lock().execute(
            &format!("INSERT INTO projects ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
            params![
                project.id,
                project.name,
                project.created,
                project.opened,
                project.source,
                project.file,
                project.reading,
                project.subjects.map(|count| count as i64),
                project.events.map(|count| count as i64),
                project.position as i64,
            ],
        )?;
        Ok(())
    }

    /// All projects, the last opened first.
    pub fn projects(&self) -> rusqlite::Result<Vec<StoredProject>> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM projects ORDER BY opened DESC, id");
        let mut statement = connection.prepare(&sql)?;
        statement.query_map([], read)?.collect()
    }

    /// One project.
    pub fn project(&self, id: &str) -> rusqlite::Result<Option<StoredProject>> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM projects WHERE id = ?");
        let mut statement = connection.prepare(&sql)?;
        statement.query_row([id], read).optional()
    }

    /// Notes that a project was looked at.
    pub fn open_project(&self, id: &str) -> rusqlite::Result<()> {
        self.lock().execute("UPDATE projects SET opened = ? WHERE id = ?", params![now(), id])?;
        Ok(())
    }

    /// Gives a project another name.
    pub fn rename_project(&self, id: &str, name: &str) -> rusqlite::Result<()> {
        self.lock().execute("UPDATE projects SET name = ? WHERE id = ?", params![name, id])?;
        Ok(())
    }

    /// Stores how the data is read.
    pub fn set_reading(&self, id: &str, reading: &str) -> rusqlite::Result<()> {
        self.lock().execute("UPDATE projects SET reading = ? WHERE id = ?", params![reading, id])?;
        Ok(())
    }

    /// Stores how large the data is.
    pub fn set_size(&self, id: &str, subjects: Option<u64>, events: Option<u64>) -> rusqlite::Result<()> {
        let (subjects, events) = (subjects.map(|count| count as i64), events.map(|count| count as i64));
        let sql = "UPDATE projects SET subjects = ?, events = ? WHERE id = ?";
        self.lock().execute(sql, params![subjects, events, id])?;
        Ok(())
    }

    /// Removes a project with its edits, inputs and jobs, from the journal of the database too.
    pub fn remove_project(&self, id: &str) -> rusqlite::Result<()> {
        let connection = self.lock();
        connection.execute("DELETE FROM projects WHERE id = ?", [id])?;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}
