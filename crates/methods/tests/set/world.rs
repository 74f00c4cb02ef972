//! Small random data, and exhaustive answers about it.

use std::collections::BTreeSet;

use proptest::prelude::*;
use throng_data::{Dataset, EventKind, ItemId};

/// Names of the items; the taxonomy of [`taxonomy`] has them as leaves.
pub const ITEMS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The records of each person, as numbers of [`ITEMS`].
pub type People = Vec<Vec<Vec<usize>>>;

/// Mostly one record a person, sometimes up to three, some empty, some the same.
pub fn people(most: usize) -> impl Strategy<Value = People> {
    let record = prop::collection::vec(0..ITEMS.len(), 0..=4);
    let person = prop_oneof![3 => prop::collection::vec(record.clone(), 1..=1), 1 => prop::collection::vec(record, 1..=3)];
    prop::collection::vec(person, 1..=most)
}

/// The data of these people.
pub fn dataset(people: &People) -> Dataset {
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let records = people.iter().zip(&names).flat_map(|(records, name)| {
        records.iter().map(|record| (name.as_str(), record.iter().map(|item| ITEMS[*item])))
    });
    Dataset::from_records(EventKind::Set, records)
}

/// All non-empty sets of up to `m` of the numbers below `bound`.
pub fn sets_below(bound: ItemId, m: usize) -> Vec<BTreeSet<ItemId>> {
    (1..1_u32 << bound)
        .filter(|bits| bits.count_ones() as usize <= m)
        .map(|bits| (0..bound).filter(|item| bits >> item & 1 == 1).collect())
        .collect()
}

/// How many people have a record with all the items.
pub fn support(data: &Dataset, set: &BTreeSet<ItemId>) -> usize {
    let has = |record: usize| set.iter().all(|item| data.events.record(record).contains(item));
    (0..data.events.subjects()).filter(|subject| data.events.records_of(*subject).any(has)).count()
}
