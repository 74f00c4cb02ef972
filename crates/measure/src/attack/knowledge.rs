//! Who is looked for, and what is known of them.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_data::{Events, ItemId};

use super::attacker::{Attacker, Knows};

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
    /// By item: events nobody is known by, because they are what attackers want to learn. Empty when there are none.
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
        let popularity = match attacker.knows {
            Knows::Frequent | Knows::Rare => popularity(self.events),
            Knows::Random | Knows::Consecutive => Vec::new(),
        };
        targets.iter().map(|subject| self.learn_of(*subject, attacker, most, &popularity)).collect()
    }

    fn learn_of(&self, subject: u32, attacker: &Attacker, most: usize, popularity: &[u32]) -> Known {
        // A stream for each person: what is known of one does not depend on who else is a target.
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(u64::from(subject) + 1);
        let records: Vec<usize> =
            self.events.records_of(subject as usize).filter(|record| self.has_knowable(*record)).collect();
        let record = records[generator.random_range(0..records.len() as u64) as usize];
        let items = self.events.record(record);
        let mut places: Vec<usize> = (0..items.len()).filter(|place| self.knowable(items[*place])).collect();
        match attacker.knows {
            Knows::Random => {
                for place in 0..most.min(places.len()) {
                    let other = generator.random_range(place as u64..places.len() as u64);
                    places.swap(place, other as usize);
                }
            }
            Knows::Consecutive => {
                let first = generator.random_range(0..=places.len().saturating_sub(most) as u64);
                places.drain(..first as usize);
            }
            // A place is known once before any is known twice.
            Knows::Frequent => {
                let (repeats, own) = (repeats(items), self.counts_of(subject));
                places.sort_by_cached_key(|place| {
                    let item = items[*place];
                    let known = std::cmp::Reverse((own[&item], popularity[item as usize]));
                    (repeats[*place], known, *place)
                });
            }
            Knows::Rare => {
                let repeats = repeats(items);
                places.sort_by_cached_key(|place| {
                    (repeats[*place], popularity[items[*place] as usize], *place)
                });
            }
        }
        places.truncate(most);
        let times = self.events.times_of(record).filter(|_| attacker.times.is_some());
        let clue = |place: usize| Clue { item: items[place], time: times.map_or(0, |times| times[place]) };
        Known { subject, learned: places.into_iter().map(|place| (place as u32, clue(place))).collect() }
    }

    /// How often somebody has each of their items.
    fn counts_of(&self, subject: u32) -> HashMap<ItemId, u32> {
        let mut counts = HashMap::new();
        for item in self.events.records_of(subject as usize).flat_map(|record| self.events.record(record)) {
            *counts.entry(*item).or_insert(0) += 1;
        }
        counts
    }
}

/// By place of a record, how often its item came before. In one pass: a record may have a million events.
fn repeats(items: &[ItemId]) -> Vec<u32> {
    let mut seen: HashMap<ItemId, u32> = HashMap::new();
    let before = |item: &ItemId| {
        let count = seen.entry(*item).or_insert(0);
        *count += 1;
        *count - 1
    };
    items.iter().map(before).collect()
}

/// How many people have each item.
fn popularity(events: &Events) -> Vec<u32> {
    let items = events.items().iter().max().map_or(0, |item| *item as usize + 1);
    let mut people = vec![0; items];
    let mut last = vec![u32::MAX; items];
    for subject in 0..events.subjects() {
        for item in events.records_of(subject).flat_map(|record| events.record(record)) {
            if last[*item as usize] != subject as u32 {
                last[*item as usize] = subject as u32;
                people[*item as usize] += 1;
            }
        }
    }
    people
}
