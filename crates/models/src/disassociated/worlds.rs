//! All possible worlds of a small release, one after another.
//!
//! A world gives each part of a record or shared chunk to a person who may have it, at most one of a chunk to each. Items of term chunks
//! may belong to any person of their cluster: they are given to all, which serves every set of items best. A world in which a person has nothing
//! does not count. People with no other item may have a sensitive one, each of which at most one in `l` people of a cluster have.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use throng_data::{ChunkKind, ItemId, Layout};

/// Ways to give parts away that are gone through at most, in a tree of clusters.
const MOST_WORLDS: f64 = 20_000.0;
/// People at most.
const MOST_PEOPLE: u64 = 48;

/// The sets of up to `m` items that some world has, with the most people who have them in any one world; `None` if the worlds are too many.
/// Each tree of clusters is a case of its own.
pub(super) fn most_holders(
    layout: &Layout<'_>,
    hidden: &BTreeSet<ItemId>,
    l: u64,
    m: usize,
) -> Option<Vec<BTreeMap<Vec<ItemId>, u64>>> {
    let clusters = layout.chunks.clusters();
    if layout.chunks.people() > MOST_PEOPLE {
        return None;
    }
    let roots = (0..clusters.len() as u32).filter(|cluster| clusters[*cluster as usize].parent.is_none());
    let trees: Vec<Tree> = roots.map(|root| Tree::of(layout, root, hidden, l)).collect();
    if trees.iter().map(Tree::worlds).sum::<f64>() > MOST_WORLDS {
        return None;
    }
    Some(trees.into_iter().map(|tree| tree.search(m)).collect())
}

/// The people and chunks of a tree of clusters.
struct Tree {
    /// What each person has for sure: the term chunk.
    people: Vec<BTreeSet<ItemId>>,
    /// For each simple cluster its people, and how many of them may have sensitive items only.
    secretive: Vec<(Range<usize>, u64)>,
    /// For each chunk its different parts, how often each is there, and who may have it.
    chunks: Vec<Vec<Alike>>,
}

/// Like parts of a chunk: their items, how many there are, and who may have them.
type Alike = (Vec<ItemId>, u64, Vec<usize>);

impl Tree {
    fn of(layout: &Layout<'_>, root: u32, hidden: &BTreeSet<ItemId>, l: u64) -> Self {
        let chunks = layout.chunks;
        let mut tree = Tree { people: Vec::new(), secretive: Vec::new(), chunks: Vec::new() };
        let own = layout.span[root as usize].clone();
        let mut first = BTreeMap::new();
        for place in own.clone() {
            let cluster = layout.simple[place];
            let (mut terms, mut secrets) = (BTreeSet::new(), 0_u64);
            for chunk in &layout.of_cluster[cluster as usize] {
                if chunks.kind(*chunk as usize) == ChunkKind::Term {
                    let domain = layout.domain(*chunk as usize);
                    terms.extend(domain.iter().filter(|item| !hidden.contains(item)));
                    secrets += domain.iter().filter(|item| hidden.contains(item)).count() as u64;
                }
            }
            let begin = tree.people.len();
            first.insert(place, begin);
            for _ in 0..layout.size(cluster) {
                tree.people.push(terms.clone());
            }
            let most = secrets.saturating_mul(layout.size(cluster) / l.max(1));
            tree.secretive.push((begin..tree.people.len(), most));
        }
        first.insert(own.end, tree.people.len());
        for chunk in (0..chunks.len()).filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term) {
            let cluster = chunks.cluster(chunk);
            let span = layout.span[cluster as usize].clone();
            if span.start < own.start || span.end > own.end || span.is_empty() {
                continue;
            }
            let kinds = super::chunk::alike(chunks, chunk).into_iter().map(|(part, count)| {
                let open = layout.open(cluster, part);
                let people =
                    open.into_iter().flat_map(|places| first[&places.start]..first[&places.end]).collect();
                (part.to_vec(), count, people)
            });
            tree.chunks.push(kinds.collect());
        }
        tree
    }

    /// An upper limit of how many ways there are.
    fn worlds(&self) -> f64 {
        let choose = |from: usize, count: u64| {
            (0..count).map(|at| (from as f64 - at as f64).max(0.0) / (at as f64 + 1.0)).product::<f64>()
        };
        let of_chunk = |chunk: &Vec<Alike>| {
            chunk.iter().map(|(_, count, people)| choose(people.len(), *count).max(1.0)).product::<f64>()
        };
        self.chunks.iter().map(of_chunk).product()
    }

    fn search(self, m: usize) -> BTreeMap<Vec<ItemId>, u64> {
        let steps: Vec<Step> = self
            .chunks
            .iter()
            .enumerate()
            .flat_map(|(number, kinds)| {
                kinds.iter().map(move |(items, count, people)| Step {
                    chunk: number,
                    items,
                    count: *count,
                    people,
                })
            })
            .collect();
        let mut search = Search {
            m,
            steps: &steps,
            taken: vec![vec![false; self.people.len()]; self.chunks.len()],
            people: self.people.iter().map(|terms| terms.iter().copied().collect()).collect(),
            secretive: &self.secretive,
            most: BTreeMap::new(),
        };
        search.give(0, 0, steps.first().map_or(0, |step| step.count));
        search.most
    }
}

/// Like parts of a chunk.
struct Step<'a> {
    chunk: usize,
    items: &'a [ItemId],
    count: u64,
    people: &'a [usize],
}

struct Search<'a> {
    m: usize,
    steps: &'a [Step<'a>],
    /// Who has a part of each chunk already.
    taken: Vec<Vec<bool>>,
    people: Vec<Vec<ItemId>>,
    secretive: &'a [(Range<usize>, u64)],
    most: BTreeMap<Vec<ItemId>, u64>,
}

impl Search<'_> {
    /// Gives the rest of a step's parts away, from a place of its people on; like parts go to people in their order.
    fn give(&mut self, step: usize, from: usize, left: u64) {
        let Some(now) = self.steps.get(step) else {
            self.count();
            return;
        };
        if left == 0 {
            let next = self.steps.get(step + 1).map_or(0, |next| next.count);
            self.give(step + 1, 0, next);
            return;
        }
        for at in from..now.people.len() {
            let person = now.people[at];
            if self.taken[now.chunk][person] {
                continue;
            }
            self.taken[now.chunk][person] = true;
            self.people[person].extend(now.items);
            self.give(step, at + 1, left - 1);
            let kept = self.people[person].len() - now.items.len();
            self.people[person].truncate(kept);
            self.taken[now.chunk][person] = false;
        }
    }

    /// Counts the sets of a world, unless a person in it has nothing.
    fn count(&mut self) {
        let without =
            |own: &Range<usize>| self.people[own.clone()].iter().filter(|items| items.is_empty()).count();
        if self.secretive.iter().any(|(own, most)| without(own) as u64 > *most) {
            return;
        }
        let mut held: BTreeMap<Vec<ItemId>, u64> = BTreeMap::new();
        for items in &self.people {
            let mut items = items.clone();
            items.sort_unstable();
            subsets(&items, self.m, &mut Vec::new(), &mut held);
        }
        for (set, count) in held {
            let most = self.most.entry(set).or_default();
            *most = count.max(*most);
        }
    }
}

fn subsets(items: &[ItemId], m: usize, set: &mut Vec<ItemId>, held: &mut BTreeMap<Vec<ItemId>, u64>) {
    for (at, item) in items.iter().enumerate() {
        set.push(*item);
        *held.entry(set.clone()).or_default() += 1;
        if set.len() < m {
            subsets(&items[at + 1..], m, set, held);
        }
        set.pop();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use throng_data::{Chunks, Cluster};

    use super::*;

    /// A cluster with these record chunks and items in a term chunk.
    fn cluster(size: u64, records: &[Vec<Vec<ItemId>>], terms: &[ItemId]) -> Chunks {
        let mut chunks = Chunks::new();
        let cluster = chunks.push_cluster(Cluster { parent: None, size });
        for parts in records {
            chunks.push_chunk(cluster, ChunkKind::Record);
            parts.iter().for_each(|part| chunks.push_part(part.iter().copied()));
        }
        chunks.push_chunk(cluster, ChunkKind::Term);
        chunks.push_part(terms.iter().copied());
        chunks
    }

    fn most(chunks: &Chunks, m: usize) -> Option<BTreeMap<Vec<ItemId>, u64>> {
        most_holders(&Layout::of(chunks), &BTreeSet::new(), 1, m).map(|mut trees| trees.remove(0))
    }

    #[test]
    fn the_best_world_for_each_set_is_found() {
        let two_of_each = [vec![vec![0], vec![0]], vec![vec![1], vec![1]]];
        let with_term = most(&cluster(3, &two_of_each, &[2]), 2).expect("few worlds");
        let expected =
            [(vec![0], 2), (vec![0, 1], 2), (vec![0, 2], 2), (vec![1], 2), (vec![1, 2], 2), (vec![2], 3)];
        assert_eq!(with_term, BTreeMap::from(expected));
        // Four parts for three people each of whom has something: one has two.
        let without = most(&cluster(3, &two_of_each, &[]), 2).expect("few worlds");
        assert_eq!(without, BTreeMap::from([(vec![0], 2), (vec![0, 1], 1), (vec![1], 2)]));
    }

    #[test]
    fn too_many_worlds_or_people_are_not_gone_through() {
        // Of 16 people 8 are chosen in 12,870 ways, of 18 people 9 in 48,620.
        let of = |people, parts| most(&cluster(people, &[vec![vec![0]; parts]], &[1]), 1);
        assert_eq!(of(16, 8), Some(BTreeMap::from([(vec![0], 8), (vec![1], 16)])));
        assert_eq!(of(18, 9), None);
        assert_eq!(of(48, 1).map(|sets| sets.len()), Some(2));
        assert_eq!(of(49, 1), None);
    }

    #[test]
    fn sensitive_items_are_given_to_no_one() {
        let chunks = cluster(2, &[vec![vec![0], vec![0]]], &[1, 2]);
        let sets = most_holders(&Layout::of(&chunks), &BTreeSet::from([2]), 2, 1).expect("few worlds");
        assert_eq!(sets, [BTreeMap::from([(vec![0], 2), (vec![1], 2)])]);
    }

    /// Three people, two of whom have `a` and two `b`: with a sensitive item both may have both, for the third has that one.
    #[test]
    fn a_person_may_have_a_sensitive_item_only() {
        let chunks = cluster(3, &[vec![vec![0], vec![0]], vec![vec![1], vec![1]]], &[2]);
        let most = |l| {
            let sets = most_holders(&Layout::of(&chunks), &BTreeSet::from([2]), l, 2).expect("few worlds");
            sets[0].get([0, 1].as_slice()).copied()
        };
        assert_eq!(most(3), Some(2));
        assert_eq!(most(4), Some(1), "not one of three people may have it");
    }

    /// The same by the plainest way: parts of each chunk to every choice of different people.
    fn plainly(people: usize, records: &[Vec<Vec<ItemId>>], terms: &[ItemId]) -> BTreeMap<Vec<ItemId>, u64> {
        let mut worlds: Vec<Vec<BTreeSet<ItemId>>> = vec![vec![terms.iter().copied().collect(); people]];
        for parts in records {
            let mut open: Vec<(Vec<BTreeSet<ItemId>>, Vec<usize>)> =
                worlds.into_iter().map(|world| (world, Vec::new())).collect();
            for part in parts {
                let mut given = Vec::new();
                for (world, taken) in &open {
                    for person in (0..people).filter(|person| !taken.contains(person)) {
                        let (mut world, mut taken) = (world.clone(), taken.clone());
                        world[person].extend(part);
                        taken.push(person);
                        given.push((world, taken));
                    }
                }
                open = given;
            }
            worlds = open.into_iter().map(|(world, _)| world).collect();
        }
        let mut most = BTreeMap::new();
        for world in worlds.iter().filter(|world| !world.iter().any(BTreeSet::is_empty)) {
            for (a, b) in (0..5).flat_map(|a| (a..5).map(move |b| (a, b))) {
                let count =
                    world.iter().filter(|items| items.contains(&a) && items.contains(&b)).count() as u64;
                if count > 0 {
                    let set = if a == b { vec![a] } else { vec![a, b] };
                    let best = most.entry(set).or_insert(0);
                    *best = count.max(*best);
                }
            }
        }
        most
    }

    proptest! {
        #[test]
        fn worlds_are_those_of_the_plainest_way(
            people in 1..4_usize,
            first in prop::collection::vec(1..4_u32, 0..4),
            second in prop::collection::vec(1..3_u32, 0..4),
            terms in prop::sample::select(vec![vec![], vec![4]]),
        ) {
            // Items 0 and 1, or 2 and 3: a part is a non-empty set of them.
            let parts = |bits: &[u32], from: u32| -> Vec<Vec<ItemId>> {
                let held = |bits: &u32| (0..2).filter(|bit| bits >> bit & 1 == 1).map(|bit| from + bit).collect();
                bits.iter().take(people).map(held).collect()
            };
            let records = [parts(&first, 0), parts(&second, 2)];
            let found = most(&cluster(people as u64, &records, &terms), 2).expect("few worlds");
            prop_assert_eq!(found, plainly(people, &records, &terms));
        }
    }
}
