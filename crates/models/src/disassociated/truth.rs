//! Whether chunks hold what people have, where the data are at hand.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use throng_data::{ChunkKind, Dataset, ItemId, Layout, Release};

use super::Broken;

/// Compares every chunk with the people of its cluster, and counts sensitive items in each cluster.
pub(super) fn judge(
    layout: &Layout<'_>,
    release: &Release,
    original: &Dataset,
    cluster_of: &[u32],
    hidden: &BTreeSet<ItemId>,
    l: u64,
) -> Vec<Broken> {
    let whole = |support, needed, why| vec![Broken { items: Vec::new(), support, needed, cluster: 0, why }];
    let sets = sets(release, original);
    let people = sets.iter().filter(|set| !set.is_empty()).count() as u64;
    if layout.chunks.people() != people || cluster_of.len() != sets.len() {
        let why = "the clusters count other people than the data has: a person counts once";
        return whole(people, layout.chunks.people(), why);
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); layout.span.len()];
    for (person, cluster) in (0_u32..).zip(cluster_of) {
        match members.get_mut(*cluster as usize) {
            Some(members) => members.push(person),
            None if sets[person as usize].is_empty() => {}
            None => return whole(0, 1, "somebody with items is in no cluster"),
        }
    }
    let one_size = |cluster: &u32| members[*cluster as usize].len() as u64 == layout.size(*cluster);
    if !layout.simple.iter().all(one_size) {
        return whole(0, 0, "a cluster has other people than it says");
    }
    (0..layout.chunks.len())
        .into_par_iter()
        .flat_map_iter(|chunk| of_chunk(layout, chunk, &members, &sets, hidden, l))
        .collect()
}

/// The items of each person, in the numbers of the release, ascending.
fn sets(release: &Release, original: &Dataset) -> Vec<Vec<ItemId>> {
    let mut number = vec![None; original.items.len()];
    for (released, item) in (0..).zip(&release.alphabet) {
        for member in &item.members {
            if let Some(at) = original.items.find(release.base.name(*member)) {
                number[at as usize] = Some(released);
            }
        }
    }
    let events = &original.events;
    (0..events.subjects())
        .into_par_iter()
        .map(|person| {
            let items = events.records_of(person).flat_map(|record| events.record(record));
            let mut set: Vec<ItemId> = items.filter_map(|item| number[*item as usize]).collect();
            set.sort_unstable();
            set.dedup();
            set
        })
        .collect()
}

fn of_chunk(
    layout: &Layout<'_>,
    chunk: usize,
    members: &[Vec<u32>],
    sets: &[Vec<ItemId>],
    hidden: &BTreeSet<ItemId>,
    l: u64,
) -> Vec<Broken> {
    let chunks = layout.chunks;
    let (cluster, domain) = (chunks.cluster(chunk), layout.domain(chunk));
    let mut found = Vec::new();
    let mut say = |items: &[ItemId], support, needed, why| {
        found.push(Broken { items: items.to_vec(), support, needed, cluster, why });
    };
    if chunks.kind(chunk) == ChunkKind::Term {
        let mut holders: BTreeMap<ItemId, u64> = domain.iter().map(|item| (*item, 0)).collect();
        for person in &members[cluster as usize] {
            for item in &sets[*person as usize] {
                if let Some(count) = holders.get_mut(item) {
                    *count += 1;
                }
            }
        }
        for (item, count) in holders {
            if count == 0 {
                say(&[item], 0, 1, "a term chunk names an item that nobody has");
            }
            if hidden.contains(&item) && count.saturating_mul(l) > layout.size(cluster) {
                say(
                    &[item],
                    count,
                    layout.size(cluster) / l,
                    "too many people of a cluster have a sensitive item",
                );
            }
        }
        return found;
    }
    // Where an item begins and ceases to stand nearer by, along the simple clusters.
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for (at, item) in domain.iter().enumerate() {
        turns
            .extend(layout.closed(cluster, *item).iter().flat_map(|span| [(span.start, at), (span.end, at)]));
    }
    turns.sort_unstable();
    let mut turns = turns.into_iter().peekable();
    let mut is_closed = vec![false; domain.len()];
    let mut held: Vec<Vec<ItemId>> = Vec::new();
    for place in layout.span[cluster as usize].clone() {
        while let Some((_, at)) = turns.next_if(|(turn, _)| *turn <= place) {
            is_closed[at] = !is_closed[at];
        }
        for person in &members[layout.simple[place] as usize] {
            let is_open = |item: &&ItemId| domain.binary_search(item).is_ok_and(|at| !is_closed[at]);
            let part: Vec<ItemId> = sets[*person as usize].iter().filter(is_open).copied().collect();
            if !part.is_empty() {
                held.push(part);
            }
        }
    }
    held.sort_unstable();
    let mut parts: Vec<&[ItemId]> = chunks.parts(chunk).map(|part| chunks.part(part)).collect();
    parts.sort_unstable();
    if !held.iter().map(Vec::as_slice).eq(parts.iter().copied()) {
        say(&[], held.len() as u64, parts.len() as u64, "a chunk holds something else than its people have");
    }
    found
}
