//! Suppression: the promise is kept against an exhaustive check, what is left happened, and no more goes than has to.

mod literal;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng_contract::{Class, Failing, Progress, Settings};
use throng_data::{Dataset, EventKind, Inputs, ItemId, Release};
use throng_methods::{MethodError, Outcome, Task, find};

type People = Vec<Vec<Vec<usize>>>;

const ITEMS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn people(most: usize) -> impl Strategy<Value = People> {
    let record = prop::collection::vec(0..ITEMS.len(), 0..6);
    prop::collection::vec(prop::collection::vec(record, 1..3), 1..most)
}

fn dataset(people: &People) -> Dataset {
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let records = people.iter().zip(&names).flat_map(|(records, name)| {
        records.iter().map(move |record| (name.as_str(), record.iter().map(|item| ITEMS[*item])))
    });
    Dataset::from_records(EventKind::Sequence, records)
}

fn run(
    data: &Dataset,
    method: &str,
    given: &[(&str, &str)],
    secrets: &[&str],
    progress: &Progress,
) -> Result<Outcome, MethodError> {
    let method = find(method).expect("a method");
    let settings = Settings::parse(method.descriptor(), given.iter().copied()).expect("valid settings");
    let sensitive_items = secrets.iter().map(|name| (*name).to_owned()).collect();
    let inputs = Inputs { sensitive_items, ..Inputs::default() };
    method.anonymize(&Task { inputs: &inputs, ..Task::new(data, &settings, progress) })
}

/// Every sequence of up to `m` known items that some record holds, with the people who hold it.
fn patterns(
    release: &Release,
    m: usize,
    known: impl Fn(ItemId) -> bool,
) -> BTreeMap<Vec<ItemId>, BTreeSet<usize>> {
    let mut found: BTreeMap<Vec<ItemId>, BTreeSet<usize>> = BTreeMap::new();
    for person in 0..release.people() {
        for record in release.events().records_of(person) {
            let items: Vec<ItemId> =
                release.events().record(record).iter().copied().filter(|item| known(*item)).collect();
            for chosen in 1_u32..1 << items.len() {
                if chosen.count_ones() as usize <= m {
                    let pattern = (0..items.len()).filter(|at| chosen >> at & 1 == 1).map(|at| items[at]);
                    found.entry(pattern.collect()).or_default().insert(person);
                }
            }
        }
    }
    found
}

fn is_part(part: &[ItemId], whole: &[ItemId]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|item| rest.any(|other| other == item))
}

/// Whether what is published happened in this order, to the same people, and what is missing was counted.
fn is_honest(data: &Dataset, release: &Release) -> bool {
    let (before, after) = (&data.events, release.events());
    let records = 0..before.records();
    before.subject_offsets() == after.subject_offsets()
        && records.clone().all(|record| is_part(after.record(record), before.record(record)))
        && release.suppression.events == (before.len() - after.len()) as u64
        && release.suppression.emptied_records
            == records.filter(|r| after.record(*r).is_empty() && !before.record(*r).is_empty()).count() as u64
        && release.alphabet.iter().all(|item| item.is_intact())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_500))]

    #[test]
    fn every_pattern_is_shared_and_nothing_goes_without_need(people in people(12), k in 1_usize..5, m in 1_usize..5) {
        let data = dataset(&people);
        let (k_text, m_text) = (k.to_string(), m.to_string());
        for scope in ["local", "global"] {
            let given = [("k", k_text.as_str()), ("m", m_text.as_str()), ("scope", scope)];
            let release = run(&data, "suppress", &given, &[], &Progress::silent()).unwrap().release;
            prop_assert!(is_honest(&data, &release));
            prop_assert!(patterns(&release, m, |_| true).values().all(|people| people.len() >= k), "{scope}");
            if patterns(&Release::identity(data.items.clone(), data.events.clone()), m, |_| true)
                .values()
                .all(|people| people.len() >= k)
            {
                prop_assert_eq!(release.suppression.events, 0);
            }
            if scope == "global" {
                for item in 0..data.items.len() as ItemId {
                    let count = |items: &[ItemId]| items.iter().filter(|other| **other == item).count();
                    let left = count(release.events().items());
                    prop_assert!(left == 0 || left == count(data.events.items()));
                }
            }
        }
    }

    #[test]
    fn no_event_could_be_given_back(people in people(10), k in 2_usize..4, m in 1_usize..4) {
        let data = dataset(&people);
        let given = [("k", &*k.to_string()), ("m", &*m.to_string())];
        let release = run(&data, "suppress", &given, &[], &Progress::silent()).unwrap().release;
        let shown = patterns(&release, m, |_| true);
        for record in 0..data.events.records() {
            let (whole, left) = (data.events.record(record), release.events().record(record));
            // Which places were kept is plain where no item repeats.
            if (0..whole.len()).any(|at| whole[..at].contains(&whole[at])) {
                continue;
            }
            for chosen in 0_u32..1 << whole.len() {
                let wider: Vec<ItemId> =
                    (0..whole.len()).filter(|at| chosen >> at & 1 == 1).map(|at| whole[at]).collect();
                if wider.len() == left.len() + 1 && is_part(left, &wider) {
                    let alone = Dataset { events: {
                        let mut one = throng_data::EventsBuilder::new(EventKind::Sequence, false);
                        one.push(0, &wider, &[]);
                        one.finish(1)
                    }, ..data.clone() };
                    let made = patterns(&Release::identity(alone.items.clone(), alone.events), m, |_| true);
                    prop_assert!(made.keys().any(|pattern| !shown.contains_key(pattern)), "{:?} {:?}", left, wider);
                }
            }
        }
    }

    #[test]
    fn a_sensitive_item_stays_a_bad_guess(people in people(12), k in 1_usize..4, l in 1_usize..4, m in 1_usize..4) {
        let data = dataset(&people);
        let texts = [k, l, m].map(|number| number.to_string());
        for (scope, form) in [("local", "ratio"), ("global", "ratio"), ("local", "count"), ("global", "count")] {
            let given = [
                ("k", texts[0].as_str()), ("l", texts[1].as_str()), ("m", texts[2].as_str()), ("scope", scope), ("form", form),
            ];
            let Some(first) = data.items.find("d") else { continue };
            let second = data.items.find("e");
            let secret = |item: ItemId| item == first || Some(item) == second;
            let release = run(&data, "lm-suppress", &given, &["d", "e"], &Progress::silent()).unwrap().release;
            prop_assert!(is_honest(&data, &release));
            let carriers = patterns(&release, 1, secret);
            for fitting in patterns(&release, m, |item| !secret(item)).values() {
                prop_assert!(fitting.len() >= k);
                for carriers in carriers.values() {
                    let both = carriers.intersection(fitting).count();
                    let bound = if form == "ratio" { fitting.len() / l } else { l };
                    prop_assert!(both <= bound);
                }
            }
            let count = |release: &[ItemId]| release.iter().filter(|item| secret(**item)).count();
            prop_assert_eq!(count(release.events().items()), count(data.events.items()));
        }
    }
}

/// People of whom most are alike, so that rounds change few of them.
fn crowd() -> impl Strategy<Value = People> {
    let item = prop_oneof![4 => 0..2_usize, 2 => 0..4_usize, 1 => 0..ITEMS.len()];
    let record = prop::collection::vec(item, 0..8);
    prop::collection::vec(prop::collection::vec(record, 1..3), 20..90)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn counts_that_are_kept_lead_to_the_same_choices(
        people in crowd(), k in 1_usize..9, m in 1_usize..4, secret in any::<bool>(), l in 1_usize..4,
    ) {
        let data = dataset(&people);
        let secret = data.items.find("e").filter(|_| secret);
        let events = &data.events;
        let mut owners = Vec::new();
        (0..events.subjects()).for_each(|person| owners.resize(events.records_of(person).end, person));
        let known = |record: &[ItemId]| -> Vec<ItemId> {
            record.iter().copied().filter(|item| Some(*item) != secret).collect()
        };
        let records = (0..events.records()).map(|record| known(events.record(record))).collect();
        let carriers = secret.map(|secret| {
            (0..events.records()).filter(|record| events.record(*record).contains(&secret)).map(|record| owners[record]).collect()
        });
        let diversity = carriers.map(|carriers| (l, vec![carriers]));
        let requirement = literal::Requirement { k, diversity };
        let (left, steps) = requirement.suppress(&records, &owners, m);

        let texts = [k, m, l].map(|number| number.to_string());
        let given = [("k", texts[0].as_str()), ("m", texts[1].as_str()), ("l", texts[2].as_str())];
        let outcome = match secret {
            None => run(&data, "suppress", &given[..2], &[], &Progress::silent()),
            Some(_) => run(&data, "lm-suppress", &given, &["e"], &Progress::silent()),
        }.unwrap();
        for (record, (whole, left)) in records.iter().zip(&left).enumerate() {
            let expected: Vec<ItemId> = (0..whole.len()).filter(|at| left[*at]).map(|at| whole[at]).collect();
            prop_assert_eq!(known(outcome.release.events().record(record)), expected);
        }
        let told: Vec<literal::Step> = outcome.explanation.steps.iter().map(|step| {
            let pattern = step.pattern.iter().map(|group| group[0]).collect();
            (step.items[0][0], pattern, step.support, step.details["events"].parse().unwrap())
        }).collect();
        prop_assert_eq!(told, steps);
    }
}

fn many(seed: u64) -> Dataset {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as usize
    };
    dataset(&(0..400).map(|_| vec![(0..1 + draw(5)).map(|_| draw(5).min(draw(6))).collect()]).collect())
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for seed in 0..20 {
        let data = many(seed);
        for (method, scope) in [
            ("suppress", "local"),
            ("suppress", "global"),
            ("lm-suppress", "local"),
            ("lm-suppress", "global"),
        ] {
            let given = [("k", "9"), ("m", "3"), ("scope", scope)];
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let outcome = pool
                    .install(|| {
                        run(
                            &data,
                            method,
                            &given,
                            &["e"][..usize::from(method != "suppress")],
                            &Progress::silent(),
                        )
                    })
                    .unwrap();
                (outcome.release.events().clone(), outcome.explanation)
            };
            assert_eq!(with(1), with(4), "{method} {scope}");
        }
    }
}

#[test]
fn an_event_goes_only_where_it_identifies_a_person() {
    // Three people have `a b`; one of them has it with a `c` that two others have alone.
    let data = dataset(&vec![
        vec![vec![0, 1, 2]],
        vec![vec![0, 1]],
        vec![vec![0, 1]],
        vec![vec![2]],
        vec![vec![2]],
        vec![vec![2]],
    ]);
    let left = |scope| {
        let given = [("k", "3"), ("m", "2"), ("scope", scope)];
        run(&data, "suppress", &given, &[], &Progress::silent()).unwrap()
    };
    let local = left("local");
    assert_eq!((local.release.suppression.events, local.release.suppression.items), (1, 0));
    assert_eq!(local.release.events().record(0), [0, 1]);
    assert_eq!(local.notes, ["1 of 10 events were suppressed, and nothing else was changed"]);
    let step = &local.explanation.steps[0];
    assert_eq!((&step.items, step.support, step.needed), (&vec![vec![2]], 1, 3));
    assert_eq!(left("global").release.suppression.events, 4);
}

#[test]
fn limits_and_cancel_are_obeyed() {
    let data = many(1);
    let given = [("k", "200"), ("m", "2"), ("max-suppressed", "5%")];
    let refused = run(&data, "suppress", &given, &[], &Progress::silent()).unwrap_err();
    assert_eq!(refused.class(), Class::Infeasible);
    assert!(refused.to_string().contains("more than the limit of 0.05"), "{refused}");
    let progress = Progress::silent();
    progress.cancel();
    for scope in ["local", "global"] {
        let stopped = run(&data, "suppress", &[("m", "3"), ("scope", scope)], &[], &progress);
        assert!(matches!(stopped, Err(MethodError::Cancelled(_))));
    }
    let missing = run(&data, "lm-suppress", &[], &[], &Progress::silent()).unwrap_err();
    assert_eq!(missing.to_string(), "`lm-suppress` needs a list of sensitive items");
}
