//! Walks against what two releases publish, and crowds that were worked out by hand.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_contract::Settings;
use throng_data::{ChunkKind, Chunks, Cluster, Dataset, EventKind, Release};
use throng_methods::{Task, find};

use super::super::{Demand, Question, intersect};
use super::*;

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// People with the more of an item the earlier it stands.
fn people(count: u64, seed: u64) -> Dataset {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut item = || NAMES[chance.random_range(0..8_u64).min(chance.random_range(0..8_u64)) as usize];
    let records: Vec<(String, Vec<&str>)> = (0..count)
        .map(|person| (format!("p{person}"), (0..1 + person % 4).map(|_| item()).collect()))
        .collect();
    Dataset::from_records(EventKind::Set, records.iter().map(|(name, items)| (name.as_str(), items.clone())))
}

fn release(data: &Dataset, k: &str, most: &str) -> Release {
    let method = find("disassociation").unwrap();
    let settings = Settings::parse(method.descriptor(), [("k", k), ("max-cluster", most)]).unwrap();
    method.anonymize(&Task::new(data, &settings, &Progress::silent())).unwrap().release
}

fn side<'a>(data: &'a Dataset, release: &'a Release) -> Side<'a> {
    Side { original: data, release, attributes: None, by_record: false }
}

/// Whether what the people of a world have is published as these chunks.
fn fits(walk: &Walk<'_>, chunks: &Chunks, side: usize) -> bool {
    let mut parts: Vec<Vec<Vec<ItemId>>> = vec![Vec::new(); chunks.len()];
    let mut named: BTreeSet<(u32, ItemId)> = BTreeSet::new();
    for body in walk.bodies.iter().filter(|body| body.cluster[side] != NONE) {
        let mut own: HashMap<u32, Vec<ItemId>, foldhash::fast::FixedState> = HashMap::default();
        for item in &body.items {
            let chunk = walk.places[side].chunk(body.cluster[side], *item).unwrap();
            match walk.places[side].is_term[chunk as usize] {
                true => drop(named.insert((chunk, *item))),
                false => own.entry(chunk).or_default().push(*item),
            }
        }
        own.into_iter().for_each(|(chunk, part)| parts[chunk as usize].push(part));
    }
    (0..chunks.len()).all(|chunk| {
        let mut published: Vec<Vec<ItemId>> =
            chunks.parts(chunk).map(|part| chunks.part(part).to_vec()).collect();
        if chunks.kind(chunk) == ChunkKind::Term {
            return published.iter().all(|part| named.contains(&(chunk as u32, part[0])));
        }
        published.sort_unstable();
        parts[chunk].sort_unstable();
        parts[chunk] == published
    })
}

#[test]
fn every_world_of_a_walk_fits_both_releases() {
    let mut moved = 0;
    for seed in 0..40 {
        let data = people(60, seed);
        let releases = [release(&data, "2", "9"), release(&data, "3", "14")];
        let sides = [side(&data, &releases[0]), side(&data, &releases[1])];
        let places: Vec<Places> = sides.iter().map(|side| Places::of(side, |item| item)).collect();
        let sets: Vec<Vec<Vec<ItemId>>> = sides.iter().map(|side| sets(side, |item| item)).collect();
        let everybody = (0..60).map(|person| [person, person]).collect();
        let mut walk = Walk::new(&places, &sets, everybody);
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        for step in 0..2_000 {
            let body = chance.random_range(0..60_u64) as u32;
            if step % 4 == 0 { walk.move_term(body, &mut chance) } else { walk.exchange(body, &mut chance) }
        }
        for (number, release) in releases.iter().enumerate() {
            assert!(fits(&walk, release.body.chunks().unwrap(), number), "seed {seed}");
        }
        assert!(walk.bodies.iter().all(|body| !body.items.is_empty()));
        moved += walk.bodies.iter().zip(&sets[0]).filter(|(body, set)| body.items != **set).count();
    }
    assert!(moved > 600, "{moved} of 2400 records moved");
}

/// Four people with one item each, in clusters of people who have the same one: there is no other world.
fn settled(items: [&str; 4]) -> (Dataset, Release) {
    let names = ["p", "q", "r", "s"];
    let data = Dataset::from_records(EventKind::Set, names.into_iter().zip(items.map(|item| [item])));
    let mut different = items.to_vec();
    different.sort_unstable();
    different.dedup();
    let mut chunks = Chunks::new();
    for item in &different {
        let size = items.iter().filter(|other| *other == item).count() as u64;
        let cluster = chunks.push_cluster(Cluster { parent: None, size });
        chunks.push_chunk(cluster, ChunkKind::Record);
        (0..size).for_each(|_| chunks.push_part(data.items.find(item)));
    }
    let place = |item: &&str| different.iter().position(|other| other == item).unwrap() as u32;
    chunks.cluster_of = Some(items.iter().map(place).collect());
    let release = Release::of_items(data.items.clone(), throng_data::Body::Chunks(chunks));
    (data, release)
}

#[test]
fn crowds_that_clusters_settle_are_counted() {
    let ask = |first: [&str; 4], second: [&str; 4], k: u32| {
        let (one, two) = (settled(first), settled(second));
        let question = Question { k, most_known: 1, promised: 1, demand: Demand::default(), seed: 1 };
        let found = intersect(&side(&one.0, &one.1), &side(&two.0, &two.1), &question, &Progress::silent());
        let point = found.unwrap().points.remove(0);
        assert_eq!(point.known, 1);
        let counts =
            [point.below_in_first, point.below_in_second, point.below_in_both, point.lost, point.singled_out];
        counts.map(|share| share.count)
    };
    let (halves, across) = (["a", "a", "b", "b"], ["c", "d", "c", "d"]);
    // Two have each item, and no two people the same two.
    assert_eq!(ask(halves, across, 2), [0, 0, 4, 4, 4]);
    assert_eq!(ask(halves, across, 3), [4, 4, 4, 0, 4]);
    assert_eq!(ask(halves, ["c", "c", "d", "d"], 2), [0, 0, 0, 0, 0]);
    assert_eq!(ask(halves, halves, 2), [0, 0, 0, 0, 0]);
    // Where all have one item the other release decides.
    let all = ["a", "a", "a", "a"];
    assert_eq!(ask(all, across, 2), [0, 0, 0, 0, 0]);
    assert_eq!(ask(all, across, 3), [0, 4, 4, 0, 0]);
    assert_eq!(ask(across, all, 3), [4, 0, 4, 0, 0]);
    assert_eq!(ask(all, ["c", "c", "c", "c"], 4), [0, 0, 0, 0, 0]);
    assert_eq!(ask(all, ["c", "c", "c", "d"], 3), [0, 1, 1, 0, 1]);
}

#[test]
fn the_same_release_twice_gives_nothing_more_away_and_another_one_does() {
    let data = people(400, 5);
    let (one, two) = (release(&data, "5", "25"), release(&data, "4", "11"));
    let question = Question { k: 5, most_known: 3, promised: 3, demand: Demand::default(), seed: 3 };
    let of = |other: &Release| {
        intersect(&side(&data, &one), &side(&data, other), &question, &Progress::silent()).unwrap()
    };
    let (twice, both) = (of(&one), of(&two));
    assert_eq!(both, of(&two));
    assert_eq!((twice.worlds, twice.points.len()), (Some(WORLDS as u64), 3));
    let lost =
        |found: &super::super::Composition| found.points.iter().map(|point| point.lost.count).sum::<u64>();
    // The three walks differ, and with them averages near the limit.
    assert!(lost(&twice) * 20 <= 3 * twice.targets, "{twice:?}");
    assert!(both.points.iter().all(|point| point.singled_out.count <= point.below_in_both.count));
}
