//! Projects in the database.

use super::{Store, now};
use crate::platform::storage::{Row, StorageError};

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

fn read(row: &Row) -> Result<StoredProject, StorageError> {
    Ok(StoredProject {
        id: row.get(0)?,
        name: row.get(1)?,
        created: row.get(2)?,
        opened: row.get(3)?,
        source: row.get(4)?,
        file: row.get(5)?,
        reading: row.get(6)?,
        subjects: row.get(7)?,
        events: row.get(8)?,
        position: row.get(9)?,
    })
}

impl Store {
    /// Adds a project.
    pub fn add_project(&self, project: &StoredProject) -> Result<(), StorageError> {
        let sql =
            format!("INSERT INTO projects ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
        let values = [
            (&project.id).into(),
            (&project.name).into(),
            (&project.created).into(),
            (&project.opened).into(),
            (&project.source).into(),
            (&project.file).into(),
            (&project.reading).into(),
            project.subjects.into(),
            project.events.into(),
            project.position.into(),
        ];
        self.execute(&sql, &values)
    }

    /// All projects, the last opened first.
    pub fn projects(&self) -> Result<Vec<StoredProject>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM projects ORDER BY opened DESC, id");
        self.read(|connection| connection.rows(&sql, &[], read))
    }

    /// One project.
    pub fn project(&self, id: &str) -> Result<Option<StoredProject>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM projects WHERE id = $1");
        self.read(|connection| connection.row(&sql, &[id.into()], read))
    }

    /// Notes that a project was looked at.
    pub fn open_project(&self, id: &str) -> Result<(), StorageError> {
        self.execute("UPDATE projects SET opened = $1 WHERE id = $2", &[now().into(), id.into()])
    }

    /// Gives a project another name.
    pub fn rename_project(&self, id: &str, name: &str) -> Result<(), StorageError> {
        self.execute("UPDATE projects SET name = $1 WHERE id = $2", &[name.into(), id.into()])
    }

    /// Stores how the data is read.
    pub fn set_reading(&self, id: &str, reading: &str) -> Result<(), StorageError> {
        self.execute("UPDATE projects SET reading = $1 WHERE id = $2", &[reading.into(), id.into()])
    }

    /// Stores how large the data is.
    pub fn set_size(&self, id: &str, subjects: Option<u64>, events: Option<u64>) -> Result<(), StorageError> {
        let sql = "UPDATE projects SET subjects = $1, events = $2 WHERE id = $3";
        self.execute(sql, &[subjects.into(), events.into(), id.into()])
    }

    /// Removes a project with its edits, inputs and jobs, from the journal of the database too.
    pub fn remove_project(&self, id: &str) -> Result<(), StorageError> {
        self.execute("DELETE FROM projects WHERE id = $1", &[id.into()])?;
        self.database.purge()
    }
}
