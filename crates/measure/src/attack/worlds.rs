//! Attackers before records that were taken apart: they reckon with possible datasets.
//!
//! Such a release has no record to look for. What an attacker can do is put its chunks together at random, as often as they like, and look
//! at those datasets in which a person has all that is known: the others are not the one that was published. How many people have it there, on
//! average, is the crowd.
//!
//! # Guarantees
//! Same scenes and seed, same numbers, with any number of threads. Crowds are rounded down, and where no dataset that was drawn has what is
//! known the target is taken to stand alone: attackers rather look too strong than too weak.
//! # Cost
//! One attack for each dataset.
//! # Departs from the paper
//! None: this follows no paper. Its promise is that one possible dataset has a crowd of `k`, not that a random one has.

use std::collections::BTreeMap;

use throng_contract::{Cancelled, Progress};
use throng_data::{ChunkKind, Chunks, ItemId};

use super::point::Reach;
use super::secrets::Guess;
use super::{AttackResult, Attacker, Plan, Point, Raid, Scene, raid};

/// Lets an attacker loose on possible datasets. The scenes differ in what is published, and in nothing else; there is at least one.
pub fn attack_worlds(
    scenes: &[Scene<'_>],
    attacker: &Attacker,
    plan: &Plan,
    seed: u64,
    progress: &Progress,
) -> Result<AttackResult, Cancelled> {
    let raids: Vec<Raid> = scenes
        .iter()
        .map(|scene| raid(scene, attacker, plan, u32::MAX, seed, progress))
        .collect::<Result<_, Cancelled>>()?;
    let (Some(first), Some(scene)) = (raids.first(), scenes.first()) else {
        return Ok(AttackResult { people: 0, targets: 0, sampled: false, points: Vec::new() });
    };
    let subjects: Vec<u32> = first.targets.iter().map(|target| target.subject).collect();
    let point = |place: usize| {
        let of_target = |target: usize| expected(raids.iter().map(|raid| raid.reached[target][place]));
        let reached: Vec<Reach> = (0..subjects.len()).map(of_target).collect();
        Point::of(place + 1, &reached, &subjects, scene.truth.as_ref(), plan, first.sampled())
    };
    let points = (0..plan.known).map(point).collect();
    Ok(AttackResult {
        people: first.people,
        targets: subjects.len() as u64,
        sampled: first.sampled(),
        points,
    })
}

/// What is reached on average, over the datasets in which a person has what is known.
fn expected(worlds: impl Iterator<Item = Reach>) -> Reach {
    let (mut datasets, mut people) = (0_u64, 0_u64);
    let mut secrets: BTreeMap<u32, u64> = BTreeMap::new();
    for reach in worlds.filter(|reach| reach.people > 0) {
        datasets += 1;
        people += u64::from(reach.people);
        if let Some(guess) = reach.guess {
            *secrets.entry(guess.secret).or_default() += u64::from(guess.people);
        }
    }
    let average = |sum: u64| u32::try_from(sum / datasets.max(1)).unwrap_or(u32::MAX);
    let people = average(people).max(1);
    let best = secrets.into_iter().max_by_key(|(secret, count)| (*count, std::cmp::Reverse(*secret)));
    let guess = best.map(|(secret, count)| Guess { secret, people: average(count).min(people) });
    Reach { people, guess }
}

/// What supports say across the record chunks of clusters: of `n` people `x` have one item and `y` another, so at least `x + y - n` have both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Links {
    /// How surely an item follows from an item of another chunk, at most.
    pub surest: f64,
    /// How many items of clusters stand in record chunks.
    pub items: u64,
    /// From how many of them an item of another chunk follows by more than one half.
    pub linked: u64,
}

/// The links of a release whose records were taken apart, read off its chunks.
pub fn links(chunks: &Chunks) -> Links {
    let mut links = Links { surest: 0.0, items: 0, linked: 0 };
    for (own, cluster) in chunks.by_cluster().iter().zip(chunks.clusters()) {
        let records = own.iter().map(|chunk| *chunk as usize);
        let supports: Vec<BTreeMap<ItemId, u64>> = records
            .filter(|chunk| chunks.kind(*chunk) == ChunkKind::Record)
            .map(|chunk| {
                let mut supports = BTreeMap::new();
                for item in chunks.parts(chunk).flat_map(|part| chunks.part(part)) {
                    *supports.entry(*item).or_default() += 1;
                }
                supports
            })
            .collect();
        let most: Vec<u64> =
            supports.iter().map(|supports| supports.values().copied().max().unwrap_or(0)).collect();
        for (number, supports) in supports.iter().enumerate() {
            let others = most.iter().enumerate().filter(|(other, _)| *other != number);
            let beside = others.map(|(_, most)| *most).max().unwrap_or(0);
            links.items += supports.len() as u64;
            for support in supports.values() {
                let share = (beside + support).saturating_sub(cluster.size) as f64 / *support as f64;
                links.surest = links.surest.max(share);
                links.linked += u64::from(share > 0.5);
            }
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use throng_data::Cluster;

    use super::*;

    #[test]
    fn datasets_without_what_is_known_do_not_count() {
        let reach = |people: u32| Reach { people, guess: None };
        assert_eq!(expected([0, 3, 6].map(reach).into_iter()), reach(4));
        assert_eq!(expected([0, 0].map(reach).into_iter()), reach(1), "the target has it");
        let guess = |secret: u32, people: u32| Reach { people: 4, guess: Some(Guess { secret, people }) };
        let found = expected([guess(1, 3), guess(2, 1), guess(1, 3)].into_iter());
        assert_eq!((found.people, found.guess), (4, Some(Guess { secret: 1, people: 2 })));
    }

    #[test]
    fn supports_link_items_of_different_chunks() {
        // az, az, az, az, a, a and y, y, y among six people: everyone who has y has a.
        let mut chunks = Chunks::new();
        let cluster = chunks.push_cluster(Cluster { parent: None, size: 6 });
        chunks.push_chunk(cluster, ChunkKind::Record);
        (0..4).for_each(|_| chunks.push_part([0, 1]));
        (0..2).for_each(|_| chunks.push_part([0]));
        chunks.push_chunk(cluster, ChunkKind::Record);
        (0..3).for_each(|_| chunks.push_part([2]));
        assert_eq!(links(&chunks), Links { surest: 1.0, items: 3, linked: 1 });
        assert_eq!(links(&Chunks::new()), Links { surest: 0.0, items: 0, linked: 0 });
    }
}
