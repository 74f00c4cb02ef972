//! Which items to take away from everybody so that no broken pattern is left.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

/// Items in the order in which they were chosen, each with the number of patterns it cleared.
///
/// The item that clears most patterns for each of its events comes first; of several, the one with fewer events.
/// `patterns` are patterns of `size` items one after the other, `events[item]` how often an item occurs.
pub(super) fn cover(
    patterns: &[ItemId],
    size: usize,
    events: &[u64],
    progress: &Progress,
) -> Result<Vec<(ItemId, u64)>, Cancelled> {
    let mut offsets = vec![0_usize; events.len() + 1];
    let once = |pattern: &[ItemId], at: usize| !pattern[..at].contains(&pattern[at]);
    let members = || {
        patterns.chunks_exact(size).enumerate().flat_map(move |(number, pattern)| {
            let distinct = (0..size).filter(move |at| once(pattern, *at));
            distinct.map(move |at| (pattern[at] as usize, number as u32))
        })
    };
    members().for_each(|(item, _)| offsets[item + 1] += 1);
    (0..events.len()).for_each(|item| offsets[item + 1] += offsets[item]);
    let mut next = offsets.clone();
    let mut having = vec![0_u32; offsets[events.len()]];
    for (item, number) in members() {
        having[next[item]] = number;
        next[item] += 1;
    }
    let mut clears: Vec<u64> =
        (0..events.len()).map(|item| (offsets[item + 1] - offsets[item]) as u64).collect();
    let offer =
        |item: usize, clears: u64| Offer { clears, events: events[item].max(1), item: item as ItemId };
    let mut offers: BinaryHeap<Offer> =
        (0..events.len()).filter(|item| clears[*item] > 0).map(|item| offer(item, clears[item])).collect();
    let mut cleared = vec![false; patterns.len() / size];
    let mut chosen = Vec::new();
    while let Some(best) = offers.pop() {
        progress.check()?;
        let item = best.item as usize;
        if clears[item] < best.clears {
            // Others have cleared some of its patterns since: it is offered again for what is left.
            if clears[item] > 0 {
                offers.push(offer(item, clears[item]));
            }
            continue;
        }
        chosen.push((best.item, best.clears));
        for number in &having[offsets[item]..offsets[item + 1]] {
            if std::mem::replace(&mut cleared[*number as usize], true) {
                continue;
            }
            let pattern = &patterns[*number as usize * size..(*number as usize + 1) * size];
            for at in (0..size).filter(|at| once(pattern, *at)) {
                clears[pattern[at] as usize] -= 1;
            }
        }
    }
    Ok(chosen)
}

/// An item that may be taken away.
#[derive(Debug, PartialEq, Eq)]
struct Offer {
    clears: u64,
    events: u64,
    item: ItemId,
}

impl Ord for Offer {
    fn cmp(&self, other: &Offer) -> Ordering {
        let gain = |a: &Offer, b: &Offer| u128::from(a.clears) * u128::from(b.events);
        let by_gain = gain(self, other).cmp(&gain(other, self));
        by_gain.then(other.events.cmp(&self.events)).then(other.item.cmp(&self.item))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Offer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clears_most_for_its_events_goes_first() {
        // Item 0 is in three patterns and has six events; item 3 is in two and has one.
        let patterns = [0, 1, 0, 3, 3, 0, 2, 2];
        let chosen = cover(&patterns, 2, &[6, 9, 2, 1], &Progress::silent()).unwrap();
        assert_eq!(chosen, [(3, 2), (2, 1), (0, 1)]);
    }
}
