//! The `lkc` checker against an exhaustive oracle, and what it refuses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use throng_contract::{Class, Failing, Fraction, Progress, Settings};
use throng_data::{
    Column, ColumnValues, Dictionary, EventKind, Events, EventsBuilder, Inputs, Release, Role, Table,
};
use throng_models::{Evidence, Lkc, Promise, Verdict};

/// A person: status, and records as time to item.
type Person = (u8, Vec<BTreeMap<i64, u8>>);

fn release_of(people: &[Person]) -> Release {
    let mut items = Dictionary::new();
    let mut statuses = Dictionary::new();
    let mut builder = EventsBuilder::new(EventKind::Sequence, true);
    let mut codes = Vec::new();
    for (number, (status, records)) in people.iter().enumerate() {
        codes.push(statuses.intern(&format!("s{status}")));
        for record in records {
            let record_items: Vec<u32> =
                record.values().map(|item| items.intern(&format!("i{item}"))).collect();
            let times: Vec<i64> = record.keys().copied().collect();
            builder.push(number as u32, &record_items, &times);
        }
    }
    let mut release = Release::identity(Arc::new(items), builder.finish(people.len()));
    let values = ColumnValues::Categories { values: statuses, codes };
    let column = Column { name: "status".to_owned(), role: Some(Role::Sensitive), values };
    release.body = release.body.with_attributes(Some(Table { columns: vec![column] }));
    release
}

fn check(release: &Release, given: &[(&str, &str)], sensitive: &[(String, String)], list: usize) -> Verdict {
    let settings = Settings::parse(Lkc.descriptor(), given.iter().copied()).expect("settings in range");
    let inputs = Inputs { sensitive_values: sensitive.to_vec(), ..Inputs::default() };
    let evidence = Evidence { inputs: &inputs, ..Evidence::of(release) };
    Lkc.check(&evidence, &settings, list, &Progress::silent()).expect("a judgeable release")
}

/// Every violating sequence, as (length, support, written doublets), by enumerating all subsets of all records.
fn oracle(
    people: &[Person],
    limit: usize,
    k: u64,
    share: Fraction,
    sensitive: &[u8],
) -> BTreeSet<(usize, u64, Vec<String>)> {
    let mut known: BTreeSet<Vec<(i64, u8)>> = BTreeSet::new();
    if !people.is_empty() {
        known.insert(Vec::new());
    }
    for record in people.iter().flat_map(|(_, records)| records) {
        let doublets: Vec<(i64, u8)> = record.iter().map(|(time, item)| (*time, *item)).collect();
        for mask in 0_u32..1 << doublets.len() {
            if mask.count_ones() as usize <= limit {
                known.insert(
                    (0..doublets.len()).filter(|bit| mask >> bit & 1 == 1).map(|bit| doublets[bit]).collect(),
                );
            }
        }
    }
    let mut broken = BTreeSet::new();
    for q in known {
        let holds = |person: &&Person| {
            q.is_empty()
                || person.1.iter().any(|record| q.iter().all(|(time, item)| record.get(time) == Some(item)))
        };
        let fitting: Vec<&Person> = people.iter().filter(holds).collect();
        let support = fitting.len() as u64;
        let sure = sensitive.iter().any(|value| {
            share.is_exceeded_by(fitting.iter().filter(|person| person.0 == *value).count() as u64, support)
        });
        if support < k || sure {
            broken.insert((
                q.len(),
                support,
                q.iter().map(|(time, item)| format!("i{item}@{time}")).collect(),
            ));
        }
    }
    broken
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_checker_agrees_with_an_exhaustive_oracle(
        people in vec((0_u8..3, vec(btree_map(0_i64..5, 0_u8..2, 0..=4), 1..=2)), 0..=9),
        limit in 1_usize..=6,
        k in 1_u64..=3,
        share in prop_oneof![Just("1"), Just("1/2"), Just("2/3"), Just("0.3")],
        sensitive in 0_usize..=2,
    ) {
        let present: BTreeSet<u8> = people.iter().map(|person| person.0).collect();
        let sensitive: Vec<u8> = present.into_iter().take(sensitive).collect();
        let named: Vec<(String, String)> =
            sensitive.iter().map(|value| ("status".to_owned(), format!("s{value}"))).collect();
        let release = release_of(&people);
        let (k_text, limit_text) = (k.to_string(), if limit == 6 { "max".to_owned() } else { limit.to_string() });
        let given = [("L", limit_text.as_str()), ("K", k_text.as_str()), ("C", share)];
        let expected = oracle(&people, limit, k, share.parse().unwrap(), &sensitive);

        let verdict = check(&release, &given, &named, 1000);
        prop_assert_eq!(verdict.holds, expected.is_empty());
        prop_assert_eq!(verdict.violations_total, verdict.violations.len() as u64);
        let listed: Vec<(usize, u64, Vec<String>)> = verdict
            .violations
            .iter()
            .map(|violation| (violation.pattern.len(), violation.support, violation.pattern.clone()))
            .collect();
        prop_assert!(listed.iter().all(|case| expected.contains(case)));
        // The shortest broken sequences are all listed, fewest people first.
        let shortest = expected.first().map(|case| case.0);
        let ours: BTreeSet<_> = listed.iter().filter(|case| Some(case.0) == shortest).cloned().collect();
        let theirs: BTreeSet<_> = expected.iter().filter(|case| Some(case.0) == shortest).cloned().collect();
        prop_assert_eq!(ours, theirs);
        prop_assert!(listed.is_sorted_by_key(|case| (case.0, case.1)));

        prop_assert_eq!(check(&release, &given, &named, 0).holds, verdict.holds);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        prop_assert_eq!(one.install(|| check(&release, &given, &named, 1000)), verdict);
    }
}

fn table(rows: &[(u8, &[(i64, u8)])]) -> Vec<Person> {
    rows.iter().map(|(status, record)| (*status, vec![record.iter().copied().collect()])).collect()
}

#[test]
fn a_counter_example_carries_people_and_confidence() {
    let people = table(&[(1, &[(1, 0)]), (1, &[(1, 0)]), (2, &[(1, 0)]), (2, &[(2, 0)]), (2, &[(2, 0)])]);
    let given = [("L", "2"), ("K", "2"), ("C", "0.6")];
    let verdict = check(&release_of(&people), &given, &[("status".to_owned(), "s1".to_owned())], 5);
    assert_eq!((verdict.holds, verdict.violations_total), (false, 1));
    let violation = &verdict.violations[0];
    assert_eq!(
        (violation.pattern.as_slice(), violation.support, violation.needed),
        (&["i0@1".to_owned()][..], 3, 2)
    );
    assert_eq!(violation.details["confidence"], "2/3");
    assert_eq!(violation.details["sensitive"], "status=s1");
}

#[test]
fn knowing_nothing_is_judged_too() {
    let people = table(&[(1, &[]), (1, &[]), (2, &[])]);
    let sensitive = [("status".to_owned(), "s1".to_owned())];
    let verdict = check(&release_of(&people), &[("L", "1"), ("K", "3"), ("C", "1/2")], &sensitive, 5);
    assert_eq!(verdict.violations[0].pattern, Vec::<String>::new());
    assert!(check(&release_of(&people), &[("L", "1"), ("K", "3"), ("C", "2/3")], &sensitive, 5).holds);
    assert!(!check(&release_of(&people), &[("L", "1"), ("K", "4"), ("C", "1")], &[], 5).holds);
}

#[test]
fn what_cannot_be_judged_is_refused_with_a_way_out() {
    let release = release_of(&table(&[(1, &[(1, 0)])]));
    let ask = |release: &Release, share: &str, column: &str, value: &str| {
        let settings = Settings::parse(Lkc.descriptor(), [("L", "1"), ("K", "1"), ("C", share)]).unwrap();
        let sensitive_values = vec![(column.to_owned(), value.to_owned())];
        let inputs = Inputs { sensitive_values, ..Inputs::default() };
        let evidence = Evidence { inputs: &inputs, ..Evidence::of(release) };
        let error = Lkc.check(&evidence, &settings, 1, &Progress::silent()).unwrap_err();
        assert!(error.help().is_some());
        (error.class(), error.to_string())
    };
    assert_eq!(
        ask(&release, "0", "status", "s1"),
        (Class::Usage, "`C` of `lkc` must be a share above 0, up to 1, not `0`".to_owned())
    );
    assert_eq!(
        ask(&release, "1", "job", "s1"),
        (Class::BadInput, "the column `job` does not occur in the data".to_owned())
    );
    assert_eq!(
        ask(&release, "1", "status", "s9"),
        (Class::BadInput, "the sensitive value `status=s9` does not occur in the data".to_owned())
    );
    let bare = Release { body: release.body.clone().with_attributes(None), ..release.clone() };
    assert_eq!(ask(&bare, "1", "status", "s1").0, Class::Usage);
    let untimed = Release { body: release.body.with_events(Events::without_times), ..release };
    assert_eq!(
        ask(&untimed, "1", "status", "s1"),
        (Class::Usage, "the promise `lkc` needs the time of each event".to_owned())
    );
}
