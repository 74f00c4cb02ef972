//! What the data are, and the one rule whether something fits them.
//!
//! Methods, promises, measures and attackers say in their descriptor which kinds of data they take. Whether that fits the
//! data at hand is answered here and nowhere else: the command line, the server and the page all ask [`Descriptor::fits`].

use serde::{Deserialize, Serialize};

use crate::Help;
use crate::{Class, DataKind, Descriptor, Failing};

/// The events of a dataset, as far as methods care.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventShape {
    /// None: the data are a table.
    #[default]
    Absent,
    /// Ordered, without times.
    Sequence,
    /// Ordered, with times.
    Timed,
    /// Unordered.
    Set,
}

/// What a dataset consists of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataShape {
    /// Its events.
    pub events: EventShape,
    /// How many columns it has beside them.
    pub columns: usize,
    /// How many of the columns an attacker may know.
    pub quasi: usize,
    /// How many of the columns must not be learned.
    pub sensitive: usize,
}

impl DataShape {
    /// Events of a kind, and no columns.
    pub const fn events(events: EventShape) -> Self {
        DataShape { events, columns: 0, quasi: 0, sensitive: 0 }
    }

    /// The kind of data this is, in one word. Sets with columns are sets: what takes sets leaves the columns aside.
    pub const fn kind(&self) -> DataKind {
        match self.events {
            EventShape::Absent => DataKind::Table,
            EventShape::Sequence => DataKind::Sequences,
            EventShape::Timed => DataKind::Timed,
            EventShape::Set => DataKind::Sets,
        }
    }
}

/// Why something does not fit the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Misfit {
    /// What does not fit.
    pub reason: String,
    /// One way out.
    pub help: Help,
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Misfit {}

impl Failing for Misfit {
    fn class(&self) -> Class {
        Class::BadInput
    }

    fn help(&self) -> Option<Help> {
        Some(self.help.clone())
    }
}

impl DataKind {
    /// All kinds, in the order in which catalogues list them.
    pub const ALL: [DataKind; 5] =
        [DataKind::Table, DataKind::Sets, DataKind::Mixed, DataKind::Sequences, DataKind::Timed];

    /// The word in lists and recipes.
    pub const fn name(self) -> &'static str {
        match self {
            DataKind::Table => "table",
            DataKind::Sets => "sets",
            DataKind::Mixed => "mixed",
            DataKind::Sequences => "sequences",
            DataKind::Timed => "timed",
        }
    }

    /// What such data are, for a sentence.
    pub const fn describe(self) -> &'static str {
        match self {
            DataKind::Table => "tables",
            DataKind::Sets => "unordered sets",
            DataKind::Mixed => "sets or sequences with columns",
            DataKind::Sequences => "sequences",
            DataKind::Timed => "sequences with times",
        }
    }
}

impl Descriptor {
    /// Whether it can be used on data of this shape, with the reason and a way out when not.
    ///
    /// Times are no obstacle to what takes sequences: they are left out. A table, or events with columns, need a column that
    /// an attacker may know.
    pub fn fits(&self, shape: &DataShape) -> Result<(), Misfit> {
        let takes = |kind| self.takes.contains(&kind);
        let kind = shape.kind();
        let fits = takes(kind) || (kind == DataKind::Timed && takes(DataKind::Sequences));
        if !fits && takes(DataKind::Mixed) {
            return self.fits_mixed(shape);
        }
        let misfit = |what: &str, help: &'static str| {
            Err(Misfit { reason: format!("`{}` does not take {what}", self.name), help: help.into() })
        };
        match kind {
            DataKind::Table if fits && shape.quasi == 0 => Err(Misfit {
                reason: format!("`{}` needs a quasi-identifying column, and no column is one", self.name),
                help: "name the columns that an attacker may know with {quasi A,B,C}, or give a {schema}"
                    .into(),
            }),
            _ if fits => Ok(()),
            DataKind::Table => misfit("tables", "choose a method for tables; see {throng methods}"),
            DataKind::Sets | DataKind::Mixed => {
                misfit("unordered sets", "choose a method for sets; see {throng methods}")
            }
            DataKind::Sequences if takes(DataKind::Timed) => {
                misfit("sequences without times", "name the column of times with {time COLUMN}")
            }
            DataKind::Sequences | DataKind::Timed if takes(DataKind::Sets) => {
                misfit("sequences", "read the events as sets, without order, with {sets}")
            }
            DataKind::Sequences | DataKind::Timed if takes(DataKind::Table) => misfit(
                "events",
                "choose a method for sequences; see {throng methods}. A table has one row a person: {quasi A,B,C}",
            ),
            DataKind::Sequences | DataKind::Timed => {
                misfit("sequences", "choose a method for sequences; see {throng methods}")
            }
        }
    }

    /// Whether there are both events and columns that an attacker may know.
    fn fits_mixed(&self, shape: &DataShape) -> Result<(), Misfit> {
        let needs = |what: &str, help: &'static str| {
            Err(Misfit { reason: format!("`{}` needs {what}", self.name), help: help.into() })
        };
        match (shape.events, shape.quasi) {
            (EventShape::Set | EventShape::Sequence | EventShape::Timed, 1..) => Ok(()),
            (EventShape::Absent, _) => needs(
                "events beside the columns, and the data are a table",
                "give the events as the data (sets with {sets}), and the table with {records FILE}",
            ),
            (EventShape::Set | EventShape::Sequence | EventShape::Timed, 0) => needs(
                "columns that an attacker may know beside the events, and no column is quasi-identifying",
                "give the columns with {records FILE}, or {attributes A,B,C} of the data, and name those that may be known with \
                 {quasi A,B,C}",
            ),
        }
    }
}
