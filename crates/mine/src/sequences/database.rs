//! The records as the miner reads them: rare items left out, equal people taken together.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use throng_data::{Events, ItemId};

/// Records over frequent items only. People whose records are equal, one by one, form one *group*.
pub(super) struct Database {
    /// The original item of each frequent item's number, ascending.
    pub frequent: Vec<ItemId>,
    /// `starts[r]..starts[r + 1]` are the events of record `r`; no record is empty.
    starts: Vec<u64>,
    /// Numbers of frequent items, record after record.
    items: Vec<u32>,
    /// How many distinct items there are from each event to the end of its record.
    distinct: Vec<u32>,
    /// The group each record belongs to; ascending.
    group: Vec<u32>,
    /// How many people form each group.
    people: Vec<u32>,
}

impl Database {
    /// Leaves out items with fewer than `min_support` people: no frequent pattern can hold them.
    pub fn new(events: &Events, min_support: u64) -> Self {
        let supports = item_supports(events);
        let frequent: Vec<ItemId> =
            (0..supports.len() as ItemId).filter(|item| supports[*item as usize] >= min_support).collect();
        let mut number = vec![u32::MAX; supports.len()];
        for (at, item) in frequent.iter().enumerate() {
            number[*item as usize] = at as u32;
        }

        let mut database = Database {
            frequent,
            starts: vec![0],
            items: Vec::new(),
            distinct: Vec::new(),
            group: Vec::new(),
            people: Vec::new(),
        };
        let hasher = FixedState::with_seed(0);
        let mut groups: HashTable<u32> = HashTable::new();
        let mut hashes: Vec<u64> = Vec::new();
        let mut first_record: Vec<u32> = vec![0];
        for subject in 0..events.subjects() {
            let (items, records) = (database.items.len(), database.group.len());
            let mut hash = hasher.build_hasher();
            for record in events.records_of(subject) {
                let start = database.items.len();
                let numbers = events.record(record).iter().map(|item| number[*item as usize]);
                database.items.extend(numbers.filter(|item| *item != u32::MAX));
                if database.items.len() > start {
                    database.starts.push(database.items.len() as u64);
                    database.group.push(database.people.len() as u32);
                    for item in &database.items[start..] {
                        hash.write_u32(*item);
                    }
                    hash.write_u32(u32::MAX);
                }
            }
            if database.group.len() == records {
                continue;
            }
            let hash = hash.finish();
            let same = |group: &u32| database.same_records(records, items, *group as usize, &first_record);
            if let Some(group) = groups.find(hash, same) {
                database.people[*group as usize] += 1;
                database.items.truncate(items);
                database.group.truncate(records);
                database.starts.truncate(records + 1);
            } else {
                groups.insert_unique(hash, database.people.len() as u32, |group| hashes[*group as usize]);
                hashes.push(hash);
                database.people.push(1);
                first_record.push(database.group.len() as u32);
            }
        }
        database.count_distinct();
        database
    }

    fn count_distinct(&mut self) {
        self.distinct = vec![0; self.items.len()];
        let mut last = vec![u32::MAX; self.frequent.len()];
        for record in 0..self.records() {
            let mut distinct = 0;
            for at in (self.starts[record] as usize..self.starts[record + 1] as usize).rev() {
                let item = self.items[at] as usize;
                if last[item] != record as u32 {
                    last[item] = record as u32;
                    distinct += 1;
                }
                self.distinct[at] = distinct;
            }
        }
    }

    /// Whether the records from `records` on, whose events start at `items`, are those of `group`.
    fn same_records(&self, records: usize, items: usize, group: usize, first_record: &[u32]) -> bool {
        let theirs = first_record[group] as usize..first_record[group + 1] as usize;
        let (start, end) = (self.starts[theirs.start], self.starts[theirs.end]);
        theirs.len() == self.group.len() - records
            && self.items[start as usize..end as usize] == self.items[items..]
            && (0..theirs.len())
                .all(|at| self.starts[theirs.start + at] - start == self.starts[records + at] - items as u64)
    }

    /// Number of records, each group's counted once.
    pub fn records(&self) -> usize {
        self.group.len()
    }

    /// The frequent items of a record from a position on, and how many of them are distinct: a scan that has seen so
    /// many can stop.
    pub fn rest(&self, record: u32, position: u32) -> (&[u32], u32) {
        let (start, end) = (self.starts[record as usize] as usize, self.starts[record as usize + 1] as usize);
        let start = start + position as usize;
        if start == end { (&[], 0) } else { (&self.items[start..end], self.distinct[start]) }
    }

    /// The group a record belongs to.
    pub fn group(&self, record: u32) -> u32 {
        self.group[record as usize]
    }

    /// How many people form a group.
    pub fn people(&self, group: u32) -> u64 {
        u64::from(self.people[group as usize])
    }
}

/// How many people have each item; as long as the largest item.
fn item_supports(events: &Events) -> Vec<u64> {
    let alphabet = events.items().iter().max().map_or(0, |item| *item as usize + 1);
    let mut supports = vec![0; alphabet];
    let mut last = vec![u32::MAX; alphabet];
    for subject in 0..events.subjects() {
        for record in events.records_of(subject) {
            for item in events.record(record) {
                let item = *item as usize;
                if last[item] != subject as u32 {
                    last[item] = subject as u32;
                    supports[item] += 1;
                }
            }
        }
    }
    supports
}
