//! What published attribute columns give away.
//!
//! An attacker who knows a person's age and home may find their row without knowing one event. So people are grouped by all
//! published columns that attackers know - every one that is not `sensitive` ([`Role::is_known`]) - and each group has to be as large
//! as the crowd the promise speaks of, or [`Assumes::USUAL_CROWD`] where it speaks of none. Inside each group the promise itself
//! has to hold ([`throng_models::check_beside`]): the verdict here is about the columns alone, before any work is done, and
//! [`Judged::exposes`] adds what the promises' checkers found afterwards.
//!
//! A `sensitive` column is what is protected, not what is known. But a column in which most people have a value of their
//! own names them, whatever its role: from half of the people in groups below the crowd on, it is refused too.
//!
//! In a table the promise speaks of the quasi-identifiers; they and the insensitive columns together are what is known.
//!
//! # Guarantees
//! A missing value is a value. Judged before the method runs, and again on what is written. The message has numbers of
//! people and names of columns, and no value.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use throng_contract::{Class, Failure, help};
use throng_data::{Column, ColumnValues, RecodedTable, Role};
use throng_models::Assumes;

/// What the published columns give away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnsVerdict {
    /// Whether every group is large enough, and no column names people.
    pub covered: bool,
    /// How large a group has to be.
    pub crowd: u64,
    /// People in smaller groups.
    pub people_below: u64,
    /// People alone in their group.
    pub unique: u64,
    /// Whether the publisher accepted it where it is not covered.
    pub accepted: bool,
    /// Promises that hold only for attackers who do not know these columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
    /// The verdict in plain words.
    pub statement: String,
}

/// The published columns, judged, with what a refusal needs to say.
#[derive(Debug)]
pub struct Judged {
    /// What may be told of it.
    pub verdict: ColumnsVerdict,
    /// The group of each person by the columns that may be known; `None` where no column is known.
    pub groups: Option<Vec<u32>>,
    people: u64,
    /// A sensitive column that names people.
    naming: Option<String>,
    /// For each known column: how many people are left in small groups without it.
    without: Vec<(String, u64)>,
    /// What the promise speaks of where it does not speak of these columns.
    spoken_of: &'static str,
}

fn exposing(spoken_of: &str) -> String {
    format!("The {spoken_of} keep the promise; the published columns do not.")
}

/// Why a release is not written whose columns, published as they are, break promises that it keeps without them.
pub fn refused(promises: &[&str], columns: &[String]) -> Failure {
    let listed = |names: &[&str]| format!("`{}`", names.join("`, `"));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let (promises, columns) = (listed(promises), listed(&columns));
    let message = format!(
        "nothing was written: {promises} holds only for attackers who do not know {columns}, and published columns are known"
    );
    Failure::new(Class::Refused, message).with_help(help!(
        "leave $ out of {publish}, or name them with {quasi}, so that the method makes them safe together with the rest; \
         {accept-exposed-columns} publishes them and records that the columns do not keep the promise",
        columns
    ))
}

/// A column that is published: what it is called and means to an attacker, and who has the same value.
struct Shown<'a> {
    name: &'a str,
    sensitive: bool,
    /// Alike for people with the same value.
    values: Cow<'a, [u32]>,
}

impl Judged {
    /// Judges columns of so many people that are published as they are; nothing where there are none.
    pub fn of(columns: &[&Column], people: usize, assumes: Assumes, accepted: bool) -> Option<Self> {
        let shown = columns.iter().map(|column| Shown {
            name: &column.name,
            sensitive: column.role.is_some_and(|role| !role.is_known()),
            values: Cow::Owned(alike(column, people)),
        });
        Judged::of_shown(&shown.collect::<Vec<_>>(), people, assumes, accepted, "events")
    }

    /// Whether one of these columns has a value of its own for most people.
    pub fn names_people(table: &RecodedTable, people: usize, assumes: Assumes) -> bool {
        let crowd = assumes.crowd().max(2);
        table.columns.iter().any(|column| {
            let shown =
                Shown { name: &column.name, sensitive: true, values: Cow::Borrowed(&column.cells[..]) };
            2 * below(&group(&[&shown], people), crowd).0 >= people.max(1) as u64
        })
    }

    /// Judges a recoded table: an attacker who knows the quasi-identifiers knows the insensitive columns, too. Rows of which nothing
    /// is said show nothing.
    pub fn of_table(table: &RecodedTable, people: usize, assumes: Assumes, accepted: bool) -> Option<Self> {
        let rows: Vec<usize> = (0..people).filter(|row| !table.is_suppressed(*row)).collect();
        // Where no insensitive column is published, the promise itself speaks of all that may be known.
        table.with_role(Role::Insensitive).next()?;
        let shown = table.columns.iter().map(|column| Shown {
            name: &column.name,
            sensitive: !column.role.is_known(),
            values: match rows.len() == people {
                true => Cow::Borrowed(&column.cells[..]),
                false => Cow::Owned(rows.iter().map(|row| column.cells[*row]).collect()),
            },
        });
        let mut judged =
            Judged::of_shown(&shown.collect::<Vec<_>>(), rows.len(), assumes, accepted, "quasi-identifiers")?;
        // Attackers look for everybody; who is in no row is in a group of their own kind.
        judged.groups = None;
        Some(judged)
    }

    fn of_shown(
        columns: &[Shown<'_>],
        people: usize,
        assumes: Assumes,
        accepted: bool,
        spoken_of: &'static str,
    ) -> Option<Self> {
        if columns.is_empty() {
            return None;
        }
        // One person alone is found, whatever a promise with k = 1 says.
        let crowd = assumes.crowd().max(2);
        let (sensitive, known): (Vec<&Shown<'_>>, Vec<&Shown<'_>>) =
            columns.iter().partition(|column| column.sensitive);
        let naming = sensitive
            .iter()
            .find(|column| 2 * below(&group(&[column], people), crowd).0 >= people.max(1) as u64)
            .map(|column| column.name.to_owned());
        let groups = (!known.is_empty()).then(|| group(&known, people));
        let (mut people_below, mut unique) = groups.as_deref().map_or((0, 0), |of| below(of, crowd));
        if let Some(column) = sensitive.iter().find(|column| Some(column.name) == naming.as_deref()) {
            let alone = below(&group(&[column], people), crowd);
            (people_below, unique) = (people_below.max(alone.0), unique.max(alone.1));
        }
        let without = (0..known.len()).map(|left_out| {
            let others: Vec<&Shown<'_>> = known
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != left_out)
                .map(|(_, column)| *column)
                .collect();
            let still = if others.is_empty() { 0 } else { below(&group(&others, people), crowd).0 };
            (known[left_out].name.to_owned(), still)
        });
        let covered = people_below == 0 && naming.is_none();
        let without = if covered { Vec::new() } else { without.collect() };
        let statement = if covered && groups.is_none() {
            "The published columns are what the promise protects; none of them counts as known.".to_owned()
        } else if covered && spoken_of == "events" {
            format!(
                "The published columns are known to attackers: everyone is in a group of at least {crowd} by them, and inside \
                 each group the promise holds."
            )
        } else if covered {
            format!("By all published columns together everyone is in a group of at least {crowd}.")
        } else {
            exposing(spoken_of)
        };
        let verdict = ColumnsVerdict {
            covered,
            crowd,
            people_below,
            unique,
            accepted: accepted && !covered,
            breaks: Vec::new(),
            statement,
        };
        Some(Judged { verdict, groups, people: people as u64, naming, without, spoken_of })
    }

    /// Adds the promises that attackers who know the columns break. They were refused before, unless that was accepted.
    #[must_use]
    pub fn exposes(mut self, promises: &[&'static str]) -> Self {
        if !promises.is_empty() {
            self.verdict.covered = false;
            self.verdict.accepted = true;
            self.verdict.breaks = promises.iter().map(|name| (*name).to_owned()).collect();
            self.verdict.statement = exposing(self.spoken_of);
        }
        self
    }

    /// Refuses columns that give people away, unless that was accepted.
    pub fn admit(&self) -> Result<(), Failure> {
        let ColumnsVerdict { covered, accepted, crowd, people_below, unique, .. } = self.verdict;
        if covered || accepted {
            return Ok(());
        }
        let people = self.people;
        let numbers = format!(
            "{people_below} of {people} people are in groups of fewer than {crowd}, {unique} of them alone"
        );
        if let Some(column) = &self.naming {
            let message = format!(
                "the published column `{column}` has a value of their own for most people: {numbers}"
            );
            let help = help!(
                "leave `$` out of {publish}, or publish coarser values; {accept-exposed-columns} publishes it and records that the \
                 columns do not keep the promise",
                column
            );
            return Err(Failure::new(Class::Refused, message).with_help(help));
        }
        let message = format!("the published columns single people out: {numbers}");
        let best = self.without.iter().min_by_key(|(_, still)| *still);
        let drop = match best {
            Some((column, _)) if self.without.len() == 1 => help!("leave `$` out of {publish}", column),
            Some((column, 0)) => help!("leave `$` out of {publish}, then no one is", column),
            Some((column, still)) => {
                help!("leave `$` out of {publish}, then $ people still are", column, still)
            }
            None => "publish fewer columns".into(),
        };
        let help = drop.and(
            "; or publish coarser values; {accept-exposed-columns} publishes them and records that the columns do not keep the \
             promise",
        );
        Err(Failure::new(Class::Refused, message).with_help(help))
    }
}

/// Numbers people alike where all columns agree.
fn group(columns: &[&Shown<'_>], people: usize) -> Vec<u32> {
    let mut groups = vec![0_u32; people];
    for column in columns {
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        for (group, value) in groups.iter_mut().zip(&*column.values) {
            let next = numbers.len() as u32;
            *group = *numbers.entry((*group, *value)).or_insert(next);
        }
    }
    groups
}

/// Numbers people alike who have the same value; every missing value is the same.
fn alike(column: &Column, people: usize) -> Vec<u32> {
    let mut numbers: HashMap<Option<u64>, u32> = HashMap::new();
    let number = |person: usize| {
        let value = match &column.values {
            ColumnValues::Categories { codes, .. } => Some(codes[person].into()),
            ColumnValues::Numbers(numbers) if numbers[person].is_nan() => None,
            // Zero has two signs and is written once.
            ColumnValues::Numbers(numbers) => Some((numbers[person] + 0.0).to_bits()),
            ColumnValues::Dates(dates) => dates[person].map(|days| u64::from(days.cast_unsigned())),
        };
        let next = numbers.len() as u32;
        *numbers.entry(value).or_insert(next)
    };
    (0..people).map(number).collect()
}

/// People in groups below the crowd, and people alone.
fn below(groups: &[u32], crowd: u64) -> (u64, u64) {
    let mut sizes: Vec<u64> = vec![0; groups.iter().max().map_or(0, |most| *most as usize + 1)];
    groups.iter().for_each(|group| sizes[*group as usize] += 1);
    let small = sizes.iter().filter(|size| **size > 0 && **size < crowd);
    (small.sum(), sizes.iter().filter(|size| **size == 1).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, role: Option<Role>, values: &[f64]) -> Column {
        Column { name: name.to_owned(), role, values: ColumnValues::Numbers(values.to_vec()) }
    }

    fn judged(columns: &[&Column], accepted: bool) -> Judged {
        let assumes = Assumes { crowd: Some(3), known: None };
        let people = match &columns[0].values {
            ColumnValues::Numbers(values) => values.len(),
            _ => 0,
        };
        Judged::of(columns, people, assumes, accepted).unwrap()
    }

    /// Six people: by each column alone no person is in a group below three, by both together everybody is.
    #[test]
    fn columns_are_judged_together() {
        let sex = column("sex", None, &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let home = column("home", Some(Role::Insensitive), &[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
        assert!(judged(&[&sex], false).verdict.covered && judged(&[&home], false).verdict.covered);
        let both = judged(&[&sex, &home], false);
        let ColumnsVerdict { covered, people_below, unique, crowd, .. } = both.verdict;
        assert_eq!((covered, crowd, people_below, unique), (false, 3, 6, 2));
        let refused = both.admit().unwrap_err();
        assert_eq!(refused.class, Class::Refused);
        assert_eq!(
            refused.message,
            "the published columns single people out: 6 of 6 people are in groups of fewer than 3, 2 of them alone"
        );
        assert!(
            refused
                .help
                .unwrap()
                .to_string()
                .starts_with("leave `sex` out of `--publish`, then no one is; or")
        );
        let accepted = judged(&[&sex, &home], true);
        assert!(accepted.admit().is_ok() && accepted.verdict.accepted && !accepted.verdict.covered);
        assert_eq!(accepted.verdict.statement, "The events keep the promise; the published columns do not.");
    }

    /// An id with one value each passed without a word, whatever it was called.
    #[test]
    fn an_id_column_is_refused_whatever_its_role() {
        let ids: Vec<f64> = (0..10).map(f64::from).collect();
        for role in [None, Some(Role::QuasiIdentifying), Some(Role::Insensitive), Some(Role::Sensitive)] {
            let id = column("id", role, &ids);
            let refused = judged(&[&id], false).admit().unwrap_err();
            assert_eq!(refused.class, Class::Refused, "{role:?}");
            assert!(refused.message.contains("10 of 10 people"), "{}", refused.message);
        }
    }

    #[test]
    fn a_sensitive_column_is_protected_not_known() {
        let status = column("status", Some(Role::Sensitive), &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let found = judged(&[&status], false);
        assert!(found.admit().is_ok() && found.verdict.covered && found.groups.is_none());
    }

    #[test]
    fn a_missing_value_is_a_value() {
        let age = column("age", None, &[1.0, 1.0, 1.0, f64::NAN, f64::NAN]);
        let found = judged(&[&age], false);
        assert_eq!((found.verdict.people_below, found.verdict.unique), (2, 0));
        assert_eq!(found.groups, Some(vec![0, 0, 0, 1, 1]));
    }
}
