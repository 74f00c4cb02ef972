//! COAT and PCTA: every part of a policy's set fits no person or enough people, and utility constraints are respected.

use std::collections::BTreeSet;

use proptest::prelude::*;
use throng_contract::Failing;
use throng_data::{Dataset, Inputs, ItemId, Release};
use throng_methods::{MethodError, Outcome, Variant};

use crate::set::world::{
    ITEMS, People, dataset, fitting, is_safe, is_truthful, people, random_people, run, sets_below,
};

fn named(sets: &[Vec<usize>]) -> Vec<Vec<String>> {
    sets.iter().map(|set| set.iter().map(|item| ITEMS[*item].to_owned()).collect()).collect()
}

/// Whether every non-empty subset of every set fits no person or at least `k` people.
fn keeps(release: &Release, policy: &[Vec<String>], k: usize) -> bool {
    policy.iter().all(|set| {
        let ids: BTreeSet<ItemId> = release.base.ids(set).into_iter().collect();
        sets_below(release.base.len() as ItemId, 6).iter().filter(|part| part.is_subset(&ids)).all(|part| {
            let people = fitting(release, part).len();
            people == 0 || people >= k
        })
    })
}

/// Whether what is left of every record is true, and exactly the suppressed items are missing.
fn is_honest(data: &Dataset, release: &Release) -> bool {
    let published = |item: &ItemId| release.alphabet.iter().any(|word| word.covers(*item));
    let left = data.events.retain(|_, _, item| published(&item));
    let gone = (0..data.items.len() as ItemId).filter(|item| !published(item)).count() as u64;
    let emptied = (0..left.records())
        .filter(|record| left.record(*record).is_empty() && !data.events.record(*record).is_empty())
        .count() as u64;
    let told = release.suppression;
    is_truthful(&Dataset { events: left.clone(), ..data.clone() }, release)
        && told.items == gone
        && told.events == (data.events.len() - left.len()) as u64
        && told.emptied_records == emptied
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_policy_is_kept_within_the_constraints(
        people in people(10),
        policy in prop::collection::vec(prop::collection::vec(0..ITEMS.len(), 1..=5), 1..=3),
        parts in prop::collection::vec(0..3_usize, ITEMS.len()),
        k in 1_usize..5,
        constrained in any::<bool>(),
        share in 0..3_usize,
    ) {
        let data = dataset(&people);
        let policy = named(&policy);
        let part = |number: usize| (0..ITEMS.len()).filter(|item| parts[*item] == number).collect();
        let parts = constrained.then(|| named(&[part(0), part(1), part(2)]));
        let inputs = Inputs { policy: Some(policy.clone()), constraints: parts.clone(), ..Inputs::default() };
        let share = ["0%", "40%", "100%"][share];
        let given = [("k", &*k.to_string()), ("max-suppressed", share)];
        match run(&data, "coat", &given, Variant::Sound, &inputs) {
            Ok(Outcome { release, .. }) => {
                prop_assert!(keeps(&release, &policy, k), "{:?}", release);
                prop_assert!(is_honest(&data, &release));
                let allowed = [0.0, 0.4, 1.0][["0%", "40%", "100%"].iter().position(|s| *s == share).unwrap()];
                prop_assert!(release.suppression.items as f64 <= allowed * data.items.len() as f64);
                for word in &release.alphabet {
                    let inside = |part: &Vec<String>| {
                        word.members.iter().all(|item| part.iter().any(|name| name == data.items.name(*item)))
                    };
                    prop_assert!(parts.as_ref().is_none_or(|parts| parts.iter().any(inside)));
                }
            }
            Err(MethodError::Infeasible { .. }) => prop_assert!(share != "100%"),
            Err(error) => prop_assert!(false, "{}", error),
        }
        match run(&data, "pcta", &given[..1], Variant::Sound, &Inputs { constraints: None, ..inputs }) {
            Ok(Outcome { release, .. }) => {
                prop_assert!(keeps(&release, &policy, k), "{:?}", release);
                prop_assert!(is_truthful(&data, &release));
            }
            Err(MethodError::Infeasible { .. }) => {
                let anybody = |person: usize| data.events.records_of(person).any(|record| !data.events.span(record).is_empty());
                prop_assert!((0..data.events.subjects()).filter(|person| anybody(*person)).count() < k);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn without_a_policy_every_small_set_is_protected(
        people in people(10), k in 1_usize..5, m in 1_usize..4, method in 0..2_usize,
    ) {
        let data = dataset(&people);
        let method = ["coat", "pcta"][method];
        let mut given = vec![("k", k.to_string()), ("m", m.to_string())];
        if method == "coat" {
            given.push(("max-suppressed", "100%".to_owned()));
        }
        let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if let Ok(outcome) = run(&data, method, &given, Variant::Sound, &Inputs::default()) {
            prop_assert!(is_safe(&outcome.release, k, 1, m, &[]));
            prop_assert!(is_honest(&data, &outcome.release));
            prop_assert_eq!(outcome.also[0].promise, "km");
        } else {
            prop_assert_eq!(method, "pcta");
        }
    }
}

#[test]
fn sets_of_many_items_are_protected_part_by_part() {
    let names: Vec<String> = (0..14).map(|item| format!("i{item:02}")).collect();
    let mut state: u64 = 5;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as usize
    };
    for round in 0..200 {
        let people: Vec<(String, Vec<&str>)> = (0..6 + draw(8))
            .map(|person| {
                (format!("p{person}"), (0..1 + draw(5)).map(|_| names[draw(14)].as_str()).collect())
            })
            .collect();
        let records = people.iter().map(|(who, items)| (who.as_str(), items.iter().copied()));
        let data = Dataset::from_records(throng_data::EventKind::Set, records);
        let policy = vec![names[..12].to_vec(), names[2..].to_vec()];
        let inputs = Inputs { policy: Some(policy.clone()), ..Inputs::default() };
        let method = ["coat", "pcta"][round % 2];
        let outcome = run(&data, method, &[("k", "3")], Variant::Sound, &inputs).unwrap();
        for set in policy {
            let ids: BTreeSet<ItemId> = outcome.release.base.ids(&set).into_iter().collect();
            // Whatever part of the set fits a person lies within what one record may hold of it.
            for record in 0..outcome.release.records() {
                let words = outcome.release.events().record(record);
                let held = |item: &ItemId| {
                    words.iter().any(|word| outcome.release.alphabet[*word as usize].covers(*item))
                };
                let share: BTreeSet<ItemId> = ids.iter().copied().filter(held).collect();
                assert!(share.is_empty() || fitting(&outcome.release, &share).len() >= 3);
            }
        }
    }
}

#[test]
fn the_letter_of_coat_suppresses_where_another_item_has_a_partner() {
    // `a` is rarest and alone in its constraint; `b` could be joined with `c`.
    let data =
        dataset(&vec![vec![vec![0, 1]], vec![vec![0, 2]], vec![vec![1]], vec![vec![1, 2]], vec![vec![2]]]);
    let sets = |text: &str| -> Vec<Vec<String>> {
        text.split(' ').map(|set| set.chars().map(|letter| letter.to_string()).collect()).collect()
    };
    let inputs = Inputs { policy: Some(sets("ab")), constraints: Some(sets("a bc")), ..Inputs::default() };
    let given = [("k", "2"), ("max-suppressed", "100%")];
    let sound = run(&data, "coat", &given, Variant::Sound, &inputs).unwrap();
    let printed = run(&data, "coat", &given, Variant::AsPrinted, &inputs).unwrap();
    assert_eq!((sound.release.suppression.items, printed.release.suppression.items), (0, 1));
    let strict = run(&data, "coat", &[("k", "2"), ("max-suppressed", "20%")], Variant::AsPrinted, &inputs)
        .unwrap_err();
    assert_eq!(
        strict.to_string(),
        "the utility constraints cannot be met: 1 of 3 items would be suppressed, more than the limit of 0.2"
    );
}

#[test]
fn a_part_of_a_set_that_nobody_has_can_identify() {
    // No person has `a` and `b` together, and one person alone has `a`.
    let data = dataset(&vec![vec![vec![0]], vec![vec![1, 2]], vec![vec![1, 2]]]);
    let inputs = Inputs { policy: Some(vec![vec!["a".to_owned(), "b".to_owned()]]), ..Inputs::default() };
    let outcome = run(&data, "pcta", &[("k", "2")], Variant::Sound, &inputs).unwrap();
    assert!(outcome.release.alphabet.iter().any(|word| word.covers(0) && !word.is_intact()));
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let data = dataset(&vec![vec![vec![0, 1]]]);
    let missing = run(&data, "coat", &[], Variant::Sound, &Inputs::default()).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "`coat` needs a privacy policy: which sets of items an attacker may know"
    );
    assert!(missing.help().unwrap().to_string().contains("-m 2"));
    let alone =
        run(&data, "pcta", &[("k", "3"), ("m", "1")], Variant::Sound, &Inputs::default()).unwrap_err();
    assert_eq!(alone.to_string(), "everything is one item, and still not k = 3 people have it, but 1");
    let constraints = Some(vec![vec!["a".to_owned()]]);
    let inputs = Inputs { constraints, ..Inputs::default() };
    let gap = run(&data, "coat", &[("m", "1")], Variant::Sound, &inputs).unwrap_err();
    assert_eq!(gap.to_string(), "item `b` is in no utility constraint");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut state = 7;
    for round in 0..40 {
        let people: People = (0..200).map(|_| random_people(&mut state, 1).remove(0)).collect();
        let data = dataset(&people);
        for method in ["coat", "pcta"] {
            let mut given = vec![("k", ["3", "9"][round % 2]), ("m", ["2", "3"][round / 2 % 2])];
            if method == "coat" {
                given.push(("max-suppressed", "100%"));
            }
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let outcome =
                    pool.install(|| run(&data, method, &given, Variant::Sound, &Inputs::default())).unwrap();
                (outcome.release.alphabet.clone(), outcome.release.events().clone(), outcome.explanation)
            };
            assert_eq!(with(1), with(4), "{method}");
        }
    }
}
