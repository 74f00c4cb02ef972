//! Parts of a world that several families of methods share: events, places, taxonomies, partitions of items.

use std::fmt::Write as _;

use rand::{Rng, RngExt};

use crate::world::World;

/// Events without times, over the first few of the alphabet; the items that occur.
pub(super) fn sequences<'a>(world: &mut World, alphabet: &[&'a str], random: &mut impl Rng) -> Vec<&'a str> {
    let people = random.random_range(2..=8);
    let used = random.random_range(2..=alphabet.len());
    // Where everybody walks the same way, with a few steps of their own, releases keep something.
    let common: Vec<&str> = (0..4).map(|_| alphabet[random.random_range(0..used)]).collect();
    let follow = random.random_range(0..=2);
    let mut events = String::from("subject,record,item\n");
    let mut seen = Vec::new();
    for person in 0..people {
        for record in 0..several(random) {
            for step in 0..random.random_range(1..=5) {
                let own = alphabet[if random.random_bool(0.1) {
                    random.random_range(0..alphabet.len())
                } else {
                    random.random_range(0..used)
                }];
                let item = match common.get(step) {
                    Some(item) if random.random_range(0..3) < follow => *item,
                    _ => own,
                };
                writeln!(events, "p{person},r{person}-{record},{item}").expect("a String takes everything");
                if !seen.contains(&item) {
                    seen.push(item);
                }
            }
        }
    }
    world.events = events;
    seen
}

pub(super) fn several(random: &mut impl Rng) -> usize {
    if random.random_bool(0.25) { random.random_range(2..=3) } else { 1 }
}

pub(super) fn lengths(world: &mut World, random: &mut impl Rng) {
    world.set("infeasible", ["truncate", "drop", "fail"][random.random_range(0..3)]);
    world.set("max-suppressed", ["100%", "50%", "10%"][random.random_range(0..3)]);
    world.set("distance", ["average", "centroid", "single", "complete"][random.random_range(0..4)]);
}

pub(super) fn places(items: &[&str], random: &mut impl Rng) -> String {
    let mut text = String::from("item,x,y\n");
    for item in items {
        // Few positions: ties are where algorithms differ.
        writeln!(text, "{item},{},{}", random.random_range(0..4), random.random_range(0..3))
            .expect("a String takes everything");
    }
    text
}

/// A tree of three levels above the items, with a leaf that does not occur.
pub(super) fn taxonomy(items: &[&str], random: &mut impl Rng) -> String {
    let tops: Vec<usize> = (0..3).map(|_| random.random_range(0..2)).collect();
    let mut text = String::new();
    for item in items.iter().chain(&["z"]) {
        let group = random.random_range(0..3);
        writeln!(text, "{item};group {group};top {};any", tops[group]).expect("a String takes everything");
    }
    text
}

pub(super) fn partition(items: &[&str], random: &mut impl Rng) -> String {
    let mut sets: Vec<Vec<&str>> = vec![Vec::new(); 3];
    for item in items {
        sets[random.random_range(0..3)].push(item);
    }
    sets.retain(|set| !set.is_empty());
    sets.into_iter().map(|set| set.join(",") + "\n").collect()
}
