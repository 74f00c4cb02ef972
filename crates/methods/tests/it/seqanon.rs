//! SEQANON, SD-SEQANON and U-SEQANON on thousands of small random datasets, against code written for the test alone.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Coordinates, Dataset, EventKind, Inputs, ItemId, Places, Release, Taxonomy};
use throng_methods::{MethodError, Outcome, Task, Variant, find};

/// Records of up to six events over six items, one to three records for each subject, some empty, some the same.
fn datasets() -> impl Strategy<Value = Dataset> {
    let record = prop::collection::vec(0..6_u32, 0..=6);
    let subject = prop::collection::vec(record, 1..=3);
    prop::collection::vec(subject, 1..=9).prop_map(|subjects| {
        let records = subjects.iter().enumerate().flat_map(|(subject, records)| {
            records.iter().map(move |record| {
                (format!("s{subject}"), record.iter().map(|item| format!("i{item}")).collect::<Vec<_>>())
            })
        });
        let owned: Vec<(String, Vec<String>)> = records.collect();
        let mut data = Dataset::from_records(
            EventKind::Sequence,
            owned.iter().map(|(subject, items)| (subject.as_str(), items.iter().map(String::as_str))),
        );
        // Positions with many ties, so that tie-breaking matters.
        let points =
            (0..data.items.len()).map(|item| [(item * item % 5) as f64, (item % 2) as f64]).collect();
        data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
        data
    })
}

fn run(
    data: &Dataset,
    method: &str,
    given: &[(&str, &str)],
    variant: Variant,
) -> Result<Outcome, MethodError> {
    let method = find(method).unwrap();
    let settings = Settings::parse(method.descriptor(), given.iter().copied()).unwrap();
    let progress = Progress::silent();
    let taxonomy = Taxonomy::from_paths((0..6).map(|item| {
        [
            ["i0", "even", "all"],
            ["i1", "odd", "all"],
            ["i2", "even", "all"],
            ["i3", "odd", "all"],
            ["i4", "even", "all"],
            ["i5", "odd", "all"],
        ][item]
    }))
    .unwrap();
    let (low, high): (Vec<ItemId>, Vec<ItemId>) = (0..data.items.len() as ItemId)
        .partition(|item| matches!(data.items.name(*item), "i0" | "i1" | "i2"));
    let constraints = Some(vec![data.items.named(&low), data.items.named(&high)]);
    let inputs = Inputs { taxonomy: Some(taxonomy), constraints, ..Inputs::default() };
    let task = Task { variant, inputs: &inputs, ..Task::new(data, &settings, &progress) };
    method.anonymize(&task)
}

fn subsequences<T: Clone + Ord>(record: &[T], m: usize) -> BTreeSet<Vec<T>> {
    let mut all: BTreeSet<Vec<T>> = BTreeSet::from([Vec::new()]);
    for item in record {
        let longer: Vec<Vec<T>> = all
            .iter()
            .filter(|found| found.len() < m)
            .map(|found| [found.as_slice(), std::slice::from_ref(item)].concat())
            .collect();
        all.extend(longer);
    }
    all.remove(&Vec::new());
    all
}

/// The exhaustive checker: every subsequence of every record, with the set of people who have it.
fn is_km_anonymous(release: &Release, k: usize, m: usize) -> bool {
    let mut people: BTreeMap<Vec<ItemId>, BTreeSet<usize>> = BTreeMap::new();
    for subject in 0..release.people() {
        for record in release.events().records_of(subject) {
            for pattern in subsequences(release.events().record(record), m) {
                people.entry(pattern).or_default().insert(subject);
            }
        }
    }
    people.values().all(|people| people.len() >= k)
}

fn feasible(data: &Dataset, k: usize, m: usize) -> bool {
    (1..=m).all(|length| {
        let reach = (0..data.events.subjects())
            .filter(|subject| {
                data.events.records_of(*subject).any(|record| data.events.record(record).len() >= length)
            })
            .count();
        reach == 0 || reach >= k
    })
}

fn covers(data: &Dataset, release: &Release) -> bool {
    (0..data.events.records()).all(|record| {
        let (before, after) = (data.events.record(record), release.events().record(record));
        before.len() == after.len()
            && before
                .iter()
                .zip(after)
                .all(|(item, released)| release.alphabet[*released as usize].covers(*item))
    })
}

/// Whether the released record can be had from the original by leaving events out.
fn covers_in_order(data: &Dataset, release: &Release) -> bool {
    (0..data.events.records()).all(|record| {
        let mut original = data.events.record(record).iter();
        release
            .events()
            .record(record)
            .iter()
            .all(|released| original.any(|item| release.alphabet[*released as usize].covers(*item)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn releases_are_safe_and_truthful(data in datasets(), k in 1_usize..5, m in 1_usize..5, way in 0_usize..4) {
        let method = ["seqanon", "sd-seqanon", "seqanon", "seqanon"][way];
        let (k_text, m_text) = (k.to_string(), m.to_string());
        let mut given = vec![("k", k_text.as_str()), ("m", m_text.as_str())];
        match way {
            2 => given.push(("no-apriori", "true")),
            3 => given.push(("distance", "complete")),
            _ => {}
        }
        match run(&data, method, &given, Variant::Sound) {
            Ok(outcome) => {
                prop_assert!(is_km_anonymous(&outcome.release, k, m));
                prop_assert!(covers(&data, &outcome.release));
                prop_assert_eq!(outcome.release.suppression.events, 0);
            }
            Err(MethodError::Infeasible { .. }) => prop_assert!(!feasible(&data, k, m)),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn what_cannot_be_hidden_is_truncated_or_dropped(data in datasets(), k in 2_usize..5, m in 1_usize..4, drop in any::<bool>()) {
        let policy = if drop { "drop" } else { "truncate" };
        let (k_text, m_text) = (k.to_string(), m.to_string());
        let given = [("k", k_text.as_str()), ("m", m_text.as_str()), ("infeasible", policy), ("max-suppressed", "100%")];
        let release = run(&data, "seqanon", &given, Variant::Sound).unwrap().release;
        prop_assert!(is_km_anonymous(&release, k, m));
        prop_assert!(covers_in_order(&data, &release));
        prop_assert_eq!(release.suppression.events as usize, data.events.len() - release.events().len());
        if feasible(&data, k, m) {
            prop_assert!(covers(&data, &release));
        }
    }

    #[test]
    fn constrained_releases_respect_constraints_and_the_suppression_limit(data in datasets(), k in 2_usize..4, m in 1_usize..4) {
        let (k_text, m_text) = (k.to_string(), m.to_string());
        let given = [("k", k_text.as_str()), ("m", m_text.as_str()), ("max-suppressed", "50%")];
        for variant in [Variant::Sound, Variant::AsPrinted] {
            match run(&data, "u-seqanon", &given, variant) {
                Ok(outcome) => {
                    let release = outcome.release;
                    if variant == Variant::Sound {
                        prop_assert!(is_km_anonymous(&release, k, m));
                    }
                    prop_assert!(covers_in_order(&data, &release));
                    prop_assert!(release.suppression.items as usize * 2 <= data.items.len());
                    for item in &release.alphabet {
                        let low = item.members.iter().filter(|member| matches!(data.items.name(**member), "i0" | "i1" | "i2")).count();
                        prop_assert!(low == 0 || low == item.members.len());
                    }
                }
                Err(MethodError::Infeasible { .. }) => {}
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
    }

    #[test]
    fn merges_follow_the_printed_algorithm(data in datasets(), k in 2_usize..5, m in 1_usize..4) {
        // The letter of the paper takes every record for a person.
        let data = Dataset { events: data.events.one_subject_per_record(), ..data };
        if !feasible(&data, k, m) {
            return Ok(());
        }
        let (k_text, m_text) = (k.to_string(), m.to_string());
        let given = [("k", k_text.as_str()), ("m", m_text.as_str())];
        let outcome = run(&data, "seqanon", &given, Variant::AsPrinted).unwrap();
        let merged: Vec<Vec<Vec<ItemId>>> = outcome.explanation.steps.iter().map(|step| step.items.clone()).collect();
        prop_assert_eq!(merged, literal_seqanon(&data, k, m));
    }

    #[test]
    fn threads_and_repetition_change_nothing(data in datasets(), k in 2_usize..4) {
        let k_text = k.to_string();
        let given = [("k", k_text.as_str()), ("m", "3"), ("infeasible", "truncate"), ("max-suppressed", "100%")];
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let outcome = pool.install(|| run(&data, "seqanon", &given, Variant::Sound)).unwrap();
            (outcome.release.events().clone(), outcome.release.alphabet, outcome.explanation)
        };
        prop_assert_eq!(with(1), with(3));
    }
}

/// The pseudocode of Algorithm SEQANON, step by step and without any cleverness; returns the merges it makes.
fn literal_seqanon(data: &Dataset, k: usize, m: usize) -> Vec<Vec<Vec<ItemId>>> {
    let places = data.places.as_ref().unwrap();
    let records: Vec<Vec<ItemId>> =
        (0..data.events.records()).map(|record| data.events.record(record).to_vec()).collect();
    let mut image: BTreeMap<ItemId, BTreeSet<ItemId>> =
        records.iter().flatten().map(|item| (*item, BTreeSet::from([*item]))).collect();
    let mut merges = Vec::new();
    for size in 1..=m {
        let support = |image: &BTreeMap<ItemId, BTreeSet<ItemId>>, pattern: &[ItemId]| {
            let wanted: Vec<&BTreeSet<ItemId>> = pattern.iter().map(|item| &image[item]).collect();
            let has = |record: &&Vec<ItemId>| {
                let mut events = record.iter();
                wanted.iter().all(|group| events.any(|item| &image[item] == *group))
            };
            records.iter().filter(has).count()
        };
        let mut rare: Vec<(usize, Vec<ItemId>)> = Vec::new();
        for record in &records {
            for positions in choose(record.len(), size) {
                let pattern: Vec<ItemId> = positions.iter().map(|at| record[*at]).collect();
                let people = support(&image, &pattern);
                if people < k && rare.iter().all(|(_, known)| *known != pattern) {
                    rare.push((people, pattern));
                }
            }
        }
        rare.sort_by_key(|(people, _)| *people);
        for (_, pattern) in rare {
            while support(&image, &pattern) < k {
                let rarest = pattern.iter().min_by_key(|item| support(&image, &[**item])).unwrap();
                let group = image[rarest].clone();
                let others: BTreeSet<&BTreeSet<ItemId>> =
                    image.values().filter(|other| **other != group).collect();
                let linkage = |other: &BTreeSet<ItemId>| {
                    let sum: f64 =
                        group.iter().flat_map(|a| other.iter().map(move |b| places.distance(*a, *b))).sum();
                    sum / (group.len() * other.len()) as f64
                };
                let nearest = others
                    .into_iter()
                    .min_by(|a, b| {
                        let order = linkage(a) - linkage(b);
                        // Sums in another order differ in the last digits; what is that close is a tie.
                        let order = if order.abs() < 1e-9 { 0.0 } else { order };
                        order.total_cmp(&0.0).then_with(|| {
                            let key = |group: &BTreeSet<ItemId>| {
                                (support(&image, &[*group.first().unwrap()]), *group.first().unwrap())
                            };
                            key(a).cmp(&key(b))
                        })
                    })
                    .unwrap()
                    .clone();
                merges.push(vec![group.iter().copied().collect(), nearest.iter().copied().collect()]);
                let joined: BTreeSet<ItemId> = group.union(&nearest).copied().collect();
                for item in joined.clone() {
                    image.insert(item, joined.clone());
                }
            }
        }
    }
    merges
}

/// All ways to choose `size` of `length` positions, in lexicographic order.
fn choose(length: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        all = all
            .iter()
            .flat_map(|chosen: &Vec<usize>| {
                let from = chosen.last().map_or(0, |last| last + 1);
                (from..length).map(move |at| [chosen.as_slice(), &[at]].concat())
            })
            .collect();
    }
    all
}

#[test]
fn items_with_neither_places_nor_a_taxonomy_go_by_their_names() {
    let data = Dataset::from_words(["ab", "ac", "ab", "xa", "ya", "x"]);
    let progress = Progress::silent();
    for name in ["seqanon", "sd-seqanon"] {
        let method = find(name).unwrap();
        let settings = Settings::parse(method.descriptor(), [("k", "2"), ("m", "2")]).unwrap();
        let outcome = method.anonymize(&Task::new(&data, &settings, &progress)).unwrap();
        assert!(is_km_anonymous(&outcome.release, 2, 2) && covers(&data, &outcome.release));
        assert!(outcome.release.names().contains(&"{x|y}".to_owned()), "{:?}", outcome.release.names());
        assert!(
            outcome.notes.iter().any(|note| note.contains("no taxonomy was given")),
            "{:?}",
            outcome.notes
        );
    }
    let method = find("sd-seqanon").unwrap();
    let settings = Settings::parse(method.descriptor(), [("k", "2"), ("m", "2")]).unwrap();
    // With places and no taxonomy, something was forgotten.
    let points = vec![[0.0, 0.0]; data.items.len()];
    let places = Some(Places { system: Coordinates::Plane, points, categories: None });
    let data = Dataset { places, ..data };
    let missing = method.anonymize(&Task::new(&data, &settings, &progress));
    assert!(matches!(missing, Err(MethodError::MissingInput { .. })));
}

/// A taxonomy that was given, or made with `throng taxonomy`, takes the place of coordinates.
#[test]
fn a_taxonomy_takes_the_place_of_coordinates() {
    let data = Dataset::from_words(["ab", "ac", "ab", "xa", "ya", "x"]);
    let tree =
        Taxonomy::from_paths(["a;p;r", "b;q;r", "c;q;r", "x;p;r", "y;q;r"].map(|path| path.split(';')))
            .unwrap();
    let inputs = Inputs { taxonomy: Some(tree), ..Inputs::default() };
    let progress = Progress::silent();
    let [near, alike] = ["seqanon", "sd-seqanon"].map(|name| {
        let method = find(name).unwrap();
        let settings = Settings::parse(method.descriptor(), [("k", "2"), ("m", "2")]).unwrap();
        let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
        method.anonymize(&task).unwrap()
    });
    assert!(is_km_anonymous(&near.release, 2, 2) && covers(&data, &near.release));
    assert_eq!(near.release.names(), alike.release.names());
    assert!(!near.notes.iter().any(|note| note.contains("no taxonomy was given")), "{:?}", near.notes);
}
