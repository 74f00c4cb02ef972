//! The second verdict: whether a release that keeps its promise is still good for anything.
//!
//! A release in which everything was suppressed, or in which an event may be at any of 349 places, keeps every promise.
//! The grade is the worst of what it is graded by; [`Aspect`] has the list, with two limits each, here and nowhere else, unless
//! others are told ([`Limits`]).
//!
//! * [`Survived`]: shares of the data that are left, for the publisher.
//! * [`Advice`]: what to change, each with what came of it on a sample.
//!
//! # Guarantees
//! The grade may be published. What needs the data enters it in steps of `COARSE` points, whose limits lie between two
//! steps; reasons are told in the same words, with the exact number only where the release itself has it. Patterns and queries enter
//! it only from [`FEWEST`] people on, as everything that is published of them. Of a synthetic
//! release only the released records are looked at: anything else would cost budget.

mod chunks;
mod limits;
mod survival;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use throng_contract::{Failure, Progress, Value};
use throng_data::{Counts, Cover, EventKind, Nature, RecodedColumn, RecodedTable, Release, Role, position};
use throng_measure::suppression::Suppressed;

pub use self::limits::{Aspect, Limits};
pub use self::survival::Survived;
use crate::exact::suppressed;
use crate::made::Checked;
use crate::rounding::FEWEST;

/// Shares that need the data are looked at in steps of this size.
const COARSE: f64 = 0.2;

/// What a release is good for, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usefulness {
    /// The grade.
    pub grade: Grade,
    /// What it rests on, the worst first; for a good release, what was looked at.
    pub reasons: Vec<String>,
    /// The limits that differ from the usual ones, as they are typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

/// Something to change, and what came of it on a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// What to do.
    pub change: String,
    /// The grade on the sample with the change.
    pub grade: Grade,
    /// What was left of the data, with the change.
    pub survived: Vec<Survived>,
    /// What it came to next to the run as it was, in words.
    pub effect: String,
    /// On how many people it was tried.
    pub people: u64,
}

/// Grades a release that was made, and says what is left of the data. Of what noise hides nothing is looked up.
pub fn judge(
    made: &Checked,
    limits: &Limits,
    progress: &Progress,
) -> Result<(Usefulness, Vec<Survived>), Failure> {
    let secret = made.outcome.release.nature == Nature::Synthetic || made.outcome.ledger.is_some();
    if let Some(counts) = made.outcome.release.body.counts() {
        return counted(made, counts, secret, limits, progress);
    }
    let survived = if secret { Vec::new() } else { survival::survived(made, progress)? };
    let lost = suppressed(made);
    let people = made.loaded.data.events.subjects() as u64;
    let told = if people < FEWEST { &[][..] } else { &survived };
    let noun = if made.loaded.data.places.is_some() { "places" } else { "items" };
    if let Some(chunks) = made.outcome.release.body.chunks() {
        let found = chunks::graded(chunks, &made.loaded.data, told, limits);
        return Ok((Usefulness { limits: limits.typed(), ..Usefulness::from(found) }, survived));
    }
    Ok((Usefulness::of(&made.outcome.release, lost.as_ref(), told, limits, noun), survived))
}

/// Grades a release of counts: by the visits and moves that are in none of them, in steps; where there is noise, by how many counts it may
/// have made useless, which anyone can work out.
fn counted(
    made: &Checked,
    counts: &Counts,
    secret: bool,
    limits: &Limits,
    progress: &Progress,
) -> Result<(Usefulness, Vec<Survived>), Failure> {
    let mut found = vec![match counts.cells.len() {
        0 => (Grade::Poor, "no count is published".to_owned()),
        1 => (Grade::Good, "1 count is published".to_owned()),
        cells => (Grade::Good, format!("{cells} counts are published")),
    }];
    let mut survived = Vec::new();
    if secret {
        if let Some(share) = drowned(made, counts) {
            let reason = format!("{} of the counts may be off by more than half", roughly(share));
            found.push((limits.grade(Aspect::Queries, share), reason));
        }
    } else {
        survived = survival::of_counts(made, progress)?;
        let people = made.loaded.data.events.subjects() as u64;
        for lost in survived.iter().filter(|_| people >= FEWEST) {
            let share = ((1.0 - lost.share) / COARSE).round() * COARSE;
            let reason = format!("{} of the {} are in no published count", in_words(share), lost.what);
            found.push((limits.grade(Aspect::Events, share), reason));
        }
    }
    Ok((Usefulness { limits: limits.typed(), ..Usefulness::from(found) }, survived))
}

/// The share of counts that noise is expected to have moved by more than half of them.
fn drowned(made: &Checked, counts: &Counts) -> Option<f64> {
    let Some(Value::Integer(cells)) = made.settings.get("cells") else { return None };
    let spent = made.outcome.ledger.as_ref()?.spendings().first()?.amount.epsilon();
    let scale = *cells as f64 / spent;
    let moved = |people: u64| (-(people as f64) / (2.0 * scale)).exp();
    let total: f64 = counts.cells.iter().map(|(_, people)| moved(*people)).sum();
    (!counts.cells.is_empty()).then(|| total / counts.cells.len() as f64)
}

/// Three grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Most of the data is there, nearly as it was.
    Good,
    /// Some questions can be answered.
    Limited,
    /// Hardly anything is left.
    Poor,
}

impl Grade {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Limited => "limited",
            Grade::Poor => "poor",
        }
    }
}

impl Usefulness {
    /// Grades a release; what was suppressed is not known of a synthetic one. `noun` is what items are.
    fn of(
        release: &Release,
        suppressed: Option<&Suppressed>,
        survived: &[Survived],
        limits: &Limits,
        noun: &str,
    ) -> Self {
        let about = |share: f64| (share / COARSE).round() * COARSE;
        // What needs the data is told and graded in steps.
        let stepped = |aspect: Aspect, lost: f64, what: &str| {
            (limits.grade(aspect, about(lost)), format!("{} of the {what}", in_words(about(lost))))
        };
        let mut found = Vec::new();
        if let Some(table) = release.table() {
            found.push(coarseness(table, limits));
            found.push(suppressed_rows(table, release.people(), limits));
        }
        let has_events = release.event_kind() != EventKind::Absent;
        if has_events {
            found.push(members(release, limits, noun));
            found.push(empty_records(release, limits));
        }
        if let Some(lost) = suppressed.filter(|_| release.nature != Nature::Synthetic && has_events) {
            found.push(stepped(Aspect::Events, lost.events_share(), "events were suppressed"));
            let items =
                if lost.items_before == 0 { 0.0 } else { lost.items as f64 / lost.items_before as f64 };
            found.push(stepped(Aspect::Items, items, &format!("{noun} no longer occur")));
        }
        for survived in survived {
            let aspect = match survived.what.as_str() {
                "patterns" => (Aspect::Patterns, "frequent pairs are lost"),
                "queries" => (Aspect::Queries, "COUNT queries are answered wrongly by more than half"),
                _ => continue,
            };
            found.push(stepped(aspect.0, 1.0 - survived.share, aspect.1));
        }
        Usefulness { limits: limits.typed(), ..Usefulness::from(found) }
    }

    /// The worst of several grades, with its reasons.
    fn from(mut found: Vec<(Grade, String)>) -> Self {
        // A stable sort: what is equally bad stays in the order above.
        found.sort_by_key(|(grade, _)| std::cmp::Reverse(*grade));
        let grade = found.first().map_or(Grade::Good, |(grade, _)| *grade);
        let reasons = found.into_iter().filter(|(found, _)| grade == Grade::Good || *found > Grade::Good);
        let reasons = reasons.map(|(_, reason)| reason).collect();
        Usefulness { grade, reasons, limits: Vec::new() }
    }
}

/// How coarse the quasi-identifying cells are, on average: 0 for a value, 1 for a cell that may be anything. A range counts by its
/// share of all numbers that the release speaks of, any other cell by its share of all values; anyone can count that.
fn coarseness(table: &RecodedTable, limits: &Limits) -> (Grade, String) {
    let columns: Vec<&RecodedColumn> = table.with_role(Role::QuasiIdentifying).collect();
    if columns.is_empty() {
        return (Grade::Good, "no cell was made coarser".to_owned());
    }
    let mut total = 0.0;
    for column in &columns {
        let loss = losses(column);
        let rows = column.cells.len().max(1) as f64;
        total += column.cells.iter().map(|cell| loss[*cell as usize]).sum::<f64>() / rows;
    }
    let mean = total / columns.len() as f64;
    let reason = match (mean * 100.0).round() {
        0.0 => "cells are as they were, or nearly".to_owned(),
        points => format!("a released cell covers {points}% of its column's range on average"),
    };
    (limits.grade(Aspect::Cells, mean), reason)
}

/// What each cover loses, from 0 to 1.
fn losses(column: &RecodedColumn) -> Vec<f64> {
    let at = |text: &String| position(text, column.kind);
    let mut values: BTreeSet<&String> = BTreeSet::new();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for cover in &column.covers {
        let named: &[String] = match cover {
            Cover::Value(value) => std::slice::from_ref(value),
            Cover::Node { members, .. } => members,
            Cover::Set(values) => values,
            Cover::Range { low: from, high: to } => {
                for end in [from, to].into_iter().filter_map(at) {
                    (low, high) = (low.min(end), high.max(end));
                }
                &[]
            }
            Cover::Suppressed => &[],
        };
        for value in named {
            values.insert(value);
            if let Some(position) = at(value) {
                (low, high) = (low.min(position), high.max(position));
            }
        }
    }
    let share = |members: usize| if members < 2 { 0.0 } else { members as f64 / values.len() as f64 };
    let loss = |cover: &Cover| match cover {
        Cover::Value(_) => 0.0,
        Cover::Node { members, .. } => share(members.len()),
        Cover::Set(values) => share(values.len()),
        Cover::Range { low: from, high: to } => match (at(from), at(to)) {
            (Some(from), Some(to)) if high > low => (to - from) / (high - low),
            _ => 0.0,
        },
        Cover::Suppressed => 1.0,
    };
    column.covers.iter().map(loss).collect()
}

fn suppressed_rows(table: &RecodedTable, rows: usize, limits: &Limits) -> (Grade, String) {
    let silent = (0..rows).filter(|row| table.is_suppressed(*row)).count();
    let share = silent as f64 / rows.max(1) as f64;
    let reason = match silent {
        0 => "no row was suppressed".to_owned(),
        _ => format!("{:.0}% of the rows were suppressed", (share * 100.0).max(1.0)),
    };
    (limits.grade(Aspect::Rows, share), reason)
}

/// How many original items an event stands for; anyone can count it in the release.
fn members(release: &Release, limits: &Limits, noun: &str) -> (Grade, String) {
    let sizes: u64 = release
        .events()
        .items()
        .iter()
        .map(|item| release.alphabet[*item as usize].members.len() as u64)
        .sum();
    if release.events().is_empty() {
        return (Grade::Poor, "no event is left".to_owned());
    }
    let mean = sizes as f64 / release.events().len() as f64;
    let mut named = vec![false; release.base.len()];
    for item in release.events().items() {
        release.alphabet[*item as usize].members.iter().for_each(|member| named[*member as usize] = true);
    }
    let all = named.iter().filter(|named| **named).count() as f64;
    // An event that may be any of half of the items says next to nothing; where each is itself, few items are no fault.
    let share = if mean > 1.0 { mean / all } else { 0.0 };
    let grade = limits.grade(Aspect::Members, mean).max(limits.grade(Aspect::Spread, share));
    let grade = if mean < 1.5 { grade.min(Grade::Limited) } else { grade };
    let reason = match mean {
        1.0 => format!("every event stands for one {}", noun.trim_end_matches('s')),
        mean if mean < 9.95 => format!("an event stands for {mean:.1} {noun} on average"),
        mean => format!("an event stands for {mean:.0} {noun} on average"),
    };
    (grade, reason)
}

fn empty_records(release: &Release, limits: &Limits) -> (Grade, String) {
    let empty = release.events().record_offsets().windows(2).filter(|ends| ends[0] == ends[1]).count();
    let share = empty as f64 / release.records().max(1) as f64;
    let reason = match empty {
        0 => "no record is without events".to_owned(),
        _ => format!("{:.0}% of the records have no event", (share * 100.0).max(1.0)),
    };
    (limits.grade(Aspect::Records, share), reason)
}

/// A share that was rounded to a multiple of [`COARSE`], as the range that it stands for: beside an exact share, which the publisher is told, "about" would
/// seem to contradict it.
fn in_words(share: f64) -> String {
    let points = |share: f64| (share * 100.0).round();
    match (points(share - COARSE / 2.0), points(share + COARSE / 2.0)) {
        (low, high) if low <= 0.0 => format!("less than {high}%"),
        (low, high) if high >= 100.0 => format!("more than {low}%"),
        (low, high) => format!("{low}% to {high}%"),
    }
}

fn roughly(share: f64) -> String {
    match (share * 100.0).round() {
        0.0 => "none or few".to_owned(),
        100.0 => "nearly all".to_owned(),
        points => format!("about {points}%"),
    }
}

#[cfg(test)]
mod tests;
