//! BF-P2kA against the paper's algorithm written naively, and its releases against an exhaustive checker.
#![allow(clippy::unwrap_used)]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Dataset, Dictionary, EventKind, EventsBuilder, ItemId, Nature};
use throng_methods::sequence::BfP2ka;
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_models::{Evidence, P2k, Promise};

type Record = Vec<ItemId>;
type People = Vec<Vec<Record>>;

fn dataset(people: &People) -> Dataset {
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            builder.push(subject as u32, record, &[]);
        }
    }
    let items: Dictionary = ["a", "b", "c", "d", "e"].into_iter().collect();
    Dataset {
        subjects: Dictionary::new(),
        items: Arc::new(items),
        events: builder.finish(people.len()),
        places: None,
        own_categories: None,
        attributes: None,
    }
}

fn run(data: &Dataset, k: u64, variant: Variant) -> Result<Outcome, MethodError> {
    let settings = Settings::parse(BfP2ka.descriptor(), [("k", k.to_string().as_str())]).unwrap();
    BfP2ka.anonymize(&Task { variant, ..Task::new(data, &settings, &Progress::silent()) })
}

/// Released records as original items.
fn released(outcome: &Outcome) -> Vec<Record> {
    let release = &outcome.release;
    let member = |item: &ItemId| release.alphabet[*item as usize].members[0];
    (0..release.records()).map(|r| release.events().record(r).iter().map(member).collect()).collect()
}

/// A longest common subsequence, by the textbook.
fn common(a: &[ItemId], b: &[ItemId]) -> Record {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            table[i][j] =
                if a[i] == b[j] { table[i + 1][j + 1] + 1 } else { table[i + 1][j].max(table[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            found.push(a[i]);
            (i, j) = (i + 1, j + 1);
        } else if table[i + 1][j] >= table[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

fn levenshtein(a: &[ItemId], b: &[ItemId]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[b.len()]
}

/// People with a record that begins with each sequence.
fn prefix_supports<'a>(records: impl Iterator<Item = (usize, &'a Record)>) -> BTreeMap<Record, u64> {
    let mut people: BTreeMap<Record, BTreeSet<usize>> = BTreeMap::new();
    for (owner, record) in records {
        for end in 1..=record.len() {
            people.entry(record[..end].to_vec()).or_default().insert(owner);
        }
    }
    people.into_iter().map(|(prefix, people)| (prefix, people.len() as u64)).collect()
}

/// The algorithm with every path compared with every cut sequence.
fn naive(people: &People, k: u64, variant: Variant) -> Vec<Record> {
    let mut owners = Vec::new();
    for (subject, records) in people.iter().enumerate() {
        for _ in records {
            owners.push(if variant == Variant::Sound { subject } else { owners.len() });
        }
    }
    let records: Vec<Record> = people.iter().flatten().cloned().collect();
    let mut tree = prefix_supports(owners.iter().copied().zip(&records));
    tree.retain(|_, support| *support >= k);
    let mut placed: Vec<Option<Record>> =
        records.iter().map(|r| (r.is_empty() || tree.contains_key(r)).then(|| r.clone())).collect();
    let supports = |placed: &[Option<Record>]| {
        let owned = owners.iter().zip(placed).filter_map(|(owner, record)| Some((*owner, record.as_ref()?)));
        prefix_supports(owned)
    };
    loop {
        let current = supports(&placed);
        let grows =
            |path: &Record| tree.keys().any(|other| other.len() > path.len() && other.starts_with(path));
        let leaves: Vec<&Record> = tree.keys().filter(|path| !grows(path)).collect();
        for (record, place) in records.iter().zip(&mut placed).filter(|(_, place)| place.is_none()) {
            let best = leaves.iter().min_by_key(|path| {
                let shared = common(record, path);
                let distance = levenshtein(&shared, path);
                let support = current.get(**path).copied().unwrap_or(0);
                let first = records.iter().position(|other| other.starts_with(path));
                (Reverse(shared.len()), distance, Reverse(support), first)
            });
            let wanted = best.map_or(0, |path| common(record, path).len());
            let attached = best.filter(|_| wanted > 0).map(|path| {
                let end = (1..=path.len()).find(|end| common(record, &path[..*end]).len() == wanted);
                path[..end.unwrap()].to_vec()
            });
            *place = Some(attached.unwrap_or_default());
        }
        let current = supports(&placed);
        if variant == Variant::AsPrinted || !current.values().any(|support| *support < k) {
            return placed.into_iter().flatten().collect();
        }
        tree.retain(|path, _| current.get(path).copied().unwrap_or(0) >= k);
        for place in &mut placed {
            *place = place.take().filter(|path| path.is_empty() || tree.contains_key(path));
        }
    }
}

/// Whether every subsequence of every record belongs to `k` people: one record a person in `records`' own counting.
fn every_part_is_shared(records: &[(usize, Record)], k: usize) -> bool {
    let mut people: BTreeMap<Record, BTreeSet<usize>> = BTreeMap::new();
    for (owner, record) in records {
        for chosen in 1_u32..1 << record.len() {
            let part = (0..record.len()).filter(|at| chosen >> at & 1 == 1).map(|at| record[at]).collect();
            people.entry(part).or_default().insert(*owner);
        }
    }
    people.values().all(|people| people.len() >= k)
}

fn people(records_each: usize) -> impl Strategy<Value = People> {
    let record = prop::collection::vec(0_u32..5, 0..=6);
    prop::collection::vec(prop::collection::vec(record, 0..=records_each), 0..=10)
}

/// Few distinct beginnings, so that trees grow deep.
fn walks() -> impl Strategy<Value = People> {
    let record =
        (0_u32..2, prop::collection::vec(prop::bool::weighted(0.8), 0..7)).prop_map(|(start, steps)| {
            let step = |at: &mut u32, on: bool| {
                *at = if on { (*at + 1) % 5 } else { (*at + 3) % 5 };
                Some(*at)
            };
            steps.into_iter().scan(start, step).collect::<Record>()
        });
    prop::collection::vec(prop::collection::vec(record, 1..=2), 2..=14)
}

/// Records longer than a machine word has bits.
fn long_walks() -> impl Strategy<Value = People> {
    let tail = prop::collection::vec(0_u32..5, 0..80);
    let record = (0_usize..70, 0_u32..2, tail).prop_map(|(shared, shift, tail)| {
        let beginning = (0..shared as u32).map(|at| (at * at + shift) % 5);
        beginning.chain(tail).collect::<Record>()
    });
    prop::collection::vec(prop::collection::vec(record, 1..=1), 4..=8)
}

fn agrees_with_naive(people: &People, k: u64) -> Result<(), TestCaseError> {
    let data = dataset(people);
    for variant in [Variant::Sound, Variant::AsPrinted] {
        let expected = naive(people, k, variant);
        let nothing = expected.iter().all(Vec::is_empty) && !data.events.is_empty();
        match run(&data, k, variant) {
            Err(MethodError::Infeasible { .. }) => prop_assert!(nothing),
            Err(error) => prop_assert!(false, "{}", error),
            Ok(outcome) => {
                prop_assert!(!nothing);
                prop_assert_eq!(released(&outcome), expected);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2500))]

    #[test]
    fn the_fast_search_finds_what_comparing_everything_finds(people in people(3), k in 1_u64..4) {
        agrees_with_naive(&people, k)?;
    }

    #[test]
    fn the_fast_search_finds_the_same_on_deep_trees(people in walks(), k in 2_u64..4) {
        agrees_with_naive(&people, k)?;
    }

    #[test]
    fn every_part_of_a_sound_release_is_shared_there_and_in_the_original(people in walks(), k in 1_u64..5) {
        let data = dataset(&people);
        if let Ok(outcome) = run(&data, k, Variant::Sound) {
            let records = released(&outcome);
            let owner = |record: usize| data.events.subject_of(record);
            let owned: Vec<_> = records.iter().cloned().enumerate().map(|(r, items)| (owner(r), items)).collect();
            prop_assert!(every_part_is_shared(&owned, k as usize));

            let settings = Settings::parse(P2k.descriptor(), [("k", k.to_string().as_str())]).unwrap();
            let evidence = Evidence { original: Some(&data), ..Evidence::of(&outcome.release) };
            let verdict = P2k.check(&evidence, &settings, 10, &Progress::silent()).unwrap();
            prop_assert!(verdict.holds, "{:?}", verdict.violations);
        }
    }

    #[test]
    fn what_was_taken_out_and_put_in_adds_up(people in people(2), k in 1_u64..3) {
        let data = dataset(&people);
        if let Ok(outcome) = run(&data, k, Variant::Sound) {
            let records = released(&outcome);
            let taken: usize = (0..records.len())
                .map(|r| data.events.record(r).len() - common(data.events.record(r), &records[r]).len())
                .sum();
            let suppression = outcome.release.suppression;
            prop_assert_eq!(suppression.events, taken as u64);
            let emptied = (0..records.len()).filter(|r| records[*r].is_empty() && !data.events.span(*r).is_empty());
            prop_assert_eq!(suppression.emptied_records, emptied.count() as u64);
            let occurring: BTreeSet<ItemId> = records.iter().flatten().copied().collect();
            prop_assert_eq!(outcome.release.alphabet.len(), occurring.len());
            let original: Vec<_> = (0..records.len()).map(|r| data.events.record(r).to_vec()).collect();
            let truthful = records.iter().zip(&original).all(|(new, old)| common(old, new).len() == new.len());
            let nature = if truthful { Nature::Truthful } else { Nature::Perturbed };
            prop_assert_eq!(outcome.release.nature, nature);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sequences_longer_than_a_word_are_compared_exactly(people in long_walks()) {
        agrees_with_naive(&people, 2)?;
    }
}

#[test]
fn a_k_beyond_the_people_is_infeasible_and_no_data_is_fine() {
    let data = Dataset::from_words(["ab", "ab"]);
    let error = run(&data, 3, Variant::Sound).unwrap_err();
    assert_eq!(error.to_string(), "k is 3, but there are only 2 people in the data");
    let nothing = run(&Dataset::from_words(["ab", "cd"]), 2, Variant::Sound).unwrap_err();
    assert_eq!(nothing.to_string(), "no route is shared by 2 people: nothing would be published");
    assert_eq!(run(&Dataset::from_words(["", ""]), 2, Variant::Sound).unwrap().release.records(), 2);
}

#[test]
fn the_limit_on_dropped_records_is_kept() {
    let data = Dataset::from_words(["ab", "ab", "xy"]);
    let settings = Settings::parse(BfP2ka.descriptor(), [("k", "2"), ("max-suppressed", "30%")]).unwrap();
    let error = BfP2ka.anonymize(&Task::new(&data, &settings, &Progress::silent())).unwrap_err();
    assert_eq!(error.to_string(), "1 of 3 records would be dropped, more than the limit of 0.3");
}

#[test]
fn steps_name_the_rare_sequence_its_people_and_where_it_went() {
    let data = Dataset::from_words(["abc", "abc", "abx", "q"]);
    let outcome = run(&data, 2, Variant::Sound).unwrap();
    let steps: Vec<_> = outcome.explanation.steps.iter().map(|step| (step.action, step.support)).collect();
    assert_eq!(steps, [("attach", 1), ("drop", 1)]);
    assert_eq!(outcome.explanation.steps[0].items, [[0], [1]]);
    assert_eq!(outcome.explanation.steps[0].details["added"], "0");
    assert_eq!(outcome.notes.len(), 2);
}

#[test]
fn threads_do_not_change_the_release() {
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as ItemId
    };
    let people: People = (0..2000).map(|_| vec![(0..1 + draw(9)).map(|_| draw(5)).collect()]).collect();
    let data = dataset(&people);
    let answer = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&data, 20, Variant::Sound)).unwrap()
    };
    let (alone, together) = (answer(1), answer(4));
    assert_eq!(released(&alone), released(&together));
    assert_eq!(alone.explanation, together.explanation);
    assert!(alone.release.suppression.events > 0);
}

#[test]
fn cancelling_stops_it() {
    let data = Dataset::from_words(["ab", "ab"]);
    let settings = Settings::parse(BfP2ka.descriptor(), [("k", "2")]).unwrap();
    let progress = Progress::silent();
    progress.cancel();
    let stopped = BfP2ka.anonymize(&Task::new(&data, &settings, &progress));
    assert!(matches!(stopped, Err(MethodError::Cancelled(_))));
}
