//! Possible datasets of a release whose records were taken apart.
//!
//! Every part of a chunk is given to a person who may have it, at random; every item of a term chunk to one person of its cluster; and
//! everyone has an item where that can be. Any such dataset could have been published as these chunks. It is not the original, and
//! its people are not those of the data.
//!
//! # Guarantees
//! Same chunks and seed, same dataset, with any number of threads. Supports inside a chunk are those of the data; across chunks they are what
//! chance makes of them; an item that stands in term chunks alone has the lowest support it may have.
//! # Cost
//! One pass over the chunks. Parts of a shared chunk that may belong to different clusters may have to make room for each other.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use throng_data::{Body, ChunkKind, Chunks, EventKind, EventsBuilder, ItemId, Layout, Nature, Release};

/// A possible dataset as a release of rows, one record a person; people beyond those of the clusters have an empty record.
pub fn reconstruct(release: &Release, chunks: &Chunks, seed: u64) -> Release {
    let mut people = people(chunks, seed);
    let most = release.people().max(people.len());
    people.resize(most, Vec::new());
    let mut builder = EventsBuilder::new(EventKind::Set, false);
    for (person, items) in (0..).zip(&people) {
        builder.push(person, items, &[]);
    }
    Release {
        body: Body::of_events(builder.finish(people.len())),
        nature: Nature::Perturbed,
        ..release.clone()
    }
}

/// The items of each person in one possible dataset, ascending, in random order of people.
pub fn people(chunks: &Chunks, seed: u64) -> Vec<Vec<ItemId>> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let layout = Layout::of(chunks);
    let mut first = vec![0];
    for cluster in &layout.simple {
        first.push(first[first.len() - 1] + layout.size(*cluster) as usize);
    }
    let mut drawing = Drawing { layout, parts: vec![Vec::new(); first[first.len() - 1]], first };
    for chunk in 0..chunks.len() {
        match chunks.kind(chunk) {
            ChunkKind::Record => drawing.give_record_chunk(chunk, &mut chance),
            ChunkKind::Shared => drawing.give_shared_chunk(chunk, &mut chance),
            ChunkKind::Term => {}
        }
    }
    let mut people = drawing.fill(&mut chance);
    people.shuffle(&mut chance);
    people
}

struct Drawing<'a> {
    layout: Layout<'a>,
    /// `first[c]..first[c + 1]` are the people of the simple cluster at place `c`.
    first: Vec<usize>,
    /// The parts that each person has, with their chunk.
    parts: Vec<Vec<(u32, u32)>>,
}

impl Drawing<'_> {
    fn give_record_chunk(&mut self, chunk: usize, chance: &mut ChaCha8Rng) {
        let place = self.layout.span[self.layout.chunks.cluster(chunk) as usize].start;
        let people = (self.first[place]..self.first[place + 1]).collect();
        self.give_anybody(chunk, people, chance);
    }

    /// Gives each part of a chunk to one of some people. No more are drawn than there are parts.
    fn give_anybody(&mut self, chunk: usize, mut people: Vec<usize>, chance: &mut ChaCha8Rng) {
        let parts = self.layout.chunks.parts(chunk);
        let (drawn, _) = people.partial_shuffle(chance, parts.len());
        for (part, person) in parts.zip(drawn) {
            self.parts[*person].push((chunk as u32, part as u32));
        }
    }

    /// Parts that may belong to few people choose first; one that finds no person moves others.
    fn give_shared_chunk(&mut self, chunk: usize, chance: &mut ChaCha8Rng) {
        let (chunks, layout) = (self.layout.chunks, &self.layout);
        let cluster = chunks.cluster(chunk);
        let span = layout.span[cluster as usize].clone();
        let begin = self.first[span.start];
        let people_of = |items: &[ItemId]| -> Vec<usize> {
            let open = layout.open(cluster, items);
            open.into_iter().flat_map(|places| self.first[places.start]..self.first[places.end]).collect()
        };
        let mut closed = layout.domain(chunk).iter().map(|item| layout.closed(cluster, *item));
        let first = closed.next();
        if closed.all(|other| Some(other) == first) {
            let people = people_of(layout.domain(chunk));
            self.give_anybody(chunk, people, chance);
            return;
        }
        let mut owner: Vec<Option<u32>> = vec![None; self.first[span.end] - begin];
        let mut wishes: Vec<(usize, Vec<usize>)> =
            chunks.parts(chunk).map(|part| (part, people_of(chunks.part(part)))).collect();
        wishes.iter_mut().for_each(|(_, people)| people.shuffle(chance));
        wishes.sort_by_key(|(_, people)| people.len());
        for at in 0..wishes.len() {
            let mut seen = vec![false; owner.len()];
            settle(at, &wishes, begin, &mut owner, &mut seen);
        }
        // What was written is the place in the list of wishes.
        for part in owner.iter_mut().flatten() {
            *part = wishes[*part as usize].0 as u32;
        }
        for (person, part) in owner.into_iter().enumerate() {
            if let Some(part) = part {
                self.parts[begin + person].push((chunk as u32, part));
            }
        }
    }

    /// Gives term chunks away, first to people without anything; then people without an item get a part of those who have several.
    fn fill(self, chance: &mut ChaCha8Rng) -> Vec<Vec<ItemId>> {
        let Drawing { layout, first, mut parts } = self;
        let chunks = layout.chunks;
        let mut people: Vec<Vec<ItemId>> = vec![Vec::new(); parts.len()];
        for (place, cluster) in layout.simple.iter().enumerate() {
            let own = first[place]..first[place + 1];
            let of_cluster = layout.of_cluster[*cluster as usize].iter().map(|chunk| *chunk as usize);
            let terms: Vec<ItemId> = of_cluster
                .filter(|chunk| chunks.kind(*chunk) == ChunkKind::Term)
                .flat_map(|chunk| layout.domain(chunk).to_vec())
                .collect();
            let mut bare: Vec<usize> = own.clone().filter(|person| parts[*person].is_empty()).collect();
            bare.shuffle(chance);
            for term in &terms {
                let anybody = || own.start + chance.random_range(0..own.len().max(1));
                let person = bare.pop().unwrap_or_else(anybody);
                if let Some(items) = people.get_mut(person) {
                    items.push(*term);
                }
            }
            for person in bare {
                if !terms.is_empty() {
                    people[person].push(terms[chance.random_range(0..terms.len())]);
                    continue;
                }
                // A part of a record chunk may go to anybody in the cluster who has none of that chunk.
                let own_part = |(chunk, _): &(u32, u32)| chunks.kind(*chunk as usize) == ChunkKind::Record;
                let rich =
                    own.clone().find(|other| parts[*other].len() > 1 && parts[*other].iter().any(own_part));
                if let Some(rich) = rich
                    && let Some(at) = parts[rich].iter().position(own_part)
                {
                    let part = parts[rich].swap_remove(at);
                    parts[person].push(part);
                }
            }
        }
        for (items, parts) in people.iter_mut().zip(&parts) {
            items.extend(parts.iter().flat_map(|(_, part)| chunks.part(*part as usize)));
            items.sort_unstable();
            items.dedup();
        }
        people
    }
}

/// Finds a person for a part, by moving others if need be. A person is tried once.
fn settle(
    at: usize,
    wishes: &[(usize, Vec<usize>)],
    begin: usize,
    owner: &mut [Option<u32>],
    seen: &mut [bool],
) -> bool {
    for person in wishes[at].1.iter().map(|person| person - begin) {
        if owner[person].is_none() {
            owner[person] = Some(at as u32);
            return true;
        }
    }
    for person in wishes[at].1.iter().map(|person| person - begin) {
        if std::mem::replace(&mut seen[person], true) {
            continue;
        }
        let Some(other) = owner[person] else { continue };
        if settle(other as usize, wishes, begin, owner, seen) {
            owner[person] = Some(at as u32);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use throng_data::Cluster;

    use super::*;

    #[test]
    fn a_possible_dataset_keeps_supports_and_leaves_no_one_out() {
        let mut chunks = Chunks::new();
        let joint = chunks.push_cluster(Cluster { parent: None, size: 8 });
        let one = chunks.push_cluster(Cluster { parent: Some(joint), size: 4 });
        let two = chunks.push_cluster(Cluster { parent: Some(joint), size: 4 });
        chunks.push_chunk(one, ChunkKind::Record);
        [[0, 1], [0, 1], [0, 1]].into_iter().for_each(|part| chunks.push_part(part));
        chunks.push_chunk(one, ChunkKind::Record);
        (0..3).for_each(|_| chunks.push_part([2]));
        chunks.push_chunk(two, ChunkKind::Record);
        (0..2).for_each(|_| chunks.push_part([3]));
        chunks.push_chunk(two, ChunkKind::Term);
        chunks.push_part([4]);
        chunks.push_chunk(joint, ChunkKind::Shared);
        // The item 2 stands nearer by in the first cluster: these parts belong to the second.
        (0..2).for_each(|_| chunks.push_part([2]));
        (0..3).for_each(|_| chunks.push_part([5]));
        for seed in 0..50 {
            let people = people(&chunks, seed);
            assert_eq!(people.len(), 8);
            assert!(people.iter().all(|items| !items.is_empty()), "{people:?}");
            let count = |item: ItemId| people.iter().filter(|items| items.contains(&item)).count();
            assert_eq!((count(0), count(1), count(2), count(3), count(5)), (3, 3, 5, 2, 3), "{people:?}");
            assert!(count(4) >= 1);
            let both = people.iter().filter(|items| items.contains(&0) && items.contains(&1)).count();
            assert_eq!(both, 3);
        }
        assert_eq!(people(&chunks, 1), people(&chunks, 1));
    }
}
