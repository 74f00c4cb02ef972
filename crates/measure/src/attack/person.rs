//! What an attack may read of a person to decide what becomes known.

use std::cell::OnceCell;
use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_data::{Events, ItemId};

use super::table::TableScene;

/// Random choices about one person.
#[derive(Debug)]
pub struct Draw(ChaCha8Rng);

impl Draw {
    /// A stream for each person: what is known of one does not depend on who else is a target.
    pub(super) fn about(person: u32, seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(u64::from(person) + 1);
        Draw(generator)
    }

    /// A number below the limit, which is at least 1.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.random_range(0..limit as u64) as usize
    }

    /// Puts random values at the first places: the beginning of a Fisher-Yates shuffle.
    pub fn shuffle(&mut self, values: &mut [usize], first: usize) {
        for place in 0..first.min(values.len()) {
            let other = self.0.random_range(place as u64..values.len() as u64);
            values.swap(place, other as usize);
        }
    }
}

/// One record of a person, and what is counted about its items.
#[derive(Debug)]
pub struct EventsOf<'a> {
    pub(super) events: &'a Events,
    pub(super) subject: u32,
    pub(super) record: usize,
    /// Places of events that may be known.
    pub(super) places: Vec<usize>,
    pub(super) most: usize,
    pub(super) popularity: &'a Popularity<'a>,
}

impl EventsOf<'_> {
    /// The items of the record, in order.
    pub fn items(&self) -> &[ItemId] {
        self.events.record(self.record)
    }

    /// Places in the record of events that may be known, ascending. The others are what attackers want to learn.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// How many events become known at most.
    pub fn most(&self) -> usize {
        self.most
    }

    /// By place of the record, how often its item came before. In one pass: a record may have a million events.
    pub fn repeats(&self) -> Vec<u32> {
        let mut seen: HashMap<ItemId, u32> = HashMap::new();
        let before = |item: &ItemId| {
            let count = seen.entry(*item).or_insert(0);
            *count += 1;
            *count - 1
        };
        self.items().iter().map(before).collect()
    }

    /// How often the person has each of their items, over all records.
    pub fn own_counts(&self) -> HashMap<ItemId, u32> {
        let mut counts = HashMap::new();
        let records = self.events.records_of(self.subject as usize);
        for item in records.flat_map(|record| self.events.record(record)) {
            *counts.entry(*item).or_insert(0) += 1;
        }
        counts
    }

    /// How many people have the item.
    pub fn people_with(&self, item: ItemId) -> u32 {
        self.popularity.of(item)
    }
}

/// How many people have each item, counted when an attack first asks.
#[derive(Debug)]
pub(super) struct Popularity<'a> {
    events: &'a Events,
    people: OnceCell<Vec<u32>>,
}

impl<'a> Popularity<'a> {
    pub fn new(events: &'a Events) -> Self {
        Popularity { events, people: OnceCell::new() }
    }

    fn of(&self, item: ItemId) -> u32 {
        self.people.get_or_init(|| people_by_item(self.events))[item as usize]
    }
}

fn people_by_item(events: &Events) -> Vec<u32> {
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

/// The row of a person, and what is counted about its values.
#[derive(Debug, Clone, Copy)]
pub struct ColumnsOf<'a> {
    pub(super) scene: &'a TableScene,
    pub(super) person: u32,
}

impl ColumnsOf<'_> {
    /// How many columns may be known.
    pub fn columns(&self) -> usize {
        self.scene.columns()
    }

    /// How many people have the person's value of the column.
    pub fn people_sharing(&self, column: usize) -> u32 {
        self.scene.sharing(column, self.person)
    }
}
