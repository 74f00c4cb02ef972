//! Jobs in the database.

use super::{Store, now};
use crate::platform::jobs::JobState;
use crate::platform::storage::{Row, StorageError};

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

/// How a job ended.
#[derive(Debug, Clone, Copy)]
pub struct JobEnd<'a> {
    /// In which state.
    pub state: JobState,
    /// How far it came, as JSON.
    pub progress: &'a str,
    /// Why it failed, as JSON.
    pub problem: Option<&'a str>,
    /// How long it ran.
    pub seconds: Option<f64>,
}

/// Earlier runs that an estimate rests on.
const MAX_TIMINGS: usize = 20;

const COLUMNS: &str = "id, project, kind, state, created, started, finished, spec, recipe, command, progress, \
     problem, pinned, note, events, seconds, process, published";

fn read(row: &Row) -> Result<StoredJob, StorageError> {
    Ok(StoredJob {
        id: row.get(0)?,
        project: row.get(1)?,
        kind: row.get(2)?,
        state: JobState::parse(&row.get::<String>(3)?),
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
        events: row.get(14)?,
        seconds: row.get(15)?,
        process: row.get(16)?,
        published: row.get(17)?,
    })
}

impl Store {
    /// Adds a job.
    pub fn add_job(&self, job: &StoredJob) -> Result<(), StorageError> {
        let places: Vec<String> = (1..=COLUMNS.split(',').count()).map(|place| format!("${place}")).collect();
        let sql = format!("INSERT INTO jobs ({COLUMNS}) VALUES ({})", places.join(", "));
        let values = [
            (&job.id).into(),
            (&job.project).into(),
            (&job.kind).into(),
            job.state.word().into(),
            (&job.created).into(),
            job.started.clone().into(),
            job.finished.clone().into(),
            (&job.spec).into(),
            (&job.recipe).into(),
            (&job.command).into(),
            (&job.progress).into(),
            job.problem.clone().into(),
            job.pinned.into(),
            (&job.note).into(),
            job.events.into(),
            job.seconds.into(),
            job.process.into(),
            job.published.clone().into(),
        ];
        self.execute(&sql, &values)
    }

    /// One job.
    pub fn job(&self, id: &str) -> Result<Option<StoredJob>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE id = $1");
        self.read(|connection| connection.row(&sql, &[id.into()], read))
    }

    /// The jobs of a project, the newest first.
    pub fn jobs_of(&self, project: &str) -> Result<Vec<StoredJob>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE project = $1 ORDER BY created DESC, id DESC");
        self.read(|connection| connection.rows(&sql, &[project.into()], read))
    }

    /// The jobs in a state, the oldest first.
    pub fn jobs_in(&self, state: JobState) -> Result<Vec<StoredJob>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM jobs WHERE state = $1 ORDER BY created, id");
        self.read(|connection| connection.rows(&sql, &[state.word().into()], read))
    }

    /// Notes that a job began.
    pub fn start_job(&self, id: &str, process: Option<i32>) -> Result<(), StorageError> {
        let sql =
            "UPDATE jobs SET state = 'running', started = coalesce(started, $1), process = $2 WHERE id = $3";
        self.execute(sql, &[now().into(), process.into(), id.into()])
    }

    /// Notes that a job ended, unless it had ended before.
    pub fn end_job(&self, id: &str, end: &JobEnd<'_>) -> Result<(), StorageError> {
        self.execute(
            "UPDATE jobs SET state = $1, finished = $2, progress = $3, problem = $4, seconds = $5, process = NULL
             WHERE id = $6 AND state IN ('queued', 'running')",
            &[
                end.state.word().into(),
                now().into(),
                end.progress.into(),
                end.problem.into(),
                end.seconds.into(),
                id.into(),
            ],
        )
    }

    /// Pins a job or writes a note about it.
    pub fn annotate_job(
        &self,
        id: &str,
        pinned: Option<bool>,
        note: Option<&str>,
    ) -> Result<(), StorageError> {
        let sql = "UPDATE jobs SET pinned = coalesce($1, pinned), note = coalesce($2, note) WHERE id = $3";
        self.execute(sql, &[pinned.into(), note.into(), id.into()])
    }

    /// Notes that a job's checklist was completed.
    pub fn publish_job(&self, id: &str) -> Result<(), StorageError> {
        self.execute("UPDATE jobs SET published = $1 WHERE id = $2", &[now().into(), id.into()])
    }

    /// Removes a job.
    pub fn remove_job(&self, id: &str) -> Result<(), StorageError> {
        self.execute("DELETE FROM jobs WHERE id = $1", &[id.into()])
    }

    /// Events and seconds of the last finished runs of a method, the newest first.
    pub fn timings(&self, method: &str) -> Result<Vec<(u64, f64)>, StorageError> {
        // Databases differ in how they look into JSON: the method is looked up here.
        let sql = "SELECT spec, events, seconds FROM jobs WHERE kind = 'anonymize' AND state = 'done'
             AND seconds IS NOT NULL ORDER BY finished DESC";
        let runs: Vec<(String, u64, f64)> = self.read(|connection| {
            connection.rows(sql, &[], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        })?;
        let of_method = |spec: &str| {
            serde_json::from_str::<serde_json::Value>(spec).is_ok_and(|spec| spec["method"] == method)
        };
        let own = runs.into_iter().filter(|(spec, ..)| of_method(spec));
        Ok(own.map(|(_, events, seconds)| (events, seconds)).take(MAX_TIMINGS).collect())
    }
}
