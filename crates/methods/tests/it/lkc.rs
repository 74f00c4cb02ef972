//! `lkc` and `lkc-local` on small random tables, against checkers and searches written for these tests alone.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails, in its shared steps too")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use throng_contract::{Class, Failing, Fraction, Progress, Settings};
use throng_data::{Column, ColumnValues, Dataset, Dictionary, EventKind, EventsBuilder, Inputs, Role, Table};
use throng_methods::sequence::lkc::{Lkc, LkcLocal, Pruning, Requirement, Sensitive, minimal_violating};
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_mine::doublets::{DoubletTable, Ties};
use throng_models::Evidence;

type Doublet = (i64, u32);

/// A person: status, and records as time to item.
type Person = (u8, Vec<BTreeMap<i64, u32>>);

fn dataset(people: &[Person]) -> Dataset {
    let mut items = Dictionary::new();
    (0..4).for_each(|item| {
        items.intern(&format!("i{item}"));
    });
    let (mut subjects, mut statuses, mut codes) = (Dictionary::new(), Dictionary::new(), Vec::new());
    let mut builder = EventsBuilder::new(EventKind::Sequence, true);
    for (number, (status, records)) in people.iter().enumerate() {
        subjects.intern(&format!("p{number}"));
        codes.push(statuses.intern(&format!("s{status}")));
        for record in records {
            let items: Vec<u32> = record.values().copied().collect();
            let times: Vec<i64> = record.keys().copied().collect();
            builder.push(number as u32, &items, &times);
        }
    }
    let values = ColumnValues::Categories { values: statuses, codes };
    let column = Column { name: "status".to_owned(), role: Some(Role::Sensitive), values };
    Dataset {
        subjects,
        items: Arc::new(items),
        events: builder.finish(people.len()),
        places: None,
        own_categories: None,
        attributes: Some(Table { columns: vec![column] }),
    }
}

fn run(
    method: &dyn Method,
    data: &Dataset,
    given: &[(&str, &str)],
    sensitive: &[(String, String)],
    variant: Variant,
) -> Result<Outcome, MethodError> {
    let settings = Settings::parse(method.descriptor(), given.iter().copied())?;
    let progress = Progress::silent();
    let inputs = Inputs { sensitive_values: sensitive.to_vec(), ..Inputs::default() };
    method.anonymize(&Task { variant, inputs: &inputs, ..Task::new(data, &settings, &progress) })
}

/// Every occurring sequence of at most `limit` doublets with whether it violates, by enumeration.
fn judge_all(
    people: &[Person],
    limit: usize,
    k: usize,
    share: Fraction,
    sensitive: &[u8],
) -> BTreeMap<Vec<Doublet>, bool> {
    let mut known: BTreeSet<Vec<Doublet>> = BTreeSet::new();
    for record in people.iter().flat_map(|(_, records)| records) {
        let all: Vec<Doublet> = record.iter().map(|(time, item)| (*time, *item)).collect();
        for mask in 1_u32..1 << all.len() {
            if mask.count_ones() as usize <= limit {
                known.insert((0..all.len()).filter(|bit| mask >> bit & 1 == 1).map(|bit| all[bit]).collect());
            }
        }
    }
    let judge = |q: &Vec<Doublet>| {
        let holds = |record: &BTreeMap<i64, u32>| q.iter().all(|(time, item)| record.get(time) == Some(item));
        let fitting: Vec<&Person> = people.iter().filter(|person| person.1.iter().any(holds)).collect();
        fitting.len() < k
            || sensitive.iter().any(|value| {
                let held = fitting.iter().filter(|person| person.0 == *value).count();
                share.is_exceeded_by(held as u64, fitting.len() as u64)
            })
    };
    known
        .into_iter()
        .map(|q| {
            let violates = judge(&q);
            (q, violates)
        })
        .collect()
}

/// The people of a release, in the shape of the input.
fn people_of(outcome: &Outcome, before: &[Person]) -> Vec<Person> {
    let events = outcome.release.events();
    let record = |at: usize| {
        let times = events.times_of(at).unwrap_or(&[]);
        times.iter().copied().zip(events.record(at).iter().copied()).collect::<BTreeMap<i64, u32>>()
    };
    before
        .iter()
        .enumerate()
        .map(|(person, (status, _))| (*status, events.records_of(person).map(record).collect()))
        .collect()
}

fn tables() -> impl Strategy<Value = Vec<Person>> {
    // Times sparse enough for repeated items, records empty to full, duplicates by the small alphabet.
    vec((0_u8..3, vec(btree_map(0_i64..5, 0_u32..2, 0..=5), 1..=2)), 1..=9)
}

fn limits() -> impl Strategy<Value = (usize, usize, &'static str, usize)> {
    (1_usize..=6, 1_usize..=3, prop_oneof![Just("1"), Just("1/2"), Just("2/3"), Just("0.4")], 0_usize..=2)
}

fn named(values: &[u8]) -> Vec<(String, String)> {
    values.iter().map(|value| ("status".to_owned(), format!("s{value}"))).collect()
}

fn first_values(people: &[Person], wanted: usize) -> Vec<u8> {
    let present: BTreeSet<u8> = people.iter().map(|person| person.0).collect();
    present.into_iter().take(wanted).collect()
}

fn too_few_or_too_sure(people: &[Person], k: usize, share: Fraction, sensitive: &[u8]) -> bool {
    people.len() < k
        || sensitive.iter().any(|value| {
            let held = people.iter().filter(|person| person.0 == *value).count();
            share.is_exceeded_by(held as u64, people.len() as u64)
        })
}

fn keeps_its_promise(
    method: &dyn Method,
    people: &[Person],
    limits: (usize, usize, &str, usize),
) -> Result<(), TestCaseError> {
    let (limit, k, share_text, sensitive) = limits;
    let sensitive = first_values(people, sensitive);
    let share: Fraction = share_text.parse().unwrap();
    let data = dataset(people);
    let (limit_text, k_text) = (if limit == 6 { "max".to_owned() } else { limit.to_string() }, k.to_string());
    let mut given =
        vec![("L", limit_text.as_str()), ("K", k_text.as_str()), ("C", share_text), ("K-prime", "2")];
    if method.descriptor().name == "lkc-local" && k == 3 {
        given.push(("loss", "patterns"));
    }
    let sensitive_names = named(&sensitive);
    let outcome = match run(method, &data, &given, &sensitive_names, Variant::Sound) {
        Ok(outcome) => outcome,
        Err(error) => {
            prop_assert_eq!(error.class(), Class::Infeasible);
            prop_assert!(too_few_or_too_sure(people, k, share, &sensitive));
            return Ok(());
        }
    };
    prop_assert!(!too_few_or_too_sure(people, k, share, &sensitive));
    let after = people_of(&outcome, people);
    let broken: Vec<_> =
        judge_all(&after, limit, k, share, &sensitive).into_iter().filter(|(_, bad)| *bad).collect();
    prop_assert!(broken.is_empty(), "{:?}", broken);

    let promise = throng_models::find("lkc").unwrap();
    let settings = Settings::parse(method.descriptor(), given.iter().copied()).unwrap();
    let promised = settings.for_promise(promise.descriptor()).unwrap();
    let inputs = Inputs { sensitive_values: sensitive_names.to_vec(), ..Inputs::default() };
    let evidence = Evidence { original: Some(&data), inputs: &inputs, ..Evidence::of(&outcome.release) };
    prop_assert!(promise.check(&evidence, &promised, 1, &Progress::silent()).unwrap().holds);

    // Suppression only takes away, and is counted.
    let mut removed = 0;
    for ((_, before), (_, after)) in people.iter().zip(&after) {
        for (before, after) in before.iter().zip(after) {
            prop_assert!(after.iter().all(|(time, item)| before.get(time) == Some(item)));
            removed += before.len() - after.len();
        }
    }
    prop_assert_eq!(outcome.release.suppression.events, removed as u64);
    // Data that was safe is left alone.
    let violated = judge_all(people, limit, k, share, &sensitive).into_values().any(|bad| bad);
    prop_assert_eq!(violated, removed > 0);

    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = alone.install(|| run(method, &data, &given, &sensitive_names, Variant::Sound)).unwrap();
    prop_assert_eq!(again.release.events(), outcome.release.events());
    prop_assert_eq!(again.explanation, outcome.explanation);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn global_suppression_keeps_its_promise(people in tables(), limits in limits()) {
        keeps_its_promise(&Lkc, &people, limits)?;
    }

    #[test]
    fn local_suppression_keeps_its_promise(people in tables(), limits in limits()) {
        keeps_its_promise(&LkcLocal, &people, limits)?;
    }

    #[test]
    fn global_suppression_keeps_the_support_of_what_is_left(people in tables()) {
        let outcome = run(&Lkc, &dataset(&people), &[("L", "2"), ("K", "2")], &[], Variant::AsPrinted).unwrap();
        let after = people_of(&outcome, &people);
        let support = |people: &[Person], doublet: &Doublet| {
            people.iter().filter(|p| p.1.iter().any(|r| r.get(&doublet.0) == Some(&doublet.1))).count()
        };
        let left: BTreeSet<Doublet> = after.iter().flat_map(|p| &p.1).flatten().map(|(t, i)| (*t, *i)).collect();
        for doublet in left {
            prop_assert_eq!(support(&after, &doublet), support(&people, &doublet));
        }
    }

    #[test]
    fn exactly_the_minimal_violating_sequences_are_found(people in tables(), limits in limits()) {
        let (limit, k, share, sensitive) = limits;
        let values = first_values(&people, sensitive);
        let share: Fraction = share.parse().unwrap();
        let judged = judge_all(&people, limit, k, share, &values);
        let is_part = |part: &[Doublet], whole: &[Doublet]| part.iter().all(|doublet| whole.contains(doublet));
        let violating: Vec<&Vec<Doublet>> = judged.iter().filter(|(_, bad)| **bad).map(|(q, _)| q).collect();
        let expected: BTreeSet<Vec<Doublet>> = violating
            .iter()
            .filter(|q| !violating.iter().any(|other| other.len() < q.len() && is_part(other, q)))
            .map(|q| (*q).clone())
            .collect();

        let data = dataset(&people);
        let table = DoubletTable::new(&data.events, Ties::Refuse).unwrap();
        let sensitive = Sensitive::find("lkc", &data, &named(&values), true).unwrap();
        let requirement = Requirement { length: limit, people: k as u64, share };
        let find = |pruning| {
            let found = minimal_violating(&table, &sensitive, &requirement, pruning, &Progress::silent()).unwrap();
            found
                .iter()
                .map(|set| set.iter().map(|at| (table.doublet(*at).time, table.doublet(*at).item)).collect())
                .collect::<Vec<Vec<Doublet>>>()
        };
        let mut found = find(Pruning::AllParts);
        found.sort();
        prop_assert_eq!(&found, &expected.iter().cloned().collect::<Vec<_>>());
        // The letter of the paper misses none, and agrees up to size three.
        let printed: BTreeSet<Vec<Doublet>> = find(Pruning::LastLevel).into_iter().collect();
        prop_assert!(expected.is_subset(&printed));
        prop_assert!(printed.difference(&expected).all(|q| q.len() >= 4));
    }
}

/// Deleting (0, i1) where it comes with (2, i0) would improve the confidence of (0, i1), (3, i1) and leave
/// (0, i1), (1, i0), (3, i1) violating on its own, though none of its people change.
#[test]
fn a_cleared_sequence_may_uncover_a_longer_one() {
    let record = |doublets: &[Doublet]| doublets.iter().copied().collect::<BTreeMap<i64, u32>>();
    let people: Vec<Person> = vec![
        (1, vec![record(&[(2, 0), (3, 1)])]),
        (0, vec![record(&[(0, 1), (2, 0), (3, 1)])]),
        (1, vec![record(&[(0, 1), (1, 0)])]),
        (0, vec![record(&[(0, 1), (1, 0), (3, 1)])]),
        (2, vec![record(&[(1, 0), (3, 1)]), record(&[(0, 1), (3, 1)])]),
    ];
    keeps_its_promise(&LkcLocal, &people, (3, 1, "1/2", 1)).unwrap();
}

fn refusal(data: &Dataset, given: &[(&str, &str)], column: &str, value: &str) -> (Class, String) {
    let sensitive = [(column.to_owned(), value.to_owned())];
    let error = run(&Lkc, data, given, &sensitive, Variant::Sound).unwrap_err();
    assert!(error.help().is_some(), "{error}");
    (error.class(), error.to_string())
}

#[test]
fn bad_input_is_refused_with_a_class_and_a_way_out() {
    let people: Vec<Person> = (0..4).map(|n| (n % 2, vec![BTreeMap::from([(1, 0), (2, 1)])])).collect();
    let data = dataset(&people);
    let good = [("L", "2"), ("K", "2"), ("C", "0.5")];
    assert_eq!(refusal(&data, &[("L", "2"), ("K", "2"), ("C", "1.5")], "status", "s1").0, Class::Usage);
    assert_eq!(refusal(&data, &[("L", "2"), ("K", "2"), ("C", "0")], "status", "s1").0, Class::Usage);
    assert_eq!(refusal(&data, &[("L", "2"), ("K", "0")], "status", "s1").0, Class::Usage);
    assert_eq!(refusal(&data, &[("L", "0"), ("K", "2")], "status", "s1").0, Class::Usage);
    assert_eq!(
        refusal(&data, &good, "job", "s1"),
        (Class::BadInput, "the sensitive column `job` is not among the attributes".to_owned())
    );
    assert_eq!(
        refusal(&data, &good, "status", "s7"),
        (Class::BadInput, "no person has the sensitive value `s7` in the column `status`".to_owned())
    );
    assert_eq!(
        refusal(&data, &[("L", "2"), ("K", "9")], "status", "s1"),
        (Class::Infeasible, "there are 4 people, fewer than K = 9".to_owned())
    );
    assert_eq!(
        refusal(&data, &[("L", "2"), ("K", "2"), ("C", "1/3")], "status", "s1"),
        (Class::Infeasible, "`status=s1` is held by 2 of 4 people, a larger share than C = 1/3".to_owned())
    );
    let bare = Dataset { attributes: None, ..data.clone() };
    assert_eq!(refusal(&bare, &good, "status", "s1").0, Class::Usage);
    let untimed = Dataset { events: data.events.clone().without_times(), ..data };
    assert_eq!(
        refusal(&untimed, &good, "status", "s1"),
        (Class::BadInput, "the events have no times".to_owned())
    );
}

#[test]
fn two_events_at_one_time_are_refused_or_the_first_is_kept_and_the_other_counted() {
    let mut data = dataset(&[(0, vec![BTreeMap::new()]), (0, vec![BTreeMap::new()])]);
    let mut builder = EventsBuilder::new(EventKind::Sequence, true);
    builder.push(0, &[0, 1], &[5, 5]);
    builder.push(1, &[0], &[5]);
    data.events = builder.finish(2);
    let refused = run(&Lkc, &data, &[("L", "1"), ("K", "2")], &[], Variant::Sound).unwrap_err();
    assert_eq!(
        (refused.class(), refused.to_string().as_str()),
        (Class::BadInput, "record 1 has two events at time 5")
    );
    assert!(refused.help().is_some_and(|help| help.to_string().contains("--resolve-ties first")));
    let given = [("L", "1"), ("K", "2"), ("resolve-ties", "first")];
    for method in [&Lkc as &dyn Method, &LkcLocal] {
        let outcome = run(method, &data, &given, &[], Variant::Sound).unwrap();
        assert_eq!(outcome.release.events().items(), [0, 0]);
        assert_eq!((outcome.release.suppression.events, outcome.release.suppression.items), (1, 1));
        assert!(outcome.notes[0].starts_with("1 events were suppressed"), "{}", outcome.notes[0]);
    }
}

#[test]
fn cancelling_stops_both_methods() {
    let people: Vec<Person> =
        (0..4).map(|n| (n, vec![BTreeMap::from([(1, 0), (2, u32::from(n))])])).collect();
    let data = dataset(&people);
    for method in [&Lkc as &dyn Method, &LkcLocal] {
        let settings = Settings::parse(method.descriptor(), [("L", "2"), ("K", "2")]).unwrap();
        let progress = Progress::silent();
        progress.cancel();
        let error = method.anonymize(&Task::new(&data, &settings, &progress)).unwrap_err();
        assert_eq!(error.class(), Class::Interrupted);
    }
}

/// Only the first person is at `i0` and then at `i1`, where three and four people are. Deleting one event or the other there clears that, so that by
/// events the earlier goes; by frequent sequences `i1` does, since it keeps three people and `i0` would not.
#[test]
fn what_a_local_suppression_costs_decides_which_event_goes() {
    let visits: [&[Doublet]; 6] = [&[(0, 0), (1, 1)], &[(0, 0)], &[(0, 0)], &[(1, 1)], &[(1, 1)], &[(1, 1)]];
    let data = dataset(&visits.map(|visits| (0, vec![visits.iter().copied().collect()])));
    let left = |loss: &str| {
        let given = [("L", "2"), ("K", "2"), ("C", "1"), ("K-prime", "3"), ("loss", loss)];
        let outcome = run(&LkcLocal, &data, &given, &[], Variant::Sound).unwrap();
        let first = outcome
            .release
            .events()
            .record(0)
            .iter()
            .map(|item| outcome.release.name(*item))
            .collect::<String>();
        (first, outcome.notes.join(" "))
    };
    assert_eq!(left("instances").0, "i1");
    let (first, notes) = left("patterns");
    assert_eq!(first, "i0");
    // `i0` keeps all, `i1` three of four.
    assert!(
        notes.contains("2 maximal sequences that at least 3 people shared still occur, with on average 12.5 % fewer people and at worst 25.0 %"),
        "{notes}"
    );
}
