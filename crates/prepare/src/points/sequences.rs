//! The events of all people, put together in order.

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{Dictionary, EventKind, Events};

use super::point::Point;
use super::visits::{LeftOut, Translation};

/// People translated between two reports of progress.
const BATCH: usize = 4096;

/// Everybody's events; people and trips without events are left out.
#[derive(Debug)]
pub(super) struct Sequences {
    pub subjects: Dictionary,
    pub events: Events,
    /// The cell or region of each item: cells that were visited, or all regions.
    pub places: Vec<u32>,
    pub left_out: LeftOut,
}

/// Translates everybody's trips. Items are numbered by place; people keep the order of their first appearance.
pub(super) fn translate(
    people: &[&[Point]],
    translation: &Translation<'_>,
    names: &Dictionary,
    progress: &Progress,
) -> Result<Sequences, Cancelled> {
    let phase = progress.phase("translate trips", Some(people.len() as u64));
    let mut subjects = Dictionary::new();
    let (mut subject_records, mut record_events) = (vec![0_u32], vec![0_u64]);
    let (mut items, mut times) = (Vec::new(), Vec::new());
    let mut left_out = LeftOut::default();
    for batch in people.chunks(BATCH) {
        let translated: Vec<Person> =
            batch.par_iter().map(|person| Person::of(person, translation)).collect();
        for (person, points) in translated.into_iter().zip(batch) {
            left_out.outside += person.left_out.outside;
            left_out.repeats += person.left_out.repeats;
            if person.events.is_empty() {
                continue;
            }
            subjects.intern(names.name(points[0].subject));
            let before = items.len() as u64;
            record_events.extend(person.trip_ends.iter().map(|end| before + *end as u64));
            subject_records.push((record_events.len() - 1) as u32);
            items.extend(person.events.iter().map(|(place, _)| *place));
            times.extend(person.events.iter().map(|(_, time)| *time));
        }
        phase.advance(batch.len() as u64)?;
    }
    let places = number(&mut items, translation);
    let events = Events::from_parts(EventKind::Sequence, subject_records, record_events, items, Some(times));
    Ok(Sequences { subjects, events, places, left_out })
}

/// One person's events.
struct Person {
    events: Vec<(u32, i64)>,
    /// Where each trip that has events ends.
    trip_ends: Vec<usize>,
    left_out: LeftOut,
}

impl Person {
    fn of(points: &[Point], translation: &Translation<'_>) -> Self {
        let mut person = Person { events: Vec::new(), trip_ends: Vec::new(), left_out: LeftOut::default() };
        for trip in points.chunk_by(|a, b| a.record == b.record) {
            let before = person.events.len();
            let left_out = translation.translate(trip, &mut person.events);
            person.left_out.outside += left_out.outside;
            person.left_out.repeats += left_out.repeats;
            if person.events.len() > before {
                person.trip_ends.push(person.events.len());
            }
        }
        person
    }
}

/// Replaces cells by dense item numbers in the order of cells, and returns the cell of each. Regions are dense.
fn number(items: &mut [u32], translation: &Translation<'_>) -> Vec<u32> {
    if let Some(regions) = translation.regions {
        return (0..regions.rectangles.len() as u32).collect();
    }
    let mut cells = items.to_vec();
    cells.par_sort_unstable();
    cells.dedup();
    items.par_iter_mut().for_each(|item| {
        // Every item is among the cells: they were taken from the items.
        *item = cells.partition_point(|cell| cell < item) as u32;
    });
    cells
}

impl Sequences {
    /// For each place, how many people have an event there.
    pub fn visitors(&self) -> Vec<u32> {
        let mut visitors = vec![0; self.places.len()];
        let mut last = vec![u32::MAX; self.places.len()];
        for subject in 0..self.events.subjects() {
            for record in self.events.records_of(subject) {
                for item in self.events.record(record) {
                    let item = *item as usize;
                    visitors[item] += u32::from(last[item] != subject as u32);
                    last[item] = subject as u32;
                }
            }
        }
        visitors
    }
}
