//! Every checker against an attacker who knows *original* items: tiny releases whose items may stand for arbitrary, overlapping
//! sets of original ones, judged by listing everything an attacker could know.
//!
//! The attack: an item that is published whole for some people and merged for others (`a` here, `{a|b}` there) looks like
//! two unrelated symbols to a checker that compares what is written, while an attacker who knows `a` finds the people of both.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lkc;

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{
    Column, ColumnValues, Dictionary, EventKind, EventsBuilder, GeneralisedItem, Inputs, ItemId, Release,
    Table, parse_item,
};
use throng_models::{CheckError, Evidence, KlmAnonymity, KmAnonymity, Lkc, P2k, Policy, Promise, Verdict};

/// Original items; `d` is sensitive where something is.
const LETTERS: [&str; 4] = ["a", "b", "c", "d"];

/// What a released event may stand for.
type Event = BTreeSet<ItemId>;
/// People with their records.
type People = Vec<Vec<Vec<Event>>>;

fn people() -> impl Strategy<Value = People> {
    // Few different covers, so that people share them.
    vec(btree_set(0..LETTERS.len() as ItemId, 1..=3), 1..=4).prop_flat_map(|covers| {
        let event = prop::sample::select(covers);
        vec(vec(vec(event, 0..=4), 1..=2), 0..=6)
    })
}

fn release_of(kind: EventKind, people: &People) -> Release {
    let base: Dictionary = LETTERS.into_iter().collect();
    let mut alphabet: Vec<GeneralisedItem> = Vec::new();
    let mut builder = EventsBuilder::new(kind, false);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            let mut items = Vec::new();
            for event in record {
                let item = GeneralisedItem::of(event.iter().copied().collect());
                let known = alphabet.iter().position(|other| *other == item);
                items.push(known.unwrap_or(alphabet.len()) as ItemId);
                if known.is_none() {
                    alphabet.push(item);
                }
            }
            if kind == EventKind::Set {
                items.sort_unstable();
                items.dedup();
            }
            builder.push(subject as u32, &items, &[]);
        }
    }
    let mut release = Release::identity(Arc::new(base), builder.finish(people.len()));
    release.alphabet = alphabet;
    release
}

/// Whether the record may contain the pattern: one event for each known one, in order; in a set an item may be several.
fn fits(kind: EventKind, record: &[Event], pattern: &[ItemId]) -> bool {
    match (kind, pattern.split_first()) {
        (_, None) => true,
        (EventKind::Set, _) => pattern.iter().all(|item| record.iter().any(|event| event.contains(item))),
        (_, Some((first, rest))) => {
            (0..record.len()).any(|at| record[at].contains(first) && fits(kind, &record[at + 1..], rest))
        }
    }
}

/// All patterns of 1 to `m` of the given items; sets ascending.
fn patterns(kind: EventKind, items: &[ItemId], m: usize) -> Vec<Vec<ItemId>> {
    let mut all: Vec<Vec<ItemId>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..m {
        let to = all.len();
        for at in from..to {
            for item in items {
                if kind == EventKind::Sequence || all[at].last().is_none_or(|last| last < item) {
                    let longer = all[at].iter().copied().chain([*item]).collect();
                    all.push(longer);
                }
            }
        }
        from = to;
    }
    all.split_off(1)
}

fn who_fits(kind: EventKind, people: &People, pattern: &[ItemId]) -> Vec<usize> {
    let person = |person: &usize| people[*person].iter().any(|record| fits(kind, record, pattern));
    (0..people.len()).filter(person).collect()
}

fn settings(promise: &dyn Promise, given: &[(&str, String)]) -> Settings {
    let given = given.iter().map(|(name, value)| (*name, value.as_str()));
    Settings::parse(promise.descriptor(), given).unwrap()
}

/// Every listed case, in every wording, is one of the broken patterns; and together they are all of them.
fn lists_exactly(
    kind: EventKind,
    verdict: &Verdict,
    broken: &BTreeSet<Vec<ItemId>>,
    support: impl Fn(&[ItemId]) -> u64,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(verdict.holds, broken.is_empty(), "{:?} {:?}", verdict, broken);
    prop_assert_eq!(verdict.violations.len() as u64, verdict.violations_total);
    let mut listed: BTreeSet<Vec<ItemId>> = BTreeSet::new();
    for violation in &verdict.violations {
        let mut wordings: Vec<Vec<ItemId>> = vec![Vec::new()];
        for name in &violation.pattern {
            let number = |name: &String| LETTERS.iter().position(|letter| letter == name).unwrap() as ItemId;
            let members: Vec<ItemId> = parse_item(name).unwrap().iter().map(number).collect();
            wordings = wordings
                .iter()
                .flat_map(|wording| {
                    members.iter().map(|item| wording.iter().copied().chain([*item]).collect())
                })
                .collect();
        }
        for mut wording in wordings {
            if kind == EventKind::Set {
                wording.sort_unstable();
            }
            prop_assert_eq!(support(&wording), violation.support, "{:?}", wording);
            listed.insert(wording);
        }
    }
    // In a set, two known items of one class are listed as the class alone.
    match kind {
        EventKind::Sequence | EventKind::Absent => prop_assert_eq!(&listed, broken),
        EventKind::Set => prop_assert!(listed.is_subset(broken)),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn km_counts_everybody_who_may_have_what_is_known(
        people in people(), k in 1..5_usize, m in 1..=3_usize, sets in any::<bool>(),
    ) {
        let kind = if sets { EventKind::Set } else { EventKind::Sequence };
        let release = release_of(kind, &people);
        let support = |pattern: &[ItemId]| who_fits(kind, &people, pattern).len() as u64;
        let broken: BTreeSet<Vec<ItemId>> = patterns(kind, &[0, 1, 2, 3], m)
            .into_iter()
            .filter(|pattern| (1..k as u64).contains(&support(pattern)))
            .collect();
        let settings = settings(&KmAnonymity, &[("k", k.to_string()), ("m", m.to_string())]);
        let check = |list| KmAnonymity.check(&Evidence::of(&release), &settings, list, &Progress::silent()).unwrap();
        lists_exactly(kind, &check(10_000), &broken, support)?;
        prop_assert_eq!(check(0).holds, broken.is_empty());
    }

    #[test]
    fn klm_counts_everybody_who_may_have_what_is_known(
        people in people(), k in 1..4_usize, l in 1..4_usize, m in 1..=3_usize, count in any::<bool>(),
        sets in any::<bool>(),
    ) {
        let kind = if sets { EventKind::Set } else { EventKind::Sequence };
        let release = release_of(kind, &people);
        let occurs = people.iter().flatten().flatten().any(|event| event.contains(&3));
        let sensitive: &[String] = if occurs { &["d".to_owned()] } else { &[] };
        let may_have = |person: &&usize| people[**person].iter().flatten().any(|event| event.contains(&3));
        let support = |pattern: &[ItemId]| who_fits(kind, &people, pattern).len() as u64;
        let known: &[ItemId] = if occurs { &[0, 1, 2] } else { &[0, 1, 2, 3] };
        let broken: BTreeSet<Vec<ItemId>> = patterns(kind, known, m)
            .into_iter()
            .filter(|pattern| {
                let found = who_fits(kind, &people, pattern);
                let carriers = if occurs { found.iter().filter(may_have).count() } else { 0 };
                let leaks = if count { carriers > l } else { carriers * l > found.len() };
                !found.is_empty() && (found.len() < k || leaks)
            })
            .collect();
        let form = if count { "count" } else { "ratio" };
        let given = [("k", k.to_string()), ("l", l.to_string()), ("m", m.to_string()), ("form", form.to_owned())];
        let settings = settings(&KlmAnonymity, &given);
        let inputs = Inputs { sensitive_items: sensitive.to_vec(), ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        let check = |list| KlmAnonymity.check(&evidence, &settings, list, &Progress::silent()).unwrap();
        let verdict = check(10_000);
        prop_assert_eq!(verdict.holds, broken.is_empty(), "{:?} {:?}", verdict, broken);
        prop_assert_eq!(check(0).holds, broken.is_empty());
        // Where covers are a partition, an item with a sensitive member is listed as released.
        if verdict.violations.iter().flat_map(|violation| &violation.pattern).all(|name| !name.contains('d') || !occurs) {
            lists_exactly(kind, &verdict, &broken, support)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_policy_speaks_of_every_part_of_its_constraints(
        people in people(), k in 1..5_u64, constraints in vec(btree_set(0..4 as ItemId, 0..=4), 0..=3),
    ) {
        let kind = EventKind::Set;
        let release = release_of(kind, &people);
        let support = |pattern: &[ItemId]| who_fits(kind, &people, pattern).len() as u64;
        let broken: BTreeSet<Vec<ItemId>> = constraints
            .iter()
            .flat_map(|constraint| patterns(kind, &constraint.iter().copied().collect::<Vec<_>>(), 4))
            .filter(|part| (1..k).contains(&support(part)))
            .collect();
        let name = |item: &ItemId| LETTERS[*item as usize].to_owned();
        // A constraint may name what no person has ever had.
        let policy = constraints.iter().map(|constraint| {
            constraint.iter().map(name).chain(["unknown".to_owned()]).collect()
        });
        let inputs = Inputs { policy: Some(policy.collect()), ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        let settings = settings(&Policy, &[("k", k.to_string())]);
        let verdict = Policy.check(&evidence, &settings, 10_000, &Progress::silent()).unwrap();
        lists_exactly(kind, &verdict, &broken, support)?;
        let first = Policy.check(&evidence, &settings, 0, &Progress::silent()).unwrap();
        prop_assert_eq!((first.holds, first.violations_total), (broken.is_empty(), u64::from(!broken.is_empty())));
    }

    #[test]
    fn without_a_policy_sets_of_bounded_size_are_protected(people in people(), k in 1..5_u64, m in 1..4_u64) {
        let release = release_of(EventKind::Set, &people);
        let given = [("k", k.to_string()), ("m", m.to_string())];
        let evidence = Evidence::of(&release);
        let check = |promise: &dyn Promise| {
            promise.check(&evidence, &settings(promise, &given), 10_000, &Progress::silent()).unwrap()
        };
        let (policy, km) = (check(&Policy), check(&KmAnonymity));
        prop_assert_eq!(policy, Verdict { promise: "policy", ..km });
    }
}

#[test]
fn a_policy_is_asked_for_where_nothing_else_says_what_is_known() {
    let release = release_of(EventKind::Set, &vec![vec![vec![Event::from([0])]]]);
    let settings = settings(&Policy, &[("k", "2".to_owned())]);
    let error = Policy.check(&Evidence::of(&release), &settings, 1, &Progress::silent()).unwrap_err();
    assert!(error.to_string().contains("needs a policy"), "{error}");
}

/// Specification 13.18: two clusters, `a` whole in one and merged with `b` in the other. Everybody who may have been at
/// `a` is four people, two of them with `s`; counted as written, no symbol has more than one.
#[test]
fn an_item_whole_here_and_merged_there_is_one_item_to_an_attacker() {
    let base: Dictionary = ["a", "b", "s"].into_iter().collect();
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (person, record) in [&[0, 2][..], &[0], &[1, 2], &[1]].iter().enumerate() {
        builder.push(person as u32, record, &[]);
    }
    let mut release = Release::identity(Arc::new(base), builder.finish(4));
    release.alphabet =
        vec![GeneralisedItem::of(vec![0]), GeneralisedItem::of(vec![0, 1]), GeneralisedItem::of(vec![2])];
    let given =
        [("k", "2"), ("l", "1"), ("m", "1"), ("form", "count")].map(|(name, value)| (name, value.to_owned()));
    let inputs = Inputs { sensitive_items: vec!["s".to_owned()], ..Inputs::default() };
    let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
    let verdict =
        KlmAnonymity.check(&evidence, &settings(&KlmAnonymity, &given), 10, &Progress::silent()).unwrap();
    assert!(!verdict.holds);
    assert_eq!(verdict.violations.len(), 1, "an attacker who knows b finds one of two");
    assert_eq!(
        (verdict.violations[0].pattern.as_slice(), verdict.violations[0].support),
        (&["a".to_owned()][..], 4)
    );
    assert_eq!(verdict.violations[0].details["confidence"], "2/4");
}

/// Six people: `{a|b}` is shown by the first and third, `{b|c}` by the second and third; the first two have the secret. As written each symbol
/// has one of two; an attacker who knows `b` finds two of three, since the third is one person.
fn shows_two_symbols_for_one_item() -> Vec<&'static [ItemId]> {
    vec![&[0, 2], &[1, 2], &[0, 1], &[3], &[3], &[3]]
}

fn overlapping(timed: bool) -> Release {
    let base: Dictionary = ["a", "b", "c", "s", "x"].into_iter().collect();
    let mut builder = EventsBuilder::new(EventKind::Sequence, timed);
    for (person, record) in shows_two_symbols_for_one_item().into_iter().enumerate() {
        // With times, the secret is an attribute and not an event.
        let events: Vec<ItemId> = record.iter().copied().filter(|item| !timed || *item != 2).collect();
        let times = vec![7; if timed { events.len() } else { 0 }];
        builder.push(person as u32, &events, &times);
    }
    let mut release = Release::identity(Arc::new(base), builder.finish(6));
    let covers = [vec![0, 1], vec![1, 2], vec![3], vec![4]];
    release.alphabet = covers.into_iter().map(GeneralisedItem::of).collect();
    release
}

#[test]
fn klm_counts_people_who_show_an_item_in_two_ways_once() {
    let release = overlapping(false);
    let judge = |l: &str| {
        let given = [("k", "2"), ("l", l), ("m", "1")].map(|(name, value)| (name, value.to_owned()));
        let inputs = Inputs { sensitive_items: vec!["s".to_owned()], ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        KlmAnonymity.check(&evidence, &settings(&KlmAnonymity, &given), 10, &Progress::silent()).unwrap()
    };
    let verdict = judge("2");
    assert!(!verdict.holds);
    assert_eq!(verdict.violations[0].details["confidence"], "2/3");
    assert!(judge("1").holds);
}

#[test]
fn klm_refuses_a_list_of_secrets_of_which_nothing_occurs() {
    let release = overlapping(false);
    let given = [("k", "2"), ("l", "2"), ("m", "1")].map(|(name, value)| (name, value.to_owned()));
    let judge = |secrets: &[&str]| {
        let sensitive_items = secrets.iter().map(|name| (*name).to_owned()).collect();
        let inputs = Inputs { sensitive_items, ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        KlmAnonymity.check(&evidence, &settings(&KlmAnonymity, &given), 10, &Progress::silent())
    };
    assert!(matches!(judge(&["z", "y"]), Err(CheckError::Unknown { name, .. }) if name == "z"));
    assert!(judge(&["z", "s"]).is_ok());
}

/// The worst cases are listed: short before long, fewest people first.
#[test]
fn of_many_cases_the_worst_are_listed() {
    let base: Dictionary = ["a", "b", "c", "d", "e", "f"].into_iter().collect();
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (person, record) in [&[5, 4, 3][..], &[4, 3], &[3], &[2, 1, 0], &[2, 1], &[2]].iter().enumerate() {
        builder.push(person as u32, record, &[]);
    }
    let release = Release::identity(Arc::new(base), builder.finish(6));
    let given = [("k", "3"), ("l", "1"), ("m", "3")].map(|(name, value)| (name, value.to_owned()));
    let settings = settings(&KlmAnonymity, &given);
    let listed = |list| {
        let verdict =
            KlmAnonymity.check(&Evidence::of(&release), &settings, list, &Progress::silent()).unwrap();
        assert_eq!(verdict.violations_total, if list == 0 { 1 } else { 12 });
        assert_eq!(verdict.checked, 14, "all patterns that occur");
        verdict.violations.iter().map(|broken| broken.pattern.concat()).collect::<Vec<String>>()
    };
    assert_eq!(listed(5), ["a", "f", "b", "e", "ba"]);
    assert_eq!(listed(2), ["a", "f"]);
    assert_eq!(listed(1), ["a"]);
    assert_eq!(listed(20).len(), 12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn p2k_counts_everybody_who_may_have_what_is_known(people in people(), k in 1..4_u64) {
        let kind = EventKind::Sequence;
        let release = release_of(kind, &people);
        let longest = people.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let holds = patterns(kind, &[0, 1, 2, 3], longest)
            .iter()
            .all(|pattern| !(1..k).contains(&(who_fits(kind, &people, pattern).len() as u64)));
        let settings = settings(&P2k, &[("k", k.to_string()), ("form", "release".to_owned())]);
        for list in [0, 100] {
            let verdict = P2k.check(&Evidence::of(&release), &settings, list, &Progress::silent()).unwrap();
            prop_assert_eq!(verdict.holds, holds, "{:?}", verdict);
        }
    }
}
