//! Knows the events of one record at the items fewest people have.

use throng_data::EventKind;

use super::{Attack, NamedAttack};
use crate::attack::person::{ColumnsOf, Draw, EventsOf};

/// `--knows rare`.
pub const RARE: NamedAttack = NamedAttack::new("rare", &Rare);

struct Rare;

impl Attack for Rare {
    fn in_words(&self, kind: EventKind) -> &'static str {
        match kind {
            EventKind::Absent => "the columns in which the person is rarest",
            EventKind::Set => "the person's rarest items",
            EventKind::Sequence => "the person's rarest events",
        }
    }

    fn events(&self, person: &EventsOf<'_>, _draw: &mut Draw) -> Vec<usize> {
        let repeats = person.repeats();
        let mut places = person.places().to_vec();
        // A place is known once before any is known twice.
        places.sort_by_cached_key(|place| {
            (repeats[*place], person.people_with(person.items()[*place]), *place)
        });
        places
    }

    fn columns(&self, person: &ColumnsOf<'_>, _draw: &mut Draw) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..person.columns()).collect();
        columns.sort_by_key(|column| person.people_sharing(*column));
        columns
    }
}
