//! Limits of supports that are read off chunks, against all possible worlds of small releases.

#![allow(missing_docs, reason = "test names read as claims")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use throng_contract::Progress;
use throng_data::{Body, ChunkKind, Chunks, Cluster, Dictionary, ItemId, Nature, Release};
use throng_measure::chunk_supports::supports;

const ITEMS: u32 = 5;

/// A number below `end`, and the next state.
fn draw(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % end
}

/// Where a simple cluster keeps an item.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Term,
    Record(u64),
    Up,
}

/// A world, and what is published of it: at most three clusters, of which two or all may be joined.
struct Published {
    chunks: Chunks,
    /// The cluster of each person, and the items as bits.
    people: Vec<(u32, u32)>,
}

fn publish(state: &mut u64) -> Published {
    let simple = 1 + draw(state, 3) as u32;
    let (inner, outer) = (draw(state, 3) > 0 && simple > 1, draw(state, 3) > 0 && simple > 1);
    let mut people = Vec::new();
    for cluster in 0..simple {
        for _ in 0..1 + draw(state, 3) {
            let items = (draw(state, 1 << ITEMS) as u32 & draw(state, 1 << ITEMS) as u32).max(1);
            people.push((cluster, items));
        }
    }
    let size = |below: u32| people.iter().filter(|(cluster, _)| *cluster < below).count() as u64;
    let mut chunks = Chunks::new();
    for cluster in 0..simple {
        chunks.push_cluster(Cluster { parent: None, size: size(cluster + 1) - size(cluster) });
    }
    let inner = inner.then(|| chunks.push_cluster(Cluster { parent: None, size: size(2) }));
    let outer = outer.then(|| chunks.push_cluster(Cluster { parent: None, size: size(simple) }));
    for cluster in 0..simple {
        let parent = if cluster < 2 { inner.or(outer) } else { outer };
        chunks.set_parent(cluster, parent);
    }
    if let Some(inner) = inner {
        chunks.set_parent(inner, outer);
    }
    // Items in a shared chunk of the inner joint cluster are in no shared chunk of the outer one for people below it.
    let in_inner: Vec<bool> = (0..ITEMS).map(|_| draw(state, 2) == 0).collect();
    let places: Vec<Vec<Place>> = (0..simple)
        .map(|cluster| {
            let above = chunks.clusters()[cluster as usize].parent;
            let place = |item: usize, state: &mut u64| {
                let up = above.is_some() && (above != inner || in_inner[item] || outer.is_some());
                match draw(state, if up { 6 } else { 3 }) {
                    0 => Place::Term,
                    number @ 1..=2 => Place::Record(number),
                    _ => Place::Up,
                }
            };
            (0..ITEMS as usize).map(|item| place(item, state)).collect()
        })
        .collect();
    let held = |cluster: u32, items: u32, wanted: Place| -> Vec<ItemId> {
        let here = |item: &u32| items >> item & 1 == 1 && places[cluster as usize][*item as usize] == wanted;
        (0..ITEMS).filter(here).collect()
    };
    for cluster in 0..simple {
        let own = || people.iter().filter(move |(at, _)| *at == cluster);
        for number in 1..=2 {
            let parts: Vec<Vec<ItemId>> =
                own().map(|(at, items)| held(*at, *items, Place::Record(number))).collect();
            push(&mut chunks, cluster, ChunkKind::Record, &parts);
        }
        let all = own().fold(0, |all, (_, items)| all | items);
        let terms: Vec<Vec<ItemId>> =
            held(cluster, all, Place::Term).into_iter().map(|item| vec![item]).collect();
        push(&mut chunks, cluster, ChunkKind::Term, &terms);
    }
    let halves = draw(state, 2) == 0;
    for (joint, is_inner) in [(inner, true), (outer, false)] {
        let Some(joint) = joint else { continue };
        let goes_here = |cluster: u32, item: u32| {
            let inside = cluster < 2 && inner.is_some();
            let first = inside && (in_inner[item as usize] || outer.is_none());
            if is_inner { inside && first } else { !first }
        };
        for half in 0..if halves { 2 } else { 1 } {
            let parts: Vec<Vec<ItemId>> = people
                .iter()
                .map(|(at, items)| {
                    let up = held(*at, *items, Place::Up).into_iter();
                    let mine = |item: &ItemId| goes_here(*at, *item) && (!halves || item % 2 == half);
                    up.filter(mine).collect()
                })
                .collect();
            push(&mut chunks, joint, ChunkKind::Shared, &parts);
        }
    }
    Published { chunks, people }
}

fn push(chunks: &mut Chunks, cluster: u32, kind: ChunkKind, parts: &[Vec<ItemId>]) {
    if parts.iter().all(Vec::is_empty) {
        return;
    }
    chunks.push_chunk(cluster, kind);
    parts.iter().filter(|part| !part.is_empty()).for_each(|part| chunks.push_part(part.iter().copied()));
}

/// Whether a cluster is within another.
fn is_within(chunks: &Chunks, lower: u32, upper: u32) -> bool {
    let parent = |cluster: &u32| chunks.clusters()[*cluster as usize].parent;
    std::iter::successors(Some(lower), parent).any(|cluster| cluster == upper)
}

fn bits(items: &[ItemId]) -> u32 {
    items.iter().map(|item| 1 << item).sum()
}

/// A part that one person has, or an item that some people have.
struct Step {
    chunk: usize,
    items: u32,
    people: Vec<usize>,
    several: bool,
}

/// What is given to whom, in the order of chunks.
fn steps(published: &Published) -> Vec<Step> {
    let chunks = &published.chunks;
    let domain = |chunk: usize| chunks.parts(chunk).fold(0, |all, part| all | bits(chunks.part(part)));
    let mut steps = Vec::new();
    for chunk in 0..chunks.len() {
        let own = chunks.cluster(chunk);
        for part in chunks.parts(chunk) {
            let items = bits(chunks.part(part));
            let nearer = |cluster: u32| {
                (0..chunks.len()).any(|other| {
                    let at = chunks.cluster(other);
                    at != own
                        && is_within(chunks, cluster, at)
                        && is_within(chunks, at, own)
                        && domain(other) & items != 0
                })
            };
            let may = |person: &usize| {
                let cluster = published.people[*person].0;
                is_within(chunks, cluster, own) && !nearer(cluster)
            };
            let people = (0..published.people.len()).filter(may).collect();
            steps.push(Step { chunk, items, people, several: chunks.kind(chunk) == ChunkKind::Term });
        }
    }
    steps
}

/// The fewest and the most people who have each set of items, over all worlds.
struct Search<'a> {
    steps: &'a [Step],
    items: Vec<u32>,
    taken: Vec<Vec<bool>>,
    found: Vec<Option<(u64, u64)>>,
}

impl Search<'_> {
    fn give(&mut self, step: usize) {
        let all = self.steps;
        let Some(now) = all.get(step) else { return self.count() };
        if now.several {
            for some in 1_u32..1 << now.people.len() {
                let before = self.items.clone();
                for (place, person) in now.people.iter().enumerate() {
                    self.items[*person] |= if some >> place & 1 == 1 { now.items } else { 0 };
                }
                self.give(step + 1);
                self.items = before;
            }
            return;
        }
        for person in &now.people {
            if std::mem::replace(&mut self.taken[now.chunk][*person], true) {
                continue;
            }
            let before = self.items[*person];
            self.items[*person] |= now.items;
            self.give(step + 1);
            self.items[*person] = before;
            self.taken[now.chunk][*person] = false;
        }
    }

    fn count(&mut self) {
        if self.items.contains(&0) {
            return;
        }
        for (set, found) in (0_u32..).zip(&mut self.found) {
            let people = self.items.iter().filter(|items| *items & set == set).count() as u64;
            let (fewest, most) = found.get_or_insert((people, people));
            (*fewest, *most) = ((*fewest).min(people), (*most).max(people));
        }
    }
}

fn worlds(steps: &[Step]) -> f64 {
    let of = |step: &Step| match step.several {
        true => 2_f64.powi(step.people.len() as i32) - 1.0,
        false => step.people.len() as f64,
    };
    steps.iter().map(of).product()
}

fn release(published: &Published) -> Release {
    let names: Vec<String> = (0..ITEMS).map(|item| item.to_string()).collect();
    let items: Dictionary = names.iter().map(String::as_str).collect();
    let body = Body::Chunks(published.chunks.clone());
    Release { nature: Nature::Perturbed, ..Release::of_items(items.into(), body) }
}

#[test]
fn no_possible_world_lies_outside_the_limits() {
    let mut state = 7;
    let (mut cases, mut joined, mut met, mut all) = (0, 0, 0_u64, 0_u64);
    while cases < 2_400 {
        let published = publish(&mut state);
        let steps = steps(&published);
        if worlds(&steps) > 3_000.0 {
            continue;
        }
        cases += 1;
        joined += u64::from(published.chunks.is_joint().contains(&true));
        let mut search = Search {
            steps: &steps,
            items: vec![0; published.people.len()],
            taken: vec![vec![false; published.people.len()]; published.chunks.len()],
            found: vec![None; 1 << ITEMS],
        };
        search.give(0);
        let sets: Vec<Vec<ItemId>> =
            (0_u32..1 << ITEMS).map(|set| (0..ITEMS).filter(|item| set >> item & 1 == 1).collect()).collect();
        let release = release(&published);
        let limits = supports(&release, &published.chunks, &sets, &Progress::silent()).unwrap();
        for ((set, limits), found) in sets.iter().zip(limits).zip(&search.found) {
            let (fewest, most) = found.unwrap();
            let truth =
                published.people.iter().filter(|(_, items)| items & bits(set) == bits(set)).count() as u64;
            assert!((fewest..=most).contains(&truth), "case {cases}: the data are a world of their own");
            assert!(
                limits.lower <= fewest && most <= limits.upper,
                "case {cases}, {set:?}: {fewest}..{most} and {limits:?}: {:?}",
                published.chunks
            );
            assert!(limits.lower as f64 <= limits.estimate && limits.estimate <= limits.upper as f64);
            met += u64::from(limits.lower == fewest) + u64::from(limits.upper == most);
            all += 2;
        }
    }
    // Not all limits are reached, but most are.
    assert!(joined > 800 && met * 10 > all * 9, "{joined} joined, {met} of {all} reached");
}
