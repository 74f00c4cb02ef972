//! Whether `k` like parts of a shared chunk can belong to any one cluster that may have them, and all others still find people.
//!
//! A part belongs to no person of a cluster that has one of its items nearer by. Where all parts of a chunk may belong to the same clusters, it is
//! enough that these have as many people as there are parts. Otherwise parts compete for people, and every kind of part is
//! tried at every kind of cluster, by a flow.

use std::collections::BTreeMap;
use std::ops::Range;

use throng_data::{ItemId, Layout};

use super::chunk::alike;

/// Kinds of parts times kinds of clusters that are tried.
const MOST_TRIED: usize = 4096;

/// How many people a part with these items may belong to, where all parts of the chunk may belong to the same.
pub(super) fn reach(layout: &Layout<'_>, cluster: u32, item: ItemId) -> u64 {
    let closed: u64 = layout.closed(cluster, item).iter().map(|span| layout.people(span)).sum();
    layout.people(&layout.span[cluster as usize]).saturating_sub(closed)
}

/// What is wrong with a shared chunk, if anything.
pub(super) fn judge(layout: &Layout<'_>, chunk: usize, k: u64) -> Result<(), &'static str> {
    let cluster = layout.chunks.cluster(chunk);
    let closed: BTreeMap<ItemId, Vec<Range<usize>>> =
        layout.domain(chunk).iter().map(|item| (*item, layout.closed(cluster, *item))).collect();
    let mut lists = closed.values();
    let first = lists.next();
    if lists.all(|list| Some(list) == first) {
        let people = closed.keys().next().map_or(0, |item| reach(layout, cluster, *item));
        return match layout.chunks.parts(chunk).len() as u64 <= people {
            true => Ok(()),
            false => Err("there are more parts than people to whom they may belong"),
        };
    }
    compete(layout, chunk, &closed, k)
}

/// The general case: kinds of parts against kinds of clusters.
fn compete(
    layout: &Layout<'_>,
    chunk: usize,
    closed: &BTreeMap<ItemId, Vec<Range<usize>>>,
    k: u64,
) -> Result<(), &'static str> {
    const CROWDED: &str =
        "k like parts cannot belong to one cluster that may have them: the others would find no people";
    let parts = alike(layout.chunks, chunk);
    let own = layout.span[layout.chunks.cluster(chunk) as usize].clone();
    if own.len().saturating_mul(parts.len()) > 1 << 22 {
        return Err("it is too large to show that its parts find people");
    }
    // Clusters are of one kind if they may have the same parts.
    let is_closed = |place: usize, item: &ItemId| closed[item].iter().any(|span| span.contains(&place));
    let mut kinds: BTreeMap<Vec<bool>, u64> = BTreeMap::new();
    for place in own {
        let may: Vec<bool> =
            parts.keys().map(|part| !part.iter().any(|item| is_closed(place, item))).collect();
        *kinds.entry(may).or_default() += layout.people(&(place..place + 1));
    }
    let supplies: Vec<u64> = parts.values().copied().collect();
    let kinds: Vec<(Vec<bool>, u64)> = kinds.into_iter().collect();
    if supplies.len().saturating_mul(kinds.len()) > MOST_TRIED {
        return Err("it is too large to show that its parts find people");
    }
    for (part, count) in supplies.iter().enumerate() {
        for kind in (0..kinds.len()).filter(|kind| kinds[*kind].0[part]) {
            let (mut supplies, mut kinds) = (supplies.clone(), kinds.clone());
            if *count < k || kinds[kind].1 < k {
                return Err(CROWDED);
            }
            supplies[part] -= k;
            kinds[kind].1 -= k;
            if !all_find_people(&supplies, &kinds) {
                return Err(CROWDED);
            }
        }
    }
    Ok(())
}

/// Whether all parts find people: a flow from kinds of parts to kinds of clusters, improved until it cannot be.
fn all_find_people(supplies: &[u64], kinds: &[(Vec<bool>, u64)]) -> bool {
    let mut flow = vec![vec![0_u64; kinds.len()]; supplies.len()];
    let mut free: Vec<u64> = kinds.iter().map(|(_, people)| *people).collect();
    for (part, count) in supplies.iter().enumerate() {
        let mut left = *count;
        while left > 0 {
            let mut seen = vec![false; kinds.len()];
            match push(part, left, kinds, &mut flow, &mut free, &mut seen) {
                0 => return false,
                moved => left -= moved,
            }
        }
    }
    true
}

/// Finds people for up to `amount` parts of a kind, moving others where that helps.
fn push(
    part: usize,
    amount: u64,
    kinds: &[(Vec<bool>, u64)],
    flow: &mut [Vec<u64>],
    free: &mut [u64],
    seen: &mut [bool],
) -> u64 {
    for kind in 0..kinds.len() {
        if !kinds[kind].0[part] || std::mem::replace(&mut seen[kind], true) {
            continue;
        }
        let mut moved = amount.min(free[kind]);
        if moved > 0 {
            free[kind] -= moved;
        } else {
            for other in 0..flow.len() {
                let there = flow[other][kind];
                if other == part || there == 0 {
                    continue;
                }
                moved = push(other, amount.min(there), kinds, flow, free, seen);
                if moved > 0 {
                    flow[other][kind] -= moved;
                    break;
                }
            }
        }
        if moved > 0 {
            flow[part][kind] += moved;
            return moved;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Hall's condition: whatever kinds of parts are taken together, the clusters that may have one of them have people enough.
    fn by_hall(supplies: &[u64], kinds: &[(Vec<bool>, u64)]) -> bool {
        (0..1_u32 << supplies.len()).all(|taken| {
            let parts = || (0..supplies.len()).filter(move |part| taken >> part & 1 == 1);
            let people =
                kinds.iter().filter(|(may, _)| parts().any(|part| may[part])).map(|(_, people)| people);
            parts().map(|part| supplies[part]).sum::<u64>() <= people.sum()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn all_parts_find_people_exactly_if_no_kinds_of_them_are_too_many(
            supplies in prop::collection::vec(0..5_u64, 3),
            kinds in prop::collection::vec((prop::collection::vec(any::<bool>(), 3), 0..5_u64), 1..5),
        ) {
            prop_assert_eq!(all_find_people(&supplies, &kinds), by_hall(&supplies, &kinds));
        }
    }
}
