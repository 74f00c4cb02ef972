//! How many people have a set of items, read off chunks alone: limits that hold in every possible dataset, and an estimate.
//!
//! Every simple cluster sees an item in one place: a chunk of its own, or a shared chunk of the nearest cluster above. What one part
//! of a chunk holds together one person has, whatever the world. Where the items of a set stand in several chunks, of `n` people
//! `a` have the first ones and `b` the others, so that at least `a + b - n` and at most the fewer of `a` and `b` have all.
//! Parts of a shared chunk may go to several clusters: as few as the others leave, as many as there are.
//!
//! # Reference
//! TLMS12: Terrovitis, Liagouris, Mamoulis, Skiadopoulos. Privacy preservation by disassociation. PVLDB 5(10), 2012, section 6, where the
//! limits are those of one chunk alone.
//! # Guarantees
//! No possible dataset has fewer people with the set than `lower`, and none more than `upper`; sums over clusters are not
//! always reached. The estimate lies between them: it is what averages over many reconstructions come to, up to what these do for
//! people who would be left without an item.
//! # Cost
//! One pass over the parts for the items that are asked for; for each set as many steps as its items have places.
//! # Departs from the paper
//! Limits across chunks and the estimate are added. An item of a term chunk is estimated at one person a cluster, the fewest
//! it may have, as in [`crate::reconstruction`].

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::{ChunkKind, Chunks, Forest, ItemId, Release};

/// How many people have a set of items.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Support {
    /// As many at least, in every possible dataset.
    pub lower: u64,
    /// So many on average.
    pub estimate: f64,
    /// As many at most, in every possible dataset.
    pub upper: u64,
}

impl Support {
    fn exactly(people: u64) -> Self {
        Support { lower: people, estimate: people as f64, upper: people }
    }
}

/// The supports of sets of original items, by their numbers in the release's base, in the order of the sets. An item that the
/// release does not name has support 0; everyone has the empty set.
pub fn supports(
    release: &Release,
    chunks: &Chunks,
    sets: &[Vec<ItemId>],
    progress: &Progress,
) -> Result<Vec<Support>, Cancelled> {
    let mut released: Vec<Option<ItemId>> = vec![None; release.base.len()];
    for (number, item) in (0..).zip(&release.alphabet) {
        if let [member] = item.members[..] {
            released[member as usize] = Some(number);
        }
    }
    let renumbered: Vec<Option<Vec<ItemId>>> = sets
        .iter()
        .map(|set| set.iter().map(|item| released.get(*item as usize).copied().flatten()).collect())
        .collect();
    supports_of_released(chunks, renumbered, progress)
}

/// The same for sets of released items; what is `None` has support 0.
pub fn supports_of_released(
    chunks: &Chunks,
    sets: Vec<Option<Vec<ItemId>>>,
    progress: &Progress,
) -> Result<Vec<Support>, Cancelled> {
    let most = sets.iter().flatten().flatten().max().map_or(0, |item| *item as usize + 1);
    let mut asked = vec![false; most];
    sets.iter().flatten().flatten().for_each(|item| asked[*item as usize] = true);
    let stands = Stands::of(chunks, &asked);
    let phase = progress.phase("read chunks", Some(sets.len() as u64));
    sets.into_par_iter()
        .map(|set| {
            phase.advance(1)?;
            Ok(set.map_or_else(Support::default, |set| stands.support(set)))
        })
        .collect()
}

/// Where an item stands: a chunk, and the simple clusters below the chunk's own.
struct Stand {
    chunk: u32,
    span: Range<usize>,
}

/// Some simple clusters that stand side by side, and the chunks in which they see items.
type Seen = (Range<usize>, Vec<u32>);

/// Where the items stand that are asked for.
struct Stands<'a> {
    layout: Forest<'a>,
    /// By item: outer places before inner ones.
    stands: Vec<Vec<Stand>>,
    /// By item: the parts that have it, ascending.
    parts: Vec<Vec<u32>>,
}

impl<'a> Stands<'a> {
    fn of(chunks: &'a Chunks, asked: &[bool]) -> Self {
        let layout = Forest::of(chunks);
        let mut stands: Vec<Vec<Stand>> = asked.iter().map(|_| Vec::new()).collect();
        let mut parts: Vec<Vec<u32>> = vec![Vec::new(); asked.len()];
        for chunk in 0..chunks.len() {
            let span = &layout.span[chunks.cluster(chunk) as usize];
            for part in chunks.parts(chunk) {
                for item in chunks.part(part).iter().map(|item| *item as usize) {
                    if !asked.get(item).copied().unwrap_or(false) {
                        continue;
                    }
                    parts[item].push(part as u32);
                    if stands[item].last().is_none_or(|last| last.chunk != chunk as u32) {
                        stands[item].push(Stand { chunk: chunk as u32, span: span.clone() });
                    }
                }
            }
        }
        let parent = |cluster: &u32| chunks.clusters()[*cluster as usize].parent;
        let depth = |chunk: u32| {
            std::iter::successors(Some(chunks.cluster(chunk as usize)), |cluster| parent(cluster)).count()
        };
        for stands in &mut stands {
            // Clusters with the same people below are told apart by their depth.
            stands.sort_by_cached_key(|stand| {
                (stand.span.start, std::cmp::Reverse(stand.span.end), depth(stand.chunk))
            });
        }
        Stands { layout, stands, parts }
    }

    fn support(&self, mut set: Vec<ItemId>) -> Support {
        set.sort_unstable();
        set.dedup();
        if set.is_empty() {
            return Support::exactly(self.layout.chunks.people());
        }
        let mut total = Support::default();
        let everywhere = 0..self.layout.simple.len();
        for (chunks, spans) in by_chunks(self.seen(&set, &everywhere)) {
            let found = self.in_clusters(&set, &chunks, &spans);
            total.lower += found.lower;
            total.estimate += found.estimate;
            total.upper += found.upper;
        }
        // Parts of a shared chunk were counted for each cluster that may have them, and cannot go to all.
        let most = set.iter().map(|item| self.most_holders(*item)).min();
        total.upper = total.upper.min(most.unwrap_or(u64::MAX)).max(total.lower);
        total.estimate = total.estimate.clamp(total.lower as f64, total.upper as f64);
        total
    }

    /// The simple clusters below one that see all the items, with the chunk of each item.
    fn seen(&self, set: &[ItemId], below: &Range<usize>) -> Vec<Seen> {
        let mut all: Option<Vec<Seen>> = None;
        for item in set {
            let stands = &self.stands[*item as usize];
            let from = stands.partition_point(|stand| stand.span.start < below.start);
            let until = stands.partition_point(|stand| stand.span.start < below.end);
            let one = nearest(&stands[from..until]);
            all = Some(match all {
                None => one.into_iter().map(|(span, chunk)| (span, vec![chunk])).collect(),
                Some(before) => both(&before, &one),
            });
        }
        all.unwrap_or_default()
    }

    /// The people of some clusters, who see the items in the same chunks.
    fn in_clusters(&self, set: &[ItemId], chunks: &[u32], spans: &[Range<usize>]) -> Support {
        let people: u64 = spans.iter().map(|span| self.layout.people(span)).sum();
        let mut held: BTreeMap<u32, Vec<ItemId>> = BTreeMap::new();
        let mut terms = 0_u64;
        for (item, chunk) in set.iter().zip(chunks) {
            match self.layout.chunks.kind(*chunk as usize) {
                ChunkKind::Term => terms += 1,
                ChunkKind::Record | ChunkKind::Shared => held.entry(*chunk).or_default().push(*item),
            }
        }
        if let (0, 1, Some((chunk, items))) = (terms, held.len(), held.iter().next()) {
            return Support::exactly(self.parts_with(*chunk, items));
        }
        // Of a term chunk it is known that at least one person has each item.
        let mut fewest = terms;
        let mut chance = (1.0 / people.max(1) as f64).powi(terms as i32);
        let mut upper = people;
        for (chunk, items) in &held {
            let parts = self.parts_with(*chunk, items);
            let open = self.may_have(*chunk, items).max(people);
            fewest += parts.saturating_sub(open - people);
            chance *= (parts as f64 / open.max(1) as f64).min(1.0);
            upper = upper.min(parts);
        }
        if let ([span], true) = (spans, held.len() > 1)
            && span.len() == 1
            && let Some(spare) = self.spare_parts(span.start)
        {
            upper = upper.min(spare / (held.len() as u64 - 1));
        }
        let beside = (held.len() as u64 + terms).saturating_sub(1).saturating_mul(people);
        let lower = fewest.saturating_sub(beside).min(upper);
        Support { lower, estimate: people as f64 * chance, upper }
    }

    /// How many parts of a chunk have all the items.
    fn parts_with(&self, chunk: u32, items: &[ItemId]) -> u64 {
        let lists: Vec<&[u32]> = items.iter().map(|item| self.parts_of(*item, chunk)).collect();
        let Some((first, others)) = lists.split_first() else { return 0 };
        let in_all = |part: &&u32| others.iter().all(|list| list.binary_search(part).is_ok());
        first.iter().filter(in_all).count() as u64
    }

    fn parts_of(&self, item: ItemId, chunk: u32) -> &[u32] {
        let (all, of_chunk) = (&self.parts[item as usize], self.layout.chunks.parts(chunk as usize));
        let place = |end: usize| all.partition_point(|part| (*part as usize) < end);
        &all[place(of_chunk.start)..place(of_chunk.end)]
    }

    /// How many people may have a part of a chunk that holds the items.
    fn may_have(&self, chunk: u32, items: &[ItemId]) -> u64 {
        let cluster = self.layout.chunks.cluster(chunk as usize);
        match self.layout.chunks.kind(chunk as usize) {
            ChunkKind::Shared => {
                let seen = self.seen(items, &self.layout.span[cluster as usize]);
                let here = seen.iter().filter(|(_, at)| at.iter().all(|at| *at == chunk));
                here.map(|(span, _)| self.layout.people(span)).sum()
            }
            ChunkKind::Record | ChunkKind::Term => self.layout.size(cluster),
        }
    }

    /// How many parts the people of a simple cluster may have beyond one each; `None` if a term chunk may fill anybody up.
    fn spare_parts(&self, place: usize) -> Option<u64> {
        let (layout, chunks) = (&self.layout, self.layout.chunks);
        let own = layout.simple[place];
        let people = layout.size(own);
        let parent = |cluster: &u32| chunks.clusters()[*cluster as usize].parent;
        let mut parts = 0;
        for cluster in std::iter::successors(Some(own), parent) {
            for chunk in layout.of_cluster[cluster as usize].iter().map(|chunk| *chunk as usize) {
                if chunks.kind(chunk) == ChunkKind::Term {
                    return None;
                }
                parts += (chunks.parts(chunk).len() as u64).min(people);
            }
        }
        Some(parts.saturating_sub(people))
    }

    /// How many people have an item at most.
    fn most_holders(&self, item: ItemId) -> u64 {
        let of_stand = |stand: &Stand| match self.layout.chunks.kind(stand.chunk as usize) {
            ChunkKind::Term => self.layout.people(&stand.span),
            ChunkKind::Record | ChunkKind::Shared => self.parts_of(item, stand.chunk).len() as u64,
        };
        self.stands[item as usize].iter().map(of_stand).sum()
    }
}

/// The place of an item that each simple cluster sees: the innermost. Places come outer ones first, and lie inside each other or apart.
fn nearest(stands: &[Stand]) -> Vec<(Range<usize>, u32)> {
    let mut seen = Vec::new();
    let mut open: Vec<&Stand> = Vec::new();
    let mut at = 0;
    let mut until = |end: usize, at: &mut usize, chunk: u32| {
        if end > *at {
            seen.push((*at..end, chunk));
            *at = end;
        }
    };
    for stand in stands {
        while let Some(last) = open.pop_if(|last| last.span.end <= stand.span.start) {
            until(last.span.end, &mut at, last.chunk);
        }
        if let Some(last) = open.last() {
            until(stand.span.start, &mut at, last.chunk);
        }
        at = at.max(stand.span.start);
        open.push(stand);
    }
    while let Some(last) = open.pop() {
        until(last.span.end, &mut at, last.chunk);
    }
    seen
}

/// The clusters that see some items and one more.
fn both(before: &[Seen], item: &[(Range<usize>, u32)]) -> Vec<Seen> {
    let mut found = Vec::new();
    let (mut left, mut right) = (0, 0);
    while let (Some((one, chunks)), Some((other, chunk))) = (before.get(left), item.get(right)) {
        let span = one.start.max(other.start)..one.end.min(other.end);
        if !span.is_empty() {
            found.push((span, [&chunks[..], &[*chunk]].concat()));
        }
        if one.end <= other.end {
            left += 1;
        } else {
            right += 1;
        }
    }
    found
}

/// Clusters that see the items in the same chunks, together.
fn by_chunks(seen: Vec<Seen>) -> BTreeMap<Vec<u32>, Vec<Range<usize>>> {
    let mut found: BTreeMap<Vec<u32>, Vec<Range<usize>>> = BTreeMap::new();
    for (span, chunks) in seen {
        found.entry(chunks).or_default().push(span);
    }
    found
}

#[cfg(test)]
mod tests {
    use throng_data::Cluster;

    use super::*;

    fn support(chunks: &Chunks, set: &[ItemId]) -> Support {
        Stands::of(chunks, &[true; 9]).support(set.to_vec())
    }

    #[test]
    fn parts_are_certain_and_chunks_of_a_cluster_meet_where_they_must() {
        // Figure 4 of the paper: a, a, a and bc, bc, bc among five people. Everyone needs an item.
        let mut chunks = Chunks::new();
        let cluster = chunks.push_cluster(Cluster { parent: None, size: 5 });
        chunks.push_chunk(cluster, ChunkKind::Record);
        (0..3).for_each(|_| chunks.push_part([0]));
        chunks.push_chunk(cluster, ChunkKind::Record);
        (0..3).for_each(|_| chunks.push_part([1, 2]));
        assert_eq!(support(&chunks, &[1, 2]), Support::exactly(3));
        let across = support(&chunks, &[0, 1]);
        assert_eq!((across.lower, across.upper), (1, 1));
        assert_eq!(support(&chunks, &[0, 3]), Support::default());
        assert_eq!(support(&chunks, &[]), Support::exactly(5));
        // With an item to fill people up the two may meet three times, and do so 9/5 times on average.
        chunks.push_chunk(cluster, ChunkKind::Term);
        chunks.push_part([3]);
        let across = support(&chunks, &[0, 1]);
        assert_eq!((across.lower, across.upper), (1, 3));
        assert!((across.estimate - 1.8).abs() < 1e-9);
        assert_eq!(support(&chunks, &[3]), Support { lower: 1, estimate: 1.0, upper: 5 });
        assert_eq!((support(&chunks, &[0, 3]).lower, support(&chunks, &[0, 3]).upper), (0, 3));
    }

    #[test]
    fn parts_of_a_shared_chunk_go_where_the_item_does_not_stand_nearer_by() {
        let mut chunks = Chunks::new();
        let joint = chunks.push_cluster(Cluster { parent: None, size: 8 });
        let one = chunks.push_cluster(Cluster { parent: Some(joint), size: 4 });
        let two = chunks.push_cluster(Cluster { parent: Some(joint), size: 4 });
        chunks.push_chunk(one, ChunkKind::Record);
        (0..4).for_each(|_| chunks.push_part([0, 1]));
        chunks.push_chunk(two, ChunkKind::Record);
        (0..4).for_each(|_| chunks.push_part([2]));
        chunks.push_chunk(joint, ChunkKind::Shared);
        (0..3).for_each(|_| chunks.push_part([0]));
        // The first cluster has its own 0: these three are of the second, where everybody has 2.
        assert_eq!(support(&chunks, &[0]), Support::exactly(7));
        assert_eq!(support(&chunks, &[0, 2]), Support::exactly(3));
        assert_eq!(support(&chunks, &[0, 1]), Support::exactly(4));
        (0..5).for_each(|_| chunks.push_part([5]));
        // Of five parts at least one is in each cluster of four, as one in two would be on average.
        let of_both = support(&chunks, &[2, 5]);
        assert_eq!((of_both.lower, of_both.estimate, of_both.upper), (1, 2.5, 4));
    }
}
