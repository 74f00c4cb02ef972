//! VERPART: the terms of a cluster are divided among record chunks and a term chunk.

use throng_data::ItemId;

use super::partition::Partition;
use super::people::{Holders, People};
use super::safe::Bound;

/// A simple cluster and where its terms went.
pub(super) struct Simple {
    /// Its people.
    pub people: Vec<u32>,
    /// The terms of each record chunk, by descending support; with each how many have it.
    pub chunks: Vec<Vec<(u32, u32)>>,
    /// The term chunk but for sensitive items: terms and who has them, both ascending.
    pub rest: Vec<(u32, u32)>,
    /// The sensitive items of the term chunk, ascending.
    pub secrets: Vec<ItemId>,
    /// Whether its record chunks alone have parts enough for Lemma 2.
    pub stands_alone: bool,
    /// Terms that moved to the term chunk so that Lemma 2 holds.
    pub moved_for_lemma: Vec<u32>,
    /// Terms that moved to the term chunk so that less can be inferred across chunks, with how many have them.
    pub moved_for_safety: Vec<(u32, u32)>,
}

/// What chunks must keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub k: usize,
    pub m: usize,
    /// What may be inferred across chunks at most.
    pub bound: Option<Bound>,
}

/// Whether parts of record chunks alone fill a cluster whose term chunk is empty, whatever `k` of its people have in common
/// (Lemma 2). A cluster without a record chunk has nothing to fill it.
pub(super) fn stands_alone(parts: &[usize], size: usize, rule: Rule) -> bool {
    let spread = rule.m.min(parts.len()).max(1);
    parts.iter().sum::<usize>() >= size + rule.k * (spread - 1)
}

/// Divides the terms of a cluster.
pub(super) fn verpart(people: &People, own: Vec<u32>, rule: Rule) -> Simple {
    let holders = Holders::of(people, &own);
    let mut frequent: Vec<usize> =
        (0..holders.terms.len()).filter(|at| holders.support(*at) >= rule.k).collect();
    // The sort is stable: what is equally frequent stays in the order of names.
    frequent.sort_by_key(|at| std::cmp::Reverse(holders.support(*at)));
    let lists: Vec<&[u32]> = frequent.iter().map(|at| holders.at(*at)).collect();
    let nowhere = vec![0; lists.len()];
    let partition = Partition {
        holders: &lists,
        rows: own.len(),
        k: rule.k,
        m: rule.m,
        elsewhere: &nowhere,
        mixed: false,
    };
    // Positions in `frequent` ascend with falling support.
    let mut chunks = partition.chunks();
    let support = |position: &usize| lists[*position].len() as u64;
    let mut moved_for_safety = Vec::new();
    if let Some(bound) = rule.bound {
        while let Some(linked) = bound.rarest_linked(&chunks, support, own.len() as u64) {
            chunks.iter_mut().for_each(|chunk| chunk.retain(|position| *position != linked));
            chunks.retain(|chunk| !chunk.is_empty());
            moved_for_safety.push((holders.terms[frequent[linked]], lists[linked].len() as u32));
        }
    }
    let mut secrets: Vec<ItemId> = own.iter().flat_map(|person| people.secrets(*person)).copied().collect();
    secrets.sort_unstable();
    secrets.dedup();
    let mut alone = stands_alone(&parts(&chunks, &lists, own.len()), own.len(), rule);
    let mut moved_for_lemma = Vec::new();
    let nothing_rare = frequent.len() == holders.terms.len() && moved_for_safety.is_empty();
    if nothing_rare && !alone {
        // The least frequent term leaves its chunk: then the term chunk covers the people who are left.
        if let Some(last) = chunks.iter().flatten().copied().max() {
            chunks.iter_mut().for_each(|chunk| chunk.retain(|position| *position != last));
            chunks.retain(|chunk| !chunk.is_empty());
            moved_for_lemma.push(holders.terms[frequent[last]]);
            alone = stands_alone(&parts(&chunks, &lists, own.len()), own.len(), rule);
        }
    }
    let mut is_in_chunk = vec![false; holders.terms.len()];
    chunks.iter().flatten().for_each(|position| is_in_chunk[frequent[*position]] = true);
    let mut rest = Vec::new();
    for (at, term) in holders.terms.iter().enumerate().filter(|(at, _)| !is_in_chunk[*at]) {
        rest.extend(holders.at(at).iter().map(|place| (*term, own[*place as usize])));
    }
    let named = |position: &usize| (holders.terms[frequent[*position]], lists[*position].len() as u32);
    let chunks = chunks.iter().map(|chunk| chunk.iter().map(named).collect()).collect();
    Simple { people: own, chunks, rest, secrets, stands_alone: alone, moved_for_lemma, moved_for_safety }
}

/// How many people have something of each chunk.
fn parts(chunks: &[Vec<usize>], lists: &[&[u32]], size: usize) -> Vec<usize> {
    let mut last = vec![usize::MAX; size];
    let mut counts = Vec::with_capacity(chunks.len());
    for (number, chunk) in chunks.iter().enumerate() {
        let mut count = 0;
        for place in chunk.iter().flat_map(|position| lists[*position]) {
            count += usize::from(std::mem::replace(&mut last[*place as usize], number) != number);
        }
        counts.push(count);
    }
    counts
}
