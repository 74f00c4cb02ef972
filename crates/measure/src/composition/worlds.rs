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

use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_contract::{Cancelled, Progress};
use throng_data::{ChunkKind, Chunks, ItemId};

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

/// Where items stand in a release.
struct Places {
    /// The simple cluster of each person.
    cluster_of: Vec<u32>,
    parent: Vec<u32>,
    /// By cluster: the items of its own chunks, ascending, with the chunk.
    own: Vec<Vec<(ItemId, u32)>>,
    /// By cluster: the items of its term chunk.
    terms: Vec<Vec<ItemId>>,
    is_term: Vec<bool>,
}

impl Places {
    fn of(side: &Side<'_>, number: impl Fn(ItemId) -> ItemId) -> Self {
        let none = Chunks::new();
        let chunks = side.release.body.chunks().unwrap_or(&none);
        let named = |item: ItemId| {
            let member = side.release.alphabet[item as usize].members.first().copied();
            let name = member.map(|member| side.release.base.name(member));
            name.and_then(|name| side.original.items.find(name)).map(&number)
        };
        let mut places = Places {
            cluster_of: chunks.cluster_of.clone().unwrap_or_default(),
            parent: chunks.clusters().iter().map(|cluster| cluster.parent.unwrap_or(NONE)).collect(),
            own: vec![Vec::new(); chunks.clusters().len()],
            terms: vec![Vec::new(); chunks.clusters().len()],
            is_term: (0..chunks.len()).map(|chunk| chunks.kind(chunk) == ChunkKind::Term).collect(),
        };
        places.cluster_of.resize(side.original.events.subjects(), NONE);
        for chunk in 0..chunks.len() {
            let cluster = chunks.cluster(chunk) as usize;
            let items = chunks.parts(chunk).flat_map(|part| chunks.part(part));
            let mut items: Vec<ItemId> = items.filter_map(|item| named(*item)).collect();
            items.sort_unstable();
            items.dedup();
            if places.is_term[chunk] {
                places.terms[cluster].clone_from(&items);
            }
            places.own[cluster].extend(items.into_iter().map(|item| (item, chunk as u32)));
        }
        places.own.iter_mut().for_each(|own| own.sort_unstable());
        places
    }

    /// The chunk in which a simple cluster sees an item.
    fn chunk(&self, cluster: u32, item: ItemId) -> Option<u32> {
        let mut at = cluster;
        while at != NONE {
            let own = &self.own[at as usize];
            if let Ok(found) = own.binary_search_by_key(&item, |(item, _)| *item) {
                return Some(own[found].1);
            }
            at = self.parent[at as usize];
        }
        None
    }

    fn root(&self, cluster: u32) -> u32 {
        let above = |cluster: &u32| Some(self.parent[*cluster as usize]).filter(|parent| *parent != NONE);
        std::iter::successors(Some(cluster), above).last().unwrap_or(cluster)
    }
}

/// A record of the world: what a person has in one release, or in both where that is the same.
struct Body {
    items: Vec<ItemId>,
    /// The simple cluster in each release; [`NONE`] where this record is not of that release.
    cluster: [u32; 2],
}

/// A world in the making.
struct Walk<'a> {
    places: &'a [Places],
    bodies: Vec<Body>,
    /// For each person who is asked about, the record in each release.
    people: Vec<[u32; 2]>,
    /// The records of each simple cluster, and of everything below each cluster at the top, by release.
    members: Vec<HashMap<u32, Vec<u32>, foldhash::fast::FixedState>>,
    kin: Vec<HashMap<u32, Vec<u32>, foldhash::fast::FixedState>>,
}

impl<'a> Walk<'a> {
    /// The people of both who are the same in both have one record; everybody else has one for each release.
    fn new(places: &'a [Places], sets: &[Vec<Vec<ItemId>>], people: Vec<[u32; 2]>) -> Self {
        let mut walk = Walk {
            places,
            bodies: Vec::new(),
            people: Vec::new(),
            members: vec![HashMap::default(), HashMap::default()],
            kin: vec![HashMap::default(), HashMap::default()],
        };
        let both = people.iter().any(|pair| !pair.contains(&NONE));
        let mut seen = sets.iter().map(|sets| vec![!both; sets.len()]).collect::<Vec<_>>();
        let mut pairs = people.clone();
        for pair in &people {
            (0..2).filter(|side| pair[*side] != NONE).for_each(|side| seen[side][pair[side] as usize] = true);
        }
        // People of one release alone are there all the same: parts may be theirs.
        for (side, seen) in seen.iter().enumerate() {
            for person in (0..seen.len()).filter(|person| !seen[*person]) {
                pairs.push(if side == 0 { [person as u32, NONE] } else { [NONE, person as u32] });
            }
        }
        for (place, pair) in pairs.into_iter().enumerate() {
            let cluster = |side: usize| match pair[side] {
                NONE => NONE,
                person => places[side].cluster_of[person as usize],
            };
            let set = |side: usize| &sets[side][pair[side] as usize];
            let one = match (pair[0], pair[1]) {
                (NONE, _) | (_, NONE) => true,
                _ => set(0) == set(1),
            };
            let records = match one {
                true => {
                    let side = usize::from(pair[0] == NONE);
                    let at = walk.push(set(side).clone(), [cluster(0), cluster(1)]);
                    [at, at]
                }
                false => [
                    walk.push(set(0).clone(), [cluster(0), NONE]),
                    walk.push(set(1).clone(), [NONE, cluster(1)]),
                ],
            };
            if place < people.len() {
                walk.people.push(records);
            }
        }
        walk
    }

    fn push(&mut self, items: Vec<ItemId>, cluster: [u32; 2]) -> u32 {
        let at = self.bodies.len() as u32;
        for side in (0..2).filter(|side| cluster[*side] != NONE) {
            self.members[side].entry(cluster[side]).or_default().push(at);
            self.kin[side].entry(self.places[side].root(cluster[side])).or_default().push(at);
        }
        self.bodies.push(Body { items, cluster });
        at
    }

    /// The crowd of each question, on average over the worlds. People of one release are asked about that alone.
    fn crowds(
        mut self,
        asked: &[[&Vec<Vec<ItemId>>; 2]],
        side: Option<usize>,
        seed: u64,
        progress: &Progress,
    ) -> Result<Crowds, Cancelled> {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        chance.set_stream(1 + side.map_or(2, |side| side as u64));
        let mut sums: Vec<Vec<(u64, u64)>> = asked.iter().map(|known| vec![(0, 0); known[0].len()]).collect();
        let each = self.bodies.len().min(MAX_STEPS / (STEPS[0] + WORLDS * STEPS[1]));
        for world in 0..WORLDS {
            let steps = each * STEPS[usize::from(world > 0)];
            for step in 0..steps {
                if step % 65_536 == 0 {
                    progress.check()?;
                }
                if self.bodies.is_empty() {
                    break;
                }
                let body = chance.random_range(0..self.bodies.len() as u64) as u32;
                match step % 4 {
                    0 => self.move_term(body, &mut chance),
                    _ => self.exchange(body, &mut chance),
                }
            }
            self.count(asked, &mut sums);
        }
        // As for one release: rounded down, and alone where no world has it.
        let mean =
            |(worlds, people): &(u64, u64)| (people / (*worlds).max(1)).max(1).min(u64::from(NONE)) as u32;
        Ok(sums.iter().map(|sums| sums.iter().map(mean).collect()).collect())
    }

    fn count(&self, asked: &[[&Vec<Vec<ItemId>>; 2]], sums: &mut [Vec<(u64, u64)>]) {
        let mut holders: HashMap<ItemId, Vec<u32>, foldhash::fast::FixedState> = HashMap::default();
        for item in asked.iter().flat_map(|known| known[0].iter().flatten()) {
            holders.entry(*item).or_default();
        }
        for (person, records) in (0..).zip(&self.people) {
            for item in &self.bodies[records[0] as usize].items {
                if let Some(people) = holders.get_mut(item) {
                    people.push(person);
                }
            }
        }
        let has = |record: u32, known: &[ItemId]| {
            let items = &self.bodies[record as usize].items;
            known.iter().all(|item| items.binary_search(item).is_ok())
        };
        for (known, sums) in asked.iter().zip(sums) {
            for (place, sum) in sums.iter_mut().enumerate() {
                let (here, there) = (&known[0][place], &known[1][place]);
                let rarest = here.iter().min_by_key(|item| holders[*item].len());
                let Some(rarest) = rarest else { continue };
                let fits = |person: &&u32| {
                    let records = self.people[**person as usize];
                    has(records[0], here) && has(records[1], there)
                };
                let people = holders[rarest].iter().filter(fits).count() as u64;
                sum.0 += u64::from(people > 0);
                sum.1 += people;
            }
        }
    }

    fn sides_of(&self, body: u32) -> Vec<usize> {
        (0..2).filter(|side| self.bodies[body as usize].cluster[*side] != NONE).collect()
    }

    /// Two people exchange what they have of some chunks, if that fits.
    fn exchange(&mut self, one: u32, chance: &mut ChaCha8Rng) {
        let sides = self.sides_of(one);
        if sides.is_empty() {
            return;
        }
        let side = sides[chance.random_range(0..sides.len() as u64) as usize];
        let cluster = self.bodies[one as usize].cluster[side];
        let near = match chance.random_range(0..4_u64) {
            0 => &self.kin[side][&self.places[side].root(cluster)],
            _ => &self.members[side][&cluster],
        };
        let other = near[chance.random_range(0..near.len() as u64) as usize];
        let (a, b) = (&self.bodies[one as usize], &self.bodies[other as usize]);
        let apart = apart(&a.items, &b.items);
        if apart.is_empty() {
            return;
        }
        let begin = chance.random_range(0..apart.len() as u64) as usize;
        let Some(exchanged) = self.together(a, b, &apart, begin) else { return };
        let swapped = |own: &Body, theirs: &Body| {
            let gone = |item: &ItemId| exchanged.binary_search(item).is_ok();
            let mut items: Vec<ItemId> = own.items.iter().copied().filter(|item| !gone(item)).collect();
            items.extend(theirs.items.iter().copied().filter(gone));
            items.sort_unstable();
            items
        };
        let (first, second) = (swapped(a, b), swapped(b, a));
        if first.is_empty() || second.is_empty() || !self.stays_named(one, other, &exchanged) {
            return;
        }
        self.bodies[one as usize].items = first;
        self.bodies[other as usize].items = second;
    }

    /// The items that have to be exchanged with one, ascending; `None` if there is no way.
    fn together(&self, a: &Body, b: &Body, apart: &[ItemId], begin: usize) -> Option<Vec<ItemId>> {
        let mut sides = Vec::new();
        for side in 0..2 {
            match (a.cluster[side], b.cluster[side]) {
                (NONE, NONE) => {}
                // Of one of them alone nothing may change in this release.
                (NONE, _) | (_, NONE) => return None,
                (here, there) => sides.push((&self.places[side], here, there)),
            }
        }
        let mut chosen = vec![false; apart.len()];
        chosen[begin] = true;
        let mut open = vec![begin];
        while let Some(at) = open.pop() {
            for (places, here, there) in &sides {
                let (one, two) = (places.chunk(*here, apart[at])?, places.chunk(*there, apart[at])?);
                if places.is_term[one as usize] && places.is_term[two as usize] {
                    continue;
                }
                if one != two {
                    return None;
                }
                // A part goes as a whole, with what both have of it.
                let same = |item: &ItemId| {
                    let sees = |cluster: u32| places.chunk(cluster, *item) == Some(one);
                    sees(*here) == sees(*there)
                };
                if here != there && !a.items.iter().chain(&b.items).all(same) {
                    return None;
                }
                for (other, item) in apart.iter().enumerate() {
                    if !chosen[other] && places.chunk(*here, *item) == Some(one) {
                        chosen[other] = true;
                        open.push(other);
                    }
                }
            }
        }
        Some(apart.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(item, _)| *item).collect())
    }

    /// Whether every item of a term chunk that leaves a cluster still has a holder.
    fn stays_named(&self, one: u32, other: u32, exchanged: &[ItemId]) -> bool {
        let (a, b) = (&self.bodies[one as usize], &self.bodies[other as usize]);
        (0..2).filter(|side| a.cluster[*side] != b.cluster[*side]).all(|side| {
            exchanged.iter().all(|item| {
                let gives = if a.items.binary_search(item).is_ok() { one } else { other };
                let cluster = self.bodies[gives as usize].cluster[side];
                let chunk = self.places[side].chunk(cluster, *item);
                chunk.is_none_or(|chunk| !self.places[side].is_term[chunk as usize])
                    || self.others_have(side, cluster, *item, gives)
            })
        })
    }

    fn others_have(&self, side: usize, cluster: u32, item: ItemId, but: u32) -> bool {
        let has = |body: &u32| self.bodies[*body as usize].items.binary_search(&item).is_ok();
        self.members[side][&cluster].iter().any(|body| *body != but && has(body))
    }

    /// A person gets or loses an item that stands in term chunks.
    fn move_term(&mut self, body: u32, chance: &mut ChaCha8Rng) {
        let sides = self.sides_of(body);
        let clusters = self.bodies[body as usize].cluster;
        let Some(side) = sides.first().copied() else { return };
        let terms = &self.places[side].terms[clusters[side] as usize];
        if terms.is_empty() {
            return;
        }
        let item = terms[chance.random_range(0..terms.len() as u64) as usize];
        let is_term = |side: &usize| {
            let places = &self.places[*side];
            places.chunk(clusters[*side], item).is_some_and(|chunk| places.is_term[chunk as usize])
        };
        if !sides.iter().all(is_term) {
            return;
        }
        let own = &self.bodies[body as usize].items;
        match own.binary_search(&item) {
            Err(place) => self.bodies[body as usize].items.insert(place, item),
            Ok(place) => {
                let stays = |side: &usize| self.others_have(*side, clusters[*side], item, body);
                if own.len() > 1 && sides.iter().all(stays) {
                    self.bodies[body as usize].items.remove(place);
                }
            }
        }
    }
}

/// What one of two people has and the other has not, ascending.
fn apart(a: &[ItemId], b: &[ItemId]) -> Vec<ItemId> {
    let only = |one: &[ItemId], other: &[ItemId]| {
        one.iter().copied().filter(|item| other.binary_search(item).is_err()).collect::<Vec<_>>()
    };
    let mut apart = only(a, b);
    apart.extend(only(b, a));
    apart.sort_unstable();
    apart
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use throng_contract::Settings;
    use throng_data::{Cluster, Dataset, EventKind, Release};
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
        Dataset::from_records(
            EventKind::Set,
            records.iter().map(|(name, items)| (name.as_str(), items.clone())),
        )
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
                if step % 4 == 0 {
                    walk.move_term(body, &mut chance)
                } else {
                    walk.exchange(body, &mut chance)
                }
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
            let found =
                intersect(&side(&one.0, &one.1), &side(&two.0, &two.1), &question, &Progress::silent());
            let point = found.unwrap().points.remove(0);
            assert_eq!(point.known, 1);
            let counts = [
                point.below_in_first,
                point.below_in_second,
                point.below_in_both,
                point.lost,
                point.singled_out,
            ];
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
        let lost = |found: &super::super::Composition| {
            found.points.iter().map(|point| point.lost.count).sum::<u64>()
        };
        // The three walks differ, and with them averages near the limit.
        assert!(lost(&twice) * 20 <= 3 * twice.targets, "{twice:?}");
        assert!(both.points.iter().all(|point| point.singled_out.count <= point.below_in_both.count));
    }
}
