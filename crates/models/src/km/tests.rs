//! The checker against oracles that do it the slow way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{
    Body, Dataset, Dictionary, EventKind, EventsBuilder, GeneralisedItem, ItemId, Nature, Release,
    Suppression,
};

use super::KmAnonymity;
use crate::{CheckError, Evidence, Promise, Verdict};

const LETTERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn settings(k: u64, m: usize) -> Settings {
    let (k, m) = (k.to_string(), m.to_string());
    Settings::parse(KmAnonymity.descriptor(), [("k", k.as_str()), ("m", m.as_str())]).unwrap()
}

fn check(release: &Release, k: u64, m: usize, list: usize) -> Verdict {
    KmAnonymity.check(&Evidence::of(release), &settings(k, m), list, &Progress::silent()).unwrap()
}

fn words(records: &[&str]) -> Release {
    let data = Dataset::from_words(records.iter().copied());
    Release::identity(data.items, data.events)
}

/// People with their records, as letters.
type People = Vec<Vec<Vec<u32>>>;

fn release_of(kind: EventKind, people: &People) -> Release {
    let base: Dictionary = LETTERS.into_iter().collect();
    let mut builder = EventsBuilder::new(kind, false);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            builder.push(subject as u32, record, &[]);
        }
    }
    Release::identity(Arc::new(base), builder.finish(people.len()))
}

/// Every subsequence of up to `m` written items, with how many people have it.
fn all_supports(release: &Release, m: usize) -> BTreeMap<Vec<String>, u64> {
    let mut supports = BTreeMap::new();
    for subject in 0..release.people() {
        let mut patterns: BTreeSet<Vec<String>> = BTreeSet::new();
        for record in release.events().records_of(subject) {
            let mut names = release.names_of(record);
            if release.event_kind() == EventKind::Set {
                names.sort();
                names.dedup();
            }
            let mut shorter: BTreeSet<Vec<String>> = BTreeSet::from([Vec::new()]);
            for name in names {
                let longer: Vec<Vec<String>> = shorter
                    .iter()
                    .filter(|pattern| pattern.len() < m)
                    .map(|pattern| pattern.iter().cloned().chain([name.clone()]).collect())
                    .collect();
                shorter.extend(longer);
            }
            patterns.extend(shorter);
        }
        for pattern in patterns.into_iter().filter(|pattern| !pattern.is_empty()) {
            *supports.entry(pattern).or_default() += 1;
        }
    }
    supports
}

/// What the checker must answer, from all supports.
fn expected(release: &Release, k: u64, m: usize) -> (u64, Vec<(usize, u64, Vec<String>)>) {
    let supports = all_supports(release, m);
    let checked = supports.len() as u64;
    let mut broken: Vec<_> = supports
        .into_iter()
        .filter(|(_, support)| *support < k)
        .map(|(pattern, support)| (pattern.len(), support, pattern))
        .collect();
    broken.sort();
    (checked, broken)
}

fn agrees(release: &Release, k: u64, m: usize, list: usize) -> Result<(), TestCaseError> {
    let (checked, broken) = expected(release, k, m);
    let verdict = check(release, k, m, list);
    prop_assert_eq!(verdict.holds, broken.is_empty());
    if list == 0 && !broken.is_empty() {
        prop_assert_eq!((verdict.checked, verdict.violations_total), (1, 1));
        prop_assert!(verdict.violations.is_empty());
        return Ok(());
    }
    prop_assert_eq!(verdict.checked, checked);
    prop_assert_eq!(verdict.violations_total, broken.len() as u64);
    prop_assert!(verdict.violations.iter().all(|violation| violation.needed == k));
    let listed: Vec<_> = verdict
        .violations
        .into_iter()
        .map(|violation| (violation.pattern.len(), violation.support, violation.pattern))
        .collect();
    prop_assert_eq!(&listed[..], &broken[..broken.len().min(list)]);
    Ok(())
}

fn people(longest: usize) -> impl Strategy<Value = People> {
    // A small alphabet first: repeats, duplicates and shared patterns are what can go wrong.
    (1..=LETTERS.len() as u32)
        .prop_flat_map(move |letters| vec(vec(vec(0..letters, 0..=longest), 0..=3), 0..=9))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn sequences_are_judged_as_by_enumeration(
        people in people(6), k in 1..5_u64, m in 1..=8_usize, list in 0..12_usize,
    ) {
        agrees(&release_of(EventKind::Sequence, &people), k, m, list)?;
    }

    #[test]
    fn sets_are_judged_as_by_enumeration(
        people in people(6), k in 1..5_u64, m in 1..=7_usize, list in prop_oneof![0..12_usize, Just(usize::MAX)],
    ) {
        agrees(&release_of(EventKind::Set, &people), k, m, list)?;
    }

    #[test]
    fn duplicate_people_are_judged_as_by_enumeration(
        one in people(8), copies in 1..4_usize, k in 1..5_u64, m in 1..=5_usize, list in 0..20_usize,
    ) {
        let people: People = (0..copies).flat_map(|_| one.iter().cloned()).collect();
        agrees(&release_of(EventKind::Sequence, &people), k, m, list)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn long_records_are_judged_as_by_enumeration(
        long in vec(vec((0..4_u32, 1..40_usize), 1..12), 1..4),
        short in people(5), k in 1..5_u64, m in 1..=4_usize, list in 0..40_usize,
    ) {
        // Runs of one letter, as in click-streams, next to people with short records.
        let mut people = short;
        for (person, runs) in long.into_iter().enumerate() {
            let record = runs.into_iter().flat_map(|(letter, times)| vec![letter; times]).collect();
            if person < people.len() {
                people[person].push(record);
            } else {
                people.push(vec![record]);
            }
        }
        agrees(&release_of(EventKind::Sequence, &people), k, m, list)?;
    }
}

#[test]
fn three_trips_of_one_person_are_one_person() {
    let people = vec![vec![vec![0, 1], vec![0, 1], vec![0, 1]], vec![vec![0]]];
    let verdict = check(&release_of(EventKind::Sequence, &people), 2, 2, 10);
    let broken: Vec<_> = verdict.violations.iter().map(|v| (v.pattern.join(" "), v.support)).collect();
    assert_eq!(broken, [("b".to_owned(), 1), ("a b".to_owned(), 1)]);
}

#[test]
fn an_empty_release_keeps_every_promise() {
    for people in [vec![], vec![vec![]], vec![vec![vec![]], vec![vec![], vec![]]]] {
        let verdict = check(&release_of(EventKind::Sequence, &people), 1_000_000, 10, 5);
        assert!(verdict.holds);
        assert_eq!(verdict.checked, 0);
    }
}

fn generalised(kind: EventKind, alphabet: &[&[ItemId]], people: &[&[ItemId]]) -> Release {
    let base: Dictionary = LETTERS.into_iter().collect();
    let mut builder = EventsBuilder::new(kind, false);
    for (subject, record) in people.iter().enumerate() {
        builder.push(subject as u32, record, &[]);
    }
    Release {
        base: Arc::new(base),
        alphabet: alphabet.iter().map(|members| GeneralisedItem::of(members.to_vec())).collect(),
        body: Body::of_events(builder.finish(people.len())),
        suppression: Suppression::default(),
        nature: Nature::Truthful,
    }
}

#[test]
fn items_written_alike_are_one_and_items_that_overlap_are_judged_in_original_words() {
    // {a|b} twice under two numbers is one item. An attacker who knows b before b fits the last record alone.
    let release = generalised(EventKind::Sequence, &[&[0, 1], &[1, 0], &[0]], &[&[0, 2], &[1, 2], &[0, 1]]);
    let verdict = check(&release, 2, 2, 10);
    assert_eq!(verdict.checked, 6);
    let broken: Vec<_> = verdict.violations.iter().map(|v| v.pattern.clone()).collect();
    assert_eq!(broken, [["a", "b"], ["b", "b"]]);
    // In a set the two numbers are not even two items.
    let release = generalised(EventKind::Set, &[&[0, 1], &[1, 0], &[0]], &[&[0, 2], &[1, 2], &[0, 1]]);
    assert_eq!(check(&release, 2, 2, 10).checked, 3);
    assert!(check(&release, 2, 2, 10).holds);
}

#[test]
fn the_first_violations_are_the_smallest_however_many_there_are() {
    let release = words(&["abcdefghij", "abcdefghij", "abcdefghijklmnop"]);
    let verdict = check(&release, 3, 8, 3);
    let listed: Vec<_> = verdict.violations.iter().map(|v| v.pattern.concat()).collect();
    assert_eq!(listed, ["k", "l", "m"]);
    // Distinct letters: subsequences are subsets; the broken ones hold one of the six last letters.
    let choose = |n: u64, size: u64| (0..size).fold(1, |product, i| product * (n - i) / (i + 1));
    let subsets = |n: u64| (1..=8).map(|size| choose(n, size)).sum::<u64>();
    assert_eq!(verdict.checked, subsets(16));
    assert_eq!(verdict.violations_total, subsets(16) - subsets(10));
}

#[test]
fn a_very_long_record_does_not_explode() {
    let record: Vec<u32> = (0..14_000_u32).map(|position| (position / 7 + position % 5) % 6).collect();
    let people = vec![vec![record.clone()], vec![record], vec![vec![0, 1]]];
    let verdict = check(&release_of(EventKind::Sequence, &people), 2, 5, 10);
    assert!(verdict.holds);
    assert_eq!(verdict.checked, 6 + 36 + 216 + 1296 + 7776);
}

#[test]
fn a_cancelled_check_says_so() {
    let progress = Progress::silent();
    progress.cancel();
    let verdict = KmAnonymity.check(&Evidence::of(&words(&["ab", "ab"])), &settings(2, 2), 1, &progress);
    assert!(matches!(verdict, Err(CheckError::Cancelled(_))));
}

#[test]
fn any_number_of_threads_gives_the_same_verdict() {
    let letter = |n: u32, i: u32| char::from(b'a' + (n.wrapping_mul(2_654_435_761) >> (3 * i)) as u8 % 11);
    let records: Vec<String> = (0..60).map(|n| (0..7).map(|i| letter(n, i)).collect()).collect();
    let release = words(&records.iter().map(String::as_str).collect::<Vec<_>>());
    let verdicts: Vec<Verdict> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| check(&release, 4, 4, 25))
        })
        .collect();
    assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(verdicts[0].violations.len(), 25);
}

#[test]
fn the_promise_reads_as_a_sentence() {
    assert_eq!(
        KmAnonymity.statement(&settings(5, 2)),
        "An attacker who knows up to 2 events of a person, in order, finds at least 5 people who fit."
    );
    assert_eq!(
        KmAnonymity.statement(&settings(2, 1)),
        "An attacker who knows one event of a person finds at least 2 people who fit."
    );
    assert_eq!(
        KmAnonymity.statement_for(&settings(5, 2), EventKind::Set),
        "An attacker who knows up to 2 items of a person finds at least 5 people who fit."
    );
}
