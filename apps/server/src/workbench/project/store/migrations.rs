//! The forms the database had, one step each; `user_version` says how many were taken.
//!
//! # Guarantees
//! A database of a later version of the program is left as it is.

use rusqlite::Connection;

const STEPS: &[&str] = &["
    CREATE TABLE projects (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created TEXT NOT NULL,
        opened TEXT NOT NULL,
        source TEXT NOT NULL,
        file TEXT NOT NULL,
        reading TEXT NOT NULL,
        subjects INTEGER,
        events INTEGER,
        position INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE edits (
        project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        edit TEXT NOT NULL,
        PRIMARY KEY (project, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE inputs (
        project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        input TEXT NOT NULL,
        name TEXT NOT NULL,
        rows INTEGER NOT NULL,
        problem TEXT,
        PRIMARY KEY (project, input)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        project TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        created TEXT NOT NULL,
        started TEXT,
        finished TEXT,
        spec TEXT NOT NULL,
        recipe TEXT NOT NULL,
        command TEXT NOT NULL,
        progress TEXT NOT NULL,
        problem TEXT,
        pinned INTEGER NOT NULL,
        note TEXT NOT NULL,
        events INTEGER NOT NULL,
        seconds REAL,
        process INTEGER,
        published TEXT
    ) STRICT;
    CREATE INDEX jobs_of_project ON jobs (project, created);
"];

/// How many steps were taken.
fn taken(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Whether a later version of the program has written the database. Nothing is changed by asking.
pub fn is_later(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(taken(connection)? as usize > STEPS.len())
}

/// Takes the steps that were not taken yet, all or none. Returns whether there were none before: the database is new.
pub fn run(connection: &mut Connection) -> rusqlite::Result<bool> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let taken = taken(&transaction)?;
    for step in STEPS.iter().skip(taken as usize) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len() as u32)?;
    transaction.commit()?;
    Ok(taken == 0)
}
