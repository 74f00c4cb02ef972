//! Knows events that follow each other in one record. That nothing lies in between is not used.

use throng_data::EventKind;

use super::random::Random;
use super::{Attack, NamedAttack};
use crate::attack::person::{Draw, EventsOf};

/// `--knows consecutive`.
pub const CONSECUTIVE: NamedAttack = NamedAttack::new("consecutive", &Consecutive);

struct Consecutive;

impl Attack for Consecutive {
    fn in_words(&self, kind: EventKind) -> &'static str {
        match kind {
            EventKind::Sequence => "events in a row",
            // Without an order nothing follows anything.
            _ => Random.in_words(kind),
        }
    }

    fn suits(&self, kind: EventKind) -> bool {
        kind == EventKind::Sequence
    }

    fn events(&self, person: &EventsOf<'_>, draw: &mut Draw) -> Vec<usize> {
        let places = person.places();
        let first = draw.below(places.len().saturating_sub(person.most()) + 1);
        places[first..].to_vec()
    }
}
