//! The miner against an exhaustive oracle, and what it prints.
// Helpers outside `#[test]` functions fail the test like any assertion.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use throng_contract::{Failing, Progress, Threshold};
use throng_data::{Dataset, EventKind, Events, EventsBuilder, ItemId};
use throng_mine::{Form, Format, Keep, MineError, Patterns, Search, write};

fn run(search: &Search, events: &Events) -> Patterns {
    search.sequences(events, &|| false, &Progress::silent()).unwrap()
}

fn listed(patterns: &Patterns) -> Vec<(Vec<ItemId>, u64)> {
    patterns.iter().map(|pattern| (pattern.items.to_vec(), pattern.support)).collect()
}

fn named(patterns: &Patterns, data: &Dataset) -> BTreeMap<String, u64> {
    let name = |items: &[ItemId]| items.iter().map(|item| data.items.name(*item)).collect::<String>();
    patterns.iter().map(|pattern| (name(pattern.items), pattern.support)).collect()
}

/// People as lists of records.
fn events(people: &[Vec<Vec<ItemId>>]) -> Events {
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            builder.push(subject as u32, record, &[]);
        }
    }
    builder.finish(people.len())
}

fn people() -> impl Strategy<Value = Vec<Vec<Vec<ItemId>>>> {
    let record = prop::collection::vec(0_u32..4, 0..=6);
    prop::collection::vec(prop::collection::vec(record, 0..=3), 0..=7)
}

/// Every subsequence of every record, with the people who have it.
fn all_supports(people: &[Vec<Vec<ItemId>>]) -> BTreeMap<Vec<ItemId>, u64> {
    let mut supports = BTreeMap::new();
    for records in people {
        let mut theirs = BTreeSet::new();
        for record in records {
            for chosen in 1_u32..1 << record.len() {
                let part = (0..record.len()).filter(|at| chosen >> at & 1 == 1).map(|at| record[at]);
                theirs.insert(part.collect::<Vec<_>>());
            }
        }
        for part in theirs {
            *supports.entry(part).or_insert(0) += 1;
        }
    }
    supports
}

fn contains(long: &[ItemId], short: &[ItemId]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|item| rest.any(|other| other == item))
}

/// Best supported first, then shorter, then by items.
fn ordered(supports: impl IntoIterator<Item = (Vec<ItemId>, u64)>) -> Vec<(Vec<ItemId>, u64)> {
    let mut list: Vec<_> = supports.into_iter().collect();
    list.sort_by(|(a, n), (b, m)| m.cmp(n).then(a.len().cmp(&b.len())).then(a.cmp(b)));
    list
}

fn expected(people: &[Vec<Vec<ItemId>>], search: &Search, min_support: u64) -> Vec<(Vec<ItemId>, u64)> {
    let frequent: BTreeMap<_, _> =
        all_supports(people).into_iter().filter(|(_, support)| *support >= min_support).collect();
    let wanted = frequent.iter().filter(|(pattern, support)| {
        let longer = |same: bool| {
            frequent.iter().any(|(other, n)| {
                other.len() > pattern.len() && contains(other, pattern) && (!same || n == *support)
            })
        };
        search.lengths.contains(&pattern.len())
            && match search.keep {
                Keep::Frequent => true,
                Keep::Closed => !longer(true),
                Keep::Maximal => !longer(false),
            }
    });
    let mut list = ordered(wanted.map(|(pattern, support)| (pattern.clone(), *support)));
    list.truncate(search.top.unwrap_or(usize::MAX));
    list
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn patterns_are_those_of_exhaustive_search(
        people in people(),
        min_support in 1_u64..4,
        (shortest, longest) in (1_usize..3, 1_usize..7),
        top in prop::option::of(0_usize..6),
        keep in prop::sample::select(vec![Keep::Frequent, Keep::Closed, Keep::Maximal]),
    ) {
        let min = Threshold::Absolute(min_support);
        let search = Search { min_support: min, lengths: shortest..=longest, top, keep, memory: None };
        let found = run(&search, &events(&people));
        prop_assert!(found.complete);
        prop_assert_eq!(listed(&found), expected(&people, &search, min_support));
    }
}

#[test]
fn prefixspan_small() {
    let data = Dataset::from_words(["abcde", "acbde", "abde", "cde", "bdc"]);
    let mut search = Search::new(Threshold::Absolute(3));
    let frequent = named(&run(&search, &data.events), &data);
    let printed = "a3 ab3 abd3 abde3 abe3 ad3 ade3 ae3 b4 bd4 bde3 be3 c4 cd3 cde3 ce3 d5 de4 e4";
    let printed = printed.split(' ').map(|entry| entry.split_at(entry.len() - 1));
    assert_eq!(frequent, printed.map(|(name, n)| (name.to_owned(), n.parse().unwrap())).collect());
    search.keep = Keep::Maximal;
    let maximal = named(&run(&search, &data.events), &data);
    assert_eq!(maximal.keys().collect::<Vec<_>>(), ["abde", "cde"]);
}

#[test]
fn one_person_with_many_records_counts_once() {
    let people = vec![vec![vec![0, 1], vec![0, 1], vec![1, 0]], vec![vec![0, 1]]];
    let found = run(&Search::new(Threshold::Absolute(1)), &events(&people));
    assert_eq!(listed(&found), [(vec![0], 2), (vec![1], 2), (vec![0, 1], 2), (vec![1, 0], 1)]);
}

#[test]
fn a_relative_threshold_is_a_share_of_all_people_with_or_without_events() {
    let people = vec![vec![vec![0]], vec![vec![0, 1]], vec![vec![]], vec![]];
    let half = Search::new("50%".parse().unwrap());
    assert_eq!(listed(&run(&half, &events(&people))), [(vec![0], 2)]);
}

#[test]
fn patterns_as_long_as_the_longest_record_do_not_exhaust_the_stack() {
    let people = vec![vec![vec![7; 20_000]]; 3];
    let mut search = Search::new(Threshold::Absolute(3));
    search.lengths = 1..=3;
    assert_eq!(run(&search, &events(&people)).len(), 3);
    search.lengths = 19_990..=20_000;
    assert_eq!(run(&search, &events(&people)).len(), 11);
}

#[test]
fn threads_do_not_change_the_answer() {
    // A deterministic jumble large enough for the parallel branches.
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let people: Vec<_> = (0..6000)
        .map(|_| vec![(0..2 + draw(9)).map(|_| (draw(30) * draw(30) / 30) as ItemId).collect::<Vec<_>>()])
        .collect();
    let events = events(&people);
    let mut search = Search::new("1%".parse().unwrap());
    let mut answers = Vec::new();
    for top in [None, Some(40)] {
        search.top = top;
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            answers.push(listed(&pool.install(|| run(&search, &events))));
        }
    }
    assert!(answers[0].len() > 100);
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[2], answers[3]);
    assert_eq!(answers[0][..40], answers[2]);
}

#[test]
fn an_early_stop_gives_what_was_found_and_says_so() {
    let data = Dataset::from_words(["abcde", "acbde", "abde", "cde", "bdc"]);
    let calls = AtomicUsize::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) >= 3;
    let search = Search::new(Threshold::Absolute(3));
    let found = search.sequences(&data.events, &stop, &Progress::silent()).unwrap();
    let all = named(&run(&search, &data.events), &data);
    let found_named = named(&found, &data);
    assert!(!found.complete && !found.is_empty() && found.len() < all.len());
    assert!(found_named.iter().all(|(name, support)| all[name] == *support));
    let mut text = Vec::new();
    write(&mut text, &found, &data.items, Form::Sequences, Keep::Frequent, Format::Text).unwrap();
    assert!(text.starts_with(b"# stopped early"));
}

#[test]
fn cancelling_leaves_no_result() {
    let data = Dataset::from_words(["ab", "ab"]);
    let progress = Progress::silent();
    progress.cancel();
    assert!(Search::new(Threshold::Absolute(1)).sequences(&data.events, &|| false, &progress).is_err());
}

fn written(data: &Dataset, format: Format) -> String {
    let found = run(&Search::new(Threshold::Absolute(2)), &data.events);
    let mut out = Vec::new();
    write(&mut out, &found, &data.items, Form::Sequences, Keep::Frequent, format).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_format_carries_items_order_and_support() {
    let data = Dataset::from_words(["xab", "ab", "b"]);
    assert_eq!(written(&data, Format::Text), "b  #SUP: 3\na  #SUP: 2\na > b  #SUP: 2\n");
    assert_eq!(
        written(&data, Format::Spmf),
        "@CONVERTED_FROM_TEXT\n@ITEM=2=a\n@ITEM=3=b\n3 -1 #SUP: 3\n2 -1 #SUP: 2\n2 -1 3 -1 #SUP: 2\n"
    );
    let json: serde_json::Value = serde_json::from_str(&written(&data, Format::Json)).unwrap();
    assert_eq!(json["complete"], true);
    assert_eq!(json["min_support"], 2);
    assert_eq!(json["patterns"][2], serde_json::json!({"items": ["a", "b"], "support": 2}));
}

#[test]
fn numbers_stay_numbers_in_spmf_and_line_breaks_do_not_break_lines() {
    let numbers = Dataset::from_words(["53", "53"]);
    assert_eq!(written(&numbers, Format::Spmf), "5 -1 #SUP: 2\n3 -1 #SUP: 2\n5 -1 3 -1 #SUP: 2\n");
    let odd = Dataset::from_words(["\n", "\n"]);
    assert_eq!(written(&odd, Format::Text), "\\n  #SUP: 2\n");
}

/// Four people with the same forty places: two to the fortieth patterns are frequent.
fn four_people_with_forty_places() -> Dataset {
    let places: Vec<String> = (0..40).map(|place| format!("p{place}")).collect();
    Dataset::from_records(
        EventKind::Sequence,
        ["a", "b", "c", "d"].map(|person| (person, places.iter().map(String::as_str))),
    )
}

#[test]
fn more_patterns_than_fit_are_an_error_with_a_way_out() {
    let data = four_people_with_forty_places();
    for keep in [Keep::Frequent, Keep::Closed, Keep::Maximal] {
        let search = Search { keep, memory: Some(1 << 20), ..Search::new(Threshold::Absolute(2)) };
        for stopped in [
            search.sequences(&data.events, &|| false, &Progress::silent()).map(|found| found.len()),
            Search { keep: Keep::Frequent, ..search.clone() }
                .itemsets(&data.events, &|| false, &Progress::silent())
                .map(|found| found.len()),
        ] {
            let error = stopped.unwrap_err();
            assert_eq!((error, error.class().code()), (MineError::TooMany { bytes: 1 << 20 }, 4));
            assert!(error.help().unwrap().to_string().contains("--min-support"));
        }
    }
}

#[test]
fn the_best_of_endlessly_many_are_the_shortest_and_found_without_the_others() {
    let data = four_people_with_forty_places();
    // All of them would take more than a terabyte.
    let search = Search { top: Some(50), memory: Some(4 << 20), ..Search::new(Threshold::Absolute(2)) };
    let lengths = |found: Patterns| found.iter().map(|pattern| pattern.items.len()).collect::<Vec<_>>();
    let expected: Vec<usize> = std::iter::repeat_n(1, 40).chain(std::iter::repeat_n(2, 10)).collect();
    let quiet = Progress::silent();
    assert_eq!(lengths(search.sequences(&data.events, &|| false, &quiet).unwrap()), expected);
    assert_eq!(lengths(search.itemsets(&data.events, &|| false, &quiet).unwrap()), expected);
}
