//! Events made coarser or fewer before they are anonymised.
//!
//! ```text
//! period ─► conditions ─► items ─► rare items ─► time bins ─► repeats ─► records
//! ```
//!
//! Most real files are too fine for any promise: a place for every shop, a time for every second, a record of fourteen thousand events. Each
//! step is optional, and what it drops is counted in the [`Summary`].
//!
//! # Guarantees
//! Events keep their order. A person with nothing left is left out. The result depends on nothing but the data and the steps.
//! # Cost
//! A few passes over the events.

mod condition;
mod error;
mod mapping;
mod times;
mod write;

use std::sync::Arc;

use serde::Serialize;
use throng_data::{Dataset, Dictionary, EventsBuilder, ItemId, Places};

pub use condition::Condition;
pub use error::ReshapeError;
pub use mapping::Mapping;
pub use times::{Bin, moment};
pub use write::{FILES, write};

/// What to do with events.
#[derive(Debug, Clone, Default)]
pub struct Steps {
    /// Keep events from this moment on.
    pub from: Option<i64>,
    /// Keep events before this moment.
    pub to: Option<i64>,
    /// Keep events that fulfil all of these.
    pub keep: Vec<Condition>,
    /// Drop events that fulfil one of these.
    pub drop: Vec<Condition>,
    /// What items become.
    pub items: Option<Mapping>,
    /// Drop items that fewer people have.
    pub min_people: u64,
    /// What times become.
    pub time_bin: Option<Bin>,
    /// Consecutive events with the same item become one.
    pub collapse: bool,
    /// Begin another record with each such span of time.
    pub record_bin: Option<Bin>,
    /// Cut records after so many events.
    pub max_length: Option<Length>,
    /// Seconds that local time is ahead of the times of the file.
    pub offset: i64,
}

/// A length of records.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Length {
    /// So many events.
    Events(usize),
    /// As many as such a share of records has at most.
    Share(f64),
}

/// What became of the events.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// The form of this summary.
    pub schema: &'static str,
    /// People, items, records and events that were read.
    pub before: DataSizes,
    /// Events outside the period.
    pub outside_period: u64,
    /// Events that conditions left out.
    pub by_condition: u64,
    /// Events with items of too few people.
    pub rare: u64,
    /// Events that repeated the one before.
    pub repeats: u64,
    /// Events behind the end of a record that was cut.
    pub cut: u64,
    /// The most events a record has now, where records were cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// People, items, records and events that are left.
    pub after: DataSizes,
}

/// How many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DataSizes {
    /// People.
    pub people: u64,
    /// Different items.
    pub items: u64,
    /// Records.
    pub records: u64,
    /// Events.
    pub events: u64,
}

impl DataSizes {
    fn of(data: &Dataset) -> Self {
        DataSizes {
            people: data.events.subjects() as u64,
            items: data.items.len() as u64,
            records: data.events.records() as u64,
            events: data.events.len() as u64,
        }
    }
}

/// An event on its way: item, time.
type Step = (ItemId, i64);

/// Takes the steps.
pub fn reshape(data: &Dataset, steps: &Steps) -> Result<(Dataset, Summary), ReshapeError> {
    let mut summary =
        Summary { schema: "throng.prepare-events/1", before: DataSizes::of(data), ..Summary::default() };
    let timed = data.events.times().is_some();
    let needs_times = steps.from.is_some()
        || steps.to.is_some()
        || steps.time_bin.is_some()
        || steps.record_bin.is_some()
        || steps.keep.iter().chain(&steps.drop).any(Condition::needs_times);
    if needs_times && !timed {
        return Err(ReshapeError::NoTimes);
    }
    let keep: Vec<condition::Test<'_>> =
        steps.keep.iter().map(|wanted| wanted.on(data)).collect::<Result<_, _>>()?;
    let drop: Vec<condition::Test<'_>> =
        steps.drop.iter().map(|wanted| wanted.on(data)).collect::<Result<_, _>>()?;
    let mapped = match &steps.items {
        None => mapping::Mapped::same(data),
        Some(mapping) => mapping.on(data)?,
    };

    // Of every person, the records that are left.
    let mut people: Vec<Vec<Vec<Step>>> = Vec::with_capacity(data.events.subjects());
    for person in 0..data.events.subjects() {
        let mut records = Vec::new();
        for record in data.events.records_of(person) {
            let times = data.events.times_of(record);
            let mut events = Vec::new();
            for (at, item) in data.events.record(record).iter().enumerate() {
                let time = times.map_or(0, |times| times[at]);
                if steps.from.is_some_and(|from| time < from) || steps.to.is_some_and(|to| time >= to) {
                    summary.outside_period += 1;
                    continue;
                }
                let fits = |test: &condition::Test<'_>| test.holds(person, *item, time + steps.offset);
                if !keep.iter().all(fits) || drop.iter().any(fits) {
                    summary.by_condition += 1;
                    continue;
                }
                match mapped.image[*item as usize] {
                    Some(image) => events.push((image, time)),
                    None => summary.by_condition += 1,
                }
            }
            if !events.is_empty() {
                records.push(events);
            }
        }
        people.push(records);
    }
    summary.rare = drop_rare(&mut people, mapped.names.len(), steps.min_people);
    for records in &mut people {
        if let Some(bin) = steps.record_bin {
            *records = records.iter().flat_map(|events| times::cut(events, bin, steps.offset)).collect();
        }
        for events in records.iter_mut() {
            if let Some(bin) = steps.time_bin {
                events.iter_mut().for_each(|(_, time)| *time = bin.begin(*time, steps.offset));
            }
            if steps.collapse {
                let before = events.len();
                events.dedup_by_key(|(item, _)| *item);
                summary.repeats += (before - events.len()) as u64;
            }
        }
    }
    if let Some(length) = steps.max_length {
        let most = longest(&people, length);
        summary.max_length = Some(most as u64);
        for events in people.iter_mut().flatten() {
            summary.cut += events.len().saturating_sub(most) as u64;
            events.truncate(most);
        }
    }
    let reshaped = assemble(data, &people, &mapped, timed)?;
    summary.after = DataSizes::of(&reshaped);
    Ok((reshaped, summary))
}

/// Drops events with items that too few people have; tells how many.
fn drop_rare(people: &mut [Vec<Vec<Step>>], items: usize, least: u64) -> u64 {
    if least < 2 {
        return 0;
    }
    let mut owners = vec![0_u64; items];
    let mut last = vec![usize::MAX; items];
    for (person, records) in people.iter().enumerate() {
        for (item, _) in records.iter().flatten() {
            let item = *item as usize;
            if last[item] != person {
                last[item] = person;
                owners[item] += 1;
            }
        }
    }
    let mut dropped = 0;
    for records in people.iter_mut() {
        for events in records.iter_mut() {
            let before = events.len();
            events.retain(|(item, _)| owners[*item as usize] >= least);
            dropped += (before - events.len()) as u64;
        }
        records.retain(|events| !events.is_empty());
    }
    dropped
}

/// The length that records are cut to.
fn longest(people: &[Vec<Vec<Step>>], length: Length) -> usize {
    match length {
        Length::Events(events) => events.max(1),
        Length::Share(share) => {
            let mut lengths: Vec<usize> = people.iter().flatten().map(Vec::len).collect();
            lengths.sort_unstable();
            let at = ((lengths.len() as f64 * share).ceil() as usize).clamp(1, lengths.len().max(1)) - 1;
            lengths.get(at).copied().unwrap_or(1).max(1)
        }
    }
}

/// The people who are left, with items numbered by first appearance.
fn assemble(
    data: &Dataset,
    people: &[Vec<Vec<Step>>],
    mapped: &mapping::Mapped,
    timed: bool,
) -> Result<Dataset, ReshapeError> {
    let left: Vec<u32> =
        (0..people.len() as u32).filter(|person| !people[*person as usize].is_empty()).collect();
    if left.is_empty() {
        return Err(ReshapeError::NothingLeft);
    }
    let (mut subjects, mut items) = (Dictionary::new(), Dictionary::new());
    let mut builder = EventsBuilder::new(data.events.kind(), timed);
    for person in &left {
        let name = data.subjects.name(*person);
        let number = subjects.intern(name);
        for events in &people[*person as usize] {
            let ids: Vec<ItemId> =
                events.iter().map(|(item, _)| items.intern(&mapped.names[*item as usize])).collect();
            let times: Vec<i64> = events.iter().map(|(_, time)| *time).filter(|_| timed).collect();
            builder.push(number, &ids, &times);
        }
    }
    // The number that each item had before.
    let mut first: Vec<Option<usize>> = vec![None; items.len()];
    for (at, name) in mapped.names.iter().enumerate() {
        if let Some(item) = items.find(name) {
            first[item as usize].get_or_insert(at);
        }
    }
    let at: Vec<usize> = first.into_iter().flatten().collect();
    let picked = |all: &Vec<String>| at.iter().map(|at| all[*at].clone()).collect();
    let places = mapped.places.as_ref().map(|places| Places {
        system: places.system,
        points: at.iter().map(|at| places.points[*at]).collect(),
        categories: places.categories.as_ref().map(picked),
    });
    let own_categories = mapped.categories.as_ref().map(picked);
    let events = builder.finish(subjects.len());
    let attributes = data.attributes.as_ref().map(|table| table.pick(&left));
    Ok(Dataset { subjects, items: Arc::new(items), events, places, own_categories, attributes })
}
