//! The forms that the database had, one step each, in the words of SQLite: another kind of database gets a list of its own.

/// The steps, the first one first. One that was released is never changed: databases that took it do not take it again.
pub const STEPS: &[&str] = &["
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
