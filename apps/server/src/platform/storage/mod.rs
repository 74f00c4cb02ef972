//! Where rows are stored: a small trait at the level of statements, and SQLite behind it.
//!
//! Statements are written once, in the words that SQLite and PostgreSQL share: `$1` for a value, `ON CONFLICT`, `RETURNING`, common
//! table expressions. Only the implementation of [`Database`] knows which of them it speaks to.

mod error;
mod sqlite;
#[cfg(test)]
mod tests;
mod value;

use std::fmt::Debug;

pub use error::{StorageError, StorageFault};
pub use sqlite::Sqlite;
pub use value::{FromValue, Row, Value};

/// Work on a connection, inside a transaction.
pub type Work<'a> = &'a mut dyn FnMut(&mut dyn Connection) -> Result<(), StorageError>;

/// A database: transactions that read, and transactions that write.
///
/// Calls block: they belong on threads that may wait. Reading and writing may use different connections, so that readers do not wait
/// for a writer. [`read`] and [`write`](fn@write) call it with closures that return a value.
///
/// # Guarantees for an implementation to keep
/// * All statements of one call see one state of the database, and those of a call to [`write`](Database::write) are carried out
///   together or not at all: an error of the work takes everything back.
/// * What a call to [`write`](Database::write) did is seen by every call to [`read`](Database::read) that begins after it returned.
///
/// # Example
/// The whole of adding a database: this one passes everything on to another and counts the statements.
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use throng_server::storage::{self, Connection, Database, Row, Sqlite, StorageError, Value, Work};
///
/// #[derive(Debug)]
/// struct Counting<D> {
///     inner: D,
///     statements: AtomicU64,
/// }
///
/// struct Counted<'a> {
///     inner: &'a mut dyn Connection,
///     statements: &'a AtomicU64,
/// }
///
/// impl Connection for Counted<'_> {
///     fn execute(&mut self, statement: &str, values: &[Value]) -> Result<u64, StorageError> {
///         self.statements.fetch_add(1, Ordering::Relaxed);
///         self.inner.execute(statement, values)
///     }
///
///     fn query(
///         &mut self,
///         statement: &str,
///         values: &[Value],
///         row: &mut dyn FnMut(&Row) -> Result<(), StorageError>,
///     ) -> Result<(), StorageError> {
///         self.statements.fetch_add(1, Ordering::Relaxed);
///         self.inner.query(statement, values, row)
///     }
/// }
///
/// impl<D: Database> Database for Counting<D> {
///     fn read(&self, work: Work<'_>) -> Result<(), StorageError> {
///         self.inner.read(&mut |inner| work(&mut Counted { inner, statements: &self.statements }))
///     }
///
///     fn write(&self, work: Work<'_>) -> Result<(), StorageError> {
///         self.inner.write(&mut |inner| work(&mut Counted { inner, statements: &self.statements }))
///     }
///
///     fn purge(&self) -> Result<(), StorageError> {
///         self.inner.purge()
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let steps = ["CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"];
/// let inner = Sqlite::open(&folder.path().join("notes.sqlite"), &steps)?;
/// let database = Counting { inner, statements: AtomicU64::new(0) };
///
/// storage::write(&database, |connection| {
///     connection.execute("INSERT INTO notes (number, text) VALUES ($1, $2)", &[1.into(), "first".into()])
/// })?;
/// let texts: Vec<String> = storage::read(&database, |connection| {
///     connection.rows("SELECT text FROM notes WHERE number >= $1", &[1.into()], |row| row.get(0))
/// })?;
/// assert_eq!(texts, ["first"]);
/// assert_eq!(database.statements.load(Ordering::Relaxed), 2);
/// # Ok(())
/// # }
/// ```
pub trait Database: Debug + Send + Sync {
    /// Does work that only reads, in one transaction.
    fn read(&self, work: Work<'_>) -> Result<(), StorageError>;

    /// Does work that writes, in one transaction, which is taken back when the work fails.
    fn write(&self, work: Work<'_>) -> Result<(), StorageError>;

    /// Takes what was deleted out of the database's files, its journal among them.
    fn purge(&self) -> Result<(), StorageError>;
}

/// A connection inside a transaction.
pub trait Connection {
    /// Carries out a statement; returns how many rows it touched.
    fn execute(&mut self, statement: &str, values: &[Value]) -> Result<u64, StorageError>;

    /// Carries out a statement and calls `row` for each row that it answers with.
    fn query(
        &mut self,
        statement: &str,
        values: &[Value],
        row: &mut dyn FnMut(&Row) -> Result<(), StorageError>,
    ) -> Result<(), StorageError>;
}

impl dyn Connection + '_ {
    /// All rows of an answer.
    pub fn rows<T>(
        &mut self,
        statement: &str,
        values: &[Value],
        read: impl Fn(&Row) -> Result<T, StorageError>,
    ) -> Result<Vec<T>, StorageError> {
        let mut rows = Vec::new();
        self.query(statement, values, &mut |row| {
            rows.push(read(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row of an answer, if it has one.
    pub fn row<T>(
        &mut self,
        statement: &str,
        values: &[Value],
        read: impl Fn(&Row) -> Result<T, StorageError>,
    ) -> Result<Option<T>, StorageError> {
        Ok(self.rows(statement, values, read)?.into_iter().next())
    }
}

/// Work that returns a value, in a transaction that only reads.
pub fn read<T>(
    database: &dyn Database,
    work: impl FnOnce(&mut dyn Connection) -> Result<T, StorageError>,
) -> Result<T, StorageError> {
    once(work, |work| database.read(work))
}

/// Work that returns a value, in a transaction that writes.
pub fn write<T>(
    database: &dyn Database,
    work: impl FnOnce(&mut dyn Connection) -> Result<T, StorageError>,
) -> Result<T, StorageError> {
    once(work, |work| database.write(work))
}

/// Hands on work that can be done once, and its value back.
fn once<T>(
    work: impl FnOnce(&mut dyn Connection) -> Result<T, StorageError>,
    run: impl FnOnce(Work<'_>) -> Result<(), StorageError>,
) -> Result<T, StorageError> {
    let (mut work, mut made) = (Some(work), None);
    run(&mut |connection| {
        let work = work.take().ok_or_else(|| StorageError::other("work was begun a second time"))?;
        made = Some(work(connection)?);
        Ok(())
    })?;
    made.ok_or_else(|| StorageError::other("work was not begun"))
}
