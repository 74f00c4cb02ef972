//! The five things that can be published, each with all of its parts and nothing else.

use std::sync::LazyLock;

use throng_contract::BodyKind;

use super::{Chunks, Counts};
use crate::{EventKind, Events, EventsBuilder, RecodedTable, Table};

/// What a release consists of.
#[derive(Debug, Clone)]
pub enum Body {
    /// Records of events.
    Records(Records),
    /// A table with a row for each person.
    Table(Rows),
    /// Records of events, and a row of a table for each of their people.
    Mixed(Mixed),
    /// Records taken apart: groups of people, and parts of their records that nothing links.
    Chunks(Chunks),
    /// Counts of people; no records at all.
    Counts(Counts),
}

/// Records of events. Subjects and records are the dataset's, in its order, unless the release is synthetic; they are shuffled only when
/// written.
#[derive(Debug, Clone)]
pub struct Records {
    /// Events over the released alphabet.
    pub events: Events,
    /// Attributes of subjects that may be published with the events, as they are.
    pub attributes: Option<Table>,
}

/// A table of recoded cells.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The published columns.
    pub table: RecodedTable,
    /// Whose the rows are: as in a dataset without events, an empty record for each person.
    people: Events,
}

impl Rows {
    /// A table with a row for each of so many people.
    pub fn of(table: RecodedTable, people: usize) -> Self {
        Rows { table, people: EventsBuilder::absent(people) }
    }
}

/// Records of events and a table of the same people.
#[derive(Debug, Clone)]
pub struct Mixed {
    /// Events over the released alphabet.
    pub events: Events,
    /// The published columns.
    pub table: RecodedTable,
}

/// The events of a body that has none.
static NO_EVENTS: LazyLock<Events> = LazyLock::new(|| EventsBuilder::absent(0));

impl Body {
    /// Records of events alone.
    pub fn of_events(events: Events) -> Self {
        Body::Records(Records { events, attributes: None })
    }

    /// Which of the five it is.
    pub const fn kind(&self) -> BodyKind {
        match self {
            Body::Records(_) => BodyKind::Records,
            Body::Table(_) => BodyKind::Table,
            Body::Mixed(_) => BodyKind::Mixed,
            Body::Chunks(_) => BodyKind::Chunks,
            Body::Counts(_) => BodyKind::Counts,
        }
    }

    /// Whether every person of the data has something of their own in it: records, a row, or both.
    pub const fn has_rows(&self) -> bool {
        self.kind().has_rows()
    }

    /// What the items are to the people who have them.
    pub fn event_kind(&self) -> EventKind {
        match self {
            Body::Records(records) => records.events.kind(),
            Body::Table(_) => EventKind::Absent,
            Body::Mixed(mixed) => mixed.events.kind(),
            Body::Chunks(_) => EventKind::Set,
            Body::Counts(counts) => counts.kind,
        }
    }

    /// How many people it has something of; of counts nothing says whose they are.
    pub fn people(&self) -> usize {
        match self {
            Body::Records(records) => records.events.subjects(),
            Body::Table(rows) => rows.people.subjects(),
            Body::Mixed(mixed) => mixed.events.subjects(),
            // Whose cluster is whose is known until the release is written: of people without items, too, who are in none.
            Body::Chunks(chunks) => match &chunks.cluster_of {
                Some(cluster_of) => cluster_of.len(),
                None => usize::try_from(chunks.people()).unwrap_or(usize::MAX),
            },
            Body::Counts(_) => 0,
        }
    }

    /// How many records are written: a table has one for each person.
    pub fn records(&self) -> usize {
        self.events().records()
    }

    /// The events of the records. A table has an empty record for each person; chunks and counts have no records of anyone.
    pub fn events(&self) -> &Events {
        match self {
            Body::Records(records) => &records.events,
            Body::Table(rows) => &rows.people,
            Body::Mixed(mixed) => &mixed.events,
            Body::Chunks(_) | Body::Counts(_) => &NO_EVENTS,
        }
    }

    /// The attributes that may be published beside the records, as they are.
    pub const fn attributes(&self) -> Option<&Table> {
        match self {
            Body::Records(records) => records.attributes.as_ref(),
            _ => None,
        }
    }

    /// The recoded table.
    pub const fn table(&self) -> Option<&RecodedTable> {
        match self {
            Body::Table(rows) => Some(&rows.table),
            Body::Mixed(mixed) => Some(&mixed.table),
            Body::Records(_) | Body::Chunks(_) | Body::Counts(_) => None,
        }
    }

    /// The same, to be changed.
    pub const fn table_mut(&mut self) -> Option<&mut RecodedTable> {
        match self {
            Body::Table(rows) => Some(&mut rows.table),
            Body::Mixed(mixed) => Some(&mut mixed.table),
            Body::Records(_) | Body::Chunks(_) | Body::Counts(_) => None,
        }
    }

    /// The chunks, where records were taken apart.
    pub const fn chunks(&self) -> Option<&Chunks> {
        match self {
            Body::Chunks(chunks) => Some(chunks),
            _ => None,
        }
    }

    /// The counts, where people were counted.
    pub const fn counts(&self) -> Option<&Counts> {
        match self {
            Body::Counts(counts) => Some(counts),
            _ => None,
        }
    }

    /// The recoded table, and nothing else of the body.
    pub fn into_table(self) -> Option<RecodedTable> {
        match self {
            Body::Table(rows) => Some(rows.table),
            Body::Mixed(mixed) => Some(mixed.table),
            Body::Records(_) | Body::Chunks(_) | Body::Counts(_) => None,
        }
    }

    /// The same people with this table: in the place of one that is there, and of attributes that were published as they are.
    #[must_use]
    pub fn beside(self, table: RecodedTable) -> Self {
        match self {
            Body::Records(records) => Body::Mixed(Mixed { events: records.events, table }),
            Body::Table(rows) => Body::Table(Rows { table, ..rows }),
            Body::Mixed(mixed) => Body::Mixed(Mixed { table, ..mixed }),
            other => other,
        }
    }

    /// The same body with its events replaced; a body without records has none to replace.
    #[must_use]
    pub fn with_events(self, change: impl FnOnce(Events) -> Events) -> Self {
        match self {
            Body::Records(records) => Body::Records(Records { events: change(records.events), ..records }),
            Body::Mixed(mixed) => Body::Mixed(Mixed { events: change(mixed.events), ..mixed }),
            other => other,
        }
    }

    /// The same records with attributes beside them; no other body has a place for them.
    #[must_use]
    pub fn with_attributes(self, attributes: Option<Table>) -> Self {
        match self {
            Body::Records(records) => Body::Records(Records { attributes, ..records }),
            other => other,
        }
    }

    /// The same body with its table replaced; a body without a table has none to replace.
    #[must_use]
    pub fn with_table(self, change: impl FnOnce(RecodedTable) -> RecodedTable) -> Self {
        match self {
            Body::Table(rows) => Body::Table(Rows { table: change(rows.table), ..rows }),
            Body::Mixed(mixed) => Body::Mixed(Mixed { table: change(mixed.table), ..mixed }),
            other => other,
        }
    }
}
