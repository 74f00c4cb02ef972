//! What the rows of a release are.

use super::Chunks;

/// The form in which events are released.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Form {
    /// Records of events: each row of the files is an event of a record.
    #[default]
    Rows,
    /// Records taken apart: groups of people, and parts of their records that nothing links.
    Chunks(Chunks),
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
            Form::Rows => None,
        }
    }
}
