//! Both promises against an attacker who knows original values and original items, person by person.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{
    Body, ColumnKind, Cover, Dictionary, EventKind, EventsBuilder, GeneralisedItem, Inputs, ItemId, Mixed,
    RecodedColumn, RecodedTable, Release, Role,
};

use crate::{Evidence, KAnonymity, KkmAnonymity, KlmDiversity, KmAnonymity, Promise, Verdict};

/// Original items; `d` is sensitive where something is.
const LETTERS: [&str; 4] = ["a", "b", "c", "d"];
const SECRET: ItemId = 3;

/// What a released item may stand for.
type Item = BTreeSet<ItemId>;

/// A person: two cells, and records.
#[derive(Debug, Clone)]
struct Person {
    cells: [u32; 2],
    records: Vec<Vec<Item>>,
}

fn people() -> impl Strategy<Value = Vec<Person>> {
    // Few different covers and cells, so that people share them.
    vec(btree_set(0..LETTERS.len() as ItemId, 1..=3), 1..=4).prop_flat_map(|covers| {
        let item = prop::sample::select(covers);
        let records = vec(vec(item, 0..=3), 1..=2);
        let cells =
            prop_oneof![4 => (0..2_u32, 0..1_u32), 2 => (0..2_u32, 0..2_u32), 1 => Just((4_u32, 4_u32))];
        let person = (cells, records).prop_map(|((a, b), records)| Person { cells: [a, b], records });
        vec(person, 0..=9)
    })
}

/// Cells of a column; the second and the third are written alike.
fn covers() -> Vec<Cover> {
    let range = || Cover::Range { low: "1".to_owned(), high: "3".to_owned() };
    vec![Cover::Value("1".to_owned()), range(), range(), Cover::Value("2".to_owned()), Cover::Suppressed]
}

fn release_of(kind: EventKind, people: &[Person]) -> Release {
    let base: Dictionary = LETTERS.into_iter().collect();
    let mut alphabet: Vec<GeneralisedItem> = Vec::new();
    let mut builder = EventsBuilder::new(kind, false);
    for (subject, person) in people.iter().enumerate() {
        for record in &person.records {
            let mut items = Vec::new();
            for item in record {
                let item = GeneralisedItem::of(item.iter().copied().collect());
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
    let column = |name: &str, at: usize| RecodedColumn {
        name: name.to_owned(),
        role: Role::QuasiIdentifying,
        kind: ColumnKind::Number,
        covers: covers(),
        cells: people.iter().map(|person| person.cells[at]).collect(),
    };
    let table = RecodedTable { columns: vec![column("age", 0), column("zip", 1)] };
    let body = Body::Mixed(Mixed { events: builder.finish(people.len()), table });
    Release { alphabet, ..Release::of_items(Arc::new(base), body) }
}

fn may_contain(kind: EventKind, record: &[Item], known: &[ItemId]) -> bool {
    match (kind, known.split_first()) {
        (_, None) => true,
        (EventKind::Sequence, Some((first, rest))) => (0..record.len())
            .any(|at| record[at].contains(first) && may_contain(kind, &record[at + 1..], rest)),
        _ => known.iter().all(|item| record.iter().any(|released| released.contains(item))),
    }
}

/// Everything of up to `m` items that could be known.
fn knowledge(kind: EventKind, items: &[ItemId], m: usize) -> Vec<Vec<ItemId>> {
    let mut all: Vec<Vec<ItemId>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..m {
        let to = all.len();
        for at in from..to {
            for item in items {
                if kind == EventKind::Sequence || all[at].last().is_none_or(|last| last < item) {
                    all.push(all[at].iter().copied().chain([*item]).collect());
                }
            }
        }
        from = to;
    }
    all
}

fn shown(person: &Person) -> [String; 2] {
    person.cells.map(|cell| covers()[cell as usize].render())
}

fn has_no_row(person: &Person) -> bool {
    person.cells == [4, 4]
}

/// Whether people without a row are suppressed altogether: none of them has an event.
fn all_suppressed(people: &[Person]) -> bool {
    people.iter().filter(|person| has_no_row(person)).all(|person| person.records.iter().all(Vec::is_empty))
}

/// People by what their rows show and what may be known of their items: how many fit.
fn fitting(
    kind: EventKind,
    people: &[Person],
    items: &[ItemId],
    m: usize,
) -> BTreeMap<([String; 2], Vec<ItemId>), Vec<usize>> {
    let mut found: BTreeMap<([String; 2], Vec<ItemId>), Vec<usize>> = BTreeMap::new();
    let all_gone = all_suppressed(people);
    for (number, person) in people.iter().enumerate().filter(|(_, person)| !(all_gone && has_no_row(person)))
    {
        for known in knowledge(kind, items, m) {
            if person.records.iter().any(|record| may_contain(kind, record, &known)) {
                found.entry((shown(person), known)).or_default().push(number);
            }
        }
    }
    found
}

fn check(promise: &dyn Promise, release: &Release, given: &[(&str, u64)], list: usize) -> Verdict {
    let texts: Vec<(&str, String)> = given.iter().map(|(name, value)| (*name, value.to_string())).collect();
    let settings =
        Settings::parse(promise.descriptor(), texts.iter().map(|(name, value)| (*name, value.as_str())))
            .unwrap();
    let occurs = release.alphabet.iter().any(|item| item.covers(SECRET));
    let inputs = Inputs {
        sensitive_items: if occurs { vec!["d".to_owned()] } else { Vec::new() },
        ..Inputs::default()
    };
    let evidence = Evidence { inputs: &inputs, ..Evidence::of(release) };
    promise.check(&evidence, &settings, list, &Progress::silent()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_500))]

    #[test]
    fn kkm_is_what_every_attacker_finds(people in people(), k in 1..4_u64, m in 1..4_usize, ordered in any::<bool>()) {
        let kind = if ordered { EventKind::Sequence } else { EventKind::Set };
        let release = release_of(kind, &people);
        let found = fitting(kind, &people, &[0, 1, 2, 3], m);
        let broken = found.values().filter(|fit| (fit.len() as u64) < k).count();
        let given = [("k", k), ("m", m as u64)];
        let all = check(&KkmAnonymity, &release, &given, 1_000);
        prop_assert_eq!(all.holds, broken == 0, "{:?}", all);
        prop_assert_eq!(all.violations.len() as u64, all.violations_total);
        let first = check(&KkmAnonymity, &release, &given, 0);
        prop_assert_eq!((first.holds, first.violations.len()), (all.holds, 0));
        for violation in &all.violations {
            prop_assert!(violation.support < k && violation.pattern.len() >= 2);
        }
        if all.holds {
            prop_assert!(check(&KmAnonymity, &release, &given, 0).holds);
            if people.iter().all(|person| person.cells != [4, 4]) {
                prop_assert!(check(&KAnonymity, &release, &given[..1], 0).holds);
            }
        }
    }

    #[test]
    fn diverse_is_what_no_attacker_guesses(
        people in people(),
        (k, l, m) in (1..4_u64, 1..4_u64, 1..3_usize),
        ordered in any::<bool>(),
    ) {
        let kind = if ordered { EventKind::Sequence } else { EventKind::Set };
        let release = release_of(kind, &people);
        let secret = |person: &usize| {
            people[*person].records.iter().flatten().any(|item| item.contains(&SECRET))
        };
        let found = fitting(kind, &people, &[0, 1, 2], m);
        let bad = |fit: &&Vec<usize>| {
            let carriers = fit.iter().filter(|person| secret(person)).count() as u64;
            (fit.len() as u64) < k || carriers * l > fit.len() as u64
        };
        let broken = found.values().filter(bad).count();
        let given = [("k", k), ("l", l), ("m", m as u64)];
        let verdict = check(&KlmDiversity, &release, &given, 1_000);
        prop_assert_eq!(verdict.holds, broken == 0, "{:?}", verdict);
        prop_assert_eq!(check(&KlmDiversity, &release, &given, 0).holds, broken == 0);
    }
}

/// Both parts keep their own promise, and an attacker who knows both finds one person: 2-anonymous, 2^1-anonymous, not (2, 2^1).
#[test]
fn two_promises_apart_are_not_the_one_of_both() {
    let person = |cell, item: ItemId| Person { cells: [cell, 0], records: vec![vec![Item::from([item])]] };
    let people = [person(0, 0), person(0, 1), person(1, 0), person(1, 1)];
    let release = release_of(EventKind::Set, &people);
    assert!(check(&KAnonymity, &release, &[("k", 2)], 1).holds);
    assert!(check(&KmAnonymity, &release, &[("k", 2), ("m", 1)], 1).holds);
    let verdict = check(&KkmAnonymity, &release, &[("k", 2), ("m", 1)], 1);
    assert_eq!((verdict.holds, verdict.violations_total), (false, 4));
    assert_eq!(verdict.violations[0].pattern, ["age=1", "zip=1", "a"]);
    assert_eq!(verdict.violations[0].support, 1);
}

/// Without a table there is nothing to group by: that is said, and nothing is judged.
#[test]
fn a_release_without_columns_is_not_judged() {
    let mut release = release_of(EventKind::Set, &[]);
    release.body = Body::of_events(release.events().clone());
    let settings = Settings::parse(KkmAnonymity.descriptor(), [("k", "2"), ("m", "1")]).unwrap();
    let refused = KkmAnonymity.check(&Evidence::of(&release), &settings, 1, &Progress::silent()).unwrap_err();
    assert!(refused.to_string().contains("a table beside the events"), "{refused}");
}
