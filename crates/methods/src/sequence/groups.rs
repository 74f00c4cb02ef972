//! A partition of items into groups, with the people behind each group.
//!
//! A group starts as one item and grows by merging; every item of a group is published as the same generalised
//! item. The people of a group are a sorted list, so that support is a length and merging is a union. Groups that many people
//! have keep them as bits as well: who has several such groups is found 64 people at a time.

use throng_data::{Events, ItemId};

/// The group number of items that are not published.
const SUPPRESSED: u32 = u32::MAX;

/// Bits take no more room than a list from one person in so many on.
const DENSE: usize = 32;

/// A partition of the items that occur. Groups are named by the lowest item that was in them from the start.
#[derive(Debug, Clone)]
pub struct Groups {
    group_of: Vec<u32>,
    members: Vec<Vec<ItemId>>,
    people: Vec<Vec<u32>>,
    /// The people of a group as bits; empty where they are few.
    bits: Vec<Vec<u64>>,
    subjects: usize,
}

impl Groups {
    /// Every item that occurs is a group of its own. `items` is the size of the alphabet.
    pub fn singletons(events: &Events, items: usize) -> Self {
        let mut sizes = vec![0_u32; items];
        let mut last = vec![u32::MAX; items];
        let visit = |sizes: &mut dyn FnMut(u32, ItemId)| {
            for subject in 0..events.subjects() {
                for record in events.records_of(subject) {
                    for item in events.record(record) {
                        sizes(subject as u32, *item);
                    }
                }
            }
        };
        visit(&mut |subject, item| {
            if last[item as usize] != subject {
                last[item as usize] = subject;
                sizes[item as usize] += 1;
            }
        });
        let mut people: Vec<Vec<u32>> = sizes.iter().map(|size| Vec::with_capacity(*size as usize)).collect();
        visit(&mut |subject, item| {
            let people = &mut people[item as usize];
            if people.last() != Some(&subject) {
                people.push(subject);
            }
        });
        let occurs = |item: usize| !people[item].is_empty();
        let group_of = (0..items).map(|item| if occurs(item) { item as u32 } else { SUPPRESSED }).collect();
        let members =
            (0..items).map(|item| if occurs(item) { vec![item as ItemId] } else { Vec::new() }).collect();
        let subjects = events.subjects();
        let bits = people.iter().map(|people| bits_of(people, subjects)).collect();
        Groups { group_of, members, people, bits, subjects }
    }

    /// The group of an item; `None` when it does not occur or is suppressed.
    pub fn of(&self, item: ItemId) -> Option<u32> {
        let group = self.group_of[item as usize];
        (group != SUPPRESSED).then_some(group)
    }

    /// The items of a group, ascending.
    pub fn members(&self, group: u32) -> &[ItemId] {
        &self.members[group as usize]
    }

    /// The people of a group, ascending.
    pub fn people(&self, group: u32) -> &[u32] {
        &self.people[group as usize]
    }

    /// The number of people of a group.
    pub fn support(&self, group: u32) -> u64 {
        self.people[group as usize].len() as u64
    }

    /// The groups there are, by lowest member.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.members.len() as u32).filter(|group| !self.members[*group as usize].is_empty())
    }

    /// One more than the highest group number.
    pub fn bound(&self) -> usize {
        self.members.len()
    }

    /// Joins two groups and returns the one that is left, the one with the lower number.
    pub fn merge(&mut self, a: u32, b: u32) -> u32 {
        let (kept, gone) = (a.min(b), a.max(b));
        let moved = std::mem::take(&mut self.members[gone as usize]);
        for item in &moved {
            self.group_of[*item as usize] = kept;
        }
        self.members[kept as usize] = union(&self.members[kept as usize], &moved);
        let others = std::mem::take(&mut self.people[gone as usize]);
        self.people[kept as usize] = union(&self.people[kept as usize], &others);
        self.bits[gone as usize] = Vec::new();
        match self.bits[kept as usize].as_mut_slice() {
            [] => self.bits[kept as usize] = bits_of(&self.people[kept as usize], self.subjects),
            bits => others.iter().for_each(|person| set_bit(bits, *person)),
        }
        kept
    }

    /// Takes a group out of the release.
    pub fn suppress(&mut self, group: u32) {
        for item in std::mem::take(&mut self.members[group as usize]) {
            self.group_of[item as usize] = SUPPRESSED;
        }
        self.people[group as usize] = Vec::new();
        self.bits[group as usize] = Vec::new();
    }

    /// Writes the groups of a record's published items into `image`.
    pub fn image_of(&self, record: &[ItemId], image: &mut Vec<u32>) {
        image.clear();
        image.extend(
            record.iter().map(|item| self.group_of[*item as usize]).filter(|group| *group != SUPPRESSED),
        );
    }

    /// How many people have the pattern (a sequence of groups), counted up to `enough`.
    pub fn support_up_to(&self, events: &Events, pattern: &[u32], enough: u64) -> u64 {
        let mut found = 0;
        self.visit_people(events, pattern, |_| {
            found += 1;
            found < enough
        });
        found
    }

    /// Shows everyone who has the pattern to `visit`, in ascending order, until it says stop.
    ///
    /// Only people who have all the groups of the pattern have their records read. They are found by bits where many people
    /// have each of the groups; otherwise by walking the people of the rarest group and looking the others up.
    pub fn visit_people(&self, events: &Events, pattern: &[u32], mut visit: impl FnMut(u32) -> bool) {
        // Most patterns are short: their groups need no room of their own.
        let (mut few, mut many) = ([0_u32; 4], Vec::new());
        let groups = match few.get_mut(..pattern.len()) {
            Some(groups) => groups,
            None => {
                many.resize(pattern.len(), 0);
                many.as_mut_slice()
            }
        };
        groups.copy_from_slice(pattern);
        groups.sort_unstable_by_key(|group| self.people(*group).len());
        let Some((rarest, others)) = groups.split_first() else { return };
        let mut show = |person: u32| {
            let mut records = events.records_of(person as usize);
            !records.any(|record| self.contains(events.record(record), pattern)) || visit(person)
        };
        let bits = &self.bits[*rarest as usize];
        if bits.is_empty() {
            self.visit_listed(self.people(*rarest), others, show);
            return;
        }
        for (place, word) in bits.iter().enumerate() {
            let both = |word: u64, other: &u32| word & self.bits[*other as usize][place];
            let mut people = others.iter().fold(*word, both);
            while people != 0 {
                let person = place as u32 * u64::BITS + people.trailing_zeros();
                people &= people - 1;
                if !show(person) {
                    return;
                }
            }
        }
    }

    /// Shows those of the listed people who have all the other groups, until told to stop.
    fn visit_listed(&self, people: &[u32], others: &[u32], mut show: impl FnMut(u32) -> bool) {
        let (mut few, mut many): ([&[u32]; 4], Vec<&[u32]>) = ([&[]; 4], Vec::new());
        let lists = match few.get_mut(..others.len()) {
            Some(lists) => lists,
            None => {
                many.resize(others.len(), &[]);
                many.as_mut_slice()
            }
        };
        for (list, group) in lists.iter_mut().zip(others) {
            *list = self.people(*group);
        }
        'people: for person in people {
            for (list, group) in lists.iter_mut().zip(others) {
                let has = match self.bits[*group as usize].as_slice() {
                    [] => {
                        *list = skip_below(list, *person);
                        list.first() == Some(person)
                    }
                    bits => bits[*person as usize / 64] >> (person % 64) & 1 == 1,
                };
                if !has {
                    continue 'people;
                }
            }
            if !show(*person) {
                return;
            }
        }
    }

    fn contains(&self, record: &[ItemId], pattern: &[u32]) -> bool {
        let mut wanted = pattern.iter();
        let Some(mut next) = wanted.next() else { return true };
        for item in record {
            if self.group_of[*item as usize] == *next {
                match wanted.next() {
                    Some(group) => next = group,
                    None => return true,
                }
            }
        }
        false
    }
}

/// The bits of ascending people, or none where they are few.
fn bits_of(people: &[u32], subjects: usize) -> Vec<u64> {
    if people.len() < subjects.div_ceil(DENSE).max(1) {
        return Vec::new();
    }
    let mut bits = vec![0; subjects.div_ceil(64)];
    people.iter().for_each(|person| set_bit(&mut bits, *person));
    bits
}

fn set_bit(bits: &mut [u64], person: u32) {
    bits[person as usize / 64] |= 1 << (person % 64);
}

fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut both = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        both.push(a[i].min(b[j]));
        let (from_a, from_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(from_a);
        j += usize::from(from_b);
    }
    both.extend_from_slice(&a[i..]);
    both.extend_from_slice(&b[j..]);
    both.shrink_to_fit();
    both
}

/// The rest of a sorted list from the first entry that is at least `bound`, found by doubling steps.
fn skip_below(list: &[u32], bound: u32) -> &[u32] {
    if list.first().is_none_or(|first| *first >= bound) {
        return list;
    }
    let mut step = 1;
    while step < list.len() && list[step] < bound {
        step *= 2;
    }
    let from = step / 2;
    let to = list.len().min(step + 1);
    &list[from + list[from..to].partition_point(|entry| *entry < bound)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_data::{Dataset, EventKind};

    #[test]
    fn merging_counts_each_person_once() {
        let data = Dataset::from_words(["dace", "baec", "ade", "bdec", "dc", "de"]);
        let mut groups = Groups::singletons(&data.events, data.items.len());
        let [a, b] = ["a", "b"].map(|name| data.items.find(name).unwrap());
        assert_eq!((groups.support(a), groups.support(b)), (3, 2));
        let merged = groups.merge(a, b);
        assert_eq!((merged, groups.support(merged), groups.members(merged)), (a, 4, &[a, b][..]));
        let d = data.items.find("d").unwrap();
        assert_eq!(groups.support_up_to(&data.events, &[d, merged], 9), 1);
        assert_eq!(groups.support_up_to(&data.events, &[merged, merged], 9), 1);
    }

    #[test]
    fn people_are_counted_not_records() {
        let records = [("p", ["x", "y"]), ("q", ["x", "z"]), ("p", ["x", "y"])];
        let data = Dataset::from_records(EventKind::Sequence, records);
        let groups = Groups::singletons(&data.events, data.items.len());
        assert_eq!(groups.support(0), 2);
        assert_eq!(groups.support_up_to(&data.events, &[0, 1], 9), 1);
    }

    #[test]
    fn suppressed_groups_vanish_from_images() {
        let data = Dataset::from_words(["aba"]);
        let mut groups = Groups::singletons(&data.events, 2);
        groups.suppress(0);
        let mut image = Vec::new();
        groups.image_of(data.events.record(0), &mut image);
        assert_eq!((image, groups.of(0), groups.all().count()), (vec![1], None, 1));
    }

    #[test]
    fn people_are_found_by_bits_and_by_lists() {
        // Of 200 people, everybody has `x`, every third `y` before it, two in a hundred `z` behind it.
        let words: Vec<String> = (0..200)
            .map(|person| {
                let before = if person % 3 == 0 { "y" } else { "" };
                format!("{before}x{}", if person % 50 == 1 { "z" } else { "" })
            })
            .collect();
        let data = Dataset::from_words(words.iter().map(String::as_str));
        let mut groups = Groups::singletons(&data.events, data.items.len());
        let [x, y, z] = ["x", "y", "z"].map(|name| data.items.find(name).unwrap());
        let has = |groups: &Groups, pattern: &[u32]| groups.support_up_to(&data.events, pattern, 999);
        let expected = |wanted: &str| words.iter().filter(|word| word.contains(wanted)).count() as u64;
        assert_eq!((has(&groups, &[y, x]), has(&groups, &[x, y])), (expected("yx"), 0));
        assert_eq!((has(&groups, &[x, z]), has(&groups, &[z])), (expected("xz"), 4));
        assert_eq!(has(&groups, &[y, x, z]), expected("yxz"));
        let merged = groups.merge(y, z);
        assert_eq!(has(&groups, &[merged, x]), expected("yx"));
        assert_eq!(has(&groups, &[x, merged]), expected("xz"));
    }

    #[test]
    fn skipping_finds_the_first_entry_not_below() {
        let list: Vec<u32> = (0..100).map(|i| i * 3).collect();
        for bound in 0..310 {
            let expected = &list[list.partition_point(|entry| *entry < bound)..];
            assert_eq!(skip_below(&list, bound), expected, "{bound}");
        }
    }
}
