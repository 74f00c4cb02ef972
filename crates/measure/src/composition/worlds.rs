//! Two releases whose records were taken apart: worlds that could have been published as both.
//!
//! A world that fits one release need not fit the other: whose part is whose in the first narrows down whose it is in the second. From the
//! data, which fit both, a walk exchanges at random what two people have of some chunks, and with it what they have of the chunks of the
//! other release that hold the same items, and moves items of term chunks: whatever it comes to could have been published as both releases.
//! The crowd of a target is how many people have what is known, on average over some of these worlds.
//!
//! As in the rest of this attack it is the worst case: who is in which cluster of each release is taken to be known.
//!
//! # Guarantees
//! Same data, releases and seed, same numbers, with any number of threads. Every world that is counted fits. The walk may not come to
//! all of them, and crowds are rounded down: attackers rather look too strong than too weak.
//! # Cost
//! At most [`MAX_STEPS`] steps for each release and for both; above some 80,000 people worlds stay nearer to the data.
//! # Departs from the paper
//! None: this follows no paper.

mod places;
mod walk;

use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use self::places::Places;
use self::walk::Walk;
use super::Side;
use super::knowledge::Target;

/// How many worlds are counted.
pub const WORLDS: usize = 10;
/// Steps of a walk at most.
const MAX_STEPS: usize = 4_000_000;
/// Steps for each person before the first world that is counted, and between two.
const STEPS: [usize; 2] = [12, 4];
/// No person, or not in this release.
const NONE: u32 = u32::MAX;

/// Crowds of each target, by how much is known.
pub(super) type Crowds = Vec<Vec<u32>>;

/// The crowds in the first release, in the second, and in both.
pub(super) fn crowds(
    sides: [&Side<'_>; 2],
    people: &[[u32; 2]],
    targets: &[Target],
    most_known: usize,
    seed: u64,
    progress: &Progress,
) -> Result<[Crowds; 3], Cancelled> {
    let offset = sides[0].original.items.len() as ItemId;
    // Items of the second data by the numbers of the first, where these have them.
    let number = |side: usize, item: ItemId| match side {
        0 => item,
        _ => {
            let name = sides[1].original.items.name(item);
            sides[0].original.items.find(name).unwrap_or(offset + item)
        }
    };
    let sets: Vec<Vec<Vec<ItemId>>> =
        (0..2).map(|side| sets(sides[side], |item| number(side, item))).collect();
    let known: Vec<[Vec<Vec<ItemId>>; 2]> = targets
        .iter()
        .map(|target| {
            [0, 1].map(|side| {
                let first = |known: usize| target.known[side].first(known).into_iter();
                (1..=most_known).map(|known| first(known).map(|item| number(side, item)).collect()).collect()
            })
        })
        .collect();
    let places: Vec<Places> = (0..2).map(|side| Places::of(sides[side], |item| number(side, item))).collect();
    let alone = |side: usize| {
        let everybody = (0..sets[side].len() as u32).map(|person| match side {
            0 => [person, NONE],
            _ => [NONE, person],
        });
        Walk::new(&places, &sets, everybody.collect())
    };
    let question = |side: usize| known.iter().map(|known| [&known[side], &known[side]]).collect::<Vec<_>>();
    let of_one = |side: usize| alone(side).crowds(&question(side), Some(side), seed, progress);
    let of_both = || {
        let asked: Vec<_> = known.iter().map(|known| [&known[0], &known[1]]).collect();
        Walk::new(&places, &sets, people.to_vec()).crowds(&asked, None, seed, progress)
    };
    let (first, (second, both)) = rayon::join(|| of_one(0), || rayon::join(|| of_one(1), of_both));
    Ok([first?, second?, both?])
}

/// Everything that each person has, ascending.
fn sets(side: &Side<'_>, number: impl Fn(ItemId) -> ItemId) -> Vec<Vec<ItemId>> {
    let events = &side.original.events;
    let of_person = |person: usize| {
        let items = events.records_of(person).flat_map(|record| events.record(record));
        let mut items: Vec<ItemId> = items.map(|item| number(*item)).collect();
        items.sort_unstable();
        items.dedup();
        items
    };
    (0..events.subjects()).map(of_person).collect()
}

#[cfg(test)]
mod tests;
