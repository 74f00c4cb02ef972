//! What every database has to keep, and what SQLite keeps besides.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

const STEPS: [&str; 1] = ["
    CREATE TABLE things (
        id TEXT PRIMARY KEY,
        number INTEGER NOT NULL,
        length REAL,
        content BLOB
    ) STRICT"];
const ADD: &str = "INSERT INTO things (id, number, length, content) VALUES ($1, $2, $3, $4)";

fn add(database: &dyn Database, id: &str, number: u64) -> Result<u64, StorageError> {
    write(database, |connection| {
        connection.execute(ADD, &[id.into(), number.into(), Value::Null, Value::Null])
    })
}

fn names(database: &dyn Database) -> Vec<String> {
    read(database, |connection| connection.rows("SELECT id FROM things ORDER BY id", &[], |row| row.get(0)))
        .unwrap()
}

/// The contract of the trait, for an empty database with the table above.
fn keeps_the_contract(database: &dyn Database) {
    // Values come back as they were.
    let values = ["é".into(), u64::from(u32::MAX).into(), 0.125.into(), vec![0, 255].into()];
    assert_eq!(write(database, |connection| connection.execute(ADD, &values)).unwrap(), 1);
    type Thing = (String, u64, Option<f64>, Option<Vec<u8>>);
    let found: Option<Thing> = read(database, |connection| {
        // A value may stand twice in a statement, and in any order.
        let statement =
            "SELECT id, number, length, content FROM things WHERE number = $2 AND id = $1 AND id = $1";
        connection.row(statement, &["é".into(), u64::from(u32::MAX).into()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
    })
    .unwrap();
    assert_eq!(found, Some(("é".to_owned(), u64::from(u32::MAX), Some(0.125), Some(vec![0, 255]))));

    // Nothing is another value than any, and a field that is read as what it is not is an error.
    add(database, "b", 2).unwrap();
    let get = |place: usize| {
        read(database, |connection| {
            let statement = "SELECT id, length FROM things WHERE id = $1";
            connection.row(statement, &["b".into()], |row| row.get::<Option<f64>>(place))
        })
    };
    assert_eq!(get(1).unwrap(), Some(None));
    assert!(get(0).is_err() && get(7).is_err());

    // Work that fails is taken back whole, and one row more under the same key is refused.
    let failed = write(database, |connection| {
        connection.execute("DELETE FROM things WHERE id = $1", &["b".into()])?;
        connection.execute(ADD, &["é".into(), 1.into(), Value::Null, Value::Null])
    });
    assert!(failed.is_err());
    assert_eq!(names(database), ["b", "é"]);

    // Those who read do not wait for one who writes, and see what was there before.
    let seen = AtomicBool::new(false);
    write(database, |connection| {
        connection.execute("DELETE FROM things WHERE id = $1", &["b".into()])?;
        thread::scope(|scope| {
            scope.spawn(|| seen.store(names(database).len() == 2, Ordering::Relaxed));
        });
        Ok(())
    })
    .unwrap();
    assert!(seen.load(Ordering::Relaxed));
    assert_eq!(names(database), ["é"]);

    // Many at the same time lose nothing.
    thread::scope(|scope| {
        for writer in 0..8_u64 {
            scope.spawn(move || {
                for place in 0..5 {
                    add(database, &format!("{writer}-{place}"), place).unwrap();
                }
            });
        }
        for _ in 0..8 {
            scope.spawn(|| (0..20).for_each(|_| drop(names(database))));
        }
    });
    assert_eq!(names(database).len(), 41);
    database.purge().unwrap();
    assert_eq!(names(database).len(), 41);
}

#[test]
fn sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    keeps_the_contract(&Sqlite::open(&folder.path().join("things.sqlite"), &STEPS).unwrap());
}

#[test]
fn reading_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let database = Sqlite::open(&folder.path().join("things.sqlite"), &STEPS).unwrap();
    let tried = read(&database, |connection| connection.execute("DELETE FROM things", &[]));
    assert!(tried.is_err());
}

#[test]
fn rows_stay_when_a_database_is_opened_again_and_later_steps_are_taken_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.sqlite");
    let database = Sqlite::open(&path, &STEPS).unwrap();
    assert!(database.is_new());
    add(&database, "a", 1).unwrap();
    drop(database);
    let steps = [STEPS[0], "ALTER TABLE things ADD COLUMN owner TEXT"];
    for _ in 0..2 {
        let database = Sqlite::open(&path, &steps).unwrap();
        assert!(!database.is_new());
        assert_eq!(names(&database), ["a"]);
        write(&database, |connection| connection.execute("UPDATE things SET owner = $1", &["x".into()]))
            .unwrap();
    }
    // Whose database it is now, an earlier version cannot say.
    assert_eq!(Sqlite::open(&path, &STEPS).unwrap_err().fault, StorageFault::Later);
}

#[test]
fn a_database_has_one_process_and_a_broken_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.sqlite");
    let database = Sqlite::open(&path, &STEPS).unwrap();
    assert_eq!(Sqlite::open(&path, &STEPS).unwrap_err().fault, StorageFault::InUse);
    drop(database);
    // An earlier version of the program held the file itself.
    let other = rusqlite::Connection::open(&path).unwrap();
    other.pragma_update(None, "locking_mode", "EXCLUSIVE").unwrap();
    other.execute("DELETE FROM things", []).unwrap();
    assert_eq!(Sqlite::open(&path, &STEPS).unwrap_err().fault, StorageFault::InUse);
    drop(other);
    assert!(Sqlite::open(&path, &STEPS).is_ok());
    fs::write(&path, "no database, though long enough to be taken for one".repeat(40)).unwrap();
    assert_eq!(Sqlite::open(&path, &STEPS).unwrap_err().fault, StorageFault::Damaged);
}

#[test]
fn what_was_deleted_is_in_no_file() {
    fn holds(folder: &Path, text: &str) -> bool {
        let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
        files.into_iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
    }
    let folder = tempfile::tempdir().unwrap();
    let database = Sqlite::open(&folder.path().join("things.sqlite"), &STEPS).unwrap();
    add(&database, "a-name-to-forget", 1).unwrap();
    assert!(holds(folder.path(), "a-name-to-forget"));
    write(&database, |connection| connection.execute("DELETE FROM things", &[])).unwrap();
    database.purge().unwrap();
    assert!(!holds(folder.path(), "a-name-to-forget"));
}
