//! Knows any events of one record.

use throng_data::EventKind;

use super::{Attack, NamedAttack};
use crate::attack::person::{Draw, EventsOf};

/// `--knows random`.
pub const RANDOM: NamedAttack = NamedAttack::new("random", &Random);

pub(super) struct Random;

impl Attack for Random {
    fn in_words(&self, kind: EventKind) -> &'static str {
        match kind {
            EventKind::Absent => "random columns",
            EventKind::Set => "random items",
            EventKind::Sequence => "random events",
        }
    }

    fn events(&self, person: &EventsOf<'_>, draw: &mut Draw) -> Vec<usize> {
        let mut places = person.places().to_vec();
        draw.shuffle(&mut places, person.most());
        places
    }
}
