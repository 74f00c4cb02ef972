//! A table that is published again: groups of the second release are parts of groups of the first.
//!
//! Any method for tables is run within each group of the first release, on those of its people who are still there, and on the people who
//! are new. A group of the second release therefore holds, of every group of the first, no person or a group that the method was content
//! with. Being absent from a release is a group, too: who left is among the rows of the first group that are missing from the second release,
//! so rows are withheld beside them until they are as many and as varied as was asked for.
//!
//! # Reference
//! None. The attack that it closes is that of GKS08: Ganta, Kasiviswanathan, Smith. Composition attacks and auxiliary information in data
//! privacy. KDD 2008.
//! # Guarantees
//! Of all people in one group of the first release *and* in one group of the second (or in none of the other, or suppressed there), there are
//! none, or `k` with sensitive values as varied as asked for. A stratum in which that cannot be is withheld.
//! # Cost
//! That of the method on each stratum, once or twice.
//! # Departs from the paper
//! It has no defence.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::{Cover, Dataset, Dictionary, RecodedColumn, RecodedTable, Release, Role};

use super::demands::{Counter, Demands};
use super::params::K;
use crate::{Explanation, Method, MethodError, Outcome, Task};

/// What the first release says of the people of the data.
#[derive(Debug, Clone, Default)]
pub struct Strata {
    /// By row of the data: the group of the first release; `None` for people of whom it says nothing.
    pub group: Vec<Option<u32>>,
    /// By sensitive column of the first release and row of the data: the value that was published; `None` where that was nothing.
    pub values: Vec<Vec<Option<u32>>>,
    /// People of each group who are not in the data any more: their values by sensitive column.
    pub gone: BTreeMap<u32, Vec<Vec<Option<u32>>>>,
    /// Whether the first release is as diverse as is asked for now: what it gave away itself cannot be taken back.
    pub diverse: bool,
}

/// How finely a stratum is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// In groups that the method found.
    Parts,
    /// As one group.
    Whole,
    /// Not at all.
    Withheld,
}

/// Rows that one group of the first release has in common, or that are new.
struct Stratum {
    group: Option<u32>,
    rows: Vec<u32>,
    level: Level,
    /// What the method made of its rows but for those that are withheld beside people who left.
    made: Option<(Vec<u32>, RecodedTable)>,
}

/// Runs a method within the groups of an earlier release.
pub fn anonymize_after(
    method: &dyn Method,
    task: &Task<'_>,
    strata: &Strata,
) -> Result<Outcome, MethodError> {
    let demands = Demands::read(task.settings, task.data)?;
    let mut by_group: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
    for (row, group) in (0..).zip(&strata.group) {
        by_group.entry(*group).or_default().push(row);
    }
    let mut all: Vec<Stratum> = by_group
        .into_iter()
        .map(|(group, rows)| Stratum { group, rows, level: Level::Parts, made: None })
        .collect();
    let phase = task.progress.phase("publish again", Some(all.len() as u64));
    let work = After { method, task, strata, demands: &demands };
    all.par_iter_mut().try_for_each(|stratum| {
        work.settle(stratum)?;
        phase.advance(1).map_err(MethodError::from)
    })?;
    drop(phase);
    // Closeness is to all rows that are released, which a stratum does not know by itself.
    while demands.closeness.is_some() {
        let overall = work.overall(&all);
        let far: Vec<usize> = (0..all.len()).filter(|at| !work.is_close(&all[*at], &overall)).collect();
        if far.is_empty() {
            break;
        }
        for at in far {
            work.coarsen(&mut all[at])?;
        }
    }
    let release = work.assemble(&all)?;
    let withheld = release.suppression.rows;
    let notes = vec![format!(
        "{} people are published within {} groups of the earlier release; {withheld} rows are withheld",
        task.data.subjects.len() as u64 - withheld,
        all.iter().filter(|stratum| stratum.group.is_some() && stratum.made.is_some()).count()
    )];
    Ok(Outcome {
        release,
        explanation: Explanation::default(),
        notes,
        public_notes: Vec::new(),
        ledger: None,
        also: demands.also(),
    })
}

struct After<'a> {
    method: &'a dyn Method,
    task: &'a Task<'a>,
    strata: &'a Strata,
    demands: &'a Demands,
}

impl After<'_> {
    /// Publishes a stratum as finely as may be.
    fn settle(&self, stratum: &mut Stratum) -> Result<(), MethodError> {
        loop {
            stratum.made = match stratum.level {
                Level::Withheld => return Ok(()),
                level => self.run(stratum, level)?,
            };
            if self.is_good(stratum) {
                return Ok(());
            }
            self.lower(stratum);
        }
    }

    fn coarsen(&self, stratum: &mut Stratum) -> Result<(), MethodError> {
        self.lower(stratum);
        self.settle(stratum)
    }

    fn lower(&self, stratum: &mut Stratum) {
        stratum.made = None;
        stratum.level = if stratum.level == Level::Parts { Level::Whole } else { Level::Withheld };
    }

    /// The rows that stay, and what becomes of them; `None` where that cannot be.
    fn run(&self, stratum: &Stratum, level: Level) -> Result<Option<(Vec<u32>, RecodedTable)>, MethodError> {
        let rows = self.staying(stratum);
        if rows.len() < self.demands.k as usize {
            return Ok(None);
        }
        let data = self.part(&rows);
        let quiet = Progress::silent();
        let whole = settings_for_one_group(self.method, self.task.settings, rows.len() as u64);
        let settings = match level {
            Level::Whole => &whole,
            _ => self.task.settings,
        };
        let task = Task { data: &data, settings, progress: &quiet, ..*self.task };
        match self.method.anonymize(&task) {
            Ok(outcome) => Ok(outcome.release.body.into_table().map(|table| (rows, table))),
            Err(MethodError::Infeasible { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The rows but for those that have to be withheld beside people who left.
    fn staying(&self, stratum: &Stratum) -> Vec<u32> {
        let mut rows = stratum.rows.clone();
        let Some(gone) =
            stratum.group.and_then(|group| self.strata.gone.get(&group)).filter(|gone| !gone.is_empty())
        else {
            return rows;
        };
        let mut beside: Vec<u32> = Vec::new();
        while !self.may_be_missing(gone, &beside) {
            let Some(next) = self.next_beside(gone, &beside, &rows) else { return Vec::new() };
            rows.retain(|row| *row != next);
            beside.push(next);
        }
        rows
    }

    /// The row whose values vary those of the missing ones most; the last among equals, so that the first stay.
    fn next_beside(&self, gone: &[Vec<Option<u32>>], beside: &[u32], rows: &[u32]) -> Option<u32> {
        let seen: Vec<BTreeSet<u32>> = (0..self.strata.values.len())
            .map(|column| self.missing_values(column, gone, beside).flatten().collect())
            .collect();
        let fresh = |row: u32| {
            let is_fresh = |(column, seen): (usize, &BTreeSet<u32>)| {
                self.strata.values[column][row as usize].is_some_and(|value| !seen.contains(&value))
            };
            seen.iter().enumerate().filter(|one| is_fresh(*one)).count()
        };
        rows.iter().copied().max_by_key(|row| (fresh(*row), *row))
    }

    fn missing_values<'b>(
        &'b self,
        column: usize,
        gone: &'b [Vec<Option<u32>>],
        beside: &'b [u32],
    ) -> impl Iterator<Item = Option<u32>> + 'b {
        let of_gone = gone.iter().map(move |values| values.get(column).copied().flatten());
        of_gone.chain(beside.iter().map(move |row| self.strata.values[column][*row as usize]))
    }

    /// Whether people who left, and those withheld beside them, are as many and as varied as asked for.
    fn may_be_missing(&self, gone: &[Vec<Option<u32>>], beside: &[u32]) -> bool {
        let missing = gone.len() + beside.len();
        if missing == 0 {
            return true;
        }
        let mut counter = Counter::default();
        let diverse = |column: usize, counter: &mut Counter| {
            self.demands.diverse(counter.tally(self.missing_values(column, gone, beside).flatten()))
        };
        missing >= self.demands.k as usize
            && (!self.strata.diverse
                || (0..self.strata.values.len()).all(|column| diverse(column, &mut counter)))
    }

    /// Whether the parts of a stratum, and what is missing of it, are as they have to be.
    fn is_good(&self, stratum: &Stratum) -> bool {
        let Some((rows, table)) = &stratum.made else { return false };
        let mut counter = Counter::default();
        let mut parts: BTreeMap<Vec<String>, Vec<u32>> = BTreeMap::new();
        // Rows are ascending, here and there.
        let mut missing: Vec<u32> =
            stratum.rows.iter().copied().filter(|row| rows.binary_search(row).is_err()).collect();
        for (at, row) in rows.iter().enumerate() {
            match table.is_suppressed(at) {
                true => missing.push(*row),
                false => parts.entry(shown(table, at)).or_default().push(*row),
            }
        }
        let good = |part: &Vec<u32>, counter: &mut Counter| {
            let now = self.demands.secrets.iter().all(|secret| {
                self.demands
                    .known_diverse(secret, counter.tally(part.iter().map(|row| secret.codes[*row as usize])))
            });
            let before = stratum.group.is_none() || !self.strata.diverse || {
                let mut columns = self.strata.values.iter();
                columns.all(|codes| {
                    self.demands.diverse(counter.tally(part.iter().filter_map(|row| codes[*row as usize])))
                })
            };
            part.len() >= self.demands.k as usize && now && before
        };
        let gone =
            stratum.group.and_then(|group| self.strata.gone.get(&group)).map_or(&[][..], Vec::as_slice);
        // Who is new and not published is in neither release.
        let missing_well = stratum.group.is_none() || self.may_be_missing(gone, &missing);
        missing_well && parts.values().all(|part| good(part, &mut counter))
    }

    /// How often each sensitive value occurs in what is released.
    fn overall(&self, all: &[Stratum]) -> Vec<Vec<u32>> {
        let mut overall: Vec<Vec<u32>> =
            self.demands.secrets.iter().map(|secret| vec![0; secret.overall.len()]).collect();
        for row in all.iter().flat_map(released) {
            for (secret, counts) in self.demands.secrets.iter().zip(&mut overall) {
                counts[secret.codes[row as usize] as usize] += 1;
            }
        }
        overall
    }

    fn is_close(&self, stratum: &Stratum, overall: &[Vec<u32>]) -> bool {
        let Some((rows, table)) = &stratum.made else { return true };
        let mut parts: BTreeMap<Vec<String>, Vec<u32>> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate().filter(|(at, _)| !table.is_suppressed(*at)) {
            parts.entry(shown(table, at)).or_default().push(*row);
        }
        let mut counter = Counter::default();
        parts.values().all(|part| {
            self.demands.secrets.iter().zip(overall).all(|(secret, overall)| {
                let tally = counter.tally(part.iter().map(|row| secret.codes[*row as usize]));
                self.demands.close(secret, tally, overall)
            })
        })
    }

    /// The data of some rows.
    fn part(&self, rows: &[u32]) -> Dataset {
        let mut names = Dictionary::new();
        for row in rows {
            names.intern(self.task.data.subjects.name(*row));
        }
        let table = self.task.data.attributes.as_ref().map(|table| table.pick(rows)).unwrap_or_default();
        Dataset::from_table(names, table)
    }

    /// The rows of all strata, in the order of the data.
    fn assemble(&self, all: &[Stratum]) -> Result<Release, MethodError> {
        let people = self.task.data.subjects.len();
        let first = all.iter().find_map(|stratum| stratum.made.as_ref());
        let Some((_, first)) = first else {
            return Err(MethodError::Infeasible {
                why: "no group of the earlier release can be published again: too few of its people are left, or too many of them would \
                      have to be withheld beside those who left"
                    .to_owned(),
                help: "publish the first release with a larger `k` than the later ones, or lower `k` or `l` now".into(),
            });
        };
        let mut columns: Vec<RecodedColumn> = first
            .columns
            .iter()
            .map(|column| RecodedColumn {
                covers: vec![Cover::Suppressed],
                cells: vec![0; people],
                ..column.clone()
            })
            .collect();
        for (at, column) in columns.iter_mut().enumerate() {
            let mut known: BTreeMap<Cover, u32> = BTreeMap::from([(Cover::Suppressed, 0)]);
            for (rows, table) in all.iter().filter_map(|stratum| stratum.made.as_ref()) {
                for (place, row) in rows.iter().enumerate() {
                    let cover = table.columns[at].cover(place);
                    let next = known.len() as u32;
                    let code = *known.entry(cover.clone()).or_insert(next);
                    if code == next {
                        column.covers.push(cover.clone());
                    }
                    column.cells[*row as usize] = code;
                }
            }
        }
        Ok(Release::of_table(RecodedTable { columns }, people))
    }
}

/// The rows of a stratum that are released.
fn released(stratum: &Stratum) -> Vec<u32> {
    let made = stratum.made.iter();
    let shown = made.flat_map(|(rows, table)| {
        rows.iter().enumerate().filter(|(at, _)| !table.is_suppressed(*at)).map(|(_, row)| *row)
    });
    shown.collect()
}

/// What a row shows to an attacker who knows every column but the sensitive ones.
fn shown(table: &RecodedTable, row: usize) -> Vec<String> {
    let known = table.columns.iter().filter(|column| column.role != Role::Sensitive);
    known.map(|column| column.cover(row).render()).collect()
}

/// The same parameters with a `k` of all rows; those of the run where there can be no such `k`.
fn settings_for_one_group(method: &dyn Method, settings: &Settings, rows: u64) -> Settings {
    let typed: Vec<(&str, String)> = settings
        .iter()
        .map(|(name, value)| {
            (name, if name == K.setting.name { rows.to_string() } else { value.to_string() })
        })
        .collect();
    let given = typed.iter().map(|(name, value)| (*name, value.as_str()));
    Settings::parse(method.descriptor(), given).unwrap_or_else(|_| settings.clone())
}
