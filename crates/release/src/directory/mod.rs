//! The release directory, written as a whole or not at all.
//!
//! One file for each idea: events as CSV or Parquet, published attributes, the linkage that stays outside, and the
//! order of records. [`StagedDir`] sees to it that a failed or cancelled run leaves nothing behind.

mod chunks_csv;
mod counts_csv;
mod counts_parquet;
mod events_csv;
mod events_parquet;
mod items_csv;
mod linkage;
mod records_csv;
mod shuffle;
mod sink;
mod table_csv;
mod table_parquet;

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use throng_contract::{Cancelled, Class, Failing, Help, help};
use throng_data::{StagedDir, StagingError};

pub use chunks_csv::{ChunkOrder, write_chunks_csv, write_clusters_csv};
pub use counts_csv::{COLUMNS as COUNTS_COLUMNS, write_counts_csv};
pub use counts_parquet::write_counts_parquet;
pub use events_csv::write_events_csv;
pub use events_parquet::write_events_parquet;
pub use items_csv::write_items_csv;
pub use linkage::{LinkageFile, POSITION, refuse_inside};
pub use records_csv::{published_columns, write_records_csv};
pub use shuffle::{Shuffle, version_0_1_0};
pub use sink::{HashingWriter, hash_file, hexadecimal, write_text};
pub use table_csv::write_table_csv;
pub use table_parquet::write_table_parquet;

/// Name of the manifest inside a release directory.
pub const MANIFEST: &str = "manifest.json";
/// Name of the report inside a release directory.
pub const REPORT: &str = "report.html";
/// Name of the published attributes inside a release directory.
pub const RECORDS: &str = "records.csv";
/// Name of a released table inside a release directory, as Parquet.
pub const RECORDS_PARQUET: &str = "records.parquet";
/// Name of the list of what generalised items stand for inside a release directory.
pub const ITEMS: &str = "items.csv";
/// Name of the list of clusters inside a release directory whose records were taken apart.
pub const CLUSTERS: &str = "clusters.csv";
/// Name of its copy for spreadsheets.
pub const ITEMS_SPREADSHEET: &str = "items.spreadsheet.csv";
/// Name of the counts inside a release directory, where people were counted and there are no records.
pub const COUNTS: &str = "counts.csv";
/// The same as Parquet.
pub const COUNTS_PARQUET: &str = "counts.parquet";
/// Name of the copy of the counts for spreadsheets.
pub const COUNTS_SPREADSHEET: &str = "counts.spreadsheet.csv";
/// Name of the copy of the events for spreadsheets.
pub const SPREADSHEET: &str = "release.spreadsheet.csv";
/// Name of the copy of the published attributes for spreadsheets.
pub const RECORDS_SPREADSHEET: &str = "records.spreadsheet.csv";

/// Files that hold data of a release.
pub const DATA_FILES: [&str; 8] = [
    ReleaseFormat::Csv.file_name(),
    ReleaseFormat::Parquet.file_name(),
    RECORDS,
    RECORDS_PARQUET,
    ITEMS,
    CLUSTERS,
    COUNTS,
    COUNTS_PARQUET,
];

/// Copies for spreadsheets, each with the files that it may be a copy of.
pub const COPIES: [(&str, [&str; 2]); 4] = [
    (SPREADSHEET, [ReleaseFormat::Csv.file_name(), ReleaseFormat::Parquet.file_name()]),
    (RECORDS_SPREADSHEET, [RECORDS, RECORDS_PARQUET]),
    (ITEMS_SPREADSHEET, [ITEMS, ITEMS]),
    (COUNTS_SPREADSHEET, [COUNTS, COUNTS_PARQUET]),
];

/// The form of the released events, or of a released table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseFormat {
    /// `release.csv`, `records.csv`, `counts.csv`.
    #[default]
    Csv,
    /// `release.parquet`, `records.parquet`, `counts.parquet`, with the same columns.
    Parquet,
}

impl ReleaseFormat {
    /// Name of a released table inside a release directory.
    pub const fn table_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => RECORDS,
            ReleaseFormat::Parquet => RECORDS_PARQUET,
        }
    }

    /// Name of the counts of people inside a release directory.
    pub const fn counts_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => COUNTS,
            ReleaseFormat::Parquet => COUNTS_PARQUET,
        }
    }

    /// Name of the events file inside a release directory.
    pub const fn file_name(self) -> &'static str {
        match self {
            ReleaseFormat::Csv => "release.csv",
            ReleaseFormat::Parquet => "release.parquet",
        }
    }
}

/// Where a release goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The directory to make.
    pub directory: PathBuf,
    /// The form of its events file.
    pub format: ReleaseFormat,
    /// Whether its page may show where released places are, roughly.
    pub map: bool,
    /// Whether a release without a single event may be published.
    pub allow_empty: bool,
    /// Whether copies are written that a spreadsheet can open without running a cell.
    pub spreadsheet_safe: bool,
    /// Whether items are written `{a|b|c}` however many members they have, and not listed in `items.csv`.
    pub spell_out: bool,
    /// Whether an earlier release of that name may be replaced.
    pub force: bool,
    /// Whether changes are tried on a sample where the release is not good.
    pub advise: bool,
}

impl Target {
    /// A new directory with a CSV file of events.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Target {
            directory: directory.into(),
            format: ReleaseFormat::Csv,
            map: true,
            allow_empty: false,
            spreadsheet_safe: false,
            spell_out: false,
            force: false,
            advise: false,
        }
    }

    /// Begins the directory under a hidden name. A target that would be overwritten is refused, so this is
    /// called before the work begins. `force` replaces an earlier release and nothing else.
    pub fn stage(&self) -> Result<StagedDir, DirectoryError> {
        let copies = COPIES.map(|(copy, _)| copy);
        let ours = [&[MANIFEST, REPORT][..], &DATA_FILES, &copies].concat();
        Ok(StagedDir::create(&self.directory, self.force, &ours)?)
    }
}

/// Why a release directory was not written.
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// The user stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The directory cannot be made, or would overwrite something.
    #[error(transparent)]
    Staging(#[from] StagingError),
    /// Something that is not part of a release would lie in its directory.
    #[error("{what} `{}` would lie inside the release directory", path.display())]
    Inside {
        /// What it is.
        what: &'static str,
        /// Where it would lie.
        path: PathBuf,
    },
    /// There is a file where something that is not part of a release should go.
    #[error("{what} `{}` already exists", path.display())]
    Exists {
        /// What it is.
        what: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A column that names people was chosen for publication.
    #[error("column `{column}` identifies people and is never published")]
    Identifying {
        /// The column.
        column: String,
    },
    /// A column that does not exist was chosen for publication.
    #[error("there is no attribute column `{column}` to publish")]
    UnknownColumn {
        /// What was given.
        column: String,
        /// The closest column there is.
        suggestion: Option<String>,
    },
    /// A Parquet file could not be written.
    #[error("cannot write `{}`", path.display())]
    Parquet {
        /// What was being written.
        path: PathBuf,
        /// Why not.
        source: parquet::errors::ParquetError,
    },
}

impl DirectoryError {
    /// A file or folder that the file system refuses.
    pub fn io(path: &Path, source: io::Error) -> Self {
        DirectoryError::Staging(StagingError::io(path, source))
    }
}

impl Failing for DirectoryError {
    fn class(&self) -> Class {
        match self {
            DirectoryError::Cancelled(_) => Class::Interrupted,
            DirectoryError::Staging(error) => error.class(),
            DirectoryError::UnknownColumn { .. } => Class::Usage,
            DirectoryError::Inside { .. }
            | DirectoryError::Exists { .. }
            | DirectoryError::Identifying { .. } => Class::Refused,
            DirectoryError::Parquet { .. } => Class::BadInput,
        }
    }

    fn help(&self) -> Option<Help> {
        let help = match self {
            DirectoryError::Cancelled(_) => return None,
            DirectoryError::Staging(error) => return error.help(),
            DirectoryError::Inside { what: "the linkage file", .. } => {
                "keep it elsewhere: it says who is who, and the directory is made to be published"
            }
            DirectoryError::Inside { .. } => {
                "keep it elsewhere: the directory is published as it is, and its manifest lists what is in it"
            }
            DirectoryError::Exists { .. } => "give another file, or replace this one with {force}",
            DirectoryError::Identifying { .. } => {
                "take it out of {publish}; give the column another role only if it identifies no one"
            }
            DirectoryError::UnknownColumn { suggestion: Some(column), .. } => {
                return Some(help!("did you mean `$`?", column));
            }
            DirectoryError::UnknownColumn { .. } => "give the attributes with {records FILE}",
            DirectoryError::Parquet { .. } => {
                "check that the directory can be written and the disk is not full"
            }
        };
        Some(help.into())
    }
}
