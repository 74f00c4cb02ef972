//! Knows the events of one record at the items the person has most often; among equals, those most people have.

use std::cmp::Reverse;

use throng_data::EventKind;

use super::{Attack, NamedAttack};
use crate::attack::person::{ColumnsOf, Draw, EventsOf};

/// `--knows frequent`.
pub const FREQUENT: NamedAttack = NamedAttack::new("frequent", &Frequent);

struct Frequent;

impl Attack for Frequent {
    fn in_words(&self, kind: EventKind) -> &'static str {
        match kind {
            EventKind::Absent => "the columns in which the person is most common",
            EventKind::Set => "the person's most common items",
            EventKind::Sequence => "the person's most frequent events",
        }
    }

    fn events(&self, person: &EventsOf<'_>, _draw: &mut Draw) -> Vec<usize> {
        let (repeats, own) = (person.repeats(), person.own_counts());
        let mut places = person.places().to_vec();
        // A place is known once before any is known twice.
        places.sort_by_cached_key(|place| {
            let item = person.items()[*place];
            (repeats[*place], Reverse((own[&item], person.people_with(item))), *place)
        });
        places
    }

    fn columns(&self, person: &ColumnsOf<'_>, _draw: &mut Draw) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..person.columns()).collect();
        columns.sort_by_key(|column| Reverse(person.people_sharing(*column)));
        columns
    }
}
