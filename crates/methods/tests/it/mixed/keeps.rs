//! Whatever methods are put together, what comes out keeps the promise, says nothing untrue, and keeps the bound.

use proptest::prelude::*;
use throng_contract::{Class, Failing};
use throng_data::Inputs;
use throng_methods::mixed::{LmRumBound, LmTumBound, RelationalFirst, RumBound, TransactionFirst, TumBound};
use throng_methods::{Method, Variant};
use throng_models::{KkmAnonymity, KlmDiversity};

use crate::mixed::judge::{MERGE, RELATIONAL, agrees, is_kkm, is_truthful};
use crate::mixed::world::{Person, data, inputs, people, run};

const TRANSACTION: [&str; 5] = ["apriori", "lra", "vpa", "coat", "pcta"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_pair_keeps_kkm(
        people in people(),
        (k, m) in (1..4_usize, 1..3_usize),
        (relational, transaction, merge, which) in (0..5_usize, 0..5_usize, 0..MERGE.len(), 0..4_usize),
        (taxonomy, small) in any::<(bool, bool)>(),
    ) {
        let methods: [&dyn Method; 4] = [&RumBound, &TumBound, &RelationalFirst, &TransactionFirst];
        let method = methods[which];
        let (data, inputs) = (data(&people), inputs(taxonomy, true));
        let (k_text, m_text) = (k.to_string(), m.to_string());
        let delta = if small { "0.4" } else { "1" };
        let given = [
            ("k", k_text.as_str()),
            ("m", m_text.as_str()),
            ("relational", RELATIONAL[relational]),
            ("transaction", TRANSACTION[transaction]),
            ("merge", MERGE[merge]),
            ("delta", delta),
            ("max-suppressed", "1"),
            ("group-size", "4"),
            ("part-size", "4"),
        ];
        let own: Vec<(&str, &str)> =
            given.into_iter().filter(|(name, _)| method.descriptor().param(name).is_some()).collect();
        let outcome = match run(method, &data, &inputs, &own, Variant::Sound) {
            Ok(outcome) => outcome,
            Err(error) => {
                prop_assert_eq!(error.class(), Class::Infeasible, "{}", error);
                let with_items = people.iter().filter(|person| person.records.iter().any(|record| !record.is_empty()));
                let possible = people.len() >= k && !(1..k).contains(&with_items.count());
                prop_assert!(!possible || small, "{}", error);
                return Ok(());
            }
        };
        prop_assert!(is_kkm(&outcome.release, k, m, &[], 1), "{:?}", outcome.release);
        prop_assert!(agrees(&KkmAnonymity, &outcome, &inputs, &own));
        prop_assert!(is_truthful(&data, &outcome.release, transaction == 3));
    }

    #[test]
    fn sensitive_items_stay_uncertain(
        people in people(),
        (k, l, m) in (1..3_usize, 1..4_usize, 1..3_usize),
        (transaction, merge) in (0..3_usize, 0..MERGE.len()),
        (taxonomy, items) in any::<(bool, bool)>(),
    ) {
        let method: &dyn Method = if items { &LmTumBound } else { &LmRumBound };
        let data = data(&people);
        prop_assume!(data.items.find("f").is_some());
        let inputs = Inputs { sensitive_items: vec!["f".to_owned()], ..inputs(taxonomy, false) };
        let numbers = [k, l, m].map(|number| number.to_string());
        let own = [
            ("k", numbers[0].as_str()),
            ("l", numbers[1].as_str()),
            ("m", numbers[2].as_str()),
            ("transaction", TRANSACTION[transaction]),
            ("merge", MERGE[merge]),
            ("delta", "1"),
        ];
        match run(method, &data, &inputs, &own, Variant::Sound) {
            Ok(outcome) => {
                prop_assert!(is_kkm(&outcome.release, k, m, &["f"], l), "{:?}", outcome.release);
                prop_assert!(agrees(&KlmDiversity, &outcome, &inputs, &own));
                prop_assert!(is_truthful(&data, &outcome.release, false));
            }
            Err(error) => prop_assert_eq!(error.class(), Class::Infeasible, "{}", error),
        }
    }

    /// The bound that an error names works, and a smaller one does not.
    #[test]
    fn the_error_names_the_smallest_bound(people in people(), merge in 0..MERGE.len(), items in any::<bool>()) {
        let method: &dyn Method = if items { &TumBound } else { &RumBound };
        let (data, inputs) = (data(&people), inputs(false, false));
        let with = |delta: &str| {
            let given = [("k", "2"), ("m", "2"), ("merge", MERGE[merge]), ("delta", delta)];
            run(method, &data, &inputs, &given, Variant::Sound)
        };
        if let Err(error) = with("0")
            && let Some(help) = error.help()
            && let Some(named) = help.changes().find_map(|change| change.value.as_deref().filter(|_| change.setting == "delta"))
        {
            prop_assert!(with(named).is_ok(), "{}", named);
            let below = format!("{:.4}", named.parse::<f64>().unwrap() - 0.0002);
            prop_assert!(below.starts_with('-') || with(&below).is_err(), "{}", below);
        }
    }
}

/// SECRETA's twenty pairs, and five more with Mondrian, times both bounds and five ways of merging: each gives a release that keeps the
/// promise, by the definition and by the checker.
#[test]
fn all_pairs_with_all_bounds_give_a_release() {
    let people: Vec<Person> = (0..12_u32)
        .map(|number| Person {
            age: number * 5 % 6,
            town: (number % 4) as usize,
            colour: (number % 3) as usize,
            records: vec![vec![(number % 3) as usize, 3 + (number / 2 % 3) as usize]],
        })
        .collect();
    let (data, inputs) = (data(&people), inputs(true, true));
    for relational in RELATIONAL {
        for (transaction, merge) in TRANSACTION.iter().flat_map(|name| MERGE.map(|merge| (*name, merge))) {
            for method in [&RumBound as &dyn Method, &TumBound] {
                let given = [
                    ("k", "2"),
                    ("m", "2"),
                    ("relational", relational),
                    ("transaction", transaction),
                    ("merge", merge),
                    ("delta", "1"),
                    ("max-suppressed", "1"),
                ];
                let name = format!("{} {relational} {transaction} {merge}", method.descriptor().name);
                let outcome = run(method, &data, &inputs, &given, Variant::Sound).expect(&name);
                assert!(is_kkm(&outcome.release, 2, 2, &[], 1), "{name}");
                assert!(agrees(&KkmAnonymity, &outcome, &inputs, &given), "{name}");
            }
        }
    }
}
