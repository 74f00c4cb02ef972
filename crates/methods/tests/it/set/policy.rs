//! Derived policies.

use std::collections::BTreeSet;

use proptest::prelude::*;
use throng_contract::{Failing, Fraction, Progress};
use throng_data::{Dataset, EventKind, ItemId, Taxonomy};
use throng_methods::set::policy::{Privacy, Utility, partition, privacy, utility};

use crate::set::world::{dataset, people, sets_below, support};

fn names(data: &Dataset, set: &BTreeSet<ItemId>) -> Vec<String> {
    let mut names: Vec<String> = set.iter().map(|item| data.items.name(*item).to_owned()).collect();
    names.sort();
    names
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_km_policy_is_every_rare_set(people in people(8), k in 1_u64..5, m in 1_usize..4) {
        let data = dataset(&people);
        let found = privacy(&data, &Privacy::Km { k, m }, &Progress::silent()).unwrap();
        let mut expected: Vec<Vec<String>> = sets_below(data.items.len() as ItemId, m)
            .into_iter()
            .filter(|set| (1..k as usize).contains(&support(&data, set)))
            .map(|set| names(&data, &set))
            .collect();
        expected.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_record_policy_is_every_record_that_is_not_part_of_another(people in people(8), all in any::<bool>()) {
        let data = dataset(&people);
        let of: Vec<String> =
            data.items.names().filter(|name| !all && *name < "d").map(str::to_owned).collect();
        let found = privacy(&data, &Privacy::Records { of: of.clone() }, &Progress::silent()).unwrap();
        let known = |item: &ItemId| of.is_empty() || of.iter().any(|name| name == data.items.name(*item));
        let records: BTreeSet<BTreeSet<ItemId>> = (0..data.events.records())
            .map(|record| data.events.record(record).iter().copied().filter(known).collect())
            .collect();
        let mut expected: Vec<Vec<String>> = records
            .iter()
            .filter(|record| !record.is_empty())
            .filter(|record| !records.iter().any(|other| other != *record && record.is_subset(other)))
            .map(|record| names(&data, record))
            .collect();
        expected.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        prop_assert_eq!(found, expected);
    }
}

fn shop() -> (Dataset, Taxonomy) {
    let records = [
        ("p", vec!["ale", "beer", "milk"]),
        ("q", vec!["beer", "milk"]),
        ("r", vec!["milk", "oats"]),
        ("s", vec!["rice"]),
    ];
    let paths = [
        "ale;drinks;all",
        "beer;drinks;all",
        "milk;drinks;all",
        "oats;grain;food;all",
        "rice;grain;food;all",
    ];
    let taxonomy = Taxonomy::from_paths(paths.iter().map(|path| path.split(';'))).unwrap();
    (Dataset::from_records(EventKind::Set, records), taxonomy)
}

fn written(sets: Vec<Vec<String>>) -> String {
    sets.iter().map(|set| set.join("+")).collect::<Vec<_>>().join(" ")
}

#[test]
fn frequencies_name_rare_items_or_pairs_of_a_list() {
    let (data, _) = shop();
    let derive = |strategy| written(privacy(&data, &strategy, &Progress::silent()).unwrap());
    assert_eq!(derive(Privacy::Rare { k: 2 }), "ale oats rice");
    let of = ["milk", "ale", "rice"].map(str::to_owned).to_vec();
    assert_eq!(derive(Privacy::Pairs { of }), "ale+milk ale+rice milk+rice");
    let error =
        privacy(&data, &Privacy::Pairs { of: vec!["gin".to_owned()] }, &Progress::silent()).unwrap_err();
    assert_eq!(error.to_string(), "item `gin` does not occur in the data");
}

#[test]
fn utility_is_read_off_a_taxonomy() {
    let (data, taxonomy) = shop();
    let derive = |strategy| written(utility(&data, Some(&taxonomy), &strategy).unwrap());
    assert_eq!(derive(Utility::Level(0)), "ale+beer+milk+oats+rice");
    assert_eq!(derive(Utility::Level(1)), "oats+rice ale+beer+milk");
    assert_eq!(derive(Utility::Level(3)), "ale beer milk oats rice");
    assert_eq!(derive(Utility::Whole), "ale+beer+milk+oats+rice");
    let share = |text: &str| Utility::Similarity(text.parse::<Fraction>().unwrap());
    assert_eq!(derive(share("1/2")), "ale beer milk oats+rice");
    assert_eq!(derive(share("3/5")), "oats+rice ale+beer+milk");
    assert_eq!(derive(share("1")), "ale+beer+milk+oats+rice");
    assert_eq!(derive(Utility::TopFrequency { keep: 2, level: 1 }), "ale beer milk oats+rice");
    assert!(
        utility(&data, None, &Utility::Level(1))
            .unwrap_err()
            .help()
            .unwrap()
            .to_string()
            .contains("--taxonomy")
    );
}

#[test]
fn a_utility_policy_that_is_no_partition_is_refused_by_name() {
    let (data, _) = shop();
    let sets = |text: &str| -> Vec<Vec<String>> {
        text.split(' ').map(|set| set.split('+').map(str::to_owned).collect()).collect()
    };
    assert_eq!(partition(&data.items, &sets("ale+beer milk+oats+rice+gin")).unwrap(), [0, 0, 1, 1, 1]);
    let twice = partition(&data.items, &sets("ale+beer beer+milk+oats+rice")).unwrap_err();
    assert_eq!(twice.to_string(), "item `beer` is in two utility constraints, number 1 and number 2");
    let missing = partition(&data.items, &sets("ale+beer milk+oats")).unwrap_err();
    assert_eq!(missing.to_string(), "item `rice` is in no utility constraint");
}
