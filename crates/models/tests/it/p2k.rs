//! The checker of `p2k` against one that lists every subsequence.
// Helpers outside `#[test]` functions fail the test like any assertion.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Dataset, Dictionary, EventKind, Events, EventsBuilder, GeneralisedItem, ItemId, Release};
use throng_models::{CheckError, Evidence, P2k, Promise, Verdict};

type People = Vec<Vec<Vec<ItemId>>>;

fn events(people: &People) -> Events {
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    for (subject, records) in people.iter().enumerate() {
        for record in records {
            builder.push(subject as u32, record, &[]);
        }
    }
    builder.finish(people.len())
}

fn dataset(people: &People) -> Dataset {
    Dataset {
        subjects: Dictionary::new(),
        items: Arc::new(["a", "b", "c", "d"].into_iter().collect()),
        events: events(people),
        places: None,
        own_categories: None,
        attributes: None,
    }
}

fn check(release: &Release, original: Option<&Dataset>, k: u64, form: &str, list: usize) -> Verdict {
    let settings =
        Settings::parse(P2k.descriptor(), [("k", k.to_string().as_str()), ("form", form)]).unwrap();
    let evidence = Evidence { original, ..Evidence::of(release) };
    P2k.check(&evidence, &settings, list, &Progress::silent()).unwrap()
}

fn supports(people: &People) -> BTreeMap<Vec<ItemId>, u64> {
    let mut supports = BTreeMap::new();
    for records in people {
        let mut theirs = BTreeSet::new();
        for record in records {
            for chosen in 1_u32..1 << record.len() {
                let part = (0..record.len()).filter(|at| chosen >> at & 1 == 1).map(|at| record[at]);
                theirs.insert(part.collect::<Vec<_>>());
            }
        }
        for part in theirs {
            *supports.entry(part).or_insert(0) += 1;
        }
    }
    supports
}

fn people() -> impl Strategy<Value = People> {
    let record = prop::collection::vec(0_u32..4, 0..=5);
    prop::collection::vec(prop::collection::vec(record, 0..=3), 0..=6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn whole_records_speak_for_all_their_subsequences(release in people(), original in people(), k in 1_u64..4) {
        let (in_release, in_original) = (supports(&release), supports(&original));
        let release_holds = in_release.values().all(|support| *support >= k);
        let original_holds = in_release.keys().all(|part| in_original.get(part).copied().unwrap_or(0) >= k);
        let original = dataset(&original);
        let published = Release::identity(Arc::clone(&original.items), events(&release));
        for list in [0, 100] {
            prop_assert_eq!(check(&published, None, k, "both", list).holds, release_holds);
            prop_assert_eq!(check(&published, Some(&original), k, "release", list).holds, release_holds);
            prop_assert_eq!(check(&published, Some(&original), k, "original", list).holds, original_holds);
            let both = check(&published, Some(&original), k, "both", list);
            prop_assert_eq!(both.holds, release_holds && original_holds);
        }
        let verdict = check(&published, Some(&original), k, "both", 100);
        prop_assert_eq!(verdict.violations.len() as u64, verdict.violations_total);
        for violation in &verdict.violations {
            let items: Vec<ItemId> =
                violation.pattern.iter().map(|name| original.items.find(name).unwrap()).collect();
            let counted = if violation.details["counted-in"] == "release" { &in_release } else { &in_original };
            prop_assert_eq!(violation.support, counted.get(&items).copied().unwrap_or(0));
            prop_assert!(violation.support < k && violation.needed == k);
        }
    }
}

#[test]
fn a_generalised_item_is_held_by_everybody_who_holds_a_member() {
    let original = Dataset::from_words(["ab", "cb", "b"]);
    let mut builder = EventsBuilder::new(EventKind::Sequence, false);
    builder.push(0, &[0, 1], &[]);
    builder.push(1, &[0, 1], &[]);
    let release = Release {
        alphabet: vec![GeneralisedItem::of(vec![0, 2]), GeneralisedItem::of(vec![1])],
        ..Release::identity(Arc::clone(&original.items), builder.finish(2))
    };
    assert!(check(&release, Some(&original), 2, "both", 10).holds);
    let verdict = check(&release, Some(&original), 3, "original", 10);
    assert_eq!(
        (verdict.violations[0].pattern.join(" "), verdict.violations[0].support),
        ("{a|c} b".to_owned(), 2)
    );
}

#[test]
fn items_are_compared_by_name_when_the_release_was_read_from_a_file() {
    let original = Dataset::from_words(["ba", "ba"]);
    let read = Dataset::from_words(["a", "a"]);
    let release = Release::identity(read.items, read.events);
    assert!(check(&release, Some(&original), 2, "original", 10).holds);
    let stranger = Dataset::from_words(["x", "x"]);
    let verdict = check(&Release::identity(stranger.items, stranger.events), Some(&original), 2, "both", 10);
    assert_eq!((verdict.violations_total, verdict.violations[0].support), (1, 0));
}

#[test]
fn the_original_form_needs_the_original() {
    let data = Dataset::from_words(["a", "a"]);
    let release = Release::identity(data.items, data.events);
    let settings = Settings::parse(P2k.descriptor(), [("k", "2"), ("form", "original")]).unwrap();
    let refused = P2k.check(&Evidence::of(&release), &settings, 0, &Progress::silent());
    assert!(matches!(refused, Err(CheckError::Missing { .. })));
}

#[test]
fn the_statement_says_where_people_are_counted() {
    let statement =
        |form| P2k.statement(&Settings::parse(P2k.descriptor(), [("k", "10"), ("form", form)]).unwrap());
    assert_eq!(
        statement("release"),
        "Any visits in their order that one released record shows are shared by at least 10 people of the release."
    );
    assert!(statement("both").ends_with("of the release, and of the original data."));
}

#[test]
fn without_the_original_data_its_part_is_said_to_be_not_judged() {
    let data = dataset(&vec![vec![vec![0, 1]], vec![vec![0, 1]]]);
    let release = Release::identity(data.items.clone(), data.events.clone());
    let parts = |original, form| {
        let verdict = check(&release, original, 2, form, 10);
        assert!(verdict.holds);
        (verdict.judged.len(), verdict.not_judged.len())
    };
    assert_eq!(parts(None, "both"), (1, 1));
    assert_eq!(parts(None, "release"), (0, 0));
    assert_eq!(parts(Some(&data), "both"), (0, 0));
    assert_eq!(parts(Some(&data), "original"), (0, 0));
    // Of each form one; the first is enough when none are listed.
    let counts = |list| {
        let verdict = check(&release, Some(&data), 3, "both", list);
        (verdict.checked, verdict.violations_total)
    };
    assert_eq!((counts(10), counts(0)), ((2, 2), (1, 1)));
}
