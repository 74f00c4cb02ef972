//! Who is looked for, and what is known of them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_data::{Events, ItemId};

use super::attacker::Attacker;
use super::person::{Draw, EventsOf, Popularity};

/// One known event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clue {
    /// What happened, as the knowledge names it.
    pub item: ItemId,
    /// When; 0 where that is not known.
    pub time: i64,
}

/// What an attacker gets to know of one target, event after event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    /// The target.
    pub subject: u32,
    /// Position in the record and what is known, in the order of being learned.
    learned: Vec<(u32, Clue)>,
}

impl Known {
    /// The first so many events learned, in the order in which they happened; all when there are fewer.
    pub fn first(&self, known: usize) -> Vec<Clue> {
        let mut events = self.learned[..known.min(self.learned.len())].to_vec();
        events.sort_unstable();
        events.into_iter().map(|(_, clue)| clue).collect()
    }

    /// All that becomes known.
    pub fn clues(&self) -> impl Iterator<Item = Clue> {
        self.learned.iter().map(|(_, clue)| *clue)
    }
}

/// Everything knowledge is drawn from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'a> {
    /// The events as they happened.
    pub events: &'a Events,
    /// By item: whether attackers want to learn it, so that it is never known. Empty when there are none.
    pub secret: &'a [bool],
    /// Seed of every random choice.
    pub seed: u64,
}

impl Ground<'_> {
    fn knowable(&self, item: ItemId) -> bool {
        self.secret.is_empty() || !self.secret[item as usize]
    }

    fn has_knowable(&self, record: usize) -> bool {
        self.events.record(record).iter().any(|item| self.knowable(*item))
    }

    /// The people something can be known of.
    pub fn people(&self) -> Vec<u32> {
        let known =
            |subject: &u32| self.events.records_of(*subject as usize).any(|record| self.has_knowable(record));
        (0..self.events.subjects() as u32).filter(known).collect()
    }

    /// Draws the targets, all people or `most` of them, in ascending order.
    pub fn targets(&self, people: &[u32], most: Option<usize>) -> Vec<u32> {
        let mut targets = people.to_vec();
        if let Some(most) = most.filter(|most| *most < people.len()) {
            // The beginning of a Fisher-Yates shuffle.
            let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
            for place in 0..most {
                let other = generator.random_range(place as u64..targets.len() as u64);
                targets.swap(place, other as usize);
            }
            targets.truncate(most);
            targets.sort_unstable();
        }
        targets
    }

    /// What an attacker gets to know of each target: up to `most` events of one record.
    pub fn learn(&self, targets: &[u32], attacker: &Attacker, most: usize) -> Vec<Known> {
        let popularity = Popularity::new(self.events);
        targets.iter().map(|subject| self.learn_of(*subject, attacker, most, &popularity)).collect()
    }

    fn learn_of(&self, subject: u32, attacker: &Attacker, most: usize, popularity: &Popularity<'_>) -> Known {
        let mut draw = Draw::about(subject, self.seed);
        let records: Vec<usize> =
            self.events.records_of(subject as usize).filter(|record| self.has_knowable(*record)).collect();
        let record = records[draw.below(records.len())];
        let items = self.events.record(record);
        let places = (0..items.len()).filter(|place| self.knowable(items[*place])).collect();
        let person = EventsOf { events: self.events, subject, record, places, most, popularity };
        let mut places = attacker.knows.attack().events(&person, &mut draw);
        places.truncate(most);
        let times = self.events.times_of(record).filter(|_| attacker.times.is_some());
        let clue = |place: usize| Clue { item: items[place], time: times.map_or(0, |times| times[place]) };
        Known { subject, learned: places.into_iter().map(|place| (place as u32, clue(place))).collect() }
    }
}
