//! What the publisher holds.

use std::sync::Arc;

use throng_contract::{DataShape, EventShape};

use crate::{Dictionary, EventKind, Events, EventsBuilder, ItemId, Places, Role, Table};

/// The people, what they did, and what is known of both.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Names of the subjects; subject `s` is the `s`-th name.
    pub subjects: Dictionary,
    /// The event alphabet. Shared with releases, which refer to original items.
    pub items: Arc<Dictionary>,
    /// Who did what, in which order.
    pub events: Events,
    /// Where items are, if known.
    pub places: Option<Places>,
    /// The category of each item, where it is known and no place says so; see [`Dataset::categories`].
    pub own_categories: Option<Vec<String>>,
    /// Relational attributes of subjects, if any.
    pub attributes: Option<Table>,
}

impl Dataset {
    /// A dataset from records given by name: `(subject, items)`.
    pub fn from_records<'a, R, I>(kind: EventKind, records: R) -> Self
    where
        R: IntoIterator<Item = (&'a str, I)>,
        I: IntoIterator<Item = &'a str>,
    {
        let mut subjects = Dictionary::new();
        let mut items = Dictionary::new();
        let mut builder = EventsBuilder::new(kind, false);
        for (subject, names) in records {
            let record: Vec<ItemId> = names.into_iter().map(|name| items.intern(name)).collect();
            builder.push(subjects.intern(subject), &record, &[]);
        }
        let events = builder.finish(subjects.len());
        Dataset {
            subjects,
            items: Arc::new(items),
            events,
            places: None,
            own_categories: None,
            attributes: None,
        }
    }

    /// Sequences with one-letter items, one subject each, as papers print them: `["dace", "baec"]`.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut subjects = Dictionary::new();
        let mut items = Dictionary::new();
        let mut builder = EventsBuilder::new(EventKind::Sequence, false);
        for (number, word) in words.into_iter().enumerate() {
            let mut letter = [0; 4];
            let record: Vec<ItemId> =
                word.chars().map(|c| items.intern(c.encode_utf8(&mut letter))).collect();
            builder.push(subjects.intern(&format!("t{}", number + 1)), &record, &[]);
        }
        let events = builder.finish(subjects.len());
        Dataset {
            subjects,
            items: Arc::new(items),
            events,
            places: None,
            own_categories: None,
            attributes: None,
        }
    }

    /// A table: one row a subject, and no events.
    pub fn from_table(subjects: Dictionary, table: Table) -> Self {
        let events = EventsBuilder::absent(subjects.len());
        Dataset {
            subjects,
            items: Arc::new(Dictionary::new()),
            events,
            places: None,
            own_categories: None,
            attributes: Some(table),
        }
    }

    /// What the data consist of, for [`throng_contract::Descriptor::fits`].
    pub fn shape(&self) -> DataShape {
        let events = match (self.events.kind(), self.events.times()) {
            (EventKind::Absent, _) => EventShape::Absent,
            (EventKind::Set, _) => EventShape::Set,
            (EventKind::Sequence, None) => EventShape::Sequence,
            (EventKind::Sequence, Some(_)) => EventShape::Timed,
        };
        let columns = self.attributes.as_ref().map_or(&[][..], |table| &table.columns);
        let with = |role| columns.iter().filter(|column| column.role == Some(role)).count();
        DataShape {
            events,
            columns: columns.len(),
            quasi: with(Role::QuasiIdentifying),
            sensitive: with(Role::Sensitive),
        }
    }

    /// The category of each item, wherever that is known from.
    pub fn categories(&self) -> Option<&[String]> {
        let of_places = self.places.as_ref().and_then(|places| places.categories.as_ref());
        of_places.or(self.own_categories.as_ref()).map(Vec::as_slice)
    }

    /// The names of a record's items, in order.
    pub fn names_of(&self, record: usize) -> Vec<&str> {
        self.events.record(record).iter().map(|item| self.items.name(*item)).collect()
    }
}
