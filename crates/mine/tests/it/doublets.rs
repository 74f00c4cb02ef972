//! Maximal frequent sets of doublets against an exhaustive oracle.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use throng_contract::Progress;
use throng_data::{EventKind, Events, EventsBuilder};
use throng_mine::doublets::{DoubletTable, Ties, maximal};

type Records = Vec<BTreeMap<i64, u32>>;

fn events(people: &[Records]) -> Events {
    let mut builder = EventsBuilder::new(EventKind::Sequence, true);
    for (person, records) in people.iter().enumerate() {
        for record in records {
            let items: Vec<u32> = record.values().copied().collect();
            let times: Vec<i64> = record.keys().copied().collect();
            builder.push(person as u32, &items, &times);
        }
    }
    builder.finish(people.len())
}

/// Frequent sets that no other frequent set contains, from all subsets of all records.
fn oracle(people: &[Records], min_support: u64) -> BTreeSet<(Vec<(i64, u32)>, u64)> {
    let mut sets: BTreeSet<Vec<(i64, u32)>> = BTreeSet::new();
    for record in people.iter().flatten() {
        let doublets: Vec<(i64, u32)> = record.iter().map(|(time, item)| (*time, *item)).collect();
        for mask in 1_u32..1 << doublets.len() {
            sets.insert(
                (0..doublets.len()).filter(|bit| mask >> bit & 1 == 1).map(|bit| doublets[bit]).collect(),
            );
        }
    }
    let support = |set: &[(i64, u32)]| {
        let holds =
            |record: &BTreeMap<i64, u32>| set.iter().all(|(time, item)| record.get(time) == Some(item));
        people.iter().filter(|records| records.iter().any(holds)).count() as u64
    };
    let frequent: Vec<(Vec<(i64, u32)>, u64)> = sets
        .into_iter()
        .map(|set| {
            let support = support(&set);
            (set, support)
        })
        .filter(|(_, s)| *s >= min_support)
        .collect();
    let inside = |part: &[(i64, u32)], whole: &[(i64, u32)]| {
        part.len() < whole.len() && part.iter().all(|doublet| whole.contains(doublet))
    };
    frequent
        .iter()
        .filter(|(set, _)| !frequent.iter().any(|(other, _)| inside(set, other)))
        .cloned()
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn exactly_the_maximal_frequent_sets_are_found(
        people in vec(vec(btree_map(0_i64..6, 0_u32..2, 0..=6), 1..=2), 0..=10),
        min_support in 1_u64..=4,
    ) {
        let table = DoubletTable::new(&events(&people), Ties::Refuse).unwrap();
        let found = maximal(&table, min_support, &Progress::silent()).unwrap();
        let ours: Vec<(Vec<(i64, u32)>, u64)> = found
            .iter()
            .map(|set| {
                let doublets = set.doublets.iter().map(|at| (table.doublet(*at).time, table.doublet(*at).item));
                (doublets.collect(), set.support)
            })
            .collect();
        // As a list, so that a set found twice would show.
        let mut ours = ours;
        ours.sort();
        prop_assert_eq!(ours, oracle(&people, min_support).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn cancelling_stops_the_search() {
    let progress = Progress::silent();
    progress.cancel();
    let people: Vec<Records> = vec![vec![BTreeMap::from([(1, 1), (2, 2)])]; 3];
    let table = DoubletTable::new(&events(&people), Ties::Refuse).unwrap();
    assert!(maximal(&table, 1, &progress).is_err());
}
