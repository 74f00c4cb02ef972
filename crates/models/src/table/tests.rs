//! The three promises against oracles that look at every person by themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{ColumnKind, Cover, RecodedColumn, RecodedTable, Release, Role};

use crate::{Evidence, KAnonymity, LDiversity, Promise, TCloseness, Verdict};

/// Covers of a quasi-identifying column, two of which are written alike.
fn covers() -> Vec<Cover> {
    let node = |name: &str, members: &[&str]| Cover::Node {
        name: name.to_owned(),
        members: members.iter().map(|member| (*member).to_owned()).collect::<Arc<[String]>>(),
    };
    vec![
        Cover::Value("1".to_owned()),
        Cover::Range { low: "1".to_owned(), high: "3".to_owned() },
        Cover::Set(vec!["1".to_owned(), "3".to_owned()]),
        node("low", &["1", "2"]),
        Cover::Value(String::new()),
        Cover::Suppressed,
        Cover::Range { low: "1".to_owned(), high: "3".to_owned() },
    ]
}

fn column(name: &str, role: Role, kind: ColumnKind, covers: Vec<Cover>, cells: Vec<u32>) -> RecodedColumn {
    RecodedColumn { name: name.to_owned(), role, kind, covers, cells }
}

fn values(names: &[&str]) -> Vec<Cover> {
    names.iter().map(|name| Cover::Value((*name).to_owned())).collect()
}

/// Rows of cells: two quasi-identifiers, an insensitive column, a sensitive category and a sensitive number.
type Rows = Vec<[u32; 5]>;

const WORDS: [&str; 4] = ["", "asthma", "cold", "flu"];
const NUMBERS: [&str; 4] = ["10", "9", "-1", ""];

fn release(rows: &Rows) -> Release {
    let cells = |place: usize| rows.iter().map(|row| row[place]).collect();
    let with_suppressed = |names: &[&str]| {
        let mut covers = values(names);
        covers.push(Cover::Suppressed);
        covers
    };
    let table = RecodedTable {
        columns: vec![
            column("age", Role::QuasiIdentifying, ColumnKind::Number, covers(), cells(0)),
            column("disease", Role::Sensitive, ColumnKind::Category, with_suppressed(&WORDS), cells(3)),
            column("note", Role::Insensitive, ColumnKind::Category, with_suppressed(&["x"]), cells(2)),
            column("zip", Role::QuasiIdentifying, ColumnKind::Category, covers(), cells(1)),
            column("score", Role::Sensitive, ColumnKind::Number, with_suppressed(&NUMBERS), cells(4)),
        ],
    };
    Release::of_table(table, rows.len())
}

fn rows() -> impl Strategy<Value = Rows> {
    let secret = || prop_oneof![8 => 0..4_u32, 1 => Just(4)];
    let row = (0..7_u32, 3..7_u32, secret(), secret());
    let row = row.prop_map(|(age, zip, disease, score)| [age, zip, 0, disease, score]);
    // A row without a word, and one that lacks only its quasi-identifiers.
    vec(prop_oneof![12 => row, 1 => Just([5, 5, 1, 4, 4]), 1 => Just([5, 5, 0, 1, 1])], 0..14)
}

fn check(promise: &dyn Promise, release: &Release, given: &[(&str, &str)], list: usize) -> Verdict {
    let settings = Settings::parse(promise.descriptor(), given.iter().copied()).unwrap();
    promise.check(&Evidence::of(release), &settings, list, &Progress::silent()).unwrap()
}

/// What is written in a person's quasi-identifying cells; `None` for a suppressed row.
fn shown(release: &Release, row: usize) -> Option<Vec<String>> {
    let table = release.table().unwrap();
    let cover = |column: &RecodedColumn| column.covers[column.cells[row] as usize].clone();
    if table.columns.iter().all(|column| cover(column) == Cover::Suppressed) {
        return None;
    }
    let known = table.columns.iter().filter(|column| column.role != Role::Sensitive);
    Some(known.map(|column| format!("{}={}", column.name, cover(column).render())).collect())
}

/// The people of each class.
fn classes(release: &Release, people: usize) -> BTreeMap<Vec<String>, Vec<usize>> {
    let mut classes: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for row in 0..people {
        if let Some(shown) = shown(release, row) {
            classes.entry(shown).or_default().push(row);
        }
    }
    classes
}

/// The sensitive value of a person, by column; `None` when it is suppressed.
fn secret(release: &Release, name: &str, row: usize) -> Option<String> {
    let table = release.table().unwrap();
    let column = table.columns.iter().find(|column| column.name == name).unwrap();
    match &column.covers[column.cells[row] as usize] {
        Cover::Value(value) => Some(value.clone()),
        _ => None,
    }
}

/// All ways to fill in the suppressed secrets of some people.
fn fillings(release: &Release, name: &str, people: &[usize], domain: &[&str]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for person in people {
        let choices: Vec<String> = match secret(release, name, *person) {
            Some(value) => vec![value],
            None => domain.iter().map(|value| (*value).to_owned()).collect(),
        };
        all = all
            .iter()
            .flat_map(|filled| {
                choices.iter().map(move |choice| filled.iter().cloned().chain([choice.clone()]).collect())
            })
            .collect();
    }
    all
}

fn counts(values: &[String]) -> Vec<u64> {
    let mut counts: BTreeMap<&String, u64> = BTreeMap::new();
    values.iter().for_each(|value| *counts.entry(value).or_default() += 1);
    let mut counts: Vec<u64> = counts.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts
}

/// The values that count.
fn counted(values: &[String], missing: &str) -> Vec<String> {
    values.iter().filter(|value| missing == "value" || !value.is_empty()).cloned().collect()
}

fn is_diverse(values: &[String], l: u64, form: &str, c: u64) -> bool {
    let counts = counts(values);
    match form {
        "distinct" => counts.len() as u64 >= l,
        // n^n >= l^n * product of count^count, which is small enough to be exact here.
        "entropy" => {
            let n = values.len() as u32;
            let product: f64 = counts.iter().map(|count| (*count as f64).powi(*count as i32)).product();
            f64::from(n).powi(n as i32) >= (l as f64).powi(n as i32) * product * (1.0 - 1e-12)
        }
        _ => counts[0] < c * counts.iter().skip(l as usize - 1).sum::<u64>(),
    }
}

/// The distance between two distributions, by moving mass from value to value one unit of `1 / (n * total)` at a time.
fn distance(class: &[String], all: &[String], order: &[&str], ordered: bool) -> f64 {
    let share = |values: &[String], value: &str| {
        values.iter().filter(|other| *other == value).count() as f64 / values.len() as f64
    };
    let present: Vec<&&str> = order.iter().filter(|value| share(all, value) > 0.0).collect();
    let differences: Vec<f64> = present.iter().map(|value| share(class, value) - share(all, value)).collect();
    if !ordered {
        return differences.iter().map(|difference| difference.abs()).sum::<f64>() / 2.0;
    }
    let mut carried = 0.0;
    let mut moved = 0.0_f64;
    for difference in &differences {
        carried += difference;
        moved += f64::abs(carried);
    }
    moved / (present.len().max(2) - 1) as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn k_is_judged_as_by_looking_at_everybody(rows in rows(), k in 1..5_u64, list in 0..6_usize) {
        let release = release(&rows);
        let verdict = check(&KAnonymity, &release, &[("k", &k.to_string())], list);
        let classes = classes(&release, rows.len());
        let mut broken: Vec<(u64, &Vec<String>)> = classes.iter()
            .map(|(shown, people)| (people.len() as u64, shown)).filter(|(people, _)| *people < k).collect();
        broken.sort();
        prop_assert_eq!(verdict.holds, broken.is_empty());
        prop_assert_eq!(verdict.checked, classes.len() as u64);
        let total = if list == 0 { broken.len().min(1) } else { broken.len() };
        prop_assert_eq!(verdict.violations_total, total as u64);
        let listed: Vec<(u64, &Vec<String>)> =
            verdict.violations.iter().map(|case| (case.support, &case.pattern)).collect();
        prop_assert_eq!(&listed[..], &broken[..broken.len().min(list)]);
    }

    #[test]
    fn diversity_is_that_of_the_worst_filling(
        rows in rows(), l in 1..4_u64, c in 1..4_u64, form in prop::sample::select(vec!["distinct", "entropy", "recursive"]),
        missing in prop::sample::select(vec!["left-out", "value"]),
    ) {
        let release = release(&rows);
        let given =
            [("l", l.to_string()), ("c", c.to_string()), ("form", form.to_owned()), ("missing", missing.to_owned())];
        let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let verdict = check(&LDiversity, &release, &given, usize::MAX);
        let mut broken = BTreeSet::new();
        for (shown, people) in classes(&release, rows.len()) {
            for (name, domain) in [("disease", WORDS), ("score", NUMBERS)] {
                let unknown = people.iter().filter(|person| secret(&release, name, **person).is_none()).count();
                prop_assume!(unknown <= 4);
                let worst = fillings(&release, name, &people, &domain);
                let fails = |values: &Vec<String>| {
                    let values = counted(values, missing);
                    !values.is_empty() && !is_diverse(&values, l, form, c)
                };
                if worst.iter().any(fails) {
                    broken.insert((shown.clone(), name.to_owned()));
                }
            }
        }
        let listed: BTreeSet<(Vec<String>, String)> = verdict.violations.iter()
            .map(|case| (case.pattern.clone(), case.details["sensitive"].clone())).collect();
        prop_assert_eq!(verdict.violations_total, listed.len() as u64);
        prop_assert_eq!(listed, broken);
    }

    #[test]
    fn closeness_is_the_distance_from_the_whole(
        rows in rows(), t in 0..=12_u64, emd in prop::sample::select(vec!["by-type", "equal", "ordered"]),
        missing in prop::sample::select(vec!["left-out", "value"]),
    ) {
        // No secret is suppressed alone: what that does is said below.
        let rows: Rows = rows.into_iter().filter(|row| row[2] == 1 || (row[3] < 4 && row[4] < 4)).collect();
        let release = release(&rows);
        let t_text = format!("{t}/12");
        let verdict = check(&TCloseness, &release, &[("t", &t_text), ("emd", emd), ("missing", missing)], usize::MAX);
        let classes = classes(&release, rows.len());
        let everybody: Vec<usize> = classes.values().flatten().copied().collect();
        let mut broken = BTreeSet::new();
        let orders = [("disease", ["asthma", "cold", "flu", ""]), ("score", ["-1", "9", "10", ""])];
        for (name, order) in orders {
            let ordered = emd == "ordered" || (emd == "by-type" && name == "score");
            let values = |people: &[usize]| -> Vec<String> {
                let known: Vec<String> = people.iter().filter_map(|person| secret(&release, name, *person)).collect();
                counted(&known, missing)
            };
            let all = values(&everybody);
            for (shown, people) in &classes {
                if distance(&values(people), &all, &order, ordered) > t as f64 / 12.0 + 1e-9 {
                    broken.insert((shown.clone(), name.to_owned()));
                }
            }
        }
        let listed: BTreeSet<(Vec<String>, String)> = verdict.violations.iter()
            .map(|case| (case.pattern.clone(), case.details["sensitive"].clone())).collect();
        prop_assert_eq!(listed, broken);
    }
}

fn of_secrets(groups: &[&[&str]], kind: ColumnKind) -> Release {
    let names: BTreeSet<&str> = groups.iter().flat_map(|group| group.iter().copied()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let mut covers = values(&names);
    covers.push(Cover::Suppressed);
    let number = |name: &str| names.iter().position(|other| *other == name).unwrap() as u32;
    let (mut quasi, mut secret) = (Vec::new(), Vec::new());
    for (class, group) in groups.iter().enumerate() {
        for name in *group {
            quasi.push(class as u32);
            secret.push(if *name == "*" { covers.len() as u32 - 1 } else { number(name) });
        }
    }
    let classes: Vec<String> = (0..groups.len()).map(|class| class.to_string()).collect();
    let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
    let people = quasi.len();
    let table = RecodedTable {
        columns: vec![
            column("q", Role::QuasiIdentifying, ColumnKind::Category, values(&classes), quasi),
            column("s", Role::Sensitive, kind, covers, secret),
        ],
    };
    Release::of_table(table, people)
}

#[test]
fn a_distance_of_exactly_t_is_allowed() {
    // Four values, equally frequent in all; 1 and 2 in the first class: 1/2 by equal, 1/3 by ordered distance.
    let release = of_secrets(&[&["1", "2"], &["3", "4"]], ColumnKind::Number);
    let holds = |t: &str, emd: &str| check(&TCloseness, &release, &[("t", t), ("emd", emd)], 1).holds;
    assert!(holds("1/2", "equal") && !holds("0.499999999", "equal"));
    assert!(holds("1/3", "ordered") && !holds("0.333333333", "ordered"));
    assert!(holds("1/3", "by-type"));
}

#[test]
fn a_suppressed_secret_counts_as_far_away() {
    let release = of_secrets(&[&["1", "2", "*", "*"], &["1", "2"]], ColumnKind::Category);
    let verdict = check(&TCloseness, &release, &[("t", "0.49")], 1);
    assert_eq!(verdict.violations[0].details["distance"], "0.5000");
    assert!(check(&TCloseness, &release, &[("t", "0.5")], 1).holds);
}

#[test]
fn without_a_sensitive_column_there_is_nothing_to_vary() {
    let mut release = of_secrets(&[&["1"]], ColumnKind::Category);
    release.body = release.body.with_table(|mut table| {
        table.columns.pop();
        table
    });
    for promise in [&LDiversity as &dyn Promise, &TCloseness] {
        let name = promise.descriptor().params[0].name;
        let settings = Settings::parse(promise.descriptor(), [(name, "1")]).unwrap();
        let error = promise.check(&Evidence::of(&release), &settings, 1, &Progress::silent()).unwrap_err();
        assert!(error.to_string().contains("a sensitive column"), "{error}");
    }
}

#[test]
fn a_release_of_events_has_no_classes() {
    let data = throng_data::Dataset::from_words(["ab"]);
    let release = Release::identity(data.items, data.events);
    let settings = Settings::parse(KAnonymity.descriptor(), [("k", "1")]).unwrap();
    assert!(KAnonymity.check(&Evidence::of(&release), &settings, 1, &Progress::silent()).is_err());
}
