//! Reads worlds back with the plainest code that can, apart from the project's own readers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The events of every person, as numbers; a timed event is its item and time together.
pub struct Lived {
    /// Number of different items.
    pub items: u64,
    /// One sequence a person.
    pub people: Vec<Vec<u32>>,
}

pub fn read_lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// The first field of every row below the header.
pub fn first_column(path: &Path) -> Vec<String> {
    read_lines(path).iter().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

/// The different items of the events, sorted.
pub fn items_of(dir: &Path) -> Vec<String> {
    let lines = read_lines(&dir.join("events.csv"));
    let items: BTreeSet<&str> = lines.iter().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    items.into_iter().map(str::to_owned).collect()
}

pub fn read_events(dir: &Path) -> Lived {
    let text = fs::read_to_string(dir.join("events.csv")).unwrap();
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut items: BTreeSet<&str> = BTreeSet::new();
    let mut people: Vec<Vec<u32>> = Vec::new();
    let mut last = "";
    for line in text.lines().skip(1) {
        let (subject, event) = line.split_once(',').unwrap();
        if subject != last {
            last = subject;
            people.push(Vec::new());
        }
        let unseen = numbers.len() as u32;
        people.last_mut().unwrap().push(*numbers.entry(event).or_insert(unseen));
        items.insert(event.split(',').next().unwrap());
    }
    Lived { items: items.len() as u64, people }
}

/// The percentage of people who share `known` of their events, in order, with no one else.
///
/// What is known of a person is evenly chosen among their events; of those with fewer events, everything is
/// known.
pub fn singled_out(people: &[Vec<u32>], known: usize) -> f64 {
    let events = people.iter().flatten().max().map_or(0, |event| *event as usize + 1);
    let mut who_has: Vec<Vec<u32>> = vec![Vec::new(); events];
    for (person, events) in people.iter().enumerate() {
        for event in events {
            if who_has[*event as usize].last() != Some(&(person as u32)) {
                who_has[*event as usize].push(person as u32);
            }
        }
    }
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % bound
    };
    let is_alone = |events: &&Vec<u32>| {
        // The first `known` of a random order, put back into the order of the events.
        let mut places: Vec<usize> = (0..events.len()).collect();
        for chosen in 0..known.min(places.len()) {
            places.swap(chosen, chosen + below(events.len() - chosen));
        }
        places.truncate(known);
        places.sort_unstable();
        let pattern: Vec<u32> = places.iter().map(|place| events[*place]).collect();
        let rarest =
            pattern.iter().map(|event| &who_has[*event as usize]).min_by_key(|who| who.len()).unwrap();
        rarest.iter().filter(|person| contains(&people[**person as usize], &pattern)).nth(1).is_none()
    };
    let alone = people.iter().filter(is_alone).count();
    100.0 * alone as f64 / people.len() as f64
}

/// Whether the pattern occurs in order, with gaps.
fn contains(events: &[u32], pattern: &[u32]) -> bool {
    let mut left = pattern.iter();
    let mut wanted = left.next();
    for event in events {
        if Some(event) == wanted {
            wanted = left.next();
        }
    }
    wanted.is_none()
}
