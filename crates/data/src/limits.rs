//! What a run may hold: the one table of limits for input that is larger than it looks.
//!
//! # Guarantees
//! A file of a few bytes cannot fill the memory of the machine: what it unpacks to, the length of a row, the number of columns,
//! the depth of a tree, what reading a workbook takes, a hierarchy that is made, patterns that are found, places, and the ledger are bounded. Each limit follows from the memory this process may use, can be
//! raised with `--limit NAME=N`, and is named by the error that ends the run with exit code 4 when it is reached.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;
use throng_contract::{Help, did_you_mean, help};

use crate::memory;

/// Something that is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Bytes that a packed file becomes.
    Unpacked,
    /// Bytes of a file that has to be in memory as a whole: workbooks, event logs, archives.
    Whole,
    /// Bytes of memory of the process that reads a workbook.
    Workbook,
    /// Seconds that it may compute.
    WorkbookSeconds,
    /// Bytes of a row.
    Row,
    /// Columns of a table.
    Columns,
    /// Levels of a hierarchy or taxonomy.
    Depth,
    /// Bytes of a hierarchy that is made.
    Hierarchy,
    /// Bytes of the patterns that a search holds.
    Patterns,
    /// Places.
    Places,
    /// Bytes of the ledger.
    Ledger,
}

/// Where nothing is known of the memory of a machine: what a small one has.
const SMALL_MACHINE: u64 = 8 << 30;

/// What was said on the command line; 0 for what follows from the memory.
static SAID: [AtomicU64; Limit::ALL.len()] = [const { AtomicU64::new(0) }; Limit::ALL.len()];

impl Limit {
    /// All of them, in the order of the help text.
    pub const ALL: [Limit; 11] = [
        Limit::Unpacked,
        Limit::Whole,
        Limit::Workbook,
        Limit::WorkbookSeconds,
        Limit::Row,
        Limit::Columns,
        Limit::Depth,
        Limit::Hierarchy,
        Limit::Patterns,
        Limit::Places,
        Limit::Ledger,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Unpacked => "unpacked",
            Limit::Whole => "whole",
            Limit::Workbook => "workbook",
            Limit::WorkbookSeconds => "workbook-seconds",
            Limit::Row => "row",
            Limit::Columns => "columns",
            Limit::Depth => "depth",
            Limit::Hierarchy => "hierarchy",
            Limit::Patterns => "patterns",
            // Measured: 100 bytes a place.
            Limit::Places => "places",
            // Measured: 1.8 times.
            Limit::Ledger => "ledger",
        }
    }

    /// The limit for a process that may use so many bytes.
    fn of_memory(self, bytes: u64) -> u64 {
        match self {
            // Measured: `anonymize` takes 22 times the size of a file of short rows with a new name in each, `inspect` 16 to 19 times.
            Limit::Unpacked => bytes / 24,
            // Held as it is and as CSV, which is then read as a file of that size.
            Limit::Whole => bytes / 24,
            // Beside it, this process holds the file.
            Limit::Workbook => bytes / 2,
            Limit::WorkbookSeconds => 120,
            // Measured: `inspect` takes 3.6 times the size of a row, which is held a few times over while it is taken apart.
            Limit::Row => (bytes / 64).clamp(8 << 20, 64 << 20),
            // Measured: `inspect` takes 3 kB for a column of few values; it has a dictionary, a profile and a part in what is recognised.
            Limit::Columns => (bytes / (128 << 10)).max(10_000),
            // Walking a tree goes down level by level, whatever the memory.
            Limit::Depth => 1_000,
            // Measured: 2.1 times, held as names and as text.
            Limit::Hierarchy => bytes / 16,
            // Measured: 1.2 times, gathered from threads, compared and sorted.
            Limit::Patterns => (bytes / 24).min(256 << 20),
            Limit::Places => (bytes / (4 << 10)).max(100_000),
            Limit::Ledger => bytes / 10,
        }
    }

    /// The limit in force.
    pub fn now(self) -> u64 {
        match SAID[self as usize].load(Ordering::Relaxed) {
            0 => self.of_memory(memory::of_process().unwrap_or(SMALL_MACHINE)),
            said => said,
        }
    }

    /// Whether so much is within the limit.
    pub fn allows(self, amount: u64) -> bool {
        amount <= self.now()
    }

    const fn is_bytes(self) -> bool {
        matches!(
            self,
            Limit::Unpacked
                | Limit::Whole
                | Limit::Workbook
                | Limit::Row
                | Limit::Hierarchy
                | Limit::Patterns
                | Limit::Ledger
        )
    }

    /// How to raise it.
    pub fn way_out(self) -> Help {
        let twice = self.now().saturating_mul(2);
        let twice =
            if self.is_bytes() { format!("{}MB", twice.div_ceil(1_000_000)) } else { twice.to_string() };
        help!("raise the limit, for example with {limit $=$}", self.name(), twice)
    }
}

/// The limit as an error tells it: with its amount.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let now = self.now();
        match self {
            Limit::Unpacked => write!(f, "it unpacks to more than {} MB", now / 1_000_000),
            Limit::Whole => {
                write!(f, "more than {} MB, all of which would have to be in memory", now / 1_000_000)
            }
            Limit::Workbook => {
                write!(f, "reading the workbook takes more than {} MB of memory", now / 1_000_000)
            }
            Limit::WorkbookSeconds => write!(f, "reading the workbook takes more than {now} seconds"),
            Limit::Row => write!(f, "a row of more than {} MB", now / 1_000_000),
            Limit::Columns => write!(f, "more than {now} columns"),
            Limit::Depth => write!(f, "more than {now} levels"),
            Limit::Hierarchy => write!(f, "a hierarchy of more than {} MB", now / 1_000_000),
            Limit::Patterns => {
                write!(f, "more frequent patterns than fit in {} MB of memory", now / 1_000_000)
            }
            Limit::Places => write!(f, "more than {now} places"),
            Limit::Ledger => write!(f, "the ledger has more than {} MB", now / 1_000_000),
        }
    }
}

/// Follows what was said of a limit: `columns=200000`, `unpacked=20GB`.
pub fn say(text: &str) -> Result<(), LimitError> {
    let (name, amount) = text.split_once('=').ok_or_else(|| LimitError::Form { text: text.to_owned() })?;
    let limit =
        Limit::ALL.into_iter().find(|limit| limit.name() == name).ok_or_else(|| LimitError::Unknown {
            name: name.to_owned(),
            suggestion: did_you_mean(name, Limit::ALL.map(Limit::name)).map(str::to_owned),
        })?;
    let units = [("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000)];
    let unit = units.into_iter().find_map(|(unit, bytes)| Some((amount.strip_suffix(unit)?, bytes)));
    let (number, bytes) = unit.filter(|_| limit.is_bytes()).unwrap_or((amount, 1));
    let amount = number.parse::<u64>().ok().and_then(|number| number.checked_mul(bytes));
    let amount =
        amount.filter(|amount| *amount > 0).ok_or_else(|| LimitError::Form { text: text.to_owned() })?;
    SAID[limit as usize].store(amount, Ordering::Relaxed);
    Ok(())
}

/// What was said, for a child that is to follow it, too.
pub fn said() -> Vec<String> {
    let said = |limit: Limit| (limit, SAID[limit as usize].load(Ordering::Relaxed));
    let words = |(limit, amount): (Limit, u64)| format!("{}={amount}", limit.name());
    Limit::ALL.into_iter().map(said).filter(|(_, amount)| *amount > 0).map(words).collect()
}

/// A limit that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LimitError {
    /// Not a name and a number.
    #[error(
        "`{text}` is no limit: a name and a number above 0 are wanted, for example `columns=200000` or `unpacked=20GB`"
    )]
    Form {
        /// What was typed.
        text: String,
    },
    /// There is none of that name.
    #[error("there is no limit `{name}`")]
    Unknown {
        /// What was typed.
        name: String,
        /// What may have been meant.
        suggestion: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_memory() {
        for limit in Limit::ALL {
            assert!(limit.of_memory(1 << 30) <= limit.of_memory(64 << 30), "{}", limit.name());
            assert!(limit.now() > 0, "{}", limit.name());
        }
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in [
            "",
            "columns",
            "columns=",
            "columns=x",
            "columns=-1",
            "columns=5MB",
            "unpacked=99999999TB",
            "row=0",
        ] {
            assert!(matches!(say(text), Err(LimitError::Form { .. })), "{text}");
        }
        assert!(
            matches!(say("column=5"), Err(LimitError::Unknown { suggestion: Some(meant), .. }) if meant == "columns")
        );
    }
}
