//! What the rows of a release are.

use super::{Chunks, Counts};

/// The form in which events are released.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Form {
    /// Records of events: each row of the files is an event of a record.
    #[default]
    Rows,
    /// Records taken apart: groups of people, and parts of their records that nothing links.
    Chunks(Chunks),
    /// Counts of people, and no records at all.
    Counts(Counts),
}

impl Form {
    /// Whether events lie in records. In every other form the release's `events` are empty, and say nothing.
    pub fn is_rows(&self) -> bool {
        matches!(self, Form::Rows)
    }

    /// The chunks, where records were taken apart.
    pub fn chunks(&self) -> Option<&Chunks> {
        match self {
            Form::Chunks(chunks) => Some(chunks),
            Form::Rows | Form::Counts(_) => None,
        }
    }

    /// The counts, where people were counted.
    pub fn counts(&self) -> Option<&Counts> {
        match self {
            Form::Counts(counts) => Some(counts),
            Form::Rows | Form::Chunks(_) => None,
        }
    }

    /// The word in a manifest.
    pub const fn name(&self) -> &'static str {
        match self {
            Form::Rows => "rows",
            Form::Chunks(_) => "chunks",
            Form::Counts(_) => "counts",
        }
    }
}
