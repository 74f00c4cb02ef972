//! Crowds of columns and events against looking at people one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use throng_data::{
    Column, ColumnValues, Dataset, EventKind, EventsBuilder, RecodedTable, Release, Role, Table,
};

use super::*;

fn data(people: &[(u32, u32, Vec<usize>)]) -> Dataset {
    let names: Vec<String> = (0..people.len()).map(|person| format!("p{person}")).collect();
    let records = names
        .iter()
        .zip(people)
        .map(|(name, (_, _, items))| (name.as_str(), items.iter().map(|item| ["a", "b", "c"][*item])));
    let mut data = Dataset::from_records(EventKind::Sequence, records);
    let column = |name: &str, cells: Vec<f64>| Column {
        name: name.to_owned(),
        role: Some(Role::QuasiIdentifying),
        values: ColumnValues::Numbers(cells),
    };
    let ages = column("age", people.iter().map(|person| f64::from(person.0)).collect());
    let homes = column("home", people.iter().map(|person| f64::from(person.1)).collect());
    data.attributes = Some(Table { columns: vec![ages, homes] });
    data
}

fn holds(record: &[u32], known: &[Clue]) -> bool {
    let mut left = record.iter();
    known.iter().all(|clue| left.any(|item| *item == clue.item))
}

/// Everybody's events without one item.
fn without(data: &Dataset, item: u32) -> Release {
    let mut events = EventsBuilder::new(EventKind::Sequence, false);
    for person in 0..data.events.subjects() {
        let kept: Vec<u32> =
            data.events.record(person).iter().copied().filter(|other| *other != item).collect();
        events.push(person as u32, &kept, &[]);
    }
    Release::identity(Arc::clone(&data.items), events.finish(data.events.subjects()))
}

fn plan() -> Plan {
    knowing("3")
}

fn knowing(known: &str) -> Plan {
    let settings = throng_contract::Settings::parse(&super::super::ATTACKER, [("known", known)]).unwrap();
    Plan { targets: None, ..Plan::of(&settings) }
}

#[test]
fn all_columns_are_known_in_the_last_answer_however_few_are_asked_for() {
    let data = data(&[(1, 0, vec![0]), (2, 1, vec![1])]);
    let release = without(&data, 2);
    let columns = data.attributes.as_ref().unwrap();
    let published = RecodedTable::identity(columns);
    let scene = Scene::release(&data.events, &release, Own::Unknown);
    let table = TableScene::release(columns, &published, 2, &BTreeMap::new(), Own::Unknown);
    let steps = |known: &str| -> Vec<u64> {
        let silent = Progress::silent();
        let found = attack_together(&scene, &table, &Attacker::PLAIN, &knowing(known), 1, &silent);
        found.unwrap().iter().map(|answer| answer.columns).collect()
    };
    assert_eq!([steps("1"), steps("2"), steps("3")], [[0, 1, 2], [0, 1, 2], [0, 1, 2]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whether or not it is known whose the records are, what was taken away does not help: the crowd is that of the rest.
    #[test]
    fn what_was_removed_is_not_looked_for(
        people in vec((0..3_u32, 0..2_u32, vec(0..3_usize, 1..5)), 1..9),
        seed in any::<u64>(),
        item in 0..3_u32,
        linked in any::<bool>(),
    ) {
        let data = data(&people);
        let release = without(&data, item);
        let own = if linked { Own::Linked((0..people.len() as u32).map(Some).collect()) } else { Own::Unknown };
        let scene = Scene::release(&data.events, &release, own.clone());
        let columns = data.attributes.as_ref().unwrap();
        let published = RecodedTable::identity(columns);
        let table = TableScene::release(columns, &published, people.len(), &BTreeMap::new(), own);
        let (attacker, plan) = (Attacker::PLAIN, plan());
        let found = attack_together(&scene, &table, &attacker, &plan, seed, &Progress::silent()).unwrap();
        let ground = Ground { events: &data.events, secret: &[], seed };
        for answer in &found {
            for point in &answer.attack.points {
                let crowd = |target: &Known| {
                    let own = &people[target.subject as usize];
                    let learned = &columns_of(&table, &attacker, target.subject, seed)[..answer.columns as usize];
                    let mut known = target.first(point.known as usize);
                    known.retain(|clue| clue.item != item);
                    let fits = |other: &usize| {
                        let cells = &people[*other];
                        (!learned.contains(&0) || cells.0 == own.0)
                            && (!learned.contains(&1) || cells.1 == own.1)
                            && holds(release.events().record(*other), &known)
                    };
                    (0..people.len()).filter(fits).count() as u32
                };
                let crowds: Vec<u32> = ground.learn(&ground.people(), &attacker, 3).iter().map(crowd).collect();
                prop_assert_eq!(point.crowds.smallest, crowds.iter().copied().min().unwrap());
                prop_assert_eq!(point.crowds.largest, crowds.iter().copied().max().unwrap());
                let alone = crowds.iter().filter(|crowd| **crowd < 2).count() as u64;
                prop_assert_eq!(point.singled_out.count, alone);
            }
        }
    }

    /// Person by person: who has the values of the known columns, and the known events in this order.
    #[test]
    fn crowds_are_who_fits_columns_and_events(
        people in vec((0..3_u32, 0..2_u32, vec(0..3_usize, 1..5)), 1..9),
        seed in any::<u64>(),
    ) {
        let data = data(&people);
        let scene = Scene::original(&data.events);
        let table = TableScene::original(data.attributes.as_ref().unwrap(), people.len());
        let (attacker, plan) = (Attacker::PLAIN, plan());
        let progress = Progress::silent();
        let found = attack_together(&scene, &table, &attacker, &plan, seed, &progress).unwrap();
        let ground = Ground { events: &data.events, secret: &[], seed };
        let targets = ground.learn(&ground.people(), &attacker, 3);
        for answer in &found {
            for point in &answer.attack.points {
                let crowd = |target: &Known| {
                    let own = &people[target.subject as usize];
                    let columns = columns_of(&table, &attacker, target.subject, seed);
                    let learned = &columns[..answer.columns as usize];
                    let known = target.first(point.known as usize);
                    let fits = |other: &usize| {
                        let cells = &people[*other];
                        (!learned.contains(&0) || cells.0 == own.0)
                            && (!learned.contains(&1) || cells.1 == own.1)
                            && holds(data.events.record(*other), &known)
                    };
                    (0..people.len()).filter(fits).count() as u32
                };
                let crowds: Vec<u32> = targets.iter().map(crowd).collect();
                prop_assert_eq!(point.crowds.smallest, crowds.iter().copied().min().unwrap());
                prop_assert_eq!(point.crowds.largest, crowds.iter().copied().max().unwrap());
                let alone = crowds.iter().filter(|crowd| **crowd < 2).count() as u64;
                prop_assert_eq!(point.singled_out.count, alone);
            }
        }
        prop_assert_eq!(found.len(), 3);
    }
}
