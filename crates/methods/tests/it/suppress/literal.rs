//! The method as its documentation has it: everything is counted again after every round, and every record is looked at.

use super::*;

type Records = Vec<Vec<ItemId>>;
/// The item that lost events, the pattern that was the reason, its people, and how many events.
pub type Step = (ItemId, Vec<ItemId>, u64, u64);

pub struct Requirement {
    pub k: usize,
    /// At most one in so many of those who fit may be among the carriers of any one secret.
    pub diversity: Option<(usize, Vec<BTreeSet<usize>>)>,
}

/// Every choice of `size` places, in order.
fn choices(length: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    (0_u32..1 << length)
        .filter(move |chosen| chosen.count_ones() as usize == size)
        .map(move |chosen| (0..length).filter(|at| chosen >> at & 1 == 1).collect())
}

fn people_of(records: &Records, owners: &[usize], size: usize) -> BTreeMap<Vec<ItemId>, BTreeSet<usize>> {
    let mut people: BTreeMap<Vec<ItemId>, BTreeSet<usize>> = BTreeMap::new();
    for (record, owner) in records.iter().zip(owners) {
        for places in choices(record.len(), size) {
            people.entry(places.iter().map(|at| record[*at]).collect()).or_default().insert(*owner);
        }
    }
    people
}

impl Requirement {
    fn is_met(&self, people: &BTreeSet<usize>) -> bool {
        let diverse = self.diversity.as_ref().is_none_or(|(l, carriers)| {
            carriers.iter().all(|carriers| carriers.intersection(people).count() * l <= people.len())
        });
        people.len() >= self.k && diverse
    }

    /// Which events of the records are left, and why others are not.
    pub fn suppress(&self, whole: &Records, owners: &[usize], m: usize) -> (Vec<Vec<bool>>, Vec<Step>) {
        let mut left: Vec<Vec<bool>> = whole.iter().map(|record| vec![true; record.len()]).collect();
        let now = |left: &[Vec<bool>]| -> Records {
            let kept = |(record, left): (&Vec<ItemId>, &Vec<bool>)| {
                (0..record.len()).filter(|at| left[*at]).map(|at| record[at]).collect()
            };
            whole.iter().zip(left).map(kept).collect()
        };
        let mut steps = Vec::new();
        'rounds: loop {
            let records = now(&left);
            let having = people_of(&records, owners, 1);
            let having = |item: ItemId| having.get(&vec![item]).map_or(0, BTreeSet::len);
            for size in 1..=m {
                let mut broken = people_of(&records, owners, size);
                broken.retain(|_, people| !self.is_met(people));
                if broken.is_empty() {
                    continue;
                }
                let mut lost: BTreeMap<ItemId, u64> = BTreeMap::new();
                for (record, left) in whole.iter().zip(&mut left) {
                    while let Some(at) = worst(record, left, size, &broken, &having) {
                        left[at] = false;
                        *lost.entry(record[at]).or_default() += 1;
                    }
                }
                for (item, events) in lost {
                    let with = broken.iter().rev().filter(|(pattern, _)| pattern.contains(&item));
                    // Of several the first.
                    let (pattern, people) = with
                        .max_by_key(|(_, people)| people.len())
                        .expect("what is taken is in a broken pattern");
                    steps.push((item, pattern.clone(), people.len() as u64, events));
                }
                continue 'rounds;
            }
            if self.diversity.is_none() {
                let shown: Vec<_> = (1..=m).map(|size| people_of(&records, owners, size)).collect();
                for (record, left) in whole.iter().zip(&mut left) {
                    let mut missing: Vec<usize> = (0..record.len()).filter(|at| !left[*at]).collect();
                    missing.sort_by_key(|at| (std::cmp::Reverse(having(record[*at])), *at));
                    for at in missing {
                        left[at] = true;
                        let kept: Vec<usize> = (0..record.len()).filter(|at| left[*at]).collect();
                        left[at] = (1..=m).all(|size| {
                            choices(kept.len(), size).all(|chosen| {
                                let pattern: Vec<ItemId> =
                                    chosen.iter().map(|at| record[kept[*at]]).collect();
                                shown[size - 1].contains_key(&pattern)
                            })
                        });
                    }
                }
            }
            return (left, steps);
        }
    }
}

/// The place in most matches of broken patterns, then of the item that fewest have, then the last.
fn worst(
    record: &[ItemId],
    left: &[bool],
    size: usize,
    broken: &BTreeMap<Vec<ItemId>, BTreeSet<usize>>,
    having: &impl Fn(ItemId) -> usize,
) -> Option<usize> {
    let kept: Vec<usize> = (0..record.len()).filter(|at| left[*at]).collect();
    let mut matches = vec![0; record.len()];
    for chosen in choices(kept.len(), size) {
        let pattern: Vec<ItemId> = chosen.iter().map(|at| record[kept[*at]]).collect();
        if broken.contains_key(&pattern) {
            chosen.iter().for_each(|at| matches[kept[*at]] += 1);
        }
    }
    let among = (0..record.len()).filter(|at| matches[*at] > 0);
    among.max_by_key(|at| (matches[*at], std::cmp::Reverse(having(record[*at])), *at))
}
