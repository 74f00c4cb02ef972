//! The counter-examples to the printed algorithms, and what does not depend on threads.

use throng_data::{Column, ColumnValues, Dataset, EventKind, Inputs, Role, Table};
use throng_methods::mixed::{RumBound, TumBound};
use throng_methods::{Method, Outcome, Variant};
use throng_models::{Evidence, KkmAnonymity, Promise};

use crate::mixed::judge::is_kkm;
use crate::mixed::world::run;

/// One number a person, from 0 to 100, and one item.
fn line(ages: &[f64], items: &[&str]) -> Dataset {
    let names: Vec<String> = (0..ages.len()).map(|number| format!("p{number}")).collect();
    let records = names.iter().zip(items).map(|(name, items)| (name.as_str(), items.split(' ')));
    let mut data = Dataset::from_records(EventKind::Set, records);
    let column = Column {
        name: "age".to_owned(),
        role: Some(Role::QuasiIdentifying),
        values: ColumnValues::Numbers(ages.to_vec()),
    };
    data.attributes = Some(Table { columns: vec![column] });
    data
}

/// The ranges that are published, in order.
fn ranges(outcome: &Outcome) -> Vec<String> {
    let column = &outcome.release.table().unwrap().columns[0];
    let mut shown: Vec<String> = (0..column.cells.len()).map(|row| column.cover(row).render()).collect();
    shown.dedup();
    shown
}

fn bound(method: &dyn Method, data: &Dataset, delta: &str, merge: &str, variant: Variant) -> Outcome {
    let given = [("k", "2"), ("m", "1"), ("delta", delta), ("merge", merge), ("relational", "mondrian")];
    run(method, data, Inputs::NONE, &given, variant).unwrap()
}

/// The vector `rmerge-early-stop`, with two people to a cluster, and 0 and 100 among the ages so that they are the domain.
#[test]
fn a_seed_without_a_partner_does_not_end_the_merging() {
    let ages = [0.0, 0.5, 50.0, 52.0, 53.0, 56.0, 99.0, 100.0];
    let data = line(&ages, &["a"; 8]);
    let printed = bound(&RumBound, &data, "0.1", "r", Variant::AsPrinted);
    assert_eq!(ranges(&printed), ["[0,0.5]", "[50,52]", "[53,56]", "[99,100]"]);
    let sound = bound(&RumBound, &data, "0.1", "r", Variant::Sound);
    assert_eq!(ranges(&sound), ["[0,0.5]", "[50,56]", "[99,100]"]);
}

/// Step 3 of TUM-BOUND returns the clusters as they are when their items would lose little enough.
#[test]
fn items_are_generalised_even_where_the_bound_holds_at_once() {
    let data = line(&[0.0, 1.0, 50.0, 51.0], &["a", "b", "c", "d"]);
    let printed = bound(&TumBound, &data, "1", "t", Variant::AsPrinted);
    assert!(!is_kkm(&printed.release, 2, 1, &[], 1), "as printed everybody's item is their own");
    let sound = bound(&TumBound, &data, "1", "t", Variant::Sound);
    assert!(is_kkm(&sound.release, 2, 1, &[], 1));
    assert_eq!(ranges(&sound), ["[0,1]", "[50,51]"]);
}

/// One merge is not enough for the bound: as printed nothing else is tried.
#[test]
fn merging_goes_on_until_the_bound_is_reached() {
    let ages = [0.0, 1.0, 10.0, 11.0, 50.0, 51.0, 60.0, 61.0];
    let data = line(&ages, &["a", "b", "a", "b", "c", "d", "c", "d"]);
    let given = [("k", "2"), ("m", "1"), ("delta", "0"), ("merge", "r"), ("relational", "mondrian")];
    let printed = run(&TumBound, &data, Inputs::NONE, &given, Variant::AsPrinted).unwrap_err();
    assert!(printed.to_string().contains("more than delta = 0"), "{printed}");
    let sound = run(&TumBound, &data, Inputs::NONE, &given, Variant::Sound).unwrap();
    assert_eq!(ranges(&sound), ["[0,11]", "[50,61]"]);
    assert!(sound.release.alphabet.iter().all(|item| item.is_intact()));
}

/// Clusters with the same items are merged first, wherever their cells are; by columns the neighbours are.
#[test]
fn the_heuristics_differ() {
    let ages = [0.0, 1.0, 10.0, 11.0, 90.0, 91.0, 100.0, 101.0];
    let items = ["a b", "a b", "c d", "c d", "a b", "a b", "c d", "c d"];
    let data = line(&ages, &items);
    assert_eq!(ranges(&bound(&RumBound, &data, "0.2", "r", Variant::Sound)), ["[0,11]", "[90,101]"]);
    let by_items = bound(&RumBound, &data, "0.95", "t", Variant::Sound);
    assert_eq!(ranges(&by_items), ["[0,91]", "[10,101]", "[0,91]", "[10,101]"]);
}

/// The same release with any number of threads, and judged the same.
#[test]
fn threads_change_nothing() {
    let ages: Vec<f64> = (0..120).map(|number| f64::from(number * 37 % 101)).collect();
    let items: Vec<String> =
        (0..120).map(|number| format!("i{} j{}", number * 7 % 11, number * 5 % 13)).collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let data = line(&ages, &items);
    let release = |threads: usize, method: &'static dyn Method| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let given = [("k", "3"), ("m", "2"), ("delta", "0.4")];
        pool.install(|| run(method, &data, Inputs::NONE, &given, Variant::Sound)).unwrap().release
    };
    for method in [&RumBound as &'static dyn Method, &TumBound] {
        let one = release(1, method);
        let settings =
            throng_contract::Settings::parse(KkmAnonymity.descriptor(), [("k", "3"), ("m", "2")]).unwrap();
        let progress = throng_contract::Progress::silent();
        assert!(KkmAnonymity.check(&Evidence::of(&one), &settings, 1, &progress).unwrap().holds);
        for threads in [2, 5] {
            let other = release(threads, method);
            assert_eq!((&one.alphabet, one.table()), (&other.alphabet, other.table()));
            assert_eq!(one.events().items(), other.events().items());
        }
    }
}
