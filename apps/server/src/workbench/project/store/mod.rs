//! The database of projects, edits, inputs and jobs: one SQLite file in the data directory.
//!
//! One connection behind a lock: statements are short, and callers are on threads that may wait. The connection holds
//! the file exclusively, so that two servers never share a data directory.

mod edits;
mod inputs;
mod jobs;
mod migrations;
mod projects;

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use throng_contract::{Class, Failure};

pub use inputs::StoredInput;
pub use jobs::StoredJob;
pub use projects::StoredProject;

/// The database.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
    /// Whether this server made the database: then it says nothing about folders that are there.
    pub is_new: bool,
}

impl Store {
    /// Opens the database, makes it if it is not there, and brings it to the present form.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        // SQLite would make it as readable as other files.
        make_own(path).map_err(|error| {
            Failure::new(Class::BadInput, format!("`{}` cannot be used: {error}", path.display()))
                .with_help("give another directory with `--data-dir`")
        })?;
        let connect = || -> rusqlite::Result<Option<(Connection, bool)>> {
            let mut connection = Connection::open(path)?;
            // Whoever else has the database keeps it for as long as a server runs: waiting is of no use.
            connection.busy_timeout(Duration::ZERO)?;
            connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
            // Even how the journal is kept is for the later version to say.
            if migrations::is_later(&connection)? {
                return Ok(None);
            }
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // Cells that users typed are in here: what is deleted is overwritten, not only forgotten.
            connection.pragma_update(None, "secure_delete", true)?;
            let is_new = migrations::run(&mut connection)?;
            Ok(Some((connection, is_new)))
        };
        let connection = connect().map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Failure::new(
                Class::Refused,
                format!("`{}` is in use: another workbench runs on this data directory", path.display()),
            )
            .with_help("use the one that runs, or give this one a directory of its own with `--data-dir`"),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Failure::new(
                Class::BadInput,
                format!("`{}` is damaged: it is not a database of projects", path.display()),
            )
            .with_help(
                "put a copy of it back, or begin anew with another directory, given with `--data-dir`",
            ),
            _ => Failure::new(Class::BadInput, format!("`{}` cannot be used: {error}", path.display()))
                .with_help("give another directory with `--data-dir`"),
        })?;
        let Some((connection, is_new)) = connection else {
            let what = format!("`{}` was written by a later version of the program", path.display());
            return Err(Failure::new(Class::Refused, what)
                .with_help("use that version, or give this one a directory of its own with `--data-dir`"));
        };
        Ok(Store { connection: Mutex::new(connection), is_new })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the file if it is not there, for its owner only.
fn make_own(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// The time now, as it is stored and shown: ISO-8601, UTC, milliseconds.
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    let whole = jiff::Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now);
    format!("{whole:.3}")
}
