//! Why a database cannot be used.

use std::error::Error;
use std::fmt;

use throng_contract::{Class, Failing};

/// What kind of fault it is, as far as the program can do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageFault {
    /// There is no room left on the disk.
    Full,
    /// Another process uses the database.
    InUse,
    /// The file is no database, or a broken one.
    Damaged,
    /// A later version of the program has written it.
    Later,
    /// Anything else.
    Other,
}

/// Why a statement was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageError {
    /// What kind of fault it is.
    pub fault: StorageFault,
    message: String,
}

impl StorageError {
    /// A fault, in the words of the database.
    pub fn new(fault: StorageFault, message: impl Into<String>) -> Self {
        StorageError { fault, message: message.into() }
    }

    /// A fault of no particular kind.
    pub fn other(message: impl Into<String>) -> Self {
        StorageError::new(StorageFault::Other, message)
    }
}

impl fmt::Display for StorageError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for StorageError {}

impl Failing for StorageError {
    fn class(&self) -> Class {
        Class::Internal
    }
}
