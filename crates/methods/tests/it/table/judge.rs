//! Releases judged by the definitions, one row at a time.

use std::collections::BTreeMap;

use throng_data::{Column, ColumnKind, Cover, RecodedTable, Role};
use throng_methods::Outcome;

use crate::table::draw::World;

/// Every reason why a release is not what it should be.
pub fn judge(world: &World, outcome: &Outcome) -> Result<(), String> {
    let table = outcome.release.table().ok_or("no table")?;
    truthful(world, table)?;
    let gone = (0..world.rows()).filter(|row| table.is_suppressed(*row)).count() as u64;
    if outcome.release.suppression.rows != gone {
        return Err("suppressed rows are not counted".to_owned());
    }
    let groups = groups(table);
    let k: usize = world.setting("k").unwrap_or("5").parse().unwrap();
    for (cells, rows) in &groups {
        if rows.len() < k {
            return Err(format!("{cells:?} is shared by {} rows", rows.len()));
        }
    }
    for secret in world.with_role(Role::Sensitive) {
        let kept: Vec<usize> = groups.values().flatten().copied().collect();
        for (cells, rows) in &groups {
            check_secret(world, secret, rows, &kept).map_err(|why| format!("{cells:?}: {why}"))?;
        }
    }
    let asked = |name: &str| outcome.also.iter().any(|also| also.promise == name);
    let wanted = |name: &str| world.setting(name).is_some();
    if asked("l-diversity") != wanted("l") || asked("t-closeness") != wanted("t") {
        return Err("the further promises are not listed".to_owned());
    }
    Ok(())
}

/// Rows by their quasi-identifying cells; suppressed rows are in no group.
pub fn groups(table: &RecodedTable) -> BTreeMap<Vec<String>, Vec<usize>> {
    let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    let rows = table.columns.first().map_or(0, |column| column.cells.len());
    for row in (0..rows).filter(|row| !table.is_suppressed(*row)) {
        let cells =
            table.with_role(Role::QuasiIdentifying).map(|column| column.cover(row).render()).collect();
        groups.entry(cells).or_default().push(row);
    }
    groups
}

/// Published columns are those with a role, in order; each cell covers what was there, and only quasi-identifiers change.
fn truthful(world: &World, table: &RecodedTable) -> Result<(), String> {
    let published =
        world.columns().iter().filter(|column| column.role.is_some_and(|role| role != Role::Identifying));
    let published: Vec<&Column> = published.collect();
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    if names != published.iter().map(|column| column.name.as_str()).collect::<Vec<_>>() {
        return Err(format!("published columns are {names:?}"));
    }
    for (column, released) in published.iter().zip(&table.columns) {
        for row in 0..world.rows() {
            let (value, cover) = (column.text(row), released.cover(row));
            let exact = column.role == Some(Role::QuasiIdentifying) || table.is_suppressed(row);
            if !covers(cover, &value, column.kind()) || !(exact || *cover == Cover::Value(value.clone())) {
                return Err(format!("row {row}, column {}: `{value}` became {cover:?}", column.name));
            }
        }
    }
    Ok(())
}

fn covers(cover: &Cover, value: &str, kind: ColumnKind) -> bool {
    match cover {
        Cover::Value(only) => only == value,
        Cover::Node { members, .. } => members.iter().any(|member| member == value),
        Cover::Set(values) => values.len() > 1 && values.iter().any(|member| member == value),
        Cover::Range { low, high } if kind == ColumnKind::Date => {
            low < high && low.as_str() <= value && value <= high.as_str()
        }
        Cover::Range { low, high } => {
            let [low, high, value] = [low, high, value].map(|text| text.parse::<f64>().unwrap_or(f64::NAN));
            low < high && low <= value && value <= high
        }
        Cover::Suppressed => true,
    }
}

fn check_secret(world: &World, secret: &Column, rows: &[usize], all: &[usize]) -> Result<(), String> {
    let count = |rows: &[usize]| {
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        rows.iter().for_each(|row| *counts.entry(secret.text(*row)).or_default() += 1.0);
        counts
    };
    let (here, overall) = (count(rows), count(all));
    if let Some(l) = world.setting("l").map(|l| l.parse::<f64>().unwrap()) {
        let size = rows.len() as f64;
        let mut counts: Vec<f64> = here.values().copied().collect();
        counts.sort_by(|a, b| b.total_cmp(a));
        let good = match world.setting("form").unwrap_or("distinct") {
            "entropy" => {
                counts.iter().map(|n| -(n / size) * (n / size).log2()).sum::<f64>() >= l.log2() - 1e-9
            }
            "recursive" => {
                let c: f64 = world.setting("c").unwrap_or("1").parse().unwrap();
                counts[0] < c * counts.iter().skip(l as usize - 1).sum::<f64>()
            }
            _ => counts.len() as f64 >= l,
        };
        if !good {
            return Err(format!("not diverse: {here:?}"));
        }
    }
    if let Some(t) = world.setting("t") {
        let t = match t.split_once('/') {
            Some((a, b)) => a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap(),
            None if t.ends_with('%') => t.trim_end_matches('%').parse::<f64>().unwrap() / 100.0,
            None => t.parse().unwrap(),
        };
        let ordered = match world.setting("emd").unwrap_or("by-type") {
            "by-type" => secret.kind() != ColumnKind::Category,
            word => word == "ordered",
        };
        // Values sort as text: the numbers drawn have one digit.
        let differences: Vec<f64> = overall
            .iter()
            .map(|(value, n)| here.get(value).unwrap_or(&0.0) / rows.len() as f64 - n / all.len() as f64)
            .collect();
        let mut carried = 0.0;
        let moved: f64 = differences
            .iter()
            .map(|difference| {
                carried += difference;
                if ordered { f64::abs(carried) } else { difference.abs() / 2.0 }
            })
            .sum();
        let steps = if ordered { (differences.len() as f64 - 1.0).max(1.0) } else { 1.0 };
        if moved / steps > t + 1e-9 {
            return Err(format!("not close: {here:?} of {overall:?}, {}", moved / steps));
        }
    }
    Ok(())
}
