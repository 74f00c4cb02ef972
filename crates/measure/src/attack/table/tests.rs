//! Crowds against counting people one by one.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_contract::{Fraction, Progress};
use throng_data::{Column, ColumnValues, Cover, RecodedTable, Role, Table};

use super::*;
use crate::attack::{Own, catalogue};

/// Age, town and disease of people.
type Rows = Vec<(u32, u32, u32)>;

fn table(rows: &Rows) -> Table {
    let words = |name: &str, role, words: &[&str], codes: Vec<u32>| Column {
        name: name.to_owned(),
        role: Some(role),
        values: ColumnValues::Categories { values: words.iter().copied().collect(), codes },
    };
    let ages = rows.iter().map(|(age, ..)| f64::from(*age)).collect();
    let towns = rows.iter().map(|(_, town, _)| *town).collect();
    let diseases = rows.iter().map(|(.., disease)| *disease).collect();
    Table {
        columns: vec![
            Column {
                name: "age".to_owned(),
                role: Some(Role::QuasiIdentifying),
                values: ColumnValues::Numbers(ages),
            },
            words("town", Role::QuasiIdentifying, &["x", "y", "z"], towns),
            words("disease", Role::Sensitive, &["cold", "flu"], diseases),
        ],
    }
}

/// Every cell becomes a range or a set around it, some of which overlap; some rows are suppressed.
fn recoded(table: &Table, rows: &Rows, wide: &[bool], suppressed: &[u32]) -> RecodedTable {
    let mut recoded = RecodedTable::identity(table);
    recoded.columns[0].covers.clear();
    recoded.columns[0].cells.clear();
    for ((age, ..), wide) in rows.iter().zip(wide.iter().cycle()) {
        let (low, high) = if *wide { (0, 9) } else { (age / 2 * 2, age / 2 * 2 + 3) };
        let cover = Cover::Range { low: low.to_string(), high: high.to_string() };
        let known = recoded.columns[0].covers.iter().position(|other| *other == cover);
        let place = known.unwrap_or(recoded.columns[0].covers.len());
        if known.is_none() {
            recoded.columns[0].covers.push(cover);
        }
        recoded.columns[0].cells.push(place as u32);
    }
    for cover in &mut recoded.columns[1].covers {
        if *cover != Cover::Value("z".to_owned()) {
            *cover = Cover::Set(vec!["x".to_owned(), "y".to_owned()]);
        }
    }
    let suppressed: Vec<u32> =
        suppressed.iter().copied().filter(|row| (*row as usize) < rows.len()).collect();
    recoded.suppress(&suppressed);
    recoded
}

fn plan() -> Plan {
    Plan { known: 1, below: 3, targets: None, confidence: Fraction::new(1, 2).unwrap() }
}

fn covers(cover: &Cover, age: u32, town: &str) -> bool {
    match cover {
        Cover::Range { low, high } => (low.parse().unwrap()..=high.parse::<u32>().unwrap()).contains(&age),
        Cover::Set(values) => values.iter().any(|value| value == town),
        Cover::Value(value) => value == town,
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn crowds_are_those_of_counting_rows_one_by_one(
        rows in vec((0..8_u32, 0..3_u32, 0..2_u32), 1..12), wide in vec(any::<bool>(), 1..5),
        suppressed in vec(0..12_u32, 0..3), linked in any::<bool>(),
    ) {
        let table = table(&rows);
        let release = recoded(&table, &rows, &wide, &suppressed);
        let own = if linked { Own::Same } else { Own::Unknown };
        let scene = TableScene::release(&table, &release, rows.len(), &BTreeMap::new(), own);
        let attack = attack_table(&scene, &Attacker::PLAIN, &plan(), 1, &Progress::silent()).unwrap();
        prop_assert_eq!(attack.points.iter().map(|point| point.known).collect::<Vec<_>>(), [1, 2]);
        let towns = ["x", "y", "z"];
        let crowd = |person: usize| {
            let (age, town, _) = rows[person];
            let fits = |row: &usize| {
                let shown = |column: usize| release.columns[column].cover(*row);
                !release.is_suppressed(*row) && covers(shown(0), age, "") && covers(shown(1), 99, towns[town as usize])
            };
            let found: Vec<usize> = (0..rows.len()).filter(fits).collect();
            let nothing = found.is_empty() || (linked && release.is_suppressed(person));
            if nothing { rows.len() as u32 } else { found.len() as u32 }
        };
        let crowds: Vec<u32> = (0..rows.len()).map(crowd).collect();
        let all = &attack.points[1];
        prop_assert_eq!(all.crowds.smallest, *crowds.iter().min().unwrap());
        prop_assert_eq!(all.singled_out.count, crowds.iter().filter(|crowd| **crowd == 1).count() as u64);
        prop_assert_eq!(all.below.count, crowds.iter().filter(|crowd| **crowd < 3).count() as u64);
        let average = crowds.iter().map(|crowd| f64::from(*crowd)).sum::<f64>() / crowds.len() as f64;
        prop_assert!((all.crowds.average - average).abs() < 1e-9);
        let risks = Risks::of(&attack).unwrap();
        let marketer = crowds.iter().map(|crowd| 1.0 / f64::from(*crowd)).sum::<f64>() / crowds.len() as f64;
        prop_assert!((risks.marketer.mean - marketer).abs() < 1e-9);
        // Both columns together are the last point.
        let subsets = subsets(&scene, &plan(), 2, 1, &Progress::silent()).unwrap();
        let both = subsets.iter().find(|subset| subset.columns.len() == 2).unwrap();
        prop_assert_eq!((both.singled_out.count, both.below.count), (all.singled_out.count, all.below.count));
    }

    #[test]
    fn a_release_alone_never_shows_more_than_the_data(
        rows in vec((0..8_u32, 0..3_u32, 0..2_u32), 1..12), wide in vec(any::<bool>(), 1..5),
    ) {
        let table = table(&rows);
        let release = recoded(&table, &rows, &wide, &[]);
        let at_all = |scene: &TableScene| {
            let attack = attack_table(scene, &Attacker::PLAIN, &plan(), 1, &Progress::silent()).unwrap();
            attack.points[1].singled_out.count
        };
        // In words of the release at least everybody fits who fits an original value.
        let known = TableScene::release(&table, &release, rows.len(), &BTreeMap::new(), Own::Same);
        prop_assert!(at_all(&TableScene::released(&release)) <= at_all(&known));
        prop_assert!(at_all(&known) <= at_all(&TableScene::original(&table, rows.len())));
    }
}

#[test]
fn secrets_are_guessed_from_the_crowd() {
    // Three people of one age and town, two of them with flu; and one who is alone.
    let rows = vec![(1, 0, 1), (1, 0, 1), (1, 0, 0), (5, 1, 0)];
    let scene = TableScene::original(&table(&rows), 4);
    let attack = attack_table(&scene, &Attacker::PLAIN, &plan(), 0, &Progress::silent()).unwrap();
    let inference = attack.points[1].inference.as_ref().unwrap();
    assert_eq!((inference.confident.count, inference.right.count, inference.highest), (4, 3, 1.0));
    assert_eq!(inference.certain.count, 1);
}

#[test]
fn what_is_rare_or_common_is_known_first() {
    let rows = vec![(1, 0, 0), (2, 0, 0), (3, 0, 0)];
    let scene = TableScene::original(&table(&rows), 3);
    let singled_out = |knows| {
        let attacker = Attacker { knows, ..Attacker::PLAIN };
        let attack = attack_table(&scene, &attacker, &plan(), 0, &Progress::silent()).unwrap();
        attack.points[0].singled_out.count
    };
    assert_eq!([singled_out(catalogue::RARE), singled_out(catalogue::FREQUENT)], [3, 0]);
}

#[test]
fn sets_of_columns_are_counted_out() {
    assert_eq!(column_sets(3, 2), [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2]]);
    assert_eq!(column_sets(40, 3).len(), 40);
    assert_eq!(column_sets(9, 3).len(), 9 + 36 + 84);
    assert!(column_sets(0, 3).is_empty());
}

#[test]
fn without_knowing_anything_the_most_frequent_secret_is_guessed() {
    let rows = vec![(1, 0, 1), (1, 0, 1), (1, 0, 0), (5, 1, 1)];
    let scene = TableScene::original(&table(&rows), 4);
    assert_eq!(scene.by_chance(), Some(0.75));
    assert_eq!(scene.smallest_group(), Some(1));
    let alike = vec![(1, 0, 1), (1, 0, 0), (1, 0, 0), (5, 1, 1), (5, 1, 0)];
    let scene = TableScene::original(&table(&alike), 5);
    assert_eq!((scene.by_chance(), scene.smallest_group()), (Some(0.6), Some(2)));
    assert_eq!((scene.name(0), scene.name(1)), ("age", "town"));
    let attack = attack_table(&scene, &Attacker::PLAIN, &plan(), 0, &Progress::silent()).unwrap();
    let risks = Risks::of(&attack).unwrap();
    assert_eq!((risks.prosecutor, risks.journalist), (0.5, 0.5));
}
