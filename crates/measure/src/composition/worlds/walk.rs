//! The walk from world to world: people exchange parts, and get or lose items of term chunks.

use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use super::places::Places;
use super::{Crowds, MAX_STEPS, NONE, STEPS, WORLDS};

/// A record of the world: what a person has in one release, or in both where that is the same.
pub(super) struct Body {
    pub items: Vec<ItemId>,
    /// The simple cluster in each release; [`NONE`] where this record is not of that release.
    pub cluster: [u32; 2],
}

/// A world in the making.
pub(super) struct Walk<'a> {
    pub places: &'a [Places],
    pub bodies: Vec<Body>,
    /// For each person who is asked about, the record in each release.
    people: Vec<[u32; 2]>,
    /// The records of each simple cluster, and of everything below each cluster at the top, by release.
    members: Vec<HashMap<u32, Vec<u32>, foldhash::fast::FixedState>>,
    kin: Vec<HashMap<u32, Vec<u32>, foldhash::fast::FixedState>>,
}

impl<'a> Walk<'a> {
    /// The people of both who are the same in both have one record; everybody else has one for each release.
    pub fn new(places: &'a [Places], sets: &[Vec<Vec<ItemId>>], people: Vec<[u32; 2]>) -> Self {
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
    pub fn crowds(
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
    pub fn exchange(&mut self, one: u32, chance: &mut ChaCha8Rng) {
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
    pub fn move_term(&mut self, body: u32, chance: &mut ChaCha8Rng) {
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
