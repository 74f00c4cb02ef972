//! Jobs in the database.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, now};
use crate::platform::jobs::JobState;

/// A job as stored.
#[derive(Debug, Clone)]
pub struct StoredJob {
    /// Its identifier.
    pub id: String,
    /// The project it belongs to.
    pub project: String,
    /// `anonymize`, `compare` or `recommend`.
    pub kind: String,
    /// Where it is in its life.
    pub state: JobState,
    /// When it was asked for.
    pub created: String,
    /// When it began.
    pub started: Option<String>,
    /// When it ended.
    pub finished: Option<String>,
    /// What was asked for, as JSON.
    pub spec: String,
    /// The same as a recipe.
    pub recipe: String,
    /// The same as a command.
    pub command: String,
    /// How far it came, as JSON.
    pub progress: String,
    /// Why it failed, as JSON.
    pub problem: Option<String>,
    /// Whether the user wants to keep it in view.
    pub pinned: bool,
    /// What the user wrote about it.
    pub note: String,
    /// Events of the data it works on.
    pub events: u64,
    /// How long it ran.
    pub seconds: Option<f64>,
    /// The child process.
    pub process: Option<i32>,
    /// When its checklist was completed.
    pub published: Option<String>,
}

const COLUMNS: &str = "id, project, kind, state, created, started, finished, spec, recipe, command, progress, \
     problem, pinned, note, events, seconds, process, published";

fn read(row: &Row<'_>) -> rusqlite::Result<StoredJob> {
    Ok(StoredJob {
        id: row.get(0)?,
        project: row.get(1)?,
        kind: row.get(2)?,
        state: JobState::parse(&row.get::<_, String>(3)?),
        created: row.get(4)?,
        started: row.get(5)?,
        finished: row.get(6)?,
        spec: row.get(7)?,
        recipe: row.get(8)?,
        command: row.get(9)?,
        progress: row.get(10)?,
        problem: row.get(11)?,
        pinned: row.get(12)?,
        note: row.get(13)?,
        events: row.get::<_, i64>(14)? as u64,
        seconds: row.get(15)?,
        process: row.get(16)?,
        published: row.get(17)?,
    })
}

impl Store {
    /// Adds a job.
    pub fn add_job(&self, job: &StoredJob) -> rusqlite::Result<()> {
        self.lock().execute(
            &format!(
                "INSERT INTO jobs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            ),
            params![
                job.id,
                job.project,
                job.kind,
                job.state.word(),
                job.created,
                job.started,
                job.finished,
                job.spec,
                job.recipe,
                job.command,
                job.progress,
                job.problem,
                job.pinned,
                job.note,
                job.events as i64,
                job.seconds,
                job.process,
                job.published,
            ],
        )?;
        Ok(())
    }

    /// One job.
    pub fn job(&self, id: &str) -> rusqlite::Result<Option<StoredJob>> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE id = ?");
        let mut statement = connection.prepare(&sql)?;
        statement.query_row([id], read).optional()
    }

    /// The jobs of a project, the newest first.
    pub fn jobs_of(&self, project: &str) -> rusqlite::Result<Vec<StoredJob>> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE project = ? ORDER BY created DESC, rowid DESC");
        let mut statement = connection.prepare(&sql)?;
        statement.query_map([project], read)?.collect()
    }

    /// The jobs in a state, the oldest first.
    pub fn jobs_in(&self, state: JobState) -> rusqlite::Result<Vec<StoredJob>> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE state = ? ORDER BY created, rowid");
        let mut statement = connection.prepare(&sql)?;
        statement.query_map([state.word()], read)?.collect()
    }

    /// Notes that a job began.
    pub fn start_job(&self, id: &str, process: Option<i32>) -> rusqlite::Result<()> {
        let sql =
            "UPDATE jobs SET state = 'running', started = coalesce(started, ?), process = ? WHERE id = ?";
        self.lock().execute(sql, params![now(), process, id])?;
        Ok(())
    }

    /// Notes that a job ended, unless it had ended before.
    pub fn end_job(
        &self,
        id: &str,
        state: JobState,
        progress: &str,
        problem: Option<&str>,
        seconds: Option<f64>,
    ) -> rusqlite::Result<()> {
        self.lock().execute(
            "UPDATE jobs SET state = ?, finished = ?, progress = ?, problem = ?, seconds = ?, process = NULL
             WHERE id = ? AND state IN ('queued', 'running')",
            params![state.word(), now(), progress, problem, seconds, id],
        )?;
        Ok(())
    }

    /// Pins a job or writes a note about it.
    pub fn annotate_job(&self, id: &str, pinned: Option<bool>, note: Option<&str>) -> rusqlite::Result<()> {
        let sql = "UPDATE jobs SET pinned = coalesce(?, pinned), note = coalesce(?, note) WHERE id = ?";
        self.lock().execute(sql, params![pinned, note, id])?;
        Ok(())
    }

    /// Notes that a job's checklist was completed.
    pub fn publish_job(&self, id: &str) -> rusqlite::Result<()> {
        self.lock().execute("UPDATE jobs SET published = ? WHERE id = ?", params![now(), id])?;
        Ok(())
    }

    /// Removes a job.
    pub fn remove_job(&self, id: &str) -> rusqlite::Result<()> {
        self.lock().execute("DELETE FROM jobs WHERE id = ?", [id])?;
        Ok(())
    }

    /// Events and seconds of finished runs of a method, the newest first.
    pub fn timings(&self, method: &str) -> rusqlite::Result<Vec<(u64, f64)>> {
        let connection = self.lock();
        let sql = "SELECT events, seconds FROM jobs WHERE kind = 'anonymize' AND state = 'done'
             AND spec ->> '$.method' = ? AND seconds IS NOT NULL ORDER BY finished DESC LIMIT 20";
        let mut statement = connection.prepare(sql)?;
        statement.query_map([method], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?.collect()
    }
}
