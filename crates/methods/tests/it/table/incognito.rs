//! Incognito against all combinations of levels, for every metric, budget and demand.

use std::collections::BTreeMap;

use throng_data::{Column, ColumnKind, Domain, Hierarchy, Role};
use throng_methods::table::Incognito;
use throng_methods::{MethodError, Variant};

use crate::table::draw::{Draw, World};

/// A quasi-identifier: what each row is published as on each level, and what that costs.
struct Levels {
    cells: Vec<Vec<(String, f64)>>,
}

impl Levels {
    fn of(column: &Column, hierarchy: Option<&Hierarchy>, rows: usize) -> Levels {
        let domain = Domain::of(column, hierarchy).unwrap();
        let height = domain.hierarchy.as_ref().map_or(1, Hierarchy::height);
        let cell = |row: usize, level: usize| match &domain.hierarchy {
            Some(hierarchy) => {
                let tree = hierarchy.tree();
                let node = hierarchy.at(domain.leaves[domain.codes[row] as usize], level);
                let share = f64::from(tree.leaf_count(node)) / f64::from(tree.leaves());
                if tree.is_leaf(node) { (column.text(row), 0.0) } else { (tree.name(node).to_owned(), share) }
            }
            None if level == 0 => (column.text(row), 0.0),
            None => ("*".to_owned(), 1.0),
        };
        Levels { cells: (0..=height).map(|level| (0..rows).map(|row| cell(row, level)).collect()).collect() }
    }
}

/// Every level vector.
fn vectors(levels: &[Levels]) -> Vec<Vec<usize>> {
    levels.iter().fold(vec![Vec::new()], |vectors, column| {
        let extend = |vector: &Vec<usize>| {
            let vector = vector.clone();
            (0..column.cells.len())
                .map(move |level| [vector.clone(), vec![level]].concat())
                .collect::<Vec<_>>()
        };
        vectors.iter().flat_map(extend).collect()
    })
}

/// The published rows of a vector, suppressed rows as `None`; and its cost. `None` when the budget does not do.
type Published = (f64, Vec<Option<Vec<String>>>);

fn publish(
    world: &World,
    levels: &[Levels],
    vector: &[usize],
    metric: &str,
    budget: usize,
) -> Option<Published> {
    let rows = world.rows();
    let key = |row: usize| -> Vec<String> {
        vector.iter().zip(levels).map(|(level, column)| column.cells[*level][row].0.clone()).collect()
    };
    let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    (0..rows).for_each(|row| groups.entry(key(row)).or_default().push(row));
    let k: usize = world.setting("k").unwrap().parse().unwrap();
    let mut kept: Vec<Vec<usize>> =
        groups.into_values().filter(|group| group.len() >= k && diverse(world, group)).collect();
    // Closeness is to those who are published: taking some away may make others fail.
    loop {
        let published: Vec<usize> = if budget > 0 { kept.concat() } else { (0..rows).collect() };
        let before = kept.len();
        kept.retain(|group| close(world, group, &published));
        if kept.len() == before || budget == 0 {
            break;
        }
    }
    let left: usize = kept.iter().map(Vec::len).sum();
    if rows - left > budget {
        return None;
    }
    let (n, gone) = (rows as f64, (rows - left) as f64);
    let cost = match metric {
        "dm" => kept.iter().map(|group| (group.len() * group.len()) as f64).sum::<f64>() + n * gone,
        "c-avg" => n / (kept.len() as f64 * k as f64),
        "height" => vector.iter().sum::<usize>() as f64,
        _ => {
            let of = |row: &usize| {
                let losses = vector.iter().zip(levels).map(|(level, column)| column.cells[*level][*row].1);
                losses.sum::<f64>() / levels.len() as f64
            };
            (kept.iter().flatten().map(of).sum::<f64>() + gone) / n
        }
    };
    let mut published = vec![None; rows];
    kept.iter().flatten().for_each(|row| published[*row] = Some(key(*row)));
    Some((cost, published))
}

fn counts(column: &Column, rows: &[usize]) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(column.text(*row)).or_default() += 1);
    counts
}

fn diverse(world: &World, group: &[usize]) -> bool {
    let Some(l) = world.setting("l").map(|l| l.parse::<usize>().unwrap()) else { return true };
    world.with_role(Role::Sensitive).iter().all(|secret| {
        let mut values: Vec<i64> = counts(secret, group).into_values().collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        let size = group.len() as f64;
        match world.setting("form").unwrap_or("distinct") {
            "entropy" => {
                let bits: f64 = values.iter().map(|n| *n as f64 / size).map(|p| -p * p.log2()).sum();
                bits >= (l as f64).log2() - 1e-9
            }
            "recursive" => {
                let c: f64 = world.setting("c").unwrap_or("1").parse().unwrap();
                (values[0] as f64) < c * values.iter().skip(l - 1).sum::<i64>() as f64
            }
            _ => values.len() >= l,
        }
    })
}

fn close(world: &World, group: &[usize], all: &[usize]) -> bool {
    let Some(t) = world.setting("t") else { return true };
    let t: f64 = match t {
        "1/3" => 1.0 / 3.0,
        "50%" => 0.5,
        other => other.parse().unwrap(),
    };
    world.with_role(Role::Sensitive).iter().all(|secret| {
        let ordered = match world.setting("emd").unwrap_or("by-type") {
            "by-type" => secret.kind() != ColumnKind::Category,
            word => word == "ordered",
        };
        let (here, overall) = (counts(secret, group), counts(secret, all));
        let mut carried = 0.0;
        let mut moved = 0.0;
        for value in overall.keys() {
            let share = |of: &BTreeMap<String, i64>, n: usize| *of.get(value).unwrap_or(&0) as f64 / n as f64;
            let difference = share(&here, group.len()) - share(&overall, all.len());
            carried += difference;
            moved += if ordered { f64::abs(carried) } else { f64::abs(difference) / 2.0 };
        }
        let steps = if ordered { (overall.len() as f64 - 1.0).max(1.0) } else { 1.0 };
        moved / steps <= t + 1e-9
    })
}

#[test]
fn incognito_is_the_best_of_all_combinations_of_levels() {
    let mut released = 0;
    for number in 0..4_000 {
        let mut world = World::draw(number, 12, false);
        let mut draw = Draw::new(number ^ 0xbeef);
        let metric = draw.one(&["ncp", "dm", "c-avg", "height"]);
        let (share, budget) = draw.one(&[
            ("0", 0),
            ("1/10", world.rows() / 10),
            ("25%", world.rows() / 4),
            ("0.5", world.rows() / 2),
        ]);
        world.settings.push(("metric".to_owned(), metric.to_owned()));
        world.settings.push(("max-suppressed".to_owned(), share.to_owned()));
        let quasi = world.with_role(Role::QuasiIdentifying);
        let levels: Vec<Levels> = quasi
            .iter()
            .map(|column| Levels::of(column, world.inputs.hierarchies.get(&column.name), world.rows()))
            .collect();
        let all: Vec<Published> = vectors(&levels)
            .iter()
            .filter_map(|vector| publish(&world, &levels, vector, metric, budget))
            .collect();
        let best = all.iter().map(|(cost, _)| *cost).min_by(f64::total_cmp);
        match (world.run(&Incognito, Variant::Sound), best) {
            (Ok(outcome), Some(best)) => {
                released += 1;
                let table = outcome.release.table().unwrap();
                let cells: Vec<Option<Vec<String>>> = (0..world.rows())
                    .map(|row| {
                        let cells = table.with_role(Role::QuasiIdentifying);
                        (!table.is_suppressed(row))
                            .then(|| cells.map(|column| column.cover(row).render()).collect())
                    })
                    .collect();
                let found = all.iter().any(|(cost, rows)| *cost <= best + 1e-9 && *rows == cells);
                assert!(found, "{metric}, {share}: {cells:?} is not one of the best, at {best}\n{world}");
            }
            (Err(MethodError::Infeasible { .. }), _)
                if world.rows() < world.setting("k").unwrap().parse().unwrap() => {}
            (Err(MethodError::Infeasible { .. }), None) => {}
            (Ok(_), None) => panic!("a release where there is none\n{world}"),
            (Err(error), Some(best)) => panic!("{error}, though there is one at {best}\n{world}"),
            (Err(error), None) => panic!("{error}\n{world}"),
        }
    }
    assert!(released > 1_500, "only {released} releases were compared");
}
