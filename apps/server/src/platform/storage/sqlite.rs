//! SQLite: one connection that writes, and some that read beside it.
//!
//! # Guarantees
//! Two processes never share a database: the one that opens it holds a lock, which ends with the process however that ends. A database
//! that a later version of the program has written stays as it is. What is deleted is overwritten.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::types::{Null, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, TransactionBehavior, params_from_iter};

use super::{Connection, Database, Row, StorageError, StorageFault, Value, Work};

/// Connections that read.
const READERS: usize = 4;
/// How long taking out what was deleted waits for those who read.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database in one file.
#[derive(Debug)]
pub struct Sqlite {
    writer: Mutex<rusqlite::Connection>,
    readers: Vec<Mutex<rusqlite::Connection>>,
    /// The reader to wait for when all are at work.
    next: AtomicUsize,
    is_new: bool,
    /// Held for as long as the database is open.
    _lock: File,
}

impl Sqlite {
    /// Opens the database, makes it if it is not there, and takes the steps to its present form that were not taken yet, all or none.
    pub fn open(path: &Path, steps: &[&str]) -> Result<Self, StorageError> {
        let lock = lock(path)?;
        // SQLite would make the file as readable as other files.
        own(path).map_err(|error| StorageError::other(error.to_string()))?;
        let mut writer = connect(path)?;
        // Another process that has the database keeps it: waiting is of no use.
        writer.busy_timeout(Duration::ZERO)?;
        // Even how the journal is kept is for the later version to say.
        if taken(&writer)? as usize > steps.len() {
            return Err(StorageError::new(StorageFault::Later, "written by a later version"));
        }
        writer.pragma_update(None, "journal_mode", "WAL")?;
        writer.pragma_update(None, "synchronous", "NORMAL")?;
        writer.pragma_update(None, "foreign_keys", true)?;
        // Cells that users typed are in here: what is deleted is overwritten, not only forgotten.
        writer.pragma_update(None, "secure_delete", true)?;
        let is_new = migrate(&mut writer, steps)?;
        writer.busy_timeout(PATIENCE)?;
        let reader = |_| {
            let reader = connect(path)?;
            reader.pragma_update(None, "query_only", true)?;
            reader.busy_timeout(PATIENCE)?;
            Ok(Mutex::new(reader))
        };
        let readers = (0..READERS).map(reader).collect::<Result<_, StorageError>>()?;
        Ok(Sqlite { writer: Mutex::new(writer), readers, next: AtomicUsize::new(0), is_new, _lock: lock })
    }

    /// Whether there was no database before.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// A reader that has nothing to do, or the next one in turn.
    fn reader(&self) -> MutexGuard<'_, rusqlite::Connection> {
        let idle = self.readers.iter().find_map(|reader| reader.try_lock().ok());
        idle.unwrap_or_else(|| {
            let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.readers.len();
            self.readers[turn].lock().unwrap_or_else(PoisonError::into_inner)
        })
    }
}

impl Database for Sqlite {
    fn read(&self, work: Work<'_>) -> Result<(), StorageError> {
        let mut reader = self.reader();
        let mut transaction = reader.transaction()?;
        work(&mut transaction)?;
        Ok(transaction.commit()?)
    }

    fn write(&self, work: Work<'_>) -> Result<(), StorageError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        work(&mut transaction)?;
        Ok(transaction.commit()?)
    }

    fn purge(&self) -> Result<(), StorageError> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let busy: bool = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if busy {
            return Err(StorageError::other("the journal could not be emptied: it is being read"));
        }
        Ok(())
    }
}

impl Connection for rusqlite::Transaction<'_> {
    fn execute(&mut self, statement: &str, values: &[Value]) -> Result<u64, StorageError> {
        let mut prepared = self.prepare(&numbered(statement))?;
        Ok(prepared.execute(params_from_iter(values))? as u64)
    }

    fn query(
        &mut self,
        statement: &str,
        values: &[Value],
        row: &mut dyn FnMut(&Row) -> Result<(), StorageError>,
    ) -> Result<(), StorageError> {
        let mut prepared = self.prepare(&numbered(statement))?;
        let columns = prepared.column_count();
        let mut rows = prepared.query(params_from_iter(values))?;
        while let Some(found) = rows.next()? {
            let values = (0..columns).map(|place| Ok(value(found.get_ref(place)?)));
            row(&Row::of(values.collect::<Result<_, StorageError>>()?))?;
        }
        Ok(())
    }
}

/// The statement with values named as SQLite does: `?1` for `$1`.
fn numbered(statement: &str) -> String {
    let mut characters = statement.chars().peekable();
    let mut text = String::with_capacity(statement.len());
    while let Some(character) = characters.next() {
        let value = character == '$' && characters.peek().is_some_and(char::is_ascii_digit);
        text.push(if value { '?' } else { character });
    }
    text
}

fn value(field: ValueRef<'_>) -> Value {
    match field {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Value::Null => Null.to_sql(),
            Value::Integer(number) => number.to_sql(),
            Value::Real(number) => number.to_sql(),
            Value::Text(text) => text.to_sql(),
            Value::Bytes(bytes) => bytes.to_sql(),
        }
    }
}

impl From<rusqlite::Error> for StorageError {
    fn from(error: rusqlite::Error) -> Self {
        let fault = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StorageFault::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StorageFault::InUse,
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StorageFault::Damaged,
            _ => StorageFault::Other,
        };
        StorageError::new(fault, error.to_string())
    }
}

fn connect(path: &Path) -> Result<rusqlite::Connection, StorageError> {
    Ok(rusqlite::Connection::open(path)?)
}

/// How many steps were taken.
fn taken(connection: &rusqlite::Connection) -> Result<u32, StorageError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Takes the steps that were not taken yet. Returns whether there were none before: the database is new.
fn migrate(connection: &mut rusqlite::Connection, steps: &[&str]) -> Result<bool, StorageError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let taken = taken(&transaction)?;
    for step in steps.iter().skip(taken as usize) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", steps.len() as u32)?;
    transaction.commit()?;
    Ok(taken == 0)
}

/// The lock of a database: a file beside it, since SQLite's own locks end when any file descriptor of the database is closed.
fn lock(path: &Path) -> Result<File, StorageError> {
    let refused = |error: io::Error| StorageError::other(error.to_string());
    let lock = own(&path.with_extension("lock")).map_err(refused)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StorageError::new(StorageFault::InUse, "in use")),
        Err(TryLockError::Error(error)) => Err(refused(error)),
    }
}

/// Makes a file if it is not there, for its owner only.
fn own(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
