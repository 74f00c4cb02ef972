//! The miner of sets against an exhaustive oracle, and what it prints.
// Helpers outside `#[test]` functions fail the test like any assertion.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use throng_contract::{Progress, Threshold};
use throng_data::{Dataset, EventKind, Events, EventsBuilder, ItemId};
use throng_mine::{Form, Format, Keep, Patterns, Search, write};

fn run(search: &Search, events: &Events) -> Patterns {
    search.itemsets(events, &|| false, &Progress::silent()).unwrap()
}

fn listed(patterns: &Patterns) -> Vec<(Vec<ItemId>, u64)> {
    patterns.iter().map(|pattern| (pattern.items.to_vec(), pattern.support)).collect()
}

/// People as lists of records; an order of events means nothing here.
fn events(people: &[Vec<Vec<ItemId>>]) -> Events {
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            builder.push(subject as u32, record, &[]);
        }
    }
    builder.finish(people.len())
}

/// The subsets of each record, counted by people.
fn all_supports(people: &[Vec<Vec<ItemId>>]) -> BTreeMap<Vec<ItemId>, u64> {
    let mut supports = BTreeMap::new();
    for records in people {
        let mut theirs = BTreeSet::new();
        for record in records {
            let set: Vec<ItemId> = record.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
            for chosen in 1_u32..1 << set.len() {
                let part = (0..set.len()).filter(|at| chosen >> at & 1 == 1).map(|at| set[at]);
                theirs.insert(part.collect::<Vec<_>>());
            }
        }
        theirs.into_iter().for_each(|part| *supports.entry(part).or_insert(0) += 1);
    }
    supports
}

fn expected(people: &[Vec<Vec<ItemId>>], search: &Search, min_support: u64) -> Vec<(Vec<ItemId>, u64)> {
    let frequent: BTreeMap<_, _> =
        all_supports(people).into_iter().filter(|(_, support)| *support >= min_support).collect();
    let absorbed = |set: &Vec<ItemId>, support: u64| {
        frequent.iter().any(|(other, n)| {
            let larger = other.len() > set.len() && set.iter().all(|item| other.contains(item));
            larger && (search.keep == Keep::Maximal || *n == support)
        })
    };
    let mut list: Vec<(Vec<ItemId>, u64)> = frequent
        .iter()
        .filter(|(set, support)| search.keep == Keep::Frequent || !absorbed(set, **support))
        .filter(|(set, _)| search.lengths.contains(&set.len()))
        .map(|(set, support)| (set.clone(), *support))
        .collect();
    list.sort_by(|(a, n), (b, m)| m.cmp(n).then(a.len().cmp(&b.len())).then(a.cmp(b)));
    list.truncate(search.top.unwrap_or(usize::MAX));
    list
}

fn searches() -> impl Strategy<Value = Search> {
    let keep = prop::sample::select(vec![Keep::Frequent, Keep::Closed, Keep::Maximal]);
    let lengths = (1_usize..=3, 1_usize..=7).prop_map(|(from, to)| from..=to);
    (0_u64..=4, lengths, prop::option::of(0_usize..=6), keep).prop_map(|(support, lengths, top, keep)| {
        Search { min_support: Threshold::Absolute(support), lengths, top, keep, memory: None }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_wanted_set_is_found_with_its_people(
        people in prop::collection::vec(prop::collection::vec(prop::collection::vec(0_u32..6, 0..=7), 0..=1), 0..=9),
        search in searches(),
    ) {
        let min_support = search.min_support.of(people.len() as u64).max(1);
        prop_assert_eq!(listed(&run(&search, &events(&people))), expected(&people, &search, min_support));
    }

    #[test]
    fn people_with_several_records_count_once(
        people in prop::collection::vec(prop::collection::vec(prop::collection::vec(0_u32..5, 0..=5), 0..=3), 0..=7),
        search in searches(),
    ) {
        let min_support = search.min_support.of(people.len() as u64).max(1);
        prop_assert_eq!(listed(&run(&search, &events(&people))), expected(&people, &search, min_support));
    }
}

proptest! {
    // Every case starts two pools of threads.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_number_of_threads_changes_nothing(
        people in prop::collection::vec(prop::collection::vec(prop::collection::vec(0_u32..9, 0..=9), 1..=2), 1..=30),
        search in searches(),
    ) {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let events = events(&people);
        let alone = pool(1).install(|| run(&search, &events));
        prop_assert_eq!(alone, pool(4).install(|| run(&search, &events)));
    }
}

#[test]
fn closed_and_maximal_sets_do_not_pay_for_all_the_others() {
    // A set of forty items has 2^40 subsets; one closed set stands for all of them, and one more for the rest.
    let long: Vec<ItemId> = (0..40).collect();
    let people = events(&[vec![long.clone()], vec![long], vec![vec![1, 2, 3]]]);
    let search = |keep| Search { keep, ..Search::new(Threshold::Absolute(2)) };
    let closed = listed(&run(&search(Keep::Closed), &people));
    assert_eq!(
        closed.iter().map(|(set, support)| (set.len(), *support)).collect::<Vec<_>>(),
        [(3, 3), (40, 2)]
    );
    assert_eq!(run(&search(Keep::Maximal), &people).len(), 1);
}

#[test]
fn a_search_that_is_stopped_says_so_and_what_it_found_is_right() {
    let long: Vec<ItemId> = (0..30).collect();
    let people = events(&[vec![long.clone()], vec![long]]);
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) > 500;
    let found = Search::new(Threshold::Absolute(1)).itemsets(&people, &stop, &Progress::silent()).unwrap();
    assert!(!found.complete && !found.is_empty());
    assert!(found.iter().all(|set| set.support == 2));
}

#[test]
fn sets_as_long_as_the_longest_record_do_not_exhaust_the_stack() {
    let long: Vec<ItemId> = (0..50_000).collect();
    let people = events(&[vec![long.clone()], vec![long]]);
    let search = Search { keep: Keep::Maximal, ..Search::new(Threshold::Absolute(2)) };
    assert_eq!(run(&search, &people).get(0).items.len(), 50_000);
}

#[test]
fn sets_are_written_as_people_and_other_programs_read_them() {
    let data = Dataset::from_records(
        EventKind::Set,
        [("1", vec!["milk", "bread"]), ("2", vec!["milk", "bread", "beer"]), ("3", vec!["beer"])],
    );
    let found = run(&Search::new(Threshold::Absolute(2)), &data.events);
    let written = |format| {
        let mut out = Vec::new();
        write(&mut out, &found, &data.items, Form::Itemsets, Keep::Frequent, format).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(written(Format::Text), "milk  #SUP: 2\nbread  #SUP: 2\nbeer  #SUP: 2\nmilk, bread  #SUP: 2\n");
    assert_eq!(
        written(Format::Spmf),
        "@CONVERTED_FROM_TEXT\n@ITEM=1=milk\n@ITEM=2=bread\n@ITEM=3=beer\n1 #SUP: 2\n2 #SUP: 2\n3 #SUP: 2\n1 2 #SUP: 2\n"
    );
}
