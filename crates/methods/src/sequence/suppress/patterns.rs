//! The patterns of one length that enough people have, and those that too few have.

use std::hash::{Hash, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use super::left::Left;
use crate::sequence::exposed::Requirement;

/// A pattern as one number in base "number of items".
pub(super) type Key = u128;

/// A key as it is kept: without the room that a number of its size would be aligned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Packed([u8; 16]);

impl Packed {
    #[inline]
    fn of(key: Key) -> Self {
        Packed(key.to_ne_bytes())
    }
}

impl Hash for Packed {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(Key::from_ne_bytes(self.0));
    }
}

/// The patterns of one length that occur and meet the requirement, and how many people have each.
#[derive(Debug)]
pub(super) struct Safe {
    base: Key,
    k: u64,
    people: HashMap<Packed, u32, FixedState>,
    /// Patterns that have become rare since the last request for them.
    fallen: Vec<Key>,
    /// One bit for each pair that is safe, for a while.
    pairs: Option<Vec<u64>>,
}

impl Safe {
    /// The empty pattern.
    pub const NOTHING: Key = 0;

    /// The pattern with one item more.
    #[inline]
    pub fn longer(&self, pattern: Key, item: ItemId) -> Key {
        pattern * self.base + Key::from(item)
    }

    /// Writes out the items of a pattern of this many.
    pub fn spell(&self, mut pattern: Key, items: &mut [ItemId]) {
        for item in items.iter_mut().rev() {
            // Small numbers are divided faster, and most are small.
            match (u64::try_from(pattern), u64::try_from(self.base)) {
                (Ok(small), Ok(base)) => (pattern, *item) = ((small / base).into(), (small % base) as ItemId),
                _ => (pattern, *item) = (pattern / self.base, (pattern % self.base) as ItemId),
            }
        }
    }

    #[inline]
    pub fn contains(&self, pattern: Key) -> bool {
        self.people.get(&Packed::of(pattern)).is_some_and(|people| u64::from(*people) >= self.k)
    }

    /// Whether a pair may be published.
    #[inline]
    pub fn has_pair(&self, first: ItemId, second: ItemId) -> bool {
        match &self.pairs {
            None => self.contains(self.longer(Key::from(first), second)),
            Some(pairs) => {
                let pair = first as usize * self.base as usize + second as usize;
                pairs[pair / 64] >> (pair % 64) & 1 == 1
            }
        }
    }

    /// Lays pairs out as bits until something changes, if that is little work for looks at records of so many events.
    pub fn expect_looks(&mut self, events: usize) {
        let bits = self.base.saturating_mul(self.base);
        if bits / 64 + self.people.len() as Key > 2 * events as Key {
            return;
        }
        let mut pairs = vec![0; bits.div_ceil(64) as usize];
        for (pair, people) in &self.people {
            let pair = Key::from_ne_bytes(pair.0) as usize;
            pairs[pair / 64] |= u64::from(u64::from(*people) >= self.k) << (pair % 64);
        }
        self.pairs = Some(pairs);
    }

    /// One of the people who had the pattern has it no longer.
    pub fn lose(&mut self, pattern: Key) {
        self.pairs = None;
        let Entry::Occupied(mut entry) = self.people.entry(Packed::of(pattern)) else {
            // It was not safe when patterns were counted, and was taken from all of them.
            return;
        };
        let people = entry.get_mut();
        *people -= 1;
        if *people == 0 {
            entry.remove();
        } else if u64::from(*people) + 1 == self.k {
            self.fallen.push(pattern);
        }
    }

    /// The patterns of `size` items that were safe when this was last asked, and are not now.
    pub fn fallen(&mut self, size: usize) -> Broken {
        let mut broken = Broken::default();
        let mut pattern = vec![0; size];
        self.fallen.sort_unstable();
        for key in std::mem::take(&mut self.fallen) {
            if let Some(people) = self.people.get(&Packed::of(key)) {
                self.spell(key, &mut pattern);
                broken.add(pattern.iter().copied(), u64::from(*people), true);
            }
        }
        broken
    }
}

/// Patterns of one length that break the requirement.
#[derive(Debug, Default)]
pub(super) struct Broken {
    /// How many there are.
    pub count: u64,
    /// For every item of one of them, the first of those that most people have, and how many.
    pub examples: HashMap<ItemId, (u64, Vec<ItemId>), FixedState>,
    /// The patterns one after the other, if they were asked for.
    pub listed: Vec<ItemId>,
}

impl Broken {
    /// Patterns are added in ascending order.
    fn add(&mut self, pattern: impl Iterator<Item = ItemId> + Clone, people: u64, list: bool) {
        self.count += 1;
        if list {
            self.listed.extend(pattern.clone());
        }
        for item in pattern.clone() {
            let best = self.examples.entry(item).or_insert_with(|| (0, Vec::new()));
            if people > best.0 {
                *best = (people, pattern.clone().collect());
            }
        }
    }

    /// Adds those that come after all of these.
    fn append(&mut self, later: Broken) {
        self.count += later.count;
        self.listed.extend(later.listed);
        for (item, example) in later.examples {
            let best = self.examples.entry(item).or_insert_with(|| (0, Vec::new()));
            if example.0 > best.0 {
                *best = example;
            }
        }
    }
}

/// The patterns of one length.
#[derive(Debug)]
pub(super) struct Counted {
    pub safe: Safe,
    pub broken: Broken,
}

/// Counts the people of every pattern of `size` items.
///
/// Patterns that begin with the same item are counted together, different ones in parallel; the answer is put together
/// in the order of items.
pub(super) struct Count<'a> {
    pub left: &'a Left<'a>,
    pub items: usize,
    pub requirement: Requirement<'a>,
    pub progress: &'a Progress,
    /// Whether broken patterns are listed.
    pub list: bool,
}

impl Count<'_> {
    pub fn patterns(&self, size: usize) -> Result<Counted, Cancelled> {
        let person_of = self.person_of_records();
        let walker = || Walker::new(self, &person_of, size);
        if size == 1 {
            let all: Vec<Begin> = (0..person_of.len() as u32).map(|record| (record, 0)).collect();
            let mut walker = walker();
            walker.last_items(&[], &all);
            return Ok(self.together(vec![walker.finish()]));
        }
        let begins = self.begins();
        let phase =
            self.progress.phase(&format!("count patterns of length {size}"), Some(begins.len() as u64));
        let parts: Result<Vec<Part>, Cancelled> = begins
            .par_iter()
            .map_init(walker, |walker, (item, begins)| {
                walker.walk(&mut vec![*item], begins)?;
                phase.advance(1)?;
                Ok(walker.finish())
            })
            .collect();
        Ok(self.together(parts?))
    }

    fn person_of_records(&self) -> Vec<u32> {
        let mut person_of = Vec::with_capacity(self.left.records());
        for person in 0..self.left.people() {
            person_of.resize(self.left.records_of(person).end, person as u32);
        }
        person_of
    }

    /// For every item that occurs the records that have it, each with the place after its first occurrence.
    fn begins(&self) -> Vec<(ItemId, Vec<Begin>)> {
        let mut begins: Vec<Vec<Begin>> = vec![Vec::new(); self.items];
        let mut last = vec![u32::MAX; self.items];
        for record in 0..self.left.records() as u32 {
            for (at, item) in self.left.record(record as usize).iter().enumerate() {
                if std::mem::replace(&mut last[*item as usize], record) != record {
                    begins[*item as usize].push((record, at as u32 + 1));
                }
            }
        }
        let named = begins.into_iter().enumerate().map(|(item, begins)| (item as ItemId, begins));
        named.filter(|(_, begins)| !begins.is_empty()).collect()
    }

    fn together(&self, parts: Vec<Part>) -> Counted {
        let safe = parts.iter().map(|part| part.safe.len()).sum();
        let mut people = HashMap::with_capacity_and_hasher(safe, FixedState::with_seed(0));
        let mut broken = Broken::default();
        for part in parts {
            let keys = part.safe.into_iter().map(Packed::of);
            people.extend(keys.zip(part.people));
            broken.append(part.broken);
        }
        let safe =
            Safe { base: self.items as Key, k: self.requirement.k, people, fallen: Vec::new(), pairs: None };
        Counted { safe, broken }
    }
}

/// A record, and the place where the rest of it begins.
type Begin = (u32, u32);

/// What the patterns that begin with one item come to.
#[derive(Default)]
struct Part {
    safe: Vec<Key>,
    /// How many have each of those.
    people: Vec<u32>,
    broken: Broken,
}

struct Walker<'a> {
    count: &'a Count<'a>,
    person_of: &'a [u32],
    size: usize,
    /// `seen[item] == token` while the item was already met in the current record, or by the current person.
    seen: Vec<u64>,
    token: u64,
    people: Vec<u32>,
    touched: Vec<ItemId>,
    carriers: Vec<u32>,
    part: Part,
}

impl<'a> Walker<'a> {
    fn new(count: &'a Count<'a>, person_of: &'a [u32], size: usize) -> Self {
        Walker {
            count,
            person_of,
            size,
            seen: vec![0; count.items],
            token: 0,
            people: vec![0; count.items],
            touched: Vec::new(),
            carriers: Vec::new(),
            part: Part::default(),
        }
    }

    fn finish(&mut self) -> Part {
        std::mem::take(&mut self.part)
    }

    /// All patterns of the size that begin with `pattern`, whose leftmost matches end where `begins` say.
    fn walk(&mut self, pattern: &mut Vec<ItemId>, begins: &[Begin]) -> Result<(), Cancelled> {
        self.count.progress.check()?;
        if pattern.len() + 1 == self.size {
            self.last_items(pattern, begins);
            return Ok(());
        }
        let mut next: Vec<(ItemId, u32, u32)> = Vec::new();
        for (record, begin) in begins {
            self.token += 1;
            for (at, item) in
                self.count.left.record(*record as usize).iter().enumerate().skip(*begin as usize)
            {
                if std::mem::replace(&mut self.seen[*item as usize], self.token) != self.token {
                    next.push((*item, *record, at as u32 + 1));
                }
            }
        }
        next.sort_unstable();
        for alike in next.chunk_by(|a, b| a.0 == b.0) {
            let begins: Vec<Begin> = alike.iter().map(|(_, record, at)| (*record, *at)).collect();
            pattern.push(alike[0].0);
            self.walk(pattern, &begins)?;
            pattern.pop();
        }
        Ok(())
    }

    /// Judges the pattern with every item that follows it.
    fn last_items(&mut self, pattern: &[ItemId], begins: &[Begin]) {
        let mut last = u32::MAX;
        for (record, begin) in begins {
            let person = self.person_of[*record as usize];
            if std::mem::replace(&mut last, person) != person {
                self.token += 1;
            }
            for item in &self.count.left.record(*record as usize)[*begin as usize..] {
                if std::mem::replace(&mut self.seen[*item as usize], self.token) != self.token {
                    if self.people[*item as usize] == 0 {
                        self.touched.push(*item);
                    }
                    self.people[*item as usize] += 1;
                }
            }
        }
        self.touched.sort_unstable();
        let kinds = self.count.requirement.diversity.map_or(0, |diversity| diversity.kinds);
        if kinds > 0 {
            self.count_carriers(begins, kinds);
        }
        let base = self.count.items as Key;
        let begin = pattern.iter().fold(Safe::NOTHING, |key, item| key * base + Key::from(*item));
        for (number, item) in std::mem::take(&mut self.touched).into_iter().enumerate() {
            let people = std::mem::take(&mut self.people[item as usize]);
            let carriers = &self.carriers[number * kinds..(number + 1) * kinds];
            if self.count.requirement.is_broken_by(u64::from(people), carriers) {
                let whole = pattern.iter().copied().chain([item]);
                self.part.broken.add(whole, u64::from(people), self.count.list);
            } else {
                self.part.safe.push(begin * base + Key::from(item));
                self.part.people.push(people);
            }
        }
        self.carriers.clear();
    }

    /// Fills in who carries which secret, for each touched item in turn.
    fn count_carriers(&mut self, begins: &[Begin], kinds: usize) {
        let Some(diversity) = self.count.requirement.diversity else { return };
        self.carriers.resize(self.touched.len() * kinds, 0);
        let mut last = u32::MAX;
        for (record, begin) in begins {
            let person = self.person_of[*record as usize];
            if std::mem::replace(&mut last, person) != person {
                self.token += 1;
            }
            for item in &self.count.left.record(*record as usize)[*begin as usize..] {
                if std::mem::replace(&mut self.seen[*item as usize], self.token) != self.token
                    && let Ok(number) = self.touched.binary_search(item)
                {
                    diversity.tally(person, &mut self.carriers[number * kinds..(number + 1) * kinds]);
                }
            }
        }
    }
}
