//! The mutual-information methods on random sequences, judged by listing every occurrence.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Dataset, EventKind, Inputs, ItemId, Release, Taxonomy};
use throng_methods::{MethodError, Task, Variant, find};
use throng_models::{Evidence, MutualInformation, Promise};

const TREE: [&str; 6] = ["a;x;u;r", "b;x;u;r", "c;y;u;r", "d;y;u;r", "e;z;v;r", "f;z;v;r"];

/// One or two records for each of up to four people.
fn datasets() -> impl Strategy<Value = Dataset> {
    let record = prop::collection::vec(0..6_usize, 0..12);
    let person = prop::collection::vec(record, 1..=2);
    prop::collection::vec(person, 1..=4).prop_map(|people| {
        let names = ["a", "b", "c", "d", "e", "f"];
        let owned: Vec<(String, Vec<&str>)> = people
            .iter()
            .enumerate()
            .flat_map(|(person, records)| {
                records
                    .iter()
                    .map(move |record| (person.to_string(), record.iter().map(|item| names[*item]).collect()))
            })
            // Everybody has seen the whole alphabet once, so that every pattern has known items.
            .chain([("all".to_owned(), names.to_vec())])
            .collect();
        Dataset::from_records(
            EventKind::Sequence,
            owned.iter().map(|(person, items)| (person.as_str(), items.iter().copied())),
        )
    })
}

/// Every occurrence of every pattern in a person's records, as (pattern, what was published for it).
fn listed(
    data: &Dataset,
    release: &Release,
    subject: usize,
    patterns: &[Vec<ItemId>],
    window: usize,
) -> Vec<(usize, Vec<ItemId>)> {
    let mut all = Vec::new();
    for record in data.events.records_of(subject) {
        let (items, images) = (data.events.record(record), release.events().record(record));
        for (number, pattern) in patterns.iter().enumerate() {
            let mut partial: Vec<Vec<usize>> = vec![Vec::new()];
            for symbol in pattern {
                partial = partial
                    .iter()
                    .flat_map(|chosen: &Vec<usize>| {
                        let from = chosen.last().map_or(0, |last| last + 1);
                        let first = chosen.first().copied();
                        (from..items.len())
                            .filter(move |at| {
                                items[*at] == *symbol && first.is_none_or(|first| at - first <= window)
                            })
                            .map(|at| chosen.iter().copied().chain([at]).collect::<Vec<usize>>())
                    })
                    .collect();
            }
            all.extend(
                partial.into_iter().map(|chosen| (number, chosen.iter().map(|at| images[*at]).collect())),
            );
        }
    }
    all
}

/// Mutual information of listed pairs, from its definition.
fn information(pairs: &[(usize, Vec<ItemId>)]) -> (f64, f64) {
    let total = pairs.len() as f64;
    let mut joint: BTreeMap<&(usize, Vec<ItemId>), f64> = BTreeMap::new();
    let (mut left, mut right): (BTreeMap<usize, f64>, BTreeMap<&Vec<ItemId>, f64>) = Default::default();
    for pair in pairs {
        *joint.entry(pair).or_default() += 1.0 / total;
        *left.entry(pair.0).or_default() += 1.0 / total;
        *right.entry(&pair.1).or_default() += 1.0 / total;
    }
    let mutual = joint.iter().map(|(pair, p)| p * (p / (left[&pair.0] * right[&pair.1])).log2()).sum();
    (mutual, left.values().map(|p| -p * p.log2()).sum())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_more_is_learned_than_allowed(
        data in datasets(),
        patterns in prop::collection::vec(prop::collection::vec(0..6_u32, 1..=3), 1..=4),
        window in 2..5_usize, epsilon in 0..=10_u32, bottom_up in any::<bool>(), bits in any::<bool>(), cost in 0..3_usize,
        hide in any::<bool>(),
    ) {
        let tree = Taxonomy::from_paths(TREE.map(|path| path.split(';'))).unwrap();
        let method = find(if bottom_up { "mi-bottom-up" } else { "mi-top-down" }).unwrap();
        let epsilon = f64::from(epsilon) / 10.0;
        let (epsilon_text, window_text) = (epsilon.to_string(), window.to_string());
        let unit = if bits { "bits" } else { "relative" };
        let cost = ["linear", "exponential", "iloss"][cost];
        let given = [("epsilon", epsilon_text.as_str()), ("window", window_text.as_str()), ("unit", unit), ("only", if hide { "hide" } else { "keep" })];
        let settings = Settings::parse(method.descriptor(), given.into_iter().chain([("cost", cost)])).unwrap();
        let progress = Progress::silent();
        let words: Vec<Vec<String>> = patterns.iter().map(|pattern| data.items.named(pattern)).collect();
        let inputs = Inputs { taxonomy: Some(tree), patterns: words, ..Inputs::default() };
        let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
        let outcome = match method.anonymize(&task) {
            Ok(outcome) => outcome,
            Err(MethodError::Infeasible { .. }) => {
                let lengths: std::collections::BTreeSet<usize> = patterns.iter().map(Vec::len).collect();
                prop_assert!(lengths.len() > 1);
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let release = &outcome.release;
        for subject in 0..data.events.subjects() {
            let (learned, entropy) = information(&listed(&data, release, subject, &patterns, window));
            let limit = if bits { epsilon } else { epsilon * entropy };
            prop_assert!(learned <= limit + 1e-6, "{learned} > {limit}");
            // The attack: a person's only sensitive pattern, there for everybody to read at epsilon 0.
            let pairs = listed(&data, release, subject, &patterns, window);
            let only = pairs.first().is_some_and(|first| pairs.iter().all(|pair| patterns[pair.0] == patterns[first.0]));
            let intact = |item: &ItemId| release.alphabet[*item as usize].members.len() == 1;
            prop_assert!(!hide || !only || pairs.iter().all(|(_, shown)| !shown.iter().all(intact)));
        }
        for (item, released) in data.events.items().iter().zip(release.events().items()) {
            let published = &release.alphabet[*released as usize];
            prop_assert!(published.covers(*item));
            // What is not sensitive hides nothing by being general.
            prop_assert!(patterns.iter().flatten().any(|symbol| symbol == item) || published.members.len() == 1);
        }
        let evidence = Evidence { original: Some(&data), inputs: &inputs, ..Evidence::of(release) };
        let promise = Settings::parse(MutualInformation.descriptor(), given).unwrap();
        prop_assert!(MutualInformation.check(&evidence, &promise, 1, &progress).unwrap().holds);
    }

    #[test]
    fn the_checker_agrees_with_the_definition(
        data in datasets(), image in prop::collection::vec(0..3_u32, 6),
        patterns in prop::collection::vec(prop::collection::vec(0..6_u32, 1..=3), 1..=4), window in 2..5_usize,
    ) {
        // Any coarsening at all: items that share an image are published as one.
        let events = data.events.recode(|item| image[item as usize], false);
        let mut release = Release::identity(data.items.clone(), events);
        release.alphabet.truncate(6);
        let words = patterns.iter().map(|pattern| data.items.named(pattern)).collect();
        let inputs = Inputs { patterns: words, ..Inputs::default() };
        let worst = (0..data.events.subjects())
            .map(|subject| information(&listed(&data, &release, subject, &patterns, window)).0)
            .fold(0.0, f64::max);
        let window = window.to_string();
        for (epsilon, expected) in [(worst + 1e-3, true), (worst - 1e-3, false)] {
            if epsilon < 0.0 {
                continue;
            }
            let epsilon = epsilon.to_string();
            let given = [("epsilon", epsilon.as_str()), ("window", window.as_str()), ("unit", "bits")];
            let settings = Settings::parse(MutualInformation.descriptor(), given).unwrap();
            let evidence = Evidence { original: Some(&data), inputs: &inputs, ..Evidence::of(&release) };
            let verdict = MutualInformation.check(&evidence, &settings, 1, &Progress::silent()).unwrap();
            prop_assert_eq!(verdict.holds, expected);
        }
    }

    /// An untouched sequence keeps `keep` where everybody has one pattern at most, and never `hide`.
    #[test]
    fn the_only_pattern_is_hidden_or_is_not(data in datasets(), item in 0..6_u32) {
        let release = Release::identity(data.items.clone(), data.events.clone());
        let inputs = Inputs { patterns: vec![data.items.named(&[item])], ..Inputs::default() };
        let evidence = Evidence { original: Some(&data), inputs: &inputs, ..Evidence::of(&release) };
        for (only, holds) in [("keep", true), ("hide", false)] {
            let given = [("epsilon", "0"), ("window", "2"), ("only", only)];
            let settings = Settings::parse(MutualInformation.descriptor(), given).unwrap();
            let verdict = MutualInformation.check(&evidence, &settings, 1, &Progress::silent()).unwrap();
            prop_assert_eq!(verdict.holds, holds);
        }
    }

    #[test]
    fn as_printed_runs_to_an_end(data in datasets(), bottom_up in any::<bool>(), epsilon in 0..=10_u32) {
        let tree = Taxonomy::from_paths(TREE.map(|path| path.split(';'))).unwrap();
        let method = find(if bottom_up { "mi-bottom-up" } else { "mi-top-down" }).unwrap();
        let epsilon = (f64::from(epsilon) / 10.0).to_string();
        let settings = Settings::parse(method.descriptor(), [("epsilon", epsilon.as_str())]).unwrap();
        let progress = Progress::silent();
        let patterns = vec![data.items.named(&[0, 1]), data.items.named(&[2, 3])];
        let inputs = Inputs { taxonomy: Some(tree), patterns, ..Inputs::default() };
        let task = Task {
            inputs: &inputs, variant: Variant::AsPrinted, ..Task::new(&data, &settings, &progress)
        };
        match method.anonymize(&task) {
            Ok(outcome) => prop_assert_eq!(outcome.release.events().len(), data.events.len()),
            Err(error) => prop_assert!(matches!(error, MethodError::Infeasible { .. }), "{}", error),
        }
    }
}

/// Anna, Bert and Cleo went the same way. Anna hides both errands, Cleo which shop was first, Bert nothing.
#[test]
fn each_person_hides_patterns_of_their_own() {
    let way = ["clinic", "pharmacy", "bank", "court"];
    let data = Dataset::from_records(EventKind::Sequence, ["anna", "bert", "cleo"].map(|name| (name, way)));
    let tree = ["clinic;health;any", "pharmacy;health;any", "bank;money;any", "court;money;any"];
    let tree = Taxonomy::from_paths(tree.map(|path| path.split(';'))).unwrap();
    let words =
        |patterns: [[&str; 2]; 2]| patterns.map(|pattern| pattern.map(str::to_owned).to_vec()).to_vec();
    let anna = words([["clinic", "pharmacy"], ["bank", "court"]]);
    let cleo = words([["clinic", "bank"], ["pharmacy", "bank"]]);
    let person_patterns = BTreeMap::from([("anna".to_owned(), anna.clone()), ("cleo".to_owned(), cleo)]);
    let inputs = Inputs { taxonomy: Some(tree), person_patterns: Some(person_patterns), ..Inputs::default() };
    let progress = Progress::silent();
    let settings = Settings::parse(MutualInformation.descriptor(), [("epsilon", "0")]).unwrap();
    let holds = |release: &Release, inputs: &Inputs| {
        let evidence = Evidence { original: Some(&data), inputs, ..Evidence::of(release) };
        MutualInformation.check(&evidence, &settings, 1, &progress).unwrap()
    };
    for name in ["mi-top-down", "mi-bottom-up"] {
        let method = find(name).unwrap();
        let settings = Settings::parse(method.descriptor(), [("epsilon", "0")]).unwrap();
        let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
        let release = method.anonymize(&task).unwrap().release;
        let shown = |person: usize| -> Vec<usize> {
            let items = release.events().record(person).iter();
            items.map(|item| release.alphabet[*item as usize].members.len()).collect()
        };
        // Both of Anna's are "any > any"; Cleo's are "health > bank".
        assert_eq!((shown(0), shown(1), shown(2)), (vec![4; 4], vec![1; 4], vec![2, 2, 1, 1]), "{name}");
        assert!(holds(&release, &inputs).holds, "{name}");
        // Hidden of everybody, Anna's patterns are still to be read of the two others.
        let everybody = Inputs { patterns: anna.clone(), ..inputs.clone() };
        assert_eq!(holds(&release, &everybody).violations_total, 2, "{name}");
    }
    // As they are, the two who hide something are found, and no one else.
    let open = Release::identity(data.items.clone(), data.events.clone());
    let evidence = Evidence { original: Some(&data), inputs: &inputs, ..Evidence::of(&open) };
    let verdict = MutualInformation.check(&evidence, &settings, 9, &progress).unwrap();
    assert_eq!((verdict.checked, verdict.violations_total), (3, 2));
}
