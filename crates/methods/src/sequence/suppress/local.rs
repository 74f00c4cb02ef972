//! Which events of one record to take away so that it shows nothing that is not safe.

use throng_data::ItemId;

use super::patterns::Safe;

/// Patterns of three and more that are looked at together; the others wait until those are gone.
const TOGETHER: usize = 4096;
/// A record is given events back if that needs at most so many looks.
const MOST_LOOKS: usize = 1_000_000;

/// The places to take away from a record, ascending. All its shorter patterns are safe; `people` have each item.
///
/// The event that takes part in most matches of broken patterns goes first, then the next. Of several, the one whose item
/// fewer people have.
pub(super) fn taken_away(record: &[ItemId], size: usize, safe: &Safe, people: &[u64]) -> Vec<u32> {
    match size {
        1 => {
            let rare = |at: &u32| !safe.contains(safe.longer(Safe::NOTHING, record[*at as usize]));
            (0..record.len() as u32).filter(rare).collect()
        }
        2 => from_pairs(record, safe, people),
        _ => from_longer(record, size, safe, people),
    }
}

fn from_pairs(record: &[ItemId], safe: &Safe, people: &[u64]) -> Vec<u32> {
    let mut distinct = record.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let number = |item: &ItemId| distinct.binary_search(item).unwrap_or_default();
    let symbols: Vec<usize> = record.iter().map(number).collect();
    let width = distinct.len();
    // Of every ordered pair: not asked yet, safe, broken.
    let mut known = vec![0_u8; width * width];
    let mut counts = vec![0_u32; width];
    let mut conflicts = vec![0_u64; record.len()];
    let mut any = false;
    // A look at all that come before, and again at all that come after.
    for (at, symbol) in symbols.iter().enumerate() {
        for (other, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let pair = &mut known[other * width + symbol];
            if *pair == 0 {
                *pair = if safe.has_pair(distinct[other], distinct[*symbol]) { 1 } else { 2 };
            }
            if *pair == 2 {
                conflicts[at] += u64::from(*count);
                any = true;
            }
        }
        counts[*symbol] += 1;
    }
    if !any {
        return Vec::new();
    }
    counts.fill(0);
    for (at, symbol) in symbols.iter().enumerate().rev() {
        let later = known[symbol * width..(symbol + 1) * width].iter().zip(&counts);
        conflicts[at] +=
            later.filter(|(pair, _)| **pair == 2).map(|(_, count)| u64::from(*count)).sum::<u64>();
        counts[*symbol] += 1;
    }
    let mut taken = vec![false; record.len()];
    while let Some(worst) = worst(record, &conflicts, people) {
        taken[worst] = true;
        conflicts[worst] = 0;
        for at in (0..record.len()).filter(|at| !taken[*at]) {
            let (first, second) = if at < worst { (at, worst) } else { (worst, at) };
            conflicts[at] -= u64::from(known[symbols[first] * width + symbols[second]] == 2);
        }
    }
    (0..record.len() as u32).filter(|at| taken[*at as usize]).collect()
}

/// The place with most conflicts, then of the item that fewest people have, then the last one.
fn worst(record: &[ItemId], conflicts: &[u64], people: &[u64]) -> Option<usize> {
    let among = (0..record.len()).filter(|at| conflicts[*at] > 0);
    among.max_by_key(|at| (conflicts[*at], std::cmp::Reverse(people[record[*at] as usize]), *at))
}

fn from_longer(record: &[ItemId], size: usize, safe: &Safe, people: &[u64]) -> Vec<u32> {
    let mut left: Vec<u32> = (0..record.len() as u32).collect();
    let mut taken = Vec::new();
    loop {
        let items: Vec<ItemId> = left.iter().map(|at| record[*at as usize]).collect();
        let mut search = Search { record: &items, size, safe, found: Vec::new(), pattern: Vec::new() };
        search.below(0, Safe::NOTHING);
        let found = search.found;
        if found.is_empty() {
            break;
        }
        let mut conflicts = vec![0; items.len()];
        found.iter().for_each(|pattern| add_matches(&items, pattern, &mut conflicts));
        let Some(worst) = worst(&items, &conflicts, people) else { break };
        taken.push(left.remove(worst));
    }
    taken.sort_unstable();
    taken
}

/// The distinct patterns of one record that are not safe.
struct Search<'a> {
    record: &'a [ItemId],
    size: usize,
    safe: &'a Safe,
    pattern: Vec<ItemId>,
    found: Vec<Vec<ItemId>>,
}

impl Search<'_> {
    fn below(&mut self, from: usize, key: u128) {
        if self.pattern.len() == self.size {
            if !self.safe.contains(key) {
                self.found.push(self.pattern.clone());
            }
            return;
        }
        for at in from..self.record.len() {
            let item = self.record[at];
            if self.found.len() < TOGETHER && !self.record[from..at].contains(&item) {
                self.pattern.push(item);
                self.below(at + 1, self.safe.longer(key, item));
                self.pattern.pop();
            }
        }
    }
}

/// Adds to every place how many matches of the pattern go through it.
fn add_matches(record: &[ItemId], pattern: &[ItemId], conflicts: &mut [u64]) {
    // `before[j]`: matches of the first `j` elements so far; the same from the other end in `after`.
    let mut before = vec![0_u64; pattern.len() + 1];
    before[0] = 1;
    let mut ways = vec![0_u64; record.len() * pattern.len()];
    for (at, item) in record.iter().enumerate() {
        for element in (0..pattern.len()).rev().filter(|element| pattern[*element] == *item) {
            ways[at * pattern.len() + element] = before[element];
            before[element + 1] = before[element + 1].saturating_add(before[element]);
        }
    }
    let mut after = vec![0_u64; pattern.len() + 1];
    after[pattern.len()] = 1;
    for (at, item) in record.iter().enumerate().rev() {
        for element in (0..pattern.len()).filter(|element| pattern[*element] == *item) {
            let through = ways[at * pattern.len() + element].saturating_mul(after[element + 1]);
            conflicts[at] = conflicts[at].saturating_add(through);
            after[element] = after[element].saturating_add(after[element + 1]);
        }
    }
}

/// The places of a record that may be published after all: with those that are, they show only patterns that occur
/// elsewhere, and those are safe. `safe[j - 1]` has the patterns of length `j`. Items that most people have come first.
pub(super) fn given_back(record: &[ItemId], kept: &[bool], safe: &[Safe], people: &[u64]) -> Vec<u32> {
    let mut missing: Vec<u32> = (0..record.len() as u32).filter(|at| !kept[*at as usize]).collect();
    let left = record.len() - missing.len();
    let looks = missing.len().saturating_mul((left + 1).saturating_pow(safe.len() as u32 - 1));
    if missing.is_empty() || looks > MOST_LOOKS {
        return Vec::new();
    }
    missing.sort_by_key(|at| (std::cmp::Reverse(people[record[*at as usize] as usize]), *at));
    let mut now: Vec<u32> = (0..record.len() as u32).filter(|at| kept[*at as usize]).collect();
    let mut back = Vec::new();
    for at in missing {
        if is_safe_with(record, &now, at, safe) {
            now.insert(now.partition_point(|other| *other < at), at);
            back.push(at);
        }
    }
    back
}

/// Whether all patterns that go through one place, and otherwise through `kept` ones, are safe.
fn is_safe_with(record: &[ItemId], kept: &[u32], place: u32, safe: &[Safe]) -> bool {
    fn is_safe(
        record: &[ItemId],
        kept: &[u32],
        place: u32,
        passed: bool,
        pattern: (usize, u128),
        safe: &[Safe],
    ) -> bool {
        let (length, key) = pattern;
        if passed && !safe[length - 1].contains(key) {
            return false;
        }
        if length == safe.len() {
            return true;
        }
        let longer = |at: u32| (length + 1, safe[0].longer(key, record[at as usize]));
        if !passed && !is_safe(record, after(kept, place), place, true, longer(place), safe) {
            return false;
        }
        // What does not reach the place is no concern.
        let room = passed || length + 1 < safe.len();
        let within = kept.iter().enumerate().take_while(|(_, at)| passed || **at < place);
        within
            .filter(|_| room)
            .all(|(number, at)| is_safe(record, &kept[number + 1..], place, passed, longer(*at), safe))
    }
    is_safe(record, kept, place, false, (0, Safe::NOTHING), safe)
}

fn after(kept: &[u32], place: u32) -> &[u32] {
    &kept[kept.partition_point(|at| *at < place)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_counted_through_each_place() {
        let mut conflicts = vec![0; 5];
        // a b a b c: `a b` matches at 0-1, 0-3 and 2-3.
        add_matches(&[0, 1, 0, 1, 2], &[0, 1], &mut conflicts);
        assert_eq!(conflicts, [2, 1, 1, 2, 0]);
        let mut conflicts = [0; 3];
        add_matches(&[0, 0, 0], &[0, 0], &mut conflicts);
        assert_eq!(conflicts, [2, 2, 2]);
    }
}
