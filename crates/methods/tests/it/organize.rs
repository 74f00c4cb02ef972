//! ZGA and SGA, and the promise they keep, on thousands of small random datasets, against code written for the test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Coordinates, Dataset, EventKind, Inputs, Places, Release};
use throng_methods::{MethodError, Outcome, Task, Variant, find};
use throng_models::{Evidence, KlmAnonymity, Promise};

/// Up to five places and two sensitive ones, `s0` and `s1`, which a sixth of the events visit.
fn datasets() -> impl Strategy<Value = Dataset> {
    let item = prop_oneof![5 => (0..5_u32).prop_map(|item| format!("i{item}")), 1 => (0..2_u32).prop_map(|item| format!("s{item}"))];
    let record = prop::collection::vec(item, 0..=5);
    let subject = prop::collection::vec(record, 1..=2);
    prop::collection::vec(subject, 1..=10).prop_map(|subjects| {
        let records: Vec<(String, &Vec<String>)> = subjects
            .iter()
            .enumerate()
            .flat_map(|(subject, records)| records.iter().map(move |record| (format!("p{subject}"), record)))
            .collect();
        let mut data = Dataset::from_records(
            EventKind::Sequence,
            records.iter().map(|(subject, items)| (subject.as_str(), items.iter().map(String::as_str))),
        );
        let points =
            (0..data.items.len()).map(|item| [(item * item % 5) as f64, (item % 3) as f64]).collect();
        data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
        data
    })
}

fn run(
    data: &Dataset,
    method: &str,
    given: &[(&str, String)],
    variant: Variant,
) -> Result<Outcome, MethodError> {
    let method = find(method).unwrap();
    let settings =
        Settings::parse(method.descriptor(), given.iter().map(|(name, value)| (*name, value.as_str())))
            .unwrap();
    let sensitive_items = vec!["s0".to_owned(), "s1".to_owned()];
    let inputs = Inputs { sensitive_items, ..Inputs::default() };
    let progress = Progress::silent();
    method.anonymize(&Task { inputs: &inputs, variant, ..Task::new(data, &settings, &progress) })
}

/// Every broken pattern of original items, found by listing every sequence that a released record may stand for.
fn broken(release: &Release, k: usize, l: usize, m: usize, count_form: bool) -> BTreeSet<Vec<String>> {
    let sensitive = |name: &str| name.starts_with('s');
    let mut people: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
    let mut secrets: Vec<BTreeSet<String>> = Vec::new();
    for subject in 0..release.people() {
        let mut own = BTreeSet::new();
        for record in release.events().records_of(subject) {
            let mut patterns: BTreeSet<Vec<String>> = BTreeSet::from([Vec::new()]);
            for item in release.events().record(record) {
                let members = release.alphabet[*item as usize].members.iter();
                let names: Vec<&str> = members.map(|member| release.base.name(*member)).collect();
                own.extend(names.iter().filter(|name| sensitive(name)).map(|name| (*name).to_owned()));
                let known = names.iter().filter(|name| !sensitive(name));
                let longer: Vec<Vec<String>> = known
                    .flat_map(|name| {
                        let shorter = patterns.iter().filter(|pattern| pattern.len() < m);
                        shorter.map(|pattern| pattern.iter().cloned().chain([(*name).to_owned()]).collect())
                    })
                    .collect();
                patterns.extend(longer);
            }
            for pattern in patterns.into_iter().filter(|pattern| !pattern.is_empty()) {
                people.entry(pattern).or_default().insert(subject);
            }
        }
        secrets.push(own);
    }
    let leaks = |found: &BTreeSet<usize>| {
        ["s0", "s1"].iter().any(|secret| {
            let carriers = found.iter().filter(|person| secrets[**person].contains(*secret)).count();
            if count_form { carriers > l } else { carriers * l > found.len() }
        })
    };
    people
        .into_iter()
        .filter(|(_, found)| found.len() < k || leaks(found))
        .map(|(pattern, _)| pattern)
        .collect()
}

fn sensitive_names(release: &Release) -> Vec<String> {
    ["s0", "s1"].into_iter().filter(|name| release.base.find(name).is_some()).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn releases_are_safe_and_truthful(
        data in datasets(), k in 1_usize..4, l in 1_usize..4, m in 1_usize..4, clusters in 0_usize..4, sga in any::<bool>(),
        count_form in any::<bool>()
    ) {
        let form = if count_form { "count" } else { "ratio" };
        let given = [
            ("k", k.to_string()), ("l", l.to_string()), ("m", m.to_string()), ("clusters", clusters.to_string()),
            ("form", form.to_owned()), ("infeasible", "truncate".to_owned()), ("max-suppressed", "100%".to_owned()),
        ];
        match run(&data, if sga { "sga" } else { "zga" }, &given, Variant::Sound) {
            Ok(outcome) => {
                let release = outcome.release;
                prop_assert_eq!(broken(&release, k, l, m, count_form), BTreeSet::new());
                let inputs = Inputs { sensitive_items: sensitive_names(&release), ..Inputs::default() };
                let given = [("k", k.to_string()), ("l", l.to_string()), ("m", m.to_string()), ("form", form.to_owned())];
                let given = given.iter().map(|(name, value)| (*name, value.as_str()));
                let settings = Settings::parse(KlmAnonymity.descriptor(), given).unwrap();
                let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
                prop_assert!(KlmAnonymity.check(&evidence, &settings, 1, &Progress::silent()).unwrap().holds);
                for record in 0..data.events.records() {
                    let mut original = data.events.record(record).iter();
                    for released in release.events().record(record) {
                        prop_assert!(original.any(|item| release.alphabet[*released as usize].covers(*item)));
                    }
                }
                if release.suppression.events == 0 {
                    prop_assert_eq!(release.events().len(), data.events.len());
                }
            }
            // With everything merged, a secret is still too likely at some length.
            Err(MethodError::Infeasible { .. }) => prop_assert!(l > 1 || count_form),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn the_checker_finds_what_listing_everything_finds(
        data in datasets(), k in 1_u64..4, l in 1_u64..4, m in 1_u64..4, count_form in any::<bool>()
    ) {
        let release = Release::identity(data.items, data.events);
        let expected = broken(&release, k as usize, l as usize, m as usize, count_form);
        let form = if count_form { "count" } else { "ratio" };
        let [k, l, m] = [k, l, m].map(|value| value.to_string());
        let given = [("k", k.as_str()), ("l", l.as_str()), ("m", m.as_str()), ("form", form)];
        let settings = Settings::parse(KlmAnonymity.descriptor(), given).unwrap();
        let inputs = Inputs { sensitive_items: sensitive_names(&release), ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(&release) };
        let verdict = KlmAnonymity.check(&evidence, &settings, usize::MAX / 2, &Progress::silent()).unwrap();
        prop_assert_eq!(verdict.violations_total as usize, expected.len());
        prop_assert_eq!(verdict.violations.into_iter().map(|v| v.pattern).collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn threads_change_nothing(data in datasets(), clusters in 0_usize..4) {
        let given = [
            ("k", "2".to_owned()), ("m", "2".to_owned()), ("clusters", clusters.to_string()),
            ("infeasible", "truncate".to_owned()), ("max-suppressed", "100%".to_owned()),
        ];
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&data, "zga", &given, Variant::Sound)).map(|outcome| (outcome.release.events().clone(), outcome.explanation))
        };
        prop_assert_eq!(with(1), with(3));
    }
}

/// How far events are moved on average, by what the release shows.
fn displacement(data: &Dataset, release: &Release) -> f64 {
    let places = data.places.as_ref().unwrap();
    let (mut total, mut events) = (0.0, 0.0);
    for (item, image) in data.events.items().iter().zip(release.events().items()) {
        if !data.items.name(*item).starts_with('s') {
            let members = &release.alphabet[*image as usize].members;
            total += members.iter().map(|member| places.distance(*item, *member)).sum::<f64>()
                / members.len() as f64;
            events += 1.0;
        }
    }
    if events == 0.0 { 0.0 } else { total / events }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// With `clusters = 0` their number is doubled while that moves events less, and clusters have twice k people.
    #[test]
    fn the_number_of_clusters_is_the_best_on_the_way(
        subjects in prop::collection::vec(prop::collection::vec(0..6_u32, 1..=3), 7..=24), sga in any::<bool>(),
    ) {
        let names: Vec<(String, Vec<String>)> = subjects
            .iter()
            .enumerate()
            .map(|(subject, items)| (format!("p{subject}"), items.iter().map(|item| format!("i{item}")).chain(
                (subject == 0).then(|| "s0".to_owned())).collect()))
            .collect();
        let mut data = Dataset::from_records(
            EventKind::Sequence,
            names.iter().map(|(subject, items)| (subject.as_str(), items.iter().map(String::as_str))),
        );
        let points = (0..data.items.len()).map(|item| [(item * item % 7) as f64, (item % 3) as f64]).collect();
        data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
        let method = if sga { "sga" } else { "zga" };
        let made = |clusters: usize| {
            let given = [("k", 2), ("l", 1), ("m", 1), ("clusters", clusters)].map(|(name, value)| (name, value.to_string()));
            run(&data, method, &given, Variant::Sound).unwrap().release
        };
        let (mut number, mut best) = (1, made(1));
        prop_assume!(best.suppression.events == 0);
        while number * 2 * 2 * 2 <= subjects.len() {
            let tried = made(number * 2);
            prop_assume!(tried.suppression.events == 0);
            let (moved, before) = (displacement(&data, &tried), displacement(&data, &best));
            // What is equal but for rounding is no case.
            prop_assume!((moved - before).abs() > 1e-9 || moved == before);
            if moved >= before {
                break;
            }
            (number, best) = (number * 2, tried);
        }
        let chosen = made(0);
        prop_assert_eq!(chosen.events().items(), best.events().items(), "{} clusters", number);
        prop_assert_eq!(chosen.alphabet, best.alphabet);
    }
}
