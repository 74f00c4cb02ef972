//! k, l-diversity and t-closeness of a table, for an attacker who knows all quasi-identifying values of a person as they
//! really are: the people who fit are those whose published cells may stand for them.

use std::collections::BTreeMap;

use throng_data::{Column, ColumnKind, Cover, RecodedTable, Role};
use throng_lab::Loaded;
use throng_methods::Outcome;

use super::Judged;
use crate::world::World;

/// Numbers closer to their limit than this are not told from it.
const CLOSE: f64 = 1e-7;

/// Judges a table: cells cover what was there, and enough people fit, with enough different values.
pub fn table(loaded: &Loaded, outcome: &Outcome, world: &World) -> Judged {
    let (Some(data), Some(release)) = (&loaded.data.attributes, outcome.release.table()) else {
        return Judged::Broken("there is no table".to_owned());
    };
    let people = loaded.data.subjects.len();
    let shown: Vec<usize> = (0..people).filter(|row| !release.is_suppressed(*row)).collect();
    if let Some(name) = release.columns.iter().find(|column| column.name == "id") {
        return Judged::Broken(format!("column {} is published", name.name));
    }
    for column in &data.columns {
        let Some(released) = release.column(&column.name) else { continue };
        for row in &shown {
            let (cover, value) = (released.cover(*row), column.text(*row));
            let exact = *cover == Cover::Value(value.clone());
            if !fits(cover, &value, column.kind()) || column.role != Some(Role::QuasiIdentifying) && !exact {
                return Judged::Broken(format!("`{value}` became {cover:?}"));
            }
        }
    }
    let quasi: Vec<&Column> = with_role(&data.columns, Role::QuasiIdentifying);
    let secrets: Vec<&Column> = with_role(&data.columns, Role::Sensitive);
    let mut verdict = Judged::Holds;
    for person in &shown {
        let fitting = |row: &usize| may_be(release, &quasi, *row, *person);
        let crowd: Vec<usize> = shown.iter().copied().filter(fitting).collect();
        if crowd.len() < world.number("k") {
            return Judged::Broken(format!("only {} people fit person {person}", crowd.len()));
        }
        for secret in &secrets {
            match varied(world, secret, &crowd, &shown) {
                Judged::Holds => {}
                Judged::TooCloseToTell => verdict = Judged::TooCloseToTell,
                broken => return broken,
            }
        }
    }
    verdict
}

fn with_role(columns: &[Column], role: Role) -> Vec<&Column> {
    columns.iter().filter(|column| column.role == Some(role)).collect()
}

/// Whether the published cells of a row may stand for a person's values.
fn may_be(release: &RecodedTable, quasi: &[&Column], row: usize, person: usize) -> bool {
    quasi.iter().all(|column| {
        let cell = release.column(&column.name).map(|released| released.cover(row));
        cell.is_some_and(|cover| fits(cover, &column.text(person), column.kind()))
    })
}

pub(super) fn fits(cover: &Cover, value: &str, kind: ColumnKind) -> bool {
    match cover {
        Cover::Value(only) => only == value,
        Cover::Node { members, .. } => members.iter().any(|member| member == value),
        Cover::Set(values) => values.iter().any(|member| member == value),
        Cover::Range { low, high } if kind == ColumnKind::Number => {
            let [low, high, value] = [low, high, value].map(|text| text.parse::<f64>().unwrap_or(f64::NAN));
            low <= value && value <= high
        }
        Cover::Range { low, high } => low.as_str() <= value && value <= high.as_str(),
        Cover::Suppressed => true,
    }
}

/// Whether the sensitive values of a crowd are varied enough, and like those of everybody who is shown.
fn varied(world: &World, secret: &Column, crowd: &[usize], shown: &[usize]) -> Judged {
    let counts = world.value("missing") == "value";
    let shares = |rows: &[usize]| {
        let known: Vec<String> =
            rows.iter().map(|row| secret.text(*row)).filter(|value| counts || !value.is_empty()).collect();
        let mut shares: BTreeMap<String, f64> = BTreeMap::new();
        // A missing value comes last, where order counts.
        let place = |value: &String| if value.is_empty() { "~".to_owned() } else { value.clone() };
        known.iter().for_each(|value| *shares.entry(place(value)).or_default() += 1.0 / known.len() as f64);
        shares
    };
    let (here, all) = (shares(crowd), shares(shown));
    // People without a known value show nothing.
    if here.is_empty() {
        return Judged::Holds;
    }
    let mut largest: Vec<f64> = here.values().copied().collect();
    largest.sort_by(|a, b| b.total_cmp(a));
    let mut margins = Vec::new();
    if !world.value("l").is_empty() {
        let l = world.number("l");
        margins.push(match world.value("form") {
            "entropy" => largest.iter().map(|share| -share * share.ln()).sum::<f64>() - (l as f64).ln(),
            "recursive" => {
                let c: f64 = world.value("c").parse().unwrap_or(1.0);
                c * largest.iter().skip(l - 1).sum::<f64>() - largest[0]
            }
            _ => {
                if largest.len() >= l {
                    1.0
                } else {
                    -1.0
                }
            }
        });
    }
    if let Some((top, bottom)) = world.value("t").split_once('/') {
        let t = top.parse::<f64>().unwrap_or(1.0) / bottom.parse::<f64>().unwrap_or(1.0);
        // The illness is a category: by its type, all values are equally far apart.
        let ordered = world.value("emd") == "ordered";
        let (mut carried, mut moved) = (0.0_f64, 0.0);
        for (value, share) in &all {
            let difference = here.get(value).unwrap_or(&0.0) - share;
            carried += difference;
            moved += if ordered { carried.abs() } else { difference.abs() / 2.0 };
        }
        let steps = if ordered { (all.len() as f64 - 1.0).max(1.0) } else { 1.0 };
        margins.push(t - moved / steps);
    }
    match margins.into_iter().min_by(f64::total_cmp) {
        Some(margin) if margin.abs() < CLOSE => Judged::TooCloseToTell,
        Some(margin) if margin < 0.0 => {
            Judged::Broken(format!("the values of {} people tell too much", crowd.len()))
        }
        _ => Judged::Holds,
    }
}
