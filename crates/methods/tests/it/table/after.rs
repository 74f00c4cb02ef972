//! A table that is published again after people came, left and fell ill: what the intersections of both releases keep, counted person by
//! person.

use std::collections::BTreeMap;

use throng_contract::{Progress, Settings};
use throng_data::{Column, ColumnKind, Dataset, Dictionary, RecodedTable, Role, Table};
use throng_methods::table::after::{Strata, anonymize_after};
use throng_methods::table::{BottomUp, ClusterRows, Incognito, Mondrian, TopDown};
use throng_methods::{Method, MethodError, Task, Variant};

use crate::table::draw::{Draw, World};

/// What one release shows of a person: known cells and sensitive cells; nothing where the person is not published.
type Row = Option<(Vec<String>, Vec<String>)>;

fn rows_of(data: &Dataset, table: &RecodedTable) -> BTreeMap<String, Row> {
    let cells = |row: usize, sensitive: bool| {
        let columns = table.columns.iter().filter(|column| (column.role == Role::Sensitive) == sensitive);
        columns.map(|column| column.cover(row).render()).collect::<Vec<String>>()
    };
    let row = |row: usize| (!table.is_suppressed(row)).then(|| (cells(row, false), cells(row, true)));
    (0..data.subjects.len()).map(|at| (data.subjects.name(at as u32).to_owned(), row(at))).collect()
}

/// The rows of a world that are there in a month; some have fallen ill with what another row has.
fn month(world: &World, rows: &[u32], ill: &[u32]) -> World {
    let names: Vec<String> = rows.iter().map(|row| format!("p{row}")).collect();
    let subjects: Dictionary = names.iter().map(String::as_str).collect();
    let all = world.data.attributes.as_ref().unwrap();
    let (as_they_are, as_others) = (all.pick(rows), all.pick(ill));
    let columns = as_they_are.columns.into_iter().zip(as_others.columns).map(|(own, other)| match own.role {
        Some(Role::Sensitive) => other,
        // Columns that are published as they are split groups, and nothing could be published again.
        Some(Role::Insensitive) => Column { role: None, ..own },
        _ => own,
    });
    let table = Table { columns: columns.collect() };
    World { data: Dataset::from_table(subjects, table), ..world.clone() }
}

fn strata(first: &BTreeMap<String, Row>, later: &Dataset, diverse: bool) -> Strata {
    let mut groups: Vec<&Vec<String>> = first.values().flatten().map(|(known, _)| known).collect();
    groups.sort();
    groups.dedup();
    let number = |known: &Vec<String>| groups.binary_search(&known).unwrap() as u32;
    let mut values: Vec<&String> = first.values().flatten().flat_map(|(_, values)| values).collect();
    values.sort();
    values.dedup();
    let code = |value: &String| Some(values.binary_search(&value).unwrap() as u32);
    let columns = first.values().flatten().next().map_or(0, |(_, values)| values.len());
    let of = |name: &str| first.get(name).and_then(Option::as_ref);
    let mut strata = Strata {
        group: later.subjects.names().map(|name| of(name).map(|(known, _)| number(known))).collect(),
        values: (0..columns)
            .map(|column| {
                later
                    .subjects
                    .names()
                    .map(|name| of(name).and_then(|(_, values)| code(&values[column])))
                    .collect()
            })
            .collect(),
        gone: BTreeMap::new(),
        diverse,
    };
    for (name, row) in first {
        if let (Some((known, values)), None) = (row, later.subjects.find(name)) {
            strata.gone.entry(number(known)).or_default().push(values.iter().map(code).collect());
        }
    }
    strata
}

/// Whether values are as varied as the world asks, by the definitions.
fn varied(world: &World, values: &[&str]) -> bool {
    let Some(l) = world.setting("l").map(|l| l.parse::<usize>().unwrap()) else { return true };
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    values.iter().for_each(|value| *counts.entry(*value).or_default() += 1.0);
    let mut counts: Vec<f64> = counts.into_values().collect();
    counts.sort_by(|a, b| b.total_cmp(a));
    let all = values.len() as f64;
    match world.setting("form").unwrap_or("distinct") {
        "entropy" => {
            counts.iter().map(|n| -(n / all) * (n / all).ln()).sum::<f64>() >= (l as f64).ln() - 1e-9
        }
        "recursive" => {
            let c: f64 = world.setting("c").unwrap_or("1").parse().unwrap();
            counts[0] < c * counts.iter().skip(l - 1).sum::<f64>()
        }
        _ => counts.len() >= l,
    }
}

/// Whether values are as close to all as the world asks, by the definitions.
fn close(world: &World, kind: ColumnKind, here: &[&str], all: &[&str]) -> bool {
    let t = match world.setting("t") {
        None => return true,
        Some("1/3") => 1.0 / 3.0,
        Some("50%") => 0.5,
        Some(t) => t.parse::<f64>().unwrap(),
    };
    let ordered = match world.setting("emd").unwrap_or("by-type") {
        "by-type" => kind != ColumnKind::Category,
        word => word == "ordered",
    };
    let share =
        |value: &str, of: &[&str]| of.iter().filter(|one| **one == value).count() as f64 / of.len() as f64;
    let mut values = all.to_vec();
    values.sort_unstable();
    values.dedup();
    let mut carried = 0.0;
    let moved = values.iter().map(|value| {
        let difference = share(value, here) - share(value, all);
        carried += difference;
        if ordered { f64::abs(carried) } else { difference.abs() / 2.0 }
    });
    let steps = if ordered { (values.len() as f64 - 1.0).max(1.0) } else { 1.0 };
    moved.sum::<f64>() / steps <= t + 1e-9
}

/// Whether both releases together keep what each promises: for every person, all who are in the same group of both.
fn judge(
    world: &World,
    first: &BTreeMap<String, Row>,
    second: &BTreeMap<String, Row>,
    diverse: bool,
) -> Result<(), String> {
    let k: usize = world.setting("k").unwrap().parse().unwrap();
    let names: std::collections::BTreeSet<&String> = first.keys().chain(second.keys()).collect();
    let shown = |of: &BTreeMap<String, Row>, name: &String| -> Row { of.get(name).cloned().flatten() };
    let kinds: Vec<ColumnKind> =
        world.with_role(Role::Sensitive).iter().map(|column| column.kind()).collect();
    for name in &names {
        let (then, now) = (shown(first, name), shown(second, name));
        if then.is_none() && now.is_none() {
            continue;
        }
        let same = |one: &Row, two: &Row| one.as_ref().map(|row| &row.0) == two.as_ref().map(|row| &row.0);
        let alike: Vec<(Row, Row)> = names
            .iter()
            .map(|other| (shown(first, other), shown(second, other)))
            .filter(|(other_then, other_now)| same(other_then, &then) && same(other_now, &now))
            .collect();
        if alike.len() < k {
            return Err(format!("{name} is among {} people", alike.len()));
        }
        for (column, kind) in kinds.iter().enumerate() {
            let values = |which: &dyn Fn(&(Row, Row)) -> Row| -> Vec<String> {
                alike.iter().filter_map(|pair| which(pair).map(|row| row.1[column].clone())).collect()
            };
            let (before, after) = (values(&|pair| pair.0.clone()), values(&|pair| pair.1.clone()));
            fn texts(values: &[String]) -> Vec<&str> {
                values.iter().map(String::as_str).collect()
            }
            if now.is_some() && !varied(world, &texts(&after)) {
                return Err(format!("{name}: {after:?} now"));
            }
            if then.is_some() && diverse && !varied(world, &texts(&before)) {
                return Err(format!("{name}: {before:?} before"));
            }
            let all: Vec<String> = second.values().flatten().map(|row| row.1[column].clone()).collect();
            if now.is_some() && !close(world, *kind, &texts(&after), &texts(&all)) {
                return Err(format!("{name}: {after:?} is far from {all:?}"));
            }
        }
    }
    Ok(())
}

/// Publishes every world twice; the second release comes after the first.
fn twice(method: &(dyn Method + Sync), lines: bool) {
    let (mut released, mut split) = (0, 0);
    for number in 0..600 {
        let world = World::draw(number, 30, lines);
        let mut draw = Draw::new(number ^ 0xafce);
        let all: Vec<u32> = (0..world.rows() as u32).collect();
        let quiet = draw.chance(3);
        let mut present = |one_in: usize| -> Vec<u32> {
            all.iter().copied().filter(|_| quiet || !draw.chance(one_in)).collect()
        };
        let (january, february) = (present(8), present(8));
        if january.is_empty() || february.is_empty() {
            continue;
        }
        let ill: Vec<u32> =
            february.iter().map(|row| if quiet || !draw.chance(9) { *row } else { draw.one(&all) }).collect();
        let (before, mut now) = (month(&world, &january, &january), month(&world, &february, &ill));
        let Ok(first) = before.run(&Mondrian, Variant::Sound) else { continue };
        // Less may be asked for now; more than the first release kept cannot be.
        if draw.chance(3) && now.setting("k").is_some_and(|k| k != "1") {
            now.settings[0].1 = "2".to_owned();
        }
        let first = rows_of(&before.data, first.release.table().unwrap());
        // The first keeps l of its own, and the later settings ask for the same.
        let diverse = true;
        let strata = strata(&first, &now.data, diverse);
        let given = now.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::parse(method.descriptor(), given).unwrap();
        let progress = Progress::silent();
        let task = Task { inputs: &now.inputs, seed: number, ..Task::new(&now.data, &settings, &progress) };
        match anonymize_after(method, &task, &strata) {
            Ok(outcome) => {
                let table = outcome.release.table().unwrap();
                let second = rows_of(&now.data, table);
                if let Err(why) = judge(&now, &first, &second, diverse) {
                    panic!("{why}\nbefore {first:?}\nnow {second:?}\n{now}");
                }
                released += 1;
                let groups = |rows: &BTreeMap<String, Row>| {
                    rows.values()
                        .flatten()
                        .map(|row| row.0.clone())
                        .collect::<std::collections::BTreeSet<_>>()
                        .len()
                };
                split += usize::from(groups(&second) > 1);
            }
            Err(MethodError::Infeasible { .. }) => {}
            Err(error) => panic!("{error}\n{now}"),
        }
    }
    assert!(released > 150 && split > 50, "only {released} releases were judged, {split} of several groups");
}

#[test]
fn mondrian_after_a_release_keeps_its_promise_together_with_it() {
    twice(&Mondrian, true);
}

#[test]
fn incognito_after_a_release_keeps_its_promise_together_with_it() {
    twice(&Incognito, false);
}

#[test]
fn cluster_after_a_release_keeps_its_promise_together_with_it() {
    twice(&ClusterRows, true);
}

#[test]
fn top_down_and_bottom_up_after_a_release_keep_their_promises_together_with_it() {
    twice(&TopDown, true);
    twice(&BottomUp, false);
}
